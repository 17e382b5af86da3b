/* SPDX-License-Identifier: MIT */
/*
 * Finds the bands of a distribution's percentiles. A band is the area between two neighbouring
 * lines, and is drawn filled. The lines of a distribution have the same object, instance and pane,
 * and their paths are equal except for a word such as "p95". Blocks do not say which counters form
 * a distribution.
 */
#ifndef PRFDATA_READER_BANDS_H
#define PRFDATA_READER_BANDS_H

#include "view/chart_layout.h"

typedef struct prfdata_bands_name {
    double percentile; /* above 0 and below 100 */
    size_t begin;      /* position of the word in the path */
    size_t end;
} prfdata_bands_name;

/* A band in one column of pixels: the highest and the lowest point of its two lines, which may
 * cross. */
typedef struct prfdata_bands_edge {
    int32_t x;
    int32_t upper_y;
    int32_t lower_y;
    bool begins; /* the band begins with this column, or has a gap before it */
} prfdata_bands_edge;

/*
 * In a path, find the last word that names a percentile: "p50" or "p99.9"; "p999" also means p99.9.
 * The word is surrounded by blanks, punctuation or the ends of the path.
 *
 * Returns whether there is one.
 */
bool prfdata_bands_parse(prfdata_text path, prfdata_bands_name *name);

/*
 * Return the other line of a band: among the visible series of the same distribution, the one with
 * the next lower or the next higher percentile. PRFDATA_CHART_SERIES: there is none, or this series
 * is hidden, or the chart hides bands.
 */
uint32_t prfdata_bands_lower(const prfdata_chart *chart, uint32_t position);
uint32_t prfdata_bands_upper(const prfdata_chart *chart, uint32_t position);

/*
 * Return the series with the lowest percentile of the same distribution, hidden or not. Return the
 * series itself if it is the only one, if it is not a percentile, or if the chart hides bands. All
 * percentiles of the distribution have the colour of the returned series.
 */
uint32_t prfdata_bands_first(const prfdata_chart *chart, uint32_t position);

/*
 * Find the bands to fill. In each pane these are the bands of the first two distributions, because
 * more colours on top of each other would be unreadable. Other distributions have only lines.
 *
 * filled  Set for all lines: true for the upper line of each band to fill.
 */
void prfdata_bands_find_filled(const prfdata_chart *chart, bool filled[PRFDATA_CHART_SERIES]);

/* Return the strength of a band's colour in percent; outer bands are paler. */
uint32_t prfdata_bands_strength(const prfdata_chart *chart, uint32_t position);

/*
 * Make the edges of the band between two lines of one pane, at the times when both have values.
 *
 * edges     Gets at most `capacity` edges; the number of pixels between left and right, plus two,
 *           is enough.
 * Returns the number of edges.
 */
size_t prfdata_bands_outline(const prfdata_chart *chart, const prfdata_chart_layout *layout,
                             uint32_t upper, uint32_t lower, prfdata_bands_edge *edges,
                             size_t capacity);

#endif
