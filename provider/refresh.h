/* SPDX-License-Identifier: MIT */
/* One refresh of the attached regions, for regions.c, which says when. */
#ifndef PRFDATA_REFRESH_H
#define PRFDATA_REFRESH_H

#include "provider/regions.h"

/*
 * Look at the folder and replace the present set by what is there; on failure it stays. Counts the
 * service's health, and notices what is wrong.
 *
 * registered  What prfdata_regions_acquire() gets.
 *
 * Threads: any; of sets that are made at once the one that was begun last stays.
 */
void prfdata_refresh_set(prfdata_regions *regions, const prfdata_registered_versions *registered);

/* Report that the view of a region faulted. */
void prfdata_refresh_notice_fault(const prfdata_regions *regions, const prfdata_os_name *name);

#endif
