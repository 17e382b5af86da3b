/* SPDX-License-Identifier: MIT */
/*
 * Keeps the numbers of titles. A title's number belongs to its id over all versions of a map, as
 * long as the id has the same meaning (docs/architecture.md, decision 14). So in a reader that
 * loaded the titles before an upgrade, the names of former titles stay correct. Number n has the
 * indexes First Counter + 2n and First Help + 2n.
 */
#ifndef PRFDATA_TITLE_NUMBERS_H
#define PRFDATA_TITLE_NUMBERS_H

#include "map/maps.h"

/* An id that has a number, or had it. */
typedef struct prfdata_title_number {
    uint32_t id;
    uint64_t meaning; /* a hash (map-bytes.md); 0: unknown, so no title gets the number again */
} prfdata_title_number;

/* All numbers. {0}: there are none yet. */
typedef struct prfdata_title_numbers {
    uint32_t count;
    size_t capacity;
    prfdata_title_number *items;
} prfdata_title_numbers;

/*
 * Read the numbers of a value `Maps`.
 *
 * numbers  {0}; unchanged on failure.
 * Returns ERROR_SUCCESS, ERROR_INVALID_DATA, ERROR_REVISION_MISMATCH or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_title_numbers_read(prfdata_title_numbers *numbers, const prfdata_maps *maps);

/*
 * Make sure that there are at least `count` numbers, so that new titles get later numbers. The
 * numbers that this function adds have the meaning 0. Returns what prfdata_title_numbers_assign()
 * does.
 */
uint32_t prfdata_title_numbers_reserve(prfdata_title_numbers *numbers, uint32_t count);

/*
 * Find the numbers that prfdata_title_numbers_assign() continues. These are the numbers in `maps`.
 * But all titles get indexes after `former_last` if `maps` is NULL or invalid, or if
 * `first_counter` is neither `former_counter` nor after `former_last`.
 *
 * numbers         {0}; set on success.
 * maps            The former value `Maps`; NULL if it is lost.
 * former_counter  The former First Counter; 0 if there was none, or if it is lost.
 * former_last     The former Last Counter. Ignored if `former_counter` is 0, or if there are more
 *                 than PRFDATA_MAX_TITLE_NUMBERS numbers from `first_counter` to `former_last`.
 * first_counter   The new First Counter.
 *
 * Returns ERROR_SUCCESS, ERROR_NOT_ENOUGH_MEMORY or ERROR_REVISION_MISMATCH (the former map has a
 *         later format).
 */
uint32_t prfdata_title_numbers_go_on(prfdata_title_numbers *numbers, const prfdata_maps *maps,
                                     uint32_t former_counter, uint32_t former_last,
                                     uint32_t first_counter);

/*
 * Give each title of a model the number that its id had with the same meaning, otherwise a new one
 * after all others.
 * Returns ERROR_SUCCESS, ERROR_NOT_ENOUGH_MEMORY, or ERROR_NO_SYSTEM_RESOURCES: all numbers are
 *         used up.
 */
uint32_t prfdata_title_numbers_assign(prfdata_title_numbers *numbers, prfdata_model *model);

/*
 * Write the numbers of titles as the last part of the value `Maps`. prfdata_title_numbers_bytes()
 * returns the size of this part in bytes. The titles of the model must already have their numbers.
 */
size_t prfdata_title_numbers_bytes(const prfdata_title_numbers *numbers,
                                   const prfdata_model *model);
void prfdata_title_numbers_put(const prfdata_title_numbers *numbers, const prfdata_model *model,
                               uint8_t *bytes);

void prfdata_title_numbers_free(prfdata_title_numbers *numbers);

#endif
