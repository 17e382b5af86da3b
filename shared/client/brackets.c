/* SPDX-License-Identifier: MIT */
/* Implements brackets, which let readers see several updates together. */
#include <prfdata/atomic.h>

#include "client/publisher.h"
#include "client/retry.h"

/* Sets the hint that threads use brackets. Without the hint, readers may ignore brackets. */
static void announce_brackets(uint8_t *bytes)
{
    uint32_t *hints = &((prfdata_region_header *)(void *)bytes)->hints;
    const uint32_t seen = prfdata_load32_relaxed(hints);

    if (!(seen & PRFDATA_REGION_HINT_BRACKETS))
        prfdata_store32_relaxed(hints, seen | PRFDATA_REGION_HINT_BRACKETS);
}

static void enter_publishers(uint64_t *entered)
{
    prfdata_add64_relaxed(entered, 1);
    prfdata_fence(); /* no reader may see an update before the entry */
}

static void leave_publishers(prfdata_publisher *publisher, uint64_t *left)
{
    prfdata_add64_release(left, 1);
    if (prfdata_load32_relaxed(&publisher->former.waits))
        prfdata_retry_after_bracket(publisher);
}

void prfdata_begin(const prfdata_instance *instance)
{
    prfdata_region_slot *slot = prfdata_publisher_slot(instance);

    if (!slot)
        return;
    announce_brackets(prfdata_publisher_bytes(instance->publisher));
    enter_publishers(&slot->entered);
}

void prfdata_end(const prfdata_instance *instance)
{
    prfdata_region_slot *slot = prfdata_publisher_slot(instance);

    if (slot)
        leave_publishers(instance->publisher, &slot->left);
}

void prfdata_begin_all(prfdata_publisher *publisher)
{
    if (!publisher)
        return;
    announce_brackets(prfdata_publisher_bytes(publisher));
    enter_publishers(
        &((prfdata_region_header *)(void *)prfdata_publisher_bytes(publisher))->entered);
}

void prfdata_end_all(prfdata_publisher *publisher)
{
    if (publisher)
        leave_publishers(
            publisher,
            &((prfdata_region_header *)(void *)prfdata_publisher_bytes(publisher))->left);
}
