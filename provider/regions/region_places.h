/* SPDX-License-Identifier: MIT */
/*
 * Decides which regions get the places of a set if there are too many regions, or if their views
 * are too large together. No account can use up the places that other accounts need
 * (region-format.md, "Names and lifetime"). folder_check.c finds and maps the regions.
 */
#ifndef PRFDATA_REGION_PLACES_H
#define PRFDATA_REGION_PLACES_H

#include "regions/member.h"

typedef struct prfdata_region_sharer {
    prfdata_os_account account;
    uint32_t count; /* number of its regions that have places */
    uint64_t bytes; /* size of their views */
} prfdata_region_sharer;

typedef struct prfdata_region_place {
    prfdata_member member;
    uint32_t account; /* index of its account */
    bool is_kept;     /* its program is running, and this reader has shown the region before */
    bool is_lost;     /* used while prfdata_region_places_add() decides */
} prfdata_region_place;

/* Places for `max_count` regions whose views take at most `max_bytes` together. */
typedef struct prfdata_region_places {
    uint32_t max_count;
    uint64_t max_bytes;
    uint32_t count;
    uint64_t bytes;
    uint32_t account_count;
    prfdata_region_place *places;    /* `count` places */
    prfdata_region_sharer *accounts; /* `account_count` accounts; some may have no place */
} prfdata_region_places;

/* Returns false if memory is exhausted. Call prfdata_region_places_done() in both cases. */
bool prfdata_region_places_init(prfdata_region_places *places, uint32_t max_count,
                                uint64_t max_bytes);
void prfdata_region_places_done(prfdata_region_places *places);

/*
 * Gives a region a place. If there are too many regions, the account with the most regions gives up
 * a place. If there are too many bytes, the account with the most bytes gives up places. Regions
 * that are not kept lose their places before kept ones, and younger regions before older ones. The
 * new region gets no place if one of these rules would be broken:
 *
 * - The new region's own account gives up only regions that are not kept and are younger than the
 *   new region.
 * - Any other account still has, after each loss, at least as many regions (or bytes) as the new
 *   region's account will have.
 *
 * member   Copied.
 * is_kept  Whether its program is running and this reader has shown the region before.
 * lose     Called for each region that gives up its place.
 *
 * Returns false if the region gets no place; nothing has changed then.
 */
bool prfdata_region_places_add(prfdata_region_places *places, const prfdata_member *member,
                               bool is_kept,
                               void (*lose)(void *context, const prfdata_member *member),
                               void *context);

/* Whether regions of several accounts have places. */
bool prfdata_region_places_are_shared(const prfdata_region_places *places);

#endif
