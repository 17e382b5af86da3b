/* SPDX-License-Identifier: MIT */
/*
 * Computes a cell: the counter of an instance as a value, a text, or the reason why there is
 * neither. Also orders cells, and tells whether one is idle. The rows of all tables consist of
 * cells.
 */
#ifndef PRFDATA_READER_CELL_H
#define PRFDATA_READER_CELL_H

#include "block/sample.h"
#include "compute/compute.h"

/* The content of a cell. {0} is a cell that was never set. */
typedef struct prfdata_cell {
    uint32_t status; /* PRFDATA_STATUS_OK, or why there is no value; OK also for a text */
    uint32_t type;
    bool has_raw;
    bool has_changed; /* the cell had a number before, and the number differs now */
    prfdata_compute_value value;
    uint64_t raw;
    prfdata_text text; /* text of a text counter; owned */
} prfdata_cell;

typedef struct prfdata_cell_reader {
    bool is_made;
    bool has_older; /* the older object has the counter, as a number */
    prfdata_sample_reader older;
    prfdata_sample_reader newer;
    prfdata_compute_pair pair; /* refers to `older` and `newer` */
} prfdata_cell_reader;

/* The position of an instance in two samples. Set the samples and is_capped, and leave the other
 * fields 0. */
typedef struct prfdata_cell_source {
    const prfdata_sample *older; /* NULL: there is none, so rates have no value */
    const prfdata_sample_object *older_object;
    const prfdata_sample_instance *older_instance;
    const prfdata_sample *newer;
    const prfdata_sample_object *object;
    const prfdata_sample_instance *instance;
    bool is_capped;               /* percentages above 100 become 100, as in PDH */
    prfdata_cell_reader *readers; /* by position of the counter, made when needed; owned */
    prfdata_cell_reader spare;    /* used for all counters if there was no memory for `readers` */
} prfdata_cell_source;

/* Release everything that the source owns, but not what it borrows. */
void prfdata_cell_source_free(prfdata_cell_source *source);

/* Set the cell to the newer sample's value of the counter at this position. */
void prfdata_cell_set(prfdata_cell *cell, prfdata_cell_source *source, uint32_t position);

/* Set the cell to have no value, for the reason `status`. */
void prfdata_cell_clear(prfdata_cell *cell, uint32_t status);

/* Go to an instance of source->object, and to the same instance in the older sample. Rates have no
 * value if the older sample lacks the instance, or if its instance with this label belongs to
 * another process or thread (prfdata_sample_has_same_owner()). */
void prfdata_cell_go_to(prfdata_cell_source *source, const prfdata_sample_instance *instance);

/* Go to an object of the newer sample, and to the same object in the older one. */
void prfdata_cell_go_to_object(prfdata_cell_source *source, const prfdata_sample_object *object);

const prfdata_counter_formula *prfdata_cell_formula(prfdata_cell_source *source, uint32_t position);

/* Return why a cell has no value, in a word of text/words.h such as "idle" or "restarted". The
 * English words have at most ten ASCII characters. */
const char *prfdata_cell_reason(uint32_t status);

/* Returns whether the cell has a value that is a number. */
bool prfdata_cell_has_value(const prfdata_cell *cell);

/* Return the raw number of a cell that has one. The number is signed if the counter is a level of 8
 * bytes and is not shown in hexadecimal. */
prfdata_compute_value prfdata_cell_raw(const prfdata_cell *cell);

/* Returns whether the cell has no text, and its value is 0 or missing. */
bool prfdata_cell_is_idle(const prfdata_cell *cell);

/*
 * Order two values. Returns below 0, 0 or above 0. Whole numbers are compared exactly, even if
 * doubles cannot distinguish them. NULL means no value and comes last, whatever the direction.
 */
int prfdata_cell_compare_values(const prfdata_compute_value *a, const prfdata_compute_value *b,
                                bool is_descending);

/*
 * Order cells by what they show: numbers first, then texts, then cells that have neither, and NULL.
 * by_raw: Order by raw values; a text then counts as a cell that has neither. Returns below 0, 0 or
 * above 0. is_descending reverses the order among numbers, and among texts.
 */
int prfdata_cell_compare(const prfdata_cell *a, const prfdata_cell *b, bool by_raw,
                         bool is_descending);

/* Release everything that the cell owns and leave {0}. */
void prfdata_cell_free(prfdata_cell *cell);

#endif
