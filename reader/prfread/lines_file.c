/* SPDX-License-Identifier: MIT */
/* Reads the lines of a file; the callers interpret the lines. */
#include "prfread/lines_file.h"

#include <stdlib.h>

#include <prfdata/error.h>

#include "os/files.h"

uint32_t prfdata_lines_file_read(prfdata_text path, prfdata_messages *messages,
                                 prfdata_lines *lines)
{
    prfdata_lines_error error = {0, NULL};
    size_t size = 0;
    void *bytes = NULL;
    uint32_t status = prfdata_text_equal_ascii(path, "-")
                          ? prfdata_files_read_stream(prfdata_streams_in(), 0,
                                                      PRFDATA_LINES_MAX_BYTES, &bytes, &size)
                          : prfdata_files_read(path, PRFDATA_LINES_MAX_BYTES, &bytes, &size);

    if (status == ERROR_SUCCESS) {
        status = prfdata_lines_make(bytes, size, lines, &error);
        free(bytes);
    }
    if (status == ERROR_INVALID_DATA && error.reason)
        prfdata_messages_put_line(messages, path, error.line, prfdata_no_subject, error.reason);
    else if (status != ERROR_SUCCESS)
        prfdata_messages_add_system(messages, path, status, "cannot read the file");
    return status;
}
