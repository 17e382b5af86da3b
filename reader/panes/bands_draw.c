/* SPDX-License-Identifier: MIT */
/*
 * Draws percentiles of one distribution as bands with GDI. All bands of a distribution have one
 * colour, and outer bands are paler. Bands are translucent, because several distributions may
 * overlap. view/bands.c decides which lines belong together.
 */
#include "panes/bands_draw.h"

#include <wchar.h>

#include "os/late_call.h"
#include "panes/strings.h"
#include "view/bands.h"

#define MOST_EDGES 8192

/* One pixel, which AlphaBlend stretches over an area. */
typedef struct band_ink {
    HDC dc;
    HBITMAP pixel;
    HGDIOBJ before;
} band_ink;

static void make_band_ink(band_ink *ink, HDC dc)
{
    ink->dc = CreateCompatibleDC(dc);
    ink->pixel = CreateCompatibleBitmap(dc, 1, 1);
    ink->before = SelectObject(ink->dc, ink->pixel);
}

static void free_band_ink(const band_ink *ink)
{
    SelectObject(ink->dc, ink->before);
    DeleteObject(ink->pixel);
    DeleteDC(ink->dc);
}

/* Fill a part of a band. The part has no gaps. Its outline goes along the upper line, and back
 * along the lower line. */
static void fill_band_part(HDC dc, const prfdata_bands_edge *edges, size_t count,
                           const band_ink *ink, uint32_t percent)
{
    static POINT corners[2 * MOST_EDGES];
    const BLENDFUNCTION blend = {AC_SRC_OVER, 0, (BYTE)(percent * 255 / 100), 0};
    HRGN region;
    RECT area;
    int saved;

    for (size_t i = 0; i < count; i++) {
        corners[i] = (POINT){edges[i].x, edges[i].upper_y};
        corners[2 * count - 1 - i] = (POINT){edges[i].x, edges[i].lower_y};
    }
    region = count > 1 ? CreatePolygonRgn(corners, (int)(2 * count), WINDING) : NULL;
    if (!region)
        return;
    GetRgnBox(region, &area);
    saved = SaveDC(dc);
    ExtSelectClipRgn(dc, region, RGN_AND);
    (void)prfdata_late_call_alpha_blend(dc, &area, ink->dc, 1, 1, blend);
    RestoreDC(dc, saved);
    DeleteObject(region);
}

static void fill_band(const prfdata_chart *chart, const prfdata_theme *theme, HDC dc,
                      const prfdata_chart_layout *layout, const band_ink *ink,
                      const uint32_t lines[2])
{
    static prfdata_bands_edge edges[MOST_EDGES];
    const size_t count =
        prfdata_bands_outline(chart, layout, lines[0], lines[1], edges, MOST_EDGES);
    const uint32_t colour = prfdata_bands_draw_colour(chart, lines[0]);
    size_t begin = 0;

    SetPixel(ink->dc, 0, 0, theme->lines[colour % PRFDATA_THEME_LINES]);
    for (size_t i = 1; i <= count; i++) {
        if (i < count && !edges[i].begins)
            continue;
        fill_band_part(dc, edges + begin, i - begin, ink, prfdata_bands_strength(chart, lines[0]));
        begin = i;
    }
}

void prfdata_bands_draw_all(const prfdata_chart *chart, const prfdata_theme *theme, HDC dc,
                            const prfdata_chart_layout *layout)
{
    bool filled[PRFDATA_CHART_SERIES];
    band_ink ink;

    prfdata_bands_find_filled(chart, filled);
    make_band_ink(&ink, dc);
    for (uint32_t i = 0; i < chart->series_count; i++) {
        const uint32_t lines[2] = {i, prfdata_bands_lower(chart, i)};

        if (filled[i])
            fill_band(chart, theme, dc, layout, &ink, lines);
    }
    free_band_ink(&ink);
}

uint32_t prfdata_bands_draw_colour(const prfdata_chart *chart, uint32_t position)
{
    return chart->series[prfdata_bands_first(chart, position)]->colour;
}

void prfdata_bands_draw_name(const prfdata_chart *chart, uint32_t position, wchar_t *text,
                             size_t capacity)
{
    uint32_t upper = prfdata_bands_upper(chart, position);
    prfdata_bands_name name;
    wchar_t word[40];

    while (upper != PRFDATA_CHART_SERIES) {
        const prfdata_text path = chart->series[upper]->path;
        const size_t used = wcslen(text);

        if (used + 42 >= capacity || !prfdata_bands_parse(path, &name))
            return;
        prfdata_strings_text(prfdata_text_part(path, name.begin, name.end), word, 40);
        swprintf(text + used, capacity - used, L", %ls", word);
        upper = prfdata_bands_upper(chart, upper);
    }
}
