/* SPDX-License-Identifier: MIT */
/*
 * Makes the decimal digits of numbers. A double is a 53-bit whole number times a power of two.
 * Multiplied by a power of ten, it is again a product of whole numbers. So its digits, the
 * remainder beyond them, and half of the distance to the next double are known exactly, as in
 * Steele and White's free-format algorithm. Powers of five up to 5^20 keep the product within 128
 * bits.
 */
#include "text/decimal.h"

#include <stdbool.h>
#include <string.h>

#define MOST_DIGITS      17 /* enough to distinguish every double from its neighbours */
#define SIGNIFICAND_BITS 52 /* number of stored bits */
#define EXPONENT_BIAS    1075
#define FIXED_LIMIT      1e13 /* below this, a number times 10^6 is below 2^64 */
#define SHORTEST_LEAST   0.0001
#define SHORTEST_LIMIT   1e15

/* ---- Whole numbers ---- */

static const char digit_pairs[] = "00010203040506070809"
                                  "10111213141516171819"
                                  "20212223242526272829"
                                  "30313233343536373839"
                                  "40414243444546474849"
                                  "50515253545556575859"
                                  "60616263646566676869"
                                  "70717273747576777879"
                                  "80818283848586878889"
                                  "90919293949596979899";

static const uint64_t powers_of_ten[] = {1,
                                         10,
                                         100,
                                         1000,
                                         10000,
                                         100000,
                                         1000000,
                                         10000000,
                                         100000000,
                                         1000000000,
                                         10000000000,
                                         100000000000,
                                         1000000000000,
                                         10000000000000,
                                         100000000000000,
                                         1000000000000000,
                                         10000000000000000,
                                         100000000000000000,
                                         1000000000000000000,
                                         10000000000000000000u};

enum { POWER_COUNT = sizeof powers_of_ten / sizeof powers_of_ten[0] };

static unsigned count_digits(uint64_t number)
{
    unsigned count = 1;

    for (; number >= 10000; number /= 10000)
        count += 4;
    return count + (number >= 10) + (number >= 100) + (number >= 1000);
}

/* Put `count` digits, with leading zeros if the number has fewer. */
static void put_last_digits(char *text, uint64_t number, unsigned count)
{
    while (count >= 2) {
        count -= 2;
        memcpy(text + count, &digit_pairs[number % 100 * 2], 2);
        number /= 100;
    }
    if (count > 0)
        text[0] = (char)('0' + number % 10);
}

size_t prfdata_decimal_put_unsigned(char *text, uint64_t number)
{
    const unsigned count = count_digits(number);

    put_last_digits(text, number, count);
    return count;
}

size_t prfdata_decimal_put_signed(char *text, int64_t number)
{
    if (number >= 0)
        return prfdata_decimal_put_unsigned(text, (uint64_t)number);
    text[0] = '-';
    return 1 + prfdata_decimal_put_unsigned(text + 1, 0 - (uint64_t)number);
}

/* ---- Doubles ---- */

/* The product of two whole numbers. */
typedef struct product {
    uint64_t high;
    uint64_t low;
} product;

/* Multiply the significand, which is below 2^53, by a factor. */
static product multiply(uint64_t significand, uint64_t factor)
{
    const uint64_t significand_low = (uint32_t)significand;
    const uint64_t significand_high = significand >> 32;
    const uint64_t low = significand_low * (uint32_t)factor;
    const uint64_t middle = significand_high * (uint32_t)factor + (low >> 32);
    const uint64_t other = significand_low * (factor >> 32) + (uint32_t)middle;

    return (product){significand_high * (factor >> 32) + (middle >> 32) + (other >> 32),
                     other << 32 | (uint32_t)low};
}

/* A number as its sign and significand times 2^exponent. */
typedef struct parts {
    uint64_t significand;
    int exponent;
    bool is_negative;
} parts;

static parts parts_of(double number)
{
    parts made;
    uint64_t bits;

    memcpy(&bits, &number, sizeof bits);
    made.is_negative = bits >> 63 != 0;
    made.exponent = (int)(bits >> SIGNIFICAND_BITS & 0x7FF);
    made.significand = bits & (((uint64_t)1 << SIGNIFICAND_BITS) - 1);
    if (made.exponent > 0)
        made.significand |= (uint64_t)1 << SIGNIFICAND_BITS;
    else
        made.exponent = 1;
    made.exponent -= EXPONENT_BIAS;
    return made;
}

/* A product shifted right, which is then below 2^64, and the bits that were shifted out. */
typedef struct quotient {
    uint64_t whole;
    product rest;
    product half; /* half of one unit of `whole` */
} quotient;

/*
 * Shift a product right.
 * shift  1 to 127.
 */
static quotient shift_right(product p, unsigned shift)
{
    const unsigned part = shift % 64;
    const uint64_t mask = ((uint64_t)1 << part) - 1;
    quotient q = {0};

    if (shift >= 64) {
        q.whole = p.high >> part;
        q.rest = (product){p.high & mask, p.low};
    } else {
        q.whole = p.high << (64 - part) | p.low >> part;
        q.rest = (product){0, p.low & mask};
    }
    if (shift > 64)
        q.half.high = (uint64_t)1 << (part - 1);
    else
        q.half.low = (uint64_t)1 << (shift - 1);
    return q;
}

static int compare_products(product a, product b)
{
    if (a.high != b.high)
        return a.high < b.high ? -1 : 1;
    return (a.low > b.low) - (a.low < b.low);
}

/* Round to the nearest whole number; if two are equally near, to the even one, as printf does. */
static uint64_t round_quotient(const quotient *q)
{
    const int order = compare_products(q->rest, q->half);

    return q->whole + (order > 0 || (order == 0 && (q->whole & 1) != 0));
}

size_t prfdata_decimal_put_fixed(char *text, double number, unsigned decimals)
{
    const uint64_t scale = powers_of_ten[decimals];
    const parts n = parts_of(number);
    uint64_t scaled = 0;
    size_t used = 0;

    if (!(number < FIXED_LIMIT && number > -FIXED_LIMIT))
        return 0;
    /* A smaller number is far less than half of the last digit, so it is 0. */
    if (n.exponent > -128 && n.exponent < 0) {
        const quotient q = shift_right(multiply(n.significand, scale), (unsigned)-n.exponent);

        scaled = round_quotient(&q);
    }
    if (n.is_negative)
        text[used++] = '-';
    used += prfdata_decimal_put_unsigned(text + used, scaled / scale);
    if (decimals > 0) {
        text[used++] = '.';
        put_last_digits(text + used, scaled % scale, decimals);
        used += decimals;
    }
    return used;
}

/* ---- The fewest digits ---- */

static const uint64_t powers_of_five[] = {1,
                                          5,
                                          25,
                                          125,
                                          625,
                                          3125,
                                          15625,
                                          78125,
                                          390625,
                                          1953125,
                                          9765625,
                                          48828125,
                                          244140625,
                                          1220703125,
                                          6103515625,
                                          30517578125,
                                          152587890625,
                                          762939453125,
                                          3814697265625,
                                          19073486328125,
                                          95367431640625};

/* A non-negative number times 10^decimals, as whole digits and a remainder. */
typedef struct scaled {
    uint64_t digits;   /* MOST_DIGITS digits, rounded down */
    uint64_t rest;     /* remainder beyond `digits`, in units of 2^-shift */
    unsigned shift;    /* from 1 to 46 */
    unsigned decimals; /* from 2 to 20 */
    uint64_t ulp;      /* distance to the next larger double, in the same units */
} scaled;

/* Return the exponent of the largest power of ten that is not above the number. The number is from
 * 0.0001 to below 10^15. */
static int exponent_of_ten(double number)
{
    static const double powers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6, 1e7,
                                    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14};
    int exponent = 0;

    if (number < 1)
        return number >= 0.1 ? -1 : number >= 0.01 ? -2 : number >= 0.001 ? -3 : -4;
    while (exponent < 14 && number >= powers[exponent + 1])
        exponent++;
    return exponent;
}

static scaled scale_to_digits(double number, const parts *n)
{
    const unsigned decimals = (unsigned)(MOST_DIGITS - 1 - exponent_of_ten(number));
    const product p = multiply(n->significand, powers_of_five[decimals]);
    const unsigned shift = (unsigned)-(n->exponent + (int)decimals);
    const quotient q = shift_right(p, shift);

    return (scaled){.digits = q.whole,
                    .rest = q.rest.low,
                    .shift = shift,
                    .decimals = decimals,
                    .ulp = powers_of_five[decimals]};
}

/* Round the digits to a multiple of `unit`: 1, 10 or 100. */
static uint64_t round_digits(const scaled *s, uint64_t unit)
{
    const uint64_t beyond = s->digits % unit;
    const uint64_t down = s->digits - beyond;
    const uint64_t rest = (beyond << s->shift) + s->rest;
    const uint64_t half = unit << (s->shift - 1);

    return rest > half || (rest == half && (down / unit & 1) != 0) ? down + unit : down;
}

/*
 * Returns whether rounded digits are nearer to the number than to its neighbouring doubles. They
 * are never exactly in the middle, because powers of five are odd. Below a power of two the next
 * smaller double is nearer than the next larger one. That does not matter, because a power of two
 * has at most 15 digits here.
 */
static bool reads_back(const scaled *s, uint64_t digits)
{
    const bool is_below = digits <= s->digits;
    const uint64_t whole = is_below ? s->digits - digits : digits - s->digits;
    uint64_t distance; /* in the same units; `ulp` is below 2^47 */

    if (whole > (s->ulp >> s->shift) + 1)
        return false;
    distance = whole << s->shift;
    distance = is_below ? distance + s->rest : distance - s->rest;
    return 2 * distance < s->ulp;
}

/* Put digits with a point before the last `decimals`, without zeros at the end. */
static size_t put_with_point(char *text, uint64_t digits, unsigned decimals)
{
    const uint64_t scale = decimals < POWER_COUNT ? powers_of_ten[decimals] : 0;
    const uint64_t before = scale > 0 ? digits / scale : 0;
    uint64_t after = scale > 0 ? digits % scale : digits;
    size_t used = prfdata_decimal_put_unsigned(text, before);

    if (after == 0)
        return used;
    while (after % 100 == 0) {
        after /= 100;
        decimals -= 2;
    }
    if (after % 10 == 0) {
        after /= 10;
        decimals--;
    }
    text[used++] = '.';
    put_last_digits(text + used, after, decimals);
    return used + decimals;
}

size_t prfdata_decimal_put_shortest(char *text, double number)
{
    const parts n = parts_of(number);
    const double absolute = n.is_negative ? -number : number;
    size_t used = 0;
    uint64_t digits;
    scaled s;

    if (!(absolute == 0 || (absolute >= SHORTEST_LEAST && absolute < SHORTEST_LIMIT)))
        return 0;
    if (n.is_negative)
        text[used++] = '-';
    if (absolute == 0) {
        text[used++] = '0';
        return used;
    }
    s = scale_to_digits(absolute, &n);
    digits = round_digits(&s, 100);
    if (!reads_back(&s, digits))
        digits = round_digits(&s, 10);
    if (!reads_back(&s, digits))
        digits = round_digits(&s, 1);
    return used + put_with_point(text + used, digits, s.decimals);
}
