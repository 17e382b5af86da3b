/* SPDX-License-Identifier: MIT */
/* Gives a region to a publisher that counts in private memory. */
#ifndef PRFDATA_ATTACH_H
#define PRFDATA_ATTACH_H

#include "client/publisher.h"
#include "system/patience.h"

/*
 * Give the publisher a new region, which is a copy of its private memory. No dead region is taken
 * over: slots, generations and baselines stay what they are, so that instances and handles of the
 * application need no translation. The caller holds the lock of all.
 *
 * is_shown  Otherwise the region begins as a closed one, and what is live becomes dormant first.
 * patience  Of this call of the library.
 *
 * Returns ERROR_SUCCESS, ERROR_NOT_READY, ERROR_NOT_ENOUGH_MEMORY or what prfdata_own_region_create
 *         does; nothing has changed then.
 */
uint32_t prfdata_attach_region(prfdata_publisher *publisher, prfdata_os_directory *directory,
                               bool is_shown, prfdata_patience *patience);

#endif
