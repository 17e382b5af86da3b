/* SPDX-License-Identifier: MIT */
/* For tests, which compare the two ways to answer. Nothing of the product includes it but
 * provider.c. */
#ifndef PRFDATA_PLANNING_H
#define PRFDATA_PLANNING_H

#include "collect/provider.h"

/*
 * Set whether Collects use plans, which is the default. Without them each merges snapshots, and the
 * replies are the same bytes. Call it before the first Collect.
 */
void prfdata_planning_set(prfdata_provider *provider, bool uses_plans);

#endif
