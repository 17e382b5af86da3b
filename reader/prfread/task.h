/* SPDX-License-Identifier: MIT */
/*
 * Holds what all tasks of prfread share: the options, the session that they read, the file that
 * they write, and the counts and failures that determine the exit code.
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
    prfdata_session session; /* reports to the messages of the task */
    prfdata_stream out;      /* standard output, or the file of -o while it is open */
    prfdata_lines lines;     /* lines of the file of -cf */
    uint32_t wanted;         /* number of paths or objects asked for */
    uint32_t not_found;      /* number of wanted paths or objects that were not found */
    uint32_t failure;        /* the first system error: memory, a file, an address */
    bool is_watched;         /* standard error is a terminal, so the user is told about slow
                                operations */
    uint32_t failed_turns;   /* number of consecutive failures, for prfdata_task_end_turn() */

    /* Called when -serve listens; NULL: a hint reports the address. */
    void (*report_serving)(const char *url);
} prfdata_task;

/*
 * Return the status of a task that has ended: ERROR_SUCCESS, or the first system error of the task
 * or its session.
 */
uint32_t prfdata_task_status(const prfdata_task *task);

/*
 * Return the exit code of a task that returned this status. If the task asked for something and
 * found nothing, the function reports that, unless the task is -dump or the user ended it.
 */
prfdata_exit_code prfdata_task_exit_code(const prfdata_task *task, uint32_t status);

/* Close the session and release everything; {0} is allowed. */
void prfdata_task_free(prfdata_task *task);

/*
 * Make requests from the names in the options and from the file of -cf. Add the number of these
 * requests to task->wanted. If there are neither names nor a file, make requests for the source's
 * default objects. Report mistakes.
 *
 * requests  Set, even on failure; borrows from the task. Release with prfdata_requests_free().
 * Returns false if nothing can be asked for.
 */
bool prfdata_task_make_requests(prfdata_task *task, prfdata_requests *requests);

/*
 * Report and remember a failure. prfdata_task_status() returns the first one.
 *
 * status   Not ERROR_SUCCESS.
 * problem  The complete message; static storage.
 *
 * Returns false.
 */
bool prfdata_task_fail(prfdata_task *task, prfdata_text subject, uint32_t status,
                       const char *problem);

/*
 * Report and remember a system error. The message also has the system's text for the status, after
 * the problem.
 */
bool prfdata_task_fail_system(prfdata_task *task, prfdata_text subject, uint32_t status,
                              const char *problem);

/* Report and remember that there is no memory. */
bool prfdata_task_fail_memory(prfdata_task *task);

/* Let `out` be the file of -o, if there is one. Returns false after a failure, which is
 * reported. */
bool prfdata_task_open_out(prfdata_task *task);

/* Let `out` be standard output again. A failure is reported. */
void prfdata_task_close_out(prfdata_task *task);

/* Write the collected output to `out` and clear it. Returns false after a failure, which is
 * reported. */
bool prfdata_task_flush(prfdata_task *task, prfdata_output *output);

/*
 * Report and remember that a file cannot be created or written. If it exists, the message says that
 * -y overwrites it. Returns false.
 */
bool prfdata_task_fail_file(prfdata_task *task, prfdata_text path, uint32_t status,
                            const char *problem);

/* Tell a user at a terminal that live samples go to a file. */
void prfdata_task_report_writing(const prfdata_task *task, prfdata_text file);

/* Write a whole file, or nothing, as prfdata_replace_file() does. Returns false after a failure,
 * which is reported. */
bool prfdata_task_write_file(prfdata_task *task, prfdata_text path, bool overwrite,
                             const prfdata_output *output);

/*
 * Write output as a whole to the file of -o, or to standard output if there is none, and clear it.
 * Returns false after a failure, which is reported.
 */
bool prfdata_task_write_whole(prfdata_task *task, bool overwrite, prfdata_output *output);

/*
 * End the turn of one sample. A task that continues after failures calls this after each sample, so
 * that a repeated problem is printed only once, and a note says when the problem is over. The exit
 * code is still that of the first failure.
 *
 * is_well  Whether the sample was taken and written. If not, the failure was already reported.
 */
void prfdata_task_end_turn(prfdata_task *task, bool is_well);

#endif
