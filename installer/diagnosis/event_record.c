/* SPDX-License-Identifier: MIT */
/*
 * Reads and describes records of an event log. The numbers in `meanings` are those of Perflib's
 * manifest (Microsoft's "Performance Library Availability"). Portable.
 */
#include "diagnosis/event_record.h"

#include <string.h>

#include "names/ascii.h"
#include "names/wide_text.h"

/* Offsets in an EVENTLOGRECORD. */
enum {
    OFFSET_LENGTH = 0,
    OFFSET_SIGNATURE = 4,
    OFFSET_TIME_GENERATED = 12,
    OFFSET_EVENT_ID = 20,
    OFFSET_STRING_COUNT = 26,
    OFFSET_STRING_OFFSET = 36,
    FIXED_BYTES = 56 /* the source follows */
};

#define SIGNATURE 0x654C664Cu /* "LfLe" */

static uint32_t number_at(const unsigned char *bytes, size_t offset)
{
    return (uint32_t)bytes[offset] | (uint32_t)bytes[offset + 1] << 8 |
           (uint32_t)bytes[offset + 2] << 16 | (uint32_t)bytes[offset + 3] << 24;
}

static uint32_t unit_at(const unsigned char *bytes, size_t offset)
{
    return (uint32_t)bytes[offset] | (uint32_t)bytes[offset + 1] << 8;
}

/*
 * Copy the text at `offset`. Returns the offset after its NUL, or 0 if the text does not end within
 * the bytes.
 */
static size_t copy_record_text(const unsigned char *bytes, size_t size, size_t offset,
                               wchar_t *text)
{
    size_t chars = 0;

    for (; offset + 2 <= size; offset += 2) {
        uint32_t c = unit_at(bytes, offset);

        if (c == 0) {
            text[chars] = 0;
            return offset + 2;
        }
        if (chars + 1 < PRFDATA_EVENT_RECORD_CHARS)
            text[chars++] = (wchar_t)c;
    }
    return 0;
}

static bool read_record_strings(const unsigned char *bytes, size_t size,
                                prfdata_event_record *record)
{
    uint32_t count = unit_at(bytes, OFFSET_STRING_COUNT);
    size_t at = number_at(bytes, OFFSET_STRING_OFFSET);

    if (count > PRFDATA_EVENT_RECORD_STRINGS)
        count = PRFDATA_EVENT_RECORD_STRINGS;
    if (count > 0 && at < FIXED_BYTES)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        at = at < size ? copy_record_text(bytes, size, at, record->strings[i]) : 0;
        if (at == 0)
            return false;
    }
    record->string_count = count;
    return true;
}

bool prfdata_event_record_read(const void *bytes, size_t size, prfdata_event_record *record)
{
    const unsigned char *at = bytes;
    prfdata_event_record read;

    memset(&read, 0, sizeof read);
    if (size < FIXED_BYTES || number_at(at, OFFSET_SIGNATURE) != SIGNATURE)
        return false;
    read.record_bytes = number_at(at, OFFSET_LENGTH);
    if (read.record_bytes < FIXED_BYTES || read.record_bytes > size)
        return false;
    read.time = number_at(at, OFFSET_TIME_GENERATED);
    read.event = number_at(at, OFFSET_EVENT_ID);
    if (copy_record_text(at, read.record_bytes, FIXED_BYTES, read.source) == 0 ||
        !read_record_strings(at, read.record_bytes, &read))
        return false;
    *record = read;
    return true;
}

static bool is_same_name(const wchar_t *a, const wchar_t *b)
{
    while (*a && prfdata_ascii_lower(*a) == prfdata_ascii_lower(*b)) {
        a++;
        b++;
    }
    return prfdata_ascii_lower(*a) == prfdata_ascii_lower(*b);
}

static const wchar_t own_prefix[] = L"PrfData ";

enum { OWN_PREFIX_CHARS = sizeof own_prefix / sizeof own_prefix[0] - 1 };

bool prfdata_event_record_is_own(const prfdata_event_record *record)
{
    return wcsncmp(record->source, own_prefix, OWN_PREFIX_CHARS) == 0;
}

/* Older systems name the source Perflib, newer ones Microsoft-Windows-Perflib. */
static bool is_of_perflib(const prfdata_event_record *record)
{
    return is_same_name(record->source, L"Perflib") ||
           is_same_name(record->source, L"Microsoft-Windows-Perflib");
}

bool prfdata_event_history_wants(const prfdata_event_history *history,
                                 const prfdata_event_record *record)
{
    if (prfdata_event_record_is_own(record))
        return is_same_name(record->source + OWN_PREFIX_CHARS, history->service);
    if (!is_of_perflib(record))
        return false;
    for (uint32_t i = 0; i < record->string_count; i++) {
        if (is_same_name(record->strings[i], history->service) ||
            (history->library[0] && is_same_name(record->strings[i], history->library)))
            return true;
    }
    return false;
}

void prfdata_event_history_note(prfdata_event_history *history, const prfdata_event_record *record)
{
    if (!prfdata_event_history_wants(history, record))
        return;
    for (size_t i = 0; i < history->count; i++) {
        prfdata_event_entry *entry = &history->entries[i];

        if (entry->last.event != record->event || !is_same_name(entry->last.source, record->source))
            continue;
        entry->count++;
        if (record->time > entry->last.time)
            entry->last = *record;
        return;
    }
    if (history->count == PRFDATA_EVENT_HISTORY_ENTRIES)
        return;
    history->entries[history->count].last = *record;
    history->entries[history->count++].count = 1;
}

void prfdata_event_history_note_all(prfdata_event_history *history, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    prfdata_event_record record;

    while (prfdata_event_record_read(at, size, &record)) {
        prfdata_event_history_note(history, &record);
        at += record.record_bytes;
        size -= record.record_bytes;
    }
}

static const struct {
    uint32_t number;
    const wchar_t *meaning;
} meanings[] = {
    {1000, L"a user was refused access to performance data"},
    {1001, L"Collect returned more bytes than there was room for"},
    {1002, L"Collect wrote beyond its buffer"},
    {1003, L"the lengths of the objects do not add up to what Collect returned"},
    {1004, L"the lengths of an object's instances do not fit the object"},
    {1005, L"the DLL does not export the Open procedure"},
    {1006, L"the DLL does not export the Collect procedure"},
    {1007, L"the DLL does not export the Close procedure"},
    {1008, L"Open failed"},
    {1009, L"Open crashed"},
    {1010, L"Collect crashed"},
    {1011, L"Close crashed"},
    {1013, L"Collect wrote far beyond its buffer"},
    {1014, L"Collect failed"},
    {1015, L"Collect took too long"},
    {1016, L"the reply is not aligned to 8 bytes"},
    {1017, L"the provider was switched off, until it is enabled again"},
    {1018, L"the provider was switched off in one program"},
    {1019, L"the lengths of an object's definitions do not fit the object"},
    {1020, L"Collect used more bytes than it was given"},
    {1021, L"a 64-bit program found a 32-bit DLL"},
    {1022, L"a 32-bit program found a 64-bit DLL"},
    {1023, L"the DLL could not be loaded"},
    {2001, L"the Performance key could not be read"},
    {2002, L"Open took too long"},
    {2003, L"the DLL does not fit its Library Validation Code"},
};

void prfdata_event_record_text(const prfdata_event_record *record, wchar_t *text, size_t capacity)
{
    /* `meanings` has only Perflib's events, so it is not used for events of PrfData. */
    const bool is_own = prfdata_event_record_is_own(record);

    text[0] = 0;
    for (size_t i = 0; !is_own && i < sizeof meanings / sizeof meanings[0]; i++) {
        if (meanings[i].number == (record->event & 0xFFFF))
            prfdata_wide_text_append(text, capacity, meanings[i].meaning);
    }
    for (uint32_t i = 0; i < record->string_count; i++) {
        prfdata_wide_text_append(text, capacity, i > 0 ? L", " : text[0] ? L": " : L"");
        prfdata_wide_text_append(text, capacity, record->strings[i]);
    }
}
