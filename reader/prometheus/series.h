/* SPDX-License-Identifier: MIT */
/*
 * Remembers counts from sample to sample, so that Prometheus gets 64-bit counts that start again
 * only if the program did:
 *
 * - A 32-bit count that decreased by more than half of its range has wrapped, so it continues above
 *   2^32. After a smaller decrease the program has started again, and so does the count.
 * - A 64-bit count that decreased has started again.
 * - If the instance has a start stamp (ELAPSED_TIME), the stamp decides: a 32-bit count that
 *   decreased has wrapped if the stamp is unchanged, and started again if it changed.
 * - The counts of one counter (sum and number of an average) start again together.
 *
 * Memory is bounded. Counts that were absent for ten minutes, by the times of the samples, are
 * forgotten. If a limit is reached, all counts that the previous sample lacked are forgotten, too.
 * If this gives no room, nothing new is remembered.
 */
#ifndef PRFDATA_READER_SERIES_H
#define PRFDATA_READER_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/hash_table.h"

#define PRFDATA_SERIES_COUNTS 2 /* a value and its base */

/* The counts of one counter of one instance in a sample. */
typedef struct prfdata_series_raw {
    uint64_t counts[PRFDATA_SERIES_COUNTS];
    uint8_t bytes[PRFDATA_SERIES_COUNTS]; /* 4 or 8; 0: there is no such count */
    uint64_t start;                       /* the instance's start stamp; 0: none */
    int64_t start_100ns;                  /* the start stamp as FILETIME */
} prfdata_series_raw;

typedef struct prfdata_series_state {
    uint64_t counts[PRFDATA_SERIES_COUNTS]; /* widened to 64 bits */
    /* When the count last started again: the earliest FILETIME that is possible; 0: it has never
     * started again. */
    int64_t created_100ns;
    int64_t start_100ns; /* time of the start stamp, computed once when the stamp was new, because
                              computing it again from two clocks gives a slightly different result
                              each time */
} prfdata_series_state;

typedef struct prfdata_series_key {
    uint64_t counter; /* lower half: the counter's title index; upper half: the object's */
    const char *label;
    size_t label_bytes;
    uint64_t label_number; /* number of the label; two numbers are equal only if the labels are
                              equal; 0: none */
} prfdata_series_key;

/* The history of one counter of one instance: the part that most samples need. */
typedef struct prfdata_series_entry {
    uint64_t counter;
    uint64_t label_number; /* last label number; 0: none */
    uint64_t last;         /* counts[0] in the last sample that had the counter */
    int64_t seen_100ns;
    struct prfdata_series_more *more; /* owned */
    uint32_t next;                    /* position of the entry that was updated after this one */
    uint8_t bytes[PRFDATA_SERIES_COUNTS];
    bool is_plain; /* the entry has only one count, which never wrapped or started again, and no
                      known start */
} prfdata_series_entry;

/* The part of an entry that few samples need. */
typedef struct prfdata_series_more {
    uint64_t last_base;
    uint64_t above[PRFDATA_SERIES_COUNTS]; /* the amount that wraps have added */
    uint64_t start;
    int64_t start_100ns;
    int64_t created_100ns;
    uint32_t label_bytes;
    char label[1]; /* label_bytes */
} prfdata_series_more;

typedef struct prfdata_series {
    prfdata_series_entry *entries; /* in no order */
    size_t count;
    size_t capacity;
    prfdata_hash_table table;
    size_t key_bytes; /* size of the keys of all entries */
    size_t max_count;
    size_t max_key_bytes;
    int64_t now_100ns;
    int64_t before_100ns; /* time of the previous sample */
    int64_t least_100ns;  /* all entries were last seen at this time or later */
    uint32_t last;        /* position of the entry that was updated last; any position if some
                             entries were removed since */
    bool was_full;        /* entries that the previous sample lacked were already removed in this
                             sample, to make room */
} prfdata_series;

/*
 * Begin without any history.
 *
 * max_count  Limit for the number of remembered counters of instances.
 * max_bytes  Limit for the size of all keys together.
 *
 * Returns NULL if there is no memory.
 */
prfdata_series *prfdata_series_make(size_t max_count, size_t max_bytes);

/* Release everything; NULL is allowed. */
void prfdata_series_free(prfdata_series *series);

/* Begin a sample that was taken at this FILETIME. A caller may begin the same sample again. */
void prfdata_series_begin(prfdata_series *series, int64_t time_100ns);

/* Handles all cases of prfdata_series_update() except the usual one. */
bool prfdata_series_update_any(prfdata_series *series, const prfdata_series_key *key,
                               const prfdata_series_raw *raw, prfdata_series_state *state);

/*
 * Update the history of one counter of one instance. The function is fastest if counters come in
 * the order of the previous sample and have label numbers. This inline part handles the usual case:
 * a count that continued, with nothing else to do.
 *
 * raw    The values in the sample.
 * state  Set; on failure, to the sample's own values.
 *
 * Returns false if the counter cannot be remembered: the limit is reached, or there is no memory.
 */
static inline bool prfdata_series_update(prfdata_series *series, const prfdata_series_key *key,
                                         const prfdata_series_raw *raw, prfdata_series_state *state)
{
    const uint32_t next =
        series->last < series->count ? series->entries[series->last].next : UINT32_MAX;
    prfdata_series_entry *entry = next < series->count ? &series->entries[next] : NULL;
    const uint64_t count = raw->bytes[0] == 4 ? (uint32_t)raw->counts[0] : raw->counts[0];

    if (!entry || entry->counter != key->counter || key->label_number == 0 ||
        entry->label_number != key->label_number || !entry->is_plain ||
        entry->bytes[0] != raw->bytes[0] || raw->bytes[1] != 0 || raw->start != 0 ||
        count < entry->last)
        return prfdata_series_update_any(series, key, raw, state);
    series->last = next;
    entry->last = count;
    entry->seen_100ns = series->now_100ns;
    *state = (prfdata_series_state){.counts = {count}};
    return true;
}

/* Return how many counters of instances are remembered. */
size_t prfdata_series_count(const prfdata_series *series);

#endif
