/* SPDX-License-Identifier: MIT */
/*
 * Draws percentiles of one distribution as bands with GDI: one colour, the fainter the farther out.
 * Which lines belong together is in view/bands.c. Knows Windows.
 */
#include "prfview/app.h"

#include <wchar.h>

#include "view/bands.h"

#define MOST_EDGES 8192

static COLORREF blend_colours(COLORREF over, COLORREF under, uint32_t percent)
{
    const uint32_t rest = 100 - percent;

    return RGB((GetRValue(over) * percent + GetRValue(under) * rest) / 100,
               (GetGValue(over) * percent + GetGValue(under) * rest) / 100,
               (GetBValue(over) * percent + GetBValue(under) * rest) / 100);
}

/* Fill between edges that no gap interrupts: along the upper line, and back along the lower one. */
static void fill_band_part(HDC dc, const prfdata_bands_edge *edges, size_t count)
{
    static POINT corners[2 * MOST_EDGES];

    for (size_t i = 0; i < count; i++) {
        corners[i] = (POINT){edges[i].x, edges[i].upper_y};
        corners[2 * count - 1 - i] = (POINT){edges[i].x, edges[i].lower_y};
    }
    if (count > 1)
        Polygon(dc, corners, (int)(2 * count));
}

static void fill_band(const prfdata_app *app, HDC dc, const prfdata_chart_layout *layout,
                      uint32_t upper, uint32_t lower)
{
    static prfdata_bands_edge edges[MOST_EDGES];
    const size_t count =
        prfdata_bands_outline(&app->chart, layout, upper, lower, edges, MOST_EDGES);
    const uint32_t colour = prfdata_bands_draw_colour(app, upper);
    size_t begin = 0;

    SetDCBrushColor(dc, blend_colours(app->theme.lines[colour % PRFDATA_THEME_LINES],
                                      app->theme.back, prfdata_bands_strength(&app->chart, upper)));
    for (size_t i = 1; i <= count; i++) {
        if (i < count && !edges[i].begins)
            continue;
        fill_band_part(dc, edges + begin, i - begin);
        begin = i;
    }
}

void prfdata_bands_draw_all(const prfdata_app *app, HDC dc, const prfdata_chart_layout *layout)
{
    HGDIOBJ brush = SelectObject(dc, GetStockObject(DC_BRUSH));
    HGDIOBJ pen = SelectObject(dc, GetStockObject(NULL_PEN));

    for (uint32_t i = 0; i < app->chart.series_count; i++) {
        const uint32_t lower = prfdata_bands_lower(&app->chart, i);

        if (lower != PRFDATA_CHART_SERIES)
            fill_band(app, dc, layout, i, lower);
    }
    SelectObject(dc, pen);
    SelectObject(dc, brush);
}

uint32_t prfdata_bands_draw_colour(const prfdata_app *app, uint32_t position)
{
    return app->chart.series[prfdata_bands_first(&app->chart, position)]->colour;
}

void prfdata_bands_draw_name(const prfdata_app *app, uint32_t position, wchar_t *text,
                             size_t capacity)
{
    uint32_t upper = prfdata_bands_upper(&app->chart, position);
    prfdata_bands_name name;
    wchar_t word[40];

    while (upper != PRFDATA_CHART_SERIES) {
        const prfdata_text path = app->chart.series[upper]->path;
        const size_t used = wcslen(text);

        if (used + 42 >= capacity || !prfdata_bands_parse(path, &name))
            return;
        prfdata_strings_text(prfdata_text_part(path, name.begin, name.end), word, 40);
        swprintf(text + used, capacity - used, L", %ls", word);
        upper = prfdata_bands_upper(&app->chart, upper);
    }
}
