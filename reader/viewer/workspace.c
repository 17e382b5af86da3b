/* SPDX-License-Identifier: MIT */
/* Reads and writes the lines "name = value" of a workspace. */
#include "viewer/workspace.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#define MOST_NAME_CHARS 64 /* longer than every name that the program writes */

/* Remove the quotes that protect blanks at the ends of a value. */
static prfdata_text unquoted_value(prfdata_text value)
{
    value = prfdata_text_trimmed(value);
    if (value.count >= 2 && value.chars[0] == '"' && value.chars[value.count - 1] == '"')
        return prfdata_text_part(value, 1, value.count - 1);
    return value;
}

static bool split_line(prfdata_text line, prfdata_text *name, prfdata_text *value)
{
    for (size_t i = 0; i < line.count; i++) {
        if (line.chars[i] != '=')
            continue;
        *name = prfdata_text_trimmed(prfdata_text_part(line, 0, i));
        *value = unquoted_value(prfdata_text_part(line, i + 1, line.count));
        return true;
    }
    return false;
}

/* Returns whether a text may be a name. All names that the program writes consist of letters and
 * hyphens. */
static bool is_workspace_name(prfdata_text name)
{
    for (size_t i = 0; i < name.count; i++) {
        const uint16_t letter = name.chars[i] | ('a' - 'A');

        if (name.chars[i] != '-' && (letter < 'a' || letter > 'z'))
            return false;
    }
    return name.count > 0;
}

/* Compare by name, ignoring case; lines of one name stay in their order. */
static int compare_settings(const void *left, const void *right)
{
    const prfdata_workspace_setting *a = left;
    const prfdata_workspace_setting *b = right;
    const int order = prfdata_text_compare(a->name, b->name);

    return order != 0 ? order : (a->line > b->line) - (a->line < b->line);
}

/* Split all lines, and sort them by name. */
static uint32_t split_lines(prfdata_workspace *workspace)
{
    const prfdata_lines *lines = &workspace->lines;

    if (lines->count == 0)
        return ERROR_INVALID_DATA;
    workspace->settings = malloc(lines->count * sizeof *workspace->settings);
    if (!workspace->settings)
        return ERROR_NOT_ENOUGH_MEMORY;
    for (size_t i = 0; i < lines->count; i++) {
        prfdata_workspace_setting *setting = &workspace->settings[i];

        setting->line = i;
        if (!split_line(lines->items[i].text, &setting->name, &setting->value) ||
            !is_workspace_name(setting->name))
            return ERROR_INVALID_DATA;
    }
    qsort(workspace->settings, lines->count, sizeof *workspace->settings, compare_settings);
    return ERROR_SUCCESS;
}

static void forget_lines(prfdata_workspace *workspace)
{
    free(workspace->settings);
    workspace->settings = NULL;
    prfdata_lines_free(&workspace->lines);
}

uint32_t prfdata_workspace_read(prfdata_workspace *workspace, const void *bytes, size_t size)
{
    prfdata_lines_error error;
    uint32_t status;

    if (size > PRFDATA_LINES_MAX_BYTES)
        return ERROR_INVALID_DATA;
    status = prfdata_lines_make(bytes, size, &workspace->lines, &error);
    if (status != ERROR_SUCCESS)
        return status;
    status = split_lines(workspace);
    if (status != ERROR_SUCCESS)
        forget_lines(workspace);
    return status;
}

void prfdata_workspace_free(prfdata_workspace *workspace)
{
    forget_lines(workspace);
    prfdata_output_free(&workspace->text);
    memset(workspace, 0, sizeof *workspace);
}

bool prfdata_workspace_get(const prfdata_workspace *workspace, const char *name, size_t at,
                           prfdata_text *value)
{
    uint16_t chars[MOST_NAME_CHARS];
    const prfdata_text wanted = {
        chars, prfdata_text_from_utf8(name, strlen(name), chars, MOST_NAME_CHARS)};
    size_t low = 0;
    size_t high = workspace->lines.count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (prfdata_text_compare(workspace->settings[middle].name, wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (at >= workspace->lines.count - low ||
        prfdata_text_compare(workspace->settings[low + at].name, wanted) != 0)
        return false;
    *value = workspace->settings[low + at].value;
    return true;
}

int32_t prfdata_workspace_number(const prfdata_workspace *workspace, const char *name,
                                 int32_t other)
{
    prfdata_text value;
    uint32_t number;
    bool is_negative;

    if (!prfdata_workspace_get(workspace, name, 0, &value) || value.count == 0)
        return other;
    is_negative = value.chars[0] == '-';
    if (is_negative)
        value = prfdata_text_part(value, 1, value.count);
    if (!prfdata_text_number(value, &number) || number > INT32_MAX)
        return other;
    return is_negative ? -(int32_t)number : (int32_t)number;
}

bool prfdata_workspace_take_number(prfdata_text *value, uint32_t *number)
{
    size_t end = 0;

    while (end < value->count && value->chars[end] != ' ')
        end++;
    if (!prfdata_text_number(prfdata_text_part(*value, 0, end), number))
        return false;
    *value = unquoted_value(prfdata_text_part(*value, end, value->count));
    return true;
}

void prfdata_workspace_put(prfdata_workspace *workspace, const char *name, prfdata_text value)
{
    prfdata_workspace_put_prefixed(workspace, name, "", value);
}

void prfdata_workspace_put_prefixed(prfdata_workspace *workspace, const char *name,
                                    const char *prefix, prfdata_text value)
{
    prfdata_output *text = &workspace->text;
    const char *quote = unquoted_value(value).count < value.count ? "\"" : "";
    size_t begin = 0;

    prfdata_output_format(text, "%s = %s%s", name, prefix, quote);
    for (size_t i = 0; i <= value.count; i++) {
        const bool is_control = i < value.count && value.chars[i] < ' ';

        if (i < value.count && !is_control)
            continue;
        prfdata_output_put_text(text, prfdata_text_part(value, begin, i));
        if (is_control)
            prfdata_output_put_string(text, " ");
        begin = i + 1;
    }
    prfdata_output_put_string(text, quote);
    prfdata_output_put_string(text, "\r\n");
}

void prfdata_workspace_put_number(prfdata_workspace *workspace, const char *name, int32_t number)
{
    prfdata_output_format(&workspace->text, "%s = %d\r\n", name, (int)number);
}
