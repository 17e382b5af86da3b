/* SPDX-License-Identifier: MIT */
/*
 * Makes and checks the names of region files, as region-format.md, "Names and lifetime", specifies:
 * two numbers of 16 lower-case hexadecimal digits, `<boot>-<number>.region`.
 */
#ifndef PRFDATA_OS_NAME_H
#define PRFDATA_OS_NAME_H

#include <stdio.h>
#include <string.h>

#include "system/os.h"

#define PRFDATA_OS_NAME_CHARS        (PRFDATA_OS_NAME_BYTES - 1)
#define PRFDATA_OS_NAME_PREFIX_CHARS 17 /* the boot and the dash */
#define PRFDATA_OS_NAME_EXTENSION    ".region"

static inline void prfdata_os_name_make(prfdata_os_name *name, uint64_t boot, uint64_t number)
{
    snprintf(name->text, sizeof name->text, "%08x%08x-%08x%08x" PRFDATA_OS_NAME_EXTENSION,
             (unsigned)(boot >> 32), (unsigned)boot, (unsigned)(number >> 32), (unsigned)number);
}

static inline bool prfdata_os_name_has_digits(const char *text)
{
    for (size_t i = 0; i < 16; i++)
        if (!((text[i] >= '0' && text[i] <= '9') || (text[i] >= 'a' && text[i] <= 'f')))
            return false;
    return true;
}

/* Whether `text` is the name of a region file of any boot. `text` need not end with NUL. */
static inline bool prfdata_os_name_matches(const char *text, size_t text_chars)
{
    return text_chars == PRFDATA_OS_NAME_CHARS && prfdata_os_name_has_digits(text) &&
           text[16] == '-' && prfdata_os_name_has_digits(text + PRFDATA_OS_NAME_PREFIX_CHARS) &&
           memcmp(text + PRFDATA_OS_NAME_PREFIX_CHARS + 16, PRFDATA_OS_NAME_EXTENSION,
                  sizeof PRFDATA_OS_NAME_EXTENSION - 1) == 0;
}

static inline bool prfdata_os_name_is_valid(const prfdata_os_name *name)
{
    return name->text[PRFDATA_OS_NAME_CHARS] == 0 &&
           prfdata_os_name_matches(name->text, PRFDATA_OS_NAME_CHARS);
}

#endif
