/* SPDX-License-Identifier: MIT */
/* Declares the two numbers that may distinguish one start of Windows from another. Windows only. */
#ifndef PRFDATA_KIT_BOOT_H
#define PRFDATA_KIT_BOOT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct kit_boot {
    uint64_t
        stamp;   /* time of HKLM\HARDWARE\DESCRIPTION in 100 ns, as the product reads it; 0: none */
    uint32_t id; /* KUSER_SHARED_DATA.BootId; 0 before Windows 10 */
} kit_boot;

kit_boot kit_read_boot(void);

/* Returns the time stamp in a view of the registry: KEY_WOW64_32KEY or KEY_WOW64_64KEY. */
uint64_t kit_read_boot_stamp(uint32_t view);

bool kit_is_same_boot(const kit_boot *one, const kit_boot *other);

/* Runs prfdata-kit -Boot: prints both numbers, and the milliseconds since the start by
 * GetTickCount64. */
int kit_boot_main(void);

#endif
