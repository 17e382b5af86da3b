/* SPDX-License-Identifier: MIT */
/* Checks text for Prometheus, for the fuzz targets. */
#ifndef PRFDATA_TESTS_FUZZ_EXPOSITION_H
#define PRFDATA_TESTS_FUZZ_EXPOSITION_H

#include <stdbool.h>
#include <stddef.h>

/* Stops the program if the bytes are not one exposition of OpenMetrics 1.0, or of Prometheus'
 * format 0.0.4. The function is a second implementation of the grammar. Each family must occur
 * once, and its lines must stand together. Every sample must belong to the family it stands in.
 * Names, labels, escapes and UTF-8 must be well-formed. Numbers must be finite. No series may occur
 * twice. */
void fuzz_check_exposition(const char *bytes, size_t size, bool is_open_metrics);

#endif
