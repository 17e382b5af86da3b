/* SPDX-License-Identifier: MIT */
/* Ends this process with TerminateProcess() before one of the calls that would change the registry
 * or a file. Only calls of the program itself count, not those of the system's DLLs. Windows
 * only. */
#ifndef PRFDATA_TEST_KILLED_CALL_H
#define PRFDATA_TEST_KILLED_CALL_H

/*
 * Start counting the calls.
 * call  The number of the call, from 1, before which the process ends.
 * code  The exit code.
 */
void killed_call_begin(int call, unsigned code);

#endif
