/* SPDX-License-Identifier: MIT */
/* The only region of a service, attached as a refresh does it: for tests of what is known of one.
 */
#ifndef PRFDATA_TEST_ONLY_REGION_H
#define PRFDATA_TEST_ONLY_REGION_H

#include "regions/member.h"

/* `bytes`: what summaries take; borrowed until only_region_detach(). Fails the test if there is
 * none. */
prfdata_member only_region_attach(const char *service, const prfdata_versions *registered,
                                  uint64_t *bytes);
void only_region_detach(const prfdata_member *member);

#endif
