/* SPDX-License-Identifier: MIT */
/* Finds the lines that are percentiles of one distribution, and the area between two of them. */
#include "view/bands.h"

#define MOST_FILLED 2u /* at most this many distributions in a pane have filled bands */

static bool is_digit_at(prfdata_text path, size_t at)
{
    return at < path.count && path.chars[at] >= '0' && path.chars[at] <= '9';
}

static bool is_letter_at(prfdata_text path, size_t at)
{
    const uint16_t c = at < path.count ? path.chars[at] : ' ';

    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 0x80;
}

/*
 * Read the percentile after the letter p: one or two digits, perhaps followed by a point and
 * further digits. If the number begins with 9, the point may be missing, because some people write
 * p999 for p99.9. Returns the position after the number.
 */
static size_t read_percentile(prfdata_text path, size_t at, double *percentile)
{
    const size_t begin = at;
    double digit_weight = 1;

    *percentile = 0;
    while (is_digit_at(path, at) && at < begin + 2)
        *percentile = *percentile * 10 + (path.chars[at++] - '0');
    if (at < path.count && path.chars[at] == '.' && is_digit_at(path, at + 1))
        at++;
    else if (at == begin || path.chars[begin] != '9')
        return at;
    while (is_digit_at(path, at)) {
        digit_weight /= 10;
        *percentile += (path.chars[at++] - '0') * digit_weight;
    }
    return at;
}

static bool parse_word(prfdata_text path, size_t begin, prfdata_bands_name *name)
{
    double percentile;
    size_t end;

    if ((path.chars[begin] != 'p' && path.chars[begin] != 'P') ||
        (begin > 0 && (is_letter_at(path, begin - 1) || is_digit_at(path, begin - 1))))
        return false;
    end = read_percentile(path, begin + 1, &percentile);
    if (is_letter_at(path, end) || is_digit_at(path, end) || percentile <= 0)
        return false;
    *name = (prfdata_bands_name){percentile, begin, end};
    return true;
}

bool prfdata_bands_parse(prfdata_text path, prfdata_bands_name *name)
{
    for (size_t begin = path.count; begin > 0; begin--) {
        if (parse_word(path, begin - 1, name))
            return true;
    }
    return false;
}

/*
 * Returns whether `other`, which may be the same series, is a percentile of the same distribution.
 */
static bool belongs_with(const prfdata_chart_series *series, const prfdata_bands_name *name,
                         const prfdata_chart_series *other, prfdata_bands_name *other_name)
{
    const prfdata_text a = series->path;
    const prfdata_text b = other->path;

    return other->unit == series->unit && other->stack == series->stack &&
           other->key.object_title == series->key.object_title &&
           prfdata_text_equal(other->key.label, series->key.label) &&
           prfdata_bands_parse(b, other_name) &&
           prfdata_text_equal(prfdata_text_part(a, 0, name->begin),
                              prfdata_text_part(b, 0, other_name->begin)) &&
           prfdata_text_equal(prfdata_text_part(a, name->end, a.count),
                              prfdata_text_part(b, other_name->end, b.count));
}

static uint32_t neighbour_line(const prfdata_chart *chart, uint32_t position, double direction)
{
    const prfdata_chart_series *series = chart->series[position];
    uint32_t found = PRFDATA_CHART_SERIES;
    double least_distance = 100;
    prfdata_bands_name name;
    prfdata_bands_name other;

    if (chart->hides_bands || series->is_hidden || !prfdata_bands_parse(series->path, &name))
        return PRFDATA_CHART_SERIES;
    for (uint32_t i = 0; i < chart->series_count; i++) {
        double distance;

        if (chart->series[i]->is_hidden || !belongs_with(series, &name, chart->series[i], &other))
            continue;
        distance = (other.percentile - name.percentile) * direction;
        if (distance <= 0 || distance >= least_distance)
            continue;
        found = i;
        least_distance = distance;
    }
    return found;
}

uint32_t prfdata_bands_lower(const prfdata_chart *chart, uint32_t position)
{
    return neighbour_line(chart, position, -1);
}

uint32_t prfdata_bands_upper(const prfdata_chart *chart, uint32_t position)
{
    return neighbour_line(chart, position, 1);
}

uint32_t prfdata_bands_first(const prfdata_chart *chart, uint32_t position)
{
    const prfdata_chart_series *series = chart->series[position];
    prfdata_bands_name name;
    prfdata_bands_name other;
    uint32_t found = position;
    double least;

    if (chart->hides_bands || !prfdata_bands_parse(series->path, &name))
        return position;
    least = name.percentile;
    for (uint32_t i = 0; i < chart->series_count; i++) {
        if (!belongs_with(series, &name, chart->series[i], &other) || other.percentile >= least)
            continue;
        found = i;
        least = other.percentile;
    }
    return found;
}

void prfdata_bands_find_filled(const prfdata_chart *chart, bool filled[PRFDATA_CHART_SERIES])
{
    uint32_t firsts[PRFDATA_CHART_SERIES]; /* first series of each distribution found so far */
    uint32_t first_count = 0;

    for (uint32_t i = 0; i < chart->series_count; i++) {
        const prfdata_chart_series *series = chart->series[i];
        uint32_t before = 0; /* number of other distributions in the pane so far */
        uint32_t first;
        bool is_known = false;

        filled[i] = false;
        if (prfdata_bands_lower(chart, i) == PRFDATA_CHART_SERIES)
            continue;
        first = prfdata_bands_first(chart, i);
        for (uint32_t k = 0; k < first_count && !is_known; k++) {
            const prfdata_chart_series *other = chart->series[firsts[k]];

            is_known = firsts[k] == first;
            before += !is_known && other->unit == series->unit && other->stack == series->stack;
        }
        if (!is_known)
            firsts[first_count++] = first;
        filled[i] = before < MOST_FILLED;
    }
}

uint32_t prfdata_bands_strength(const prfdata_chart *chart, uint32_t position)
{
    uint32_t strength = 50;
    uint32_t lower = prfdata_bands_lower(chart, position);

    while (lower != PRFDATA_CHART_SERIES && strength > 10) {
        strength = strength * 2 / 3;
        lower = prfdata_bands_lower(chart, lower);
    }
    return strength;
}

static bool has_both(const prfdata_chart *chart, uint32_t upper, uint32_t lower, uint32_t at)
{
    return !prfdata_scale_is_missing(chart->series[upper]->values[at]) &&
           !prfdata_scale_is_missing(chart->series[lower]->values[at]);
}

/* Return the edge of the band at a sample. The larger value is on top, whatever the lines' names
 * say, because the lines may cross. */
static prfdata_bands_edge edge_at(const prfdata_chart *chart, const prfdata_chart_layout *layout,
                                  const prfdata_chart_pane *pane, const uint32_t lines[2],
                                  uint32_t at)
{
    const int32_t a = prfdata_chart_layout_y(pane, chart->series[lines[0]]->values[at]);
    const int32_t b = prfdata_chart_layout_y(pane, chart->series[lines[1]]->values[at]);

    return (prfdata_bands_edge){prfdata_chart_layout_x(layout, chart->times_ms[at]), a < b ? a : b,
                                a < b ? b : a, false};
}

size_t prfdata_bands_outline(const prfdata_chart *chart, const prfdata_chart_layout *layout,
                             uint32_t upper, uint32_t lower, prfdata_bands_edge *edges,
                             size_t capacity)
{
    const uint32_t pane = prfdata_chart_layout_pane(layout, chart->series[upper]);
    const uint32_t lines[2] = {upper, lower};
    bool begins = true;
    size_t count = 0;
    uint32_t before = 0; /* position of the last sample in which both lines have values */
    uint32_t first;
    uint32_t end;

    if (pane == PRFDATA_CHART_PANES)
        return 0;
    end = prfdata_chart_range(chart, &first) + first;
    for (uint32_t i = first; i < end; i++) {
        prfdata_bands_edge edge;

        if (!has_both(chart, upper, lower, i)) {
            begins = begins || !prfdata_scale_is_skipped(chart->series[upper]->values[i]) ||
                     prfdata_scale_is_supposed(chart->series[upper]->values[i]);
            continue;
        }
        begins = begins ||
                 prfdata_chart_is_apart(i - before, chart->times_ms[i] - chart->times_ms[before]);
        before = i;
        edge = edge_at(chart, layout, &layout->panes[pane], lines, i);
        /* Ignore `begins`, because a gap of less than a pixel is invisible. */
        if (count > 0 && edges[count - 1].x == edge.x) {
            prfdata_bands_edge *same = &edges[count - 1];

            same->upper_y = edge.upper_y < same->upper_y ? edge.upper_y : same->upper_y;
            same->lower_y = edge.lower_y > same->lower_y ? edge.lower_y : same->lower_y;
            begins = false;
            continue;
        }
        if (count == capacity)
            return count;
        edge.begins = begins;
        edges[count++] = edge;
        begins = false;
    }
    return count;
}
