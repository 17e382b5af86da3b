/* SPDX-License-Identifier: MIT */
/* Makes the rows of the live view's list from samples: values, changes and histories. */
#ifndef PRFDATA_READER_TOP_ROWS_H
#define PRFDATA_READER_TOP_ROWS_H

#include "top/top_view.h"

/* Data that the rows of one counter of an object share. */
typedef struct prfdata_top_counter {
    uint32_t object_title; /* 0: the rows are of a path that found nothing */
    uint32_t counter_title;
    /* Names of the object and the counter. Without a name: the title index, as digits in
     * object_digits or counter_digits. */
    prfdata_text object;
    prfdata_text counter;
    prfdata_text help;
    prfdata_unit unit;
    prfdata_condition threshold;
    bool has_instance;
    size_t head_chars; /* length of the path before the label; 0: not in view->path yet */
    uint16_t object_digits[12];
    uint16_t counter_digits[12];
} prfdata_top_counter;

/* Begin the rows of the counter that prfdata_resolver_next_counter() has found. */
void prfdata_top_rows_begin(prfdata_top_view *view, const prfdata_resolver *match,
                            prfdata_top_counter *counter);

void prfdata_top_rows_add(prfdata_top_view *view, const prfdata_resolver *match,
                          prfdata_top_counter *counter);

/* Add a row that says why a path found nothing. */
void prfdata_top_rows_add_nothing(prfdata_top_view *view, const prfdata_resolver *match);

/* Note that the sample lacks a row. */
void prfdata_top_rows_miss(const prfdata_top_view *view, prfdata_top_row *row);

#endif
