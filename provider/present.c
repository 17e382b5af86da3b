/* SPDX-License-Identifier: MIT */
/*
 * Presents are taken by noting their address in a lane (a hazard pointer): what replaces one
 * keeps it until no lane has it. Taking costs one atomic operation, giving back none. Knows neither
 * what an installation is nor what a plan does.
 */
#include "provider/present.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/atomic.h>

#include "core/smaller.h"

/* A lane's and a publication's word: the address, whatever its size. */
static uint64_t address_of(const void *object)
{
    return (uint64_t)(uintptr_t)object;
}

static void *object_at(uint64_t address)
{
    return (void *)(uintptr_t)address;
}

/* ---- Making ---- */

static void free_present(prfdata_presents *presents, prfdata_present *present)
{
    prfdata_shared_regions *shared = present->installation->shared;

    prfdata_prepared_done(&present->queries);
    prfdata_plans_release(&shared->plans, present->plans,
                          present->installation->shape.model->object_count);
    prfdata_regions_release(&shared->regions, present->set);
    prfdata_installation_release(presents->store, present->installation);
    free(present);
}

/* Takes over the references of installation and set; on failure they are given back. */
static prfdata_present *make_present(prfdata_presents *presents, prfdata_installation *installation,
                                     prfdata_region_set *set, uint64_t until_ms)
{
    const uint32_t count = installation->shape.model->object_count;
    prfdata_shared_regions *shared = installation->shared;
    prfdata_present *made = calloc(1, sizeof *made + count * sizeof(prfdata_plan *));

    if (!made) {
        prfdata_regions_release(&shared->regions, set);
        prfdata_installation_release(presents->store, installation);
        return NULL;
    }
    made->installation = installation;
    made->set = set;
    made->until_ms = until_ms;
    made->references = 1;
    made->plans = (void *)(made + 1);
    if (set)
        made->plans_changes =
            prfdata_plans_acquire(&shared->plans, &installation->shape, set, made->plans);
    return made;
}

/* ---- Replacing ---- */

/* Under the lock. */
static bool is_in_use(const prfdata_presents *presents, const prfdata_present *present)
{
    if (present->references > 0)
        return true;
    for (uint32_t i = 0; i < PRFDATA_PRESENT_LANES; i++)
        if (prfdata_load64_acquire(&presents->lanes[i].present) == address_of(present))
            return true;
    return false;
}

void prfdata_presents_reclaim(prfdata_presents *presents)
{
    prfdata_present *unused = NULL;
    prfdata_present **link = &presents->retired;

    prfdata_os_lock_enter(&presents->lock);
    while (*link) {
        prfdata_present *present = *link;

        if (is_in_use(presents, present)) {
            link = &present->next_retired;
            continue;
        }
        *link = present->next_retired;
        present->next_retired = unused;
        unused = present;
    }
    prfdata_store32_relaxed(&presents->has_retired, presents->retired != NULL);
    prfdata_os_lock_leave(&presents->lock);
    while (unused) {
        prfdata_present *present = unused;

        unused = present->next_retired;
        free_present(presents, present);
    }
}

/* Under the lock: put `present`, or nothing, in the place of the current one. */
static void exchange_current(prfdata_presents *presents, prfdata_present *present)
{
    prfdata_present *former = object_at(presents->current);

    prfdata_store64_release(&presents->current, address_of(present));
    prfdata_fence(); /* before the lanes are looked at: see take_lane() */
    if (!former)
        return;
    former->next_retired = presents->retired;
    presents->retired = former;
    prfdata_store32_relaxed(&presents->has_retired, 1);
}

/* Whether `present` is of a later look than the current one. */
static bool is_later_present(const prfdata_present *present, const prfdata_present *current)
{
    const uint64_t number = present->installation->shape.number;
    const uint64_t current_number = current->installation->shape.number;

    if (number != current_number)
        return number > current_number;
    if (!present->set || !current->set)
        return present->set != NULL;
    if (present->set->question != current->set->question)
        return present->set->question > current->set->question;
    return present->plans_changes > current->plans_changes;
}

/* Publish, unless a later one was published meanwhile. */
static void publish_present(prfdata_presents *presents, prfdata_present *present)
{
    const prfdata_present *current;
    bool is_replaced;

    prfdata_os_lock_enter(&presents->lock);
    current = object_at(presents->current);
    is_replaced = !current || is_later_present(present, current);
    if (is_replaced) {
        exchange_current(presents, present);
    } else { /* it is used by this Collect only */
        present->next_retired = presents->retired;
        presents->retired = present;
        prfdata_store32_relaxed(&presents->has_retired, 1);
    }
    prfdata_os_lock_leave(&presents->lock);
}

static void publish_nothing(prfdata_presents *presents)
{
    prfdata_os_lock_enter(&presents->lock);
    exchange_current(presents, NULL);
    prfdata_os_lock_leave(&presents->lock);
    prfdata_presents_reclaim(presents);
}

/* ---- Renewing ---- */

/* Under the lock: whether a present shows what was found now. */
static bool shows_same(const prfdata_present *present, const prfdata_installation *installation,
                       const prfdata_region_set *set)
{
    return present && present->installation == installation && present->set && set &&
           present->set->generation == set->generation &&
           present->set->sums_wait_ms == set->sums_wait_ms &&
           present->plans_changes == prfdata_plans_changes(&installation->shared->plans);
}

/* The current present with a reference, if it shows what was found now: it is valid for longer. */
static prfdata_present *extend_current(prfdata_presents *presents,
                                       const prfdata_installation *installation,
                                       const prfdata_region_set *set, uint64_t until_ms)
{
    prfdata_present *current;

    prfdata_os_lock_enter(&presents->lock);
    current = object_at(presents->current);
    if (shows_same(current, installation, set)) {
        prfdata_store64_relaxed(&current->until_ms, until_ms);
        current->references++;
    } else {
        current = NULL;
    }
    prfdata_os_lock_leave(&presents->lock);
    return current;
}

/* Look at what is installed and attached by now. */
static bool renew_present(prfdata_presents *presents, prfdata_present_use *use)
{
    prfdata_installation *installation = prfdata_installation_acquire(presents->store);
    prfdata_region_set *set;
    prfdata_regions *regions;
    uint64_t until_ms;

    if (!installation) {
        publish_nothing(presents);
        return false;
    }
    regions = &installation->shared->regions;
    set = prfdata_regions_acquire(regions, &installation->registered);
    until_ms = prfdata_smaller_of(prfdata_installation_due_ms(presents->store),
                                  prfdata_regions_due_ms(regions));
    use->lane = NULL;
    use->present = extend_current(presents, installation, set, until_ms);
    if (use->present) {
        prfdata_regions_release(regions, set);
        prfdata_installation_release(presents->store, installation);
        return true;
    }
    use->present = make_present(presents, installation, set, until_ms);
    if (use->present)
        publish_present(presents, use->present);
    return use->present != NULL;
}

void prfdata_presents_learn(prfdata_presents *presents, const prfdata_present *present)
{
    prfdata_installation *installation = present->installation;
    prfdata_regions *regions = &installation->shared->regions;
    prfdata_present *made;

    if (!present->set ||
        present->plans_changes == prfdata_plans_changes(&installation->shared->plans))
        return;
    prfdata_installation_retain(presents->store, installation);
    prfdata_regions_retain(regions, present->set);
    made = make_present(presents, installation, present->set,
                        prfdata_load64_relaxed(&present->until_ms));
    if (!made)
        return;
    made->references = 0;
    publish_present(presents, made);
}

/* ---- Taking ---- */

/* The lane that a thread tries first: stacks of threads are apart. */
static uint32_t first_lane(void)
{
    const char here = 0;
    const uintptr_t address = (uintptr_t)&here;

    return (uint32_t)((address >> 16) ^ (address >> 20)) % PRFDATA_PRESENT_LANES;
}

/*
 * Note the current present in a free lane. A thread that replaces it afterwards sees the note; was
 * it replaced before, then the second look at `current` says so.
 */
static prfdata_present *note_in_lane(const prfdata_presents *presents, prfdata_present_lane *lane)
{
    uint64_t address = prfdata_load64_acquire(&presents->current);
    uint64_t expected = 0;

    if (address == 0 || prfdata_load64_relaxed(&lane->present) != 0 ||
        !prfdata_swap64_relaxed(&lane->present, &expected, address))
        return NULL;
    /* What earlier users of the lane read was read before: what frees it looks at the lane. */
    (void)prfdata_load64_acquire(&lane->present);
    prfdata_fence_after_swap();
    for (;;) {
        const uint64_t again = prfdata_load64_acquire(&presents->current);

        if (again == address)
            break;
        address = again;
        prfdata_store64_release(&lane->present, address); /* 0: the lane is free again */
        if (address == 0)
            break;
        prfdata_fence();
    }
    return object_at(address);
}

static bool take_lane(prfdata_presents *presents, prfdata_present_use *use)
{
    const uint32_t first = first_lane();

    for (uint32_t i = 0; i < PRFDATA_PRESENT_LANES; i++) {
        prfdata_present_lane *lane = &presents->lanes[(first + i) % PRFDATA_PRESENT_LANES];

        use->present = note_in_lane(presents, lane);
        use->lane = lane;
        if (use->present)
            return true;
    }
    return false;
}

bool prfdata_presents_acquire(prfdata_presents *presents, bool renews, prfdata_present_use *use)
{
    if (!renews && take_lane(presents, use)) {
        if (prfdata_os_milliseconds() + 1 < prfdata_load64_relaxed(&use->present->until_ms))
            return true;
        prfdata_presents_release(presents, use);
    }
    return renew_present(presents, use);
}

void prfdata_presents_release_reference(prfdata_presents *presents, prfdata_present *present)
{
    prfdata_os_lock_enter(&presents->lock);
    present->references--;
    prfdata_os_lock_leave(&presents->lock);
}

void prfdata_presents_count_planned_apart(prfdata_presents *presents)
{
    prfdata_os_lock_enter(&presents->lock);
    presents->planned++;
    prfdata_os_lock_leave(&presents->lock);
}

uint64_t prfdata_presents_planned(prfdata_presents *presents)
{
    uint64_t planned;

    prfdata_os_lock_enter(&presents->lock);
    planned = presents->planned;
    prfdata_os_lock_leave(&presents->lock);
    for (uint32_t i = 0; i < PRFDATA_PRESENT_LANES; i++)
        planned += prfdata_load64_relaxed(&presents->lanes[i].planned);
    return planned;
}

void prfdata_presents_expire(prfdata_presents *presents)
{
    prfdata_present *current;

    prfdata_os_lock_enter(&presents->lock);
    current = object_at(presents->current);
    if (current)
        prfdata_store64_relaxed(&current->until_ms, 0);
    prfdata_os_lock_leave(&presents->lock);
}

void prfdata_presents_done(prfdata_presents *presents)
{
    publish_nothing(presents);
}
