/* SPDX-License-Identifier: MIT */
/*
 * Makes the lines that prfcheck prints to standard error while it works. On a terminal there is one
 * line that changes, and a line for each scenario that took long. Elsewhere there are lines only
 * for scenarios that take long. Portable; prints nothing itself.
 */
#ifndef PRFDATA_READER_PROGRESS_H
#define PRFDATA_READER_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "text/output.h"

#define PRFDATA_PROGRESS_LONG_MS 5000u /* the shortest time of a scenario that counts as long */

/* All zeros except is_terminal and subject: no scenario is running. */
typedef struct prfdata_progress {
    bool is_terminal;
    bool is_shown;    /* the line is on the terminal */
    bool is_reported; /* a message has said that the scenario takes long */
    /* Name of the provider, shown before the scenario; borrowed; NULL or "": not shown. */
    const char *subject;
    const char *name; /* name of the scenario; borrowed; NULL: none runs */
    uint64_t begun_ms;
} prfdata_progress;

/*
 * Note that a scenario begins.
 *
 * name      The name of the scenario; borrowed until prfdata_progress_end().
 * position  The position of the scenario among `count` scenarios, from 0.
 * now_ms    The time; all calls must use the same clock.
 * output    Gets the text to print now, or nothing, as in the functions below.
 */
void prfdata_progress_begin(prfdata_progress *progress, const char *name, size_t position,
                            size_t count, uint64_t now_ms, prfdata_output *output);

/* Note that the scenario continues. */
void prfdata_progress_go_on(prfdata_progress *progress, uint64_t now_ms, prfdata_output *output);

/* Note that the scenario has ended; say how long it took if that was long. */
void prfdata_progress_end(prfdata_progress *progress, uint64_t now_ms, prfdata_output *output);

/* Remove the line from the terminal. Call this before something else is printed, and at the end. */
void prfdata_progress_hide(prfdata_progress *progress, prfdata_output *output);

#endif
