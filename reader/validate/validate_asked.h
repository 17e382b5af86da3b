/* SPDX-License-Identifier: MIT */
/* Compares the replies to two queries. Portable. */
#ifndef PRFDATA_READER_VALIDATE_ASKED_H
#define PRFDATA_READER_VALIDATE_ASKED_H

#include "validate/validate.h"

/*
 * Find an object that has values other than 0 in `all`. All of these values must be 0 in `asked`.
 * In a single pair of replies this may be chance. Returns the object's title; 0: there is none.
 */
uint32_t prfdata_validate_asked_zero(const prfdata_validate_reply *all,
                                     const prfdata_validate_reply *asked);

#endif
