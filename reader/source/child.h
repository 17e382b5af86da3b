/* SPDX-License-Identifier: MIT */
/*
 * Runs providers in a second process: the reader starts its own program again, and that process
 * asks the system. A provider that faults or hangs then takes down only this child process. The
 * child ends with the reader. If the system allows a job for it, the child ends even if the reader
 * is killed while a provider hangs.
 *
 * Questions go through one pipe: the number of characters (4 bytes), then the query. Answers return
 * through another pipe: a status and a byte count (4 bytes each), then the bytes. The child
 * inherits both handles. It has no standard output, because some providers print. Another computer
 * is asked in the same way, also for its titles, because connecting to it may take long. Windows
 * only.
 */
#ifndef PRFDATA_READER_CHILD_H
#define PRFDATA_READER_CHILD_H

#include <windows.h>

#include "source/source.h"

/*
 * Run as the child process, if the arguments are those of a child that asks this computer. Returns
 * false at once if they are not; otherwise returns true when the child has ended its work.
 *
 * exit_code  Set if the return value is true.
 */
bool prfdata_child_run_arguments(size_t count, const uint16_t *const *arguments, int *exit_code);

/*
 * Run as the child process until there are no more questions.
 *
 * questions, answers  Handles, as numbers.
 * computer            Name of another computer; empty: this one.
 *
 * Returns the exit code.
 */
int prfdata_child_run(uint32_t questions, uint32_t answers, prfdata_text computer);

/*
 * Open the system as a source that is read through a child process.
 *
 * computer  Another computer, read through its Remote Registry service; empty: this one. Copied.
 *
 * This source's prfdata_source_take() returns ERROR_TIMEOUT if no complete answer arrives within
 * the limit (prfdata_child_set_limit()). It returns ERROR_BROKEN_PIPE if the child ended or sent an
 * invalid answer. After these errors, the next call starts another child. The source's deadline_ms
 * may end the wait earlier. The call returns ERROR_CANCELLED soon after a stop is requested
 * (os/stop.h).
 *
 * Returns ERROR_SUCCESS, ERROR_BAD_NETPATH (the name is too long) or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_child_open_source(prfdata_text computer, prfdata_source **source);

/*
 * Connect to the computer, which may take long. For this computer there is nothing to do.
 * Returns ERROR_SUCCESS or the reason why it cannot be reached.
 */
uint32_t prfdata_child_connect(prfdata_source *source);

/*
 * Set how long to wait for an answer from now on.
 *
 * limit_ms  Limit for all answers of a process except its first one.
 * new_ms    Limit for the first answer of a process, which has to load the providers first. Another
 *           computer always has at least 30 seconds for it.
 */
void prfdata_child_set_limit(prfdata_source *source, uint32_t limit_ms, uint32_t new_ms);

/*
 * Get the path of the module whose fault caused the last ERROR_BROKEN_PIPE; empty if it is not
 * known.
 */
void prfdata_child_fault(const prfdata_source *source, wchar_t path[MAX_PATH]);

/*
 * Return how much time the process had for its answer to the last question. This does not include
 * the time for starting the process, nor a delay of the reader itself.
 */
uint32_t prfdata_child_given_ms(const prfdata_source *source);

/* Start the process, if none runs. Returns ERROR_SUCCESS or the system's error. */
uint32_t prfdata_child_start(prfdata_source *source);

/* Set the program that later starts of the child use instead of this program. That program must
 * accept the same command line. */
void prfdata_child_set_program(prfdata_source *source, const wchar_t *path); /* borrowed */

/*
 * Do the work of prfdata_source_take() in two halves, for callers that do other work in the
 * meantime. prfdata_child_begin() sends the question. If it does not return ERROR_SUCCESS, its
 * return value is the answer. Otherwise prfdata_child_end() fetches the answer, and waits for it if
 * necessary. prfdata_child_is_answered() tells whether the answer has begun to arrive or can no
 * longer come.
 */
uint32_t prfdata_child_begin(prfdata_source *source, const uint16_t *query);
bool prfdata_child_is_answered(const prfdata_source *source);
uint32_t prfdata_child_end(prfdata_source *source, void **bytes, size_t *size);

/* Returns whether the next prfdata_source_take() must start a process first, or asks a process that
 * has not answered yet. Failures of another computer do not count as answers. */
bool prfdata_child_is_new(const prfdata_source *source);

/* End the source's process. The next question starts another one. Call this in the thread that
 * takes samples. */
void prfdata_child_rest(prfdata_source *source);

/*
 * End the source's process for good. A call of prfdata_source_take() in another thread returns
 * soon. That call and all later calls return ERROR_CANCELLED. Threads: any.
 */
void prfdata_child_interrupt(prfdata_source *source);

/* Get the path of this program. Returns ERROR_SUCCESS, ERROR_FILENAME_EXCED_RANGE (the path is too
 * long) or the system's error. */
uint32_t prfdata_child_program_path(wchar_t path[MAX_PATH]);

#endif
