/* SPDX-License-Identifier: MIT */
/*
 * Moves a publisher from private memory to a region, while other threads continue to count. If the
 * process is killed at any step, readers see either a complete region or none.
 */
#include "client/attach.h"

#include <prfdata/atomic.h>

#include "client/own_region.h"

/*
 * Copies the private memory into the region, publishes the region, and lets the publisher count
 * there. If `is_shown` is set, readers see the instances. Otherwise the region looks like that of a
 * closed publisher.
 */
static void publish_copy(prfdata_publisher *publisher, const prfdata_own_region *own, uint64_t boot,
                         bool is_shown)
{
    uint8_t *const region = own->region.bytes;
    const prfdata_region_header *former = (const void *)publisher->bytes;

    if (!is_shown)
        prfdata_region_take_over(publisher->bytes, publisher->model, publisher->layout,
                                 prfdata_os_process_id(), &publisher->freed, true);
    prfdata_former_copy(&publisher->former, publisher->bytes, publisher->model, publisher->layout,
                        region);
    prfdata_region_format(region, publisher->model, publisher->layout, boot,
                          prfdata_os_process_id());
    if (!is_shown)
        prfdata_region_hide(region);
    prfdata_add64_relaxed(&((prfdata_region_header *)(void *)region)->dropped, former->dropped);
    for (uint32_t i = 0; i < publisher->model->object_count; i++)
        publisher->slots[i].bytes = region;
    publisher->region = own->region;
    publisher->name = own->name;
    prfdata_store_bytes_release(&publisher->bytes, region);
    prfdata_former_move(&publisher->former, publisher->model, publisher->layout, region,
                        PRFDATA_FORMER_MOVE);
}

uint32_t prfdata_attach_region(prfdata_publisher *publisher, prfdata_os_directory *directory,
                               bool is_shown, prfdata_patience *patience)
{
    const uint64_t boot = prfdata_os_boot();
    prfdata_own_region own;
    uint32_t error;

    if (boot == 0)
        return ERROR_NOT_READY;
    error = prfdata_former_init(&publisher->former, publisher->layout);
    if (error)
        return error;
    error =
        prfdata_own_region_create(directory, boot, publisher->layout->total_bytes, patience, &own);
    if (error) {
        prfdata_former_done(&publisher->former);
        return error;
    }
    prfdata_os_lock_enter(&publisher->lock);
    publish_copy(publisher, &own, boot, is_shown);
    prfdata_os_lock_leave(&publisher->lock);
    return ERROR_SUCCESS;
}
