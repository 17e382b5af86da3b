/* SPDX-License-Identifier: MIT */
/*
 * Writes numbers as decimal digits, byte for byte like printf, but faster because it parses no
 * format. Doubles are rounded exactly, with products of up to 128 bits; other numbers are left to
 * printf.
 */
#ifndef PRFDATA_READER_DECIMAL_H
#define PRFDATA_READER_DECIMAL_H

#include <stddef.h>
#include <stdint.h>

#define PRFDATA_DECIMAL_BYTES 32u /* enough room for every function here */

/* Put a whole number without NUL. Returns the number of bytes. */
size_t prfdata_decimal_put_unsigned(char *text, uint64_t number);
size_t prfdata_decimal_put_signed(char *text, int64_t number);

/*
 * Put a number as "%.*f" does.
 *
 * decimals  0 to 6.
 * Returns the number of bytes. 0: nothing was put, because the number is not finite, or 10^13 or
 * more without its sign.
 */
size_t prfdata_decimal_put_fixed(char *text, double number, unsigned decimals);

/*
 * Put a number as "%.*g" does, with the fewest digits from 15 to 17 that read back as the same
 * number.
 *
 * Returns the number of bytes. 0: nothing was put, because the number is not finite or, without its
 * sign, 10^15 or more, or below 0.0001 but not 0.
 */
size_t prfdata_decimal_put_shortest(char *text, double number);

#endif
