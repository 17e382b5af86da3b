/* SPDX-License-Identifier: MIT */
/* Makes samples for tests of the text for Prometheus, with every type of counter and names of all
 * kinds. */
#ifndef PRFDATA_TESTS_METRIC_SAMPLE_H
#define PRFDATA_TESTS_METRIC_SAMPLE_H

#include "block/sample.h"
#include "block/titles.h"
#include "support/reader/wire.h"

void metric_sample_name(prfdata_name_table *table, uint32_t index, const char *name);

/* Write an object "Every Type" with a counter of every type and the instances a, b and _Total; and
 * name its titles. */
void metric_sample_put_types(wire *w);
void metric_sample_name_types(prfdata_titles *titles);

#endif
