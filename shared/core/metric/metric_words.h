/* SPDX-License-Identifier: MIT */
/*
 * Handles the words of a metric's name: lower case, letters and digits. Writes an x before words
 * that have another meaning for Prometheus, so that `promtool check metrics` does not complain.
 * Lengths are bounded; longer names are cut. metric.c decides from which symbols the words come.
 */
#ifndef PRFDATA_METRIC_WORDS_H
#define PRFDATA_METRIC_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#define PRFDATA_METRIC_NAME_BYTES 256 /* size of a whole name, with the NUL */
#define PRFDATA_METRIC_WORD_BYTES 64
#define PRFDATA_METRIC_WORD_COUNT 96

/* The prefix of the names of metrics about prfread itself. No counter has it. */
#define PRFDATA_METRIC_OWN_PREFIX "prfread_"

typedef struct prfdata_metric_words {
    char items[PRFDATA_METRIC_WORD_COUNT][PRFDATA_METRIC_WORD_BYTES];
    size_t count; /* {.count = 0} is an empty list */
} prfdata_metric_words;

/* Append a word, unless it is empty. */
void prfdata_metric_words_add(prfdata_metric_words *list, const char *word);

/* Append a word unless the last word is the same, as "idle" after a symbol that ends with IDLE. */
void prfdata_metric_words_add_once(prfdata_metric_words *list, const char *word);

/* Append the words of an ASCII text. Everything except letters and digits separates them. */
void prfdata_metric_words_split(prfdata_metric_words *list, const char *text);

/* Whether there is a word at `position` and it equals `word`. */
bool prfdata_metric_words_is(const prfdata_metric_words *list, size_t position, const char *word);

/* Remove the word at `position`, which must exist; later words move up. */
void prfdata_metric_words_drop(prfdata_metric_words *list, size_t position);

/*
 * Remove the rate from the words of something that counts, because only Windows shows a rate:
 * "per" and then "sec" or a similar word anywhere, or a last word that ends in "persec". Returns
 * whether there was a rate.
 */
bool prfdata_metric_words_drop_rate(prfdata_metric_words *list);

/*
 * Write an x before each word that has a meaning for Prometheus or for programs that read its
 * format: a short unit or one that is not a base unit (gb, days), a type of metric (counter), and
 * the ends of samples (count). Short units and types are not marked as the first word. If
 * `is_count` is set, only two of these ends are marked, total and created, and only as the last of
 * several words, because the names of all samples then end with total.
 */
void prfdata_metric_words_mark_reserved(prfdata_metric_words *list, bool is_count);

/* Write the words with underscores between them; `name` has PRFDATA_METRIC_NAME_BYTES. */
void prfdata_metric_words_write(const prfdata_metric_words *list, char *name);

/*
 * Whether a family's name must not end in this word, because it would look like one of its samples.
 */
bool prfdata_metric_words_is_reserved_end(const char *word);

#endif
