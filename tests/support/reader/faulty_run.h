/* SPDX-License-Identifier: MIT */
/* Runs prfcheck with copies of prfdata-faulty.dll (providers/faulty.c), and examines its output.
 * The name of a copy selects its fault. Windows only. A failure of the helper itself ends the
 * test. */
#ifndef PRFDATA_TESTS_FAULTY_RUN_H
#define PRFDATA_TESTS_FAULTY_RUN_H

#include "support/program_run.h"

/* Make a copy of the DLL with this fault, in a folder of this test program. */
void faulty_run_make_copy(const char *name, char path[MAX_PATH]);
void faulty_run_remove_copy(const char *name);

/* Make the command line for a copy: its exports, its titles, and `more`. */
void faulty_run_arguments(const char *path, const char *more, char arguments[1024]);

/*
 * Make a copy and start prfcheck with it. The caller finishes the run, frees it and removes the
 * copy.
 */
void faulty_run_start(program_run *run, const char *name, const char *more);

/* Returns whether a line of the output is about the rule: "error name, ..." or "error name:
 * ...". */
bool faulty_run_names_rule(const char *out, const char *rule);

/* Returns whether the output has a part such as "slowest 6001.234 ms" with at least `least_ms`. A
 * Sleep may be shorter by one tick of the clock. */
bool faulty_run_says_slowest(const char *out, unsigned long least_ms);

/* Returns whether the output has a part such as "it did not return in 6001 ms" with at least
 * FAULTY_HANGS_LEAST_MS. */
bool faulty_run_waited_long_enough(const char *out);

/* Make a copy, run prfcheck with it, and expect the exit code and these parts of the output. */
#define FAULTY_RUN_EXPECT(name, more, exit_code, ...)                                              \
    do {                                                                                           \
        char path_[MAX_PATH];                                                                      \
        char arguments_[1024];                                                                     \
                                                                                                   \
        faulty_run_make_copy(name, path_);                                                         \
        faulty_run_arguments(path_, more, arguments_);                                             \
        PROGRAM_RUN_EXPECT("prfcheck", arguments_, exit_code, __VA_ARGS__);                        \
        faulty_run_remove_copy(name);                                                              \
    } while (0)

#endif
