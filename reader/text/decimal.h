/* SPDX-License-Identifier: MIT */
/*
 * Writes numbers as decimal digits, byte for byte like printf, but faster because it parses no
 * format. Doubles are rounded exactly, with products of up to 128 bits. Doubles outside the ranges
 * below are refused; output.c formats them with printf.
 */
#ifndef PRFDATA_READER_DECIMAL_H
#define PRFDATA_READER_DECIMAL_H

#include <stddef.h>
#include <stdint.h>

/* Enough room for every function here. The functions write several bytes at once, so they may
 * change bytes after the text that they put. */
#define PRFDATA_DECIMAL_BYTES 40u

/* Put a whole number without NUL. Returns the number of bytes. */
size_t prfdata_decimal_put_unsigned(char *text, uint64_t number);
size_t prfdata_decimal_put_signed(char *text, int64_t number);

/*
 * Put a number as "%.*f" does.
 *
 * decimals  0 to 6.
 * Returns the number of bytes. 0: nothing was put, because the number is not finite, or its
 * absolute value is 10^13 or more.
 */
size_t prfdata_decimal_put_fixed(char *text, double number, unsigned decimals);

/*
 * Put a number as "%.*g" does, with the fewest digits from 15 to 17 that read back as the same
 * number.
 *
 * Returns the number of bytes. 0: nothing was put, because the number is not finite, or its
 * absolute value is 10^15 or more, or below 0.0001 but not 0.
 */
size_t prfdata_decimal_put_shortest(char *text, double number);

enum { PRFDATA_DECIMAL_TEXTS = 4096, PRFDATA_DECIMAL_MOST_DIGITS = 23 };

/* The text of a number that was put lately. */
typedef struct prfdata_decimal_text {
    uint64_t bits; /* the number's bytes */
    uint8_t size;  /* 0: none */
    char text[PRFDATA_DECIMAL_MOST_DIGITS];
} prfdata_decimal_text;

/*
 * Texts of numbers that were put lately. Many counters of one sample have the same value, because
 * rates are small counts divided by the same time. {0} is empty. The struct owns no memory.
 */
typedef struct prfdata_decimal_texts {
    prfdata_decimal_text
        items[PRFDATA_DECIMAL_TEXTS]; /* pairs; a hash of the number chooses the pair */
} prfdata_decimal_texts;

/* Put what prfdata_decimal_put_shortest() puts, but copy the text if `texts` has it. `texts` NULL:
 * no texts are kept. */
size_t prfdata_decimal_put_again(prfdata_decimal_texts *texts, char *text, double number);

#endif
