/* SPDX-License-Identifier: MIT */
/*
 * Keeps the columns of a table of values: one per counter of one instance that a path asks for.
 * Paths become columns by a sample and the titles. With each further sample they may be added
 * again: existing columns stay, new ones are added at the end, and none is removed. Values come
 * from pairs of samples, where a column finds its counter again by title index and label: places.h.
 * When the titles have changed, it finds its indexes again by its heading; until then, or for ever,
 * it has no value.
 */
#ifndef PRFDATA_READER_COLUMNS_H
#define PRFDATA_READER_COLUMNS_H

#include "base/hash_table.h"
#include "paths/places.h"
#include "paths/resolver.h"
#include "text/output.h"

typedef struct prfdata_column {
    uint32_t path_number;
    uint32_t object_title; /* of a lost column: what they were, or 0 */
    uint32_t counter_title;
    uint32_t lost_status; /* of a lost column: that its object, instance or counter is not there */
    uint32_t object;      /* where it is looked for: positions in columns->objects, */
    uint32_t instance;    /* in the object's places, */
    uint32_t counter;     /* and in its counters */
    prfdata_text label;   /* of the instance; owned; without chars: the object has no instances */
    char *heading;        /* \\COMPUTER\Object(Label)\Counter in UTF-8, NUL-terminated; owned */

    bool is_lost;  /* no counter has this heading now */
    bool is_new;   /* or found again since values were computed last */
    bool is_moved; /* the sample before the next has it at other indexes, or another there, for all
                      one knows: it has no value in that */
    bool is_text;  /* this and what follows: what the last prfdata_columns_compute() found */
    bool is_known; /* a sample had it; type and scale are those of the newest such one */
    uint32_t status;             /* PRFDATA_STATUS_...; OK also with a text */
    prfdata_compute_value value; /* with PRFDATA_STATUS_OK, unless the counter is a text */
    prfdata_text text;           /* with PRFDATA_STATUS_OK, if it is one; its chars are owned */
    prfdata_compute_raw older;   /* of the sample before; older.status says whether it is known */
    prfdata_compute_raw raw;     /* raw.status says whether it is known */
    uint32_t type;               /* CounterType */
    int32_t default_scale;       /* a power of ten */
} prfdata_column;

/* A counter of an object that a column has. */
typedef struct prfdata_columns_counter {
    uint32_t title;
    uint32_t position; /* in the object of the sample that was followed last; or it has none: */
} prfdata_columns_counter;

#define PRFDATA_COLUMNS_NO_COUNTER UINT32_MAX

/* An object that columns have, and where that is now. */
typedef struct prfdata_columns_object {
    uint32_t title;
    uint64_t sample;                     /* the number of the sample that was followed last */
    const prfdata_sample_object *object; /* in that; NULL: it is not there */
    prfdata_places places;               /* of the instances that columns have */
    prfdata_columns_counter *counters;
    size_t counter_count;
    size_t counter_capacity;
    prfdata_hash_table counter_table; /* of positions in `counters` */
    prfdata_title_index by_title;     /* of the counters of `object` */
} prfdata_columns_object;

typedef struct prfdata_columns_list {
    uint32_t *items;
    size_t count;
    size_t capacity;
} prfdata_columns_list;

/* What a path had found of an object when it was added last. */
typedef struct prfdata_columns_path {
    uint32_t number;             /* of the path */
    uint32_t object;             /* position in columns->objects */
    uint32_t followed;           /* the number of the object in its places */
    uint32_t item;               /* an instance that the path asks for, or PRFDATA_PLACES_NONE */
    prfdata_columns_list titles; /* of the counters that it named */
} prfdata_columns_path;

typedef struct prfdata_columns {
    prfdata_column *items;
    size_t count;
    size_t capacity;
    prfdata_hash_table table; /* of positions in `items` */
    prfdata_columns_object *objects;
    size_t object_count;
    size_t object_capacity;
    prfdata_hash_table object_table; /* of positions in `objects` */
    prfdata_columns_path *paths;
    size_t path_count;
    size_t path_capacity;
    prfdata_hash_table path_table; /* of positions in `paths` */
    prfdata_columns_list named;    /* while a path is added: positions of counters, */
    prfdata_columns_list asked;    /* and of instances */
    prfdata_output heading;        /* while one is put together */
    uint64_t computed;             /* the number of the sample that was computed last; 0: none */
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
 * path    As long as the titles stay, its number means this path and no other.
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
