/* SPDX-License-Identifier: MIT */
#include "support/sample_map.h"

#include <stdio.h>
#include <string.h>

#include "support/test.h"

static const prfdata_map_entry right_entries[SAMPLE_ENTRIES] = {
    {PRFDATA_ENTRY_OBJECT, 100, "QUEUES", L"My Queues", L"The queues of my service.",
     PERF_DETAIL_NOVICE, 102, 16, 40, 0, 0, 0, 0, 0, 0, 0, 0},
    {PRFDATA_ENTRY_OPTION, 0, "PRFDATA_MAP_TOTAL", NULL, NULL, 0, 0, 0, 0, 0, 0,
     PRFDATA_OPTION_TOTAL, 0, 0, 0, 0, 0},
    {PRFDATA_ENTRY_COUNTER, 101, "DEPTH", L"Depth", L"Jobs that wait now.", PERF_DETAIL_NOVICE, 0,
     0, 0, 1, PERF_COUNTER_RAWCOUNT, 0, 0, 0, 0, 0, 0},
    {PRFDATA_ENTRY_OPTION, 0, "PRFDATA_MAP_MERGE_MAX", NULL, NULL, 0, 0, 0, 0, 0, 0,
     PRFDATA_OPTION_MERGE_MAX, 0, 0, 0, 0, 0},
    {PRFDATA_ENTRY_COUNTER, 102, "JOBS", L"Jobs/sec", L"Jobs finished per second.",
     PERF_DETAIL_NOVICE, 0, 0, 0, 0, PERF_COUNTER_BULK_COUNT, 0, 0, 0, 0, 0, 0},
    {PRFDATA_ENTRY_COUNTER, 103, "JOB_TIME", L"Avg. sec/Job", L"The mean time of a job.",
     PERF_DETAIL_ADVANCED, 0, 0, 0, -3, PERF_AVERAGE_TIMER, 0, 0, 0, 0, 0, 0},
    {PRFDATA_ENTRY_COUNTER, 104, "JOB_TIME_BASE", L"Avg. sec/Job", L"The base.",
     PERF_DETAIL_ADVANCED, 0, 0, 0, 0, PERF_AVERAGE_BASE, 0, 0, 0, 0, 0, 0},

    {PRFDATA_ENTRY_OBJECT, 200, "WORKERS", L"My Workers", L"The workers of my service.",
     PERF_DETAIL_EXPERT, 201, PERF_NO_INSTANCES, 0, 0, 0, 0, 0, 0, 0, 0, 0},
    {PRFDATA_ENTRY_OPTION, 0, "PRFDATA_MAP_COSTLY", NULL, NULL, 0, 0, 0, 0, 0, 0,
     PRFDATA_OPTION_COSTLY, 0, 0, 0, 0, 0},
    {PRFDATA_ENTRY_COUNTER, 201, "BUSY", L"Busy", L"Workers that have a job.", PERF_DETAIL_EXPERT,
     0, 0, 0, 0, PERF_COUNTER_LARGE_RAWCOUNT, 0, 0, 0, 0, 0, 0},

    {PRFDATA_ENTRY_OBJECT, 300, "CONSUMERS", L"My Consumers", L"Who takes from a queue.",
     PERF_DETAIL_NOVICE, 301, 8, 20, 0, 0, 0, 0, 0, 0, 0, 0},
    {PRFDATA_ENTRY_OPTION, 100, "PRFDATA_MAP_PARENT", NULL, NULL, 0, 0, 0, 0, 0, 0,
     PRFDATA_OPTION_PARENT, 0, 0, 0, 0, 0},
    {PRFDATA_ENTRY_COUNTER, 301, "TAKEN", L"Jobs taken/sec", L"Jobs taken per second.",
     PERF_DETAIL_WIZARD, 0, 0, 0, 0, PERF_COUNTER_COUNTER, 0, 0, 0, 0, 0, 0},
};

void sample_map_init(sample_map *sample)
{
    memset(sample, 0, sizeof(*sample));
    memcpy(sample->entries, right_entries, sizeof(right_entries));
    sample->map.entry_bytes = sizeof(prfdata_map_entry);
    sample->map.entry_count = SAMPLE_ENTRIES;
    sample->map.entries = sample->entries;
    sample->map.service = "MyService";
}

void sample_map_init_as(sample_map *sample, const char *service)
{
    sample_map_init(sample);
    sample->map.service = service;
}

void sample_map_insert(sample_map *sample, uint32_t index, const prfdata_map_entry *entry)
{
    assert_true(sample->map.entry_count < SAMPLE_CAPACITY);
    memmove(&sample->entries[index + 1], &sample->entries[index],
            (sample->map.entry_count - index) * sizeof(*entry));
    sample->entries[index] = *entry;
    sample->map.entry_count++;
}

void sample_map_insert_option(sample_map *sample, uint32_t index, uint32_t option, uint32_t id)
{
    const prfdata_map_entry entry = {
        PRFDATA_ENTRY_OPTION, id, "AN_OPTION", NULL, NULL, 0, 0, 0, 0, 0, 0, option, 0, 0, 0, 0, 0};

    sample_map_insert(sample, index, &entry);
}

void sample_map_append(sample_map *sample, prfdata_map_entry entry)
{
    sample_map_insert(sample, sample->map.entry_count, &entry);
}

void sample_map_append_option(sample_map *sample, uint32_t option, uint32_t id)
{
    sample_map_insert_option(sample, sample->map.entry_count, option, id);
}

void sample_map_heat(sample_map *sample)
{
    sample->entries[BUSY].type = PERF_COUNTER_BULK_COUNT;
    sample_map_insert_option(sample, BUSY + 1, PRFDATA_OPTION_HOT, 0);
    sample_map_insert_option(sample, JOB_TIME_BASE, PRFDATA_OPTION_HOT, 0);
    sample_map_insert_option(sample, JOBS + 1, PRFDATA_OPTION_HOT, 0);
}

void sample_map_remove(sample_map *sample, uint32_t index)
{
    sample->map.entry_count--;
    memmove(&sample->entries[index], &sample->entries[index + 1],
            (sample->map.entry_count - index) * sizeof(sample->entries[0]));
}

/* Give the entry a symbol that is made from its id. */
static void name_entry(prfdata_map_entry *entry)
{
    static char symbols[SAMPLE_CAPACITY][8];
    uint32_t place = entry->id % SAMPLE_CAPACITY;

    snprintf(symbols[place], sizeof(symbols[place]), "c%u", (unsigned)place);
    entry->symbol = symbols[place];
}

prfdata_map_entry sample_map_counter(uint32_t id, uint32_t type)
{
    static wchar_t names[SAMPLE_CAPACITY][8];
    prfdata_map_entry entry = {.kind = PRFDATA_ENTRY_COUNTER,
                               .id = id,
                               .name = names[id % SAMPLE_CAPACITY],
                               .help = L"H",
                               .detail_level = PERF_DETAIL_NOVICE,
                               .type = type};

    name_entry(&entry);
    for (size_t i = 0; i < 8; i++)
        names[id % SAMPLE_CAPACITY][i] = (wchar_t)entry.symbol[i];
    return entry;
}

prfdata_map_entry sample_map_object(uint32_t id, const wchar_t *name, uint32_t default_counter,
                                    int32_t max_instances, uint32_t max_name_chars)
{
    prfdata_map_entry entry = {.kind = PRFDATA_ENTRY_OBJECT,
                               .id = id,
                               .name = name,
                               .help = L"H",
                               .detail_level = PERF_DETAIL_NOVICE,
                               .default_counter = default_counter,
                               .max_instances = max_instances,
                               .max_name_chars = max_name_chars};

    name_entry(&entry);
    return entry;
}
