/* SPDX-License-Identifier: MIT */
/*
 * The common part of all tasks of prfread: the options, the session that they read, the file that
 * they write, and what was found and what failed, which makes the exit code.
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
    uint32_t failure;        /* what the system refused first: memory, a file, an address */
    bool is_watched;         /* standard error is a terminal: report what takes time */
    uint32_t failed_turns;   /* one after the other, up to now: prfdata_task_end_turn() */

    /* Called when -serve listens; NULL: a hint reports the address. */
    void (*report_serving)(const char *url);
} prfdata_task;

/*
 * What a task returns when it is over: ERROR_SUCCESS, or what the system refused first to the task
 * or to its session.
 */
uint32_t prfdata_task_status(const prfdata_task *task);

/*
 * The exit code of a task that returned this status. Reports that nothing was found, if the task
 * asked for something.
 */
prfdata_exit_code prfdata_task_exit_code(const prfdata_task *task, uint32_t status);

/* Close the session and release everything; {0} is allowed. */
void prfdata_task_free(prfdata_task *task);

/*
 * Make requests of the names on the command line and of the file of -cf, or, if there are none, of
 * the objects that the source shows by default. They are counted, and what is wrong is reported.
 *
 * requests  Set, also on failure; borrows from the task. Release with prfdata_requests_free().
 * Returns false if nothing can be asked for.
 */
bool prfdata_task_make_requests(prfdata_task *task, prfdata_requests *requests);

/*
 * Report and remember a failure that ends the task.
 *
 * status   Not ERROR_SUCCESS.
 * problem  A sentence that says it all; static storage.
 *
 * Returns false.
 */
bool prfdata_task_fail(prfdata_task *task, prfdata_text subject, uint32_t status,
                       const char *problem);

/* The same for what the system refused: its own words for the status follow the problem. */
bool prfdata_task_fail_system(prfdata_task *task, prfdata_text subject, uint32_t status,
                              const char *problem);

/* The same for want of memory for what is asked. */
bool prfdata_task_fail_memory(prfdata_task *task);

/* Let `out` be the file of -o, if there is one. A failure is reported, and false. */
bool prfdata_task_open_out(prfdata_task *task);

/* Let `out` be standard output again. A failure is reported. */
void prfdata_task_close_out(prfdata_task *task);

/* Write what was collected to `out` and forget it. A failure is reported, and false. */
bool prfdata_task_flush(prfdata_task *task, prfdata_output *output);

/* As prfdata_task_fail_system() for a file that cannot be made; one that exists needs -y. */
bool prfdata_task_fail_file(prfdata_task *task, prfdata_text path, uint32_t status,
                            const char *problem);

/* Tell who watches that samples go to a file for some time. */
void prfdata_task_report_writing(const prfdata_task *task, prfdata_text file);

/* Write a whole file, or none. A failure is reported, and false. */
bool prfdata_task_write_file(prfdata_task *task, prfdata_text path, bool overwrite,
                             const prfdata_output *output);

/*
 * Write what is a whole: the file of -o, or standard output if there is none. Forgets it. A failure
 * is reported, and false.
 */
bool prfdata_task_write_whole(prfdata_task *task, bool overwrite, prfdata_output *output);

/*
 * A sample of several was taken and written, or it was not, which was reported. A task that goes on
 * in spite of that calls this after each: what goes wrong turn after turn is printed once, and a
 * note says when it is over. The exit code is still that of the first failure.
 */
void prfdata_task_end_turn(prfdata_task *task, bool is_well);

#endif
