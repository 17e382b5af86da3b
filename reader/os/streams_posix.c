/* SPDX-License-Identifier: MIT */
/* Writes to descriptors, which take UTF-8. */
#define _POSIX_C_SOURCE 200809L
#include "os/streams.h"

#include <poll.h>
#include <unistd.h>

#include <prfdata/error.h>

#include "os/posix.h"

prfdata_stream prfdata_streams_in(void)
{
    return STDIN_FILENO;
}

prfdata_stream prfdata_streams_out(void)
{
    return STDOUT_FILENO;
}

prfdata_stream prfdata_streams_err(void)
{
    return STDERR_FILENO;
}

bool prfdata_streams_is_terminal(prfdata_stream stream)
{
    return isatty((int)stream) != 0;
}

uint32_t prfdata_streams_write(prfdata_stream stream, const void *bytes, size_t size)
{
    for (size_t at = 0; at < size;) {
        ssize_t written = write((int)stream, (const char *)bytes + at, size - at);

        if (written < 0 && prfdata_posix_may_try_again((int)stream, POLLOUT))
            continue;
        if (written <= 0)
            return prfdata_posix_last_error();
        at += (size_t)written;
    }
    return ERROR_SUCCESS;
}
