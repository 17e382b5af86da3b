/* SPDX-License-Identifier: MIT */
/*
 * Reads the two files of a conversion: an .ini file, and the symbol file that it names. Both must
 * be in one folder.
 */
#include "convert/convert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convert/ini_file.h"
#include "convert/legacy_text.h"
#include "mapfile/read_file.h"
#include "names/names.h"

enum { NAME_BYTES = 512 };

typedef struct converted_file {
    char name[NAME_BYTES]; /* without its folder */
    void *bytes;
    size_t size;
} converted_file;

static bool is_separator(wchar_t c)
{
    return c == L'/' || c == L'\\' || c == L':';
}

/* Return the index in a path at which the file name begins. */
static size_t name_at(const wchar_t *path)
{
    size_t at = 0;

    for (size_t i = 0; path[i]; i++)
        if (is_separator(path[i]))
            at = i + 1;
    return at;
}

static void show_name(const wchar_t *path, char *name, const char *otherwise)
{
    const wchar_t *last = path + name_at(path);
    const size_t size = prfdata_names_utf8_from_wide(last, name, NAME_BYTES - 1);

    if (size == SIZE_MAX || size >= NAME_BYTES)
        (void)snprintf(name, NAME_BYTES, "%s", otherwise);
    else
        name[size] = 0;
}

static void ignore_note(void *context, uint32_t line, const char *text)
{
    (void)context;
    (void)line;
    (void)text;
}

typedef enum symbol_place {
    SYMBOL_FILE_NONE,
    SYMBOL_FILE_BESIDE,
    SYMBOL_FILE_ELSEWHERE
} symbol_place;

/*
 * Returns whether the name has no folder, drive or stream. Other names are refused, because a
 * stranger's .ini must not make this program open a file in another folder.
 */
static bool is_plain_name(prfdata_map_text name)
{
    for (size_t i = 0; i < name.size; i++)
        if (is_separator((wchar_t)(unsigned char)name.at[i]))
            return false;
    return true;
}

/*
 * Find the symbol file that the .ini names. If `place` becomes SYMBOL_FILE_BESIDE, `path` gets
 * memory that the caller frees.
 */
static uint32_t symbol_path(const converted_file *ini, const wchar_t *ini_path, symbol_place *place,
                            wchar_t **path)
{
    const size_t folder_chars = name_at(ini_path);
    prfdata_legacy_text text;
    prfdata_ini_file file = {0};
    uint32_t status = prfdata_legacy_text_decode(ini->bytes, ini->size, &text);

    *place = SYMBOL_FILE_NONE;
    if (status)
        return status;
    status = prfdata_ini_file_read(text.text, &file, ignore_note, NULL);
    if (!status && file.symbol_file.size > 0)
        *place = is_plain_name(file.symbol_file) ? SYMBOL_FILE_BESIDE : SYMBOL_FILE_ELSEWHERE;
    if (*place == SYMBOL_FILE_BESIDE) {
        *path = malloc((folder_chars + file.symbol_file.size + 1) * sizeof **path);
        status = *path ? ERROR_SUCCESS : ERROR_NOT_ENOUGH_MEMORY;
    }
    if (*place == SYMBOL_FILE_BESIDE && !status) {
        wmemcpy(*path, ini_path, folder_chars);
        (void)prfdata_names_wide_from_utf8(file.symbol_file.at, file.symbol_file.size,
                                           *path + folder_chars);
    }
    prfdata_ini_file_free(&file);
    prfdata_legacy_text_free(&text);
    return status;
}

static void say_of_file(prfdata_check_line *line, void *context, const char *name, const char *what)
{
    char text[PRFDATA_CHECK_LINE_BYTES];

    (void)snprintf(text, sizeof text, "%s: %s", name, what);
    line(context, true, text);
}

typedef uint32_t file_reader(const wchar_t *path, size_t most, void **bytes, size_t *size);

static uint32_t read_converted(const wchar_t *path, file_reader *read, converted_file *file,
                               prfdata_check_line *line, void *context)
{
    const uint32_t status = read(path, PRFDATA_MAX_CONVERTED_BYTES, &file->bytes, &file->size);
    char text[64];

    if (status == ERROR_FILE_NOT_FOUND || status == ERROR_PATH_NOT_FOUND) {
        say_of_file(line, context, file->name, "There is no such file.");
    } else if (status == ERROR_FILE_TOO_LARGE) {
        say_of_file(line, context, file->name, "The file has more than 1 MiB.");
    } else if (status == ERROR_INVALID_DATA) {
        say_of_file(line, context, file->name, "This is no plain file, so it is not opened.");
    } else if (status) {
        (void)snprintf(text, sizeof text, "The file cannot be read (error %u).", (unsigned)status);
        say_of_file(line, context, file->name, text);
    }
    return status;
}

static uint32_t read_symbol_file(const wchar_t *ini_path, const converted_file *ini,
                                 converted_file *header, prfdata_check_line *line, void *context)
{
    wchar_t *path = NULL;
    symbol_place place;
    uint32_t status = symbol_path(ini, ini_path, &place, &path);

    if (status == ERROR_INVALID_DATA)
        say_of_file(line, context, ini->name, PRFDATA_CONVERT_NO_TEXT);
    if (status)
        return status;
    if (place == SYMBOL_FILE_ELSEWHERE) {
        say_of_file(line, context, ini->name,
                    "symbolfile= names a file in another folder, which is not opened. Put the "
                    "header next to the .ini, and write only its name.");
        return ERROR_INVALID_DATA;
    }
    if (place == SYMBOL_FILE_NONE) {
        say_of_file(line, context, ini->name,
                    "It lacks symbolfile= in the section [info], so it is not a file for lodctr.");
        return ERROR_INVALID_DATA;
    }
    show_name(path, header->name, "symbol file");
    status = read_converted(path, prfdata_read_plain_file, header, line, context);
    if (status == ERROR_FILE_NOT_FOUND || status == ERROR_PATH_NOT_FOUND)
        say_of_file(
            line, context, ini->name,
            "The header that symbolfile= names contains the offsets: put it next to the .ini.");
    free(path);
    return status;
}

uint32_t prfdata_convert_file(const wchar_t *path, const char *program, const wchar_t *map_name,
                              prfdata_check_line *line, void *context, prfdata_quoted_text *text)
{
    converted_file ini = {0}, header = {0};
    char map[NAME_BYTES] = "map file";
    uint32_t status;

    show_name(path, ini.name, "ini file");
    if (map_name)
        show_name(map_name, map, "map file");
    status = read_converted(path, prfdata_read_file, &ini, line, context);
    if (!status)
        status = read_symbol_file(path, &ini, &header, line, context);
    if (!status) {
        const prfdata_convert_source source = {program,     ini.name,     ini.bytes,   ini.size,
                                               header.name, header.bytes, header.size, map};

        status = prfdata_convert(&source, line, context, text);
    }
    free(ini.bytes);
    free(header.bytes);
    return status;
}
