/* SPDX-License-Identifier: MIT */
/*
 * What typeperf and prfread print: a line of paths and lines of values, every field in quotes,
 * separated by commas or, where the comma is the decimal sign, by semicolons. Portable.
 */
#ifndef PRFDATA_KIT_CSV_H
#define PRFDATA_KIT_CSV_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Read field number `index` of a line, 0 is the time. False: there is none, it is no such line, or
 * it does not fit.
 */
bool kit_csv_field(const char *line, size_t index, char *field, size_t capacity);

/* Read a value: digits with a point or a comma before the fraction. False: there is none. */
bool kit_csv_value(const char *field, double *value);

/*
 * Find the last value of a path. The computer's name and letters' case do not count.
 *
 * text  All that the program printed.
 */
bool kit_csv_last(const char *text, const char *path, double *value);

/* How many paths its line of paths has; 0: there is no such line. */
size_t kit_csv_columns(const char *text);

/* Find the last value of a path by its place, 1 is the first one: names may be of any language. */
bool kit_csv_last_at(const char *text, size_t column, double *value);

/* Whether two values differ by at most this part of the larger one. */
bool kit_values_agree(double one, double other, double part);

#endif
