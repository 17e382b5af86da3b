/* SPDX-License-Identifier: MIT */
/*
 * Declares one refresh of the attached regions. regions.c decides when to refresh, and keeps the
 * set.
 */
#ifndef PRFDATA_REFRESH_H
#define PRFDATA_REFRESH_H

#include "regions/regions.h"

/*
 * Checks the folder and makes a set from the files in it. Updates the health numbers and notices
 * problems.
 *
 * registered  The registered maps, as for prfdata_regions_refresh().
 * old         The set to start from: its mappings are kept. NULL: there is none.
 *
 * Returns NULL if the folder cannot be read or memory is exhausted.
 * Owner: the caller; references inside the set are not counted yet.
 * Threads: any.
 */
prfdata_region_set *prfdata_refresh_make(prfdata_regions *regions,
                                         const prfdata_versions *registered,
                                         const prfdata_region_set *old);

/* Reports that the view of a region faulted. */
void prfdata_refresh_notice_fault(const prfdata_regions *regions, const prfdata_os_name *name);

#endif
