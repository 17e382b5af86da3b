/* SPDX-License-Identifier: MIT */
/* Numbers of the live view as text. */
#ifndef PRFDATA_READER_TOP_NUMBER_H
#define PRFDATA_READER_TOP_NUMBER_H

#include "compute/compute.h"

#define PRFDATA_TOP_NUMBER_CELLS 8 /* of a number; a unit has two more */

/*
 * Write a number in at most eight characters: exactly if it is whole and short enough, else
 * rounded, with M, G, T, P or E (million to quintillion) if it is large.
 *
 * text  Set, with a NUL at its end.
 */
void prfdata_top_number_value(prfdata_compute_value value, char text[16]);

/* The same of a number that is whole or not. */
void prfdata_top_number_put(double number, char text[16]);

/* The unit of a type in two characters, such as "% ". */
const char *prfdata_top_number_unit(uint32_t type);

/*
 * Write a value with the unit of its type, in ten characters: hexadecimal with an h, times below a
 * second in ms, us or ns, from an hour on as h:mm:ss or in days, else as prfdata_top_number_value()
 * and prfdata_top_number_unit() have it.
 */
void prfdata_top_number_put_unit(prfdata_compute_value value, uint32_t type, char text[20]);

/* Write a mean of such values in eight characters: without the unit, except ms, us and ns. */
void prfdata_top_number_put_mean(double number, uint32_t type, char text[20]);

#endif
