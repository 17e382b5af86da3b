/* SPDX-License-Identifier: MIT */
/* Measures the cost of painting the lines of a chart: paint-cost
 *
 * It paints 64 lines of 600 samples in a pane of 860 by 300 pixels. In the first chart, the
 * counters move slowly. In the second chart, they jump between 0 and 100. Each chart is painted
 * in two ways: with GDI's lines, which have no smooth edges, and with view/stroke.c, which prfview
 * uses. For each chart and way, the program prints the mean processor time in milliseconds. */
#include <windows.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <prfdata/error.h>

#include "view/stroke.h"

enum { WIDTH = 860, HEIGHT = 300, LINES = 64, SAMPLES = 600, LEAST_MS = 1000, MOST_POINTS = 16384 };

static prfdata_chart chart;
static prfdata_chart_layout layout;
static prfdata_chart_point points[MOST_POINTS];

static uint32_t noise; /* the last random number; each run has the same sequence */

static uint32_t noise_below(uint32_t limit)
{
    noise = noise * 1664525u + 1013904223u;
    return (noise >> 8) % limit;
}

/* Return the value of a counter that moves slowly, or of one that jumps between 0 and 100. */
static double sample_value(uint32_t line, uint32_t at, int is_wild)
{
    if (is_wild)
        return noise_below(101);
    return 50 + 40 * sin((double)at / 40 + line) + noise_below(5);
}

static int make_chart(int is_wild)
{
    const prfdata_chart_size size = {WIDTH, HEIGHT, 13, 60, 70, 0};

    prfdata_chart_init(&chart);
    noise = 1;
    for (uint32_t i = 0; i < LINES; i++) {
        const prfdata_chart_key key = {2, 4 + 2 * i, {NULL, 0}};
        uint32_t at;

        if (prfdata_chart_add(&chart, &key, (prfdata_text){NULL, 0}, PRFDATA_NUMBER_PERCENT, 0,
                              &at) != ERROR_SUCCESS)
            return 0;
    }
    for (uint32_t k = 0; k < SAMPLES; k++) {
        if (prfdata_chart_add_time(&chart, (int64_t)(k + 1) * 200) != ERROR_SUCCESS)
            return 0;
        for (uint32_t i = 0; i < LINES; i++)
            chart.series[i]->values[k] = sample_value(i, k, is_wild);
    }
    prfdata_chart_layout_make(&chart, &size, &layout);
    return 1;
}

static void paint_by_gdi(HDC dc)
{
    static POINT corners[MOST_POINTS];

    for (uint32_t i = 0; i < LINES; i++) {
        const LOGBRUSH brush = {BS_SOLID, RGB(i * 3, 95, 184), 0};
        HPEN pen = ExtCreatePen(PS_GEOMETRIC | PS_SOLID, 2, &brush, 0, NULL);
        HGDIOBJ before = SelectObject(dc, pen);
        const size_t count = prfdata_chart_layout_line(&chart, &layout, i, points, MOST_POINTS);

        for (size_t k = 0; k < count; k++)
            corners[k] = (POINT){points[k].x, points[k].y};
        Polyline(dc, corners, (int)count);
        SelectObject(dc, before);
        DeleteObject(pen);
    }
    GdiFlush();
}

static void paint_by_stroke(uint32_t *pixels)
{
    const prfdata_stroke_image image = {pixels, WIDTH, HEIGHT};
    const prfdata_stroke_area area = {0, 0, WIDTH, HEIGHT};
    prfdata_stroke stroke;

    if (!prfdata_stroke_begin(&stroke, &image, &area))
        return;
    for (uint32_t i = 0; i < LINES; i++) {
        const prfdata_stroke_pen pen = {i * 3 << 16 | 95u << 8 | 184u, 2, PRFDATA_STROKE_SOLID};
        const size_t count = prfdata_chart_layout_line(&chart, &layout, i, points, MOST_POINTS);

        prfdata_stroke_draw(&stroke, points, count, &pen);
    }
    prfdata_stroke_end(&stroke);
}

/* Return processor time in ms, because other programs may use the machine, too. */
static double spent_ms(void)
{
    FILETIME unused;
    FILETIME kernel;
    FILETIME user;

    if (!GetProcessTimes(GetCurrentProcess(), &unused, &unused, &kernel, &user))
        return 0;
    return ((double)kernel.dwLowDateTime + (double)user.dwLowDateTime) / 10000 +
           ((double)kernel.dwHighDateTime + (double)user.dwHighDateTime) * 429496.7296;
}

static double measure_paint(HDC dc, uint32_t *pixels, int is_smooth)
{
    const double from = spent_ms();
    int count = 0;

    do {
        if (is_smooth)
            paint_by_stroke(pixels);
        else
            paint_by_gdi(dc);
        count++;
    } while (spent_ms() - from < LEAST_MS);
    return (spent_ms() - from) / count;
}

int main(void)
{
    const BITMAPINFO info = {.bmiHeader = {.biSize = sizeof info.bmiHeader,
                                           .biWidth = WIDTH,
                                           .biHeight = -HEIGHT,
                                           .biPlanes = 1,
                                           .biBitCount = 32}};
    HDC dc = CreateCompatibleDC(NULL);
    void *pixels = NULL;
    HBITMAP bitmap = CreateDIBSection(dc, &info, DIB_RGB_COLORS, &pixels, NULL, 0);

    if (!bitmap)
        return 1;
    SelectObject(dc, bitmap);
    for (int is_wild = 0; is_wild < 2; is_wild++) {
        if (!make_chart(is_wild))
            return 1;
        printf("%d lines of %d %s samples: %.1f ms by GDI's lines, %.1f ms with smooth edges\n",
               LINES, SAMPLES, is_wild ? "wild" : "steady", measure_paint(dc, pixels, 0),
               measure_paint(dc, pixels, 1));
        prfdata_chart_free(&chart);
    }
    return 0;
}
