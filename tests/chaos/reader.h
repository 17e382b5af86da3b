/* SPDX-License-Identifier: MIT */
/* Declares a process of the chaos test that reads all the time. */
#ifndef PRFDATA_TESTS_CHAOS_READER_H
#define PRFDATA_TESTS_CHAOS_READER_H

#include "chaos/log.h"

typedef struct chaos_reader_options {
    unsigned threads;
    uint64_t seed;
    uint64_t refresh_ms; /* the time between two refreshes; ignored by the DLL, which uses 1,000 */
    const char *dll;     /* Windows: the provider DLL; NULL: use the library */
} chaos_reader_options;

/* Collects from one provider in several threads until all writers have ended, and compares every
 * reply with the log. Prints faults and figures.
 *
 * Returns the exit code, which is 0 if there was no fault. */
int chaos_reader_run(chaos_log *log, const chaos_reader_options *options);

#endif
