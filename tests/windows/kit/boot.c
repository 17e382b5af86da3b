/* SPDX-License-Identifier: MIT */
/*
 * Reads the two numbers that may distinguish one start of Windows from another (boot.h). The time
 * stamp is the number that the product uses.
 */
#include "boot.h"

#include <stdio.h>
#include <string.h>

#include <windows.h>

#include "system/os.h"

/* ntddk.h, "KUSER_SHARED_DATA structure" (windows-driver-docs-ddi): every process has this page at
 * this address. BootId follows AlternativeArchitecture. In Windows Vista these bytes are unused. */
#define SHARED_PAGE    0x7FFE0000u
#define BOOT_ID_OFFSET 0x2C4u

uint64_t kit_read_boot_stamp(uint32_t view)
{
    FILETIME time = {0, 0};
    HKEY key;

    if (RegOpenKeyExW(HKEY_LOCAL_MACHINE, L"HARDWARE\\DESCRIPTION", 0, KEY_QUERY_VALUE | view,
                      &key) != ERROR_SUCCESS)
        return 0;
    if (RegQueryInfoKeyW(key, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, &time) !=
        ERROR_SUCCESS)
        memset(&time, 0, sizeof time);
    RegCloseKey(key);
    return (uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime;
}

kit_boot kit_read_boot(void)
{
    kit_boot boot = {prfdata_os_boot(), 0};

    boot.id = *(const volatile uint32_t *)(uintptr_t)(SHARED_PAGE + BOOT_ID_OFFSET);
    return boot;
}

bool kit_is_same_boot(const kit_boot *one, const kit_boot *other)
{
    return one->stamp == other->stamp && one->id == other->id;
}

int kit_boot_main(void)
{
    const kit_boot boot = kit_read_boot();

    printf("%llu %u %llu\n", (unsigned long long)boot.stamp, (unsigned)boot.id,
           (unsigned long long)GetTickCount64());
    return 0;
}
