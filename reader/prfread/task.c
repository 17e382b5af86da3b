/* SPDX-License-Identifier: MIT */
/* Implements requests, output and failures, which all tasks share. */
#include "prfread/task.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "os/files.h"
#include "os/streams.h"
#include "prfread/lines_file.h"
#include "prfread/settings.h"

uint32_t prfdata_task_status(const prfdata_task *task)
{
    return task->failure != ERROR_SUCCESS ? task->failure : task->session.failure;
}

prfdata_exit_code prfdata_task_exit_code(const prfdata_task *task, uint32_t status)
{
    if (status != ERROR_SUCCESS)
        return PRFDATA_EXIT_SYSTEM;
    if (task->session.is_cancelled && task->not_found == task->wanted)
        return PRFDATA_EXIT_OK; /* the user ended the task before anything could be found */
    if (task->wanted > 0 && task->not_found == task->wanted) {
        if (task->options.task != PRFDATA_TASK_DUMP)
            prfdata_messages_add(task->session.messages, PRFDATA_SEVERITY_ERROR, prfdata_no_subject,
                                 "No valid counters.");
        return PRFDATA_EXIT_NOTHING;
    }
    if (task->not_found > 0)
        return PRFDATA_EXIT_SOME;
    return prfdata_session_is_damaged(&task->session) ? PRFDATA_EXIT_DAMAGED : PRFDATA_EXIT_OK;
}

void prfdata_task_free(prfdata_task *task)
{
    prfdata_session_close(&task->session);
    prfdata_lines_free(&task->lines);
    memset(task, 0, sizeof *task);
}

/* ---- Failures ---- */

static bool report_task_failure(prfdata_task *task, uint32_t status, const prfdata_message *message)
{
    prfdata_messages_put(task->session.messages, message);
    if (task->failure == ERROR_SUCCESS)
        task->failure = status;
    return false;
}

bool prfdata_task_fail(prfdata_task *task, prfdata_text subject, uint32_t status,
                       const char *problem)
{
    const prfdata_message message = {.severity = PRFDATA_SEVERITY_ERROR,
                                     .subject = subject,
                                     .problem = problem,
                                     .text = problem};

    return report_task_failure(task, status, &message);
}

bool prfdata_task_fail_system(prfdata_task *task, prfdata_text subject, uint32_t status,
                              const char *problem)
{
    const prfdata_message message = {.severity = PRFDATA_SEVERITY_ERROR,
                                     .subject = subject,
                                     .problem = problem,
                                     .text = problem,
                                     .system_error = status};

    return report_task_failure(task, status, &message);
}

bool prfdata_task_fail_memory(prfdata_task *task)
{
    return prfdata_task_fail_system(task, prfdata_no_subject, ERROR_NOT_ENOUGH_MEMORY,
                                    "too many counters");
}

/* ---- Requests ---- */

/* Read the file of -cf. Returns false if it gives no paths. */
static bool read_counter_file(prfdata_task *task)
{
    const prfdata_text file = task->options.counter_file;
    uint32_t status = prfdata_lines_file_read(file, task->session.messages, &task->lines);

    if (status == ERROR_SUCCESS && task->lines.count == 0) {
        prfdata_messages_add(task->session.messages, PRFDATA_SEVERITY_ERROR, file,
                             "there is no counter path in the file");
        return false;
    }
    if (status != ERROR_SUCCESS && status != ERROR_INVALID_DATA && task->failure == ERROR_SUCCESS)
        task->failure = status;
    return status == ERROR_SUCCESS;
}

static bool make_default_requests(prfdata_task *task, prfdata_requests *requests)
{
    const uint32_t status = prfdata_requests_make_default(&task->session, requests);

    if (status == ERROR_SUCCESS)
        return true;
    if (status != ERROR_NOT_FOUND)
        return prfdata_task_fail_memory(task);
    prfdata_messages_add(task->session.messages, PRFDATA_SEVERITY_ERROR, prfdata_no_subject, "%s",
                         task->options.task == PRFDATA_TASK_TOP
                             ? "there are no services of PrfData; name an object or a path, such "
                               "as -top Memory or -top \"\\Process(*)\\*\"; prfread -q lists them"
                             : "there are no services of PrfData; name counter paths, such as "
                               "\"\\Process(*)\\*\"; prfread -q lists them");
    task->wanted = task->not_found = 1;
    return false;
}

/* Return the line of each name in the file of -config; release it with free(). NULL: there are no
 * settings, or there is no memory. */
static uint32_t *make_name_lines(const prfdata_options *options)
{
    uint32_t *lines = options->settings ? calloc(options->name_count + 1, sizeof *lines) : NULL;

    if (lines)
        prfdata_settings_name_lines(options->settings, options->names, options->name_count, lines);
    return lines;
}

bool prfdata_task_make_requests(prfdata_task *task, prfdata_requests *requests)
{
    const prfdata_options *options = &task->options;
    prfdata_requests_texts texts = {.names = options->names,
                                    .name_count = options->name_count,
                                    .takes_objects = options->task == PRFDATA_TASK_TOP,
                                    .file = options->counter_file};
    uint32_t *name_lines;
    uint32_t status;

    if (options->name_count == 0 && options->counter_file.count == 0)
        return make_default_requests(task, requests);
    if (options->counter_file.count > 0 && !read_counter_file(task)) {
        task->wanted++;
        task->not_found++;
    }
    texts.lines = task->lines;
    texts.name_lines = name_lines = make_name_lines(options);
    texts.name_file = options->config_file;
    status = prfdata_requests_make(&task->session, &texts, requests);
    free(name_lines);
    task->wanted += (uint32_t)requests->count;
    if (status != ERROR_SUCCESS && status != ERROR_NOT_FOUND && task->failure == ERROR_SUCCESS)
        task->failure = status;
    return status == ERROR_SUCCESS;
}

/* ---- Output ---- */

bool prfdata_task_fail_file(prfdata_task *task, prfdata_text path, uint32_t status,
                            const char *problem)
{
    if (status == ERROR_FILE_EXISTS)
        return prfdata_task_fail(task, path, status, "the file exists; -y overwrites it");
    return prfdata_task_fail_system(task, path, status, problem);
}

bool prfdata_task_open_out(prfdata_task *task)
{
    const prfdata_options *options = &task->options;
    uint32_t status;

    if (options->file.count == 0)
        return true;
    status = prfdata_files_create(options->file, options->overwrite, &task->out);
    if (status == ERROR_SUCCESS)
        return true;
    return prfdata_task_fail_file(task, options->file, status, "cannot create the file");
}

void prfdata_task_close_out(prfdata_task *task)
{
    uint32_t status;

    /* `out` is standard output if the next file of a log could not be created. */
    if (task->options.file.count == 0 || task->out == prfdata_streams_out())
        return;
    status = prfdata_files_close(task->out);
    task->out = prfdata_streams_out();
    if (status != ERROR_SUCCESS)
        (void)prfdata_task_fail_system(task, task->options.file, status, "cannot write");
}

void prfdata_task_report_writing(const prfdata_task *task, prfdata_text file)
{
    const prfdata_options *options = &task->options;
    prfdata_output text = {0};

    if (task->session.source->kind->is_recorded || !task->is_watched)
        return;
    prfdata_output_put_string(&text, "Writing: ");
    prfdata_output_put_text(&text, file);
    prfdata_output_format(&text, ": a sample each %u.%03u s, ",
                          (unsigned)(options->interval_ms / 1000),
                          (unsigned)(options->interval_ms % 1000));
    if (options->sample_count > 0)
        prfdata_output_format(&text, "%u in all", (unsigned)options->sample_count);
    else
        prfdata_output_put_string(&text, "until Ctrl+C");
    prfdata_output_put(&text, "", 1);
    if (!text.failed)
        prfdata_messages_put(task->session.messages,
                             &(prfdata_message){.severity = PRFDATA_SEVERITY_HINT,
                                                .problem = "Writing",
                                                .text = text.bytes});
    prfdata_output_free(&text);
}

bool prfdata_task_flush(prfdata_task *task, prfdata_output *output)
{
    const uint32_t status = prfdata_streams_write_lines(task->out, output);
    /* Statistics go to standard output even if the rows are in a file. */
    const prfdata_text file =
        task->out == prfdata_streams_out() ? prfdata_no_subject : task->options.file;

    prfdata_output_clear(output);
    return status == ERROR_SUCCESS || prfdata_task_fail_system(task, file, status, "cannot write");
}

bool prfdata_task_write_file(prfdata_task *task, prfdata_text path, bool overwrite,
                             const prfdata_output *output)
{
    uint32_t status = ERROR_NOT_ENOUGH_MEMORY;

    if (!output->failed)
        status = prfdata_files_write(path, overwrite, output->bytes, output->used);
    return status == ERROR_SUCCESS ||
           prfdata_task_fail_file(task, path, status, "cannot write the file");
}

bool prfdata_task_write_whole(prfdata_task *task, bool overwrite, prfdata_output *output)
{
    prfdata_output lines = {0};
    bool is_written;

    if (task->options.file.count == 0)
        return prfdata_task_flush(task, output);
    prfdata_streams_put_lines(&lines, output);
    is_written = prfdata_task_write_file(task, task->options.file, overwrite, &lines);
    prfdata_output_free(&lines);
    prfdata_output_clear(output);
    return is_written;
}

/* ---- Turns ---- */

void prfdata_task_end_turn(prfdata_task *task, bool is_well)
{
    const prfdata_options *options = &task->options;

    if (!is_well) {
        task->failed_turns++;
        return;
    }
    if (task->failed_turns == 0)
        return;
    prfdata_messages_add(task->session.messages, PRFDATA_SEVERITY_NOTE,
                         options->save_file.count > 0 ? options->save_file : options->file,
                         "samples are written again, after %u that failed",
                         (unsigned)task->failed_turns);
    prfdata_messages_forget(task->session.messages);
    task->failed_turns = 0;
}
