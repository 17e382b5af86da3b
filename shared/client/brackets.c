/* SPDX-License-Identifier: MIT */
/* Brackets: several updates that readers see together. Does not know what is updated. */
#include <prfdata/atomic.h>

#include "client/publisher.h"

static void enter_publishers(uint64_t *entered)
{
    prfdata_add64_relaxed(entered, 1);
    prfdata_fence(); /* no update may be seen before the entry */
}

static void leave_publishers(uint64_t *left)
{
    prfdata_add64_release(left, 1);
}

void prfdata_begin(const prfdata_instance *instance)
{
    prfdata_region_slot *slot = prfdata_publisher_slot(instance);

    if (slot)
        enter_publishers(&slot->entered);
}

void prfdata_end(const prfdata_instance *instance)
{
    prfdata_region_slot *slot = prfdata_publisher_slot(instance);

    if (slot)
        leave_publishers(&slot->left);
}

void prfdata_begin_all(prfdata_publisher *publisher)
{
    if (publisher)
        enter_publishers(
            &((prfdata_region_header *)(void *)prfdata_publisher_bytes(publisher))->entered);
}

void prfdata_end_all(prfdata_publisher *publisher)
{
    if (publisher)
        leave_publishers(
            &((prfdata_region_header *)(void *)prfdata_publisher_bytes(publisher))->left);
}
