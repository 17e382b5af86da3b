/* SPDX-License-Identifier: MIT */
/*
 * The keys HKLM\SYSTEM\CurrentControlSet\Services\<service>\Performance and \Linkage: made,
 * filled, restored, removed; and the marker that tells ours from others'. Windows only.
 */
#ifndef PRFDATA_SERVICE_KEY_H
#define PRFDATA_SERVICE_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <windows.h>

#include <prfdata/map.h>

/*
 * The marker: a REG_DWORD with a bit for each key that we created. A Performance key without it
 * belongs to somebody else.
 */
#define PRFDATA_SERVICE_KEY_MARKER L"PrfData Created"

enum { PRFDATA_CREATED_PERFORMANCE = 1, PRFDATA_CREATED_LINKAGE = 2, PRFDATA_CREATED_SERVICE = 4 };

typedef struct prfdata_value {
    wchar_t name[64];
    DWORD type;
    DWORD size;
    BYTE *data; /* heap */
} prfdata_value;

/* All values of a key as they once were. */
typedef struct prfdata_value_list {
    size_t count;
    prfdata_value *values;
} prfdata_value_list;

typedef struct prfdata_service_key {
    wchar_t service[PRFDATA_MAX_SERVICE_CHARS + 1];
    HKEY services;    /* ...\Services */
    HKEY performance; /* NULL: there is none */
    bool ours;        /* the Performance key */
    DWORD created;    /* the marker */
} prfdata_service_key;

/*
 * Look at the keys of `service`.
 *
 * writable  Whether the key will be changed.
 * Returns ERROR_SUCCESS, whether there is a Performance key or not, or what the system answered.
 */
uint32_t prfdata_service_key_open(prfdata_service_key *key, const char *service, bool writable);

/* Create the service and the Performance key, with the marker, where they are missing. */
uint32_t prfdata_service_key_create(prfdata_service_key *key);

void prfdata_service_key_close(prfdata_service_key *key);

/* ---- Values of the Performance key ---- */

/* Read a REG_DWORD; false if it is absent or no number. */
bool prfdata_service_key_number(const prfdata_service_key *key, const wchar_t *name, DWORD *number);

/* Read a REG_SZ or REG_EXPAND_SZ, not expanded; "" if it is absent or too long. */
bool prfdata_service_key_text(const prfdata_service_key *key, const wchar_t *name, wchar_t *text,
                              size_t capacity);

/* Whether the value is exactly this. */
bool prfdata_service_key_has(const prfdata_service_key *key, const wchar_t *name, DWORD type,
                             const void *data, size_t size);

uint32_t prfdata_service_key_set(const prfdata_service_key *key, const wchar_t *name, DWORD type,
                                 const void *data, size_t size);

/* Delete a value; one that is not there is no error. */
uint32_t prfdata_service_key_delete(const prfdata_service_key *key, const wchar_t *name);

/* Read all values. Owner: the caller, prfdata_service_key_free_values(). */
uint32_t prfdata_service_key_save(const prfdata_service_key *key, prfdata_value_list *list);

/* Write all values of `list`, and delete what is not in it. */
uint32_t prfdata_service_key_restore(const prfdata_service_key *key,
                                     const prfdata_value_list *list);

const prfdata_value *prfdata_service_key_find(const prfdata_value_list *list, const wchar_t *name);

void prfdata_service_key_free_values(prfdata_value_list *list);

/* ---- The other keys ---- */

typedef enum prfdata_linkage {
    PRFDATA_LINKAGE_NONE,
    PRFDATA_LINKAGE_OURS,  /* with Export as it should be */
    PRFDATA_LINKAGE_WRONG, /* ours, but Export is missing or another */
    PRFDATA_LINKAGE_FOREIGN
} prfdata_linkage;

prfdata_linkage prfdata_service_key_linkage(const prfdata_service_key *key);

/* Create or mend Linkage\Export. Not for a foreign key. */
uint32_t prfdata_service_key_link(prfdata_service_key *key);

/* Remove our Linkage key, if it holds nothing but our Export. */
uint32_t prfdata_service_key_unlink(prfdata_service_key *key);

/* Whether nobody made keys below our Performance key, which could then not be removed. */
bool prfdata_service_key_is_removable(const prfdata_service_key *key);

/*
 * Remove our Performance key, and the service key if we created it and it is empty; closes them.
 * Returns ERROR_SUCCESS, or ERROR_DIR_NOT_EMPTY: somebody made keys below, ours stay.
 */
uint32_t prfdata_service_key_remove(prfdata_service_key *key);

#endif
