/* SPDX-License-Identifier: MIT */
/*
 * Reads, writes and compares conditions for values, such as >500. A condition is the threshold of a
 * counter, which applies to all of its instances, or a filter for rows. Its number is in the unit
 * of the counter's values.
 */
#ifndef PRFDATA_READER_THRESHOLD_H
#define PRFDATA_READER_THRESHOLD_H

#include "text/output.h"
#include "view/number.h"

#define PRFDATA_THRESHOLDS_MOST 500u

typedef enum prfdata_comparison {
    PRFDATA_COMPARISON_NONE,
    PRFDATA_COMPARISON_ABOVE,
    PRFDATA_COMPARISON_AT_LEAST,
    PRFDATA_COMPARISON_BELOW,
    PRFDATA_COMPARISON_AT_MOST
} prfdata_comparison;

/* A condition. {0} stands for no condition, and no value meets it. */
typedef struct prfdata_condition {
    prfdata_comparison comparison;
    double number;
} prfdata_condition;

/*
 * Take the condition at the end of a text that the user typed: >, >=, < or <= and a number, such as
 * "sql >1.5k". k, M, G, T and P are thousands, millions and so on; % changes nothing. A number is
 * hexadecimal if it ends with an h, and otherwise decimal. It is 0, or its size is at least 1e-35
 * and below 1e50, so that prfdata_condition_put() can write it.
 *
 * text   The condition and the blanks around it are removed.
 * style  The user's decimal separator and digit groups.
 *
 * Returns false if the text has no condition. The text is then unchanged, and *condition is {0}.
 */
bool prfdata_condition_take(prfdata_text *text, prfdata_number_style style,
                            prfdata_condition *condition);

/* Returns whether a number meets a condition; NaN and infinite numbers do not. */
bool prfdata_condition_holds(const prfdata_condition *condition, double number);

/*
 * Put a condition in the form that prfdata_condition_take() reads if the decimal separator is a
 * point. Puts nothing for {0}.
 *
 * is_hex  Write the number in hexadecimal, as the cells of a hexadecimal counter show it, such as
 *         >=BEEFh. A number that no such counter can have, such as 0.5, is written in decimal.
 */
void prfdata_condition_put(const prfdata_condition *condition, bool is_hex, prfdata_output *output);

typedef struct prfdata_threshold {
    prfdata_text object; /* English names; owned */
    prfdata_text counter;
    prfdata_condition condition;
} prfdata_threshold;

/* {0} is empty. */
typedef struct prfdata_thresholds {
    prfdata_threshold *items;
    size_t count;
    size_t capacity;
} prfdata_thresholds;

/*
 * Set the threshold of a counter; {0} removes it. The names are copied. If there are too many
 * thresholds, or no memory, nothing changes.
 */
void prfdata_thresholds_set(prfdata_thresholds *thresholds, prfdata_text object,
                            prfdata_text counter, prfdata_condition condition);

/* Return the threshold of a counter; {0}: it has none. `thresholds` may be NULL. */
prfdata_condition prfdata_thresholds_find(const prfdata_thresholds *thresholds, prfdata_text object,
                                          prfdata_text counter);

/* Release everything and leave {0}. */
void prfdata_thresholds_free(prfdata_thresholds *thresholds);

#endif
