/* SPDX-License-Identifier: MIT */
/*
 * Makes opening files of regions fail, as for a reader that may not open them, or has no file
 * handles left.
 */
#ifndef PRFDATA_TESTS_REGION_OPENING_H
#define PRFDATA_TESTS_REGION_OPENING_H

/* The error number of the failure; 0: none. On Windows opening never fails. */
extern int region_opening_error;

#endif
