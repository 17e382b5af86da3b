/* SPDX-License-Identifier: MIT */
/*
 * Makes the decimal digits of numbers. A double is a 53-bit whole number times a power of two, and
 * 10^k is 5^k times 2^k. So the double times 10^k is the 53-bit number times 5^k, shifted. Because
 * k is at most 20, that product has less than 128 bits, and is computed exactly. Its digits, the
 * remainder beyond them, and half of the distance to the next double are then exact, as in Steele
 * and White's free-format algorithm.
 */
#include "text/decimal.h"

#include <stdbool.h>
#include <string.h>

#define MOST_DIGITS      17 /* enough to distinguish every double from its neighbours */
#define SIGNIFICAND_BITS 52 /* number of stored bits */
#define EXPONENT_BIAS    1075
#define FIXED_LIMIT      1e13 /* below this, a number times 10^6 is below 2^64 */
#define CLEAR            1e-9
#define SHORTEST_LEAST   0.0001
#define SHORTEST_LIMIT   1e15

/* ---- Whole numbers ---- */

enum { WORD_DIGITS = 8 };

#define WORD_LIMIT 100000000u /* 10^WORD_DIGITS */

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
                                         10000000000000000};

/*
 * Return the eight digits of a number below 10^8 as bytes, the first digit in the lowest byte. Each
 * step divides all parts of the word at once: two parts below 10^4, four below 100, eight digits.
 * The products with 10486 / 2^20 and 103 / 2^10 round down to the exact quotients by 100 and by 10,
 * and stay within their parts.
 */
static uint64_t digits_of_word(uint32_t number)
{
    uint64_t word = number / 10000 | (uint64_t)(number % 10000) << 32;
    uint64_t quotients = word * 10486 >> 20 & 0x0000007F0000007Fu;

    word = quotients | (word - quotients * 100) << 16;
    quotients = word * 103 >> 10 & 0x000F000F000F000Fu;
    return (quotients | (word - quotients * 10) << 8) + 0x3030303030303030u;
}

/* Put the eight bytes of a word, the lowest one first. Compilers turn this into a single store. */
static void put_word(char *text, uint64_t word)
{
    text[0] = (char)word;
    text[1] = (char)(word >> 8);
    text[2] = (char)(word >> 16);
    text[3] = (char)(word >> 24);
    text[4] = (char)(word >> 32);
    text[5] = (char)(word >> 40);
    text[6] = (char)(word >> 48);
    text[7] = (char)(word >> 56);
}

/* Put all eight digits of a number below 10^8. */
static void put_eight(char *text, uint32_t number)
{
    put_word(text, digits_of_word(number));
}

/* Put a number below 10^4. Four bytes are written; returns how many of them are its digits. This
 * does for two parts below 100 what digits_of_word() does for four. */
static inline size_t put_small(char *text, uint32_t number)
{
    const unsigned zeros = (number < 10) + (unsigned)(number < 100) + (unsigned)(number < 1000);
    const uint32_t hundreds = number * 5243 >> 19; /* 5243 / 2^19 rounds as 10486 / 2^20 does */
    const uint32_t parts = hundreds | (number - hundreds * 100) << 16;
    const uint32_t tens = parts * 103 >> 10 & 0x000F000Fu;
    const uint32_t digits = ((tens | (parts - tens * 10) << 8) + 0x30303030u) >> 8 * zeros;

    text[0] = (char)digits;
    text[1] = (char)(digits >> 8);
    text[2] = (char)(digits >> 16);
    text[3] = (char)(digits >> 24);
    return 4 - zeros;
}

/* Put a number of at least 10^4. */
static size_t put_large(char *text, uint64_t number)
{
    uint64_t before;
    size_t used;

    if (number < WORD_LIMIT) {
        const unsigned zeros =
            (number < 10000000) + (unsigned)(number < 1000000) + (unsigned)(number < 100000);

        put_word(text, digits_of_word((uint32_t)number) >> 8 * zeros);
        return WORD_DIGITS - zeros;
    }
    before = number / WORD_LIMIT;
    used = before < 10000 ? put_small(text, (uint32_t)before) : put_large(text, before);
    put_eight(text + used, (uint32_t)(number % WORD_LIMIT));
    return used + WORD_DIGITS;
}

static inline size_t put_whole(char *text, uint64_t number)
{
    return number < 10000 ? put_small(text, (uint32_t)number) : put_large(text, number);
}

size_t prfdata_decimal_put_unsigned(char *text, uint64_t number)
{
    return put_whole(text, number);
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

/* The result of shifting a product right. */
typedef struct quotient {
    uint64_t whole; /* the shifted product, which is below 2^64 */
    product rest;   /* the bits that were shifted out */
    product half;   /* half of one unit of `whole` */
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

/* Multiply a number of less than 10^13 by the scale, and round to the nearest whole number; if two
 * are equally near, to the even one. */
static uint64_t scale_exactly(double number, uint64_t scale)
{
    const parts n = parts_of(number);
    quotient q;

    /* A number below 2^-75 is rounded to 0. An exponent of 0 or more is not possible. */
    if (n.exponent <= -128 || n.exponent >= 0)
        return 0;
    q = shift_right(multiply(n.significand, scale), (unsigned)-n.exponent);
    return round_quotient(&q);
}

/*
 * Split a number from 0 to below 10^13 into the whole number before the point, and the rounded
 * digits after it. If the digits are computed with doubles, they are wrong by less than 10^6 / 2^52
 * before they are rounded. So the exact product is needed only for results that are within CLEAR of
 * the middle between two whole numbers.
 */
static uint64_t split_at_point(double number, uint64_t scale, uint64_t *before)
{
    const int64_t whole = (int64_t)number;
    const double raised = (number - (double)whole) * (double)(int64_t)scale + 0.5;
    const int64_t digits = (int64_t)raised;
    const double beyond = raised - (double)digits;
    uint64_t scaled;

    *before = (uint64_t)whole;
    if (beyond > CLEAR && beyond < 1 - CLEAR && (uint64_t)digits < scale)
        return (uint64_t)digits;
    scaled = scale_exactly(number, scale);
    *before = scaled / scale;
    return scaled % scale;
}

size_t prfdata_decimal_put_fixed(char *text, double number, unsigned decimals)
{
    const bool is_negative = parts_of(number).is_negative;
    uint64_t before;
    uint64_t after;
    size_t used = 0;

    if (!(number < FIXED_LIMIT && number > -FIXED_LIMIT))
        return 0;
    after = split_at_point(is_negative ? -number : number, powers_of_ten[decimals], &before);
    if (is_negative)
        text[used++] = '-';
    used += put_whole(text + used, before);
    if (decimals > 0) {
        text[used++] = '.';
        put_eight(text + used, (uint32_t)(after * powers_of_ten[WORD_DIGITS - decimals]));
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

/* A positive number times 10^decimals, as whole digits and a remainder. */
typedef struct scaled {
    uint64_t digits;   /* MOST_DIGITS digits, rounded down */
    uint64_t rest;     /* remainder beyond `digits`, in units of 2^-shift */
    unsigned shift;    /* from 1 to 46 */
    unsigned decimals; /* from 2 to 20 */
    uint64_t ulp;      /* distance to the next larger double, in units of 2^-shift; below 2^47 */
} scaled;

/* Return the exponent of the largest power of ten that is not above the number. The number is from
 * 0.0001 to below 10^15. */
static int exponent_of_ten(double number, const parts *n)
{
    /* If one of these doubles differs from the exact power, no double lies between the two. */
    static const double powers[] = {1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1e0,  1e1,  1e2,  1e3,  1e4, 1e5,
                                    1e6,  1e7,  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    /* 1233 / 2^12 is about log10(2). For k from -14 to 49, if 2^k is the largest power of two not
     * above the number, powers[at] is the largest power of ten not above 2^k. */
    const unsigned at = ((unsigned)(n->exponent + SIGNIFICAND_BITS + 14) * 1233 + 3218) >> 12;

    return (int)at - 5 + (number >= powers[at + 1]);
}

static scaled scale_to_digits(double number)
{
    const parts n = parts_of(number);
    const unsigned decimals = (unsigned)(MOST_DIGITS - 1 - exponent_of_ten(number, &n));
    const product p = multiply(n.significand, powers_of_five[decimals]);
    const unsigned shift = (unsigned)-(n.exponent + (int)decimals);

    return (scaled){.digits = p.high << (64 - shift) | p.low >> shift,
                    .rest = p.low & (((uint64_t)1 << shift) - 1),
                    .shift = shift,
                    .decimals = decimals,
                    .ulp = powers_of_five[decimals]};
}

/*
 * Round 17 digits to 15; `beyond` are the last two of the 17 digits. Returns whether the result is
 * nearer to the number than to any other double, so that it reads back as the number. The
 * result is never exactly in the middle between two doubles, because powers of five are odd. The
 * double before a power of two is nearer to that power than the double after it. This is harmless,
 * because a power of two has at most 15 digits here.
 */
static bool round_to_15(const scaled *s, unsigned beyond, uint64_t *rounded)
{
    /* The distances to the results of rounding down and up, in units of 2^-shift. */
    const uint64_t down = (uint64_t)beyond << s->shift | s->rest;
    const uint64_t up = ((uint64_t)100 << s->shift) - down;

    *rounded = s->digits - beyond + (up < down ? 100 : 0);
    return 2 * (up < down ? up : down) < s->ulp;
}

/*
 * Return the fewest digits that read back as the number, with zeros at the end. If several results
 * have this many digits, return the one nearest to the number; if two are equally near, the even
 * one. The choice between 16 and 17 digits needs no branch. A branch would be mispredicted half of
 * the time, because 16 and 17 digits are about equally frequent.
 */
static uint64_t fewest_digits(const scaled *s)
{
    const uint64_t tens = s->digits / 10;
    const unsigned beyond = (unsigned)(s->digits - tens * 10);
    const unsigned beyond_tens = (unsigned)(tens % 10) * 10 + beyond;
    const uint64_t down = (uint64_t)beyond << s->shift | s->rest;
    const uint64_t up = ((uint64_t)10 << s->shift) - down;
    const bool is_up_to_16 = (up < down) | ((up == down) & ((tens & 1) != 0));
    const uint64_t of_16 = (tens + is_up_to_16) * 10;
    const uint64_t half = (uint64_t)1 << (s->shift - 1);
    const bool is_up_to_17 = (s->rest > half) | ((s->rest == half) & ((s->digits & 1) != 0));
    const uint64_t of_17 = s->digits + is_up_to_17;
    const bool reads_back = 2 * (is_up_to_16 ? up : down) < s->ulp;
    uint64_t of_15;

    /* In units of the last of 17 digits, the next double is less than 23 away, so digits that read
     * back as the number are less than 12 away from it. */
    if ((beyond_tens < 12 || beyond_tens >= 88) && round_to_15(s, beyond_tens, &of_15))
        return of_15;
    return of_17 ^ ((of_16 ^ of_17) & (0 - (uint64_t)reads_back));
}

/* Put sixteen digits. Returns how many of them remain without the zeros at the end. */
static size_t put_sixteen(char *text, uint64_t digits)
{
    const uint32_t last = (uint32_t)(digits % WORD_LIMIT);
    size_t count = WORD_DIGITS;

    put_eight(text, (uint32_t)(digits / WORD_LIMIT));
    if (last != 0) {
        put_eight(text + WORD_DIGITS, last);
        count += WORD_DIGITS;
        count -= text[count - 1] == '0'; /* without a branch, because zeros come at random */
    }
    while (count > 0 && text[count - 1] == '0')
        count--;
    return count;
}

/* Put the point and the digits after it. `before` are the digits before the point. */
static size_t put_after_point(char *text, const scaled *s, uint64_t before)
{
    uint64_t digits = fewest_digits(s);
    unsigned decimals = s->decimals;
    size_t used = 0;

    text[used++] = '.';
    if (decimals < MOST_DIGITS) {
        digits -= before * powers_of_ten[decimals];
        return used + put_sixteen(text + used, digits * powers_of_ten[MOST_DIGITS - 1 - decimals]);
    }
    for (; decimals > MOST_DIGITS; decimals--)
        text[used++] = '0';
    text[used++] = (char)('0' + digits / powers_of_ten[MOST_DIGITS - 1]);
    return used + put_sixteen(text + used, digits % powers_of_ten[MOST_DIGITS - 1]);
}

size_t prfdata_decimal_put_shortest(char *text, double number)
{
    const bool is_negative = parts_of(number).is_negative;
    const double absolute = is_negative ? -number : number;
    int64_t
        before; /* rounding never changes it, because whole numbers below the limit are doubles */
    size_t used = 0;
    bool is_whole;
    scaled s;

    if (!(absolute < SHORTEST_LIMIT))
        return 0;
    before = (int64_t)absolute;
    is_whole = (double)before == absolute;
    if (!is_whole && absolute < SHORTEST_LEAST)
        return 0;
    if (is_negative)
        text[used++] = '-';
    used += put_whole(text + used, (uint64_t)before);
    if (is_whole)
        return used;
    s = scale_to_digits(absolute);
    return used + put_after_point(text + used, &s, (uint64_t)before);
}

/* ---- Numbers that were put lately ---- */

size_t prfdata_decimal_put_again(prfdata_decimal_texts *texts, char *text, double number)
{
    prfdata_decimal_text *first;
    prfdata_decimal_text *second;
    uint64_t bits;
    size_t size;

    if (!texts)
        return prfdata_decimal_put_shortest(text, number);
    memcpy(&bits, &number, sizeof bits);
    first = &texts->items[bits * 0x9E3779B97F4A7C15u >> 50 & (PRFDATA_DECIMAL_TEXTS - 2)];
    second = first + 1;
    if (first->bits == bits && first->size > 0) {
        memcpy(text, first->text, sizeof first->text);
        return first->size;
    }
    if (second->bits == bits && second->size > 0) {
        memcpy(text, second->text, sizeof second->text);
        return second->size;
    }
    size = prfdata_decimal_put_shortest(text, number);
    *second = *first;
    first->bits = bits;
    first->size = (uint8_t)size;
    memcpy(first->text, text, size);
    return size;
}
