/* SPDX-License-Identifier: MIT */
/* Starts this test program again as another process, with arguments. A failure of the helper itself
 * ends the test program.
 *
 *     const char *arguments[] = {"own", NULL};
 *     prfdata_test_process *child = prfdata_test_process_start(arguments);
 *
 *     prfdata_test_process_expect(child, "owned");
 *     prfdata_test_process_kill(child);
 *
 * In main() of the same program, before cmocka:
 *
 *     if (argc > 1)
 *         return child_main(argc, argv); (which calls prfdata_test_process_say("owned")) */
#ifndef PRFDATA_TESTS_PROCESS_H
#define PRFDATA_TESTS_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct prfdata_test_process prfdata_test_process;

/* Start this program with these arguments, which have no blanks and no quotes; NULL ends them.
 * Owner: the caller, who releases it with prfdata_test_process_wait() or _kill(). */
prfdata_test_process *prfdata_test_process_start(const char *const *arguments);

/* Wait for a line of the child's standard output. Returns false if the child has ended. */
bool prfdata_test_process_read_line(prfdata_test_process *process, char *line, size_t line_bytes);

/* Wait for exactly this line. Any other line, or none, ends the test program. */
void prfdata_test_process_expect(prfdata_test_process *process, const char *line);

void prfdata_test_process_tell(prfdata_test_process *process, const char *line);

/* Close the child's standard input and wait until the child ends. Returns its exit code, or -1 if
 * it crashed. */
int prfdata_test_process_wait(prfdata_test_process *process);

/* Kill the child (SIGKILL, TerminateProcess), and wait for its end. */
void prfdata_test_process_kill(prfdata_test_process *process);

/* For the child: write a line to the parent, and wait for a line from the parent. The wait returns
 * false if the parent has ended or calls prfdata_test_process_wait(). */
void prfdata_test_process_say(const char *line);
bool prfdata_test_process_hear(char *line, size_t line_bytes);

/* For a child that crashes on purpose. The crash then starts no debugger, and no report of it is in
 * the test's output. */
void prfdata_test_process_hide_crash(void);

#endif
