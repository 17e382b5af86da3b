/* SPDX-License-Identifier: MIT */
/*
 * Writes a map as a map file or as C, with shared/mapfile. The map file and the compiled C give the
 * same map again. Portable.
 */
#include <stdlib.h>

#include <prfdata/map_file.h>

#include "emit/emit.h"

static void put_map_in_form(prfdata_quoted_text *text, const prfdata_map *map,
                            prfdata_map_file_form form)
{
    const size_t size = prfdata_map_file_write(map, form, NULL, 0);
    char *written = malloc(size + 1);

    if (!written) {
        text->has_failed = true;
        return;
    }
    prfdata_map_file_write(map, form, written, size + 1);
    prfdata_quoted_text_put_bytes(text, written, size);
    free(written);
}

void prfdata_emit_map_file(prfdata_quoted_text *text, const prfdata_model *const *models,
                           size_t count, const char *program)
{
    prfdata_emit_put_origin(text, "; ", program, "MapFile", "\n");
    for (size_t i = 0; i < count; i++)
        put_map_in_form(text, models[i]->map, PRFDATA_MAP_FILE_TEXT);
}

void prfdata_emit_c(prfdata_quoted_text *text, const prfdata_model *const *models, size_t count,
                    const char *program)
{
    prfdata_emit_put_origin(text, "/* ", program, "C", " */\n");
    for (size_t i = 0; i < count; i++)
        put_map_in_form(text, models[i]->map, PRFDATA_MAP_FILE_C);
}
