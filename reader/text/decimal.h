/* SPDX-License-Identifier: MIT */
/*
 * Numbers as decimal digits: the same bytes as printf's, without its parsing of a format. Doubles
 * are rounded exactly, from products that fit into 128 bits; what does not fit is left to printf.
 */
#ifndef PRFDATA_READER_DECIMAL_H
#define PRFDATA_READER_DECIMAL_H

#include <stddef.h>
#include <stdint.h>

#define PRFDATA_DECIMAL_BYTES 32u /* room that every function here is content with */

/* Put a whole number; returns how many bytes. There is no NUL. */
size_t prfdata_decimal_put_unsigned(char *text, uint64_t number);
size_t prfdata_decimal_put_signed(char *text, int64_t number);

/*
 * Put a number as "%.*f" does.
 *
 * decimals  0 to 6.
 * Returns how many bytes; 0: it is not finite or from 10^13 on, and nothing was put.
 */
size_t prfdata_decimal_put_fixed(char *text, double number, unsigned decimals);

/*
 * Put a number as "%.*g" does, with the fewest digits from 15 to 17 that read back as the same
 * number.
 *
 * Returns how many bytes; 0: it has an exponent there, is not finite or below 0.0001, and nothing
 * was put.
 */
size_t prfdata_decimal_put_shortest(char *text, double number);

#endif
