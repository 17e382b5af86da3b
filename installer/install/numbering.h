/* SPDX-License-Identifier: MIT */
/*
 * Finds the numbers that the titles of a service had before, so that each number stays with its id
 * (map/title_numbers.h). Windows only.
 */
#ifndef PRFDATA_NUMBERING_H
#define PRFDATA_NUMBERING_H

#include "map/title_numbers.h"
#include "service/registered.h"
#include "titles/service_key.h"

/*
 * Find the numbers from which the titles of a map continue: the registered numbers, or the
 * remembered numbers (prfdata_title_numbers_go_on()).
 *
 * goes_on  Whether the counts of the registered maps continue (prfdata_upgrade_check()).
 * numbers  {0}; set on success. Owner: the caller; prfdata_title_numbers_free().
 *
 * Returns ERROR_SUCCESS, ERROR_NOT_ENOUGH_MEMORY, ERROR_NO_SYSTEM_RESOURCES (no numbers are left)
 *         or the error of the registry.
 */
uint32_t prfdata_numbering_find(const prfdata_registered *before, const prfdata_service_key *key,
                                bool goes_on, const prfdata_model *later,
                                prfdata_title_numbers *numbers);

#endif
