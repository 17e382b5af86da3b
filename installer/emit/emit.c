/* SPDX-License-Identifier: MIT */
/* Holds the table of configurations, and makes the models that they are written from. Portable. */
#include "emit/emit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "emit/emit_item.h"
#include "names/ascii.h"

/*
 * The origin is searched for in the first HEAD_BYTES of a file. END_BYTES are room for the end of
 * an origin, such as " -Emit Grafana.".
 */
enum { HEAD_BYTES = 512, END_BYTES = 64 };

static const struct {
    const char *name;
    prfdata_emit_put *put;
    prfdata_emit_put_obstacle *obstacle;
} kinds[] = {
#define ROW(name, function, obstacle, help) {#name, function, obstacle},
    PRFDATA_EMIT_KINDS(ROW)
#undef ROW
};

static bool is_kind_name(const wchar_t *wide, const char *name)
{
    while (*name && prfdata_ascii_lower(*wide) == prfdata_ascii_lower(*name)) {
        wide++;
        name++;
    }
    return *name == 0 && *wide == 0;
}

prfdata_emit_put *prfdata_emit_find(const wchar_t *kind)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (is_kind_name(kind, kinds[i].name))
            return kinds[i].put;
    }
    return NULL;
}

void prfdata_emit_put_origin(prfdata_quoted_text *text, const char *before, const char *program,
                             const char *kind, const char *after)
{
    const char *const parts[] = {before, "Written by ", program, " -Emit ", kind, ".", after};

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        prfdata_quoted_text_put(text, parts[i]);
}

/* cppcheck-suppress constParameter; it is a function, which cannot be const */
bool prfdata_emit_wrote(const void *bytes, size_t size, prfdata_emit_put *put)
{
    char head[HEAD_BYTES + 1], end[END_BYTES] = "";
    const char *written, *found;

    if (size > HEAD_BYTES)
        size = HEAD_BYTES;
    memcpy(head, bytes, size);
    head[size] = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i].put == put)
            (void)snprintf(end, sizeof end, " -Emit %s.", kinds[i].name);
    written = strstr(head, "Written by ");
    found = written ? strstr(written, end) : NULL;
    return found && !memchr(written, '\n', (size_t)(found - written));
}

/* cppcheck-suppress constParameter; it is a function, which cannot be const */
static prfdata_emit_put_obstacle *obstacle_of(prfdata_emit_put *put)
{
    size_t i = 0;

    while (kinds[i].put != put)
        i++;
    return kinds[i].obstacle;
}

void prfdata_emit_none_obstacle(prfdata_quoted_text *reason, const prfdata_model *model,
                                const prfdata_model_object *object,
                                const prfdata_model_counter *counter)
{
    (void)reason;
    (void)model;
    (void)object;
    (void)counter;
}

void prfdata_emit_item_obstacle(prfdata_quoted_text *reason, const prfdata_model *model,
                                const prfdata_model_object *object,
                                const prfdata_model_counter *counter)
{
    prfdata_emit_item item;

    if (!counter->is_base && !prfdata_emit_item_make(model, object, counter, &item))
        prfdata_quoted_text_put(reason,
                                "the counter has no value; -Emit Markdown lists the counter");
}

static void put_left_out_counter(prfdata_quoted_text *text, const char *before,
                                 const wchar_t *title, const prfdata_quoted_text *reason)
{
    text->has_failed |= reason->has_failed;
    if (reason->used == 0)
        return;
    prfdata_quoted_text_format(text, "%sLeft out, because %s: ", before,
                               prfdata_quoted_text_get(reason));
    prfdata_emit_item_put_title(text, title);
    prfdata_quoted_text_put(text, "\n");
}

void prfdata_emit_put_left_out(prfdata_quoted_text *text, const prfdata_model *const *models,
                               size_t count, const char *before,
                               prfdata_emit_put_obstacle *obstacle)
{
    for (size_t m = 0; m < count; m++) {
        for (uint32_t o = 0; o < models[m]->object_count; o++) {
            const prfdata_model_object *object = &models[m]->objects[o];

            for (uint32_t c = 0; c < object->counter_count; c++) {
                const prfdata_model_counter *counter = &object->counters[c];
                prfdata_quoted_text reason = {0};

                obstacle(&reason, models[m], object, counter);
                put_left_out_counter(text, before, counter->entry->name, &reason);
                prfdata_quoted_text_free(&reason);
            }
        }
    }
}

uint32_t prfdata_emit(prfdata_emit_put *put, const prfdata_map *const *maps, size_t count,
                      const char *program, prfdata_quoted_text *text, prfdata_quoted_text *notes)
{
    prfdata_model **models = calloc(count + 1, sizeof(prfdata_model *));
    uint32_t status = models ? ERROR_SUCCESS : ERROR_NOT_ENOUGH_MEMORY;

    memset(text, 0, sizeof *text);
    if (notes)
        memset(notes, 0, sizeof *notes);
    for (size_t i = 0; i < count && status == ERROR_SUCCESS; i++)
        status = prfdata_model_make(maps[i], &models[i]);
    if (status == ERROR_SUCCESS) {
        put(text, (const prfdata_model *const *)models, count, program);
        if (notes)
            prfdata_emit_put_left_out(notes, (const prfdata_model *const *)models, count, "",
                                      obstacle_of(put));
        if (text->has_failed || (notes && notes->has_failed))
            status = ERROR_NOT_ENOUGH_MEMORY;
    }
    for (size_t i = 0; models && i < count; i++)
        prfdata_model_free(models[i]);
    free(models);
    return status;
}
