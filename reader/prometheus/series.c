/* SPDX-License-Identifier: MIT */
/* Keeps entries in an array and finds them by a hash of their keys. Counters mostly come in the
 * order of the previous sample, so the next entry is tried first. */
#include "prometheus/series.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/fnv.h"
#include "base/hash_table.h"

#define FORGET_AFTER_100NS 6000000000 /* ten minutes */

typedef prfdata_series_entry series_entry;

static size_t entry_key_bytes(size_t label_bytes)
{
    return sizeof(uint64_t) + label_bytes;
}

prfdata_series *prfdata_series_make(size_t max_count, size_t max_bytes)
{
    prfdata_series *series = calloc(1, sizeof *series);

    if (!series)
        return NULL;
    series->least_100ns = INT64_MAX;
    series->max_count = max_count;
    series->max_key_bytes = max_bytes < UINT32_MAX ? max_bytes : UINT32_MAX;
    return series;
}

void prfdata_series_free(prfdata_series *series)
{
    if (!series)
        return;
    for (size_t i = 0; i < series->count; i++)
        free(series->entries[i].more);
    free(series->entries);
    prfdata_hash_table_free(&series->table);
    free(series);
}

static uint64_t hash_series_key(const prfdata_series_key *key)
{
    return prfdata_fnv_add(prfdata_fnv_add(PRFDATA_FNV_START, &key->counter, sizeof key->counter),
                           key->label, key->label_bytes);
}

static uint64_t hash_series_entry(const series_entry *item)
{
    const prfdata_series_key key = {.counter = item->counter,
                                    .label = item->more->label,
                                    .label_bytes = item->more->label_bytes};

    return hash_series_key(&key);
}

/* Fill the table after entries have moved. The table has enough room, because there were more
 * entries before. */
static void fill_series_table(prfdata_series *series)
{
    prfdata_hash_table_clear(&series->table);
    for (size_t i = 0; i < series->count; i++)
        (void)prfdata_hash_table_add(&series->table, hash_series_entry(&series->entries[i]),
                                     (uint32_t)i);
}

static void note_least_time(prfdata_series *series, int64_t seen_100ns)
{
    if (seen_100ns < series->least_100ns)
        series->least_100ns = seen_100ns;
}

static void forget_series_entries(prfdata_series *series, int64_t time_100ns)
{
    size_t kept = 0;

    if (series->least_100ns >= time_100ns)
        return;
    series->least_100ns = INT64_MAX;
    for (size_t i = 0; i < series->count; i++) {
        const series_entry *item = &series->entries[i];

        if (item->seen_100ns >= time_100ns) {
            note_least_time(series, item->seen_100ns);
            series->entries[kept++] = *item;
        } else {
            series->key_bytes -= entry_key_bytes(item->more->label_bytes);
            free(item->more);
        }
    }
    if (kept < series->count) {
        series->count = kept;
        fill_series_table(series);
    }
}

/* Adapt the entries to a clock that was set back to this time: entries that were seen later count
 * as seen at this time. */
static void set_series_entries_back(prfdata_series *series, int64_t time_100ns)
{
    for (size_t i = 0; i < series->count; i++) {
        if (series->entries[i].seen_100ns > time_100ns)
            series->entries[i].seen_100ns = time_100ns;
        note_least_time(series, series->entries[i].seen_100ns);
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

static bool has_label_of(const series_entry *item, const prfdata_series_key *key)
{
    if (key->label_number != 0 && item->label_number == key->label_number)
        return true;
    return item->more->label_bytes == key->label_bytes &&
           memcmp(item->more->label, key->label, key->label_bytes) == 0;
}

static bool is_entry_of(const series_entry *item, const prfdata_series_key *key)
{
    return item->counter == key->counter && has_label_of(item, key);
}

static bool has_series_key(const void *elements, uint32_t position, const void *key)
{
    return is_entry_of((const series_entry *)elements + position, key);
}

/* Return the entry that followed the last updated entry in the previous sample, if it has this key.
 * After entries were removed, its position may hold another entry, or none. */
static series_entry *entry_after_last(const prfdata_series *series, const prfdata_series_key *key)
{
    const uint32_t next =
        series->last < series->count ? series->entries[series->last].next : UINT32_MAX;

    return next < series->count && is_entry_of(&series->entries[next], key) ? &series->entries[next]
                                                                            : NULL;
}

static bool has_room_for_series(const prfdata_series *series, size_t key_bytes)
{
    return series->count < series->max_count && key_bytes <= series->max_key_bytes &&
           series->key_bytes <= series->max_key_bytes - key_bytes;
}

/* On success, the array owns `item->more`. */
static bool append_series_entry(prfdata_series *series, uint64_t hash, const series_entry *item)
{
    series_entry *entries = prfdata_array_reserve(series->entries, &series->capacity,
                                                  series->count + 1, sizeof *entries);

    if (!entries)
        return false;
    series->entries = entries;
    if (!prfdata_hash_table_add(&series->table, hash, (uint32_t)series->count))
        return false;
    series->entries[series->count++] = *item;
    series->key_bytes += entry_key_bytes(item->more->label_bytes);
    return true;
}

static bool add_series_entry(prfdata_series *series, uint64_t hash, const prfdata_series_key *key)
{
    const size_t key_bytes = entry_key_bytes(key->label_bytes);
    series_entry item = {.counter = key->counter, .next = UINT32_MAX};

    if (!has_room_for_series(series, key_bytes) && !series->was_full) {
        series->was_full = true;
        /* Remove the entries that the previous sample lacked. */
        forget_series_entries(series, series->before_100ns);
    }
    if (!has_room_for_series(series, key_bytes))
        return false;
    item.more = calloc(1, offsetof(prfdata_series_more, label) + key->label_bytes);
    if (!item.more)
        return false;
    /* The size fits, because it is at most max_key_bytes. */
    item.more->label_bytes = (uint32_t)key->label_bytes;
    memcpy(item.more->label, key->label, key->label_bytes);
    if (!append_series_entry(series, hash, &item)) {
        free(item.more);
        return false;
    }
    note_least_time(series, series->now_100ns);
    return true;
}

/* Find or add the entry of a key that entry_after_last() did not find. Returns NULL: no room, or no
 * memory. */
static series_entry *entry_of_key(prfdata_series *series, const prfdata_series_key *key,
                                  bool *is_new)
{
    const uint64_t hash = hash_series_key(key);
    uint32_t position =
        prfdata_hash_table_find(&series->table, hash, has_series_key, series->entries, key);

    *is_new = position == PRFDATA_HASH_TABLE_NONE;
    if (*is_new) {
        if (!add_series_entry(series, hash, key))
            return NULL;
        position = (uint32_t)(series->count - 1);
    }
    if (series->last < series->count)
        series->entries[series->last].next = position;
    series->last = position;
    return &series->entries[position];
}

/* ---- Counts ---- */

static uint64_t get_raw_count(const prfdata_series_raw *raw, size_t i)
{
    return raw->bytes[i] == 4 ? (uint32_t)raw->counts[i] : raw->counts[i];
}

static uint64_t get_last_count(const series_entry *item, size_t i)
{
    return i == 0 ? item->last : item->more->last_base;
}

static bool start_stamp_changed(const series_entry *item, const prfdata_series_raw *raw)
{
    return item->more->start != 0 && raw->start != 0 && raw->start != item->more->start;
}

static bool start_stamp_stayed(const series_entry *item, const prfdata_series_raw *raw)
{
    return item->more->start != 0 && raw->start == item->more->start;
}

/* Returns whether count `i`, which decreased, has wrapped. */
static bool count_wrapped(const series_entry *item, const prfdata_series_raw *raw, size_t i)
{
    uint32_t forwards;

    if (raw->bytes[i] != 4 || start_stamp_changed(item, raw))
        return false;
    forwards = (uint32_t)(get_raw_count(raw, i) - get_last_count(item, i));
    return start_stamp_stayed(item, raw) || forwards < 0x80000000u;
}

/* Returns whether the counts have started again, instead of having only grown or wrapped. */
static bool counts_started_again(const series_entry *item, const prfdata_series_raw *raw)
{
    for (size_t i = 0; i < PRFDATA_SERIES_COUNTS; i++) {
        if (raw->bytes[i] != item->bytes[i])
            return true;
        if (get_raw_count(raw, i) < get_last_count(item, i) && !count_wrapped(item, raw, i))
            return true;
    }
    return false;
}

/*
 * Note when the counts started again. This is the time of the start stamp, if it lies between the
 * time when the old counts were last seen and now. Otherwise, it is the time when the old counts
 * were last seen.
 */
static void note_new_start(const prfdata_series *series, series_entry *item,
                           const prfdata_series_raw *raw)
{
    item->more->created_100ns = item->seen_100ns;
    if (raw->start != 0 && raw->start_100ns > item->seen_100ns &&
        raw->start_100ns <= series->now_100ns)
        item->more->created_100ns = raw->start_100ns;
    memset(item->more->above, 0, sizeof item->more->above);
}

/* Compare the values of this sample with those of the entry, which are from the last sample that
 * had the counter. */
static void compare_counts(const prfdata_series *series, series_entry *item,
                           const prfdata_series_raw *raw)
{
    if (counts_started_again(item, raw)) {
        note_new_start(series, item, raw);
        return;
    }
    for (size_t i = 0; i < PRFDATA_SERIES_COUNTS; i++) {
        if (get_raw_count(raw, i) < get_last_count(item, i))
            item->more->above[i] += (uint64_t)1 << 32;
    }
}

static void remember_counts(const prfdata_series *series, series_entry *item, bool is_new,
                            const prfdata_series_raw *raw)
{
    prfdata_series_more *more = item->more;

    item->last = get_raw_count(raw, 0);
    more->last_base = get_raw_count(raw, 1);
    memcpy(item->bytes, raw->bytes, sizeof item->bytes);
    if (is_new || more->start != raw->start)
        more->start_100ns = raw->start_100ns;
    more->start = raw->start;
    item->seen_100ns = series->now_100ns;
    item->is_plain = raw->bytes[1] == 0 && more->last_base == 0 && more->above[0] == 0 &&
                     more->start == 0 && more->start_100ns == 0 && more->created_100ns == 0;
}

bool prfdata_series_update_any(prfdata_series *series, const prfdata_series_key *key,
                               const prfdata_series_raw *raw, prfdata_series_state *state)
{
    series_entry *item = entry_after_last(series, key);
    bool is_new = false;

    if (item)
        series->last = series->entries[series->last].next;
    else
        item = entry_of_key(series, key, &is_new);
    if (!item) {
        *state = (prfdata_series_state){.counts = {get_raw_count(raw, 0), get_raw_count(raw, 1)},
                                        .start_100ns = raw->start_100ns};
        return false;
    }
    item->label_number = key->label_number;
    if (!is_new)
        compare_counts(series, item, raw);
    remember_counts(series, item, is_new, raw);
    *state = (prfdata_series_state){
        .counts = {item->more->above[0] + item->last, item->more->above[1] + item->more->last_base},
        .created_100ns = item->more->created_100ns,
        .start_100ns = item->more->start_100ns};
    return true;
}

size_t prfdata_series_count(const prfdata_series *series)
{
    return series->count;
}
