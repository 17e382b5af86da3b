/* SPDX-License-Identifier: MIT */
/* Declares functions that read the output of typeperf and prfread: a line of paths and lines of
 * values. Every field is in quotes. Fields are separated by commas, or by semicolons if the comma
 * is the decimal sign. Portable. */
#ifndef PRFDATA_KIT_CSV_H
#define PRFDATA_KIT_CSV_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Reads field number `index` of a line; 0 is the time. Returns false if there is none, the line has
 * another form, or the field does not fit.
 */
bool kit_csv_field(const char *line, size_t index, char *field, size_t capacity);

/* Reads a number with a point or a comma before the fraction. Returns false if there is none. */
bool kit_csv_value(const char *field, double *value);

/*
 * Finds the value of a path in the last line. Ignores the name of the computer and the case of
 * letters. Returns false if there is none.
 *
 * text  Everything that the program printed.
 */
bool kit_csv_last(const char *text, const char *path, double *value);

/* Returns how many paths the line of paths has, or 0 if there is no such line. */
size_t kit_csv_columns(const char *text);

/* Finds the value in column `column`, from 1, of the last line. This works even if the language of
 * the names is unknown. Returns false if there is none. */
bool kit_csv_last_at(const char *text, size_t column, double *value);

/* Returns whether two values differ by at most this part of the larger one. */
bool kit_values_agree(double one, double other, double part);

#endif
