/* SPDX-License-Identifier: MIT */
/*
 * Asks shell32.dll for the folder ProgramData. shell32.dll loads user32.dll. The function is not in
 * directory.c, because prfread links directory.c and must not load user32.dll (reader/os/stop.h).
 * Windows only.
 */
#include "windows/directory.h"

#include <shlobj.h>
#include <wchar.h>

uint32_t prfdata_directory_program_data(wchar_t *path)
{
    wchar_t *folder = NULL;
    HRESULT result = SHGetKnownFolderPath(&FOLDERID_ProgramData, 0, NULL, &folder);
    uint32_t status = ERROR_SUCCESS;

    if (FAILED(result))
        return ERROR_PATH_NOT_FOUND;
    if (wcslen(folder) < MAX_PATH)
        wcscpy(path, folder);
    else
        status = ERROR_FILENAME_EXCED_RANGE;
    CoTaskMemFree(folder);
    return status;
}
