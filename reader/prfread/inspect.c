/* SPDX-License-Identifier: MIT */
#include "prfread/inspect.h"

#include <stdlib.h>

#include "block/dump.h"
#include "paths/list.h"
#include "source/say.h"

/* Add the objects that the options name. Unknown ones are told. */
static void add_objects(prfdata_session *s, prfdata_index_set *set)
{
    for (size_t i = 0; i < s->options.name_count; i++) {
        s->wanted++;
        if (!prfdata_session_add_object(s, set, s->options.names[i])) {
            prfdata_say_error(s->options.names[i], "no object has this name");
            s->not_found++;
        }
    }
}

static bool is_named(const prfdata_session *s, const prfdata_sample_object *object)
{
    const uint32_t title = object->wire.header.object_name_title_index;

    if (s->options.name_count == 0)
        return true;
    for (size_t i = 0; i < s->options.name_count; i++) {
        const prfdata_text name = s->options.names[i];

        if (prfdata_titles_match(&s->titles, prfdata_titles_way_of(&s->titles, name), name, title))
            return true;
    }
    return false;
}

/* Tell which of them are not there: an object may have a title and no provider that answers. */
static void tell_absent(prfdata_session *s, const prfdata_sample *sample)
{
    for (size_t i = 0; i < s->options.name_count; i++) {
        bool known = false;
        bool there = false;
        prfdata_index_set set = {NULL, 0, 0};

        known = prfdata_session_add_object(s, &set, s->options.names[i]);
        for (size_t j = 0; j < set.count; j++)
            there = there || prfdata_sample_find_object(sample, set.items[j]);
        free(set.items);
        if (known && !there) {
            prfdata_say_error(s->options.names[i], "no provider has this object now");
            s->not_found++;
        }
    }
}

/* The sample of these objects; NULL: a failure was told. */
static prfdata_sample *take(prfdata_session *s, prfdata_index_set *set)
{
    uint16_t *query = NULL;
    prfdata_sample *sample = prfdata_session_take_first(s, set, &query);

    free(query);
    return sample;
}

prfdata_sample *prfdata_inspect_take(prfdata_session *s)
{
    prfdata_index_set set = {NULL, 0, 0};
    prfdata_sample *sample = NULL;

    add_objects(s, &set);
    if (s->wanted == 0 || set.count > 0)
        sample = take(s, &set);
    if (sample)
        tell_absent(s, sample);
    free(set.items);
    return sample;
}

/* Write all of it to the file of -o or to standard output. */
static void write_out(prfdata_session *s, prfdata_output *output)
{
    if (!prfdata_session_open_out(s))
        return;
    (void)prfdata_session_flush(s, output);
    prfdata_session_close_out(s);
}

void prfdata_inspect_list(prfdata_session *s)
{
    prfdata_sample *sample = prfdata_inspect_take(s);
    prfdata_output output;

    if (!sample)
        return;
    prfdata_output_init(&output);
    for (uint32_t i = 0; i < sample->object_count; i++) {
        if (is_named(s, &sample->objects[i]))
            prfdata_list_put(&output, &sample->objects[i], &s->titles.english,
                             s->options.task == PRFDATA_TASK_LIST_INSTANCES);
    }
    write_out(s, &output);
    prfdata_output_free(&output);
    prfdata_sample_free(sample);
}

void prfdata_inspect_dump(prfdata_session *s)
{
    prfdata_index_set set = {NULL, 0, 0};
    prfdata_sample *sample;
    prfdata_output output;

    add_objects(s, &set);
    if (s->not_found > 0)
        set.count = 0; /* perhaps it is in there without a name */
    sample = take(s, &set);
    free(set.items);
    if (!sample)
        return;
    if (s->not_found == 0)
        tell_absent(s, sample);
    prfdata_output_init(&output);
    (void)prfdata_dump_put(&output, sample->bytes, sample->size, &s->titles.english);
    write_out(s, &output);
    prfdata_output_free(&output);
    prfdata_sample_free(sample);
}
