/* SPDX-License-Identifier: MIT */
/*
 * Describes and reads a file of several samples. It begins as a saved block does: the first sample
 * and its titles (saved_block.h). Then follow, in any number and order,
 *
 *   - a further sample:
 *       offset  bytes
 *            0      8  signature: the characters PrfBlock
 *            8      4  version: 1
 *           12      4  bytes of the block and its note
 *           16         the block, TotalByteLength bytes
 *                      its note, which may be missing:
 *                      8  signature: the characters PrfAsked
 *                      4  version: 1
 *                      4  number of objects that the sample need not have, at most 256
 *                      4  number of objects that did not answer before the sample, at most 256
 *                         these objects, the title index of each in 4 bytes
 *   - titles, as saved_block.h has them. Of an index that has a text already, the first stays.
 *
 * The note says what it means that an object is not in the sample. A slow provider is asked by
 * itself, and its answers are other samples: its objects are those that this one need not have. An
 * object that is in neither the sample nor this list was asked for in vain, and so was one that did
 * not answer since the sample before; index 0 stands for all objects. The first sample of a file
 * has no note. Programs that do not know notes skip them, because a block says how long it is, and
 * read all samples.
 *
 * A program appends each sample as it takes it: a recording that ends in the middle of a part is
 * read up to there. Readers of one block find the first, and see that something follows it.
 */
#ifndef PRFDATA_READER_RECORDING_H
#define PRFDATA_READER_RECORDING_H

#include "block/saved_block.h"
#include "block/title_set.h"

typedef struct prfdata_recording_block {
    size_t offset; /* in the file */
    size_t size;
    size_t note_size; /* of what follows it; 0: there is no note */
} prfdata_recording_block;

/* What is known of the objects that a sample lacks. {0}: they were asked for in vain. */
typedef struct prfdata_recording_note {
    prfdata_title_set elsewhere; /* it need not have these: they are in other samples */
    prfdata_title_set failed;    /* these did not answer since the sample before; with 0: all */
} prfdata_recording_note;

typedef struct prfdata_recording {
    prfdata_recording_block *blocks; /* at least one; owned */
    size_t count;
    size_t capacity;
    prfdata_titles titles; /* of all of them */
    const char *mistake;   /* what is wrong, static storage; NULL: nothing */
    size_t mistake_offset; /* where; all before it is used */
    bool is_foreign;       /* what follows the first block was not meant for us */
} prfdata_recording;

/*
 * Append a sample that is not the first. Nothing is appended if it is not as long as it says.
 * note  NULL: nothing is known.
 */
void prfdata_recording_put(prfdata_output *output, const prfdata_sample *sample,
                           const prfdata_recording_note *note);

/*
 * Read the note of a block.
 *
 * bytes  The file's.
 * note   {0} before; release with prfdata_recording_note_free(), whatever is returned.
 *
 * Returns false: there is none that this program can read, or no memory.
 */
bool prfdata_recording_get_note(const void *bytes, const prfdata_recording_block *block,
                                prfdata_recording_note *note);

/* Copy; without memory `to` is {0} and false is returned. */
bool prfdata_recording_note_copy(const prfdata_recording_note *from, prfdata_recording_note *to);

/* Release what is in it; {0} is left. */
void prfdata_recording_note_free(prfdata_recording_note *note);

/*
 * Find the samples of a file and read its titles. Blocks are not looked into, but for the first
 * one's header.
 *
 * recording  Set on success; release with prfdata_recording_free(). Offsets are in `bytes`.
 * error      Set on ERROR_INVALID_DATA.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_DATA (it does not begin with a data block's header) or
 *         ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_recording_read(const void *bytes, size_t size, prfdata_recording *recording,
                                prfdata_decode_error *error);

/* Release everything; {0} is left. */
void prfdata_recording_free(prfdata_recording *recording);

#endif
