/* SPDX-License-Identifier: MIT */
/* The name of a metric as it depends on its counter alone: two counters may have the same one. */
#ifndef PRFDATA_READER_METRIC_FAMILY_NAME_H
#define PRFDATA_READER_METRIC_FAMILY_NAME_H

#include "prometheus/metric_families.h"
#include "prometheus/metric_name.h"

/*
 * Make the name of the family of an item.
 *
 * override    What the user wants of it; NULL: nothing.
 * titles_tag  Set to what distinguishes titles and types whose names are the same.
 *
 * Returns where the name comes from.
 */
prfdata_metric_origin prfdata_metric_family_name_make(const prfdata_titles *titles,
                                                      const prfdata_metric_family_item *item,
                                                      const prfdata_override *override,
                                                      prfdata_metric_name *name,
                                                      uint32_t *titles_tag);

/* Put the hash of the titles before the unit. */
void prfdata_metric_family_name_mark(prfdata_metric_name *name, uint32_t titles_tag);

#endif
