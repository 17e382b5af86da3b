/* SPDX-License-Identifier: MIT */
/*
 * Keeps the newest samples, as they came: what the chart is filled from when a counter is added to
 * it, what the table goes back to, and what is saved as a recording afterwards. The oldest go when
 * there are too many bytes: of each sample its own and those of its entry count, so that many small
 * ones take no more memory than a few large ones. One thread at a time.
 */
#ifndef PRFDATA_READER_TIMELINE_H
#define PRFDATA_READER_TIMELINE_H

#include "block/recording.h"
#include "block/title_moves.h"
#include "block/title_set.h"

typedef struct prfdata_timeline_entry {
    int64_t time_ms; /* since 1601, UTC; at least 2 ms after the one before */
    void *bytes;     /* owned */
    size_t size;
    prfdata_title_set asked;     /* the objects that it should have; owned; empty: all */
    prfdata_title_set missing;   /* objects that it should not have, and whose lines show that: if
                                    is_noted, because they were silent; otherwise because nobody knows
                                    whether it was asked for them; owned */
    prfdata_recording_note note; /* owned */
    bool is_noted;               /* the note says for which objects it was asked */
} prfdata_timeline_entry;

typedef struct prfdata_timeline {
    prfdata_timeline_entry *entries;
    size_t count;
    size_t capacity;
    size_t total_bytes; /* of samples and entries */
    size_t most_bytes;
} prfdata_timeline;

/* Begin with nothing. */
void prfdata_timeline_init(prfdata_timeline *timeline, size_t most_bytes);

/* Release everything; the timeline is as after prfdata_timeline_init(). */
void prfdata_timeline_free(prfdata_timeline *timeline);

/* The time of a sample by the clock of its computer. */
int64_t prfdata_timeline_time_ms(const prfdata_sample *sample);

/*
 * Add a copy of a sample. The newest is always kept.
 *
 * asked    The objects that it should have; copied. NULL or empty: all.
 * time_ms  Set to its time, moved if it is not 2 ms after the newest.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_timeline_add(prfdata_timeline *timeline, const prfdata_sample *sample,
                              const prfdata_title_set *asked, int64_t *time_ms);

/* Note what is known of the objects that the newest sample lacks; copied. Without memory nothing is
 * known. */
void prfdata_timeline_note(prfdata_timeline *timeline, const prfdata_recording_note *note);

/* Whether an object did not answer between an entry and the one before. */
bool prfdata_timeline_has_failed(const prfdata_timeline *timeline, size_t at, uint32_t title);

/* What is wrong with the samples of recordings. {0}: nothing. */
typedef struct prfdata_timeline_damage {
    size_t samples;        /* that the files have */
    size_t left_out;       /* of these: they are no data blocks */
    size_t first_left_out; /* where the first of them is in its file */
    size_t in_part;        /* they are shown without what is damaged in them */
    size_t first_in_part;
} prfdata_timeline_damage;

/*
 * Add the samples of a recording. What is no data block is left out, because it has neither a time
 * nor values; all objects have failed then.
 *
 * bytes   The file's; copied.
 * damage  Gets what is added.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY: some are there.
 */
uint32_t prfdata_timeline_add_recording(prfdata_timeline *timeline, const void *bytes,
                                        const prfdata_recording *recording,
                                        prfdata_timeline_damage *damage);

/*
 * Find out for which objects each sample was asked, after the last recording was added, by the
 * notes. Of samples without notes one may lack an object that those around it have: it is supposed
 * that it was not asked for then. Returns false: that is not known.
 */
bool prfdata_timeline_find_asked(prfdata_timeline *timeline);

/* Give what the samples have the title indexes of now. */
void prfdata_timeline_move_titles(prfdata_timeline *timeline, const prfdata_title_moves *moves);

/* Decode a copy of an entry; NULL: no memory. Owner: the caller; prfdata_sample_free(). */
prfdata_sample *prfdata_timeline_sample(const prfdata_timeline *timeline, size_t at);

/* The last entry that is not after a time; 0 if all are. There is at least one entry. */
size_t prfdata_timeline_find(const prfdata_timeline *timeline, int64_t time_ms);

/* Put all entries as a recording (block/recording.h). */
void prfdata_timeline_put(const prfdata_timeline *timeline, const prfdata_titles *titles,
                          prfdata_output *output);

#endif
