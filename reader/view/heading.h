/* SPDX-License-Identifier: MIT */
/* Finds the unit that a column's heading shows after its name: the unit of the values below it. */
#ifndef PRFDATA_READER_HEADING_H
#define PRFDATA_READER_HEADING_H

#include "block/titles.h"
#include "view/table.h"

/*
 * Return the unit of a column's values: the unit of its type, otherwise the unit that the map gives
 * the counter; empty if it is not known or the name says it. Raw values never have the unit of the
 * type. Static storage.
 */
const char *prfdata_heading_unit(const prfdata_titles *titles, uint32_t object_title,
                                 const prfdata_table_column *column, bool is_raw);

/*
 * Return the unit to show next to a counter's values if no heading shows it. It is the unit of the
 * type. A time that is shown as it was counted, such as a percentile, has the map's unit.
 *
 * name  The counter's English name.
 */
prfdata_unit prfdata_heading_number_unit(const prfdata_titles *titles, uint32_t object_title,
                                         uint32_t counter_title, uint32_t type, prfdata_text name);

#endif
