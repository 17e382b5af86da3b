/* SPDX-License-Identifier: MIT */
/*
 * The map of Richter's article, its text unchanged, against the PrfData.h that was installed: it
 * finds no other one.
 */
#include <stdio.h>

#include "HWInputPrfDataMap.h"

int main(void)
{
    printf("%s: %u entries, %u mistakes\n", prfdata_default_map.service,
           (unsigned)prfdata_default_map.entry_count,
           (unsigned)prfdata_map_check(&prfdata_default_map, NULL, 0));
    return 0;
}
