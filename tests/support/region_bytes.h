/* SPDX-License-Identifier: MIT */
/* A region in memory, with the model and the layout that it was made by. */
#ifndef PRFDATA_TESTS_REGION_BYTES_H
#define PRFDATA_TESTS_REGION_BYTES_H

#include "region/region.h"

extern prfdata_model *model;
extern prfdata_region_layout *layout;
extern uint8_t *bytes; /* of malloc() */

/* Free them, as the teardown of a test. */
int region_bytes_end(void **state);

#endif
