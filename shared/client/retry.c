/* SPDX-License-Identifier: MIT */
/*
 * Decides when a publisher that counts in private memory tries again to publish, makes the attempt,
 * and reports its result.
 */
#include "client/retry.h"

#include <stdio.h>

#include <prfdata/atomic.h>

#include "client/status.h"

/*
 * The pause after a failed attempt. An attempt reads the registry and lists a folder, which takes
 * up to 1 ms if the folder holds 1,024 files.
 */
#define RETRY_MILLISECONDS 10000

/* The pause between moves. A move reads every cell of the private memory: 1 ms for a million. */
#define MOVE_MILLISECONDS 1000

#define NEVER_DUE UINT64_MAX

/* A report that is written later, when no lock is held. */
typedef struct retry_report {
    bool is_new;
    prfdata_reason reason;
    uint32_t error;
    char service[PRFDATA_MAX_SERVICE_CHARS + 1];
} retry_report;

void prfdata_retry_schedule(prfdata_publisher *publisher, uint32_t error)
{
    const uint64_t pause = error ? RETRY_MILLISECONDS : MOVE_MILLISECONDS;

    /*
     * ERROR_TIMEOUT: the attempt waited five seconds for another thread to begin, which no thread
     * can do while this thread is in DllMain. Another attempt could take as long, so only
     * prfdata_retry() makes one.
     */
    prfdata_store64_relaxed(&publisher->next_visit,
                            error == ERROR_TIMEOUT ? NEVER_DUE : prfdata_os_milliseconds() + pause);
}

void prfdata_retry_never(prfdata_publisher *publisher)
{
    prfdata_store64_relaxed(&publisher->next_visit, NEVER_DUE);
}

static void move_from_former(prfdata_publisher *publisher)
{
    prfdata_os_lock_enter(&publisher->lock);
    prfdata_former_move(&publisher->former, publisher->model, publisher->layout, publisher->bytes,
                        PRFDATA_FORMER_MOVE);
    prfdata_os_lock_leave(&publisher->lock);
}

void prfdata_retry_after_bracket(prfdata_publisher *publisher)
{
    if (!prfdata_os_lock_try(&publisher->lock))
        return; /* the end of a bracket must not wait, so the next visit moves the counts */
    prfdata_former_leave(&publisher->former, publisher->model, publisher->layout, publisher->bytes);
    prfdata_os_lock_leave(&publisher->lock);
}

static void set_report(const prfdata_publisher *publisher, prfdata_reason reason, uint32_t error,
                       retry_report *report)
{
    report->is_new = true;
    report->reason = reason;
    report->error = error;
    snprintf(report->service, sizeof report->service, "%s", publisher->model->map->service);
}

/* If the publisher is closed, its status stays PRFDATA_REASON_CLOSED. */
static uint32_t attach_publisher(prfdata_publisher *publisher, retry_report *report)
{
    const uint32_t error = prfdata_publisher_attach(publisher);

    if (publisher->is_open)
        prfdata_status_set(publisher, prfdata_status_reason(error), error);
    set_report(publisher,
               error ? prfdata_status_reason(error) : PRFDATA_REASON_PROGRAM_PUBLISHED_LATE, error,
               report);
    return error;
}

/* The caller holds the lock of all publishers. */
static uint32_t visit_publisher(prfdata_publisher *publisher, retry_report *report)
{
    uint32_t error = ERROR_SUCCESS;

    if (publisher->region.bytes) {
        move_from_former(publisher);
    } else {
        error = attach_publisher(publisher, report);
        if (!error) /* the next visits only move counts */
            prfdata_os_watch_clock(publisher->watch, MOVE_MILLISECONDS);
    }
    prfdata_retry_schedule(publisher, error);
    return error;
}

static void write_report(const retry_report *report)
{
    if (report->is_new)
        prfdata_status_report_event(report->service, report->reason, report->error);
}

/* Does nothing if another thread holds the lock of all publishers. */
static void visit_by_the_way(prfdata_publisher *publisher)
{
    retry_report report = {0};

    if (!prfdata_publisher_try_all())
        return;
    visit_publisher(publisher, &report);
    prfdata_publisher_leave_all();
    write_report(&report);
}

void prfdata_retry_rarely(prfdata_publisher *publisher)
{
    if (publisher && publisher->private_memory &&
        prfdata_publisher_is_due(publisher, prfdata_os_milliseconds()))
        visit_by_the_way(publisher);
}

void prfdata_retry_before_closing(prfdata_publisher *publisher)
{
    retry_report report = {0}; /* closing writes no report */

    if (!prfdata_publisher_is_due(publisher, NEVER_DUE - 1))
        return;
    prfdata_publisher_enter_all();
    if (!publisher->region.bytes) /* otherwise prfdata_publisher_hide() moves the counts */
        visit_publisher(publisher, &report);
    prfdata_publisher_leave_all();
}

static bool visit_first_due(uint64_t now)
{
    retry_report report = {0};
    prfdata_publisher *due;

    prfdata_publisher_enter_all();
    due = prfdata_publisher_find_due(now);
    if (due)
        visit_publisher(due, &report);
    prfdata_publisher_leave_all();
    write_report(&report);
    return due != NULL;
}

void prfdata_retry_all_rarely(void)
{
    const uint64_t now = prfdata_os_milliseconds();

    while (visit_first_due(now)) {
    }
}

/*
 * While the settings of the service change, an installer is at work, and it is normal that an
 * attempt fails. So an attempt after a change is reported only when nothing has changed for this
 * long.
 */
#define SETTLING_MILLISECONDS 1000

typedef struct watched_visit {
    prfdata_publisher *publisher;
    /* time until the next visit if nothing changes; PRFDATA_OS_WATCH_FOREVER: only a change causes
     * a visit */
    uint32_t milliseconds;
} watched_visit;

/* Called before an attempt, so that the watch sees changes that are made during the attempt. */
static void set_watch(void *context)
{
    const watched_visit *visit = context;
    prfdata_publisher *publisher = visit->publisher;

    if (publisher->region.bytes)
        prfdata_os_watch_clock(publisher->watch, MOVE_MILLISECONDS);
    else
        prfdata_os_watch_settings(publisher->watch, publisher->model->map->service,
                                  visit->milliseconds);
}

/* The system calls this on one of its threads. */
static void visit_watched(uintptr_t id, bool is_late)
{
    watched_visit visit = {NULL, is_late ? PRFDATA_OS_WATCH_FOREVER : SETTLING_MILLISECONDS};
    retry_report report = {0};
    uint32_t error = ERROR_SUCCESS;

    prfdata_publisher_enter_all();
    visit.publisher = prfdata_publisher_find_watched(id); /* NULL if it was closed meanwhile */
    if (visit.publisher) {
        set_watch(&visit);
        error = visit_publisher(visit.publisher, &report);
    }
    prfdata_publisher_leave_all();
    if (!error || is_late)
        write_report(&report);
}

/* Whether an installer may repair the cause of an error, and another attempt costs little. */
static bool is_for_installers(uint32_t error)
{
    return error == ERROR_FILE_NOT_FOUND || error == ERROR_REVISION_MISMATCH ||
           error == ERROR_INVALID_DATA || error == ERROR_SERVICE_DISABLED ||
           error == ERROR_ACCESS_DENIED;
}

uint32_t prfdata_retry_begin_watching(prfdata_publisher *publisher, uint32_t error)
{
    static uintptr_t last_id; /* protected by the lock of all publishers */
    watched_visit visit = {publisher, PRFDATA_OS_WATCH_FOREVER};
    retry_report report = {0}; /* not used, because the caller reports the result of prfdata_open */
    prfdata_os_watch *watch;
    uintptr_t id;

    if (error == ERROR_TIMEOUT) /* inside DllMain, where no other thread can begin */
        return error;
    prfdata_publisher_enter_all();
    id = ++last_id;
    prfdata_publisher_leave_all();
    watch = prfdata_os_watch_make(visit_watched, id);
    if (!watch)
        return error;
    prfdata_publisher_enter_all();
    publisher->watch = watch;
    publisher->watch_id = id;
    if (prfdata_os_call_as_process(set_watch, &visit) == ERROR_SUCCESS && is_for_installers(error))
        error = visit_publisher(publisher, &report);
    prfdata_publisher_leave_all();
    return error;
}

void prfdata_retry_end_watching(prfdata_publisher *publisher)
{
    prfdata_os_watch *watch;

    prfdata_publisher_enter_all();
    watch = publisher->watch;
    publisher->watch = NULL;
    prfdata_publisher_leave_all();
    /* This may wait for DllMain in another thread, and DllMain may wait for the lock of all
     * publishers. So the lock is not held here. */
    prfdata_os_watch_end(watch);
}

/*
 * Whether an error of opening the folder means that readers do not see the publisher's file.
 * ERROR_SERVICE_DISABLED concerns only new files, and existing files stay published.
 */
static bool is_readers_too(uint32_t error)
{
    return error == ERROR_FILE_NOT_FOUND || error == ERROR_REVISION_MISMATCH ||
           error == ERROR_INVALID_DATA;
}

/*
 * Checks that readers still find the file of a publisher that has one. Returns ERROR_SUCCESS if
 * they do or if this program cannot tell, otherwise the reason. The result becomes the status.
 */
static uint32_t confirm_publishing(prfdata_publisher *publisher, retry_report *report)
{
    uint32_t error = prfdata_publisher_look_for_file(publisher);
    prfdata_reason reason;

    if (!is_readers_too(error))
        error = ERROR_SUCCESS;
    reason = prfdata_status_reason(error);
    if (!error && publisher->is_lost) {
        error = ERROR_FILE_NOT_FOUND;
        reason = PRFDATA_REASON_PROGRAM_FILE_LOST;
    }
    prfdata_status_set(publisher, reason, error);
    if (error)
        set_report(publisher, reason, error, report);
    return error;
}

uint32_t prfdata_retry(prfdata_publisher *publisher)
{
    retry_report report = {0};
    uint32_t error = ERROR_INVALID_HANDLE;

    if (!publisher)
        return error;
    prfdata_publisher_enter_all();
    if (publisher->is_open && publisher->is_private) {
        error = ERROR_SUCCESS;
    } else if (publisher->is_open) {
        error = visit_publisher(publisher, &report);
        if (!error)
            error = confirm_publishing(publisher, &report);
    }
    prfdata_publisher_leave_all();
    write_report(&report);
    return error;
}
