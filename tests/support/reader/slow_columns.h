/* SPDX-License-Identifier: MIT */
/* Finds columns by a slow search. In every sample each column is searched for by the titles and
 * labels of its object, instance and counter, and no positions are remembered. The rules are those
 * of paths/columns.h, so both must find the same columns and values. */
#ifndef PRFDATA_TESTS_SLOW_COLUMNS_H
#define PRFDATA_TESTS_SLOW_COLUMNS_H

#include "paths/columns.h"

typedef struct slow_column {
    uint32_t path_number;
    uint32_t object_title; /* 0: lost */
    uint32_t counter_title;
    uint32_t former_object;
    uint32_t former_counter;
    uint32_t lost_status; /* status of a lost column, which says what is missing */
    bool is_moved;
    prfdata_text label;
    char *heading;
    uint32_t status;
    prfdata_compute_value value;
    bool is_text;
    prfdata_text text;
    prfdata_compute_raw older;
    prfdata_compute_raw raw;
    bool is_known;
    uint32_t type;
    int32_t default_scale;
} slow_column;

typedef struct slow_columns {
    slow_column *items;
    size_t count;
    size_t capacity;
    const prfdata_titles *titles;
    uint32_t titles_version;
    uint32_t first_version;
    prfdata_text computer;
    bool has_idle_zeros;
} slow_columns;

void slow_columns_init(slow_columns *columns, const prfdata_titles *titles, prfdata_text computer);
void slow_columns_free(slow_columns *columns);
void slow_columns_add(slow_columns *columns, const prfdata_resolver_path *path,
                      const prfdata_sample *sample, prfdata_resolver_result *result);
void slow_columns_compute(slow_columns *columns, const prfdata_sample *older,
                          const prfdata_sample *newer, bool capped);
void slow_columns_forget(slow_columns *columns);

#endif
