/* SPDX-License-Identifier: MIT */
/*
 * The ready-made installer program: it has no maps, so -Map names map files, or its arguments name
 * services that are installed. All the rest is what every installer program does. Windows only.
 */
#include <prfdata/install.h>

int wmain(int argc, wchar_t **argv);

int wmain(int argc, wchar_t **argv)
{
    return prfdata_installer_main(NULL, 0, argc, argv);
}
