/* SPDX-License-Identifier: MIT */
/*
 * Reads records of an event log, as ReadEventLog returns them (Microsoft's "EVENTLOGRECORD
 * structure"). For one service, keeps the newest event of each source and number. The bytes may be
 * damaged, so every offset is checked. Portable.
 */
#ifndef PRFDATA_EVENT_RECORD_H
#define PRFDATA_EVENT_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#include <prfdata/map.h>

enum {
    PRFDATA_EVENT_RECORD_CHARS = 260, /* room for a text with its NUL; longer texts are cut */
    PRFDATA_EVENT_RECORD_STRINGS = 5, /* further strings are left out */
    /* different events of a service; further events are left out */
    PRFDATA_EVENT_HISTORY_ENTRIES = 64
};

typedef struct prfdata_event_record {
    uint32_t record_bytes;
    uint32_t time;  /* seconds since 1970, UTC */
    uint32_t event; /* the number is in the low 16 bits; severity and facility are above */
    wchar_t source[PRFDATA_EVENT_RECORD_CHARS];
    uint32_t string_count;
    wchar_t strings[PRFDATA_EVENT_RECORD_STRINGS][PRFDATA_EVENT_RECORD_CHARS];
} prfdata_event_record;

/*
 * Read the record at the beginning of `bytes`.
 *
 * Returns false, and leaves `record` unchanged, if the record is damaged or truncated.
 */
bool prfdata_event_record_read(const void *bytes, size_t size, prfdata_event_record *record);

typedef struct prfdata_event_entry {
    prfdata_event_record last;
    uint32_t count;
} prfdata_event_entry;

/*
 * The events about a service. At first everything is 0, except `service` and `library`, which are
 * borrowed.
 */
typedef struct prfdata_event_history {
    const wchar_t *service;
    const wchar_t *library; /* the registered DLL, or "" */
    size_t count;
    prfdata_event_entry entries[PRFDATA_EVENT_HISTORY_ENTRIES];
} prfdata_event_history;

/*
 * Returns whether a record is about the service: PrfData wrote it for the service, or Perflib wrote
 * it and it names the service or the registered DLL.
 */
bool prfdata_event_history_wants(const prfdata_event_history *history,
                                 const prfdata_event_record *record);

/* Note a record if it is about the service. Records may come in any order. */
void prfdata_event_history_note(prfdata_event_history *history, const prfdata_event_record *record);

/* Note all records of the bytes that one call of ReadEventLog returned. */
void prfdata_event_history_note_all(prfdata_event_history *history, const void *bytes, size_t size);

/* Returns whether PrfData wrote the event, for any service. */
bool prfdata_event_record_is_own(const prfdata_event_record *record);

/*
 * Describe an event: the meaning of its number, if it is an event of Perflib, and its strings.
 * `text` has room for `capacity` chars; a longer text is cut.
 */
void prfdata_event_record_text(const prfdata_event_record *record, wchar_t *text, size_t capacity);

#endif
