/* SPDX-License-Identifier: MIT */
/* Checks text for Prometheus, for the fuzz targets. */
#ifndef PRFDATA_TESTS_FUZZ_EXPOSITION_H
#define PRFDATA_TESTS_FUZZ_EXPOSITION_H

#include <stdbool.h>
#include <stddef.h>

/* Stops unless these bytes are one exposition of OpenMetrics 1.0, or of Prometheus' format 0.0.4,
 * by a second implementation of the grammar. Each family occurs once and its lines stand together.
 * Every sample belongs to its family. Names, labels, escapes and UTF-8 are well-formed, numbers are
 * finite, and no series occurs twice. */
void fuzz_check_exposition(const char *bytes, size_t size, bool is_open_metrics);

#endif
