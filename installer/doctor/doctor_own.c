/* SPDX-License-Identifier: MIT */
/* Decides whether a regions folder is one that -Install could have created. Windows only. */
#include <stdlib.h>

#include <windows.h>
#include <sddl.h>

#include "doctor/doctor.h"
#include "service/registered.h"
#include "service/site.h"
#include "windows/access_list.h"
#include "windows/wine.h"

static bool has_access_list(const prfdata_directory *folder, const wchar_t *sddl)
{
    PSECURITY_DESCRIPTOR wanted = NULL, present = NULL;
    bool is_same = false;

    if (prfdata_wine_is_here()) /* Wine reads another access list than the one that was written */
        return true;
    if (!ConvertStringSecurityDescriptorToSecurityDescriptorW(sddl, SDDL_REVISION_1, &wanted, NULL))
        return false;
    if (prfdata_access_list_read(folder->handle, DACL_SECURITY_INFORMATION, &present) ==
        ERROR_SUCCESS)
        is_same = prfdata_access_list_is_same(present, wanted);
    free(present);
    LocalFree(wanted);
    return is_same;
}

bool prfdata_doctor_own_open(const prfdata_doctor *doctor, const wchar_t *path, prfdata_site *site)
{
    wchar_t sddl[PRFDATA_ACCESS_LIST_SDDL_CHARS];
    wchar_t writers[PRFDATA_ACCESS_LIST_SDDL_CHARS];
    const bool has_writers = prfdata_service_key_text(&doctor->key, PRFDATA_VALUE_WRITERS, writers,
                                                      PRFDATA_ACCESS_LIST_SDDL_CHARS);
    prfdata_site opened = {0};

    if (prfdata_site_open(&opened, NULL, path, doctor->key.service) == ERROR_SUCCESS &&
        prfdata_access_list_regions_sddl(has_writers ? writers : NULL, sddl) == ERROR_SUCCESS &&
        has_access_list(&opened.data, prfdata_access_list_data_sddl()) &&
        has_access_list(&opened.regions, sddl)) {
        *site = opened;
        return true;
    }
    prfdata_site_close(&opened);
    return false;
}
