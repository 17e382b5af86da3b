/* SPDX-License-Identifier: MIT */
/* Attaches the only region of a service as a refresh does, for tests of the state of one region. */
#ifndef PRFDATA_TEST_ONLY_REGION_H
#define PRFDATA_TEST_ONLY_REGION_H

#include "regions/member.h"

/*
 * `bytes` counts the memory of summaries; borrowed until only_region_detach(). The test fails if
 * there is no region.
 */
prfdata_member only_region_attach(const char *service, const prfdata_versions *registered,
                                  uint64_t *bytes);
void only_region_detach(const prfdata_member *member);

#endif
