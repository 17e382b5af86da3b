/* SPDX-License-Identifier: MIT */
/* Finds the unit of a counter's values, for a column's heading or to follow a number. */
#ifndef PRFDATA_READER_HEADING_H
#define PRFDATA_READER_HEADING_H

#include "block/titles.h"
#include "view/table.h"

/*
 * Return the sign of the unit of a column's values. Empty if there is none, if the column's name
 * says it, or if the rows of the column have different counters. Raw values do not have the unit of
 * a type, such as /s, but they have a unit that the map declares. Static storage.
 */
const char *prfdata_heading_unit(const prfdata_table_column *column, bool is_raw);

/*
 * Return the unit of a counter's values: the unit of its type, otherwise the unit that the map
 * declares, otherwise bytes if the name says so.
 *
 * name  The counter's English name.
 */
prfdata_unit prfdata_heading_number_unit(const prfdata_titles *titles, uint32_t object_title,
                                         uint32_t counter_title, uint32_t type, prfdata_text name);

#endif
