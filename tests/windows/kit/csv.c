/* SPDX-License-Identifier: MIT */
/* Reads the output of typeperf and prfread (csv.h). The functions need not know which of the two
 * programs wrote it. */
#include "csv.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns the end of the quoted field at `at`, after its closing quote, or NULL if it has none. */
static const char *end_of_field(const char *at)
{
    if (*at != '"')
        return NULL;
    for (at++; *at && *at != '\n'; at++) {
        if (*at != '"')
            continue;
        if (at[1] != '"')
            return at + 1;
        at++;
    }
    return NULL;
}

static bool copy_field(const char *at, const char *end, char *field, size_t capacity)
{
    size_t used = 0;

    for (at++; at < end - 1; at++) {
        if (used + 1 >= capacity)
            return false;
        if (*at == '"')
            at++;
        field[used++] = *at;
    }
    field[used] = 0;
    return true;
}

bool kit_csv_field(const char *line, size_t index, char *field, size_t capacity)
{
    for (;;) {
        const char *end = end_of_field(line);

        if (!end)
            return false;
        if (index == 0)
            return copy_field(line, end, field, capacity);
        if (*end != ',' && *end != ';')
            return false;
        line = end + 1;
        index--;
    }
}

bool kit_csv_value(const char *field, double *value)
{
    char digits[64], *end;
    size_t length = strlen(field);

    if (length == 0 || length >= sizeof digits || !strchr("-0123456789", field[0]))
        return false;
    memcpy(digits, field, length + 1);
    for (char *at = digits; *at; at++) {
        if (*at == ',')
            *at = '.';
    }
    *value = strtod(digits, &end);
    return *end == 0 && end != digits;
}

/* Returns the part of \\COMPUTER\Object\Counter after the name of the computer. */
static const char *without_computer(const char *path)
{
    const char *rest;

    if (strncmp(path, "\\\\", 2) != 0)
        return path;
    rest = strchr(path + 2, '\\');
    return rest ? rest : path;
}

static bool is_same_path(const char *one, const char *other)
{
    one = without_computer(one);
    other = without_computer(other);
    while (*one && tolower((unsigned char)*one) == tolower((unsigned char)*other)) {
        one++;
        other++;
    }
    return *one == 0 && *other == 0;
}

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');

    return end ? end + 1 : NULL;
}

/* Returns the column of the path in a line of paths. Returns 0 if the line has other contents or
 * lacks the path. */
static size_t column_of(const char *line, const char *path)
{
    char field[2048];

    for (size_t i = 1; kit_csv_field(line, i, field, sizeof field); i++) {
        if (is_same_path(field, path))
            return i;
    }
    return 0;
}

bool kit_csv_last(const char *text, const char *path, double *value)
{
    bool is_found = false;
    size_t column = 0;
    char field[64];

    for (const char *line = text; line; line = next_line(line)) {
        if (column == 0)
            column = column_of(line, path);
        else if (kit_csv_field(line, column, field, sizeof field))
            is_found = kit_csv_value(field, value);
    }
    return is_found;
}

/* Returns the line of paths, each of which begins with the name of a computer. */
static const char *path_line(const char *text)
{
    char field[2048];

    for (const char *line = text; line; line = next_line(line)) {
        if (kit_csv_field(line, 1, field, sizeof field) && strncmp(field, "\\\\", 2) == 0)
            return line;
    }
    return NULL;
}

size_t kit_csv_columns(const char *text)
{
    const char *line = path_line(text);
    size_t columns = 0;
    char field[2048];

    while (line && kit_csv_field(line, columns + 1, field, sizeof field))
        columns++;
    return columns;
}

bool kit_csv_last_at(const char *text, size_t column, double *value)
{
    const char *line = path_line(text);
    bool is_found = false;
    char field[64];

    while (line && (line = next_line(line)) != NULL) {
        if (kit_csv_field(line, column, field, sizeof field))
            is_found = kit_csv_value(field, value);
    }
    return is_found;
}

bool kit_values_agree(double one, double other, double part)
{
    double larger = fabs(one) > fabs(other) ? fabs(one) : fabs(other);

    return fabs(one - other) <= part * larger;
}
