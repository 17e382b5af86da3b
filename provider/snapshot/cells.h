/* SPDX-License-Identifier: MIT */
/*
 * How the cells of several slots become one value (docs/architecture.md, decision 6), and which of
 * them outlive their slot. Which slots these are, merge.c finds.
 */
#ifndef PRFDATA_CELLS_H
#define PRFDATA_CELLS_H

#include "map/model.h"

/* Set `values` to what they are before any slot is added. */
void prfdata_cells_clear(const prfdata_model_object *object, uint64_t *values);

/*
 * Add one slot's cells.
 *
 * baselines  Subtracted from accumulating cells; NULL: none.
 * is_live    Gauges count.
 */
void prfdata_cells_add(const prfdata_model_object *object, const uint64_t *slot,
                       const uint64_t *baselines, bool is_live, uint64_t *values);

/*
 * The same of the object's counters alone, its stored_count cells. What is kept of each region has
 * these only: windows may be thousands of times as many.
 */
void prfdata_cells_clear_counters(const prfdata_model_object *object, uint64_t *values);
void prfdata_cells_add_counters(const prfdata_model_object *object, const uint64_t *slot,
                                const uint64_t *baselines, bool is_live, uint64_t *values);

/* Add `count` cells of windows. Also of dead processes: they are of the last minute. */
void prfdata_cells_add_windows(const uint64_t *slot, const uint64_t *baselines, size_t count,
                               uint64_t *values);

/* After the last prfdata_cells_add(): a maximum of no slots is 0; windows become percentiles. */
void prfdata_cells_finish(const prfdata_model_object *object, uint64_t *values);

/*
 * Make the total of each counter that the map has a mean for (PRFDATA_MAP_TOTAL_MEAN) the mean of
 * what the instances show, rounded to the nearest; 0 without instances.
 *
 * rows  The finished values of all instances: row_count times the object's cells.
 */
void prfdata_cells_mean(const prfdata_model_object *object, const uint64_t *rows,
                        uint32_t row_count, uint64_t *total);

/*
 * What remains of a contributor: accumulating cells and newest stamps, which only grow; gauges
 * become 0. Each of `lasting` becomes the larger of what it is and `values`. Returns whether any
 * was below.
 */
bool prfdata_cells_record(const prfdata_model_object *object, const uint64_t *values,
                          uint64_t *lasting);

/*
 * Bring what a contributor adds up to what it has shown before.
 *
 * lasting  What prfdata_cells_record() has made.
 * values   Of the contributor.
 * shown    What several contributors make, these values among them: gets what they have gained.
 *
 * Returns whether any value was below.
 */
bool prfdata_cells_raise_shown(const prfdata_model_object *object, const uint64_t *lasting,
                               uint64_t *values, uint64_t *shown);

/* Whether something remains of a slot: an accumulating cell above its baseline, a stamp, or what it
 * recorded in the last minute. */
bool prfdata_cells_remain(const prfdata_model_object *object, const uint64_t *slot,
                          const uint64_t *baselines);

#endif
