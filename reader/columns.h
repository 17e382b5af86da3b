/* SPDX-License-Identifier: MIT */
/*
 * What is watched: one column per counter of one instance. Paths become columns once, with the
 * titles and a first sample; values come from pairs of samples, where a column finds its counter
 * again by title index and label. Knows neither files nor the clock.
 */
#ifndef PRFDATA_READER_COLUMNS_H
#define PRFDATA_READER_COLUMNS_H

#include "output.h"
#include "path.h"
#include "sample.h"
#include "name_table.h"

typedef struct prfdata_column {
    uint32_t object_title;
    uint32_t counter_title;
    prfdata_text label; /* of the instance; owned */
    char *heading;      /* \\COMPUTER\Object(Label)\Counter in UTF-8, NUL-terminated; owned */
    uint32_t status;    /* PRFDATA_STATUS_... of the last prfdata_columns_compute() */
    double value;       /* with PRFDATA_STATUS_OK */
    uint32_t told;      /* the status that the user knows; for the caller */
} prfdata_column;

typedef struct prfdata_columns {
    prfdata_column *items;
    size_t count;
    size_t capacity;
} prfdata_columns;

/* Begin with nothing; {0} is the same. */
void prfdata_columns_init(prfdata_columns *columns);

/* Release everything. */
void prfdata_columns_free(prfdata_columns *columns);

/*
 * Add a column for everything in `sample` that `path` asks for, counter by counter.
 *
 * computer  Stands in the headings.
 * status    On success PRFDATA_STATUS_OK, or why nothing was added: PRFDATA_STATUS_NO_OBJECT,
 *           PRFDATA_STATUS_NO_COUNTER or PRFDATA_STATUS_NO_INSTANCE (also if the path has an
 *           instance and the object has none, or the other way round).
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_columns_add(prfdata_columns *columns, const prfdata_path *path,
                             const prfdata_sample *sample, const prfdata_name_table *titles,
                             prfdata_text computer, uint32_t *status);

/* Compute every column's status and value. `older` may be NULL. */
void prfdata_columns_compute(prfdata_columns *columns, const prfdata_sample *older,
                             const prfdata_sample *newer);

/* Put a title, or its index in decimal if it has no name. */
void prfdata_columns_put_title(prfdata_output *output, const prfdata_name_table *titles,
                               uint32_t index);

/* Whether `text` means the title `index`: its name ignoring case, or its number. */
bool prfdata_columns_means_title(prfdata_text text, const prfdata_name_table *titles,
                                 uint32_t index);

#endif
