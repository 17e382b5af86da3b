/* SPDX-License-Identifier: MIT */
/* Writes samples and their titles to files. block/saved_block.h and block/recording.h define the
 * formats of the files. */
#include "prfread/save.h"

#include <stdlib.h>

#include <prfdata/error.h>

#include "block/recorder.h"
#include "os/files.h"
#include "os/stop.h"
#include "prfread/inspect.h"
#include "source/pace.h"
#include "system/os.h"

static bool has_saved_objects(const prfdata_task *task)
{
    return task->wanted == 0 || task->not_found < task->wanted;
}

/* ---- A single sample ---- */

static void save_moment(prfdata_task *task)
{
    prfdata_session *s = &task->session;
    prfdata_sample *sample = prfdata_inspect_take(task);
    prfdata_output output = {0};

    if (!sample)
        return;
    /* Ignore a failure, because the block is useful without help texts. */
    (void)prfdata_source_load_helps(s->source, &s->titles);
    prfdata_saved_block_put(&output, sample, &s->titles);
    if (has_saved_objects(task))
        (void)prfdata_task_write_file(task, task->options.save_file, task->options.overwrite,
                                      &output);
    prfdata_output_free(&output);
    prfdata_sample_free(sample);
}

/* ---- A recording ---- */

typedef struct saved_recording {
    prfdata_task *task;
    prfdata_recorder recorder;
    prfdata_title_set set; /* objects to ask for; empty until `query` is set */
    uint16_t *query;
    prfdata_stream file;
    bool is_open;
    bool has_failed; /* the last sample could not be taken, or the computer has slept since */
} saved_recording;

static void forget_asked_titles(saved_recording *r)
{
    prfdata_title_set_free(&r->set);
    free(r->query);
    r->query = NULL;
}

/*
 * The number of times that titles may change while one sample is taken. An upgrade unloads titles
 * and loads others.
 */
#define MOST_RENEWALS 3

/* Take a sample with the current titles; NULL: there is none. If titles have changed, another piece
 * begins. */
static prfdata_sample *take_saved_sample(saved_recording *r)
{
    prfdata_sample *sample = prfdata_inspect_take_again(r->task, &r->set, &r->query);

    for (int i = 0; i < MOST_RENEWALS && prfdata_session_renew_titles(&r->task->session); i++) {
        prfdata_sample_free(sample);
        prfdata_recorder_renew(&r->recorder);
        forget_asked_titles(r);
        sample = prfdata_inspect_take_again(r->task, &r->set, &r->query);
    }
    return sample;
}

static bool close_saved_piece(saved_recording *r, prfdata_text path)
{
    const uint32_t status = r->is_open ? prfdata_files_close(r->file) : ERROR_SUCCESS;

    r->is_open = false;
    return status == ERROR_SUCCESS ||
           prfdata_task_fail_system(r->task, path, status, "cannot write the file");
}

static uint32_t create_named_piece(saved_recording *r)
{
    prfdata_output name = {0};
    uint32_t status = ERROR_NOT_ENOUGH_MEMORY;
    prfdata_text path;
    uint16_t *chars;

    prfdata_recorder_put_name(&r->recorder, r->task->options.save_file, &name);
    chars = name.failed ? NULL : malloc((name.used + 1) * sizeof *chars);
    if (chars) {
        path.chars = chars;
        path.count = prfdata_text_from_utf8(name.bytes, name.used, chars, name.used);
        status = prfdata_files_create(path, r->task->options.overwrite, &r->file);
    }
    free(chars);
    prfdata_output_free(&name);
    return status;
}

/*
 * Create a file for the piece. If the file exists and must not be overwritten, the first piece
 * fails. A later piece gets the next number, so that the recording continues.
 */
static bool create_saved_piece(saved_recording *r)
{
    uint32_t status = create_named_piece(r);

    while (status == ERROR_FILE_EXISTS && r->recorder.piece > 1) {
        r->recorder.piece++;
        status = create_named_piece(r);
    }
    r->is_open = status == ERROR_SUCCESS;
    return r->is_open || prfdata_task_fail_file(r->task, r->task->options.save_file, status,
                                                "cannot create the file");
}

/* Write a sample. If the previous sample failed, or the computer slept after that sample, the note
 * says that no object answered. */
static bool write_saved_sample(saved_recording *r, const prfdata_sample *sample)
{
    static uint32_t all_objects[] = {0};
    const prfdata_recording_note note = {
        .failed = {.items = all_objects, .count = r->has_failed ? 1 : 0, .capacity = 1}};
    const prfdata_text path = r->task->options.save_file;
    prfdata_output part = {0};
    bool is_written = true;

    if (prfdata_recorder_put(&r->recorder, sample, &note, &r->task->session.titles, &part))
        is_written = close_saved_piece(r, path) && create_saved_piece(r);
    if (is_written) {
        const uint32_t status = part.failed ? ERROR_NOT_ENOUGH_MEMORY
                                            : prfdata_streams_write(r->file, part.bytes, part.used);

        is_written = status == ERROR_SUCCESS ||
                     prfdata_task_fail_system(r->task, path, status, "cannot write the file");
    }
    prfdata_output_free(&part);
    return is_written;
}

/* Record samples. A sample that cannot be taken is reported, and the recording lacks it. */
static void record_samples(saved_recording *r)
{
    const prfdata_options *options = &r->task->options;
    prfdata_pace pace;

    prfdata_pace_begin(&pace, prfdata_os_milliseconds(), options->interval_ms);
    for (uint32_t i = 1; options->sample_count == 0 || i < options->sample_count; i++) {
        prfdata_sample *sample;
        bool goes_on = true;

        if (!prfdata_stop_wait_until(pace.due_ms))
            return;
        r->has_failed = r->has_failed || prfdata_pace_has_slept(&pace, prfdata_os_milliseconds());
        sample = take_saved_sample(r);
        prfdata_pace_took(&pace, prfdata_os_milliseconds());
        if (sample)
            goes_on = write_saved_sample(r, sample);
        r->has_failed = !sample;
        prfdata_task_end_turn(r->task, sample != NULL);
        prfdata_sample_free(sample);
        if (!goes_on)
            return;
    }
}

uint32_t prfdata_save_record(prfdata_task *task, size_t piece_bytes)
{
    saved_recording r = {.task = task};
    prfdata_sample *first = prfdata_inspect_take(task);

    (void)prfdata_session_load_helps(&task->session); /* a recording is useful without help texts */
    prfdata_recorder_init(&r.recorder, piece_bytes);
    if (first && has_saved_objects(task) && write_saved_sample(&r, first)) {
        prfdata_task_report_writing(task, task->options.save_file);
        record_samples(&r);
    }
    (void)close_saved_piece(&r, task->options.save_file);
    prfdata_sample_free(first);
    forget_asked_titles(&r);
    prfdata_recorder_free(&r.recorder);
    return prfdata_task_status(task);
}

uint32_t prfdata_save_run(prfdata_task *task)
{
    if (prfdata_options_sample_count(&task->options) != 1)
        return prfdata_save_record(task, PRFDATA_RECORDER_PIECE_BYTES);
    save_moment(task);
    return prfdata_task_status(task);
}
