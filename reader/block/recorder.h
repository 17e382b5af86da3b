/* SPDX-License-Identifier: MIT */
/*
 * Makes the bytes of a recording (block/recording.h) sample by sample, in pieces small enough for a
 * reader to open. The caller writes the files.
 */
#ifndef PRFDATA_READER_RECORDER_H
#define PRFDATA_READER_RECORDER_H

#include "block/recording.h"
#include "block/title_set.h"

typedef struct prfdata_recorder {
    size_t most_bytes;        /* largest size of a piece of several samples */
    size_t bytes;             /* size of this piece so far; most_bytes if the piece is larger, or if
                                 the next sample must begin another piece */
    uint32_t piece;           /* number of the piece, from 1; 0: nothing was recorded */
    prfdata_title_set titled; /* objects and counters whose titles this piece has */
} prfdata_recorder;

/* Limit for a piece, so that readers can open it quickly. */
#define PRFDATA_RECORDER_PIECE_BYTES (PRFDATA_SAVED_BLOCK_LIMIT / 4)

/* Begin a recording. A piece exceeds most_bytes only if a single sample does. */
void prfdata_recorder_init(prfdata_recorder *recorder, size_t most_bytes);

/* Release everything; prfdata_recorder_init() can begin again. */
void prfdata_recorder_free(prfdata_recorder *recorder);

/*
 * Put a sample. If any of its titles is new in this piece, put all its titles too.
 *
 * note    Why the sample lacks some objects; NULL: unknown. The first sample of a piece has no
 *         place for a note, so its note is not written.
 * output  Empty at first; gets the bytes to append.
 *
 * Returns whether the sample begins a piece.
 */
bool prfdata_recorder_put(prfdata_recorder *recorder, const prfdata_sample *sample,
                          const prfdata_recording_note *note, const prfdata_titles *titles,
                          prfdata_output *output);

/* Begin another piece with the next sample, because titles have changed. */
void prfdata_recorder_renew(prfdata_recorder *recorder);

/* Returns whether to replace a file that already has the piece's name. Only the first file is
 * replaced, because the user was asked about it. */
bool prfdata_recorder_may_replace(const prfdata_recorder *recorder);

/* Give the piece the next name. Call this if a file with the piece's name already exists. */
void prfdata_recorder_skip_name(prfdata_recorder *recorder);

/* Put the file name of the current piece: the name of the first piece, with "-2" and so on before
 * its extension. */
void prfdata_recorder_put_name(const prfdata_recorder *recorder, prfdata_text first,
                               prfdata_output *output);

#endif
