/* SPDX-License-Identifier: MIT */
/*
 * Handles the words of a metric's name, which consist of lower-case letters and digits. Writes an x
 * before words that have another meaning for Prometheus, so that `promtool check metrics` does not
 * complain. A word or name that is too long is cut.
 */
#ifndef PRFDATA_METRIC_WORDS_H
#define PRFDATA_METRIC_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#define PRFDATA_METRIC_NAME_BYTES 256 /* with the NUL */
#define PRFDATA_METRIC_WORD_BYTES 64
#define PRFDATA_METRIC_WORD_COUNT 96

/* The prefix of the names of metrics about prfread itself. No declared name may begin with it. */
#define PRFDATA_METRIC_OWN_PREFIX "prfread_"

typedef struct prfdata_metric_words {
    char items[PRFDATA_METRIC_WORD_COUNT][PRFDATA_METRIC_WORD_BYTES];
    size_t count;
} prfdata_metric_words;

/* Append a word, unless it is empty or the list is full. */
void prfdata_metric_words_add(prfdata_metric_words *list, const char *word);

/* Append a word, unless the last word is the same. */
void prfdata_metric_words_add_once(prfdata_metric_words *list, const char *word);

/* Append the words of an ASCII text. Everything except letters and digits separates them. */
void prfdata_metric_words_split(prfdata_metric_words *list, const char *text);

bool prfdata_metric_words_is(const prfdata_metric_words *list, size_t position, const char *word);

/* Remove the word at `position`, which must exist. */
void prfdata_metric_words_drop(prfdata_metric_words *list, size_t position);

/*
 * Remove the words of a rate: each "per" before "sec" or a similar word, together with that word.
 * If there is none, remove "persec" or "persecond" at the end of the last word. Returns whether
 * there was a rate.
 */
bool prfdata_metric_words_drop_rate(prfdata_metric_words *list);

/*
 * Write an x before each word that has a meaning for Prometheus or for programs that read its
 * format:
 * - a unit that is not a base unit, such as days
 * - a short unit, such as gb, or a type of metric, such as counter, unless it is the first word
 * - if `is_count` is not set, a word for which prfdata_metric_words_is_reserved_end() returns true
 * - if `is_count` is set, total or created as the last of several words
 */
void prfdata_metric_words_mark_reserved(prfdata_metric_words *list, bool is_count);

/* Write the words with underscores between them; `name` has PRFDATA_METRIC_NAME_BYTES. */
void prfdata_metric_words_write(const prfdata_metric_words *list, char *name);

/*
 * Whether a metric's name must not end in this word, because OpenMetrics adds the word to the name
 * of a metric to make the name of a sample, such as x_total.
 */
bool prfdata_metric_words_is_reserved_end(const char *word);

#endif
