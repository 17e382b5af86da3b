/* SPDX-License-Identifier: MIT */
/*
 * Gets a region for this process: takes over the file of an ended process, or creates a new one.
 * The rules are in region-format.md, "Names and lifetime".
 */
#ifndef PRFDATA_OWN_REGION_H
#define PRFDATA_OWN_REGION_H

#include "region/region.h"
#include "system/os_name.h"
#include "system/patience.h"

typedef struct prfdata_own_region {
    prfdata_os_region region;
    prfdata_os_name name;
    /* layout of a region that was taken over, for free(); NULL: the region was created */
    prfdata_region_layout *layout;
} prfdata_own_region;

/*
 * Get a region. Each call also tries to delete up to 64 files from before the last restart.
 *
 * wanted    The layout of a new region; a region that is taken over has at least as many slots as
 *           `wanted`.
 * boot      The current boot, not 0.
 * patience  How long this call may still wait.
 * own       Set on success only.
 *
 * Returns ERROR_SUCCESS, ERROR_NOT_ENOUGH_QUOTA (the folder has no room for another file of this
 *         account) or an error of the system.
 */
uint32_t prfdata_own_region_get(prfdata_os_directory *directory, const prfdata_model *model,
                                const prfdata_region_layout *wanted, uint64_t boot,
                                prfdata_patience *patience, prfdata_own_region *own);

/*
 * Create a region of `size` zero bytes, even if one could be taken over. Returns what
 * prfdata_own_region_get does.
 */
uint32_t prfdata_own_region_create(prfdata_os_directory *directory, uint64_t boot, uint64_t size,
                                   prfdata_patience *patience, prfdata_own_region *own);

/* Whether a region with `layout` has at least as many slots of each object as `wanted`. */
bool prfdata_own_region_is_large_enough(const prfdata_region_layout *layout,
                                        const prfdata_region_layout *wanted);

#endif
