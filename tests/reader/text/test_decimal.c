/* SPDX-License-Identifier: MIT */
/* Tests that decimal numbers are written with the same bytes as printf writes. */
#include "support/test.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/sampled.h"
#include "text/decimal.h"
#include "text/output.h"

enum { RANDOM_NUMBERS = 2000000, MOST_DECIMALS = 6 };

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static double power_of_ten(int exponent)
{
    double power = 1;

    for (; exponent > 0; exponent--)
        power *= 10;
    for (; exponent < 0; exponent++)
        power /= 10;
    return power;
}

/* Return a number that a counter may have, or one that is hard to round. */
static double random_number(uint64_t *state, uint32_t kind)
{
    const uint64_t bits = next_random(state);
    const double fraction = (double)(bits >> 11) * 0x1p-53;
    const int exponent = (int)(next_random(state) % 22) - 5;
    uint64_t power;
    double number;
    char text[64];

    switch (kind % 10) {
    case 0: /* any bits */
        memcpy(&number, &bits, sizeof number);
        return number;
    case 1: /* ticks converted to seconds */
        return (double)(bits >> (exponent + 6)) / 1e7;
    case 2:
        return fraction * power_of_ten(exponent);
    case 3: /* counts divided by time */
        return (double)(bits >> 20) / (double)(1 + (next_random(state) >> 40));
    case 4: /* powers of two and their neighbours */
        power = (1003 + bits % 80) << 52;
        power += bits >> 8 & 3;
        power -= 1;
        memcpy(&number, &power, sizeof number);
        return number;
    case 5: /* often close to the middle between two numbers with six decimals */
        return (double)(bits % 100000) / 64000000 * (double)(1u << bits % 20);
    case 6: /* few digits */
        (void)snprintf(text, sizeof text, "%.*g", (int)(1 + bits % 17),
                       fraction * power_of_ten(exponent));
        return strtod(text, NULL);
    case 7: /* counts divided by the time of a sample: 977 numbers, which come again and again */
        return (double)(bits % 977) * 10000000 / 10007293;
    case 8: /* a little larger or smaller than numbers of case 5 */
        return (double)(bits % 100000) / 64000000 + ((double)(bits >> 60) - 8) * 0x1p-49;
    default:
        return -(double)(bits >> 20) / 1000;
    }
}

static void fewest_digits_of_printf(double number, char *text, size_t size)
{
    for (int digits = 15; digits <= 17; digits++) {
        (void)snprintf(text, size, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
}

static bool is_same_text(const char *wanted, const char *made, size_t made_bytes)
{
    return strlen(wanted) == made_bytes && memcmp(wanted, made, made_bytes) == 0;
}

/* Returns whether printf rounds exact middles up instead of to even. The UCRT did so until Windows
 * 10 2004 ("printf", learn.microsoft.com), and Wine's ucrtbase.dll does. With such a printf, the
 * texts of decimal.c need only be close to those of printf (is_as_short() and is_next_to()). */
static bool rounds_up(void)
{
    char half[8];

    (void)snprintf(half, sizeof half, "%.0f", 0.5);
    return strcmp(half, "0") != 0;
}

static bool is_as_short(const char *wanted, char *made, size_t made_bytes, double number)
{
    made[made_bytes] = 0;
    return strlen(wanted) == made_bytes && strtod(made, NULL) == number;
}

/* Whether a number is put for the first time or again, it has the same text. */
static void check_again(double number, const char *made, size_t made_bytes)
{
    static prfdata_decimal_texts texts;
    char again[PRFDATA_DECIMAL_BYTES];

    for (unsigned i = 0; i < 2; i++) {
        const size_t size = prfdata_decimal_put_again(&texts, again, number);

        if (size != made_bytes || memcmp(again, made, size) != 0)
            fail_msg("%a is %.*s, not %.*s", number, (int)made_bytes, made, (int)size, again);
    }
}

static void check_shortest(double number)
{
    char made[PRFDATA_DECIMAL_BYTES + 1];
    char wanted[64];
    const size_t size = prfdata_decimal_put_shortest(made, number);

    check_again(number, made, size);
    if (size == 0)
        return;
    fewest_digits_of_printf(number, wanted, sizeof wanted);
    if (rounds_up() && is_as_short(wanted, made, size, number))
        return;
    if (!is_same_text(wanted, made, size))
        fail_msg("%a is %s, not %.*s", number, wanted, (int)size, made);
}

/* Returns whether the last digits differ by one at most. */
static bool is_next_to(const char *wanted, char *made, size_t made_bytes, unsigned decimals)
{
    const double wanted_number = strtod(wanted, NULL);
    double apart;

    made[made_bytes] = 0;
    apart = strtod(made, NULL) - wanted_number;
    return (apart < 0 ? -apart : apart) * power_of_ten((int)decimals) <=
           2; /* 1 for the last digit, and 1 because the subtraction is not exact */
}

static void check_fixed(double number, unsigned decimals)
{
    char made[PRFDATA_DECIMAL_BYTES + 1];
    char wanted[64];
    const size_t size = prfdata_decimal_put_fixed(made, number, decimals);

    if (size == 0)
        return;
    (void)snprintf(wanted, sizeof wanted, "%.*f", (int)decimals, number);
    if (rounds_up() && is_next_to(wanted, made, size, decimals))
        return;
    if (!is_same_text(wanted, made, size))
        fail_msg("%a with %u decimals is %s, not %.*s", number, decimals, wanted, (int)size, made);
}

static void test_decimal_doubles_have_the_bytes_of_printf(void **state)
{
    static const double edges[] = {0,         -0.0,   0.5,
                                   1.5,       2.5,    0.0000005,
                                   0.0000015, 0.0001, 0.00009999999999999999,
                                   1e13,      1e14,   9999999999999.998,
                                   1e15,      5e-324, 999999999999999.9,
                                   0.1,       1e16,   123456.0000005};
    uint64_t random = 88172645463325252u;

    (void)state;
    for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++) {
        check_shortest(edges[i]);
        for (unsigned decimals = 0; decimals <= MOST_DECIMALS; decimals++)
            check_fixed(edges[i], decimals);
    }
    for (uint32_t i = 0; i < RANDOM_NUMBERS / sampled_one_of(); i++) {
        const double number = random_number(&random, i);

        check_shortest(number);
        check_fixed(number, i / 10 % (MOST_DECIMALS + 1));
    }
}

/* Comparing the output is not enough, because it would be the same if decimal.c left all numbers to
 * printf. */
static void test_decimal_usual_doubles_need_no_printf(void **state)
{
    char text[PRFDATA_DECIMAL_BYTES];

    (void)state;
    double number = 0.0001;

    for (int i = 0; i < 124; i++) { /* to 10^13 */
        assert_int_not_equal(prfdata_decimal_put_shortest(text, number), 0);
        assert_int_not_equal(prfdata_decimal_put_shortest(text, -number), 0);
        assert_int_not_equal(prfdata_decimal_put_fixed(text, number, 6), 0);
        assert_int_not_equal(prfdata_decimal_put_fixed(text, number / 1e20, 6), 0);
        number *= 1.37;
    }
    assert_int_not_equal(prfdata_decimal_put_shortest(text, 0), 0);
    assert_int_not_equal(prfdata_decimal_put_fixed(text, 0, 6), 0);
}

static void check_whole(uint64_t number)
{
    char made[PRFDATA_DECIMAL_BYTES];
    char wanted[32];
    size_t size = prfdata_decimal_put_unsigned(made, number);

    (void)snprintf(wanted, sizeof wanted, "%" PRIu64, number);
    assert_true(is_same_text(wanted, made, size));
    size = prfdata_decimal_put_signed(made, (int64_t)number);
    (void)snprintf(wanted, sizeof wanted, "%" PRId64, (int64_t)number);
    assert_true(is_same_text(wanted, made, size));
}

static void test_decimal_whole_numbers_have_all_lengths_and_signs(void **state)
{
    uint64_t power = 1;

    (void)state;
    check_whole(0);
    check_whole(UINT64_MAX);
    check_whole((uint64_t)INT64_MAX + 1);
    for (unsigned digits = 1; digits <= 20; digits++, power *= 10) {
        check_whole(power - 1);
        check_whole(power);
        check_whole(power + 1);
        check_whole(0 - power);
        check_whole(power * 7 + power / 3);
    }
}

static void check_output(void (*put)(prfdata_output *output, double number), double number,
                         const char *wanted)
{
    prfdata_output output;

    prfdata_output_init(&output);
    put(&output, number);
    assert_false(output.failed);
    assert_int_equal(output.used, strlen(wanted));
    assert_memory_equal(output.bytes, wanted, output.used);
    prfdata_output_free(&output);
}

static void put_six_decimals(prfdata_output *output, double number)
{
    prfdata_output_put_fixed(output, number, 6);
}

static void test_decimal_rare_doubles_are_put_by_printf(void **state)
{
    (void)state;
    check_output(prfdata_output_put_double, 1e20, "1e+20");
    check_output(prfdata_output_put_double, 0.1, "0.1");
    check_output(prfdata_output_put_double, 2.5e17, "2.5e+17");
    check_output(put_six_decimals, 1e20, "100000000000000000000.000000");
    check_output(put_six_decimals, -0.25, "-0.250000");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decimal_doubles_have_the_bytes_of_printf),
        cmocka_unit_test(test_decimal_usual_doubles_need_no_printf),
        cmocka_unit_test(test_decimal_whole_numbers_have_all_lengths_and_signs),
        cmocka_unit_test(test_decimal_rare_doubles_are_put_by_printf),
    };

    return cmocka_run_group_tests_name("decimal", tests, NULL, NULL);
}
