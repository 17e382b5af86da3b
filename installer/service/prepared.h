/* SPDX-License-Identifier: MIT */
/*
 * Makes and checks everything before the first change of an installation: the encoded map, the
 * title files, the provider DLL and the access list of the regions. registered.h reads what is
 * registered already. Windows only.
 */
#ifndef PRFDATA_PREPARED_H
#define PRFDATA_PREPARED_H

#include <prfdata/install.h>

#include "map/model.h"
#include "report/report.h"
#include "titles/title_file.h"
#include "titles/title_languages.h"
#include "windows/access_list.h"
#include "windows/protection.h"
#include "windows/writers.h"

enum { PRFDATA_TITLE_FILES = 2 }; /* .ini and .h */

/* {0} is empty. */
typedef struct prfdata_prepared {
    const prfdata_map *map;                 /* borrowed */
    const prfdata_install_options *options; /* borrowed */
    prfdata_model *model;
    void *map_bytes;
    size_t map_size;
    prfdata_title_languages languages; /* the languages of the .ini in addition to English */
    prfdata_title_file files[PRFDATA_TITLE_FILES];   /* the .ini first */
    wchar_t writers[PRFDATA_ACCESS_LIST_SDDL_CHARS]; /* -Writers, with SIDs instead of names */
    wchar_t regions_sddl[PRFDATA_ACCESS_LIST_SDDL_CHARS];
    wchar_t dll[MAX_PATH]; /* the DLL whose copy is registered */
    void *dll_bytes;
    size_t dll_size;
    wchar_t dll_copy[MAX_PATH]; /* the path of that copy (dll_copy.h) */
} prfdata_prepared;

/*
 * Make everything that depends only on the map: model and encoded map. Mistakes in the map, and
 * notes about it, are reported.
 *
 * prepared  {0} at first, except for its languages; release it with prfdata_prepared_free(), even
 *           after a failure.
 * map       Borrowed: it must stay valid until prfdata_prepared_free().
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_PARAMETER (mistakes in the map) or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_prepared_from_map(prfdata_prepared *prepared, const prfdata_map *map,
                                   const prfdata_report *report);

/*
 * Make the title files. The model must have the numbers of its titles. Returns ERROR_SUCCESS or
 * ERROR_NOT_ENOUGH_MEMORY, reported.
 */
uint32_t prfdata_prepared_make_title_files(prfdata_prepared *prepared,
                                           const prfdata_report *report);

/*
 * Make everything that depends on the options, after prfdata_prepared_from_map().
 *
 * options  Borrowed, like the map.
 *
 * Returns ERROR_SUCCESS, or the code of prfdata_install() for an unknown writer, an unsuitable DLL
 *         or an error of the system. The failure is reported.
 */
uint32_t prfdata_prepared_add_options(prfdata_prepared *prepared,
                                      const prfdata_install_options *options,
                                      const prfdata_report *report);

/*
 * Check that only administrators can replace the file or folder at the path, and report the
 * result. A weakness that the options allow is reported and accepted.
 *
 * what    The subject of the report, such as "the DLL and the folders above it".
 * advice  What to do about a weakness.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_ACL, or the system's error.
 */
uint32_t prfdata_prepared_check_place(const prfdata_prepared *prepared, const wchar_t *path,
                                      prfdata_protection_role role, const wchar_t *what,
                                      const wchar_t *advice, const prfdata_report *report);

/*
 * Encode the map of a model, as the value Maps holds it.
 *
 * bytes  On success new memory of `size` bytes; owner: the caller, free(). Untouched on failure.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_prepared_encode_map(const prfdata_model *model, void **bytes, size_t *size);

void prfdata_prepared_free(prfdata_prepared *prepared);

#endif
