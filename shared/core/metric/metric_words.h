/* SPDX-License-Identifier: MIT */
/*
 * The words of a metric's name: lower case, letters and digits. Writes an x before those that mean
 * something else to Prometheus, so that `promtool check metrics` has nothing to say. Bounded: what
 * exceeds it is cut. metric.h knows whose symbols they are made of.
 */
#ifndef PRFDATA_METRIC_WORDS_H
#define PRFDATA_METRIC_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#define PRFDATA_METRIC_NAME_BYTES 256 /* of a whole name, with the NUL */
#define PRFDATA_METRIC_WORD_BYTES 64
#define PRFDATA_METRIC_WORD_COUNT 96

/* What the names of metrics about prfread itself begin with, and no counter's. */
#define PRFDATA_METRIC_OWN_PREFIX "prfread_"

typedef struct prfdata_metric_words {
    char items[PRFDATA_METRIC_WORD_COUNT][PRFDATA_METRIC_WORD_BYTES];
    size_t count; /* {.count = 0} is empty */
} prfdata_metric_words;

/* Append a word; an empty one is left out. */
void prfdata_metric_words_add(prfdata_metric_words *list, const char *word);

/* The same, unless the last word is this one: "idle" after a symbol that ends with IDLE. */
void prfdata_metric_words_add_once(prfdata_metric_words *list, const char *word);

/* Append the words of an ASCII text, split at everything but letters and digits. */
void prfdata_metric_words_split(prfdata_metric_words *list, const char *text);

/* Whether there is a word at `position`, and it is this one. */
bool prfdata_metric_words_is(const prfdata_metric_words *list, size_t position, const char *word);

/* Take the word at `position` out. */
void prfdata_metric_words_drop(prfdata_metric_words *list, size_t position);

/*
 * Take the rate out of the words of something that counts, which Windows shows per second: "per",
 * "sec" and the like at any place, or a last word that ends in "persec". Returns whether there was
 * one.
 */
bool prfdata_metric_words_drop_rate(prfdata_metric_words *list);

/*
 * Write an x before each word that means something to Prometheus or to what reads its format: a
 * short unit or one that is no base unit (gb, days), a type of metric (counter), and what samples
 * end with (count). Of what is_count, whose samples end with total, only total and created as the
 * last word.
 */
void prfdata_metric_words_mark_reserved(prfdata_metric_words *list, bool is_count);

/* Write the words with underlines between them; `name` has PRFDATA_METRIC_NAME_BYTES. */
void prfdata_metric_words_write(const prfdata_metric_words *list, char *name);

/* Whether a family's name must not end in this word: it would look like one of its samples. */
bool prfdata_metric_words_is_reserved_end(const char *word);

#endif
