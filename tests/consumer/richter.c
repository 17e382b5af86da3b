/* SPDX-License-Identifier: MIT */
/* Compiles the unchanged map of Richter's article with the installed PrfData.h. The include path
 * has no other PrfData.h. */
#include <stdio.h>

#include "HWInputPrfDataMap.h"

int main(void)
{
    printf("%s: %u entries, %u mistakes\n", prfdata_default_map.service,
           (unsigned)prfdata_default_map.entry_count,
           (unsigned)prfdata_map_check(&prfdata_default_map, NULL, 0));
    return 0;
}
