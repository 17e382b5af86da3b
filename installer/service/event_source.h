/* SPDX-License-Identifier: MIT */
/*
 * Creates, repairs and removes the key Services\EventLog\Application\PrfData <service>, where event
 * viewers find the texts of the events that the provider writes. Windows only.
 */
#ifndef PRFDATA_EVENT_SOURCE_H
#define PRFDATA_EVENT_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include <windows.h>

#include <prfdata/map.h>

#include "titles/service_key.h"

#define PRFDATA_EVENT_SOURCE_CHARS (PRFDATA_MAX_SERVICE_CHARS + 16)

typedef enum prfdata_event_source_state {
    PRFDATA_EVENT_SOURCE_NONE,
    PRFDATA_EVENT_SOURCE_OURS,  /* PrfData created it, it is complete, and it names the DLL */
    PRFDATA_EVENT_SOURCE_WRONG, /* PrfData created it, but it is incomplete or for another DLL */
    /* another installer created it, or it cannot be read; it is never changed */
    PRFDATA_EVENT_SOURCE_FOREIGN
} prfdata_event_source_state;

/* The changes of prfdata_event_source_register(). {0}: nothing was changed. */
typedef struct prfdata_event_source_change {
    bool is_created;
    bool is_repaired;
    wchar_t former_file[MAX_PATH]; /* the DLL that a repaired key named, or "" */
} prfdata_event_source_change;

/* Make the name of the source. `name` has room for PRFDATA_EVENT_SOURCE_CHARS. */
void prfdata_event_source_name(const wchar_t *service, wchar_t *name);

/* Compare the key with the one that registering `dll` would create. */
prfdata_event_source_state prfdata_event_source_look(const wchar_t *service, const wchar_t *dll);

/*
 * Copy the values of the key, as prfdata_service_key_save() does. Returns ERROR_FILE_NOT_FOUND if
 * there is no key.
 */
uint32_t prfdata_event_source_save(const wchar_t *service, prfdata_value_list *list);

/*
 * Create or repair the key. The state of the key must not be PRFDATA_EVENT_SOURCE_FOREIGN.
 *
 * change  {0} at first. Receives, even on failure, what prfdata_event_source_undo() undoes.
 */
uint32_t prfdata_event_source_register(const wchar_t *service, const wchar_t *dll,
                                       prfdata_event_source_change *change);

/*
 * Undo the change, but leave a repaired value TypesSupported as it is. Returns whether anything was
 * undone.
 */
bool prfdata_event_source_undo(const wchar_t *service, const prfdata_event_source_change *change);

/*
 * Remove the key if an installer of PrfData created it.
 *
 * Returns ERROR_SUCCESS, ERROR_FILE_NOT_FOUND (there is none, another installer created it, or it
 *         cannot be read), or the system's error.
 */
uint32_t prfdata_event_source_remove(const wchar_t *service);

#endif
