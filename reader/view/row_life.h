/* SPDX-License-Identifier: MIT */
/*
 * How long a row is new, how long one stays that is gone, and when it is idle: one rule for the
 * window's table and for the rows on a terminal. Knows no rows, only numbers of samples, from 1.
 */
#ifndef PRFDATA_READER_ROW_LIFE_H
#define PRFDATA_READER_ROW_LIFE_H

#include <stdbool.h>
#include <stdint.h>

#define PRFDATA_ROW_LIFE_WHILE 3 /* samples, for which all three last */

typedef struct prfdata_row_life {
    bool is_present; /* in the newest sample */
    bool is_new;     /* it came a short while ago, not with the first sample */
    bool is_idle;    /* for a short while every number was 0, or there was none */
    uint32_t came;   /* with which sample; 0: nobody knows */
    uint32_t busy;   /* the newest sample in which there was another number; 0: none */
    uint32_t left;   /* in how many samples it has been missing since */
} prfdata_row_life;

/* Note that a sample has the row, and whether all that it has there is 0 or nothing. */
void prfdata_row_life_show(prfdata_row_life *life, uint32_t sample, bool is_zero);

/*
 * After each sample, whether it has the row or not.
 *
 * is_next  It follows the one before. Else it is of any other time: nothing is new, what is missing
 *          is over, and only what it has itself is not idle.
 *
 * Returns whether the row stays.
 */
bool prfdata_row_life_follow(prfdata_row_life *life, uint32_t sample, bool is_next);

#endif
