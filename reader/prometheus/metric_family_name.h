/* SPDX-License-Identifier: MIT */
/* Makes the name of a metric from its counter and the user's wishes. Two counters may get the same
 * name; metric_families.h then decides which of them keeps it. */
#ifndef PRFDATA_READER_METRIC_FAMILY_NAME_H
#define PRFDATA_READER_METRIC_FAMILY_NAME_H

#include "prometheus/metric_families.h"
#include "prometheus/metric_name.h"

/*
 * Make the name of an item's family.
 *
 * override    The user's wishes; NULL: none.
 * titles_tag  Set to a hash that distinguishes counters whose names are the same.
 *
 * Returns the origin of the name.
 */
prfdata_metric_origin prfdata_metric_family_name_make(const prfdata_titles *titles,
                                                      const prfdata_metric_family_item *item,
                                                      const prfdata_override *override,
                                                      prfdata_metric_name *name,
                                                      uint32_t *titles_tag);

/* Insert the hash of the titles before the unit. */
void prfdata_metric_family_name_mark(prfdata_metric_name *name, uint32_t titles_tag);

#endif
