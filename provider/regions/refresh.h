/* SPDX-License-Identifier: MIT */
/* One refresh of the attached regions, for regions.c, which says when, and keeps the set. */
#ifndef PRFDATA_REFRESH_H
#define PRFDATA_REFRESH_H

#include "regions/regions.h"

/*
 * Look at the folder, and make the set of what is there. Counts the service's health, and notices
 * what is wrong.
 *
 * registered  What prfdata_regions_acquire() gets.
 * old         The set from which it is made: what it has attached stays. NULL: none.
 *
 * Returns NULL if the folder cannot be looked at, or memory is exhausted.
 * Owner:   the caller; nothing in the set is counted yet.
 * Threads: any.
 */
prfdata_region_set *prfdata_refresh_make(prfdata_regions *regions,
                                         const prfdata_versions *registered,
                                         const prfdata_region_set *old);

/* Report that the view of a region faulted. */
void prfdata_refresh_notice_fault(const prfdata_regions *regions, const prfdata_os_name *name);

#endif
