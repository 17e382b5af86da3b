/* SPDX-License-Identifier: MIT */
/*
 * Keeps a thread's newest reply to each of a few queries, to compare it with the next reply to the
 * same query. A provider may answer one query from a cache and another query with new values.
 */
#ifndef PRFDATA_READER_HISTORY_H
#define PRFDATA_READER_HISTORY_H

#include <wchar.h>

#include "validate/validate_run.h"

/* Number of queries whose newest reply is kept. A further query replaces the one that was added
 * first. */
#define PRFDATA_HISTORY_QUERIES 4

typedef struct prfdata_history_entry {
    unsigned char *bytes;         /* NULL: none */
    wchar_t *query;               /* NULL: the query was NULL */
    prfdata_validate_reply reply; /* in `bytes` */
    uint64_t since; /* prfdata_validate_gone_moment() before this reply was asked for */
} prfdata_history_entry;

/* All zeros: there is no reply. */
typedef struct prfdata_history {
    prfdata_history_entry entries[PRFDATA_HISTORY_QUERIES];
    size_t oldest;               /* the entry that the next new query replaces */
    prfdata_validate_gone *gone; /* borrowed; shared by all threads */
    bool is_beside_others;       /* other threads may see changes that this thread does not see */
    prfdata_validate_run *run;   /* borrowed; gets each pair of successive replies; NULL: none */
} prfdata_history;

/* Return the last reply to exactly this query; NULL: none. */
const prfdata_validate_reply *prfdata_history_find(const prfdata_history *history,
                                                   const wchar_t *query);

/* Return what is known about the time since the last reply to exactly this query was asked for. */
prfdata_validate_known prfdata_history_known(const prfdata_history *history, const wchar_t *query);

/*
 * Keep a copy of the reply in place of the previous one to this query. If there is no memory, keep
 * none.
 *
 * since  prfdata_validate_gone_moment() of history->gone before the reply was asked for.
 */
void prfdata_history_remember(prfdata_history *history, const wchar_t *query,
                              const prfdata_validate_reply *reply, uint64_t since);

/* Free all entries. The history can be used again. */
void prfdata_history_forget(prfdata_history *history);

#endif
