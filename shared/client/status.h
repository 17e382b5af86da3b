/* SPDX-License-Identifier: MIT */
/*
 * Describes in words why no reader sees a program: for prfdata_status(), the debugger and the event
 * log. The callers supply the reasons.
 */
#ifndef PRFDATA_STATUS_H
#define PRFDATA_STATUS_H

#include "client/publisher.h"

/* The numbers of program_events.h, and numbers below 1,000 for reasons without an event. */
typedef enum prfdata_reason {
    PRFDATA_REASON_PUBLISHED = 0,
    PRFDATA_REASON_CLOSED = 1,
    PRFDATA_REASON_CAPACITY = 2, /* an argument of prfdata_open_with is invalid */
    PRFDATA_REASON_MAP_FILE = 3, /* the file of prfdata_open_file has a mistake */
    PRFDATA_REASON_MAP_FILE_UNREADABLE = 4,
    PRFDATA_REASON_PRIVATE = 5, /* by request: prfdata_set_private */
#define PRFDATA_REASON_ENUMERATOR(name, number, severity, detail, statement, advice)               \
    PRFDATA_REASON_##name = (number),
    PRFDATA_PROGRAM_EVENTS(PRFDATA_REASON_ENUMERATOR)
#undef PRFDATA_REASON_ENUMERATOR
} prfdata_reason;

/* The reason for an error of prfdata_open. */
prfdata_reason prfdata_status_reason(uint32_t error);

/* Set the reason that prfdata_status() gives for a publisher. Threads: any. */
void prfdata_status_set(prfdata_publisher *publisher, prfdata_reason reason, uint32_t error);

/*
 * Store a failed look-up of a counter or distribution for prfdata_status(), unless it equals the
 * last failed look-up. Report at most 32 failed look-ups of each publisher to the debugger. The
 * caller holds no lock.
 */
void prfdata_status_report_lookup(prfdata_publisher *publisher, uint32_t id, uint32_t error);

/*
 * Store the reason why prfdata_open failed, and report it to the debugger and the event log. The
 * caller holds no lock. `map` may be invalid in any way.
 */
void prfdata_status_report_failure(const prfdata_map *map, uint32_t error);

/*
 * Store the reason why prfdata_open_file has no map, and report it to the debugger. No event is
 * written, because without a map there is no service to name as its source.
 *
 * path     UTF-8.
 * mistake  "line 3: ...", or "content: ..." about the whole file, without a full stop at the end;
 *          "" if the file cannot be read.
 */
void prfdata_status_report_file(const char *path, const char *mistake, uint32_t error);

/* Report a reason to the event log, and not to the debugger. The caller holds no lock. */
void prfdata_status_report_event(const char *service, prfdata_reason reason, uint32_t error);

#endif
