/* SPDX-License-Identifier: MIT */
/* Lists the counters of a sample as paths, one on a line, as typeperf -q and -qx print them. */
#ifndef PRFDATA_READER_LIST_H
#define PRFDATA_READER_LIST_H

#include "paths/columns.h"

/*
 * Put the counters of an object: \Object(*)\Counter, or \Object\Counter without instances.
 *
 * with_instances  Put \Object(Parent/Instance)\Counter for every instance instead. An object that
 *                 has no instances left is still listed, with *.
 */
void prfdata_list_put(prfdata_output *output, const prfdata_sample_object *object,
                      const prfdata_name_table *titles, bool with_instances);

#endif
