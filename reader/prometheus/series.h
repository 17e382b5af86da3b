/* SPDX-License-Identifier: MIT */
/*
 * What is remembered of counts from sample to sample. Prometheus gets counts of 64 bits that start
 * again only when the program started again:
 *
 * - A count of 32 bits that went backwards by more than half of its range has wrapped: it goes on
 *   above 2^32. Otherwise it started again, and so does the count.
 * - A count of 64 bits that went backwards started again.
 * - If the instance has a start stamp (ELAPSED_TIME), that decides: a count of 32 bits that went
 *   backwards has wrapped if the stamp stayed, and started again if it changed.
 * - The counts of one counter (sum and number of an average) start again together.
 *
 * Memory is bounded: what was absent for ten minutes of the samples' own time is forgotten, and
 * beyond a limit nothing new is remembered.
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
    uint64_t start;                       /* the instance's start stamp; 0: it has none */
    int64_t start_100ns;                  /* the start stamp as FILETIME */
} prfdata_series_raw;

typedef struct prfdata_series_state {
    uint64_t counts[PRFDATA_SERIES_COUNTS]; /* widened */
    int64_t created_100ns; /* FILETIME of the last start that was seen, or a little earlier; 0: no
                              start was seen */
    int64_t start_100ns;   /* of the start stamp, as computed when the stamp was new: computing it
                              again from two clocks gives another result each time */
} prfdata_series_state;

/* What only this counter of this instance has. */
typedef struct prfdata_series_key {
    uint64_t counter; /* its title index, and above that the object's */
    const char *label;
    size_t label_bytes;
    uint64_t label_number; /* the same one of one object's labels means the same bytes; 0: none */
} prfdata_series_key;

/* What is remembered of one counter of one instance: what each sample needs of most of them, */
typedef struct prfdata_series_entry {
    uint64_t counter;
    uint64_t label_number; /* that its label had last; 0: none */
    uint64_t last;         /* of the first count */
    int64_t seen_100ns;
    struct prfdata_series_more *more; /* owned */
    uint32_t next;                    /* the position of the entry that was updated after it */
    uint8_t bytes[PRFDATA_SERIES_COUNTS];
    bool is_plain; /* it has one count, and nothing of it is above, and no start is known */
} prfdata_series_entry;

/* and the rest. */
typedef struct prfdata_series_more {
    uint64_t last_base;
    uint64_t above[PRFDATA_SERIES_COUNTS]; /* what wraps have added */
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
    prfdata_hash_table table; /* of positions in `entries` */
    size_t key_bytes;         /* of all entries */
    size_t max_count;
    size_t max_key_bytes;
    int64_t now_100ns;
    int64_t before_100ns; /* of the previous sample */
    int64_t least_100ns;  /* no entry was seen before */
    uint32_t last;        /* the position of the entry that was updated last, or any other */
    bool was_full;        /* room was made in this sample already */
} prfdata_series;

/*
 * Begin with nothing remembered.
 *
 * max_count  Counters of instances to remember.
 * max_bytes  Of their keys.
 *
 * Returns NULL if there is no memory.
 */
prfdata_series *prfdata_series_make(size_t max_count, size_t max_bytes);

/* Release everything; NULL is allowed. */
void prfdata_series_free(prfdata_series *series);

/* Begin a sample that was taken at this FILETIME; the same sample may be begun again. */
void prfdata_series_begin(prfdata_series *series, int64_t time_100ns);

/* prfdata_series_update() in any case but the usual one. */
bool prfdata_series_update_any(prfdata_series *series, const prfdata_series_key *key,
                               const prfdata_series_raw *raw, prfdata_series_state *state);

/*
 * Update what is remembered of one counter of one instance. They are found fastest in the order of
 * the sample before, with numbers of labels. What stands here is the usual case: a count that went
 * on, and no more to it.
 *
 * raw    What the sample has.
 * state  Set, also on failure: then it is what the sample has.
 *
 * Returns false if it cannot be remembered: the limit is reached, or there is no memory.
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

/* How many counters of instances are remembered. */
size_t prfdata_series_count(const prfdata_series *series);

#endif
