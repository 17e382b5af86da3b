/* SPDX-License-Identifier: MIT */
/*
 * The header name of Jeffrey Richter's PrfData (Microsoft Systems Journal, August 1998): maps
 * that were written for it compile unchanged. New programs include <prfdata/prfdata.h>.
 */
#ifndef PRFDATA_COMPATIBLE_H
#define PRFDATA_COMPATIBLE_H

#include <prfdata/prfdata.h>

#endif
