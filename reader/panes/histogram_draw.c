/* SPDX-License-Identifier: MIT */
/* Draws the histogram of a line with GDI into any device context. */
#include "panes/chart_draw.h"

#include <stdio.h>

#include "panes/bands_draw.h"
#include "panes/strings.h"
#include "view/histogram.h"

static int32_t bar_width(const prfdata_histogram *histogram, const RECT *bars)
{
    return (bars->right - bars->left) /
           (int32_t)(histogram->bin_count > 0 ? histogram->bin_count : 1);
}

static void draw_bar(const prfdata_plot *plot, HDC dc, const prfdata_histogram *histogram,
                     uint32_t bin, const RECT *bars)
{
    const int32_t width = bar_width(histogram, bars);
    const int32_t height = bars->bottom - bars->top - plot->theme->text_height;
    RECT bar = *bars;
    wchar_t text[PRFDATA_STRINGS_COUNT];

    bar.left = bars->left + (int32_t)bin * width + 1;
    bar.right = bar.left + width - 1;
    bar.top = bars->bottom - MulDiv((int)histogram->bins[bin], height, (int)histogram->most);
    if (histogram->bins[bin] == 0)
        return;
    prfdata_theme_fill(dc, &bar, GetDCPenColor(dc));
    prfdata_strings_count(*plot->style, histogram->bins[bin], text);
    SetBkMode(dc, TRANSPARENT);
    SetTextColor(dc, plot->theme->faint);
    prfdata_chart_draw_text(dc, (bar.left + bar.right) / 2, bar.top - plot->theme->text_height,
                            text, TA_CENTER);
}

static void draw_bin_borders(const prfdata_plot *plot, HDC dc, const prfdata_histogram *histogram,
                             const prfdata_chart_series *series, const RECT *bars)
{
    const int32_t width = bar_width(histogram, bars);
    const int32_t every = plot->theme->text_height * 6 / (width > 0 ? width : 1) + 1;

    SetTextColor(dc, plot->theme->faint);
    for (uint32_t i = 0; i <= histogram->bin_count; i += (uint32_t)every) {
        uint16_t chars[PRFDATA_NUMBER_CHARS];
        wchar_t text[PRFDATA_NUMBER_CHARS + 1];
        const double border = histogram->low + i * histogram->step;
        const size_t count =
            prfdata_number_is_hex(series->type)
                ? prfdata_number_hex_tick(border, chars)
                : prfdata_number_tick(border, histogram->step, series->unit, *plot->style, chars);

        prfdata_chart_draw_text(
            dc, bars->left + (int32_t)i * width, bars->bottom + plot->theme->text_height / 4,
            prfdata_strings_text((prfdata_text){chars, count}, text, PRFDATA_NUMBER_CHARS + 1),
            TA_CENTER);
    }
}

static uint32_t chosen_line(const prfdata_chart *chart)
{
    uint32_t at = 0;

    while (at < chart->series_count && !chart->series[at]->is_wide)
        at++;
    return at < chart->series_count ? at : 0;
}

void prfdata_histogram_draw_all(const prfdata_plot *plot, HDC dc, const RECT *area)
{
    const uint32_t at = chosen_line(&plot->viewer->chart);
    prfdata_histogram histogram;
    RECT bars = *area;
    wchar_t text[PRFDATA_STRINGS_CHARS];
    wchar_t path[300];
    wchar_t count[PRFDATA_STRINGS_COUNT];

    if (plot->viewer->chart.series_count == 0) {
        prfdata_chart_draw_empty(plot, dc, area, IDS_HISTOGRAM_EMPTY);
        return;
    }
    prfdata_histogram_make(&plot->viewer->chart, at, &histogram);
    prfdata_strings_count(*plot->style, histogram.count, count);
    SetTextColor(dc, plot->theme->text);
    prfdata_chart_draw_text(
        dc, plot->theme->text_height * 2, plot->theme->text_height / 2,
        prfdata_strings_format(
            text, histogram.count == 1 ? IDS_HISTOGRAM_ONE : IDS_HISTOGRAM_TITLE,
            prfdata_strings_text(plot->viewer->chart.series[at]->path, path, 300), count, NULL),
        TA_LEFT);
    if (histogram.count == 0 || histogram.bin_count == 0 || histogram.most == 0)
        return;
    InflateRect(&bars, -plot->theme->text_height * 3, -plot->theme->text_height * 2);
    SetDCPenColor(dc, plot->theme->lines[prfdata_bands_draw_colour(&plot->viewer->chart, at) %
                                         PRFDATA_THEME_LINES]);
    for (uint32_t i = 0; i < histogram.bin_count; i++)
        draw_bar(plot, dc, &histogram, i, &bars);
    draw_bin_borders(plot, dc, &histogram, plot->viewer->chart.series[at], &bars);
}
