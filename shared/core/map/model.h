/* SPDX-License-Identifier: MIT */
/*
 * Declares the model of a map. It holds everything that follows from the map, computed once, so
 * that no fact about a counter is decided in two places. A model is immutable after
 * prfdata_model_set_numbers().
 */
#ifndef PRFDATA_MODEL_H
#define PRFDATA_MODEL_H

#include <stdbool.h>

#include <prfdata/map.h>

#include "counting/distribution.h"
#include "map/counter_types.h"

#define PRFDATA_TITLE_UNUSED "(no longer used)" /* the text of a number that no title has now */

#define PRFDATA_NONE UINT32_MAX /* no title, no cell, no parent */

#define PRFDATA_MODEL_LINE_CELLS 8 /* cells on one cache line */

/*
 * A distribution of an object. Each instance has its own buckets. An object without instances has
 * one set of buckets.
 */
typedef struct prfdata_model_distribution {
    const prfdata_map_entry *entry; /* id, unit, range, precision, window */
    prfdata_distribution_shape shape;
    uint32_t bytes_offset; /* from the beginning of a slot's distributions */
    uint32_t first_cell;   /* first of the window's cells: one per bucket, then one for the sum */
} prfdata_model_distribution;

typedef struct prfdata_model_counter {
    const prfdata_map_entry *entry;  /* id, symbol, name, help, detail, scale, type */
    const prfdata_map_entry *metric; /* its PRFDATA_MAP_METRIC; NULL: none. See metric/metric.h */
    uint32_t options;                /* PRFDATA_OPTION_... bits; a base has those of its fraction */
    uint32_t title_offset;           /* even, added to First Counter; PRFDATA_NONE for a base */
    uint32_t cell_index;             /* index among the object's cells; PRFDATA_NONE for NODATA */
    uint32_t hot_index;              /* index among the object's hot counters, or PRFDATA_NONE */
    uint32_t value_bytes;            /* CounterSize: 0, 4 or 8 */
    /* CounterOffset in the PERF_COUNTER_BLOCK; 8-byte values at multiples of 8; NODATA: 4 */
    uint32_t block_offset;
    bool is_hot; /* threads count it in lanes */
    /*
     * the option that names the shown statistic of a distribution; NULL: none; a base has the
     * option of its fraction
     */
    const prfdata_map_entry *shows;
    uint32_t distribution_index; /* index among the object's distributions, if it shows one */
    uint32_t shown_unit; /* the PRFDATA_UNIT_... of the shown distribution; 0: it shows none */
    uint32_t health;     /* PRFDATA_HEALTH_... that the counter shows; 0: it shows none */
    bool is_base;
    bool has_base; /* the next counter is its base */
    prfdata_merging merging;
    prfdata_ticks ticks; /* the clock in whose ticks the value counts */
} prfdata_model_counter;

typedef struct prfdata_model_object {
    const prfdata_map_entry *entry; /* id, symbol, name, help */
    uint32_t options;               /* PRFDATA_OPTION_... bits */
    uint32_t title_offset;          /* even, added to First Counter */
    uint32_t detail_level;          /* the lowest detail level of its counters */
    uint32_t default_position;      /* position of the default counter in `counters` */
    uint32_t parent_index;          /* index of the parent object in the model, or PRFDATA_NONE */
    bool has_instances;
    uint32_t max_instances; /* capacity; 1 without instances */
    uint32_t name_chars;    /* prfdata_map_tree_name_chars() */
    uint32_t counter_count;
    const prfdata_model_counter *counters;
    uint32_t stored_count; /* cells in a region: the cells of the counters */
    uint32_t cell_count;   /* cells in a snapshot: those of the counters, then of the windows */
    bool only_accumulates; /* all cells accumulate; false if there is a distribution */
    uint32_t distribution_count;
    const prfdata_model_distribution *distributions;
    uint32_t distributions_bytes; /* size of the distributions of one slot: a multiple of 64 */
    uint32_t hot_count;           /* number of counters that have lanes */
    /* the cell_index of each hot counter, in the order of their hot_index */
    const uint32_t *hot_cells;
    uint32_t block_bytes; /* size of a PERF_COUNTER_BLOCK: a multiple of 8 */
} prfdata_model_object;

typedef struct prfdata_model {
    /* a map without mistakes; prfdata_model_read() does not check its texts */
    const prfdata_map *map;
    uint64_t hash;        /* prfdata_map_hash */
    uint32_t title_count; /* titles in use */
    /*
     * how many numbers titles have or had; title offsets are even numbers up to
     * 2 * (number_count - 1)
     */
    uint32_t number_count;
    uint32_t object_count;
    const prfdata_model_object *objects;
    uint32_t health_index; /* index of the object with the service's health, or PRFDATA_NONE */
} prfdata_model;

/*
 * Derive the model of `map`.
 *
 * map    Borrowed: must stay valid until prfdata_model_free().
 * model  On success the new model; untouched on failure.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_PARAMETER (prfdata_map_check finds a mistake) or
 *         ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_model_make(const prfdata_map *map, prfdata_model **model);

/*
 * Decode an encoded map, check it (all rules of map-bytes.md) and derive its model, which owns the
 * decoded map.
 *
 * model  On success the new model; untouched on failure.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_DATA (not an encoded map, or an invalid one),
 *         ERROR_REVISION_MISMATCH (a later format) or ERROR_NOT_ENOUGH_MEMORY.
 * Owner:   the caller; prfdata_model_free().
 */
uint32_t prfdata_model_from_bytes(const void *bytes, size_t size, prfdata_model **model);

/*
 * Decode an encoded map for readers. Checks all rules of map-bytes.md, but of M11 only the part on
 * which memory safety depends (map_limits.h). Otherwise like prfdata_model_from_bytes().
 */
uint32_t prfdata_model_read(const void *bytes, size_t size, prfdata_model **model);

/* Release a model; NULL is allowed. */
void prfdata_model_free(prfdata_model *model);

/*
 * The bytes of a row in a reply: an instance with its name and its counter block. An instance that
 * has a number instead of a name has an empty name.
 */
size_t prfdata_model_row_bytes(const prfdata_model_object *object, uint32_t name_chars);

/*
 * The bytes that all rows of an object may take in a reply: PRFDATA_MAX_OBJECT_BYTES minus the
 * definitions and the row of `_Total`.
 */
size_t prfdata_model_rows_room(const prfdata_model_object *object);

/*
 * A title of an object, or of a counter that is not a base. {0} is the position before the first
 * title.
 */
typedef struct prfdata_model_title {
    const prfdata_model_object *object;
    const prfdata_model_counter *counter; /* NULL: it is the title of `object` */
} prfdata_model_title;

/* Move to the next title in the order of the map. Returns false if there is none. */
bool prfdata_model_next_title(const prfdata_model *model, prfdata_model_title *title);

/* Find the title with this offset. Returns false if no title has it. */
bool prfdata_model_find_title(const prfdata_model *model, uint32_t offset,
                              prfdata_model_title *title);

static inline uint32_t prfdata_model_title_offset(const prfdata_model_title *title)
{
    return title->counter ? title->counter->title_offset : title->object->title_offset;
}

/*
 * Replace the numbers 0, 1, 2, ... that the titles have at first. Call this before any other code
 * uses the model.
 *
 * numbers       One for each title, in the order of the map, below `number_count`, all different.
 * number_count  Includes the numbers that are no longer used.
 */
void prfdata_model_set_numbers(prfdata_model *model, const uint32_t *numbers,
                               uint32_t number_count);

/*
 * Whether the titles may have names from the index `first_counter` on, and help texts from the
 * index `first_help` on. `first_counter` must be even and not 0, `first_help` must be odd, and no
 * index may exceed 32 bits (Microsoft's "Adding Counter Names and Descriptions to the Registry").
 */
bool prfdata_model_titles_fit(const prfdata_model *model, uint32_t first_counter,
                              uint32_t first_help);

/* The object with this id, or NULL. */
const prfdata_model_object *prfdata_model_find_object(const prfdata_model *model, uint32_t id);

/*
 * The counter with this id, or NULL. On success `object` gets the counter's object, unless `object`
 * is NULL.
 */
const prfdata_model_counter *prfdata_model_find_counter(const prfdata_model *model, uint32_t id,
                                                        const prfdata_model_object **object);

/* The distribution with this id, or NULL. On success `object` gets the distribution's object. */
const prfdata_model_distribution *
prfdata_model_find_distribution(const prfdata_model *model, uint32_t id,
                                const prfdata_model_object **object);

#endif
