/* SPDX-License-Identifier: MIT */
/*
 * What Collects work on between two refreshes: an installation, a set of regions, and the plans
 * that were made of both. It is immutable, and counted.
 */
#ifndef PRFDATA_BASIS_H
#define PRFDATA_BASIS_H

#include "collect/installation.h"
#include "plan/plan.h"

typedef struct prfdata_basis {
    uint32_t references; /* under the lock of the bases */
    uint64_t until_ms;   /* the same: valid before that time */
    prfdata_installation *installation;
    prfdata_region_set *set; /* NULL: none could be had */
    prfdata_plan **plans;    /* per object; NULL: none */
} prfdata_basis;

/* Of a provider; zeroed but for `store`. */
typedef struct prfdata_bases {
    prfdata_installation_store *store;
    prfdata_os_lock lock;   /* of what follows, and of references to bases and plans */
    prfdata_basis *current; /* NULL: none */
} prfdata_bases;

/*
 * Get what is current, after the installation and the set of regions were refreshed if they are
 * due.
 *
 * renews  Whether to look at what is known by now, even if nothing is due.
 *
 * Returns NULL if nothing is installed, or memory is exhausted.
 * Give it back with prfdata_basis_release(). Threads: any.
 */
prfdata_basis *prfdata_basis_acquire(prfdata_bases *bases, bool renews);
void prfdata_basis_release(prfdata_bases *bases, prfdata_basis *basis);

/* Renew at the next acquisition, whatever is due. */
void prfdata_basis_expire(prfdata_bases *bases);

/*
 * Put plans in the place of those that a basis has, if that is current still.
 *
 * plans  Per object, which are taken over; NULL: the basis's own stays.
 */
void prfdata_basis_learn(prfdata_bases *bases, prfdata_basis *basis, prfdata_plan **plans);

/* No Collect may be running. */
void prfdata_basis_done(prfdata_bases *bases);

#endif
