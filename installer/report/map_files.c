/* SPDX-License-Identifier: MIT */
/* Reads map files and reports the lines that have mistakes. shared/mapfile finds the mistakes. */
#include "report/map_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names/ascii.h"
#include "names/names.h"

enum { PATH_BYTES = 1024 };

typedef struct map_file_lines {
    char path[PATH_BYTES];
    prfdata_check_line *line;
    void *context;
    bool has_mistake; /* a line about the file was printed */
} map_file_lines;

static void print_file_line(map_file_lines *lines, uint32_t number, const char *text)
{
    char line[PRFDATA_CHECK_LINE_BYTES];

    if (number > 0)
        (void)snprintf(line, sizeof line, "%s:%u: %s", lines->path, (unsigned)number, text);
    else
        (void)snprintf(line, sizeof line, "%s: %s", lines->path, text);
    lines->has_mistake = true;
    lines->line(lines->context, true, line);
}

static void print_file_mistake(void *context, uint32_t number, const char *text)
{
    print_file_line(context, number, text);
}

static void print_unreadable_file(map_file_lines *lines, uint32_t status)
{
    char text[128];

    switch (status) {
    case ERROR_INVALID_DATA:
        if (lines->has_mistake)
            return;
        (void)snprintf(text, sizeof text, "This is a device, not a file.");
        break;
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
        (void)snprintf(text, sizeof text, "There is no such file.");
        break;
    case ERROR_FILE_TOO_LARGE:
        (void)snprintf(text, sizeof text, "The file has more than %u KiB, so it is not a map file.",
                       PRFDATA_MAX_MAP_FILE_BYTES / 1024);
        break;
    default:
        (void)snprintf(text, sizeof text, "The file cannot be read (error %u).", (unsigned)status);
    }
    print_file_line(lines, 0, text);
}

static void name_map_file(map_file_lines *lines, const wchar_t *path)
{
    const size_t size = prfdata_names_utf8_from_wide(path, lines->path, sizeof lines->path - 1);

    if (size >= sizeof lines->path) /* the path is too long, or not valid text */
        (void)snprintf(lines->path, sizeof lines->path, "map file");
    else
        lines->path[size] = 0;
    lines->has_mistake = false;
}

static bool is_first_of_service(map_file_lines *lines, const prfdata_map *const *maps, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (maps[i] && prfdata_ascii_equal(maps[i]->service, maps[index]->service)) {
            print_file_line(
                lines, 0,
                "An earlier map file has the same service, and a service has only one map.");
            return false;
        }
    }
    return true;
}

uint32_t prfdata_map_files_read(const wchar_t *const *paths, size_t count, prfdata_map **maps,
                                prfdata_check_line *line, void *context)
{
    /* + 1, because calloc(0, ...) may return NULL */
    prfdata_map **made = calloc(count + 1, sizeof *made);
    map_file_lines lines = {"", line, context, false};
    uint32_t status = ERROR_SUCCESS;

    if (!made) {
        if (count > 0)
            name_map_file(&lines, paths[0]);
        print_unreadable_file(&lines, ERROR_NOT_ENOUGH_MEMORY);
        return ERROR_NOT_ENOUGH_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t one;

        name_map_file(&lines, paths[i]);
        one = prfdata_map_file_read(paths[i], print_file_mistake, &lines, &made[i]);
        if (one)
            print_unreadable_file(&lines, one);
        else if (!is_first_of_service(&lines, (const prfdata_map *const *)made, i))
            one = ERROR_INVALID_DATA;
        if (!status)
            status = one;
    }
    if (status)
        prfdata_map_files_free(made, count);
    else
        memcpy(maps, made, count * sizeof *maps);
    free(made);
    return status;
}

void prfdata_map_files_free(prfdata_map **maps, size_t count)
{
    for (size_t i = 0; i < count; i++)
        prfdata_map_file_free(maps[i]);
}
