/* SPDX-License-Identifier: MIT */
/* Keeps replies as bytes: decoding takes ten times their memory, and few are looked at again. */
#include "view/timeline.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "core/array.h"

#define TICKS_PER_MS 10000 /* of PerfTime100nSec */

void prfdata_timeline_init(prfdata_timeline *timeline, size_t most_bytes)
{
    memset(timeline, 0, sizeof *timeline);
    timeline->most_bytes = most_bytes;
}

void prfdata_timeline_free(prfdata_timeline *timeline)
{
    for (size_t i = 0; i < timeline->count; i++)
        free(timeline->entries[i].bytes);
    free(timeline->entries);
    prfdata_timeline_init(timeline, timeline->most_bytes);
}

static void drop_oldest_entries(prfdata_timeline *timeline)
{
    size_t dropped = 0;

    while (timeline->total_bytes > timeline->most_bytes && dropped + 1 < timeline->count) {
        timeline->total_bytes -= timeline->entries[dropped].size;
        free(timeline->entries[dropped].bytes);
        dropped++;
    }
    if (dropped == 0)
        return;
    timeline->count -= dropped;
    memmove(timeline->entries, timeline->entries + dropped,
            timeline->count * sizeof *timeline->entries);
}

/* A time of the file's choosing: its order is not. */
static int64_t next_time_ms(const prfdata_timeline *timeline, int64_t time_ms)
{
    int64_t newest_ms;

    if (timeline->count == 0)
        return time_ms;
    newest_ms = timeline->entries[timeline->count - 1].time_ms;
    return time_ms > newest_ms ? time_ms : newest_ms + 1;
}

static uint32_t add_entry(prfdata_timeline *timeline, const void *bytes, size_t size,
                          int64_t time_ms)
{
    prfdata_timeline_entry *entries = prfdata_array_reserve(timeline->entries, &timeline->capacity,
                                                            timeline->count + 1, sizeof *entries);
    void *copy = malloc(size > 0 ? size : 1);

    if (entries)
        timeline->entries = entries;
    if (!entries || !copy) {
        free(copy);
        return ERROR_NOT_ENOUGH_MEMORY;
    }
    if (size > 0)
        memcpy(copy, bytes, size);
    entries[timeline->count].time_ms = next_time_ms(timeline, time_ms);
    entries[timeline->count].bytes = copy;
    entries[timeline->count].size = size;
    timeline->count++;
    timeline->total_bytes += size;
    drop_oldest_entries(timeline);
    return ERROR_SUCCESS;
}

uint32_t prfdata_timeline_add(prfdata_timeline *timeline, const prfdata_sample *sample,
                              int64_t *time_ms)
{
    const uint32_t status = add_entry(timeline, sample->bytes, sample->size,
                                      sample->block.header.perf_time_100ns / TICKS_PER_MS);

    if (status == ERROR_SUCCESS)
        *time_ms = timeline->entries[timeline->count - 1].time_ms;
    return status;
}

uint32_t prfdata_timeline_add_recording(prfdata_timeline *timeline, const void *bytes,
                                        const prfdata_recording *recording, size_t *skipped)
{
    uint32_t status = ERROR_SUCCESS;

    *skipped = 0;
    for (size_t i = 0; status == ERROR_SUCCESS && i < recording->count; i++) {
        const prfdata_recording_block *block = &recording->blocks[i];
        const unsigned char *at = (const unsigned char *)bytes + block->offset;
        prfdata_decode_block header = {0};
        prfdata_decode_error error;

        if (prfdata_decode_open(at, block->size, &header, &error) == ERROR_INVALID_DATA) {
            (*skipped)++;
            continue;
        }
        status = add_entry(timeline, at, block->size, header.header.perf_time_100ns / TICKS_PER_MS);
    }
    return status;
}

prfdata_sample *prfdata_timeline_sample(const prfdata_timeline *timeline, size_t at)
{
    const prfdata_timeline_entry *entry = &timeline->entries[at];
    prfdata_sample *sample = NULL;
    void *copy = malloc(entry->size > 0 ? entry->size : 1);

    if (!copy)
        return NULL;
    memcpy(copy, entry->bytes, entry->size);
    if (prfdata_sample_make(copy, entry->size, &sample) != ERROR_SUCCESS)
        free(copy);
    return sample;
}

size_t prfdata_timeline_find(const prfdata_timeline *timeline, int64_t time_ms)
{
    size_t low = 0;
    size_t high = timeline->count;

    while (low + 1 < high) {
        const size_t middle = low + (high - low) / 2;

        if (timeline->entries[middle].time_ms <= time_ms)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Whether a sample has the objects of the one before: then it brings no new titles. */
static bool has_same_objects(const prfdata_sample *a, const prfdata_sample *b)
{
    if (a->object_count != b->object_count)
        return false;
    for (uint32_t i = 0; i < a->object_count; i++) {
        if (a->objects[i].wire.header.object_name_title_index !=
                b->objects[i].wire.header.object_name_title_index ||
            a->objects[i].counter_count != b->objects[i].counter_count)
            return false;
    }
    return true;
}

void prfdata_timeline_put(const prfdata_timeline *timeline, const prfdata_titles *titles,
                          prfdata_output *output)
{
    prfdata_sample *before = NULL;

    for (size_t i = 0; i < timeline->count; i++) {
        prfdata_sample *sample = prfdata_timeline_sample(timeline, i);

        if (!sample) {
            output->failed = true;
            break;
        }
        if (!before) {
            prfdata_saved_block_put(output, sample, titles);
        } else {
            prfdata_recording_put(output, sample);
            if (!has_same_objects(before, sample))
                prfdata_saved_block_put_titles(output, sample, titles);
        }
        prfdata_sample_free(before);
        before = sample;
    }
    prfdata_sample_free(before);
}
