/* SPDX-License-Identifier: MIT */
/*
 * Entries in an array, found by a hash of their keys; mostly they come in the order of the sample
 * before, which is tried first. Entries go when they were not seen for long,
 * or, when there is no room, if the previous sample did not have them.
 */
#include "prometheus/series.h"

#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/fnv.h"
#include "core/hash_table.h"

#define FORGET_AFTER_100NS 6000000000 /* ten minutes */

/* What is remembered of one counter of one instance. */
typedef struct series_entry {
    uint64_t hash;
    uint64_t counter;
    size_t label_bytes;
    uint64_t last[PRFDATA_SERIES_COUNTS];
    uint64_t above[PRFDATA_SERIES_COUNTS]; /* what wraps have added */
    uint32_t bytes[PRFDATA_SERIES_COUNTS];
    uint64_t start;
    int64_t start_100ns;
    int64_t created_100ns;
    int64_t seen_100ns;
    uint32_t next; /* the position of the entry that was updated after it */
    char label[1]; /* label_bytes */
} series_entry;

struct prfdata_series {
    series_entry **entries; /* in no order; owned */
    size_t count;
    size_t capacity;
    prfdata_hash_table table; /* of positions in `entries` */
    size_t key_bytes;         /* of all entries */
    size_t max_count;
    size_t max_key_bytes;
    int64_t now_100ns;
    int64_t before_100ns; /* of the previous sample */
    uint32_t last;        /* the position of the entry that was updated last, or any other */
    bool was_full;        /* room was made in this sample already */
};

static size_t entry_key_bytes(size_t label_bytes)
{
    return sizeof(uint64_t) + label_bytes;
}

prfdata_series *prfdata_series_make(size_t max_count, size_t max_bytes)
{
    prfdata_series *series = calloc(1, sizeof *series);

    if (!series)
        return NULL;
    series->max_count = max_count;
    series->max_key_bytes = max_bytes;
    return series;
}

void prfdata_series_free(prfdata_series *series)
{
    if (!series)
        return;
    for (size_t i = 0; i < series->count; i++)
        free(series->entries[i]);
    free(series->entries);
    prfdata_hash_table_free(&series->table);
    free(series);
}

/* Fill the table after entries moved. It has room: there were more of them before. */
static void fill_series_table(prfdata_series *series)
{
    prfdata_hash_table_clear(&series->table);
    for (size_t i = 0; i < series->count; i++)
        (void)prfdata_hash_table_add(&series->table, series->entries[i]->hash, (uint32_t)i);
}

/* Forget the entries that were last seen before `time_100ns`. */
static void forget_series_entries(prfdata_series *series, int64_t time_100ns)
{
    size_t kept = 0;

    for (size_t i = 0; i < series->count; i++) {
        series_entry *item = series->entries[i];

        if (item->seen_100ns >= time_100ns) {
            series->entries[kept++] = item;
        } else {
            series->key_bytes -= entry_key_bytes(item->label_bytes);
            free(item);
        }
    }
    if (kept < series->count) {
        series->count = kept;
        fill_series_table(series);
    }
}

/* The clock was set back: no entry was seen in the future. */
static void set_series_entries_back(prfdata_series *series, int64_t time_100ns)
{
    for (size_t i = 0; i < series->count; i++) {
        if (series->entries[i]->seen_100ns > time_100ns)
            series->entries[i]->seen_100ns = time_100ns;
    }
}

void prfdata_series_begin(prfdata_series *series, int64_t time_100ns)
{
    if (time_100ns == series->now_100ns)
        return;
    if (time_100ns < series->now_100ns)
        set_series_entries_back(series, time_100ns);
    series->before_100ns = series->now_100ns < time_100ns ? series->now_100ns : time_100ns;
    series->now_100ns = time_100ns;
    series->was_full = false;
    if (time_100ns > INT64_MIN + FORGET_AFTER_100NS)
        forget_series_entries(series, time_100ns - FORGET_AFTER_100NS);
}

/* ---- Entries by key ---- */

static bool is_entry_of(const series_entry *item, const prfdata_series_key *key)
{
    return item->counter == key->counter && item->label_bytes == key->label_bytes &&
           memcmp(item->label, key->label, key->label_bytes) == 0;
}

static bool has_series_key(const void *elements, uint32_t position, const void *key)
{
    return is_entry_of(((series_entry *const *)elements)[position], key);
}

static uint64_t hash_series_key(const prfdata_series_key *key)
{
    return prfdata_fnv_add(prfdata_fnv_add(PRFDATA_FNV_START, &key->counter, sizeof key->counter),
                           key->label, key->label_bytes);
}

/* Positions change when entries go, so what stands there may be another one, or nothing. */
static series_entry *entry_after_last(const prfdata_series *series, const prfdata_series_key *key)
{
    const uint32_t next =
        series->last < series->count ? series->entries[series->last]->next : UINT32_MAX;

    return next < series->count && is_entry_of(series->entries[next], key) ? series->entries[next]
                                                                           : NULL;
}

static bool has_room_for_series(const prfdata_series *series, size_t key_bytes)
{
    return series->count < series->max_count && key_bytes <= series->max_key_bytes &&
           series->key_bytes <= series->max_key_bytes - key_bytes;
}

/* Put an entry at the end, and own it. */
static bool append_series_entry(prfdata_series *series, series_entry *item)
{
    series_entry **entries = prfdata_array_reserve(series->entries, &series->capacity,
                                                   series->count + 1, sizeof(series_entry *));

    if (!entries)
        return false;
    series->entries = entries;
    if (!prfdata_hash_table_add(&series->table, item->hash, (uint32_t)series->count))
        return false;
    series->entries[series->count++] = item;
    series->key_bytes += entry_key_bytes(item->label_bytes);
    return true;
}

/* Returns NULL if there is no room for it, or no memory. */
static series_entry *add_series_entry(prfdata_series *series, uint64_t hash,
                                      const prfdata_series_key *key)
{
    const size_t key_bytes = entry_key_bytes(key->label_bytes);
    series_entry *item;

    if (!has_room_for_series(series, key_bytes) && !series->was_full) {
        series->was_full = true;
        forget_series_entries(series,
                              series->before_100ns); /* what the previous sample did not have */
    }
    if (!has_room_for_series(series, key_bytes))
        return NULL;
    item = calloc(1, sizeof *item + key->label_bytes);
    if (!item)
        return NULL;
    item->hash = hash;
    item->counter = key->counter;
    item->label_bytes = key->label_bytes;
    memcpy(item->label, key->label, key->label_bytes);
    if (!append_series_entry(series, item)) {
        free(item);
        return NULL;
    }
    return item;
}

/* The entry of a key, old or new. NULL: there is no room for it, or no memory. */
static series_entry *entry_of_key(prfdata_series *series, const prfdata_series_key *key,
                                  bool *is_new)
{
    series_entry *item = entry_after_last(series, key);
    uint32_t position;
    uint64_t hash;

    *is_new = false;
    if (item) {
        series->last = series->entries[series->last]->next;
        return item;
    }
    hash = hash_series_key(key);
    position = prfdata_hash_table_find(&series->table, hash, has_series_key, series->entries, key);
    if (position == PRFDATA_HASH_TABLE_NONE) {
        *is_new = true;
        item = add_series_entry(series, hash, key);
        if (!item)
            return NULL;
        position = (uint32_t)(series->count - 1);
    }
    if (series->last < series->count)
        series->entries[series->last]->next = position;
    series->last = position;
    return series->entries[position];
}

/* ---- Counts ---- */

static uint64_t get_raw_count(const prfdata_series_raw *raw, size_t i)
{
    return raw->bytes[i] == 4 ? (uint32_t)raw->counts[i] : raw->counts[i];
}

static bool start_stamp_changed(const series_entry *item, const prfdata_series_raw *raw)
{
    return item->start != 0 && raw->start != 0 && raw->start != item->start;
}

static bool start_stamp_stayed(const series_entry *item, const prfdata_series_raw *raw)
{
    return item->start != 0 && raw->start == item->start;
}

/* Whether count `i`, which went backwards, has wrapped. */
static bool count_wrapped(const series_entry *item, const prfdata_series_raw *raw, size_t i)
{
    uint32_t forwards;

    if (raw->bytes[i] != 4 || start_stamp_changed(item, raw))
        return false;
    forwards = (uint32_t)(get_raw_count(raw, i) - item->last[i]);
    return start_stamp_stayed(item, raw) || forwards < 0x80000000u;
}

/* Whether the counts are not those of the previous sample, grown or wrapped. */
static bool counts_started_again(const series_entry *item, const prfdata_series_raw *raw)
{
    for (size_t i = 0; i < PRFDATA_SERIES_COUNTS; i++) {
        if (raw->bytes[i] != item->bytes[i])
            return true;
        if (get_raw_count(raw, i) < item->last[i] && !count_wrapped(item, raw, i))
            return true;
    }
    return false;
}

/* Note the start: the last time at which the old counts were seen, or a later start stamp. */
static void note_new_start(const prfdata_series *series, series_entry *item,
                           const prfdata_series_raw *raw)
{
    item->created_100ns = item->seen_100ns;
    if (raw->start != 0 && raw->start_100ns > item->seen_100ns &&
        raw->start_100ns <= series->now_100ns)
        item->created_100ns = raw->start_100ns;
    memset(item->above, 0, sizeof item->above);
}

bool prfdata_series_update(prfdata_series *series, const prfdata_series_key *key,
                           const prfdata_series_raw *raw, prfdata_series_state *state)
{
    bool is_new;
    series_entry *item = entry_of_key(series, key, &is_new);

    memset(state, 0, sizeof *state);
    if (!item) {
        for (size_t i = 0; i < PRFDATA_SERIES_COUNTS; i++)
            state->counts[i] = get_raw_count(raw, i);
        state->start_100ns = raw->start_100ns;
        return false;
    }
    if (!is_new && counts_started_again(item, raw)) {
        note_new_start(series, item, raw);
    } else if (!is_new) {
        for (size_t i = 0; i < PRFDATA_SERIES_COUNTS; i++) {
            if (get_raw_count(raw, i) < item->last[i])
                item->above[i] += (uint64_t)1 << 32;
        }
    }
    for (size_t i = 0; i < PRFDATA_SERIES_COUNTS; i++) {
        item->last[i] = get_raw_count(raw, i);
        item->bytes[i] = raw->bytes[i];
        state->counts[i] = item->above[i] + item->last[i];
    }
    if (is_new || item->start != raw->start)
        item->start_100ns = raw->start_100ns;
    item->start = raw->start;
    item->seen_100ns = series->now_100ns;
    state->created_100ns = item->created_100ns;
    state->start_100ns = item->start_100ns;
    return true;
}

size_t prfdata_series_count(const prfdata_series *series)
{
    return series->count;
}
