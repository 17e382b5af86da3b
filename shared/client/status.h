/* SPDX-License-Identifier: MIT */
/*
 * The reasons why a program is not seen, in words: for prfdata_status(), the debugger and the event
 * log. Knows the sentences, not what led to them.
 */
#ifndef PRFDATA_STATUS_H
#define PRFDATA_STATUS_H

#include "client/publisher.h"

/* The numbers of program_events.h, and below 1,000 what is no event. */
typedef enum prfdata_reason {
    PRFDATA_REASON_PUBLISHED = 0,
    PRFDATA_REASON_CLOSED = 1,
    PRFDATA_REASON_CAPACITY = 2, /* an argument of prfdata_open_with */
    PRFDATA_REASON_MAP_FILE = 3, /* that of prfdata_open_file has a mistake */
    PRFDATA_REASON_MAP_FILE_UNREADABLE = 4,
    PRFDATA_REASON_PRIVATE = 5, /* by request: prfdata_set_private */
#define PRFDATA_REASON_ENUMERATOR(name, number, severity, detail, statement, advice)               \
    PRFDATA_REASON_##name = (number),
    PRFDATA_PROGRAM_EVENTS(PRFDATA_REASON_ENUMERATOR)
#undef PRFDATA_REASON_ENUMERATOR
} prfdata_reason;

/* The reason of an error that prfdata_open returns together with a publisher. */
prfdata_reason prfdata_status_reason(uint32_t error);

/* What prfdata_status() is to say of a publisher. Threads: any. */
void prfdata_status_set(prfdata_publisher *publisher, prfdata_reason reason, uint32_t error);

/*
 * Remember why prfdata_open failed, and report it to the debugger and to the event log. Hold no
 * lock. `map` may be wrong in every way.
 */
void prfdata_status_report_failure(const prfdata_map *map, uint32_t error);

/*
 * Remember why prfdata_open_file has no map, and report it to the debugger. There is no service
 * yet, whose source an event would need.
 *
 * path     UTF-8.
 * mistake  "line 3: ..." without its full stop; "": the file cannot be read.
 */
void prfdata_status_report_file(const char *path, const char *mistake, uint32_t error);

/* Report to the event log only. Hold no lock. */
void prfdata_status_report_event(const char *service, prfdata_reason reason, uint32_t error);

#endif
