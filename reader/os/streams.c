/* SPDX-License-Identifier: MIT */
/* Writes lines that are safe to show on a terminal, whatever names they contain. */
#include "os/streams.h"

#include <string.h>

#include <prfdata/error.h>

#include "base/bytes.h"
#include "text/terminal_line.h"

static uint32_t out_failure;

uint32_t prfdata_streams_out_failure(void)
{
    return out_failure;
}

/*
 * Return the next part of `lines` to write. On Windows this is the whole text. On other systems the
 * part ends before the next CR LF, and this CR is left out.
 *
 * at  Where the part begins; set to the beginning of the next part.
 */
static prfdata_bytes next_part(const prfdata_output *lines, size_t *at)
{
    const unsigned char *const bytes = (const unsigned char *)lines->bytes;
    const size_t begin = *at;
#ifndef _WIN32
    const unsigned char *found = memchr(bytes + begin, '\r', lines->used - begin);

    for (; found; found = memchr(bytes + *at, '\r', lines->used - *at)) {
        *at = (size_t)(found - bytes) + 1;
        if (*at == lines->used)
            break;
        if (bytes[*at] == '\n')
            return (prfdata_bytes){bytes + begin, *at - 1 - begin};
    }
#endif
    *at = lines->used;
    return (prfdata_bytes){bytes + begin, lines->used - begin};
}

void prfdata_streams_put_lines(prfdata_output *output, const prfdata_output *lines)
{
    size_t at = 0;

    while (at < lines->used) {
        const prfdata_bytes part = next_part(lines, &at);

        prfdata_output_put(output, part.at, part.size);
    }
    output->failed = output->failed || lines->failed;
}

static uint32_t write_and_clear(prfdata_stream stream, prfdata_output *shown)
{
    uint32_t status = ERROR_NOT_ENOUGH_MEMORY;

    if (!shown->failed)
        status = prfdata_streams_write(stream, shown->bytes, shown->used);
    prfdata_output_clear(shown);
    return status;
}

/* Write the parts of lines. Short parts are first copied to `shown`, so that one call writes many
 * of them. */
static uint32_t write_parts(prfdata_stream stream, const prfdata_output *lines,
                            prfdata_output *shown)
{
    uint32_t status = ERROR_SUCCESS;
    size_t at = 0;

    while (at < lines->used && status == ERROR_SUCCESS) {
        const prfdata_bytes part = next_part(lines, &at);
        const bool is_long = part.size >= PRFDATA_OUTPUT_PIECE_BYTES;

        if (is_long || shown->used >= PRFDATA_OUTPUT_PIECE_BYTES)
            status = write_and_clear(stream, shown);
        if (!is_long)
            prfdata_output_put(shown, part.at, part.size);
        else if (status == ERROR_SUCCESS)
            status = prfdata_streams_write(stream, part.at, part.size);
    }
    return status;
}

static uint32_t write_safe_lines(prfdata_stream stream, const prfdata_output *lines)
{
    prfdata_output shown = {0};
    uint32_t status = ERROR_SUCCESS;

    if (lines->failed)
        return ERROR_NOT_ENOUGH_MEMORY;
    if (prfdata_streams_is_terminal(stream))
        prfdata_terminal_line_put_lines(&shown, lines->bytes, lines->used);
    else
        status = write_parts(stream, lines, &shown);
    if (status == ERROR_SUCCESS)
        status = write_and_clear(stream, &shown);
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
