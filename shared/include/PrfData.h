/* SPDX-License-Identifier: MIT */
/*
 * Includes <prfdata/prfdata.h> under the header name of Jeffrey Richter's PrfData (Microsoft
 * Systems Journal, August 1998), so that maps that were written for it compile unchanged. New
 * programs include <prfdata/prfdata.h>.
 */
#ifndef PRFDATA_COMPATIBLE_H
#define PRFDATA_COMPATIBLE_H

#include <prfdata/prfdata.h>

#endif
