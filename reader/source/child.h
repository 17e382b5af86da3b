/* SPDX-License-Identifier: MIT */
/*
 * The process in which providers run: a reader starts itself once more, and that one asks the
 * system. A provider that faults or hangs takes it along, not the reader. It ends with the reader,
 * also where that is killed while a provider hangs.
 *
 * Through one pipe come questions: the number of chars (4 bytes) and the query; through another one
 * go answers: a status, the bytes' number (4 each) and the bytes. Both are handles that it
 * inherits. It has no standard output: providers print. Another computer is asked in the same way,
 * also for its titles: a connection may take its time. Windows only.
 */
#ifndef PRFDATA_READER_CHILD_H
#define PRFDATA_READER_CHILD_H

#include <windows.h>

#include "source/source.h"

/*
 * Be that process, if the command line of the program is that of one.
 *
 * exit_code  Set then, when it is over.
 */
bool prfdata_child_run_arguments(size_t count, const uint16_t *const *arguments, int *exit_code);

/*
 * Run as that process until there are no more questions.
 *
 * questions, answers  Values of handles.
 * computer            Another one, or empty.
 *
 * Returns the exit code.
 */
int prfdata_child_run(uint32_t questions, uint32_t answers, prfdata_text computer);

/*
 * The system through another process.
 *
 * computer  Another one, by its service Remote Registry; empty: this one. Copied.
 *
 * Its prfdata_source_take() returns ERROR_TIMEOUT if there is no whole answer within its limit, and
 * ERROR_BROKEN_PIPE if the process ended or answered nonsense; the next one starts another process.
 * The source's deadline_ms ends the wait earlier.
 * It returns ERROR_CANCELLED soon after the request of os/stop.h.
 *
 * Returns ERROR_SUCCESS, ERROR_BAD_NETPATH (the name is too long) or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_child_open_source(prfdata_text computer, prfdata_source **source);

/*
 * Reach the computer, which may take long; this one is always there.
 * Returns ERROR_SUCCESS or why it cannot be.
 */
uint32_t prfdata_child_connect(prfdata_source *source);

/*
 * Wait so long for an answer from now on.
 *
 * new_ms  For the first one of a process, which has yet to load the providers.
 */
void prfdata_child_set_limit(prfdata_source *source, uint32_t limit_ms, uint32_t new_ms);

/*
 * Get the path of the module in which the process faulted that took part in the last
 * ERROR_BROKEN_PIPE; empty: it is not known.
 */
void prfdata_child_fault(const prfdata_source *source, wchar_t path[MAX_PATH]);

/* Start the process, if none runs. Returns ERROR_SUCCESS or why the system refuses. */
uint32_t prfdata_child_start(prfdata_source *source);

/* Start this program, which understands the same command line, instead of the running one. */
void prfdata_child_set_program(prfdata_source *source, const wchar_t *path); /* borrowed */

/*
 * The two halves of a take, for who does something else meanwhile: ask, and when there is an
 * answer, or never will be one, get it. What prfdata_child_begin() returns that is not
 * ERROR_SUCCESS is the answer.
 */
uint32_t prfdata_child_begin(prfdata_source *source, const uint16_t *query);
bool prfdata_child_is_answered(const prfdata_source *source);
uint32_t prfdata_child_end(prfdata_source *source, void **bytes, size_t *size);

/* Whether the next take has to start a process first. */
bool prfdata_child_is_new(const prfdata_source *source);

/* End the process of a source until it is needed again. In the thread that takes samples. */
void prfdata_child_rest(prfdata_source *source);

/*
 * End the process of a source: a take in another thread returns soon, that and all later ones with
 * ERROR_CANCELLED. Threads: any.
 */
void prfdata_child_interrupt(prfdata_source *source);

/* Get the path of this program. Returns ERROR_SUCCESS or why it is not known. */
uint32_t prfdata_child_program_path(wchar_t path[MAX_PATH]);

#endif
