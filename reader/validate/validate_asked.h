/* SPDX-License-Identifier: MIT */
/* Compare what two queries gave. Portable. */
#ifndef PRFDATA_READER_VALIDATE_ASKED_H
#define PRFDATA_READER_VALIDATE_ASKED_H

#include "validate/validate.h"

/*
 * Find an object whose values are all 0 in `asked`, and not all in `all`. Once it may be chance.
 * Returns its title; 0: there is none.
 */
uint32_t prfdata_validate_asked_zero(const prfdata_validate_reply *all,
                                     const prfdata_validate_reply *asked);

#endif
