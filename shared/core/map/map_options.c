/* SPDX-License-Identifier: MIT */
/* Holds the table of map options. */
#include "map/map_options.h"

/* The gauges, first those that have no base. */
static const uint32_t gauge_types[] = {
    PERF_COUNTER_RAWCOUNT,           PERF_COUNTER_LARGE_RAWCOUNT, PERF_COUNTER_RAWCOUNT_HEX,
    PERF_COUNTER_LARGE_RAWCOUNT_HEX, PERF_RAW_FRACTION,           PERF_LARGE_RAW_FRACTION,
};

enum { GAUGE_COUNT = sizeof gauge_types / sizeof gauge_types[0], GAUGES_WITHOUT_BASE = 4 };

/*
 * Counter types that can show a distribution. The first two show the values in the distribution's
 * window, unless the counter has PRFDATA_MAP_ACCUMULATING. The others show all recorded values. A
 * counter that shows the health of the service has one of the first two types.
 */
static const uint32_t shown_types[] = {
    PERF_COUNTER_RAWCOUNT,   PERF_COUNTER_LARGE_RAWCOUNT, PERF_COUNTER_COUNTER,
    PERF_COUNTER_BULK_COUNT, PERF_COUNTER_DELTA,          PERF_COUNTER_LARGE_DELTA,
};
static const uint32_t mean_types[] = {
    PERF_COUNTER_RAWCOUNT,
    PERF_COUNTER_LARGE_RAWCOUNT,
    PERF_AVERAGE_BULK,
};

enum { SHOWN_COUNT = 6, WINDOW_COUNT = 2, MEAN_COUNT = 3 };

#define NUMBER(member)                                                                             \
    {                                                                                              \
        offsetof(prfdata_map_entry, member), sizeof((prfdata_map_entry *)0)->member                \
    }

static const prfdata_map_option_number distribution_numbers[] = {
    NUMBER(lowest), NUMBER(highest), NUMBER(unit), NUMBER(buckets_per_octave), NUMBER(window_s),
};
static const prfdata_map_option_number argument[] = {NUMBER(highest)};

enum { DISTRIBUTION_NUMBER_COUNT = 5, ARGUMENT_COUNT = 1 };

/* No program counts into counters with these options. */
#define COUNTED_BY_NONE (PRFDATA_MAP_OPTIONS_SHOWN | PRFDATA_OPTION_HEALTH)

#define SHOWN_ALONE                                                                                \
    (COUNTED_BY_NONE | PRFDATA_OPTION_MERGE_MAX | PRFDATA_OPTION_TOTAL_MEAN | PRFDATA_OPTION_HOT)

static const prfdata_map_option options[] = {
    {
        .bit = PRFDATA_OPTION_ACCUMULATING,
        .symbol = "PRFDATA_MAP_ACCUMULATING",
        .kind = PRFDATA_ENTRY_COUNTER,
        .types = gauge_types,
        .type_count = GAUGE_COUNT,
        .excludes = PRFDATA_OPTION_MERGE_MAX | PRFDATA_OPTION_TOTAL_MEAN |
                    PRFDATA_OPTION_PERCENTILE | PRFDATA_OPTION_MEAN,
        .merging = PRFDATA_MERGING_ACCUMULATE,
    },
    {
        .bit = PRFDATA_OPTION_MERGE_MAX,
        .symbol = "PRFDATA_MAP_MERGE_MAX",
        .kind = PRFDATA_ENTRY_COUNTER,
        .types = gauge_types,
        .type_count = GAUGES_WITHOUT_BASE,
        .excludes = PRFDATA_OPTION_ACCUMULATING | COUNTED_BY_NONE,
        .merging = PRFDATA_MERGING_MAX,
    },
    {
        .bit = PRFDATA_OPTION_TOTAL_MEAN,
        .symbol = "PRFDATA_MAP_TOTAL_MEAN",
        .kind = PRFDATA_ENTRY_COUNTER,
        .needs_total = true,
        .types = gauge_types,
        .type_count = GAUGES_WITHOUT_BASE,
        .excludes = PRFDATA_OPTION_ACCUMULATING | COUNTED_BY_NONE,
    },
    {
        .bit = PRFDATA_OPTION_HOT,
        .symbol = "PRFDATA_MAP_HOT",
        .kind = PRFDATA_ENTRY_COUNTER,
        .needs_accumulating = true,
        .excludes = COUNTED_BY_NONE,
    },
    {
        .bit = PRFDATA_OPTION_METRIC,
        .symbol = "PRFDATA_MAP_METRIC",
        .kind = PRFDATA_ENTRY_COUNTER,
        .needs_metric = true,
        .has_texts = true,
    },
    {
        .bit = PRFDATA_OPTION_PER_PROCESS,
        .symbol = "PRFDATA_MAP_PER_PROCESS",
        .kind = PRFDATA_ENTRY_OBJECT,
        .needs_instances = true,
    },
    {
        .bit = PRFDATA_OPTION_TOTAL,
        .symbol = "PRFDATA_MAP_TOTAL",
        .kind = PRFDATA_ENTRY_OBJECT,
        .needs_instances = true,
    },
    {
        .bit = PRFDATA_OPTION_COSTLY,
        .symbol = "PRFDATA_MAP_COSTLY",
        .kind = PRFDATA_ENTRY_OBJECT,
    },
    {
        .bit = PRFDATA_OPTION_PARENT,
        .symbol = "PRFDATA_MAP_PARENT",
        .kind = PRFDATA_ENTRY_OBJECT,
        .needs_instances = true,
        .names_parent = true,
    },
    {
        .bit = PRFDATA_OPTION_DISTRIBUTION,
        .symbol = "PRFDATA_MAP_DISTRIBUTION",
        .kind = PRFDATA_ENTRY_OBJECT,
        .may_repeat = true,
        .numbers = distribution_numbers,
        .number_count = DISTRIBUTION_NUMBER_COUNT,
    },
    {
        .bit = PRFDATA_OPTION_PERCENTILE,
        .symbol = "PRFDATA_MAP_PERCENTILE",
        .kind = PRFDATA_ENTRY_COUNTER,
        .types = shown_types,
        .type_count = WINDOW_COUNT,
        .excludes = SHOWN_ALONE | PRFDATA_OPTION_ACCUMULATING,
        .shows = true,
        .numbers = argument,
        .number_count = ARGUMENT_COUNT,
    },
    {
        .bit = PRFDATA_OPTION_MEAN,
        .symbol = "PRFDATA_MAP_MEAN",
        .kind = PRFDATA_ENTRY_COUNTER,
        .types = mean_types,
        .type_count = MEAN_COUNT,
        .excludes = SHOWN_ALONE | PRFDATA_OPTION_ACCUMULATING,
        .shows = true,
    },
    {
        .bit = PRFDATA_OPTION_SUM,
        .symbol = "PRFDATA_MAP_SUM",
        .kind = PRFDATA_ENTRY_COUNTER,
        .types = shown_types,
        .type_count = SHOWN_COUNT,
        .excludes = SHOWN_ALONE,
        .shows = true,
    },
    {
        .bit = PRFDATA_OPTION_AT_MOST,
        .symbol = "PRFDATA_MAP_AT_MOST",
        .kind = PRFDATA_ENTRY_COUNTER,
        .types = shown_types,
        .type_count = SHOWN_COUNT,
        .excludes = SHOWN_ALONE,
        .shows = true,
        .numbers = argument,
        .number_count = ARGUMENT_COUNT,
    },
    {
        .bit = PRFDATA_OPTION_HEALTH,
        .symbol = "PRFDATA_MAP_HEALTH_OF",
        .kind = PRFDATA_ENTRY_COUNTER,
        .types = shown_types,
        .type_count = WINDOW_COUNT,
        .excludes = SHOWN_ALONE,
        .names_health = true,
    },
};

enum { OPTION_COUNT = sizeof options / sizeof options[0] };

size_t prfdata_map_options_count(void)
{
    return OPTION_COUNT;
}

const prfdata_map_option *prfdata_map_options_at(size_t index)
{
    return &options[index];
}

const prfdata_map_option *prfdata_map_options_find(uint32_t bit)
{
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (options[i].bit == bit)
            return &options[i];
    }
    return NULL;
}

static bool suits_type(const prfdata_map_option *option, uint32_t type)
{
    for (size_t i = 0; i < option->type_count; i++) {
        if (option->types[i] == type)
            return true;
    }
    return !option->types;
}

bool prfdata_map_options_suits(const prfdata_map_option *option, const prfdata_map_entry *entry)
{
    if (entry->kind != option->kind)
        return false;
    if (entry->kind == PRFDATA_ENTRY_COUNTER)
        return suits_type(option, entry->type);
    return !option->needs_instances || entry->max_instances != PERF_NO_INSTANCES;
}
