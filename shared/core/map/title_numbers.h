/* SPDX-License-Identifier: MIT */
/*
 * A title's number belongs to its id over all versions of a map (docs/architecture.md, decision
 * 14): number n has the indexes First Counter + 2n and First Help + 2n. A reader that has loaded
 * the titles once may be wrong about new titles, but never about former ones.
 */
#ifndef PRFDATA_TITLE_NUMBERS_H
#define PRFDATA_TITLE_NUMBERS_H

#include "map/maps.h"

/* What has a number, or had it. */
typedef struct prfdata_title_number {
    uint32_t id;
    uint64_t meaning; /* a hash, map-bytes.md; 0: nothing is known, so nothing gets it back */
} prfdata_title_number;

/* {0}: no title was ever used. */
typedef struct prfdata_title_numbers {
    uint32_t count;
    size_t capacity;
    prfdata_title_number *items;
} prfdata_title_numbers;

/*
 * Read the numbers of a value `Maps`.
 *
 * numbers  {0}; on failure it stays so.
 * Returns ERROR_SUCCESS, ERROR_INVALID_DATA, ERROR_REVISION_MISMATCH or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_title_numbers_read(prfdata_title_numbers *numbers, const prfdata_maps *maps);

/*
 * Let new titles begin at `count` at least: nothing is known of the numbers before.
 * Returns what prfdata_title_numbers_assign() does.
 */
uint32_t prfdata_title_numbers_reserve(prfdata_title_numbers *numbers, uint32_t count);

/*
 * Find what new titles go on from. Where it is not known which id had which number, or where the
 * indexes will not be those of before and overlap them, all titles get indexes after the former
 * ones.
 *
 * numbers         {0}; set on success.
 * maps            The former value; NULL: it is lost.
 * former_counter  Its First Counter; 0: that is lost as well, or there was none.
 * former_last     Its Last Counter.
 * first_counter   What will be First Counter.
 *
 * Returns what prfdata_title_numbers_assign() does.
 */
uint32_t prfdata_title_numbers_go_on(prfdata_title_numbers *numbers, const prfdata_maps *maps,
                                     uint32_t former_counter, uint32_t former_last,
                                     uint32_t first_counter);

/*
 * Give each title of a model the number that its id had with the same meaning, or a new one after
 * all others.
 * Returns ERROR_SUCCESS, ERROR_NOT_ENOUGH_MEMORY, or ERROR_NO_SYSTEM_RESOURCES: there are no more.
 */
uint32_t prfdata_title_numbers_assign(prfdata_title_numbers *numbers, prfdata_model *model);

/* The part of the value `Maps` that follows the maps; the model has its numbers. */
size_t prfdata_title_numbers_bytes(const prfdata_title_numbers *numbers,
                                   const prfdata_model *model);
void prfdata_title_numbers_put(const prfdata_title_numbers *numbers, const prfdata_model *model,
                               uint8_t *bytes);

void prfdata_title_numbers_free(prfdata_title_numbers *numbers);

#endif
