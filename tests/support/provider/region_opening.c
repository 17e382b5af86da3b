/* SPDX-License-Identifier: MIT */
#ifndef _WIN32
#define _GNU_SOURCE
#endif

#include "support/provider/region_opening.h"

int region_opening_error;

#ifndef _WIN32
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Call the system's function, or fail if the test asks for it. */
/* The parameters' names differ from those of the system's header, which are reserved. */
/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name) */
int openat64(int directory, const char *name, int flags, ...)
{
    va_list rest;
    int mode;

    va_start(rest, flags);
    mode = va_arg(rest, int);
    va_end(rest);
    if (region_opening_error && strstr(name, ".region")) {
        errno = region_opening_error;
        return -1;
    }
    return (int)syscall(SYS_openat, directory, name, flags, mode);
}
#endif
