/* SPDX-License-Identifier: MIT */
/*
 * The process in which providers run: prfview starts itself once more, and that one asks the
 * system. A provider that faults or hangs takes it along, not the window. Knows Windows.
 *
 * Through its standard input come questions: the number of chars (4 bytes) and the query; through
 * its standard output answers: a status, the bytes' number (4 each) and the bytes. Before it
 * answers it sets an event: until then a limit counts.
 */
#ifndef PRFDATA_READER_CHILD_H
#define PRFDATA_READER_CHILD_H

#include "source/source.h"

#define PRFDATA_CHILD_LIMIT_MS 10000u

/* Run as that process until the input ends. `event` is a handle's value. Returns the exit code. */
int prfdata_child_run(uint32_t event);

/*
 * The system through another process.
 *
 * Its prfdata_source_take() returns ERROR_TIMEOUT if there is no answer within the limit, and
 * ERROR_BROKEN_PIPE if the process ended; the next one starts another process.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_child_open_source(prfdata_messages *messages, prfdata_source **source);

/* End the process of a source that another thread waits for: its take fails soon. Threads: any. */
void prfdata_child_interrupt(prfdata_source *source);

#endif
