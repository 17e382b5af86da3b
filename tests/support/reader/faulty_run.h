/* SPDX-License-Identifier: MIT */
/*
 * prfcheck with copies of prfdata-faulty.dll (providers/faulty.c), each of which has the fault that
 * its name says, and what prfcheck prints about one. Windows only; a failure of the helper itself
 * ends the test.
 */
#ifndef PRFDATA_TESTS_FAULTY_RUN_H
#define PRFDATA_TESTS_FAULTY_RUN_H

#include "support/program_run.h"

/* Make a copy of the DLL that has this fault, in a folder of this test program. */
void faulty_run_make_copy(const char *name, char path[MAX_PATH]);
void faulty_run_remove_copy(const char *name);

/* The command line for a copy: its exports, its titles, and `more`. */
void faulty_run_arguments(const char *path, const char *more, char arguments[1024]);

/* Make a copy and start prfcheck with it. Finish the run, free it and remove the copy. */
void faulty_run_start(program_run *run, const char *name, const char *more);

/* Whether a line of the output is about the rule: "error name, ..." or "error name: ...". */
bool faulty_run_names_rule(const char *out, const char *rule);

/* "slowest 6001.234 ms": whether it was so long; a Sleep may be shorter by a tick of the clock. */
bool faulty_run_says_slowest(const char *out, unsigned long least_ms);

#endif
