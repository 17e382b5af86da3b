/* SPDX-License-Identifier: MIT */
/* Reads expected bytes and texts. A file with bytes, tests/golden/<name>, has pairs of hex digits;
 * in it, `#` begins a comment. */
#ifndef PRFDATA_TESTS_GOLDEN_H
#define PRFDATA_TESTS_GOLDEN_H

#include <stddef.h>

/* Read the bytes of tests/golden/<name>. Returns how many there are. The test fails if the file is
 * missing, invalid or too long. */
size_t golden_read(const char *name, unsigned char *bytes, size_t capacity);

/* Return the text of a file of the source tree without carriage returns. The caller frees it. */
char *golden_text(const char *path);

/* Fail unless the text is that of a file in the source tree. */
void golden_expect(const char *actual, const char *path);

#endif
