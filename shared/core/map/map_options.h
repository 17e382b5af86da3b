/* SPDX-License-Identifier: MIT */
/*
 * Describes all map options in one table. A new option needs a row in map_options.c and one in
 * check/map_advice.c, a bit and a macro in <prfdata/map.h>, documentation, and the code that acts
 * on it. If two options exclude each other, each must be in `excludes` of the other.
 */
#ifndef PRFDATA_MAP_OPTIONS_H
#define PRFDATA_MAP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include <prfdata/map.h>

#include "map/counter_types.h"

/* The options of counters that show a distribution. */
#define PRFDATA_MAP_OPTIONS_SHOWN                                                                  \
    (PRFDATA_OPTION_PERCENTILE | PRFDATA_OPTION_MEAN | PRFDATA_OPTION_SUM | PRFDATA_OPTION_AT_MOST)

/* A number that an option has besides its id: a member of prfdata_map_entry. */
typedef struct prfdata_map_option_number {
    size_t offset;
    unsigned byte_count;
} prfdata_map_option_number;

typedef struct prfdata_map_option {
    uint32_t bit;       /* PRFDATA_OPTION_... */
    const char *symbol; /* the macro: "PRFDATA_MAP_TOTAL" */
    uint32_t kind;      /* PRFDATA_ENTRY_OBJECT or _COUNTER: the kind of line that it may follow */
    bool needs_instances;    /* for objects: the object must have instances */
    bool needs_total;        /* for counters: the object must have PRFDATA_MAP_TOTAL */
    bool needs_accumulating; /* for counters: the counter must accumulate and not be a base */
    const uint32_t *types;   /* for counters: the types that it may follow; NULL: any */
    size_t type_count;
    bool needs_metric;       /* for counters: the type must have a metric */
    bool has_texts;          /* it has a name and a help */
    uint32_t excludes;       /* bits of the options that its target must not have */
    bool names_parent;       /* its id is that of an earlier object with instances */
    bool may_repeat;         /* its target may have it more than once */
    bool shows;              /* its id is that of a distribution of the counter's object */
    bool names_health;       /* its id is PRFDATA_HEALTH_... */
    prfdata_merging merging; /* the merging that it gives a counter; NOTHING: no change */
    /* the option's numbers besides its id, in the order of the map's bytes (map-bytes.md) */
    const prfdata_map_option_number *numbers;
    size_t number_count;
} prfdata_map_option;

/* The option with this bit, or NULL. */
const prfdata_map_option *prfdata_map_options_find(uint32_t bit);

/* The options in the order of the table: `index` is below prfdata_map_options_count(). */
const prfdata_map_option *prfdata_map_options_at(size_t index);
size_t prfdata_map_options_count(void);

/*
 * Whether the option may follow this object or counter. Checks the kind of the line, the type of a
 * counter, and whether an object has the instances that the option needs. The caller checks
 * everything else.
 */
bool prfdata_map_options_suits(const prfdata_map_option *option, const prfdata_map_entry *entry);

#endif
