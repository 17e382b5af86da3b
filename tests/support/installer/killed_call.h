/* SPDX-License-Identifier: MIT */
/*
 * Ends this process, as TerminateProcess does, before one of the calls by which it would change the
 * registry or a file. Only calls of the program itself count, not those of the system's DLLs.
 * Windows only.
 */
#ifndef PRFDATA_TEST_KILLED_CALL_H
#define PRFDATA_TEST_KILLED_CALL_H

/*
 * From now on.
 *
 * call  Which of the calls, from 1 on, is not made any more.
 * code  The exit code.
 */
void killed_call_begin(int call, unsigned code);

#endif
