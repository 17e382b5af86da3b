/* SPDX-License-Identifier: MIT */
/* Reads saved blocks: one file, or an older and a newer one of the same computer. */
#include "source/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "block/recording.h"
#include "os/files.h"
#include "source/file_pair.h"
#include "text/output.h"

#define COMPUTER_CHARS 256

typedef struct saved_file {
    prfdata_text path; /* borrowed */
    prfdata_files_view view;
    prfdata_recording recording;
    size_t next;                /* position of the next block in recording.blocks */
    prfdata_decode_block block; /* block of the first sample; points into `view` */
    uint16_t computer_chars[COMPUTER_CHARS];
    prfdata_text computer; /* empty if the block names no computer */
    bool is_cut_short;
} saved_file;

typedef struct file_source {
    prfdata_source source;
    saved_file files[2];
    unsigned count;
    unsigned next;
} file_source;

/* ---- One file ---- */

static void report_mistake(prfdata_messages *messages, const saved_file *file)
{
    prfdata_messages_add(messages, PRFDATA_SEVERITY_WARNING, file->path, "byte %lu: %s",
                         (unsigned long)file->recording.mistake_offset, file->recording.mistake);
}

/* Returns whether a file begins like a block, with the characters PERF in UTF-16. If the file has
 * 1 to 7 bytes, they must agree with the first of these 8 bytes. An empty file does not count. */
static bool begins_like_block(const saved_file *file)
{
    static const unsigned char signature[] = {'P', 0, 'E', 0, 'R', 0, 'F', 0};
    const size_t count = file->view.size < sizeof signature ? file->view.size : sizeof signature;

    return count > 0 && memcmp(file->view.bytes, signature, count) == 0;
}

static uint32_t report_no_block(prfdata_messages *messages, const saved_file *file,
                                const prfdata_decode_error *error)
{
    const prfdata_text path = file->path;
    char what[200];

    if (file->view.size < sizeof(prfdata_perf_data_block) && begins_like_block(file)) {
        prfdata_messages_add(messages, PRFDATA_SEVERITY_ERROR, path,
                             "the file is cut short: the header of a saved block has %u bytes, "
                             "but the file has %u",
                             (unsigned)sizeof(prfdata_perf_data_block), (unsigned)file->view.size);
        return ERROR_INVALID_DATA;
    }
    if (!begins_like_block(file)) {
        prfdata_messages_add(messages, PRFDATA_SEVERITY_ERROR, path,
                             "is not a saved block of performance data: it does not begin with "
                             "\"PERF\"");
        return ERROR_INVALID_DATA;
    }
    prfdata_decode_error_text(error, what, sizeof what);
    prfdata_messages_add(messages, PRFDATA_SEVERITY_ERROR, path,
                         "is a damaged block of performance data: %s", what);
    return ERROR_INVALID_DATA;
}

typedef struct saved_file_opening {
    saved_file *file;
    prfdata_messages *messages;
    uint32_t status;
} saved_file_opening;

static void read_first_block(saved_file *file, prfdata_messages *messages)
{
    prfdata_decode_error error;

    file->is_cut_short = prfdata_decode_open(file->view.bytes, file->recording.blocks[0].size,
                                             &file->block, &error) == ERROR_MORE_DATA;
    if (file->is_cut_short)
        prfdata_messages_add(
            messages, PRFDATA_SEVERITY_WARNING, file->path,
            "the file is cut short: its block has %lu bytes, of which %lu are here",
            (unsigned long)file->block.header.total_byte_length, (unsigned long)file->view.size);
    file->computer.chars = file->computer_chars;
    (void)prfdata_decode_computer(&file->block, file->computer_chars, COMPUTER_CHARS,
                                  &file->computer.count, &error);
}

/* Called by prfdata_files_view_read(), which guards against faults. */
static void read_recording(void *context)
{
    saved_file_opening *opening = context;
    saved_file *file = opening->file;
    prfdata_decode_error error;

    opening->status =
        prfdata_recording_read(file->view.bytes, file->view.size, &file->recording, &error);
    if (opening->status == ERROR_INVALID_DATA) {
        (void)report_no_block(opening->messages, file, &error);
    } else if (opening->status != ERROR_SUCCESS) {
        prfdata_messages_add_system(opening->messages, file->path, opening->status,
                                    "cannot read the titles");
    } else {
        if (file->recording.mistake)
            report_mistake(opening->messages, file);
        read_first_block(file, opening->messages);
    }
}

static uint32_t report_shorter(prfdata_messages *messages, prfdata_text path)
{
    prfdata_messages_add(messages, PRFDATA_SEVERITY_ERROR, path,
                         "the file became shorter while it was read");
    return ERROR_INVALID_DATA;
}

static uint32_t load_saved_file(prfdata_text path, prfdata_messages *messages, saved_file *file)
{
    saved_file_opening opening = {file, messages, ERROR_SUCCESS};
    uint32_t status = prfdata_files_view_open(path, PRFDATA_SAVED_BLOCK_LIMIT, true, &file->view);

    file->path = path;
    if (status == ERROR_MORE_DATA)
        prfdata_messages_add(messages, PRFDATA_SEVERITY_ERROR, path,
                             "has more than 256 MiB, so it must be a file on a disk");
    else if (status != ERROR_SUCCESS)
        prfdata_messages_add_system(messages, path, status, "cannot read the file");
    if (status != ERROR_SUCCESS)
        return status;
    return prfdata_files_view_read(&file->view, read_recording, &opening)
               ? opening.status
               : report_shorter(messages, path);
}

/* ---- Two files ---- */

static prfdata_file_pair_part pair_part(const saved_file *file)
{
    return (prfdata_file_pair_part){file->path, &file->block.header, file->computer,
                                    &file->recording.titles};
}

static uint32_t check_pair(const saved_file *older, const saved_file *newer,
                           prfdata_messages *messages)
{
    const prfdata_file_pair_part parts[] = {pair_part(older), pair_part(newer)};

    return prfdata_file_pair_check(&parts[0], &parts[1], messages);
}

/* ---- The source ---- */

typedef struct saved_copy {
    const saved_file *file;
    const prfdata_recording_block *block;
    void *bytes;
} saved_copy;

/* Called by prfdata_files_view_read(), which guards against faults. */
static void copy_block(void *context)
{
    const saved_copy *copy = context;

    memcpy(copy->bytes, (const char *)copy->file->view.bytes + copy->block->offset,
           copy->block->size);
}

static uint32_t take_saved_sample(prfdata_source *source, const uint16_t *query, void **bytes,
                                  size_t *size)
{
    file_source *self = (file_source *)source;
    saved_copy copy = {0};
    saved_file *file;

    (void)query;
    while (self->next < self->count &&
           self->files[self->next].next == self->files[self->next].recording.count)
        self->next++;
    if (self->next == self->count)
        return ERROR_NO_MORE_ITEMS;
    file = &self->files[self->next];
    copy.file = file;
    copy.block = &file->recording.blocks[file->next];
    copy.bytes = malloc(copy.block->size > 0 ? copy.block->size : 1);
    if (!copy.bytes)
        return ERROR_NOT_ENOUGH_MEMORY;
    if (!prfdata_files_view_read(&file->view, copy_block, &copy)) {
        free(copy.bytes);
        self->source.is_damaged = true;
        return report_shorter(self->source.messages, file->path);
    }
    *bytes = copy.bytes;
    *size = copy.block->size;
    file->next++;
    return ERROR_SUCCESS;
}

typedef struct saved_note {
    const saved_file *file;
    prfdata_recording_note note;
    bool is_read;
} saved_note;

/* Read the note of the block that was read last. Called by prfdata_files_view_read(), which guards
 * against faults. */
static void read_note(void *context)
{
    saved_note *reading = context;
    const saved_file *file = reading->file;

    reading->is_read = prfdata_recording_get_note(
        file->view.bytes, &file->recording.blocks[file->next - 1], &reading->note);
}

/* Notes which objects a sample may lack, and whether there is a gap before it. Without memory, this
 * note is incomplete. */
static void note_saved_sample(prfdata_source *source, prfdata_sample *sample)
{
    const file_source *self = (file_source *)source;
    saved_note reading = {.file = &self->files[self->next]};
    const prfdata_title_set *elsewhere = &reading.note.elsewhere;

    if (prfdata_files_view_read(&reading.file->view, read_note, &reading) && reading.is_read &&
        prfdata_title_index_begin(&sample->elsewhere, elsewhere->count)) {
        for (size_t i = 0; i < elsewhere->count; i++)
            prfdata_title_index_add(&sample->elsewhere, elsewhere->items[i], 0);
        prfdata_title_index_sort(&sample->elsewhere);
    }
    sample->is_after_gap = prfdata_title_set_has(&reading.note.failed, 0);
    prfdata_recording_note_free(&reading.note);
}

static uint32_t load_saved_titles(prfdata_source *source, prfdata_titles *titles)
{
    file_source *self = (file_source *)source;
    uint32_t status = ERROR_SUCCESS;

    for (unsigned i = 0; status == ERROR_SUCCESS && i < self->count; i++)
        status =
            prfdata_name_table_add_all(&titles->english, &self->files[i].recording.titles.english);
    return status;
}

static uint32_t load_saved_helps(prfdata_source *source, prfdata_titles *titles)
{
    file_source *self = (file_source *)source;
    uint32_t status = ERROR_SUCCESS;

    for (unsigned i = 0; status == ERROR_SUCCESS && i < self->count; i++)
        status = prfdata_name_table_add_all(&titles->helps, &self->files[i].recording.titles.helps);
    return status;
}

static size_t saved_computer(prfdata_source *source, uint16_t *chars, size_t capacity)
{
    const prfdata_text name = ((file_source *)source)->files[0].computer;
    const size_t count = name.count < capacity ? name.count : capacity;

    if (count > 0)
        memcpy(chars, name.chars, count * sizeof *chars);
    return count;
}

static void close_saved_files(prfdata_source *source)
{
    file_source *self = (file_source *)source;

    for (unsigned i = 0; i < 2; i++) {
        prfdata_recording_free(&self->files[i].recording);
        prfdata_files_view_close(&self->files[i].view);
    }
    free(self);
}

uint32_t prfdata_source_open_files(prfdata_text older, prfdata_text newer,
                                   prfdata_messages *messages, prfdata_source **source)
{
    static const prfdata_source_kind kind = {.take = take_saved_sample,
                                             .load_titles = load_saved_titles,
                                             .load_helps = load_saved_helps,
                                             .computer = saved_computer,
                                             .close = close_saved_files,
                                             .note_sample = note_saved_sample,
                                             .is_recorded = true};
    file_source *made = calloc(1, sizeof *made);
    uint32_t status;

    if (!made) {
        prfdata_messages_add_system(messages, older, ERROR_NOT_ENOUGH_MEMORY,
                                    "cannot read the file");
        return ERROR_NOT_ENOUGH_MEMORY;
    }
    made->source.kind = &kind;
    made->source.messages = messages;
    made->count = newer.count > 0 ? 2 : 1;
    status = load_saved_file(older, messages, &made->files[0]);
    if (status == ERROR_SUCCESS && made->count == 2)
        status = load_saved_file(newer, messages, &made->files[1]);
    for (unsigned i = 0; status == ERROR_SUCCESS && i < made->count; i++) {
        if (made->files[i].recording.mistake && !made->files[i].recording.is_foreign)
            made->source.is_damaged = true;
        if (made->files[i].is_cut_short)
            made->source.is_damaged = made->source.is_cut_short = true;
    }
    if (status == ERROR_SUCCESS && made->count == 2)
        status = check_pair(&made->files[0], &made->files[1], messages);
    if (status != ERROR_SUCCESS) {
        close_saved_files(&made->source);
        return status;
    }
    *source = &made->source;
    return ERROR_SUCCESS;
}
