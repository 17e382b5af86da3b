/* SPDX-License-Identifier: MIT */
/* Reads entries of the event log (events.h). It understands what wevtutil writes, not XML in
 * general: no comments, no CDATA. Missing parts are empty. */
#include "events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_IDS = 40 };

static const struct {
    const char *name;
    char character;
} entities[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};

/* Reads one character of XML. Returns the number of bytes that stand for it in `xml`. */
static size_t read_character(const char *xml, char *character)
{
    for (size_t i = 0; i < sizeof entities / sizeof entities[0]; i++) {
        size_t length = strlen(entities[i].name);

        if (strncmp(xml, entities[i].name, length) == 0) {
            *character = entities[i].character;
            return length;
        }
    }
    *character = (unsigned char)*xml < ' ' ? ' ' : *xml;
    return 1;
}

/* Copies the text from `at` to one of the characters `stops`, or to the end. */
static void copy_text(const char *at, const char *end, const char *stops, char *text,
                      size_t capacity)
{
    size_t used = 0;

    while (at < end && !strchr(stops, *at) && used + 1 < capacity)
        at += read_character(at, &text[used++]);
    text[used] = 0;
}

/* Returns the text after a word that must occur before the end, or NULL if it does not. */
static const char *after_word(const char *at, const char *end, const char *word)
{
    const char *found = strstr(at, word);

    return found && found < end ? found + strlen(word) : NULL;
}

/* Reads the content of the first element with this name, with or without attributes. */
static void read_element(const char *at, const char *end, const char *name, char *text,
                         size_t capacity)
{
    at = after_word(at, end, name);
    at = at ? after_word(at, end, ">") : NULL;
    copy_text(at ? at : end, end, "<", text, capacity);
}

static unsigned long long read_number(const char *at, const char *end, const char *name)
{
    char text[24];

    read_element(at, end, name, text, sizeof text);
    return strtoull(text, NULL, 10);
}

/* Reads the value of an attribute, in either kind of quotes. */
static void read_attribute(const char *at, const char *end, const char *name, char *text,
                           size_t capacity)
{
    at = after_word(at, end, name);
    copy_text(at ? at + 1 : end, end, at && *at == '"' ? "\"" : "'", text, capacity);
}

/* Reads all texts between elements and puts blanks between them. */
static void read_data(const char *at, const char *end, char *text, size_t capacity)
{
    size_t used = 0;

    text[0] = 0;
    while ((at = after_word(at, end, ">")) != NULL && at < end && used + 2 < capacity) {
        if (*at == '<' || *at == '\r' || *at == '\n')
            continue;
        if (used > 0)
            text[used++] = ' ';
        copy_text(at, end, "<", text + used, capacity - used);
        used += strlen(text + used);
    }
}

const char *kit_event_next(const char *text, kit_event *event)
{
    const char *begin = strstr(text, "<Event "), *end, *system;

    if (!begin)
        return NULL;
    end = strstr(begin, "</Event>");
    if (!end)
        return NULL;
    memset(event, 0, sizeof *event);
    system = after_word(begin, end, "</System");
    if (!system)
        system = end;
    read_attribute(begin, system, "<Provider Name=", event->source, sizeof event->source);
    read_attribute(begin, system, "SystemTime=", event->time, sizeof event->time);
    event->id = (unsigned)read_number(begin, system, "<EventID");
    event->level = (unsigned)read_number(begin, system, "<Level");
    event->record = read_number(begin, system, "<EventRecordID");
    read_data(system, end, event->data, sizeof event->data);
    return end + 1;
}

bool kit_event_is_own(const kit_event *event)
{
    return strstr(event->source, "PrfDataKit") || strstr(event->data, "PrfDataKit") ||
           strstr(event->data, "prfdata-kit");
}

void kit_event_counts(const char *text, char *counts, size_t capacity)
{
    unsigned ids[MOST_IDS], times[MOST_IDS], used = 0;
    size_t length = 0;
    kit_event event;

    snprintf(counts, capacity, "none");
    while ((text = kit_event_next(text, &event)) != NULL) {
        unsigned i = 0;

        while (i < used && ids[i] != event.id)
            i++;
        if (i == used && used < MOST_IDS) {
            ids[used] = event.id;
            times[used++] = 0;
        }
        if (i < used)
            times[i]++;
    }
    for (unsigned i = 0; i < used && length + 30 < capacity; i++)
        length += (size_t)snprintf(counts + length, capacity - length, "%s%u x %u",
                                   i > 0 ? ", " : "", ids[i], times[i]);
}
