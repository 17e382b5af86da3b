/* SPDX-License-Identifier: MIT */
/*
 * Reads the current registration of a service. This program, another version of this program, or
 * another product may have registered the service. Windows only.
 */
#ifndef PRFDATA_REGISTERED_H
#define PRFDATA_REGISTERED_H

#include <prfdata/install.h>

#include "map/maps.h"
#include "service/prepared.h"
#include "titles/service_key.h"
#include "windows/access_list.h"

/* The current map, and some earlier maps (map/maps.h). */
#define PRFDATA_VALUE_MAPS L"Maps" /* REG_BINARY */

/* Values that an installation writes for the next one. */
#define PRFDATA_VALUE_WRITERS L"Writers" /* REG_SZ, with SIDs instead of names */
#define PRFDATA_VALUE_ARCH    L"Arch"    /* REG_SZ: "native" or "x86" */

/* The installer program, for messages that name its commands. */
#define PRFDATA_VALUE_INSTALLER L"Installer" /* REG_SZ, a path */

/* {0} is empty: nothing is registered. */
typedef struct prfdata_registered {
    prfdata_value_list values; /* values of the Performance key */
    /*
     * The registered maps, borrowed from `values`; count 0 if no map can be read. If the value Maps
     * is damaged, these are the maps that can be decoded, and `model` is NULL.
     */
    prfdata_maps maps;
    prfdata_model *model; /* model of the current map; NULL: `map_status` gives the reason */
    /*
     * the model of the current map of a damaged value Maps, without numbers of titles; NULL if the
     * value is not damaged, or if that map cannot be decoded
     */
    prfdata_model *salvaged;
    /*
     * what prfdata_registered_maps() returned; ERROR_FILE_NOT_FOUND: the value Maps is missing, or
     * PrfData created no Performance key
     */
    uint32_t map_status;
    wchar_t dll[MAX_PATH];     /* the value Library, or "" */
    wchar_t regions[MAX_PATH]; /* the value Regions, or "" */

    /* The previous options. "" and PRFDATA_ARCH_DEFAULT are the defaults. */
    wchar_t data_path[MAX_PATH];
    wchar_t writers[PRFDATA_ACCESS_LIST_SDDL_CHARS];
    prfdata_install_arch arch;
} prfdata_registered;

/*
 * Read the Performance key, if an installer of PrfData created one.
 *
 * registered  {0} at first; release it with prfdata_registered_free(), even after a failure.
 *
 * Returns ERROR_SUCCESS, even if the key holds nothing useful, or the system's error.
 */
uint32_t prfdata_registered_read(prfdata_registered *registered, const prfdata_service_key *key);

/*
 * Find the maps in the values of a Performance key.
 *
 * maps     Receives all maps; if the value Maps is damaged, the maps that can be decoded. They are
 *          borrowed from `values`.
 * present  Receives the model of the current map (the first of `maps`); NULL if that map cannot be
 *          decoded. If the value Maps is damaged, the titles of the model have no numbers. Owner:
 *          the caller.
 *
 * Returns ERROR_SUCCESS, ERROR_FILE_NOT_FOUND, ERROR_INVALID_DATA (damaged, or of an earlier
 *         format), ERROR_REVISION_MISMATCH (of a later format) or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_registered_maps(const prfdata_value_list *values, prfdata_maps *maps,
                                 prfdata_model **present);

/*
 * Find the map that is registered for a service.
 *
 * service  Any text.
 * model    On success new; owner: the caller, prfdata_model_free(). Untouched on failure.
 *
 * Returns ERROR_SUCCESS; ERROR_FILE_NOT_FOUND (PrfData installed no service of this name);
 *         ERROR_INVALID_DATA (its map is missing or damaged); ERROR_REVISION_MISMATCH (its map has
 *         a later format); or the system's error.
 */
uint32_t prfdata_registered_find_model(const wchar_t *service, prfdata_model **model);

/* Set omitted options to the previous ones, whose texts are borrowed from `registered`. */
void prfdata_registered_complete(const prfdata_registered *registered,
                                 prfdata_install_options *options);

/* Return the model of the current map, even from a damaged value; NULL if there is none. */
const prfdata_model *prfdata_registered_present(const prfdata_registered *registered);

/* Returns whether the current map has exactly these bytes (prfdata_prepared_encode_map()). */
bool prfdata_registered_is_map(const prfdata_registered *registered, const void *bytes,
                               size_t size);

void prfdata_registered_free(prfdata_registered *registered);

/*
 * Describe the registration in a few words: the DLL, and how many objects and counters the map has.
 * If the map has a later format, the text says that instead of the counts. The map must not be
 * missing or damaged.
 *
 * text  Room for PRFDATA_REPORT_CHARS.
 */
void prfdata_registered_text(const prfdata_registered *registered, wchar_t *text);

#endif
