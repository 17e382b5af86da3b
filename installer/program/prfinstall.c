/* SPDX-License-Identifier: MIT */
/*
 * Starts the ready-made installer program. It has no built-in maps, so its arguments name map files
 * (-Map) or installed services. Windows only.
 */
#include <prfdata/install.h>

int wmain(int argc, wchar_t **argv);

int wmain(int argc, wchar_t **argv)
{
    return prfdata_installer_main(NULL, 0, argc, argv);
}
