/* SPDX-License-Identifier: MIT */
#include "support/page.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/golden.h"
#include "support/test.h"

void page_add(page_text *text, const char *format, ...)
{
    va_list arguments;
    int more;

    va_start(arguments, format);
    more = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    assert_true(more >= 0);
    if (text->bytes + (size_t)more >= text->capacity) {
        text->capacity = 2 * (text->bytes + (size_t)more) + 1024;
        text->text = realloc(text->text, text->capacity);
        assert_non_null(text->text);
    }
    va_start(arguments, format);
    vsnprintf(text->text + text->bytes, text->capacity - text->bytes, format, arguments);
    va_end(arguments);
    text->bytes += (size_t)more;
}

void page_free(page_text *text)
{
    free(text->text);
    *text = (page_text){0};
}

/* Cut off the first line and let `line` point to it. Returns the text after the line, or NULL if
 * there is no line. */
static char *cut_line(char *text, char **line)
{
    char *end;

    if (!text || *text == 0)
        return NULL;
    *line = text;
    end = strchr(text, '\n');
    if (!end)
        return text + strlen(text);
    *end = 0;
    return end + 1;
}

void page_expect_rows(const char *path, const char *prefix, const page_text *rows)
{
    char *page = golden_text(path);
    char *expected = malloc(rows->bytes + 1);
    char *next_row = expected;
    char *row = NULL;
    char *line = NULL;

    assert_non_null(expected);
    memcpy(expected, rows->text, rows->bytes + 1);
    for (char *next = cut_line(page, &line); next; next = cut_line(next, &line)) {
        if (strncmp(line, prefix, strlen(prefix)) != 0)
            continue;
        next_row = cut_line(next_row, &row);
        if (!next_row || strcmp(line, row) != 0) {
            fputs(rows->text, stdout);
            fail_msg("%s has the line\n%s\ninstead of\n%s\nAll lines are above.", path, line,
                     next_row ? row : "nothing");
        }
    }
    if (cut_line(next_row, &row)) {
        fputs(rows->text, stdout);
        fail_msg("%s lacks the line\n%s\nAll lines are above.", path, row);
    }
    free(expected);
    free(page);
}

void page_expect_file(const char *path, const page_text *text)
{
    char *found = golden_text(path);

    if (strcmp(found, text->text) != 0) {
        fputs(text->text, stdout);
        fail_msg("%s is not what is printed above", path);
    }
    free(found);
}
