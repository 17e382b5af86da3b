/* SPDX-License-Identifier: MIT */
/* Declares functions that read entries of the event log in the form of `wevtutil qe ... /f:xml`
 * ("Event schema elements": System with Provider, EventID, Level, TimeCreated, EventRecordID; then
 * the data). Portable. */
#ifndef PRFDATA_KIT_EVENTS_H
#define PRFDATA_KIT_EVENTS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct kit_event {
    unsigned long long record; /* 0: unknown */
    unsigned id;
    unsigned level; /* 1 (critical) to 5 (verbose); old sources write 0 */
    char source[80];
    char time[40];
    char data[500]; /* the strings of its data, with blanks between them; may be cut */
} kit_event;

/* Reads the next entry. Returns the text after it, or NULL if there is none. */
const char *kit_event_next(const char *text, kit_event *event);

/* Returns whether the event is about the kit's own counters. */
bool kit_event_is_own(const kit_event *event);

/* Writes how often each id occurs: "1016 x 1, 2000 x 3", or "none". */
void kit_event_counts(const char *text, char *counts, size_t capacity);

#endif
