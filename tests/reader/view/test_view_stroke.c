/* SPDX-License-Identifier: MIT */
/* Tests lines with smooth edges. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "view/stroke.h"

enum { WIDTH = 40, HEIGHT = 30, WHITE = 0xFFFFFF, RED = 0xC00000 };

static const prfdata_stroke_area everything = {-100, -100, 1000, 1000};

/* Draw on white. The image is an allocation of exactly its size, so the sanitizer notices a byte
 * next to it. */
static uint32_t *draw_stroke(const prfdata_chart_point *points, size_t count,
                             const prfdata_stroke_pen *pen, const prfdata_stroke_area *area)
{
    const prfdata_stroke_image image = {malloc(WIDTH * HEIGHT * sizeof(uint32_t)), WIDTH, HEIGHT};
    prfdata_stroke stroke;

    assert_non_null(image.pixels);
    for (size_t i = 0; i < WIDTH * HEIGHT; i++)
        image.pixels[i] = WHITE;
    assert_true(prfdata_stroke_begin(&stroke, &image, area));
    prfdata_stroke_draw(&stroke, points, count, pen);
    for (size_t i = 0; i < (size_t)(stroke.area.right - stroke.area.left) *
                               (size_t)(stroke.area.bottom - stroke.area.top);
         i++)
        assert_int_equal(stroke.coverage[i], 0);
    prfdata_stroke_end(&stroke);
    return image.pixels;
}

static uint32_t pixel_at(const uint32_t *pixels, int x, int y)
{
    return pixels[y * WIDTH + x];
}

/* Returns whether each channel of the colours differs by at most 2 of 255, as rounding may do. */
static bool is_about(uint32_t colour, uint32_t expected)
{
    for (unsigned shift = 0; shift < 24; shift += 8) {
        if (abs((int)(colour >> shift & 0xFF) - (int)(expected >> shift & 0xFF)) > 2)
            return false;
    }
    return colour <= WHITE;
}

static size_t pixels_that_are(const uint32_t *pixels, uint32_t colour)
{
    size_t count = 0;

    for (size_t i = 0; i < WIDTH * HEIGHT; i++)
        count += pixels[i] == colour;
    return count;
}

static void test_stroke_of_two_pixels_covers_one_and_two_halves(void **state)
{
    static const prfdata_chart_point points[] = {{5, 10, true, false}, {30, 10, false, false}};
    static const prfdata_stroke_pen pen = {RED, 2, PRFDATA_STROKE_SOLID};
    uint32_t *pixels = draw_stroke(points, 2, &pen, &everything);

    (void)state;
    for (int x = 5; x <= 30; x++) {
        assert_int_equal(pixel_at(pixels, x, 10), RED);
        assert_true(is_about(pixel_at(pixels, x, 9), 0xE08080));
        assert_true(is_about(pixel_at(pixels, x, 11), 0xE08080));
        assert_int_equal(pixel_at(pixels, x, 8), WHITE);
        assert_int_equal(pixel_at(pixels, x, 12), WHITE);
    }
    assert_int_equal(pixel_at(pixels, 3, 10), WHITE);
    assert_int_equal(pixel_at(pixels, 32, 10), WHITE);
    free(pixels);
}

/* A line that is drawn backwards covers the same area. If x and y of its points are swapped, x and
 * y of the area are swapped, too. */
static void test_stroke_is_the_same_in_all_directions(void **state)
{
    static const prfdata_stroke_pen pen = {RED, 3, PRFDATA_STROKE_SOLID};

    (void)state;
    for (int run = 0; run <= 20; run++) {
        const prfdata_chart_point there[] = {{4, 4, true, false}, {4 + run, 24, false, false}};
        const prfdata_chart_point back[] = {{4 + run, 24, true, false}, {4, 4, false, false}};
        const prfdata_chart_point other[] = {{4, 4, true, false}, {24, 4 + run, false, false}};
        uint32_t *a = draw_stroke(there, 2, &pen, &everything);
        uint32_t *b = draw_stroke(back, 2, &pen, &everything);
        uint32_t *c = draw_stroke(other, 2, &pen, &everything);

        for (int y = 0; y < HEIGHT; y++) {
            for (int x = 0; x < HEIGHT; x++) {
                assert_true(is_about(pixel_at(a, x, y), pixel_at(b, x, y)));
                assert_true(is_about(pixel_at(a, x, y), pixel_at(c, y, x)));
            }
        }
        free(a);
        free(b);
        free(c);
    }
}

/* A line of several parts is not darker where the parts overlap. */
static void test_stroke_covers_nothing_twice(void **state)
{
    static const prfdata_chart_point whole[] = {{3, 3, true, false}, {33, 18, false, false}};
    static const prfdata_chart_point parts[] = {{3, 3, true, false},
                                                {9, 6, false, false},
                                                {15, 9, false, false},
                                                {31, 17, false, false},
                                                {33, 18, false, false}};
    static const prfdata_stroke_pen pen = {RED, 2, PRFDATA_STROKE_SOLID};
    uint32_t *a = draw_stroke(whole, 2, &pen, &everything);
    uint32_t *b = draw_stroke(parts, 5, &pen, &everything);

    (void)state;
    for (size_t i = 0; i < WIDTH * HEIGHT; i++)
        assert_true(is_about(a[i], b[i]));
    free(a);
    free(b);
}

static void test_stroke_leaves_gaps_and_draws_dots(void **state)
{
    static const prfdata_chart_point points[] = {{5, 5, true, false},
                                                 {10, 5, false, false},
                                                 {20, 5, true, false},
                                                 {30, 5, true, false},
                                                 {36, 5, false, false}};
    static const prfdata_stroke_pen pen = {RED, 2, PRFDATA_STROKE_SOLID};
    uint32_t *pixels = draw_stroke(points, 5, &pen, &everything);

    (void)state;
    assert_int_equal(pixel_at(pixels, 10, 5), RED);
    assert_int_equal(pixel_at(pixels, 15, 5), WHITE);
    assert_int_equal(pixel_at(pixels, 20, 5), RED);
    assert_int_equal(pixel_at(pixels, 21, 5), RED);
    assert_true(is_about(pixel_at(pixels, 22, 5), 0xE08080));
    assert_int_equal(pixel_at(pixels, 23, 5), WHITE);
    assert_int_equal(pixel_at(pixels, 25, 5), WHITE);
    assert_int_equal(pixel_at(pixels, 30, 5), RED);
    free(pixels);
}

static void test_stroke_stays_in_its_area(void **state)
{
    static const prfdata_chart_point points[] = {{-10000, 15, true, false},
                                                 {100000, 15, false, false},
                                                 {20, -50000, false, false},
                                                 {20, 90000, false, false}};
    static const prfdata_stroke_area area = {10, 8, 30, 22};

    (void)state;
    for (prfdata_stroke_dash dash = 0; dash < PRFDATA_STROKE_DASHES; dash++) {
        const prfdata_stroke_pen pen = {RED, 4, dash};
        uint32_t *pixels = draw_stroke(points, 4, &pen, &area);

        for (int y = 0; y < HEIGHT; y++) {
            for (int x = 0; x < WIDTH; x++) {
                if (x < area.left || x >= area.right || y < area.top || y >= area.bottom)
                    assert_int_equal(pixel_at(pixels, x, y), WHITE);
            }
        }
        assert_true(dash != PRFDATA_STROKE_SOLID || pixel_at(pixels, 10, 15) == RED);
        assert_true(dash != PRFDATA_STROKE_SOLID || pixel_at(pixels, 20, 21) == RED);
        free(pixels);
    }
}

static void test_stroke_needs_something_to_draw_on(void **state)
{
    static const prfdata_stroke_area beside = {50, 0, 60, 10};
    uint32_t pixel = WHITE;
    const prfdata_stroke_image image = {&pixel, 1, 1};
    prfdata_stroke stroke;

    (void)state;
    assert_false(prfdata_stroke_begin(&stroke, &image, &beside));
    prfdata_stroke_end(&stroke);
}

/* Dashes continue from one part of a line to the next, and cover about half of the line. */
static void test_stroke_of_dashes_has_holes(void **state)
{
    static const prfdata_chart_point points[] = {{2, 15, true, false},
                                                 {9, 15, false, false},
                                                 {17, 15, false, false},
                                                 {38, 15, false, false}};
    static const prfdata_chart_point whole[] = {{2, 15, true, false}, {38, 15, false, false}};
    static const prfdata_stroke_pen pen = {RED, 2, PRFDATA_STROKE_DASHED};
    uint32_t *a = draw_stroke(points, 4, &pen, &everything);
    uint32_t *b = draw_stroke(whole, 2, &pen, &everything);

    (void)state;
    assert_memory_equal(a, b, WIDTH * HEIGHT * sizeof *a);
    assert_int_equal(pixel_at(a, 2, 15), RED);
    assert_int_equal(pixel_at(a, 10, 15), RED);
    assert_int_equal(pixel_at(a, 14, 15), WHITE);
    assert_int_equal(pixel_at(a, 18, 15), RED);
    assert_in_range(pixels_that_are(a, RED), 15, 28);
    free(a);
    free(b);
}

/* Lines that must share a colour have different dashes. With high contrast, neighbouring lines have
 * different dashes, too. */
static void test_stroke_dashes_tell_lines_of_one_colour_apart(void **state)
{
    static const prfdata_chart_point points[] = {{2, 15, true, false}, {38, 15, false, false}};
    uint32_t *pixels[PRFDATA_STROKE_DASHES];

    (void)state;
    for (uint32_t i = 0; i < PRFDATA_STROKE_DASHES; i++) {
        const prfdata_stroke_pen pen = {RED, 1.5, prfdata_stroke_dash_of(12 * i + 5, 12, false)};

        pixels[i] = draw_stroke(points, 2, &pen, &everything);
        for (uint32_t k = 0; k < i; k++)
            assert_memory_not_equal(pixels[i], pixels[k], WIDTH * HEIGHT * sizeof *pixels[i]);
    }
    for (uint32_t i = 0; i < PRFDATA_STROKE_DASHES; i++)
        free(pixels[i]);
    for (uint32_t i = 0; i < 12; i++)
        assert_int_equal(prfdata_stroke_dash_of(i, 12, false), PRFDATA_STROKE_SOLID);
    for (uint32_t i = 0; i + 12 < PRFDATA_CHART_SERIES; i++) {
        const prfdata_stroke_dash dash = prfdata_stroke_dash_of(i, 12, true);

        assert_int_not_equal(dash, prfdata_stroke_dash_of(i + 1, 12, true));
        assert_int_not_equal(dash, prfdata_stroke_dash_of(i + 12, 12, true));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stroke_of_two_pixels_covers_one_and_two_halves),
        cmocka_unit_test(test_stroke_is_the_same_in_all_directions),
        cmocka_unit_test(test_stroke_covers_nothing_twice),
        cmocka_unit_test(test_stroke_leaves_gaps_and_draws_dots),
        cmocka_unit_test(test_stroke_stays_in_its_area),
        cmocka_unit_test(test_stroke_needs_something_to_draw_on),
        cmocka_unit_test(test_stroke_of_dashes_has_holes),
        cmocka_unit_test(test_stroke_dashes_tell_lines_of_one_colour_apart),
    };

    return cmocka_run_group_tests_name("view_stroke", tests, NULL, NULL);
}
