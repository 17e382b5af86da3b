/* SPDX-License-Identifier: MIT */
/*
 * What Collects work on between two refreshes: an installation, a set of regions, and the plans
 * that were made of both. It is immutable, and counted.
 */
#ifndef PRFDATA_PRESENT_H
#define PRFDATA_PRESENT_H

#include "collect/installation.h"
#include "plan/plan.h"

typedef struct prfdata_present {
    uint32_t references; /* under the lock of the presents */
    uint64_t until_ms;   /* the same: valid before that time */
    prfdata_installation *installation;
    prfdata_region_set *set; /* NULL: none could be had */
    uint64_t *seen;          /* atomic, per object: prfdata_plan_sign() of the last merge, or 0 */
    prfdata_plan **plans;    /* per object; NULL: none */
} prfdata_present;

/* Of a provider; zeroed but for `store`. */
typedef struct prfdata_presents {
    prfdata_installation_store *store;
    prfdata_os_lock lock;     /* of what follows, and of references to presents and plans */
    prfdata_present *current; /* NULL: none */
} prfdata_presents;

/*
 * Get what is current, after the installation and the set of regions were refreshed if they are
 * due.
 *
 * renews  Whether to look at what is known by now, even if nothing is due.
 *
 * Returns NULL if nothing is installed, or memory is exhausted.
 * Give it back with prfdata_presents_release(). Threads: any.
 */
prfdata_present *prfdata_presents_acquire(prfdata_presents *presents, bool renews);
void prfdata_presents_release(prfdata_presents *presents, prfdata_present *present);

/* Renew at the next acquisition, whatever is due. */
void prfdata_presents_expire(prfdata_presents *presents);

/*
 * Put plans in the place of those that a present has, if that is current still.
 *
 * plans  Per object, which are taken over; NULL: the present's own stays.
 */
void prfdata_presents_learn(prfdata_presents *presents, prfdata_present *present,
                            prfdata_plan **plans);

/* No Collect may be running. */
void prfdata_presents_done(prfdata_presents *presents);

#endif
