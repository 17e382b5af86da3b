/* SPDX-License-Identifier: MIT */
/* Keeps replies as bytes, because decoded ones need ten times as much memory, and few are shown
 * again. */
#include "viewer/timeline.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "base/array.h"
#include "block/recorder.h"

#define TICKS_PER_MS 10000 /* ticks of PerfTime100nSec */

void prfdata_timeline_init(prfdata_timeline *timeline, size_t most_bytes)
{
    memset(timeline, 0, sizeof *timeline);
    timeline->most_bytes = most_bytes;
}

static void free_entry(prfdata_timeline_entry *entry)
{
    free(entry->bytes);
    prfdata_title_set_free(&entry->asked);
    prfdata_title_set_free(&entry->missing);
    prfdata_recording_note_free(&entry->note);
}

void prfdata_timeline_free(prfdata_timeline *timeline)
{
    for (size_t i = 0; i < timeline->count; i++)
        free_entry(&timeline->entries[i]);
    free(timeline->entries);
    for (uint32_t i = 0; i < timeline->move_count; i++)
        prfdata_title_moves_free(&timeline->moves[i]);
    free(timeline->moves);
    if (timeline->store.close)
        timeline->store.close(timeline->store.context);
    prfdata_timeline_init(timeline, timeline->most_bytes);
}

static size_t bytes_of_entry(const prfdata_timeline_entry *entry)
{
    return sizeof *entry + (entry->bytes ? entry->size : 0);
}

static void release_oldest_bytes(prfdata_timeline *timeline)
{
    while (timeline->store.read && timeline->total_bytes > timeline->most_bytes &&
           timeline->stored_count + 1 < timeline->count) {
        prfdata_timeline_entry *entry = &timeline->entries[timeline->stored_count++];

        free(entry->bytes);
        entry->bytes = NULL;
        timeline->total_bytes -= entry->size;
    }
}

static void drop_oldest_entries(prfdata_timeline *timeline)
{
    size_t dropped = 0;

    release_oldest_bytes(timeline);
    while (timeline->total_bytes > timeline->most_bytes && dropped + 1 < timeline->count) {
        timeline->total_bytes -= bytes_of_entry(&timeline->entries[dropped]);
        free_entry(&timeline->entries[dropped]);
        dropped++;
    }
    if (dropped == 0)
        return;
    timeline->count -= dropped;
    timeline->stored_count -= timeline->stored_count < dropped ? timeline->stored_count : dropped;
    memmove(timeline->entries, timeline->entries + dropped,
            timeline->count * sizeof *timeline->entries);
}

/*
 * Return the time for a new sample. A file may contain times out of order, so the returned time is
 * at least 2 ms after the newest sample. The 2 ms leave room for a gap of the chart between two
 * samples.
 */
static int64_t next_time_ms(const prfdata_timeline *timeline, int64_t time_ms)
{
    int64_t newest_ms;

    if (timeline->count == 0)
        return time_ms;
    newest_ms = timeline->entries[timeline->count - 1].time_ms;
    return time_ms > newest_ms + 1 ? time_ms : newest_ms + 2;
}

static uint32_t add_entry(prfdata_timeline *timeline, const void *bytes, size_t size, size_t offset,
                          const prfdata_title_set *asked, int64_t time_ms)
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
    entries[timeline->count] = (prfdata_timeline_entry){.time_ms = next_time_ms(timeline, time_ms),
                                                        .bytes = copy,
                                                        .size = size,
                                                        .offset = offset,
                                                        .recording = timeline->recording_count,
                                                        .move_count = timeline->move_count};
    if (asked && !prfdata_title_set_copy(asked, &entries[timeline->count].asked)) {
        free_entry(&entries[timeline->count]);
        return ERROR_NOT_ENOUGH_MEMORY; /* cppcheck-suppress memleak; free_entry() freed the copy */
    }
    timeline->total_bytes += bytes_of_entry(&entries[timeline->count++]);
    drop_oldest_entries(timeline);
    return ERROR_SUCCESS; /* cppcheck-suppress memleak; the entry owns the copy */
}

int64_t prfdata_timeline_time_ms(const prfdata_sample *sample)
{
    return sample->block.header.perf_time_100ns / TICKS_PER_MS;
}

uint32_t prfdata_timeline_add(prfdata_timeline *timeline, const prfdata_sample *sample,
                              const prfdata_title_set *asked, int64_t *time_ms)
{
    const uint32_t status = add_entry(timeline, sample->bytes, sample->size, 0, asked,
                                      prfdata_timeline_time_ms(sample));

    if (status == ERROR_SUCCESS)
        *time_ms = timeline->entries[timeline->count - 1].time_ms;
    return status;
}

bool prfdata_timeline_has_failed(const prfdata_timeline *timeline, size_t at, uint32_t title)
{
    const prfdata_title_set *failed = &timeline->entries[at].note.failed;

    return failed->count > 0 &&
           (prfdata_title_set_has(failed, 0) || prfdata_title_set_has(failed, title));
}

static bool is_damaged_object(const prfdata_decode_object *object)
{
    prfdata_decode_cursor cursor = {0};
    prfdata_decode_instance instance;
    prfdata_decode_error error;
    uint32_t status;

    do
        status = prfdata_decode_instance_next(object, &cursor, &instance, &error);
    while (status == ERROR_SUCCESS);
    return status != ERROR_NO_MORE_ITEMS;
}

static bool is_damaged_block(const prfdata_decode_block *block)
{
    prfdata_decode_cursor cursor = {0};
    prfdata_decode_object object;
    prfdata_decode_error error;
    uint32_t status;

    while ((status = prfdata_decode_object_next(block, &cursor, &object, &error)) ==
           ERROR_SUCCESS) {
        if (is_damaged_object(&object))
            return true;
    }
    return status != ERROR_NO_MORE_ITEMS;
}

static void count_damage(size_t *count, size_t *first, size_t offset)
{
    if ((*count)++ == 0)
        *first = offset;
}

/*
 * Give the newest entry the note of its block. If invalid blocks came directly before this block
 * (`has_failed`), all objects count as failed.
 */
static void note_recorded(prfdata_timeline *timeline, const void *bytes,
                          const prfdata_recording_block *part, bool has_failed)
{
    prfdata_timeline_entry *entry = &timeline->entries[timeline->count - 1];

    entry->is_noted = prfdata_recording_get_note(bytes, part, &entry->note);
    if (has_failed)
        (void)prfdata_title_set_add(&entry->note.failed, 0);
}

uint32_t prfdata_timeline_add_recording(prfdata_timeline *timeline, const void *bytes,
                                        const prfdata_recording *recording,
                                        prfdata_timeline_damage *damage)
{
    uint32_t status = ERROR_SUCCESS;
    bool has_failed = false;

    for (size_t i = 0; status == ERROR_SUCCESS && i < recording->count; i++) {
        const prfdata_recording_block *part = &recording->blocks[i];
        const unsigned char *at = (const unsigned char *)bytes + part->offset;
        prfdata_decode_block block = {0};
        prfdata_decode_error error;
        const uint32_t opened = prfdata_decode_open(at, part->size, &block, &error);

        damage->samples++;
        if (opened == ERROR_INVALID_DATA) {
            count_damage(&damage->left_out, &damage->first_left_out, part->offset);
            has_failed = true;
            continue;
        }
        if (opened != ERROR_SUCCESS || is_damaged_block(&block))
            count_damage(&damage->in_part, &damage->first_in_part, part->offset);
        status = add_entry(timeline, at, part->size, part->offset, NULL,
                           block.header.perf_time_100ns / TICKS_PER_MS);
        if (status == ERROR_SUCCESS)
            note_recorded(timeline, bytes, part, has_failed);
        has_failed = false;
    }
    timeline->recording_count++;
    return status;
}

/* Move a set of title indexes. 0 is not the index of a title, so it stays. */
static void move_set(const prfdata_title_moves *moves, prfdata_title_set *set)
{
    for (size_t at = 0; at < set->count; at++) {
        if (set->items[at] != 0)
            set->items[at] = prfdata_title_moves_to(moves, set->items[at]);
    }
}

/* Keep moves for the samples that the store reads again. If there is no memory, no sample is read
 * again, because its titles would be incorrect. */
static void keep_moves(prfdata_timeline *timeline, const prfdata_title_moves *moves)
{
    prfdata_title_moves *all = prfdata_array_reserve(timeline->moves, &timeline->move_capacity,
                                                     timeline->move_count + 1, sizeof *all);
    prfdata_title_moves *kept = all ? &all[timeline->move_count] : NULL;

    if (all)
        timeline->moves = all;
    if (kept)
        *kept = (prfdata_title_moves){.items = malloc((moves->count + 1) * sizeof *kept->items),
                                      .count = moves->count,
                                      .capacity = moves->count + 1};
    if (!kept || !kept->items) {
        timeline->store.read = NULL;
        return;
    }
    if (moves->count > 0)
        memcpy(kept->items, moves->items, moves->count * sizeof *kept->items);
    timeline->move_count++;
}

void prfdata_timeline_move_titles(prfdata_timeline *timeline, const prfdata_title_moves *moves)
{
    if (timeline->store.read)
        keep_moves(timeline, moves);
    for (size_t i = 0; i < timeline->count; i++) {
        prfdata_timeline_entry *entry = &timeline->entries[i];

        if (entry->bytes)
            prfdata_title_moves_apply(moves, entry->bytes, entry->size);
        move_set(moves, &entry->asked);
        move_set(moves, &entry->missing);
        move_set(moves, &entry->note.elsewhere);
        move_set(moves, &entry->note.failed);
    }
}

static bool read_stored(const prfdata_timeline *timeline, const prfdata_timeline_entry *entry,
                        void *bytes)
{
    if (!timeline->store.read || !timeline->store.read(timeline->store.context, entry->recording,
                                                       entry->offset, bytes, entry->size))
        return false;
    for (uint32_t i = entry->move_count; i < timeline->move_count; i++)
        prfdata_title_moves_apply(&timeline->moves[i], bytes, entry->size);
    return true;
}

void *prfdata_timeline_bytes(const prfdata_timeline *timeline, size_t at)
{
    const prfdata_timeline_entry *entry = &timeline->entries[at];
    void *copy = malloc(entry->size > 0 ? entry->size : 1);

    if (!copy)
        return NULL;
    if (entry->bytes) {
        memcpy(copy, entry->bytes, entry->size);
    } else if (!read_stored(timeline, entry, copy)) {
        free(copy);
        return NULL;
    }
    return copy;
}

prfdata_sample *prfdata_timeline_sample(const prfdata_timeline *timeline, size_t at)
{
    prfdata_sample *sample = NULL;
    void *copy = prfdata_timeline_bytes(timeline, at);

    if (copy && prfdata_sample_make(copy, timeline->entries[at].size, &sample) != ERROR_SUCCESS)
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

/* Return the entry's note; NULL: it is unknown why the sample lacks objects. */
static const prfdata_recording_note *note_of(const prfdata_timeline_entry *entry)
{
    return entry->is_noted || entry->note.failed.count > 0 ? &entry->note : NULL;
}

void prfdata_timeline_put(const prfdata_timeline *timeline, const prfdata_titles *titles,
                          prfdata_output *output)
{
    prfdata_recorder recorder;

    prfdata_recorder_init(&recorder, SIZE_MAX);
    for (size_t i = 0; i < timeline->count && !output->failed; i++) {
        prfdata_sample *sample = prfdata_timeline_sample(timeline, i);
        prfdata_output part = {0};

        if (sample)
            (void)prfdata_recorder_put(&recorder, sample, note_of(&timeline->entries[i]), titles,
                                       &part);
        prfdata_output_put(output, part.bytes, part.used);
        output->failed = output->failed || part.failed || !sample;
        prfdata_output_free(&part);
        prfdata_sample_free(sample);
    }
    prfdata_recorder_free(&recorder);
}
