/* SPDX-License-Identifier: MIT */
/*
 * Does the common part of all commands that change a registration: checks elevation, lets one
 * installer run at a time, and opens the folders of a service. Windows only.
 */
#ifndef PRFDATA_SITE_H
#define PRFDATA_SITE_H

#include "report/report.h"
#include "windows/directory.h"

typedef struct prfdata_site {
    /* the folder that holds the data folder, such as ProgramData */
    prfdata_directory root;
    prfdata_directory data;    /* the data folder: title files, and a folder for each service */
    prfdata_directory regions; /* the folder of the service in the data folder: region files */
} prfdata_site;

/*
 * Returns whether the map keeps the rules PRFDATA_MAP_RULE_MAP and PRFDATA_MAP_RULE_SERVICE_NAME.
 * Returns false if memory is exhausted.
 */
bool prfdata_site_has_service(const prfdata_map *map);

/* Report an invalid service name. Returns ERROR_SUCCESS or ERROR_INVALID_PARAMETER. */
uint32_t prfdata_site_check_service(const prfdata_map *map, const prfdata_report *report);

/* Returns whether the Administrators group is enabled in this thread's token. */
bool prfdata_site_is_elevated(void);

/* The longest time that prfdata_site_enter() waits, in milliseconds. Tests shorten it. */
extern DWORD prfdata_site_patience_ms;

/*
 * Wait until no other installer of PrfData is running. An installer that was killed does not count
 * as running.
 *
 * turn  On success the argument of prfdata_site_leave(), which the same thread must call.
 *
 * Returns ERROR_SUCCESS, ERROR_TIMEOUT (another installer is still running), or the system's error.
 *         A failure is reported, and the caller must change nothing.
 */
uint32_t prfdata_site_enter(const prfdata_report *report, HANDLE *turn);
void prfdata_site_leave(HANDLE turn);

/* Check that this thread may install. Returns ERROR_SUCCESS or ERROR_ACCESS_DENIED, reported. */
uint32_t prfdata_site_check_elevation(const prfdata_report *report);

/*
 * Check that this program has the bitness of Windows, or runs under Wine. Otherwise it must not
 * load titles. Returns ERROR_SUCCESS or ERROR_EXE_MACHINE_TYPE_MISMATCH, reported.
 */
uint32_t prfdata_site_check_bitness(const prfdata_report *report);

/*
 * Open the folder that holds the data folder.
 *
 * data_path  As in prfdata_install_options; NULL: <ProgramData>\PrfData.
 * name       Receives the name of the data folder; room for MAX_PATH.
 */
uint32_t prfdata_site_open_root(prfdata_site *site, const wchar_t *data_path, wchar_t *name);

/*
 * Open the three folders of `site`. If a folder does not exist, it and the folders in it stay
 * closed, and ERROR_FILE_NOT_FOUND is returned.
 *
 * data_path     As in prfdata_site_open_root(). Used only if `regions_path` is "".
 * regions_path  The registered value Regions; "" means the folder of `service` below `data_path`.
 */
uint32_t prfdata_site_open(prfdata_site *site, const wchar_t *data_path,
                           const wchar_t *regions_path, const wchar_t *service);

void prfdata_site_close(prfdata_site *site);

/* Report why a folder was refused. Returns `status`. */
uint32_t prfdata_site_report_folder(const prfdata_report *report, uint32_t status,
                                    const wchar_t *parent, const wchar_t *name);

#endif
