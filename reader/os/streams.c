/* SPDX-License-Identifier: MIT */
/* Lines that are safe to show on a terminal, whatever names they contain. */
#include "os/streams.h"

#include <prfdata/error.h>

#include "text/terminal_line.h"

static uint32_t out_failure;

uint32_t prfdata_streams_out_failure(void)
{
    return out_failure;
}

static uint32_t write_safe_lines(prfdata_stream stream, const prfdata_output *lines)
{
    prfdata_output shown;
    uint32_t status = ERROR_NOT_ENOUGH_MEMORY;

    if (lines->failed)
        return status;
    if (!prfdata_streams_is_terminal(stream))
        return prfdata_streams_write(stream, lines->bytes, lines->used);
    prfdata_output_init(&shown);
    prfdata_terminal_line_put_lines(&shown, lines->bytes, lines->used);
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
