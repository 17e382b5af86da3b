/* SPDX-License-Identifier: MIT */
/*
 * Distributions in snapshots: what a slot recorded in the last minute becomes cells that add up,
 * and what its counters show of all that was recorded becomes their cells. They become rows in
 * merge.c.
 */
#ifndef PRFDATA_RECENT_H
#define PRFDATA_RECENT_H

#include "region/region.h"

/*
 * Load what a slot's distributions say, in the view of a region: to be called under its guard.
 *
 * time       prfdata_distribution_time(), the same for all slots of a Collect.
 * cells      Of the slot: those of counters that show a distribution, and those of windows, are
 *            set, to what counts in totals.
 * baselines  Those of windows are set, so that the difference is what the current instance
 *            recorded; NULL: the slot has no baselines.
 */
void prfdata_recent_load(uint8_t *bytes, const prfdata_model_object *object,
                         const prfdata_region_section *section, uint32_t slot_index, uint32_t time,
                         uint64_t *cells, uint64_t *baselines);

/* Set the counters that show windows, in a row or total whose windows have been added up. */
void prfdata_recent_show(const prfdata_model_object *object, uint64_t *values);

/* Whether any window has something. */
bool prfdata_recent_any(const prfdata_model_object *object, const uint64_t *values);

#endif
