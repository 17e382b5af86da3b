/* SPDX-License-Identifier: MIT */
/* Converts the errors and texts of POSIX, for all files that end in _posix.c. */
#define _POSIX_C_SOURCE 200809L
#include "os/posix.h"

#include <errno.h>
#include <poll.h>

#include <prfdata/error.h>

#include "system/os_posix.h"

uint32_t prfdata_posix_last_error(void)
{
    return prfdata_os_status_of_errno(errno);
}

bool prfdata_posix_may_try_again(int file, short events)
{
    struct pollfd waited = {.fd = file, .events = events};

    if (errno == EAGAIN || errno == EWOULDBLOCK)
        return poll(&waited, 1, -1) >= 0 || errno == EINTR;
    return errno == EINTR;
}

size_t prfdata_posix_put_ascii(const char *text, uint16_t *chars, size_t capacity)
{
    size_t count = 0;

    for (; count < capacity && text[count]; count++)
        chars[count] = (unsigned char)text[count];
    return count;
}
