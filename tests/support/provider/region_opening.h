/* SPDX-License-Identifier: MIT */
/* Makes opening regions fail, as if the reader had no right to open them or had no file handles
 * left. */
#ifndef PRFDATA_TESTS_REGION_OPENING_H
#define PRFDATA_TESTS_REGION_OPENING_H

/* The error number of the failure; 0: opening does not fail. No effect on Windows. */
extern int region_opening_error;

#endif
