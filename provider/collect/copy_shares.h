/* SPDX-License-Identifier: MIT */
/*
 * Declares how accounts share the memory for copies that are converted from earlier versions of the
 * map. projection.h converts them.
 */
#ifndef PRFDATA_COPY_SHARES_H
#define PRFDATA_COPY_SHARES_H

#include "collect/installation.h"

/* An account with regions of earlier versions. */
typedef struct prfdata_copy_share {
    const prfdata_os_account *account; /* borrowed from a mapping */
    uint64_t wanted;                   /* what its regions may need if all their slots are used */
    uint64_t left;                     /* what it may still take */
    bool is_settled;                   /* used while the shares are made */
} prfdata_copy_share;

/* {0}: there is enough for all. */
typedef struct prfdata_copy_shares {
    prfdata_copy_share *shares;
    uint32_t count;
} prfdata_copy_shares;

/*
 * Finds the shares of all accounts with regions in the set. An account that needs less than an
 * equal share gets what it needs, and the others share the rest in the same way.
 *
 * set     NULL: there are no regions.
 * room    The bytes that all copies may take.
 * shares  {0}; released with prfdata_copy_shares_free().
 *
 * Returns false if memory is exhausted.
 */
bool prfdata_copy_shares_make(const prfdata_region_set *set,
                              const prfdata_installation *installation, uint64_t room,
                              prfdata_copy_shares *shares);

/* Returns what a region's account may still take; NULL: it is not limited by shares. */
uint64_t *prfdata_copy_shares_left(const prfdata_copy_shares *shares,
                                   const prfdata_mapping *mapping);

void prfdata_copy_shares_free(prfdata_copy_shares *shares);

#endif
