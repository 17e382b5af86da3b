/* SPDX-License-Identifier: MIT */
/*
 * Checks conditions in helpers that also run in child processes, where cmocka cannot report a
 * failure. If the condition is false, the program prints the place of the check and ends with exit
 * code 3.
 */
#ifndef PRFDATA_TESTS_MUST_H
#define PRFDATA_TESTS_MUST_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define MUST(condition) prfdata_must((condition), #condition, __FILE__, __LINE__)

static inline void prfdata_must(bool condition, const char *text, const char *file, int line)
{
    if (condition)
        return;
    fprintf(stderr, "%s:%d: %s\n", file, line, text);
    fflush(NULL);
    _Exit(3); /* abort() would call a debugger */
}

#endif
