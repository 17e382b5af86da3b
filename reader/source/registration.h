/* SPDX-License-Identifier: MIT */
/*
 * Describes how to call a provider DLL: its path, its functions, Open's argument, and the time
 * limits. A service's key in the registry holds these values. For a DLL without a service, the user
 * gives them. Windows only.
 */
#ifndef PRFDATA_READER_REGISTRATION_H
#define PRFDATA_READER_REGISTRATION_H

#include <windows.h>

#include "text/text.h"

#define PRFDATA_REGISTRATION_PATH_CHARS   1024
#define PRFDATA_REGISTRATION_EXPORT_CHARS 256

/* The title indexes of a service, as loadperf assigned them; 0: not known. */
typedef struct prfdata_registration_titles {
    uint32_t first_counter;
    uint32_t last_counter;
    uint32_t first_help;
    uint32_t last_help;
} prfdata_registration_titles;

typedef struct prfdata_registration {
    /* The value Library of the service's key, expanded. For a DLL without a service, a full path,
     * if the system could make one. */
    wchar_t library[PRFDATA_REGISTRATION_PATH_CHARS];
    char open[PRFDATA_REGISTRATION_EXPORT_CHARS];
    char collect[PRFDATA_REGISTRATION_EXPORT_CHARS];
    char close[PRFDATA_REGISTRATION_EXPORT_CHARS];
    wchar_t context[PRFDATA_REGISTRATION_PATH_CHARS]; /* the argument of Open; ends with two NULs */
    bool has_context;                                 /* false: the argument of Open is NULL */
    wchar_t objects[PRFDATA_REGISTRATION_PATH_CHARS]; /* Object List: title indexes; "": none */
    prfdata_registration_titles titles;
    uint32_t open_limit_ms;
    uint32_t collect_limit_ms;
    bool answers_metadata; /* Collect Supports Metadata is set */
    bool gets_metadata;    /* the DLL may be asked for metadata, because answers_metadata is set or
                              there is no service */
    bool is_disabled;      /* for readers of this program's bitness */
    bool is_disabled_for_others; /* for readers of the other bitness, 32 or 64 bits */
    bool is_relative;            /* Library is not a full path */
} prfdata_registration;

/*
 * Read the registration of a service.
 *
 * service  The name of the service's key, at most 255 chars.
 * what     Set on failure: what could not be read, such as "the value Open"; static storage.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_DATA (Library, Open, Collect or Close is of another type),
 * ERROR_MORE_DATA (one of these is too long), ERROR_NOT_ENOUGH_MEMORY or the registry's error.
 * Other values that cannot be read count as missing.
 */
uint32_t prfdata_registration_read(prfdata_text service, prfdata_registration *registration,
                                   const char **what);

/*
 * Set the defaults for a DLL that needs no service: PrfDataOpen, PrfDataCollect and PrfDataClose,
 * no context, no titles, the system's limits.
 *
 * dll  A path, full or not.
 */
void prfdata_registration_of_dll(prfdata_text dll, prfdata_registration *registration);

/* Replace the names of exports. An empty name leaves the current one. */
void prfdata_registration_set_exports(prfdata_registration *registration, prfdata_text open,
                                      prfdata_text collect, prfdata_text close);
void prfdata_registration_set_context(prfdata_registration *registration, prfdata_text context);

/*
 * Set the title indexes.
 * first, last  Even indexes; 0: not known. Each help text has the index after that of its name.
 */
void prfdata_registration_set_titles(prfdata_registration *registration, uint32_t first,
                                     uint32_t last);

/* Set the limit of each call; at most twenty days. */
void prfdata_registration_set_limit(prfdata_registration *registration, uint32_t seconds);

/*
 * Get the full path of the library. If the registration names no folder, search for the file in the
 * folders in which LoadLibrary searches: the folder of the program, the folders of the system, and
 * the folders of PATH ("Dynamic-link library search order", learn.microsoft.com). Entries of PATH
 * that are not full paths, such as ".", are skipped. The current folder is not searched.
 * LoadLibrary with a bare name would search the current folder under Wine 8, even after
 * SetDllDirectory.
 *
 * path  Has room for PRFDATA_REGISTRATION_PATH_CHARS chars.
 *
 * Returns false if no file is found, or if the registration has a folder or a drive but no full
 * path, because that would depend on the current folder or drive. A full path is returned even if
 * there is no such file.
 */
bool prfdata_registration_library_path(const prfdata_registration *registration, wchar_t *path);

/*
 * Find a service whose Library is this DLL.
 *
 * dll      A full path.
 * service  Room for the name of a key, 256 chars; set if there is such a service.
 * Returns whether there is one.
 */
bool prfdata_registration_find_service(const wchar_t *dll, wchar_t *service);

/*
 * Find the next service that has a Performance key with a Library.
 *
 * position  0 at first; advanced by each call.
 * service   Room for the name of a key, 256 chars; set if there is such a service.
 * Returns whether there is one.
 */
bool prfdata_registration_next(uint32_t *position, wchar_t *service);

/*
 * Find another enabled service that has one of the title indexes.
 *
 * service  The name of the service that has `titles`; letter case does not matter.
 * titles   Its titles. If they are not known, the function returns false.
 * other    Room for the name of a key, 256 chars; set if there is such a service.
 * theirs   Set to the titles of that service, if there is one.
 * Returns whether there is one.
 */
bool prfdata_registration_find_sharing(prfdata_text service,
                                       const prfdata_registration_titles *titles, wchar_t *other,
                                       prfdata_registration_titles *theirs);

/* Returns whether a service of this name has a Performance key. */
bool prfdata_registration_exists(prfdata_text service);

/*
 * Returns whether the value "Disable Performance Counters" of a service disables the service for
 * readers of this program's bitness: 1 is for all readers, 2 for 32-bit readers, and 4 for 64-bit
 * readers (KB 2554336).
 */
bool prfdata_registration_value_disables(uint32_t value);

#endif
