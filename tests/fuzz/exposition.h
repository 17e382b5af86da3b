/* SPDX-License-Identifier: MIT */
#ifndef PRFDATA_TESTS_FUZZ_EXPOSITION_H
#define PRFDATA_TESTS_FUZZ_EXPOSITION_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Stop unless these bytes are one exposition of OpenMetrics 1.0, or of Prometheus's format 0.0.4,
 * by a reading of the grammar of its own: families once and together, every sample one of its
 * family's, names, labels, escapes and UTF-8 well-formed, numbers finite, no series twice.
 */
void fuzz_check_exposition(const char *bytes, size_t size, bool is_open_metrics);

#endif
