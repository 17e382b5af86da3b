/* SPDX-License-Identifier: MIT */
/*
 * Opens and closes publishers. A closed publisher is not freed, because the process may hold
 * handles into it, and a later open of the same map may use it again. Only prfdata_close_and_unmap
 * frees a publisher that was opened.
 */
#include "client/publisher.h"

#include <prfdata/atomic.h>

#include "client/retry.h"
#include "client/status.h"

/* The choice of prfdata_set_private, for this program or DLL. */
static uint64_t is_private_by_request;

/* Sets `*publisher` to NULL if memory is exhausted. Returns what prfdata_open does. */
static uint32_t publish_or_count(prfdata_publisher **publisher)
{
    uint32_t error;

    prfdata_publisher_enter_all();
    error = prfdata_publisher_publish(publisher);
    if (error && !(*publisher)->private_memory &&
        prfdata_publisher_count_privately(publisher) != ERROR_SUCCESS) {
        prfdata_publisher_free(*publisher);
        *publisher = NULL;
    }
    if (*publisher) {
        prfdata_status_set(*publisher, prfdata_status_reason(error), error);
        prfdata_retry_schedule(*publisher, error);
        prfdata_publisher_enlist(*publisher);
    }
    prfdata_publisher_leave_all();
    if (*publisher && (*publisher)->private_memory)
        error = prfdata_retry_begin_watching(*publisher, error);
    return error;
}

static uint32_t count_by_request(prfdata_publisher **publisher)
{
    uint32_t error;

    prfdata_publisher_enter_all();
    error = prfdata_publisher_use_private_memory(*publisher);
    if (error) {
        prfdata_publisher_free(*publisher);
        *publisher = NULL;
    } else {
        (*publisher)->is_private = true;
        prfdata_status_set(*publisher, PRFDATA_REASON_PRIVATE, ERROR_SUCCESS);
        prfdata_retry_never(*publisher);
        prfdata_publisher_enlist(*publisher);
    }
    prfdata_publisher_leave_all();
    return error;
}

void prfdata_set_private(int is_private)
{
    prfdata_store64_relaxed(&is_private_by_request, is_private != 0);
}

uint32_t prfdata_open(const prfdata_map *map, prfdata_publisher **publisher)
{
    return prfdata_open_with(map, NULL, 0, publisher);
}

uint32_t prfdata_open_with(const prfdata_map *map, const prfdata_capacity *capacities, size_t count,
                           prfdata_publisher **publisher)
{
    prfdata_publisher *opened = NULL;
    uint32_t error = prfdata_publisher_make(map, capacities, count, &opened);

    if (!error)
        error = prfdata_load64_relaxed(&is_private_by_request) ? count_by_request(&opened)
                                                               : publish_or_count(&opened);
    *publisher = opened;
    if (error)
        prfdata_status_report_failure(map, error);
    prfdata_retry_all_rarely();
    return error;
}

/*
 * Whether the publisher is the copy that fork() made in a child. Closing the copy must not remove
 * the parent's instances.
 */
static bool is_of_parent(const prfdata_publisher *publisher)
{
    return publisher->process_id != prfdata_os_process_id();
}

static void hide_publisher(prfdata_publisher *publisher, bool is_forgotten)
{
    prfdata_retry_end_watching(publisher);
    prfdata_retry_before_closing(publisher);
    prfdata_publisher_enter_all();
    prfdata_publisher_hide(publisher);
    /* under the lock of all publishers, so that no thread opens this publisher again */
    if (is_forgotten)
        prfdata_publisher_forget(publisher);
    prfdata_publisher_leave_all();
}

void prfdata_close(prfdata_publisher *publisher)
{
    if (publisher && !is_of_parent(publisher))
        hide_publisher(publisher, false);
}

void prfdata_close_and_unmap(prfdata_publisher *publisher)
{
    if (!publisher || is_of_parent(publisher))
        return;
    hide_publisher(publisher, true);
    prfdata_publisher_free(publisher);
}
