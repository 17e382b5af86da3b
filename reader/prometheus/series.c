/* SPDX-License-Identifier: MIT */
#include "prometheus/series.h"

#include <stdlib.h>
#include <string.h>

#define FORGET_AFTER_100NS 6000000000 /* ten minutes */
#define FIRST_BUCKETS      256

typedef struct entry {
    struct entry *next;
    uint64_t hash;
    size_t key_bytes;
    uint64_t last[PRFDATA_SERIES_COUNTS];
    uint64_t above[PRFDATA_SERIES_COUNTS]; /* what wraps have added */
    uint32_t bytes[PRFDATA_SERIES_COUNTS];
    uint64_t start;
    int64_t start_100ns;
    int64_t created_100ns;
    int64_t seen_100ns;
    unsigned char key[1]; /* key_bytes */
} entry;

struct prfdata_series {
    entry **buckets;
    size_t bucket_count; /* a power of two */
    size_t count;
    size_t bytes;
    size_t max_count;
    size_t max_bytes;
    int64_t now_100ns;
    int64_t before_100ns; /* of the sample before */
    bool was_full;        /* in this sample, room was made already */
};

prfdata_series *prfdata_series_make(size_t max_count, size_t max_bytes)
{
    prfdata_series *series = calloc(1, sizeof *series);

    if (!series)
        return NULL;
    series->buckets = calloc(FIRST_BUCKETS, sizeof *series->buckets);
    if (!series->buckets) {
        free(series);
        return NULL;
    }
    series->bucket_count = FIRST_BUCKETS;
    series->max_count = max_count;
    series->max_bytes = max_bytes;
    return series;
}

/* Forget everything that was seen last before `time_100ns`. */
static void forget(prfdata_series *series, int64_t time_100ns)
{
    for (size_t i = 0; i < series->bucket_count; i++) {
        entry **link = &series->buckets[i];

        while (*link) {
            entry *item = *link;

            if (item->seen_100ns >= time_100ns) {
                link = &item->next;
                continue;
            }
            *link = item->next;
            series->count--;
            series->bytes -= item->key_bytes;
            free(item);
        }
    }
}

void prfdata_series_free(prfdata_series *series)
{
    if (!series)
        return;
    forget(series, INT64_MAX);
    for (size_t i = 0; i < series->bucket_count; i++)
        free(series->buckets[i]); /* seen at the end of time */
    free(series->buckets);
    free(series);
}

/* Somebody set the clock back: nothing was seen in the future. */
static void set_back(prfdata_series *series, int64_t time_100ns)
{
    for (size_t i = 0; i < series->bucket_count; i++) {
        for (entry *item = series->buckets[i]; item; item = item->next) {
            if (item->seen_100ns > time_100ns)
                item->seen_100ns = time_100ns;
        }
    }
}

void prfdata_series_begin(prfdata_series *series, int64_t time_100ns)
{
    if (time_100ns == series->now_100ns)
        return;
    if (time_100ns < series->now_100ns)
        set_back(series, time_100ns);
    series->before_100ns = series->now_100ns < time_100ns ? series->now_100ns : time_100ns;
    series->now_100ns = time_100ns;
    series->was_full = false;
    if (time_100ns > INT64_MIN + FORGET_AFTER_100NS)
        forget(series, time_100ns - FORGET_AFTER_100NS);
}

/* FNV-1a */
static uint64_t hash_of(const unsigned char *key, size_t key_bytes)
{
    uint64_t hash = 0xCBF29CE484222325u;

    for (size_t i = 0; i < key_bytes; i++)
        hash = (hash ^ key[i]) * 0x100000001B3u;
    return hash ^ hash >> 32;
}

/* Twice as many buckets; without memory it goes on with those that it has. */
static void grow(prfdata_series *series)
{
    size_t bucket_count = series->bucket_count * 2;
    entry **buckets = calloc(bucket_count, sizeof(entry *));

    if (!buckets)
        return;
    for (size_t i = 0; i < series->bucket_count; i++) {
        entry *item = series->buckets[i];

        while (item) {
            entry *next = item->next;
            entry **bucket = &buckets[item->hash & (bucket_count - 1)];

            item->next = *bucket;
            *bucket = item;
            item = next;
        }
    }
    free(series->buckets);
    series->buckets = buckets;
    series->bucket_count = bucket_count;
}

static entry *find(const prfdata_series *series, uint64_t hash, const void *key, size_t key_bytes)
{
    entry *item = series->buckets[hash & (series->bucket_count - 1)];

    while (item && (item->hash != hash || item->key_bytes != key_bytes ||
                    memcmp(item->key, key, key_bytes) != 0))
        item = item->next;
    return item;
}

static bool has_room(const prfdata_series *series, size_t key_bytes)
{
    return series->count < series->max_count && key_bytes <= series->max_bytes &&
           series->bytes <= series->max_bytes - key_bytes;
}

static entry *add(prfdata_series *series, uint64_t hash, const void *key, size_t key_bytes)
{
    entry **bucket;
    entry *item;

    if (!has_room(series, key_bytes) && !series->was_full) {
        series->was_full = true;
        forget(series, series->before_100ns); /* what the sample before did not have */
    }
    if (!has_room(series, key_bytes))
        return NULL;
    item = calloc(1, sizeof *item + key_bytes);
    if (!item)
        return NULL;
    if (series->count >= series->bucket_count)
        grow(series);
    bucket = &series->buckets[hash & (series->bucket_count - 1)];
    item->next = *bucket;
    item->hash = hash;
    item->key_bytes = key_bytes;
    memcpy(item->key, key, key_bytes);
    *bucket = item;
    series->count++;
    series->bytes += key_bytes;
    return item;
}

/* ---- Counts ---- */

static uint64_t count_of(const prfdata_series_raw *raw, size_t i)
{
    return raw->bytes[i] == 4 ? (uint32_t)raw->counts[i] : raw->counts[i];
}

static bool start_changed(const entry *item, const prfdata_series_raw *raw)
{
    return item->start != 0 && raw->start != 0 && raw->start != item->start;
}

static bool start_stayed(const entry *item, const prfdata_series_raw *raw)
{
    return item->start != 0 && raw->start == item->start;
}

/* Whether count `i`, which went backwards, has wrapped. */
static bool wrapped(const entry *item, const prfdata_series_raw *raw, size_t i)
{
    uint32_t forwards;

    if (raw->bytes[i] != 4 || start_changed(item, raw))
        return false;
    forwards = (uint32_t)(count_of(raw, i) - item->last[i]);
    return start_stayed(item, raw) || forwards < 0x80000000u;
}

/* Whether the counts are not those of last time, only larger. */
static bool started_again(const entry *item, const prfdata_series_raw *raw)
{
    for (size_t i = 0; i < PRFDATA_SERIES_COUNTS; i++) {
        if (raw->bytes[i] != item->bytes[i])
            return true;
        if (count_of(raw, i) < item->last[i] && !wrapped(item, raw, i))
            return true;
    }
    return false;
}

/* The last time at which the old counts were there; the start stamp if it is later. */
static void note_start(const prfdata_series *series, entry *item, const prfdata_series_raw *raw)
{
    item->created_100ns = item->seen_100ns;
    if (raw->start != 0 && raw->start_100ns > item->seen_100ns &&
        raw->start_100ns <= series->now_100ns)
        item->created_100ns = raw->start_100ns;
    memset(item->above, 0, sizeof item->above);
}

bool prfdata_series_update(prfdata_series *series, const void *key, size_t key_bytes,
                           const prfdata_series_raw *raw, prfdata_series_state *state)
{
    uint64_t hash = hash_of(key, key_bytes);
    entry *item = find(series, hash, key, key_bytes);
    bool is_new = !item;

    memset(state, 0, sizeof *state);
    if (is_new)
        item = add(series, hash, key, key_bytes);
    if (!item) {
        for (size_t i = 0; i < PRFDATA_SERIES_COUNTS; i++)
            state->counts[i] = count_of(raw, i);
        state->start_100ns = raw->start_100ns;
        return false;
    }
    if (!is_new && started_again(item, raw)) {
        note_start(series, item, raw);
    } else if (!is_new) {
        for (size_t i = 0; i < PRFDATA_SERIES_COUNTS; i++) {
            if (count_of(raw, i) < item->last[i])
                item->above[i] += (uint64_t)1 << 32;
        }
    }
    for (size_t i = 0; i < PRFDATA_SERIES_COUNTS; i++) {
        item->last[i] = count_of(raw, i);
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
