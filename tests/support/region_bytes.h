/* SPDX-License-Identifier: MIT */
/* Keeps a region in memory, with its model and its layout. */
#ifndef PRFDATA_TESTS_REGION_BYTES_H
#define PRFDATA_TESTS_REGION_BYTES_H

#include "region/region.h"

extern prfdata_model *model;
extern prfdata_region_layout *layout;
extern uint8_t *bytes; /* from malloc() */

/* Free region, model and layout, as the teardown of a test. */
int region_bytes_end(void **state);

#endif
