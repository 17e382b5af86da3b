/* SPDX-License-Identifier: MIT */
/*
 * The columns of a table of values: one per counter of one instance that a path asks for. Paths
 * become columns by a sample and the titles. With each further sample they may be added again:
 * existing columns stay, new ones are added at the end, and none is removed. Values come from pairs
 * of samples, where a column finds its counter again by title index and label. When the titles have
 * changed, it finds its indexes again by its heading; until then, or for ever, it has no value.
 */
#ifndef PRFDATA_READER_COLUMNS_H
#define PRFDATA_READER_COLUMNS_H

#include "core/hash_table.h"
#include "text/output.h"
#include "paths/resolver.h"

typedef struct prfdata_column {
    uint32_t path_number;
    uint32_t object_title; /* 0: no counter has this heading now */
    uint32_t counter_title;
    uint32_t former_object; /* when `object_title` is 0: what they were */
    uint32_t
        lost_status; /* and what its object lacks, the instance or counter; 0: it is the object */
    uint32_t former_counter;
    bool is_moved;      /* the sample before the next has it at other indexes, or another there, for
                           all one knows: it has no value in that */
    prfdata_text label; /* of the instance; owned; without chars: the object has no instances */
    char *heading;      /* \\COMPUTER\Object(Label)\Counter in UTF-8, NUL-terminated; owned */

    /* What the last prfdata_columns_compute() found. */
    uint32_t status;             /* PRFDATA_STATUS_...; OK also with a text */
    prfdata_compute_value value; /* with PRFDATA_STATUS_OK, unless the counter is a text */
    bool is_text;
    prfdata_text text;         /* with PRFDATA_STATUS_OK, if it is one; its chars are owned */
    prfdata_compute_raw older; /* of the sample before; older.status says whether it is known */
    prfdata_compute_raw raw;   /* raw.status says whether it is known */

    bool is_known;         /* a sample had it; type and scale are those of the newest such one */
    uint32_t type;         /* CounterType */
    int32_t default_scale; /* a power of ten */
} prfdata_column;

typedef struct prfdata_columns {
    prfdata_column *items;
    size_t count;
    size_t capacity;
    prfdata_hash_table table; /* of positions in `items` */
    const prfdata_titles *titles;
    uint32_t titles_version; /* of these titles, when headings were made of them */
    uint32_t first_version;  /* the same, of the first column */
    size_t lost;             /* columns whose indexes are not known */
    size_t last_found;       /* one that was found again: the next is likely to come after it */
    prfdata_text computer;
    bool has_idle_zeros; /* for the caller to set: prfdata_compute_idle() gives values */
} prfdata_columns;

/* Begin with nothing. Titles, and the computer that stands in the headings, are borrowed. */
void prfdata_columns_init(prfdata_columns *columns, const prfdata_titles *titles,
                          prfdata_text computer);

/* Release everything; {0} is allowed. */
void prfdata_columns_free(prfdata_columns *columns);

/*
 * Add a column for everything in `sample` that the path asks for (resolver.h) and that has none
 * yet.
 *
 * result  Set on success: PRFDATA_RESOLVER_FOUND, or why the sample has nothing for the path.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_columns_add(prfdata_columns *columns, const prfdata_resolver_path *path,
                             const prfdata_sample *sample, prfdata_resolver_result *result);

/*
 * Compute every column's status and value.
 *
 * older   The sample before `newer`; NULL: there is none, and rates have no value.
 * capped  Percentages above 100 become 100, as in PDH without PDH_FMT_NOCAP100.
 *
 * Returns ERROR_SUCCESS, or ERROR_NOT_ENOUGH_MEMORY: the columns from the first one on whose text
 *         found no memory are as before.
 */
uint32_t prfdata_columns_compute(prfdata_columns *columns, const prfdata_sample *older,
                                 const prfdata_sample *newer, bool capped);

/* Take away all values, where a sample is missing. The columns stay. */
void prfdata_columns_forget(prfdata_columns *columns);

/* Put a title, or its index in decimal if it has no name. */
void prfdata_columns_put_title(prfdata_output *output, const prfdata_name_table *titles,
                               uint32_t index);

#endif
