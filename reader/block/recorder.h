/* SPDX-License-Identifier: MIT */
/*
 * A recording (block/recording.h) as its samples come, in pieces of a size that can be read again.
 * It gives the bytes to append; the files are the caller's.
 */
#ifndef PRFDATA_READER_RECORDER_H
#define PRFDATA_READER_RECORDER_H

#include "block/recording.h"
#include "block/title_set.h"

typedef struct prfdata_recorder {
    size_t most_bytes;        /* of a piece */
    size_t bytes;             /* of this one */
    uint32_t piece;           /* from 1; 0: nothing was recorded */
    prfdata_title_set titled; /* the objects whose titles this piece has */
} prfdata_recorder;

/* Of a piece that every reader opens in no time. */
#define PRFDATA_RECORDER_PIECE_BYTES (PRFDATA_SAVED_BLOCK_LIMIT / 4)

/* Begin. A piece is larger than most_bytes only if one sample is. */
void prfdata_recorder_init(prfdata_recorder *recorder, size_t most_bytes);

/* Release everything; prfdata_recorder_init() begins again. */
void prfdata_recorder_free(prfdata_recorder *recorder);

/*
 * Put a sample, with the titles of objects that are new in this piece.
 *
 * note    What is known of the objects that it lacks; NULL: nothing. The first sample of a piece
 * has no place for it. output  Empty at first; gets what is to be appended.
 *
 * Returns whether it begins another piece.
 */
bool prfdata_recorder_put(prfdata_recorder *recorder, const prfdata_sample *sample,
                          const prfdata_recording_note *note, const prfdata_titles *titles,
                          prfdata_output *output);

/* Begin another piece with the next sample: titles have changed. */
void prfdata_recorder_renew(prfdata_recorder *recorder);

/* Whether a file that has the name of the piece is replaced: the user was asked about the first. */
bool prfdata_recorder_may_replace(const prfdata_recorder *recorder);

/* There is a file of that name: the piece gets the next one. */
void prfdata_recorder_skip_name(prfdata_recorder *recorder);

/* Put the name of the piece that is written: that of the first, with "-2" and so on before its
 * extension. */
void prfdata_recorder_put_name(const prfdata_recorder *recorder, prfdata_text first,
                               prfdata_output *output);

#endif
