/* SPDX-License-Identifier: MIT */
/*
 * Declares the events of a provider, which tell an administrator why counters are missing or
 * incomplete. Each kind of event is reported once, with its first occurrence. Code that notices a
 * problem records an event, and may hold locks while it does. Reporting an event may wait for
 * another process, so recorded events are reported later, while no lock is held.
 */
#ifndef PRFDATA_EVENTS_H
#define PRFDATA_EVENTS_H

#include "events/event_table.h"
#include "system/os.h"

#include <prfdata/map.h>

/* Severities, with their numbers in messages.mc. event_table.h says what they mean. */
enum { PRFDATA_EVENT_INFORMATION = 1, PRFDATA_EVENT_WARNING, PRFDATA_EVENT_ERROR };

/* An event's number divided by 1,000, rounded down, is the lowest level that reports the event. */
typedef enum prfdata_event_id {
#define PRFDATA_EVENT_ENUMERATOR(name, number, severity, detail, statement, advice)                \
    PRFDATA_EVENT_##name = (number),
    PRFDATA_EVENTS(PRFDATA_EVENT_ENUMERATOR)
#undef PRFDATA_EVENT_ENUMERATOR
} prfdata_event_id;

/* PRFDATA_EVENT_COUNT is the number of events of a provider. */
enum {
#define PRFDATA_EVENT_ORDINAL(name, number, severity, detail, statement, advice)                   \
    PRFDATA_EVENT_ORDINAL_##name,
    PRFDATA_PROVIDER_EVENTS(PRFDATA_EVENT_ORDINAL) PRFDATA_EVENT_COUNT
#undef PRFDATA_EVENT_ORDINAL
};

enum { PRFDATA_EVENT_LEVEL_UNIT = 1000, PRFDATA_EVENT_DETAIL_CHARS = PRFDATA_MAX_NAME_CHARS + 1 };

typedef struct prfdata_event {
    prfdata_event_id id;
    uint32_t severity;                          /* PRFDATA_EVENT_INFORMATION and so on */
    wchar_t detail[PRFDATA_EVENT_DETAIL_CHARS]; /* "" if the event has none */
    uint32_t code;                              /* a Win32 code; 0 if the event has none */
} prfdata_event;

/* Reports one event. Called while no lock is held; may wait. */
typedef void prfdata_event_writer(void *context, const char *service, const prfdata_event *event);

/* If the structure is zeroed, no function reports events yet, and recorded events are kept. */
typedef struct prfdata_events {
    prfdata_os_lock lock; /* protects the fields below; never held across a system call */
    /* atomic: one bit per kind of event that was recorded or is not wanted at this level */
    uint32_t noticed;
    uint32_t waiting; /* atomic: one bit per kind of event that waits to be reported */
    prfdata_event_writer *write;
    void *context;
    prfdata_event events[PRFDATA_EVENT_COUNT];
} prfdata_events;

/*
 * Sets the function that reports events.
 *
 * level  0: report nothing, 1: errors and warnings, 2 and more: everything. The next
 *        prfdata_events_report() also reports events of this level that were recorded before.
 */
void prfdata_events_set_writer(prfdata_events *events, uint32_t level, prfdata_event_writer *write,
                               void *context);

/* The position of an event of a provider in the table of events. */
uint32_t prfdata_events_index(prfdata_event_id id);

/*
 * Whether a caller needs to check for this event. Returns false if the event was recorded already,
 * or would not be reported.
 */
bool prfdata_events_wants(const prfdata_events *events, prfdata_event_id id);

/*
 * Records an event. Strings are copied, and truncated if they are too long.
 * Threads: any; locks may be held.
 */
void prfdata_events_notice(prfdata_events *events, prfdata_event_id id, const wchar_t *detail,
                           uint32_t code);
void prfdata_events_notice_ascii(prfdata_events *events, prfdata_event_id id, const char *detail,
                                 uint32_t code);

/*
 * Reports events that were recorded and not reported yet. The caller must hold no lock. Threads:
 * any; each event is reported by one of them.
 */
void prfdata_events_report(prfdata_events *events, const char *service);

#endif
