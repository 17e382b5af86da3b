/* SPDX-License-Identifier: MIT */
/*
 * The current present, and when the next one takes its place. Knows neither what an installation is
 * nor what a plan does.
 */
#include "collect/present.h"

#include <stdlib.h>

#include <prfdata/atomic.h>

#include "core/smaller.h"

/* ---- Making ---- */

static uint32_t object_count_of(const prfdata_installation *installation)
{
    return installation->shape.model->object_count;
}

/* Takes over the references of installation and set; on failure they are given back. */
static prfdata_present *make_present(prfdata_presents *presents, prfdata_installation *installation,
                                     prfdata_region_set *set, uint64_t until_ms)
{
    const uint32_t count = object_count_of(installation);
    prfdata_present *made =
        calloc(1, sizeof *made + count * (sizeof(uint64_t) + sizeof(prfdata_plan *)));

    if (!made) {
        prfdata_regions_release(&installation->shared->regions, set);
        prfdata_installation_release(presents->store, installation);
        return NULL;
    }
    made->references = 1;
    made->until_ms = until_ms;
    made->installation = installation;
    made->set = set;
    made->seen = (void *)(made + 1);
    made->plans = (void *)(made->seen + count);
    return made;
}

/* Under the lock: the plans that go with a present come to the front. Returns how many. */
static uint32_t drop_plans(prfdata_present *present)
{
    uint32_t unused = 0;

    for (uint32_t i = 0; i < object_count_of(present->installation); i++)
        if (present->plans[i] && prfdata_plan_drop(present->plans[i]))
            present->plans[unused++] = present->plans[i];
    return unused;
}

void prfdata_presents_release(prfdata_presents *presents, prfdata_present *present)
{
    uint32_t unused = 0;
    bool is_last;

    if (!present)
        return;
    prfdata_os_lock_enter(&presents->lock);
    is_last = --present->references == 0;
    if (is_last)
        unused = drop_plans(present);
    prfdata_os_lock_leave(&presents->lock);
    if (!is_last)
        return;
    while (unused > 0)
        prfdata_plan_free(present->plans[--unused]);
    prfdata_regions_release(&present->installation->shared->regions, present->set);
    prfdata_installation_release(presents->store, present->installation);
    free(present);
}

/* ---- Replacing ---- */

/* Whether `present` is of a later look than the current one. */
static bool is_later_present(const prfdata_present *present, const prfdata_present *current)
{
    const uint64_t number = present->installation->shape.number;
    const uint64_t current_number = current->installation->shape.number;

    if (number != current_number)
        return number > current_number;
    if (!present->set || !current->set)
        return present->set != NULL;
    return present->set->number > current->set->number;
}

/* Under the lock: put `present` in the place of the current one, which is returned. */
static prfdata_present *exchange_current(prfdata_presents *presents, prfdata_present *present)
{
    prfdata_present *former = presents->current;

    presents->current = present;
    if (present)
        present->references++;
    return former;
}

/* Make it current, unless a later one is. */
static void publish_present(prfdata_presents *presents, prfdata_present *present)
{
    prfdata_present *former = NULL;

    prfdata_os_lock_enter(&presents->lock);
    if (!presents->current || is_later_present(present, presents->current))
        former = exchange_current(presents, present);
    prfdata_os_lock_leave(&presents->lock);
    prfdata_presents_release(presents, former);
}

static void publish_nothing(prfdata_presents *presents)
{
    prfdata_present *former;

    prfdata_os_lock_enter(&presents->lock);
    former = exchange_current(presents, NULL);
    prfdata_os_lock_leave(&presents->lock);
    prfdata_presents_release(presents, former);
}

/* ---- Renewing ---- */

/* Under the lock: whether a present shows what was found now. */
static bool shows_same(const prfdata_present *present, const prfdata_installation *installation,
                       const prfdata_region_set *set)
{
    return present && present->installation == installation && present->set && set &&
           present->set->generation == set->generation &&
           present->set->sums_wait_ms == set->sums_wait_ms;
}

/* The current present with a reference, if it shows what was found now: it is valid for longer. */
static prfdata_present *extend_current(prfdata_presents *presents,
                                       const prfdata_installation *installation,
                                       const prfdata_region_set *set, uint64_t until_ms)
{
    prfdata_present *current;

    prfdata_os_lock_enter(&presents->lock);
    current = presents->current;
    if (shows_same(current, installation, set)) {
        current->until_ms = until_ms;
        current->references++;
    } else {
        current = NULL;
    }
    prfdata_os_lock_leave(&presents->lock);
    return current;
}

/* Look at what is installed and attached by now. */
static prfdata_present *renew_present(prfdata_presents *presents)
{
    prfdata_installation *installation = prfdata_installation_acquire(presents->store);
    prfdata_region_set *set;
    prfdata_regions *regions;
    prfdata_present *present;
    uint64_t until_ms;

    if (!installation) {
        publish_nothing(presents);
        return NULL;
    }
    regions = &installation->shared->regions;
    set = prfdata_regions_acquire(regions, &installation->registered);
    until_ms = prfdata_smaller_of(prfdata_installation_due_ms(presents->store),
                                  prfdata_regions_due_ms(regions));
    present = extend_current(presents, installation, set, until_ms);
    if (present) {
        prfdata_regions_release(regions, set);
        prfdata_installation_release(presents->store, installation);
        return present;
    }
    present = make_present(presents, installation, set, until_ms);
    if (present)
        publish_present(presents, present);
    return present;
}

/* ---- Taking ---- */

prfdata_present *prfdata_presents_acquire(prfdata_presents *presents, bool renews)
{
    const uint64_t now = prfdata_os_milliseconds() + 1;
    prfdata_present *current = NULL;

    prfdata_os_lock_enter(&presents->lock);
    if (!renews && presents->current && now < presents->current->until_ms) {
        current = presents->current;
        current->references++;
    }
    prfdata_os_lock_leave(&presents->lock);
    return current ? current : renew_present(presents);
}

void prfdata_presents_expire(prfdata_presents *presents)
{
    prfdata_os_lock_enter(&presents->lock);
    if (presents->current)
        presents->current->until_ms = 0;
    prfdata_os_lock_leave(&presents->lock);
}

/* ---- Learning ---- */

/* Under the lock: where there is no new plan the former present's is shared. */
static void share_plans(const prfdata_present *former, prfdata_present *made)
{
    for (uint32_t i = 0; i < object_count_of(made->installation); i++) {
        made->seen[i] = prfdata_load64_relaxed(&former->seen[i]);
        if (made->plans[i] || !former->plans[i])
            continue;
        made->plans[i] = former->plans[i];
        prfdata_plan_retain(made->plans[i]);
    }
}

/* Another present with the same installation and set, and these plans; NULL: no memory. */
static prfdata_present *make_successor(prfdata_presents *presents, const prfdata_present *present,
                                       prfdata_plan **plans)
{
    prfdata_installation *installation = present->installation;
    prfdata_present *made;

    prfdata_installation_retain(presents->store, installation);
    prfdata_regions_retain(&installation->shared->regions, present->set);
    made = make_present(presents, installation, present->set, 0);
    for (uint32_t i = 0; i < object_count_of(present->installation); i++) {
        if (made)
            made->plans[i] = plans[i];
        else if (plans[i])
            prfdata_plan_free(plans[i]);
    }
    return made;
}

void prfdata_presents_learn(prfdata_presents *presents, prfdata_present *present,
                            prfdata_plan **plans)
{
    prfdata_present *made = make_successor(presents, present, plans);
    prfdata_present *former = NULL;

    if (!made)
        return;
    prfdata_os_lock_enter(&presents->lock);
    if (presents->current == present) {
        share_plans(present, made);
        made->until_ms = present->until_ms;
        former = exchange_current(presents, made);
    }
    prfdata_os_lock_leave(&presents->lock);
    prfdata_presents_release(presents, former);
    prfdata_presents_release(presents, made);
}

void prfdata_presents_done(prfdata_presents *presents)
{
    publish_nothing(presents);
}
