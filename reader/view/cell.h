/* SPDX-License-Identifier: MIT */
/*
 * A cell, which is what a counter of an instance shows: a value, a text, or why there is neither;
 * which of two comes first, and whether it is idle. The rows of all tables have it.
 */
#ifndef PRFDATA_READER_CELL_H
#define PRFDATA_READER_CELL_H

#include "block/sample.h"
#include "compute/compute.h"

/* {0} is one that was never set. */
typedef struct prfdata_cell {
    uint32_t status; /* PRFDATA_STATUS_OK, or why there is no value; OK also with a text */
    uint32_t type;
    bool has_raw;
    bool has_changed; /* since it was set before */
    prfdata_compute_value value;
    uint64_t raw;
    prfdata_text text; /* of a text counter; owned */
} prfdata_cell;

/* What reads a counter in two samples. */
typedef struct prfdata_cell_reader {
    bool is_made;
    bool has_older; /* the older object has the counter */
    prfdata_sample_reader older;
    prfdata_sample_reader newer;
} prfdata_cell_reader;

/* Where an instance is in two samples. Begin with the samples, and {0} otherwise. */
typedef struct prfdata_cell_source {
    const prfdata_sample *older; /* NULL: there is none, and rates have no value */
    const prfdata_sample_object *older_object;
    const prfdata_sample_instance *older_instance;
    const prfdata_sample *newer;
    const prfdata_sample_object *object;
    const prfdata_sample_instance *instance;
    bool is_capped;               /* percentages above 100 become 100, as PDH has it */
    prfdata_cell_reader *readers; /* by position of the counter, made as they are needed; owned */
    prfdata_cell_reader spare;    /* for all, where there was no memory */
} prfdata_cell_source;

/* Release what the source owns; what it has borrowed stays. */
void prfdata_cell_source_free(prfdata_cell_source *source);

/* Set what the newer sample has of the counter at this position. */
void prfdata_cell_set(prfdata_cell *cell, prfdata_cell_source *source, uint32_t position);

/* Set that there is nothing, and why. */
void prfdata_cell_clear(prfdata_cell *cell, uint32_t status);

/* Go to an instance of source->object, and to where that was before. */
void prfdata_cell_go_to(prfdata_cell_source *source, const prfdata_sample_instance *instance);

/* Go to an object of the newer sample, and to where that was before. */
void prfdata_cell_go_to_object(prfdata_cell_source *source, const prfdata_sample_object *object);

/* The formula of the counter at this position. */
const prfdata_counter_formula *prfdata_cell_formula(prfdata_cell_source *source, uint32_t position);

/* Whether there is a number, not a text. */
/* Why a cell has no value, in at most ten characters of ASCII: "idle", "restarted" and so on;
 * static storage. */
const char *prfdata_cell_reason(uint32_t status);

bool prfdata_cell_has_value(const prfdata_cell *cell);

/* Whether it is 0, or there is nothing. */
bool prfdata_cell_is_idle(const prfdata_cell *cell);

/*
 * Order two values: below 0, 0 or above 0. Whole ones are ordered exactly, also those that doubles
 * cannot tell. NULL, for none, comes last, whatever the direction.
 */
int prfdata_cell_compare_values(const prfdata_compute_value *a, const prfdata_compute_value *b,
                                bool is_descending);

/*
 * The same of cells by what they show: values or raw values, then texts, then those with nothing,
 * to which NULL belongs.
 */
int prfdata_cell_compare(const prfdata_cell *a, const prfdata_cell *b, bool by_raw,
                         bool is_descending);

/* Release what it owns; {0} is left. */
void prfdata_cell_free(prfdata_cell *cell);

#endif
