/* SPDX-License-Identifier: MIT */
/*
 * For helpers that also run in child processes, where nobody listens to cmocka: what must be so, or
 * the program ends with exit code 3 and says where.
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
