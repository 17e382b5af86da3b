/* SPDX-License-Identifier: MIT */
/*
 * Keeps the columns of a table of values: one for each counter of each instance that a path asks
 * for. A path becomes columns with the help of a sample and the titles. It may be added again with
 * each further sample: existing columns stay, new ones are appended, and none is removed. Values
 * come from pairs of samples. In each sample, a column finds its counter by title index and label
 * (places.h). When titles have changed, a column finds its new indexes by its heading. If it does
 * not find them, it has no value.
 */
#ifndef PRFDATA_READER_COLUMNS_H
#define PRFDATA_READER_COLUMNS_H

#include "base/hash_table.h"
#include "paths/places.h"
#include "paths/resolver.h"
#include "text/decimal.h"
#include "text/output.h"

/* The fields that computing uses for every column come first. */
typedef struct prfdata_column {
    bool is_lost;  /* no counter has this heading now */
    bool is_new;   /* the column was made or found again after values were last computed */
    bool is_moved; /* in the previous sample the column's indexes may belong to other counters, so
                      the column has no value there */
    /* The fields from here to `older`, and `text`, are results of the last
     * prfdata_columns_compute(), except `object`, `instance` and `counter`. */
    bool is_known; /* a sample had the counter; type and scale are from the newest such sample */
    bool is_text;
    uint32_t status;   /* PRFDATA_STATUS_...; OK also for a text */
    uint32_t object;   /* position of the object in columns->objects */
    uint32_t instance; /* position of the instance in the places of that object */
    uint32_t counter;  /* position of the counter in the counters of that object */
    uint32_t type;
    int32_t default_scale;       /* power of ten */
    uint32_t raw_status;         /* PRFDATA_STATUS_OK: `raw` is known */
    uint32_t older_status;       /* PRFDATA_STATUS_OK: `older` is known */
    prfdata_compute_value value; /* valid with PRFDATA_STATUS_OK, unless the counter is a text */
    prfdata_compute_count raw;
    prfdata_compute_count older; /* as `raw`, for the previous sample */

    /* The value, if is_text and the status is PRFDATA_STATUS_OK; chars are owned. */
    prfdata_text text;
    prfdata_text label; /* label of the instance; owned; chars NULL: the object has no instances */
    char *heading;      /* \\COMPUTER\Object(Label)\Counter in UTF-8, NUL-terminated; owned */
    uint32_t path_number;
    uint32_t object_title; /* title index; for a lost column the last known one, or 0 */
    uint32_t counter_title;
    uint32_t lost_status; /* for a lost column: the status that says whether the object, the
                             instance or the counter is missing */
} prfdata_column;

typedef struct prfdata_columns_counter {
    uint32_t title;
    uint32_t position; /* position in the object's last sample; PRFDATA_COLUMNS_NO_COUNTER: none */
    uint64_t followed; /* columns->computing when `raw` and `older` were last set */
    uint64_t sample;   /* number of the sample from which `raw` is; 0: none */
    bool has_older;
    prfdata_compute_raw raw;   /* the raw data that all columns of the counter share: everything
                                  except value and base */
    prfdata_compute_raw older; /* as `raw`, for the previous sample */
} prfdata_columns_counter;

#define PRFDATA_COLUMNS_NO_COUNTER UINT32_MAX

/* The counter block of an instance, and the instance in the older sample if a column needed it. */
typedef struct prfdata_columns_block {
    const unsigned char *values; /* NULL: the object does not have the instance now */
    uint32_t values_bytes;
    uint32_t position;
    bool is_looked_up;                    /* `older` is set */
    const prfdata_sample_instance *older; /* the instance in the older sample; NULL: none */
} prfdata_columns_block;

/* An object that columns use, and its places in the last sample. */
typedef struct prfdata_columns_object {
    uint32_t title;
    uint64_t sample;                     /* number of the sample that was searched last */
    const prfdata_sample_object *object; /* the object in that sample; NULL: it was not there */
    prfdata_places places;
    prfdata_columns_block *blocks; /* one for each of `places`, while values are computed */
    size_t block_capacity;
    prfdata_columns_counter *counters;
    size_t counter_count;
    size_t counter_capacity;
    prfdata_hash_table counter_table; /* positions in `counters` */
} prfdata_columns_object;

typedef struct prfdata_columns_list {
    uint32_t *items;
    size_t count;
    size_t capacity;
} prfdata_columns_list;

/* A column that has lost its indexes, or has found them again. */
typedef struct prfdata_columns_lost {
    const char *heading; /* owned by the column */
    uint32_t path_number;
    uint32_t column; /* position in columns->items */
} prfdata_columns_lost;

/* The results of a path for one object, when the path was last added. */
typedef struct prfdata_columns_path {
    uint32_t number;
    uint32_t object;             /* position in columns->objects */
    uint32_t followed;           /* `number` of the object's places when the path was last added */
    uint32_t item;               /* the instance that was last found; PRFDATA_PLACES_NONE: none */
    prfdata_columns_list titles; /* titles of the counters that the path named */
} prfdata_columns_path;

typedef struct prfdata_columns {
    prfdata_column *items;
    size_t count;
    size_t capacity;
    prfdata_hash_table table; /* positions in `items` */
    prfdata_columns_object *objects;
    size_t object_count;
    size_t object_capacity;
    prfdata_hash_table object_table; /* positions in `objects` */
    prfdata_columns_path *paths;
    size_t path_count;
    size_t path_capacity;
    prfdata_hash_table path_table; /* positions in `paths` */
    prfdata_columns_list named; /* while a path is added: positions of the counters that it names */
    prfdata_columns_list asked; /* while a path is added: positions of the instances that it asks
                                   for */
    prfdata_output heading;
    prfdata_decimal_texts *texts; /* texts of values, for csv.c and json.c; NULL: there are few
                                     columns, or no memory */
    uint64_t computed;            /* number of the last sample that was computed; 0: none */
    uint64_t computing;           /* how often values were computed */
    size_t missing_count;         /* number of columns without a value when values were last
                                     computed or removed */
    uint64_t type_changes;        /* how often a column got its first type, or another one */
    const prfdata_titles *titles;
    uint32_t titles_version; /* version of the titles to which the columns' indexes belong */
    uint32_t first_version;  /* the version when the first column was made */
    size_t lost;             /* number of columns whose indexes are not known */
    /* All columns that were there when titles last changed, by path and heading. */
    prfdata_columns_lost *lost_order;
    size_t lost_count;
    size_t lost_capacity;
    prfdata_text computer;
    bool has_idle_zeros; /* set by the caller: use the values of prfdata_compute_idle() */
} prfdata_columns;

/* Begin without columns. The titles and the computer name for the headings are borrowed. */
void prfdata_columns_init(prfdata_columns *columns, const prfdata_titles *titles,
                          prfdata_text computer);

/* Release everything; {0} is allowed. */
void prfdata_columns_free(prfdata_columns *columns);

/*
 * Add a column for everything in `sample` that the path asks for (resolver.h) and that has no
 * column yet.
 *
 * path    No other path may have its number as long as the titles stay the same.
 * result  Set on success: PRFDATA_RESOLVER_FOUND, or the reason why the sample has nothing for the
 *         path.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_columns_add(prfdata_columns *columns, const prfdata_resolver_path *path,
                             const prfdata_sample *sample, prfdata_resolver_result *result);

/*
 * Compute the status and value of every column.
 *
 * older   The sample before `newer`; NULL: none, so rates have no value.
 * capped  Percentages above 100 become 100, as in PDH without PDH_FMT_NOCAP100.
 *
 * Returns ERROR_SUCCESS, or ERROR_NOT_ENOUGH_MEMORY: some columns have no value of `newer`.
 */
uint32_t prfdata_columns_compute(prfdata_columns *columns, const prfdata_sample *older,
                                 const prfdata_sample *newer, bool capped);

/*
 * Return what a column shares with all columns of its counter: everything in its raw data except
 * value and base. Allowed only if column->raw_status is PRFDATA_STATUS_OK.
 */
static inline const prfdata_compute_raw *prfdata_columns_shared(const prfdata_columns *columns,
                                                                const prfdata_column *column)
{
    return &columns->objects[column->object].counters[column->counter].raw;
}

/* Return a column's raw data in the last sample. prfdata_columns_older() returns the raw data of
 * the sample before. */
prfdata_compute_raw prfdata_columns_raw(const prfdata_columns *columns,
                                        const prfdata_column *column);
prfdata_compute_raw prfdata_columns_older(const prfdata_columns *columns,
                                          const prfdata_column *column);

/* Remove all values, because a sample is missing. The columns stay. */
void prfdata_columns_forget(prfdata_columns *columns);

/* Put the name of a title, or its index in decimal if it has no name or its name is *. */
void prfdata_columns_put_title(prfdata_output *output, const prfdata_name_table *titles,
                               uint32_t index);

#endif
