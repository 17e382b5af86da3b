/* SPDX-License-Identifier: MIT */
/*
 * Decides what the status bar shows: for some seconds a notice, afterwards the current states. The
 * code that is responsible for a state sets its text, and sets an empty text when the state ends,
 * so that no message stays after it has become untrue. Use it from one thread at a time.
 */
#ifndef PRFDATA_READER_NOTICES_H
#define PRFDATA_READER_NOTICES_H

#include "text/output.h"
#include "text/text.h"

#define PRFDATA_NOTICES_MS 20000u /* how long a notice is shown */

typedef enum prfdata_notices_state {
    PRFDATA_NOTICES_SEARCH,    /* the number of results of a search */
    PRFDATA_NOTICES_RECORDING, /* the file to which samples are recorded */
    PRFDATA_NOTICES_UNREACHED, /* why another computer cannot be read */
    PRFDATA_NOTICES_SILENT,    /* an object does not answer; the text says why */
    PRFDATA_NOTICES_LINES,     /* how many instances that match patterns have no line */
    PRFDATA_NOTICES_FILE,      /* facts about the shown files, such as their number and damage */
    PRFDATA_NOTICES_SAMPLE,    /* damage of the shown sample */
    PRFDATA_NOTICES_STATES
} prfdata_notices_state;

/* {0}: nothing is shown. */
typedef struct prfdata_notices {
    prfdata_text said; /* owned */
    uint64_t said_ms;
    prfdata_text states[PRFDATA_NOTICES_STATES]; /* owned; empty: the state does not apply */
} prfdata_notices;

/* Show an event as a notice; copied. Empty: remove the notice. */
void prfdata_notices_say(prfdata_notices *notices, prfdata_text text, uint64_t now_ms);

/* Set a state; copied. Empty: the state no longer applies. */
void prfdata_notices_set(prfdata_notices *notices, prfdata_notices_state state, prfdata_text text);

/* Put the text to show: the notice, or, after its time, all states with a dash between them. */
void prfdata_notices_put(const prfdata_notices *notices, uint64_t now_ms, prfdata_output *output);

/* Release everything; then nothing is shown. */
void prfdata_notices_free(prfdata_notices *notices);

#endif
