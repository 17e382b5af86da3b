/* SPDX-License-Identifier: MIT */
/* Output and failures of tasks. Knows no task in particular, and prints no message itself. */
#include "prfread/task.h"

#include <string.h>

#include <prfdata/error.h>

#include "os/streams.h"
#include "prfread/lines_file.h"
#include "os/files.h"

bool prfdata_task_has_failed(const prfdata_task *task)
{
    return task->system_failed || task->session.has_failed;
}

prfdata_exit_code prfdata_task_exit_code(const prfdata_task *task)
{
    if (prfdata_task_has_failed(task))
        return PRFDATA_EXIT_SYSTEM;
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

/* ---- Paths ---- */

/* The file of -cf. A failure was reported; what it asks for is then missing as a whole. */
static bool read_counter_file(prfdata_task *task)
{
    const prfdata_text file = task->options.counter_file;
    uint32_t status = prfdata_lines_file_read(file, task->session.messages, &task->lines);

    if (status == ERROR_SUCCESS && task->lines.count == 0) {
        prfdata_messages_add(task->session.messages, PRFDATA_SEVERITY_ERROR, file,
                             "there is no counter path in the file");
        return false;
    }
    if (status != ERROR_SUCCESS && status != ERROR_INVALID_DATA)
        task->system_failed = true;
    return status == ERROR_SUCCESS;
}

bool prfdata_task_make_requests(prfdata_task *task, prfdata_requests *requests)
{
    const prfdata_options *options = &task->options;
    prfdata_requests_texts texts = {
        options->names, options->name_count, options->counter_file, {NULL, 0, NULL}};
    uint32_t status;

    if (options->counter_file.count > 0 && !read_counter_file(task)) {
        task->wanted++;
        task->not_found++;
    }
    texts.lines = task->lines;
    status = prfdata_requests_make(&task->session, &texts, requests);
    task->wanted += (uint32_t)requests->count;
    if (status == ERROR_NOT_ENOUGH_MEMORY)
        task->system_failed = true;
    return status == ERROR_SUCCESS;
}

/* ---- Failures ---- */

void prfdata_task_fail(prfdata_task *task, prfdata_text subject, uint32_t status,
                       const char *problem)
{
    prfdata_messages_put(task->session.messages,
                         &(prfdata_message){.severity = PRFDATA_SEVERITY_ERROR,
                                            .subject = subject,
                                            .problem = problem,
                                            .text = problem,
                                            .system_error = status});
    task->system_failed = true;
}

bool prfdata_task_fail_memory(prfdata_task *task)
{
    prfdata_task_fail(task, prfdata_no_subject, ERROR_NOT_ENOUGH_MEMORY, "too many counters");
    return false;
}

void prfdata_task_report_line(prfdata_messages *messages, prfdata_text file, uint32_t line,
                              prfdata_text subject, const char *problem)
{
    prfdata_messages_put(messages, &(prfdata_message){.severity = PRFDATA_SEVERITY_ERROR,
                                                      .file = file,
                                                      .line = line,
                                                      .subject = subject,
                                                      .problem = problem,
                                                      .text = problem});
}

/* ---- Output ---- */

static void fail_to_create(prfdata_task *task, prfdata_text path, uint32_t status,
                           const char *problem)
{
    if (status == ERROR_FILE_EXISTS)
        prfdata_task_fail(task, path, 0, "the file exists; -y overwrites it");
    else
        prfdata_task_fail(task, path, status, problem);
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
    fail_to_create(task, options->file, status, "cannot create the file");
    return false;
}

void prfdata_task_close_out(prfdata_task *task)
{
    uint32_t status;

    if (task->options.file.count == 0)
        return;
    status = prfdata_files_close(task->out);
    task->out = prfdata_streams_out();
    if (status != ERROR_SUCCESS)
        prfdata_task_fail(task, task->options.file, status, "cannot write");
}

bool prfdata_task_flush(prfdata_task *task, prfdata_output *output)
{
    const uint32_t status = prfdata_streams_write_lines(task->out, output);

    prfdata_output_clear(output);
    if (status != ERROR_SUCCESS)
        prfdata_task_fail(task, task->options.file, status, "cannot write");
    return status == ERROR_SUCCESS;
}

bool prfdata_task_write_file(prfdata_task *task, prfdata_text path, bool overwrite,
                             const prfdata_output *output)
{
    uint32_t status = ERROR_NOT_ENOUGH_MEMORY;

    if (!output->failed)
        status = prfdata_files_write(path, overwrite, output->bytes, output->used);
    if (status != ERROR_SUCCESS)
        fail_to_create(task, path, status, "cannot write the file");
    return status == ERROR_SUCCESS;
}
