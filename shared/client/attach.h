/* SPDX-License-Identifier: MIT */
/* Gives a region to a publisher that counts in private memory. */
#ifndef PRFDATA_ATTACH_H
#define PRFDATA_ATTACH_H

#include "client/publisher.h"
#include "system/patience.h"

/*
 * Give the publisher a new region, which is a copy of its private memory. Slots, generations and
 * baselines do not change, so the application's instances and handles need no translation. The
 * caller holds the lock of all publishers.
 *
 * is_shown  If false, live instances become dormant first, and the region begins like that of a
 *           closed publisher.
 * patience  How long this call may still wait.
 *
 * Returns ERROR_SUCCESS, ERROR_NOT_READY (the current boot is unknown), ERROR_NOT_ENOUGH_MEMORY or
 *         what prfdata_own_region_create returns. On failure nothing has changed.
 */
uint32_t prfdata_attach_region(prfdata_publisher *publisher, prfdata_os_directory *directory,
                               bool is_shown, prfdata_patience *patience);

#endif
