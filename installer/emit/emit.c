/* SPDX-License-Identifier: MIT */
/* Holds the table of configurations, and makes the models that they are written from. Portable. */
#include "emit/emit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "names/ascii.h"

/* The searched part of a file; room for the end of an origin. */
enum { HEAD_BYTES = 512, END_BYTES = 64 };

static const struct {
    const char *name;
    prfdata_emit_put *put;
} kinds[] = {
#define ROW(name, function, help) {#name, function},
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

uint32_t prfdata_emit(prfdata_emit_put *put, const prfdata_map *const *maps, size_t count,
                      const char *program, prfdata_quoted_text *text)
{
    prfdata_model **models = calloc(count + 1, sizeof(prfdata_model *));
    uint32_t status = models ? ERROR_SUCCESS : ERROR_NOT_ENOUGH_MEMORY;

    memset(text, 0, sizeof *text);
    for (size_t i = 0; i < count && status == ERROR_SUCCESS; i++)
        status = prfdata_model_make(maps[i], &models[i]);
    if (status == ERROR_SUCCESS) {
        put(text, (const prfdata_model *const *)models, count, program);
        if (text->has_failed)
            status = ERROR_NOT_ENOUGH_MEMORY;
    }
    for (size_t i = 0; models && i < count; i++)
        prfdata_model_free(models[i]);
    free(models);
    return status;
}

const char *prfdata_emit_next_note(const char *from, size_t *bytes)
{
    static const char *const marks[] = {"# ", "// "};
    static const char beginning[] = "Left out, because ";

    for (const char *line = from; *line != 0; line += strcspn(line, "\n"), line += *line != 0) {
        for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
            const size_t mark_bytes = strlen(marks[i]);

            if (strncmp(line, marks[i], mark_bytes) == 0 &&
                strncmp(line + mark_bytes, beginning, sizeof beginning - 1) == 0) {
                *bytes = strcspn(line + mark_bytes, "\n");
                return line + mark_bytes;
            }
        }
    }
    return NULL;
}
