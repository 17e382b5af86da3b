/* SPDX-License-Identifier: MIT */
/* The last reply of a thread, to be compared with the next one. Portable. */
#ifndef PRFDATA_READER_HISTORY_H
#define PRFDATA_READER_HISTORY_H

#include "prfcheck/judge.h"

/* All zeros: there is none. */
typedef struct prfdata_history {
    unsigned char *bytes; /* NULL: none */
    prfdata_judge_reply reply;
} prfdata_history;

/* Keep a copy of the reply instead of the one before. Without memory there is none. */
void prfdata_history_remember(prfdata_history *history, const prfdata_judge_reply *reply);

/* Free it; it can be used again. */
void prfdata_history_forget(prfdata_history *history);

#endif
