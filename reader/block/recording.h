/* SPDX-License-Identifier: MIT */
/*
 * Describes and reads a recording: a file of several samples. It begins like a saved block, with
 * the first sample and its titles (saved_block.h). After that, in any number and order, come
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
 *                      4  number of objects that were asked for separately, at most 256
 *                      4  number of objects that did not answer before the sample, at most 256
 *                         the title indexes of both lists, 4 bytes each
 *   - titles, in the form described in saved_block.h. If an index already has a text, the first
 *     text stays.
 *
 * The note tells why an object is missing in the sample. A slow provider is asked separately, and
 * its answers become other samples. The first list names the objects of slow providers, so this
 * sample need not contain them. An object that is neither in the sample nor in the first list was
 * asked for and did not answer. The second list names the objects that did not answer when they
 * were asked between the previous sample and this one. Index 0 in the second list means that no
 * object answered, or that nobody asked, for instance because the computer slept. The first sample
 * of a file has no note.
 *
 * Programs that do not know notes can skip them and read all samples, because each block states its
 * length.
 *
 * A program appends each sample immediately, so a recording may end in the middle of a part.
 * Everything before this part is read.
 */
#ifndef PRFDATA_READER_RECORDING_H
#define PRFDATA_READER_RECORDING_H

#include "block/saved_block.h"
#include "block/title_set.h"

typedef struct prfdata_recording_block {
    size_t offset; /* offset of the block, in the file */
    size_t size;
    size_t note_size; /* bytes of the note after the block; 0: none */
} prfdata_recording_block;

/* Says why a sample lacks objects. {0}: they were asked for, and did not answer. */
typedef struct prfdata_recording_note {
    /* Objects that were asked for separately and are in other samples. */
    prfdata_title_set elsewhere;
    /*
     * Objects that did not answer since the previous sample. Index 0: no object answered, or nobody
     * asked.
     */
    prfdata_title_set failed;
} prfdata_recording_note;

typedef struct prfdata_recording {
    prfdata_recording_block *blocks; /* at least one; owned */
    size_t count;
    size_t capacity;
    prfdata_titles titles;
    const char *mistake;   /* describes the invalid part, static storage; NULL: none */
    size_t mistake_offset; /* where the invalid part begins; everything before it is used */
    bool is_foreign;       /* the bytes after the first block are not of this format */
} prfdata_recording;

/*
 * Append a sample that is not the first. Nothing is appended if the block states more bytes than
 * the sample has, or fewer than its header.
 * note  Why the sample lacks some objects; NULL: unknown.
 */
void prfdata_recording_put(prfdata_output *output, const prfdata_sample *sample,
                           const prfdata_recording_note *note);

/*
 * Read the note of a block.
 *
 * bytes  Content of the file.
 * note   {0} before; always release it with prfdata_recording_note_free(), whatever is returned.
 *
 * Returns false if there is no note that this program can read, or no memory.
 */
bool prfdata_recording_get_note(const void *bytes, const prfdata_recording_block *block,
                                prfdata_recording_note *note);

/* Release the content and leave {0}. */
void prfdata_recording_note_free(prfdata_recording_note *note);

/*
 * Find the samples of a file and read its titles. Checks the header of the first block. Of the
 * other blocks, reads only TotalByteLength, to find their notes.
 *
 * recording  Set on success; release with prfdata_recording_free(). Offsets are relative to
 *            `bytes`.
 * error      Set on ERROR_INVALID_DATA.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_DATA (the file does not begin with a data block's header) or
 * ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_recording_read(const void *bytes, size_t size, prfdata_recording *recording,
                                prfdata_decode_error *error);

/* Release everything and leave {0}. */
void prfdata_recording_free(prfdata_recording *recording);

#endif
