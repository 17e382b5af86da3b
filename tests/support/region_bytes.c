/* SPDX-License-Identifier: MIT */
#include "support/region_bytes.h"

#include <stdlib.h>

prfdata_model *model;
prfdata_region_layout *layout;
uint8_t *bytes;

int region_bytes_end(void **state)
{
    (void)state;
    free(bytes);
    free(layout);
    prfdata_model_free(model);
    return 0;
}
