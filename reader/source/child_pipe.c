/* SPDX-License-Identifier: MIT */
/* Implements child_pipe.h: writes into the pipes. */
#include "source/child_pipe.h"

#define PART_BYTES (1u << 20)

DWORD prfdata_child_pipe_part(size_t size)
{
    return size < PART_BYTES ? (DWORD)size : PART_BYTES;
}

bool prfdata_child_pipe_write(HANDLE pipe, const void *bytes, size_t size)
{
    const char *at = bytes;

    while (size > 0) {
        DWORD written = 0;

        if (!WriteFile(pipe, at, prfdata_child_pipe_part(size), &written, NULL) || written == 0)
            return false;
        at += written;
        size -= written;
    }
    return true;
}
