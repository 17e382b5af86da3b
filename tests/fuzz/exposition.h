/* SPDX-License-Identifier: MIT */
#ifndef PRFDATA_TESTS_FUZZ_EXPOSITION_H
#define PRFDATA_TESTS_FUZZ_EXPOSITION_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Stops unless these bytes are one exposition of OpenMetrics 1.0, or of Prometheus' format 0.0.4,
 * according to a second reading of the grammar: families occur once and are contiguous, every
 * sample belongs to its family, names, labels, escapes and UTF-8 are well-formed, numbers are
 * finite, and no series occurs twice.
 */
void fuzz_check_exposition(const char *bytes, size_t size, bool is_open_metrics);

#endif
