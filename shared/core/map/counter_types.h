/* SPDX-License-Identifier: MIT */
/*
 * Describes the predefined counter types: their names, the place of their values in a counter
 * block, and how values of several regions merge.
 */
#ifndef PRFDATA_COUNTER_TYPES_H
#define PRFDATA_COUNTER_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <prfdata/perf_types.h>

#define PRFDATA_COUNTER_TYPE_COUNT 39

/*
 * The ways in which the cells of one instance in several regions become one value
 * (docs/architecture.md, decision 6).
 *
 * name      The end of PRFDATA_MERGING_...
 * meaning   The end of PRFDATA_CELL_... (map_hash.h), the class of the cells
 * initial_value  The value of a sum or a row before any cell is merged into it.
 * outlives  Whether values of ended programs count.
 * is_gauge  Whether the cell is reset to 0 when a region is taken over or a slot is reused.
 */
#define PRFDATA_MERGINGS(X)                                                                        \
    /* for counters without a value */                                                             \
    X(NOTHING, NONE, 0, false, false)                                                              \
    /* sum of (cell - baseline) over all regions, live or ended */                                 \
    X(ACCUMULATE, ACCUMULATING, 0, true, false)                                                    \
    /* sum over live regions */                                                                    \
    X(SUM, GAUGE, 0, false, true)                                                                  \
    /* signed maximum over live regions */                                                         \
    X(MAX, GAUGE, INT64_MIN, false, true)                                                          \
    /* time stamp: unsigned maximum over all regions; never reset */                               \
    X(NEWEST, NEWEST, 0, true, false)                                                              \
    /* start stamp: smallest non-zero of live regions */                                           \
    X(OLDEST_START, OLDEST_START, 0, false, true)

#define PRFDATA_MERGING_ENUMERATOR(name, meaning, initial_value, outlives, is_gauge)               \
    PRFDATA_MERGING_##name,
#define PRFDATA_MERGING_INITIAL_VALUE(name, meaning, initial_value, outlives, is_gauge)            \
    (uint64_t)(initial_value),
#define PRFDATA_MERGING_OUTLIVES(name, meaning, initial_value, outlives, is_gauge) outlives,
#define PRFDATA_MERGING_IS_GAUGE(name, meaning, initial_value, outlives, is_gauge) is_gauge,

typedef enum prfdata_merging { PRFDATA_MERGINGS(PRFDATA_MERGING_ENUMERATOR) } prfdata_merging;

static inline uint64_t prfdata_merging_initial_value(prfdata_merging merging)
{
    static const uint64_t values[] = {PRFDATA_MERGINGS(PRFDATA_MERGING_INITIAL_VALUE)};

    return values[merging];
}

static inline bool prfdata_merging_outlives(prfdata_merging merging)
{
    static const bool outlives[] = {PRFDATA_MERGINGS(PRFDATA_MERGING_OUTLIVES)};

    return outlives[merging];
}

static inline bool prfdata_merging_is_gauge(prfdata_merging merging)
{
    static const bool gauges[] = {PRFDATA_MERGINGS(PRFDATA_MERGING_IS_GAUGE)};

    return gauges[merging];
}

/* The clock of a counter that counts time. */
typedef enum prfdata_ticks {
    PRFDATA_TICKS_NONE,
    /* QueryPerformanceCounter, which is also the clock of PerfTime in PrfData's objects */
    PRFDATA_TICKS_PERF,
    /* QueryPerformanceCounter, converted to units of 100 ns */
    PRFDATA_TICKS_100NS
} prfdata_ticks;

enum {
    PRFDATA_TYPE_NOT_YET = 0x01,       /* no map may have a counter of this type */
    PRFDATA_TYPE_BASE = 0x02,          /* belongs to the counter before it; has no title */
    PRFDATA_TYPE_NEEDS_BASE = 0x04,    /* `base_type` must follow it directly */
    PRFDATA_TYPE_MAY_HAVE_BASE = 0x08, /* `base_type` may follow it directly */
    /* shows 100 % minus its value, so values of several regions cannot be merged */
    PRFDATA_TYPE_SINGLE_INVERSE = 0x10,
    PRFDATA_TYPE_STAMPED = 0x20, /* its base is a time stamp, not a count */
    /* the value has 4 bytes, and 4 zero bytes follow it in a block */
    PRFDATA_TYPE_ROOM_FOR_8 = 0x40
};

typedef struct prfdata_counter_type {
    const char *name;        /* as in winperf.h, without the prefix: "COUNTER_BULK_COUNT" */
    uint32_t type;           /* PERF_... */
    uint32_t value_bytes;    /* CounterSize: 0, 4 or 8 */
    uint32_t base_type;      /* the type of its base; 0: the type has no base */
    uint32_t flags;          /* PRFDATA_TYPE_... */
    prfdata_merging merging; /* for a counter without options; map_tree.c decides for bases */
    prfdata_ticks ticks;     /* the unit of the value */
} prfdata_counter_type;

/* The predefined type with this number, or NULL. */
const prfdata_counter_type *prfdata_counter_types_find(uint32_t type);

/* Get a predefined type. `index` is below PRFDATA_COUNTER_TYPE_COUNT. */
const prfdata_counter_type *prfdata_counter_types_at(size_t index);

/*
 * Place the next value in a PERF_COUNTER_BLOCK. The offset of a value is a multiple of its size, 4
 * or 8 bytes. No base is larger than its value, so no padding separates them, as readers expect.
 *
 * used_bytes  Bytes of the block so far, 4 for a new block; increased by the value and its padding.
 * Returns the value's offset; 4 for a type without a value, which uses no bytes.
 */
uint32_t prfdata_counter_types_place(const prfdata_counter_type *type, uint32_t *used_bytes);

#endif
