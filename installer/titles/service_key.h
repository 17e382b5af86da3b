/* SPDX-License-Identifier: MIT */
/*
 * Creates, fills, restores and removes the keys
 * HKLM\SYSTEM\CurrentControlSet\Services\<service>\Performance and \Linkage. A marker shows which
 * keys an installer of PrfData created. Windows only.
 */
#ifndef PRFDATA_SERVICE_KEY_H
#define PRFDATA_SERVICE_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <windows.h>

#include <prfdata/map.h>

/*
 * The marker, a REG_DWORD, shows that an installer of PrfData created a Performance, Linkage or
 * event source key. A key without the marker belongs to another installer, unless the key is empty.
 * In the Performance key, the bits of the marker say whether PrfData's installer also created the
 * service's key.
 */
#define PRFDATA_SERVICE_KEY_MARKER L"PrfData Created"

/*
 * REG_DWORD: how often -Reset has set the counts to zero. If the value is absent, the number is 0.
 */
#define PRFDATA_VALUE_RESETS L"Resets"

/*
 * REG_DWORD: the most MiB of regions that a 64-bit reader reads. The default is
 * PRFDATA_REGIONS_MIB. A smaller value counts as the default, and a value above
 * PRFDATA_MOST_REGIONS_MIB as PRFDATA_MOST_REGIONS_MIB. regions/regions.h has the same numbers.
 */
#define PRFDATA_VALUE_REGIONS_MIB L"Regions MiB"
#define PRFDATA_REGIONS_MIB       256u
#define PRFDATA_MOST_REGIONS_MIB  1024u

enum { PRFDATA_CREATED_PERFORMANCE = 1, PRFDATA_CREATED_SERVICE = 4 };

typedef struct prfdata_value {
    wchar_t name[64];
    DWORD type;
    DWORD size;
    BYTE *data; /* heap */
} prfdata_value;

/* A copy of all values of a key. */
typedef struct prfdata_value_list {
    size_t count;
    prfdata_value *values;
} prfdata_value_list;

typedef struct prfdata_service_key {
    wchar_t service[PRFDATA_MAX_SERVICE_CHARS + 1];
    HKEY services;    /* ...\Services */
    HKEY performance; /* NULL: the key does not exist, or is empty */
    bool ours;        /* whether the Performance key has the marker */
    DWORD created;    /* the value of the marker */
} prfdata_service_key;

/*
 * Open the keys of `service`. A Performance key without values and subkeys counts as absent,
 * because an installer that was killed before it wrote the marker left it.
 *
 * writable  Whether the keys will be changed.
 * Returns ERROR_SUCCESS, even if there is no Performance key, or the system's error.
 */
uint32_t prfdata_service_key_open(prfdata_service_key *key, const char *service, bool writable);

/*
 * If the service has no Performance key, create the key and its marker. If the service's own key is
 * missing, create that key, too. Returns ERROR_SUCCESS, even if there is a Performance key already;
 * ERROR_ALREADY_EXISTS (another program has just created one); or the system's error.
 */
uint32_t prfdata_service_key_create(prfdata_service_key *key);

void prfdata_service_key_close(prfdata_service_key *key);

/* Read a REG_DWORD; false if it is absent or of another type. */
bool prfdata_service_key_number(const prfdata_service_key *key, const wchar_t *name, DWORD *number);

/* Read a REG_SZ or REG_EXPAND_SZ, not expanded; "" if absent, too long or of another type. */
bool prfdata_service_key_text(const prfdata_service_key *key, const wchar_t *name, wchar_t *text,
                              size_t capacity);

bool prfdata_service_key_has(const prfdata_service_key *key, const wchar_t *name, DWORD type,
                             const void *data, size_t size);

uint32_t prfdata_service_key_set(const prfdata_service_key *key, const wchar_t *name, DWORD type,
                                 const void *data, size_t size);

/* Delete a value, if it exists. */
uint32_t prfdata_service_key_delete(const prfdata_service_key *key, const wchar_t *name);

/*
 * Write a value and delete it. Programs that count in private memory then notice a change
 * (system/os_watch.h) and try again to publish. If the value stayed, the next call would write it
 * unchanged, and Windows may not tell programs of that.
 */
void prfdata_service_key_touch(const prfdata_service_key *key);

/*
 * Copy all values, except those whose names do not fit into a prfdata_value. Owner: the caller;
 * release with prfdata_service_key_free_values().
 */
uint32_t prfdata_service_key_save(const prfdata_service_key *key, prfdata_value_list *list);

/* Copy the values of any open key, as prfdata_service_key_save() does. */
uint32_t prfdata_service_key_save_values(HKEY key, prfdata_value_list *list);

/* Write all values of `list`, and delete all other values. */
uint32_t prfdata_service_key_restore(const prfdata_service_key *key,
                                     const prfdata_value_list *list);

/* Find a value by its name, ignoring case; NULL if there is none. */
const prfdata_value *prfdata_service_key_find(const prfdata_value_list *list, const wchar_t *name);

void prfdata_service_key_free_values(prfdata_value_list *list);

typedef enum prfdata_linkage {
    PRFDATA_LINKAGE_NONE,
    PRFDATA_LINKAGE_OURS,   /* PrfData created it, and Export names the service */
    PRFDATA_LINKAGE_WRONG,  /* PrfData created it, but Export is missing or different */
    PRFDATA_LINKAGE_FOREIGN /* another installer created it, or it is unreadable */
} prfdata_linkage;

prfdata_linkage prfdata_service_key_linkage(const prfdata_service_key *key);

/*
 * Copy the values of Linkage, as prfdata_service_key_save() does. Returns ERROR_FILE_NOT_FOUND if
 * there is no key.
 */
uint32_t prfdata_service_key_save_linkage(const prfdata_service_key *key, prfdata_value_list *list);

/*
 * Create or repair Linkage\Export. Returns ERROR_ALREADY_EXISTS if another installer created the
 * key.
 */
uint32_t prfdata_service_key_link(const prfdata_service_key *key);

/*
 * Remove the Linkage key that PrfData created, or only PrfData's values if another program also
 * uses the key.
 *
 * Returns ERROR_SUCCESS, ERROR_FILE_NOT_FOUND (there is no key that PrfData created),
 *         ERROR_DIR_NOT_EMPTY (the key stays, because it holds values or keys of other programs),
 *         or the system's error.
 */
uint32_t prfdata_service_key_unlink(const prfdata_service_key *key);

/* Returns whether the Performance key has no subkeys; with subkeys it could not be removed. */
bool prfdata_service_key_is_removable(const prfdata_service_key *key);

/*
 * Close and remove the Performance key that PrfData created, and the service key if PrfData created
 * it and it is empty.
 * Returns ERROR_SUCCESS (even if PrfData created none), ERROR_DIR_NOT_EMPTY (there are subkeys of
 *         other programs; the keys stay), or the system's error.
 */
uint32_t prfdata_service_key_remove(prfdata_service_key *key);

/*
 * Remove an empty Performance key and an empty service key, which an installer or uninstaller that
 * was killed may have left.
 */
void prfdata_service_key_remove_remains(const prfdata_service_key *key);

#endif
