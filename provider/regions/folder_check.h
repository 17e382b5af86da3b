/* SPDX-License-Identifier: MIT */
/*
 * Declares the part of a refresh that checks the folder. collect/basis.c decides which set is
 * current.
 */
#ifndef PRFDATA_FOLDER_CHECK_H
#define PRFDATA_FOLDER_CHECK_H

#include "regions/regions.h"

/*
 * Checks the folder and makes a set from the files in it. Updates the health numbers and records
 * events about problems.
 *
 * registered  New regions of these maps are attached. Attached regions of other maps stay attached.
 *             The versions must stay until prfdata_regions_release().
 * old         The set to start from. NULL: there is none.
 *
 * Returns NULL if the folder cannot be read, the system does not say which boot this is, or memory
 * is exhausted.
 * Owner: the caller. It calls prfdata_regions_hold() while `old` still exists, and finally
 *        prfdata_regions_release().
 * Threads: any.
 */
prfdata_region_set *prfdata_folder_check(prfdata_regions *regions,
                                         const prfdata_versions *registered,
                                         const prfdata_region_set *old);

#endif
