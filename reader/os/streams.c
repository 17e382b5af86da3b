/* SPDX-License-Identifier: MIT */
/* Writes lines that are safe to show on a terminal, whatever names they contain. */
#include "os/streams.h"

#include <string.h>

#include <prfdata/error.h>

#include "text/terminal_line.h"

static uint32_t out_failure;

uint32_t prfdata_streams_out_failure(void)
{
    return out_failure;
}

void prfdata_streams_put_lines(prfdata_output *output, const prfdata_output *lines)
{
#ifdef _WIN32
    prfdata_output_put(output, lines->bytes, lines->used);
#else
    size_t begin = 0;
    size_t at = 0;

    while (at < lines->used) {
        const char *found = memchr(lines->bytes + at, '\r', lines->used - at);

        if (!found)
            break;
        at = (size_t)(found - lines->bytes) + 1;
        if (at == lines->used || lines->bytes[at] != '\n')
            continue;
        prfdata_output_put(output, lines->bytes + begin, at - 1 - begin);
        begin = at;
    }
    prfdata_output_put(output, lines->bytes + begin, lines->used - begin);
#endif
    output->failed = output->failed || lines->failed;
}

static uint32_t write_safe_lines(prfdata_stream stream, const prfdata_output *lines)
{
    prfdata_output shown;
    uint32_t status = ERROR_NOT_ENOUGH_MEMORY;

    if (lines->failed)
        return status;
    prfdata_output_init(&shown);
    if (prfdata_streams_is_terminal(stream))
        prfdata_terminal_line_put_lines(&shown, lines->bytes, lines->used);
    else
        prfdata_streams_put_lines(&shown, lines);
    if (!shown.failed)
        status = prfdata_streams_write(stream, shown.bytes, shown.used);
    prfdata_output_free(&shown);
    return status;
}

uint32_t prfdata_streams_write_lines(prfdata_stream stream, const prfdata_output *lines)
{
    const uint32_t status = write_safe_lines(stream, lines);

    if (out_failure == ERROR_SUCCESS && stream == prfdata_streams_out())
        out_failure = status;
    return status;
}
