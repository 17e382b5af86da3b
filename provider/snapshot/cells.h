/* SPDX-License-Identifier: MIT */
/*
 * Declares how the cells of several slots are combined into one value (docs/architecture.md,
 * decision 6), and which cells outlive their slot. merge.c chooses the slots.
 */
#ifndef PRFDATA_CELLS_H
#define PRFDATA_CELLS_H

#include "map/model.h"

/* Sets all cells, including those of windows, to their initial state, before any slot is added. */
void prfdata_cells_clear(const prfdata_model_object *object, uint64_t *values);

/*
 * Adds all cells of one slot, including those of windows.
 *
 * baselines    One for each cell. Subtracted from accumulating cells and from windows; NULL: none.
 * with_gauges  Whether gauges are added. Must be false for a slot that is not live.
 */
void prfdata_cells_add(const prfdata_model_object *object, const uint64_t *slot,
                       const uint64_t *baselines, bool with_gauges, uint64_t *values);

/*
 * Clear or add only the cells of the object's counters, which are stored_count cells. The sums of
 * regions with a writer have only these, because the windows of distributions may have thousands of
 * times as many cells as the counters.
 */
void prfdata_cells_clear_counters(const prfdata_model_object *object, uint64_t *values);
void prfdata_cells_add_counters(const prfdata_model_object *object, const uint64_t *slot,
                                const uint64_t *baselines, bool with_gauges, uint64_t *values);

/*
 * Adds `count` cells of windows. Windows of ended programs are added, too, because a window holds
 * only recent values.
 */
void prfdata_cells_add_windows(const uint64_t *slot, const uint64_t *baselines, size_t count,
                               uint64_t *values);

/*
 * Turns windows into what their counters show, such as percentiles. A maximum to which no slot was
 * added becomes 0. Must follow the last prfdata_cells_add().
 */
void prfdata_cells_finish(const prfdata_model_object *object, uint64_t *values);

/*
 * Sets the total of each counter with PRFDATA_MAP_TOTAL_MEAN to the mean of the instances' values,
 * rounded to the nearest integer; 0 if there are no instances.
 *
 * rows  The finished values of all instances: row_count times the object's cells.
 */
void prfdata_cells_mean(const prfdata_model_object *object, const uint64_t *rows,
                        uint32_t row_count, uint64_t *total);

/*
 * Records what remains of a contributor after it ends: accumulating cells, and time stamps that are
 * merged by taking the newest. Raises each of these values in `lasting` to at least the value in
 * `values`. Returns whether any value of `lasting` grew.
 */
bool prfdata_cells_record(const prfdata_model_object *object, const uint64_t *values,
                          uint64_t *lasting);

/*
 * Raises a contributor's values to what it has shown before.
 *
 * lasting  Made by prfdata_cells_record().
 * values   The values of the contributor.
 * shown    The combined values of several contributors, including the values in `values`. Raises
 *          an accumulating value by the same amount as in `values`, and a time stamp to at least
 *          the time stamp in `lasting`.
 *
 * Returns whether any of `values` was raised.
 */
bool prfdata_cells_raise_shown(const prfdata_model_object *object, const uint64_t *lasting,
                               uint64_t *values, uint64_t *shown);

/*
 * Whether anything remains of a slot: an accumulating cell that differs from its baseline, a time
 * stamp that is merged by taking the newest and is not 0, or values in a window.
 */
bool prfdata_cells_remain(const prfdata_model_object *object, const uint64_t *slot,
                          const uint64_t *baselines);

#endif
