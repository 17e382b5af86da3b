/* SPDX-License-Identifier: MIT */
/*
 * Decides what the status bar says: a notice for a while, then what is so now. Each state is set by
 * the code that knows it, to an empty text when it ends, so no message stays that is no longer
 * true. One thread at a time.
 */
#ifndef PRFDATA_READER_NOTICES_H
#define PRFDATA_READER_NOTICES_H

#include "text/output.h"
#include "text/text.h"

#define PRFDATA_NOTICES_MS 20000u /* how long a notice is shown */

typedef enum prfdata_notices_state {
    PRFDATA_NOTICES_SEARCH,    /* how much a search found */
    PRFDATA_NOTICES_RECORDING, /* to which file */
    PRFDATA_NOTICES_UNREACHED, /* why another computer cannot be read */
    PRFDATA_NOTICES_SILENT,    /* which object does not answer, and why */
    PRFDATA_NOTICES_LINES,     /* how many instances of a pattern have no line */
    PRFDATA_NOTICES_FILE,      /* what is wrong with the file that is shown */
    PRFDATA_NOTICES_STATES
} prfdata_notices_state;

/* {0}: nothing is said. */
typedef struct prfdata_notices {
    prfdata_text said; /* owned */
    uint64_t said_ms;
    prfdata_text states[PRFDATA_NOTICES_STATES]; /* owned; empty: it is not so */
} prfdata_notices;

/* Say something that has happened; copied. Empty: take back what was said. */
void prfdata_notices_say(prfdata_notices *notices, prfdata_text text, uint64_t now_ms);

/* Say what is so now; copied. Empty: it is not so any longer. */
void prfdata_notices_set(prfdata_notices *notices, prfdata_notices_state state, prfdata_text text);

/* Put what is to be read: the notice, or, after its time, all states with a dash between them. */
void prfdata_notices_put(const prfdata_notices *notices, uint64_t now_ms, prfdata_output *output);

/* Release everything; {0} is left. */
void prfdata_notices_free(prfdata_notices *notices);

#endif
