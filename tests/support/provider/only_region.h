/* SPDX-License-Identifier: MIT */
/* Attaches the only region of a service as a refresh does, for tests of one region's state. */
#ifndef PRFDATA_TEST_ONLY_REGION_H
#define PRFDATA_TEST_ONLY_REGION_H

#include "regions/regions.h"

/* Attach the region. The test fails if the service has none. `regions` is the state that a
 * provider's sets of regions share. It must stay until only_region_detach(). */
prfdata_member only_region_attach(const char *service, const prfdata_versions *registered,
                                  prfdata_regions *regions);
void only_region_detach(const prfdata_member *member);

#endif
