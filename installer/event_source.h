/* SPDX-License-Identifier: MIT */
/*
 * The key Services\EventLog\Application\PrfData <service>: where event viewers find the texts for
 * what the provider tells the event log. Windows only.
 */
#ifndef PRFDATA_EVENT_SOURCE_H
#define PRFDATA_EVENT_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include <windows.h>

#include <prfdata/map.h>

#define PRFDATA_EVENT_SOURCE_CHARS (PRFDATA_MAX_SERVICE_CHARS + 16)

typedef enum prfdata_event_source_state {
    PRFDATA_EVENT_SOURCE_NONE,
    PRFDATA_EVENT_SOURCE_OURS,   /* as it should be */
    PRFDATA_EVENT_SOURCE_WRONG,  /* ours, but it names another DLL, or something is missing */
    PRFDATA_EVENT_SOURCE_FOREIGN /* another installer's: never touched */
} prfdata_event_source_state;

/* What register changed, for undo. Zeroed: nothing. */
typedef struct prfdata_event_source_change {
    bool is_made;
    bool is_mended;
    wchar_t former_file[MAX_PATH]; /* of a mended one */
} prfdata_event_source_change;

/* The source's name. `name` has room for PRFDATA_EVENT_SOURCE_CHARS. */
void prfdata_event_source_name(const wchar_t *service, wchar_t *name);

prfdata_event_source_state prfdata_event_source_look(const wchar_t *service, const wchar_t *dll);

/*
 * Make the key, or mend it. Not for a foreign one.
 *
 * change  Tells, also on failure, what undo takes back.
 */
uint32_t prfdata_event_source_register(const wchar_t *service, const wchar_t *dll,
                                       prfdata_event_source_change *change);

/* Returns whether anything was taken back. */
bool prfdata_event_source_undo(const wchar_t *service, const prfdata_event_source_change *change);

/*
 * Remove our key.
 * Returns ERROR_SUCCESS, ERROR_FILE_NOT_FOUND (none, or not ours), or what the system answered.
 */
uint32_t prfdata_event_source_remove(const wchar_t *service);

#endif
