/* SPDX-License-Identifier: MIT */
/* Returns the version that this library was built from. */
#include <prfdata/prfdata.h>

const char *prfdata_version(void)
{
    return PRFDATA_VERSION;
}
