/* SPDX-License-Identifier: MIT */
/*
 * What installing and uninstalling have in common: who may, one at a time, and the folders of a
 * service. Windows only.
 */
#ifndef PRFDATA_SITE_H
#define PRFDATA_SITE_H

#include "installer/directory.h"
#include "installer/report.h"

typedef struct prfdata_site {
    prfdata_directory root;    /* ProgramData: not ours */
    prfdata_directory data;    /* PrfData: title files, and the regions' folders */
    prfdata_directory regions; /* <service> */
} prfdata_site;

/* Whether the map's service name is right; a map of another version may be wrong elsewhere. */
bool prfdata_site_has_service(const prfdata_map *map);

/* Whether this thread's token has the Administrators group, in effect. */
bool prfdata_site_is_elevated(void);

/* Wait, not for ever, for other installers; returns what prfdata_site_leave() takes. */
HANDLE prfdata_site_enter(void);
void prfdata_site_leave(HANDLE turn);

/*
 * Open the root of the data folder and tell the folder's name in it.
 *
 * data_path  As in prfdata_install_options; NULL: <ProgramData>\PrfData.
 * name       Room for MAX_PATH.
 */
uint32_t prfdata_site_open_root(prfdata_site *site, const wchar_t *data_path, wchar_t *name);

/*
 * Open the folders as they are, without making them. A folder that is not there is left closed,
 * with ERROR_FILE_NOT_FOUND.
 *
 * regions_path  The registered value, or "": the default place for `service` below `data_path`.
 */
uint32_t prfdata_site_open(prfdata_site *site, const wchar_t *data_path,
                           const wchar_t *regions_path, const wchar_t *service);

void prfdata_site_close(prfdata_site *site);

/* Report why a folder is refused. Returns `status`. */
uint32_t prfdata_site_report_folder(const prfdata_report *report, uint32_t status,
                                    const wchar_t *parent, const wchar_t *name);

/* "<service>.ini" or "<service>.h"; room for PRFDATA_SITE_NAME_CHARS. */
#define PRFDATA_SITE_NAME_CHARS 96
void prfdata_site_title_file(const wchar_t *service, const wchar_t *extension, wchar_t *name);

#endif
