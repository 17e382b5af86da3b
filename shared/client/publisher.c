/* SPDX-License-Identifier: MIT */
/*
 * Manages all publishers of the process. Each gets a new region, the region of an ended program,
 * the region of a closed publisher of the same map, or private memory. opening.c opens and closes
 * publishers.
 */
#include "client/publisher.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/atomic.h>

#include "client/attach.h"
#include "client/installation.h"
#include "client/own_region.h"
#include "client/status.h"

static prfdata_os_lock all_lock;
static prfdata_publisher *all; /* the list of all publishers, open or closed */

uint64_t prfdata_scratch_cell;

void prfdata_publisher_enter_all(void)
{
    prfdata_os_lock_enter(&all_lock);
}

bool prfdata_publisher_try_all(void)
{
    return prfdata_os_lock_try(&all_lock);
}

void prfdata_publisher_leave_all(void)
{
    prfdata_os_lock_leave(&all_lock);
}

uint8_t *prfdata_publisher_bytes(const prfdata_publisher *publisher)
{
    return prfdata_load_bytes_acquire(&publisher->bytes);
}

void prfdata_publisher_free(prfdata_publisher *publisher)
{
    if (!publisher)
        return;
    if (publisher->slots)
        for (uint32_t i = 0; i < publisher->model->object_count; i++)
            prfdata_slots_done(&publisher->slots[i]);
    free(publisher->slots);
    free(publisher->taken_lanes);
    prfdata_os_region_close(&publisher->region);
    prfdata_former_done(&publisher->former);
    free(publisher->private_memory);
    free(publisher->layout);
    prfdata_model_free(publisher->model);
    free(publisher);
}

static void forget_slots(prfdata_publisher *publisher)
{
    for (uint32_t i = 0; i < publisher->model->object_count; i++)
        prfdata_slots_done(&publisher->slots[i]);
}

static uint32_t slot_count_of(const prfdata_publisher *publisher, uint32_t object_index)
{
    return object_index == PRFDATA_NONE ? 0 : publisher->layout->sections[object_index].slot_count;
}

/* Makes the slot tables (prfdata_slots) of a publisher that has no live instance yet. */
static uint32_t look_up_slots(prfdata_publisher *publisher)
{
    for (uint32_t i = 0; i < publisher->model->object_count; i++) {
        const prfdata_model_object *object = &publisher->model->objects[i];
        uint32_t error;

        if (!object->has_instances)
            continue;
        error = prfdata_slots_init(&publisher->slots[i], publisher->bytes, object,
                                   &publisher->layout->sections[i],
                                   slot_count_of(publisher, object->parent_index), publisher->seed);
        if (error) {
            forget_slots(publisher);
            return error;
        }
    }
    return ERROR_SUCCESS;
}

static uint64_t highest_freed(const prfdata_publisher *publisher)
{
    uint64_t highest = 0;

    for (uint32_t i = 0; i < publisher->model->object_count; i++) {
        if (!publisher->model->objects[i].has_instances)
            continue;
        for (uint32_t j = 0; j < publisher->layout->sections[i].slot_count; j++) {
            uint64_t freed =
                prfdata_region_slot_at(publisher->bytes, &publisher->layout->sections[i], j)->freed;

            if (freed > highest)
                highest = freed;
        }
    }
    return highest;
}

static void move_former_memory(prfdata_publisher *publisher)
{
    prfdata_former_move(&publisher->former, publisher->model, publisher->layout, publisher->bytes,
                        PRFDATA_FORMER_MOVE_ALL);
}

/*
 * Performs steps T1 to T5 of region-format.md on the publisher's memory, then makes the slot
 * tables. If `is_own` is set, this process had closed the publisher, and T3 is left out.
 */
static uint32_t take_over_region(prfdata_publisher *publisher, bool is_own)
{
    uint32_t error;

    forget_slots(publisher);
    publisher->freed = highest_freed(publisher);
    /* before the take-over, while the slots still have the names under which old handles counted */
    move_former_memory(publisher);
    prfdata_region_take_over(publisher->bytes, publisher->model, publisher->layout,
                             prfdata_os_process_id(), &publisher->freed, is_own);
    prfdata_former_reset(&publisher->former, publisher->model, publisher->layout);
    error = look_up_slots(publisher);
    if (error)
        prfdata_region_hide(publisher->bytes);
    return error;
}

uint32_t prfdata_publisher_use_private_memory(prfdata_publisher *publisher)
{
    const uint64_t size = publisher->layout->total_bytes;

    if (size > SIZE_MAX - PRFDATA_LANES_STRIDE)
        return ERROR_NOT_ENOUGH_MEMORY;
    publisher->private_memory = calloc(1, (size_t)size + PRFDATA_LANES_STRIDE);
    if (!publisher->private_memory)
        return ERROR_NOT_ENOUGH_MEMORY;
    publisher->bytes =
        (uint8_t *)(((uintptr_t)publisher->private_memory + PRFDATA_LANES_STRIDE - 1) /
                    PRFDATA_LANES_STRIDE * PRFDATA_LANES_STRIDE);
    prfdata_region_format(publisher->bytes, publisher->model, publisher->layout, 0,
                          prfdata_os_process_id());
    return look_up_slots(publisher);
}

static uint32_t adopt_region(prfdata_publisher *publisher, const prfdata_own_region *own,
                             uint64_t boot)
{
    publisher->region = own->region;
    publisher->name = own->name;
    publisher->bytes = own->region.bytes;
    if (own->layout) {
        free(publisher->layout);
        publisher->layout = own->layout;
        return take_over_region(publisher, false);
    }
    prfdata_region_format(publisher->bytes, publisher->model, publisher->layout, boot,
                          prfdata_os_process_id());
    return look_up_slots(publisher);
}

static uint32_t get_region(prfdata_publisher *publisher, prfdata_os_directory *directory,
                           prfdata_patience *patience)
{
    const uint64_t boot = prfdata_os_boot();
    prfdata_own_region own;
    uint32_t error;

    if (boot == 0) /* unknown: other programs delete files that name a wrong boot */
        return ERROR_NOT_READY;
    error = prfdata_own_region_get(directory, publisher->model, publisher->layout, boot, patience,
                                   &own);
    return error ? error : adopt_region(publisher, &own, boot);
}

static bool is_parked_for(const prfdata_publisher *parked, const prfdata_publisher *wanted)
{
    if (parked->is_open || parked->is_lost || parked->is_private ||
        parked->model->hash != wanted->model->hash)
        return false;
    return prfdata_own_region_is_large_enough(parked->layout, wanted->layout);
}

/*
 * A closed publisher of this process that can be used again: one that counts in private memory if
 * `in_private_memory`, otherwise one with a region. NULL if there is none.
 */
static prfdata_publisher *find_parked(const prfdata_publisher *wanted, bool in_private_memory)
{
    for (prfdata_publisher *parked = all; parked; parked = parked->next)
        if (is_parked_for(parked, wanted) && !parked->region.bytes == in_private_memory)
            return parked;
    return NULL;
}

/*
 * Whether the file of a publisher that has a region is still in the folder. `is_lost` gets the
 * opposite. If no file has this name, the file was deleted. If the file with this name has no
 * owner, it is another file, because this process still owns its own file. After any other error,
 * such as too few descriptors, the result is true.
 */
static bool still_published(prfdata_publisher *parked, prfdata_os_directory *directory)
{
    bool alive = true;
    uint32_t error = prfdata_os_region_probe(directory, &parked->name, NULL, &alive);

    parked->is_lost = error == ERROR_FILE_NOT_FOUND || !alive;
    return !parked->is_lost;
}

/* Use a closed publisher again in place of `*publisher`, which is then freed. */
static uint32_t reopen_publisher(prfdata_publisher *parked, prfdata_publisher **publisher)
{
    uint32_t error = take_over_region(parked, true);

    if (!error) {
        prfdata_publisher_free(*publisher);
        *publisher = parked;
    }
    return error;
}

/*
 * Replace `*publisher` by a closed publisher that can be used again, or give `*publisher` a region.
 * A closed publisher in private memory gets a region now.
 */
static uint32_t publish_in_folder(prfdata_publisher **publisher, prfdata_os_directory *directory,
                                  prfdata_patience *patience)
{
    prfdata_publisher *parked;
    uint32_t error;

    while ((parked = find_parked(*publisher, false)) && !still_published(parked, directory)) {
    }
    if (parked)
        return reopen_publisher(parked, publisher);
    parked = find_parked(*publisher, true);
    if (!parked)
        return get_region(*publisher, directory, patience);
    error = reopen_publisher(parked, publisher);
    return error ? error : prfdata_attach_region(*publisher, directory, true, patience);
}

static uint32_t publish_region(prfdata_publisher **publisher)
{
    prfdata_os_directory *directory;
    prfdata_patience patience = {0};
    uint32_t error = prfdata_installation_open_folder((*publisher)->model, &patience, &directory);

    if (error)
        return error;
    error = publish_in_folder(publisher, directory, &patience);
    if (error)
        prfdata_os_region_close(&(*publisher)->region);
    prfdata_os_directory_close(directory);
    return error;
}

typedef struct publishing {
    prfdata_publisher **publisher;
    uint32_t error;
} publishing;

static void publish_as_process(void *context)
{
    publishing *work = context;

    work->error = publish_region(work->publisher);
}

static void attach_as_process(void *context)
{
    publishing *work = context;
    prfdata_publisher *publisher = *work->publisher;
    prfdata_os_directory *directory;
    prfdata_patience patience = {0};

    work->error = prfdata_installation_open_folder(publisher->model, &patience, &directory);
    if (work->error)
        return;
    work->error = prfdata_attach_region(publisher, directory, publisher->is_open, &patience);
    prfdata_os_directory_close(directory);
}

static void look_as_process(void *context)
{
    publishing *work = context;
    prfdata_os_directory *directory;
    prfdata_patience patience = {0};

    work->error =
        prfdata_installation_open_folder((*work->publisher)->model, &patience, &directory);
    if (work->error)
        return;
    (void)still_published(*work->publisher, directory);
    prfdata_os_directory_close(directory);
}

static uint32_t run_as_process(void (*call)(void *context), prfdata_publisher **publisher)
{
    publishing work = {publisher, ERROR_SUCCESS};
    const uint32_t error = prfdata_os_call_as_process(call, &work);

    return error ? error : work.error;
}

uint32_t prfdata_publisher_publish(prfdata_publisher **publisher)
{
    return run_as_process(publish_as_process, publisher);
}

uint32_t prfdata_publisher_attach(prfdata_publisher *publisher)
{
    return run_as_process(attach_as_process, &publisher);
}

uint32_t prfdata_publisher_look_for_file(prfdata_publisher *publisher)
{
    return run_as_process(look_as_process, &publisher);
}

uint32_t prfdata_publisher_count_privately(prfdata_publisher **publisher)
{
    prfdata_publisher *parked = find_parked(*publisher, true);

    return parked ? reopen_publisher(parked, publisher)
                  : prfdata_publisher_use_private_memory(*publisher);
}

/*
 * Returns the link (`all` or a field `next`) that points to the publisher. If no link does, returns
 * the last link, which holds NULL. The caller holds the lock of all publishers.
 */
static prfdata_publisher **find_link(const prfdata_publisher *publisher)
{
    prfdata_publisher **link = &all;

    while (*link && *link != publisher)
        link = &(*link)->next;
    return link;
}

void prfdata_publisher_enlist(prfdata_publisher *publisher)
{
    prfdata_publisher **link = find_link(publisher);

    if (!*link) {
        publisher->next = NULL;
        *link = publisher;
    }
    prfdata_store64_release(&publisher->failed_lookup, 0);
    prfdata_os_lock_enter(&publisher->lock);
    publisher->process_id = prfdata_os_process_id();
    publisher->is_open = true;
    prfdata_os_lock_leave(&publisher->lock);
}

void prfdata_publisher_forget(const prfdata_publisher *publisher)
{
    *find_link(publisher) = publisher->next;
}

void prfdata_publisher_hide(prfdata_publisher *publisher)
{
    prfdata_os_lock_enter(&publisher->lock);
    publisher->is_open = false;
    move_former_memory(publisher);
    prfdata_region_hide(publisher->bytes);
    prfdata_status_set(publisher, PRFDATA_REASON_CLOSED, ERROR_INVALID_HANDLE);
    prfdata_os_lock_leave(&publisher->lock);
}

static uint32_t apply_capacities(const prfdata_model *model, const prfdata_capacity *capacities,
                                 size_t count, uint32_t *slot_counts)
{
    for (uint32_t i = 0; i < model->object_count; i++)
        slot_counts[i] = model->objects[i].max_instances;
    for (size_t i = 0; i < count; i++) {
        const prfdata_model_object *object =
            prfdata_model_find_object(model, capacities[i].object_id);

        if (!object || !object->has_instances || capacities[i].max_instances < 1 ||
            capacities[i].max_instances > object->max_instances)
            return ERROR_INVALID_PARAMETER;
        slot_counts[object - model->objects] = capacities[i].max_instances;
    }
    return ERROR_SUCCESS;
}

uint32_t prfdata_publisher_make(const prfdata_map *map, const prfdata_capacity *capacities,
                                size_t count, prfdata_publisher **publisher)
{
    prfdata_publisher *made = calloc(1, sizeof *made);
    uint32_t *slot_counts = NULL;
    uint32_t error = ERROR_NOT_ENOUGH_MEMORY;

    if (!made)
        return error;
    made->region.owner = -1;
    /*
     * The first random number of a process may load a DLL, and loading waits for the loader's lock.
     * A thread in DllMain holds the loader's lock, and may wait for a lock of this library. So the
     * number is made here, where no lock is held.
     */
    made->seed = prfdata_os_random();
    error = prfdata_model_make(map, &made->model);
    if (error)
        goto failed;
    error = ERROR_NOT_ENOUGH_MEMORY;
    slot_counts = calloc(made->model->object_count, sizeof *slot_counts);
    made->slots = calloc(made->model->object_count, sizeof *made->slots);
    if (!slot_counts || !made->slots)
        goto failed;
    error = apply_capacities(made->model, capacities, count, slot_counts);
    if (!error)
        error = prfdata_region_layout_make(made->model, slot_counts, &made->layout);
    if (error)
        goto failed;
    free(slot_counts);
    *publisher = made;
    return ERROR_SUCCESS;

failed:
    free(slot_counts);
    prfdata_publisher_free(made);
    return error;
}

bool prfdata_publisher_is_due(const prfdata_publisher *publisher, uint64_t milliseconds)
{
    return publisher->private_memory &&
           milliseconds >= prfdata_load64_relaxed(&publisher->next_visit);
}

prfdata_publisher *prfdata_publisher_find_due(uint64_t milliseconds)
{
    prfdata_publisher *due = all;

    while (due && !prfdata_publisher_is_due(due, milliseconds))
        due = due->next;
    return due;
}

prfdata_publisher *prfdata_publisher_find_watched(uintptr_t watch_id)
{
    prfdata_publisher *found = all;

    while (found && !(found->watch && found->watch_id == watch_id))
        found = found->next;
    return found;
}

static bool is_in_memory(const prfdata_publisher *publisher, const uint8_t *memory,
                         const uint64_t *word, uint64_t *offset)
{
    /* A word at a lower address gets a huge offset, because the difference wraps. */
    *offset = (uintptr_t)word - (uintptr_t)memory;
    return memory && *offset < publisher->layout->total_bytes;
}

prfdata_publisher *prfdata_publisher_find_word(const uint64_t *word, uint64_t *offset)
{
    prfdata_publisher *found = all;

    while (found && !is_in_memory(found, found->bytes, word, offset) &&
           !is_in_memory(found, found->former.bytes, word, offset))
        found = found->next;
    return found;
}

uint64_t prfdata_dropped(const prfdata_publisher *publisher)
{
    if (!publisher)
        return 0;
    return prfdata_region_own_dropped(
        (const prfdata_region_header *)(const void *)prfdata_publisher_bytes(publisher));
}
