/* SPDX-License-Identifier: MIT */
/* Returns the version of the sources of this library. */
#include <prfdata/prfdata.h>

const char *prfdata_version(void)
{
    return PRFDATA_VERSION;
}
