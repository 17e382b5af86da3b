/* SPDX-License-Identifier: MIT */
#include "support/provider/provided_sample.h"

sample_map sample;

int provided_sample_init(void **state)
{
    (void)state;
    sample_map_init_as(&sample, provided_sample_is.name);
    return 0;
}

int provided_sample_begin(void **state)
{
    provided_sample_init(state);
    provided_begin(&sample.map, provided_sample_is.first_counter);
    return 0;
}
