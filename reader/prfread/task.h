/* SPDX-License-Identifier: MIT */
/*
 * What all tasks of prfread share: the options, the session that they read, the file that they
 * write, and what became of it all, which is the exit code.
 */
#ifndef PRFDATA_READER_TASK_H
#define PRFDATA_READER_TASK_H

#include "os/streams.h"
#include "paths/requests.h"
#include "prfread/exit_codes.h"
#include "prfread/options.h"
#include "source/session.h"
#include "text/output.h"

typedef struct prfdata_task {
    prfdata_options options;
    prfdata_session session; /* its messages are the task's */
    prfdata_stream out;      /* standard output, or the file of -o while it is open */
    prfdata_lines lines;     /* of -cf */
    uint32_t wanted;         /* paths or objects asked for */
    uint32_t not_found;      /* of these */
    bool system_failed;      /* memory, a file, an address */
    bool is_watched;         /* a person sees standard error: report what takes time */
} prfdata_task;

/* Whether the system refused something to the task or to its session. */
bool prfdata_task_has_failed(const prfdata_task *task);

/* The exit code after the task. Reports that nothing was found. */
prfdata_exit_code prfdata_task_exit_code(const prfdata_task *task);

/* Close the session and release everything; {0} is allowed. */
void prfdata_task_free(prfdata_task *task);

/*
 * Make requests of the paths of the command line and of the file of -cf, and count them. What is
 * wrong is reported.
 *
 * requests  Set; borrows from the task.
 * Returns false if nothing can be asked for.
 */
bool prfdata_task_make_requests(prfdata_task *task, prfdata_requests *requests);

/* Report that there is no memory for what is asked. Returns false. */
bool prfdata_task_fail_memory(prfdata_task *task);

/* Report a failure of the system. */
void prfdata_task_fail(prfdata_task *task, prfdata_text subject, uint32_t status,
                       const char *problem);

/* Report what is wrong with a command line or its files, as an error. */
void prfdata_task_report_line(prfdata_messages *messages, prfdata_text file, uint32_t line,
                              prfdata_text subject, const char *problem);

/* Let `out` be the file of -o, if there is one. A failure is reported, and false. */
bool prfdata_task_open_out(prfdata_task *task);

/* Let `out` be standard output again. A failure is reported. */
void prfdata_task_close_out(prfdata_task *task);

/* Write what was collected to `out` and forget it. A failure is reported, and false. */
bool prfdata_task_flush(prfdata_task *task, prfdata_output *output);

/* Write a whole file, or none. A failure is reported, and false. */
bool prfdata_task_write_file(prfdata_task *task, prfdata_text path, bool overwrite,
                             const prfdata_output *output);

#endif
