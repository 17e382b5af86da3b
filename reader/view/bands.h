/* SPDX-License-Identifier: MIT */
/*
 * Percentiles of one distribution, drawn as bands: the area between neighbouring lines is filled.
 * A block has no sign of what belongs together, so names decide: lines of one object and instance,
 * in one pane, whose paths are equal but for a word such as "p95". Draws nothing.
 */
#ifndef PRFDATA_READER_BANDS_H
#define PRFDATA_READER_BANDS_H

#include "view/chart_layout.h"

/* A percentile that a path names. */
typedef struct prfdata_bands_name {
    double percentile; /* above 0 and below 100 */
    size_t begin;      /* of the word, in the path */
    size_t end;
} prfdata_bands_name;

/* Both lines in a column of pixels, the upper one at its highest, the lower one at its lowest. */
typedef struct prfdata_bands_edge {
    int32_t x;
    int32_t upper_y;
    int32_t lower_y;
    bool begins; /* one of the lines has a gap before it */
} prfdata_bands_edge;

/*
 * Find the last word of a path that names a percentile: "p50", "p99.9"; "p999" also is 99.9. Blanks
 * and punctuation stand around it, or the path ends.
 *
 * Returns whether there is one.
 */
bool prfdata_bands_parse(prfdata_text path, prfdata_bands_name *name);

/*
 * The other line of a band: of the series that are not hidden and belong together with this one,
 * that of the next lower or higher percentile. PRFDATA_CHART_SERIES: there is none, or this one is
 * hidden, or the chart hides bands.
 */
uint32_t prfdata_bands_lower(const prfdata_chart *chart, uint32_t position);
uint32_t prfdata_bands_upper(const prfdata_chart *chart, uint32_t position);

/*
 * The series of the lowest percentile of those that belong together with this one, hidden or not;
 * the series itself if it is alone. All have its colour.
 */
uint32_t prfdata_bands_first(const prfdata_chart *chart, uint32_t position);

/*
 * Which bands are filled: those of the first two distributions of a pane, because the colours of
 * more on top of each other say nothing. The others are lines.
 *
 * filled  Set, for the upper line of each band.
 */
void prfdata_bands_find_filled(const prfdata_chart *chart, bool filled[PRFDATA_CHART_SERIES]);

/* How much of the colour a band has, in percent of it: the less the farther out. */
uint32_t prfdata_bands_strength(const prfdata_chart *chart, uint32_t position);

/*
 * Make the edges of the band between two lines of one pane, where both have values.
 *
 * edges     Gets at most `capacity`; the pixels between left and right, plus two, are enough.
 * Returns how many.
 */
size_t prfdata_bands_outline(const prfdata_chart *chart, const prfdata_chart_layout *layout,
                             uint32_t upper, uint32_t lower, prfdata_bands_edge *edges,
                             size_t capacity);

#endif
