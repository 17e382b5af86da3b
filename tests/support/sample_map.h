/* SPDX-License-Identifier: MIT */
/*
 * Makes a valid map that a test may change: an object with instances and a total, a costly object
 * without instances, and an object whose instances have parents in the first object.
 */
#ifndef PRFDATA_TESTS_SAMPLE_MAP_H
#define PRFDATA_TESTS_SAMPLE_MAP_H

#include <prfdata/map.h>

/* The positions of the entries. */
enum {
    QUEUES,
    QUEUES_TOTAL,
    DEPTH,
    DEPTH_MAX,
    JOBS,
    JOB_TIME,
    JOB_TIME_BASE,
    WORKERS,
    WORKERS_COSTLY,
    BUSY,
    CONSUMERS,
    CONSUMERS_PARENT,
    TAKEN,
    SAMPLE_ENTRIES
};

enum { SAMPLE_CAPACITY = 3000 };

typedef struct sample_map {
    prfdata_map map;
    prfdata_map_entry entries[SAMPLE_CAPACITY];
} sample_map;

void sample_map_init(sample_map *sample);

void sample_map_init_as(sample_map *sample, const char *service);

/* Make the counters JOBS, JOB_TIME and BUSY hot. BUSY becomes a PERF_COUNTER_BULK_COUNT. */
void sample_map_heat(sample_map *sample);

/* Insert a copy of `entry` before the entry at `index`. */
void sample_map_insert(sample_map *sample, uint32_t index, const prfdata_map_entry *entry);

void sample_map_insert_option(sample_map *sample, uint32_t index, uint32_t option, uint32_t id);

void sample_map_append(sample_map *sample, prfdata_map_entry entry);
void sample_map_append_option(sample_map *sample, uint32_t option, uint32_t id);

void sample_map_remove(sample_map *sample, uint32_t index);

/* Return a valid counter whose id, symbol and name are made from `id`. Its texts are static; ids
 * that are 3,000 apart share them. */
prfdata_map_entry sample_map_counter(uint32_t id, uint32_t type);

/* Return a valid object, which refers to `name`. */
prfdata_map_entry sample_map_object(uint32_t id, const wchar_t *name, uint32_t default_counter,
                                    int32_t max_instances, uint32_t max_name_chars);

#endif
