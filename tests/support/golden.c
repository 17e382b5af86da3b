/* SPDX-License-Identifier: MIT */
#include "support/golden.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/test.h"

char *golden_text(const char *path)
{
    const char *folder = getenv("PRFDATA_SOURCE_DIR");
    char full[1024], *text = NULL;
    size_t used = 0, capacity = 0;
    int c;
    FILE *file;

    if (!folder)
        fail_msg("PRFDATA_SOURCE_DIR is not set: run the tests with ctest");
    snprintf(full, sizeof(full), "%s/%s", folder, path);
    file = fopen(full, "rb");
    if (!file)
        fail_msg("%s cannot be opened", full);
    while ((c = fgetc(file)) != EOF) {
        if (used + 1 >= capacity) {
            capacity = 2 * capacity + 1024;
            text = realloc(text, capacity);
            assert_non_null(text);
        }
        if (c != '\r')
            text[used++] = (char)c;
    }
    fclose(file);
    assert_non_null(text);
    text[used] = 0;
    return text;
}

void golden_expect(const char *actual, const char *path)
{
    char *expected = golden_text(path);

    assert_string_equal(actual, expected);
    free(expected);
}

static int digit_of(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *found = c != 0 ? strchr(digits, c) : NULL;

    return found ? (int)(found - digits) : -1;
}

size_t golden_read(const char *name, unsigned char *bytes, size_t capacity)
{
    char path[256], *text, *c;
    size_t count = 0;

    snprintf(path, sizeof(path), "tests/golden/%s", name);
    text = golden_text(path);
    for (c = text; *c != 0; c++) {
        if (*c == '#')
            c += strcspn(c, "\n");
        if (*c == 0)
            break;
        if (*c == ' ' || *c == '\n')
            continue;
        if (digit_of(c[0]) < 0 || digit_of(c[1]) < 0 || count == capacity)
            fail_msg("%s: no pair of hex digits, or too many, at \"%.20s\"", path, c);
        bytes[count++] = (unsigned char)(digit_of(c[0]) * 16 + digit_of(c[1]));
        c++;
    }
    free(text);
    return count;
}
