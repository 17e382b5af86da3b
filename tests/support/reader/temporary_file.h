/* SPDX-License-Identifier: MIT */
/* Names files of a test in the system's temporary folder. */
#ifndef PRFDATA_TESTS_TEMPORARY_FILE_H
#define PRFDATA_TESTS_TEMPORARY_FILE_H

#include <stdio.h>
#include <stdlib.h>

#include "support/reader/ascii_text.h"
#include "support/test.h"
#include "system/os.h"

typedef struct temporary_file {
    char ascii[300];     /* the path */
    uint16_t chars[300]; /* the path in UTF-16 */
    prfdata_text text;
} temporary_file;

/* Make a path that no other test has. `file` must not move in memory, because `text` points into
 * it. */
static inline void temporary_file_name(temporary_file *file, const char *name)
{
    const char *folder = getenv("TEMP");

    snprintf(file->ascii, sizeof file->ascii, "%s/prfread-test-%u-%s", folder ? folder : "/tmp",
             (unsigned)prfdata_os_process_id(), name);
    file->text = ascii_text(file->ascii, file->chars);
}

static inline void temporary_file_write(const temporary_file *file, const void *bytes, size_t size)
{
    FILE *stream = fopen(file->ascii, "wb");

    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, size, stream), size);
    assert_int_equal(fclose(stream), 0);
}

#endif
