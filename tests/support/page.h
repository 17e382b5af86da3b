/* SPDX-License-Identifier: MIT */
/*
 * Compares tables in pages, and generated files, with the lines that a test makes from the code.
 * The test fails if somebody changes the code, for example adds an event or a limit, and forgets
 * the page.
 */
#ifndef PRFDATA_TESTS_PAGE_H
#define PRFDATA_TESTS_PAGE_H

#include <stddef.h>

/* A growing text; {0} is empty. */
typedef struct page_text {
    char *text;
    size_t bytes; /* without the NUL */
    size_t capacity;
} page_text;

/* Append text, like printf. */
void page_add(page_text *text, const char *format, ...);

void page_free(page_text *text);

/* Fail unless the page has each line of `rows`, in this order, and no other line that begins with
 * `prefix`. If it fails, it prints all rows, so that a person can copy them to the page.
 *
 * path  Relative to the root of the source tree. */
void page_expect_rows(const char *path, const char *prefix, const page_text *rows);

/* Fail unless the file has exactly this text. If it fails, it prints the text. */
void page_expect_file(const char *path, const page_text *text);

#endif
