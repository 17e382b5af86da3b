/* SPDX-License-Identifier: MIT */
/* Opening files of regions fails, as for a reader that may open none, or has no file handles left.
 */
#ifndef PRFDATA_TESTS_REGION_OPENING_H
#define PRFDATA_TESTS_REGION_OPENING_H

/* With this error number; 0: it does not fail. On Windows it never does. */
extern int region_opening_error;

#endif
