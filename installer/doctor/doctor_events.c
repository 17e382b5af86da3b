/* SPDX-License-Identifier: MIT */
/*
 * Searches the Application log for the last events of Perflib and of PrfData about the service. The
 * texts of PrfData's events are in the registered DLL, which is opened as data only. Windows only.
 */
#include <stdlib.h>
#include <wchar.h>

#include "diagnosis/event_record.h"
#include "doctor/doctor.h"

/* At most 16 MiB from the end of the log: tens of thousands of events. */
#define READ_BYTES (256u * 1024)
#define READS      64

static void read_application_log(prfdata_event_history *history)
{
    BYTE *bytes = malloc(READ_BYTES);
    HANDLE log = OpenEventLogW(NULL, L"Application");

    for (int i = 0; bytes && log && i < READS; i++) {
        DWORD read = 0, needed = 0;

        if (!ReadEventLogW(log, EVENTLOG_SEQUENTIAL_READ | EVENTLOG_BACKWARDS_READ, 0, bytes,
                           READ_BYTES, &read, &needed) ||
            read == 0)
            break; /* the end of the log, or a record that cannot be read */
        prfdata_event_history_note_all(history, bytes, read);
    }
    if (log)
        CloseEventLog(log);
    free(bytes);
}

/* Make the text of an event of the provider from the DLL's format and the event's strings. */
static bool format_own_event(HMODULE texts, const prfdata_event_record *record, wchar_t *text,
                             DWORD capacity)
{
    DWORD_PTR strings[PRFDATA_EVENT_RECORD_STRINGS];

    for (size_t i = 0; i < PRFDATA_EVENT_RECORD_STRINGS; i++)
        strings[i] = (DWORD_PTR)record->strings[i]; /* "" if the event has fewer */
    return texts &&
           FormatMessageW(FORMAT_MESSAGE_FROM_HMODULE | FORMAT_MESSAGE_ARGUMENT_ARRAY |
                              FORMAT_MESSAGE_MAX_WIDTH_MASK,
                          texts, record->event, 0, text, capacity, (va_list *)(void *)strings) > 0;
}

static void add_history_entry(prfdata_doctor *doctor, HMODULE texts,
                              const prfdata_event_entry *entry)
{
    wchar_t source[PRFDATA_EVENT_RECORD_CHARS];
    wchar_t text[1024];
    prfdata_diagnosis_event event = {source, entry->last.event & 0xFFFF, entry->last.time,
                                     entry->count, text};

    wcscpy(source, entry->last.source);
    if (!prfdata_event_record_is_own(&entry->last) ||
        !format_own_event(texts, &entry->last, text, 1024))
        prfdata_event_record_text(&entry->last, text, 1024);
    prfdata_diagnosis_add_event(&doctor->diagnosis, &event);
}

void prfdata_doctor_events_show(prfdata_doctor *doctor, const prfdata_event_history *history)
{
    HMODULE texts = NULL;

    /* Only a safe DLL is loaded, because its texts decide how strings are formatted. */
    if (history->count > 0 && doctor->dll_is_safe)
        texts = LoadLibraryExW(doctor->dll, NULL,
                               LOAD_LIBRARY_AS_DATAFILE | LOAD_LIBRARY_AS_IMAGE_RESOURCE);
    for (size_t i = 0; i < history->count; i++)
        add_history_entry(doctor, texts, &history->entries[i]);
    if (texts)
        FreeLibrary(texts);
}

void prfdata_doctor_events_examine(prfdata_doctor *doctor)
{
    prfdata_event_history *history = calloc(1, sizeof *history);

    if (!history) {
        doctor->diagnosis.has_failed = true;
        return;
    }
    history->service = doctor->key.service;
    history->library = doctor->dll;
    read_application_log(history);
    prfdata_doctor_events_show(doctor, history);
    free(history);
}
