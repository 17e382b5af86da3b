/* SPDX-License-Identifier: MIT */
/*
 * The registration of a provider DLL, by which it is called: its path, its functions, what Open
 * gets, how long a call may take. A service's key in the registry holds it; for a DLL without a
 * service the user gives it. Windows only.
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
    wchar_t library[PRFDATA_REGISTRATION_PATH_CHARS]; /* a full path, if it could be made one */
    char open[PRFDATA_REGISTRATION_EXPORT_CHARS];
    char collect[PRFDATA_REGISTRATION_EXPORT_CHARS];
    char close[PRFDATA_REGISTRATION_EXPORT_CHARS];
    wchar_t context[PRFDATA_REGISTRATION_PATH_CHARS]; /* of Open; ends with two NULs */
    bool has_context;                                 /* false: Open gets NULL */
    wchar_t objects[PRFDATA_REGISTRATION_PATH_CHARS]; /* Object List: title indexes; "": none */
    prfdata_registration_titles titles;
    uint32_t open_limit_ms;
    uint32_t collect_limit_ms;
    bool answers_metadata; /* Collect Supports Metadata is set */
    bool gets_metadata;    /* that, or no service says it: it may be asked for metadata */
    bool is_disabled;
    bool is_relative; /* Library is not a full path */
} prfdata_registration;

/*
 * Read the registration of a service.
 *
 * service  The name of its key, at most 255 chars.
 * what     On failure what could not be read, such as "the value Open"; static storage.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_DATA (a value is of another type), ERROR_MORE_DATA (one is
 *         too long), ERROR_NOT_ENOUGH_MEMORY or the registry's error.
 */
uint32_t prfdata_registration_read(prfdata_text service, prfdata_registration *registration,
                                   const char **what);

/*
 * Begin with a DLL that no service needs to have: PrfDataOpen, PrfDataCollect and PrfDataClose, no
 * context, no titles, the system's limits.
 *
 * dll  A path, full or not.
 */
void prfdata_registration_of_dll(prfdata_text dll, prfdata_registration *registration);

/* Set what the user gives instead. An empty name leaves the export as it is. */
void prfdata_registration_set_exports(prfdata_registration *registration, prfdata_text open,
                                      prfdata_text collect, prfdata_text close);
void prfdata_registration_set_context(prfdata_registration *registration, prfdata_text context);

/* first, last  Even indexes; 0: not known. Help texts have the ones after them. */
void prfdata_registration_set_titles(prfdata_registration *registration, uint32_t first,
                                     uint32_t last);

/* For each call; more than twenty days become that. */
void prfdata_registration_set_limit(prfdata_registration *registration, uint32_t seconds);

/*
 * Find a service whose Library is this DLL.
 *
 * dll      A full path.
 * service  Room for the name of a key, 256 chars; set if there is one.
 * Returns whether there is.
 */
bool prfdata_registration_find_service(const wchar_t *dll, wchar_t *service);

/*
 * Find the next service that has a Performance key with a Library.
 *
 * position  0 at first; moves on.
 * service   Room for the name of a key, 256 chars; set if there is one.
 * Returns whether there is.
 */
bool prfdata_registration_next(uint32_t *position, wchar_t *service);

/*
 * Find another service that is not switched off and has one of the title indexes.
 *
 * service  The name of the service whose titles these are; another's case is the same.
 * titles   Nothing is shared if First Counter is not known.
 * other    Room for the name of a key, 256 chars; set if there is one.
 * theirs   Set if there is one.
 * Returns whether there is.
 */
bool prfdata_registration_find_sharing(prfdata_text service,
                                       const prfdata_registration_titles *titles, wchar_t *other,
                                       prfdata_registration_titles *theirs);

/* Whether a service of this name has a Performance key. */
bool prfdata_registration_exists(prfdata_text service);

#endif
