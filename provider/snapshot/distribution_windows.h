/* SPDX-License-Identifier: MIT */
/*
 * Loads the distributions of a slot into cells. The slot's windows have cells of their own. If a
 * counter shows a distribution and accumulates, its cell gets the total of all recorded values. If
 * it shows the windows, its cell is 0 until the windows of all slots of a row or total have been
 * added up.
 */
#ifndef PRFDATA_DISTRIBUTION_WINDOWS_H
#define PRFDATA_DISTRIBUTION_WINDOWS_H

#include "region/region.h"

/*
 * Loads a slot's distributions. Called under the guard.
 *
 * time       prfdata_distribution_time(), the same for all slots of an object in a reply.
 * cells      The slot's cells. Sets the cells of counters that show a distribution. Sets the cells
 *            of windows to what was recorded under all names of the slot, because totals include
 *            all names.
 * baselines  Sets the baselines of windows, so that cells minus baselines are what the current
 *            instance recorded. NULL: the slot has no baselines.
 */
void prfdata_distribution_windows_load(uint8_t *bytes, const prfdata_model_object *object,
                                       const prfdata_region_section *section, uint32_t slot_index,
                                       uint32_t time, uint64_t *cells, uint64_t *baselines);

/* Sets the counters that show windows, in a row or total whose windows have been added up. */
void prfdata_distribution_windows_show(const prfdata_model_object *object, uint64_t *values);

/* Whether any window contains a value. */
bool prfdata_distribution_windows_any(const prfdata_model_object *object, const uint64_t *values);

#endif
