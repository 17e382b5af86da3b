/* SPDX-License-Identifier: MIT */
/*
 * Keeps the newest samples as they came. The oldest are dropped when the samples and their entries
 * have too many bytes. If samples are in files, their bytes are dropped before the entries, and are
 * read again when they are needed. Use it from one thread at a time.
 */
#ifndef PRFDATA_READER_TIMELINE_H
#define PRFDATA_READER_TIMELINE_H

#include "block/recording.h"
#include "block/title_moves.h"
#include "block/title_set.h"

typedef struct prfdata_timeline_entry {
    int64_t time_ms; /* since 1601, UTC; at least 2 ms after the previous entry */
    void *bytes;     /* owned; NULL: read them from the store */
    size_t size;
    size_t offset;           /* place in its recording, for the store */
    uint32_t recording;      /* position of its recording among those that were added */
    uint32_t move_count;     /* number of moves of titles before the entry was added */
    prfdata_title_set asked; /* the objects that the sample was asked for; owned; an empty set: all
                                objects; a set of only 0: none */
    /*
     * Objects that the sample lacks; owned. If is_noted is set, the objects were silent, and their
     * lines break. Otherwise it is unknown whether the sample was asked for the objects, and their
     * lines are dotted.
     */
    prfdata_title_set missing;
    prfdata_recording_note note; /* owned */
    bool is_noted;               /* the note says for which objects the sample was asked */
} prfdata_timeline_entry;

/* Reads samples again from the files that they are in. {0}: there are no files. */
typedef struct prfdata_timeline_store {
    void *context;
    /* Reads bytes at an offset of a recording. `recording` is the position of the recording among
     * those that were added. Returns false if the bytes cannot be read. */
    bool (*read)(void *context, uint32_t recording, size_t offset, void *bytes, size_t size);
    void (*close)(void *context);
} prfdata_timeline_store;

typedef struct prfdata_timeline {
    prfdata_timeline_entry *entries;
    size_t count;
    size_t capacity;
    size_t total_bytes; /* size of entries, and of samples in memory */
    size_t most_bytes;
    size_t stored_count; /* number of entries, from the oldest on, whose bytes were dropped because
                            they are in the store */

    prfdata_timeline_store store; /* owned; set it before the first recording is added */
    uint32_t recording_count;
    prfdata_title_moves *moves; /* moves of titles, for samples from the store; owned */
    uint32_t move_count;
    size_t move_capacity;
} prfdata_timeline;

/* Begin without samples. */
void prfdata_timeline_init(prfdata_timeline *timeline, size_t most_bytes);

/* Release everything, close the store, and set the timeline as prfdata_timeline_init() does. */
void prfdata_timeline_free(prfdata_timeline *timeline);

/* Return the time of a sample by the clock of its computer. */
int64_t prfdata_timeline_time_ms(const prfdata_sample *sample);

/*
 * Add a copy of a sample. The newest sample is always kept.
 *
 * asked    The objects that the sample was asked for; copied. NULL or empty: all.
 * time_ms  Set to the sample's time, which is moved if it is less than 2 ms after the newest.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_timeline_add(prfdata_timeline *timeline, const prfdata_sample *sample,
                              const prfdata_title_set *asked, int64_t *time_ms);

/* Returns whether an object did not answer, or was not asked for, between entry `at` and the entry
 * before. Title 0: whether this applies to all objects. */
bool prfdata_timeline_has_failed(const prfdata_timeline *timeline, size_t at, uint32_t title);

/* Damage in the samples of recordings. {0}: none. */
typedef struct prfdata_timeline_damage {
    size_t samples;  /* samples in the files */
    size_t left_out; /* number of samples that were left out, because they are not data blocks */
    size_t first_left_out; /* offset in its file of the first sample that was left out */
    size_t in_part;        /* number of samples shown without their damaged parts */
    size_t first_in_part;
} prfdata_timeline_damage;

/*
 * Add the samples of a recording. A block that is not a data block is left out, because it has
 * neither a time nor values; all objects then count as failed.
 *
 * bytes   Content of the file; copied.
 * damage  The damage is added to it.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY: some samples were added.
 */
uint32_t prfdata_timeline_add_recording(prfdata_timeline *timeline, const void *bytes,
                                        const prfdata_recording *recording,
                                        prfdata_timeline_damage *damage);

/*
 * Find out from the notes for which objects each sample was asked. Call this after the last
 * recording was added. If a sample without a note lacks an object that the samples around it have,
 * it was probably not asked for the object.
 *
 * all  {0} before; gets the objects of all samples.
 *
 * Returns false if this could not be found out, because there was no memory, a sample could not be
 * read again, or there are too many objects.
 */
bool prfdata_timeline_find_asked(prfdata_timeline *timeline, prfdata_title_set *all);

/*
 * Find the times for which there are no samples, because the recorder was stopped or the computer
 * slept. prfdata_pace_is_hole() decides. All lines break at such a time. In a recording with notes,
 * the notes tell of such times, so only the time between two recordings is examined.
 */
void prfdata_timeline_find_holes(prfdata_timeline *timeline);

/* Change the title indexes of all samples to the current ones. */
void prfdata_timeline_move_titles(prfdata_timeline *timeline, const prfdata_title_moves *moves);

/* Return a copy of an entry's bytes, with the current titles, for free(). NULL: no memory, or the
 * bytes can no longer be read. */
void *prfdata_timeline_bytes(const prfdata_timeline *timeline, size_t at);

/*
 * Decode a copy of an entry. NULL: no memory, or the bytes can no longer be read. Owner: the
 * caller; prfdata_sample_free().
 */
prfdata_sample *prfdata_timeline_sample(const prfdata_timeline *timeline, size_t at);

/*
 * Return the last entry that is not after a time; 0 if all entries are after it. The timeline must
 * have an entry.
 */
size_t prfdata_timeline_find(const prfdata_timeline *timeline, int64_t time_ms);

/* Put all entries as a recording (block/recording.h). */
void prfdata_timeline_put(const prfdata_timeline *timeline, const prfdata_titles *titles,
                          prfdata_output *output);

#endif
