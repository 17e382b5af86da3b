/* SPDX-License-Identifier: MIT */
/* Masks local times, which depend on the place and the time of a test. */
#ifndef PRFDATA_TESTS_MASK_TIMES_H
#define PRFDATA_TESTS_MASK_TIMES_H

#include <string.h>

/* Replace each "MM/DD/YYYY HH:MM:SS.mmm" by "TIME". */
static inline void mask_times(char *text)
{
    static const char pattern[] = "\"00/00/0000 00:00:00.000\"";

    for (; *text; text++) {
        size_t i = 0;

        while (pattern[i] &&
               (pattern[i] == '0' ? text[i] >= '0' && text[i] <= '9' : text[i] == pattern[i]))
            i++;
        if (pattern[i])
            continue;
        memcpy(text, "\"TIME\"", 6);
        memmove(text + 6, text + i, strlen(text + i) + 1);
    }
}

#endif
