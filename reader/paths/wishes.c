/* SPDX-License-Identifier: MIT */
#include "paths/wishes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source/say.h"

/* ---- What is told ---- */

static void tell(const prfdata_session *s, const prfdata_wish *wish, const char *reason)
{
    if (wish->line > 0)
        prfdata_say_line_error(s->options.counter_file, wish->line, wish->text, reason);
    else
        prfdata_say_error(wish->text, reason);
}

static const char *reason_of(const prfdata_wish *wish, uint32_t status,
                             const prfdata_sample *sample, const prfdata_titles *titles)
{
    const prfdata_columns_path *asked = &wish->path;
    bool has_instances = true;

    if (status == PRFDATA_STATUS_NO_OBJECT)
        return "no provider has this object now";
    if (status == PRFDATA_STATUS_NO_COUNTER)
        return "the object has no such counter";
    for (uint32_t i = 0; i < sample->object_count; i++) {
        const prfdata_sample_object *object = &sample->objects[i];

        if (prfdata_titles_match(titles, asked->way, asked->path.object,
                                 object->wire.header.object_name_title_index))
            has_instances = object->has_instances;
    }
    if (!has_instances)
        return "the object has no instances: write \\Object\\Counter";
    return asked->path.has_instance
               ? "the object has no such instance now"
               : "the object has instances: name one or *, as in \\Object(*)\\Counter";
}

/* ---- Reading the paths ---- */

/* What is wrong is told. */
static bool understand(prfdata_session *s, prfdata_wishes *wishes, prfdata_wish *wish)
{
    prfdata_path_error error;
    char reason[200];

    if (!prfdata_path_parse(wish->text, &wish->path.path, &error)) {
        snprintf(reason, sizeof reason, "character %u: %s", (unsigned)error.position + 1,
                 error.reason);
        tell(s, wish, reason);
        return false;
    }
    if (!prfdata_session_is_here(s, wish->path.path.computer)) {
        tell(s, wish, "counters of other computers cannot be read");
        return false;
    }
    wish->path.way = prfdata_titles_way_of(&s->titles, wish->path.path.object);
    if (!prfdata_session_add_object(s, &wishes->set, wish->path.path.object)) {
        tell(s, wish, "no object has this name");
        return false;
    }
    return true;
}

static void add(prfdata_session *s, prfdata_wishes *wishes, prfdata_text text, uint32_t line)
{
    prfdata_wish *wish = &wishes->items[wishes->count];

    memset(wish, 0, sizeof *wish);
    wish->text = text;
    wish->line = line;
    wish->path.number = (uint32_t)wishes->count;
    wish->is_bad = !understand(s, wishes, wish);
    wishes->count++;
    s->wanted++;
}

/* The file of -cf. A failure was told; what it asks for is then missing as a whole. */
static bool read_file(prfdata_session *s, prfdata_wishes *wishes)
{
    prfdata_lines_error error = {0, NULL};
    size_t size = 0;
    void *bytes = NULL;
    uint32_t status =
        prfdata_console_read_file(s->options.counter_file, PRFDATA_LINES_MAX_BYTES, &bytes, &size);

    if (status == ERROR_SUCCESS) {
        status = prfdata_lines_make(bytes, size, &wishes->lines, &error);
        free(bytes);
    }
    if (status == ERROR_INVALID_DATA && error.reason) {
        prfdata_say_line_error(s->options.counter_file, error.line, prfdata_say_nothing,
                               error.reason);
        return false;
    }
    if (status != ERROR_SUCCESS) {
        prfdata_say_system_error(s->options.counter_file, "cannot read the file", status);
        s->system_failed = true;
        return false;
    }
    if (wishes->lines.count == 0) {
        prfdata_say_error(s->options.counter_file, "there is no counter path in the file");
        return false;
    }
    return true;
}

bool prfdata_wishes_make(prfdata_session *s, prfdata_wishes *wishes)
{
    const prfdata_options *options = &s->options;

    memset(wishes, 0, sizeof *wishes);
    if (options->counter_file.count > 0 && !read_file(s, wishes)) {
        s->wanted++;
        s->not_found++;
    }
    wishes->items = calloc(options->name_count + wishes->lines.count + 1, sizeof *wishes->items);
    if (!wishes->items) {
        prfdata_say_system_error(prfdata_say_nothing, "too many counter paths",
                                 ERROR_NOT_ENOUGH_MEMORY);
        s->system_failed = true;
        return false;
    }
    for (size_t i = 0; i < options->name_count; i++)
        add(s, wishes, options->names[i], 0);
    for (size_t i = 0; i < wishes->lines.count; i++)
        add(s, wishes, wishes->lines.items[i].text, wishes->lines.items[i].number);
    return wishes->set.count > 0;
}

void prfdata_wishes_free(prfdata_wishes *wishes)
{
    free(wishes->query);
    free(wishes->set.items);
    prfdata_lines_free(&wishes->lines);
    free(wishes->items);
    memset(wishes, 0, sizeof *wishes);
}

/* ---- Samples ---- */

prfdata_sample *prfdata_wishes_take(prfdata_session *s, prfdata_wishes *wishes)
{
    return prfdata_session_take_first(s, &wishes->set, &wishes->query);
}

uint32_t prfdata_wishes_add(prfdata_session *s, prfdata_wishes *wishes,
                            const prfdata_sample *sample, prfdata_columns *columns)
{
    for (size_t i = 0; i < wishes->count; i++) {
        prfdata_wish *wish = &wishes->items[i];
        uint32_t status;

        if (wish->is_bad)
            continue;
        if (prfdata_columns_add(columns, &wish->path, sample, &status) != ERROR_SUCCESS)
            return ERROR_NOT_ENOUGH_MEMORY;
        if (status == PRFDATA_STATUS_OK) {
            wish->has_columns = true;
        } else if (!wish->has_columns && wish->told != status) {
            wish->told = status;
            tell(s, wish, reason_of(wish, status, sample, &s->titles));
        }
    }
    return ERROR_SUCCESS;
}

void prfdata_wishes_count_missing(prfdata_session *s, const prfdata_wishes *wishes)
{
    for (size_t i = 0; i < wishes->count; i++)
        s->not_found += !wishes->items[i].has_columns;
}
