/* SPDX-License-Identifier: MIT */
/* Measures Performance Co-Pilot for comparison. Its values are in a memory-mapped file (MMV), and
 * pmFetch reads them in a local context. A local context loads PCP's own agent for such files into
 * this process, so there is no daemon and no network.
 *
 *     pcp <path of the agent> [-quick] */
#include <pcp/pmapi.h>

#include <pcp/mmv_stats.h> /* needs the types of the header above */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "system.h"

enum { AGENT = 70, CLUSTER = 321, INSTANCES = 1, MAX_METRICS = 20, NAME_BYTES = 32 };

typedef struct mapped_values {
    uint32_t metrics;
    uint32_t instances;
    char (*names)[NAME_BYTES]; /* names of the metrics, then of the instances */
    void *memory;
    pmAtomValue *one;
    pmID ids[MAX_METRICS];
} mapped_values;

static void must(bool condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "pcp: %s\n", what);
    exit(1);
}

static void add_metrics(mapped_values *values, mmv_registry_t *registry)
{
    const pmUnits count = MMV_UNITS(0, 0, 1, 0, 0, PM_COUNT_ONE);

    for (uint32_t i = 0; i < values->metrics; i++) {
        snprintf(values->names[i], NAME_BYTES, "counter%04u", i);
        mmv_stats_add_metric(registry, values->names[i], (int)i + 1, MMV_TYPE_U64, MMV_SEM_COUNTER,
                             count, INSTANCES, "a counter", "a counter");
        values->ids[i] = pmID_build(AGENT, CLUSTER, i + 1);
    }
}

static void make_values(mapped_values *values, uint32_t instances, uint32_t metrics)
{
    mmv_registry_t *registry = mmv_stats_registry("bench", CLUSTER, 0);

    values->instances = instances;
    values->metrics = metrics;
    values->names = calloc(metrics + instances, NAME_BYTES);
    must(registry && values->names, "no memory");
    mmv_stats_add_indom(registry, INSTANCES, "instances", "instances");
    for (uint32_t i = 0; i < instances; i++) {
        char *name = values->names[metrics + i];

        snprintf(name, NAME_BYTES, "instance %06u", i);
        mmv_stats_add_instance(registry, INSTANCES, (int)i, name);
    }
    add_metrics(values, registry);
    values->memory = mmv_stats_start(registry);
    must(values->memory != NULL, "cannot make the mapped file");
    values->one = mmv_lookup_value_desc(values->memory, values->names[metrics - 1],
                                        values->names[metrics + instances - 1]);
    must(values->one != NULL, "a value is missing");
}

static void drop_values(mapped_values *values)
{
    char path[1024];

    mmv_stats_stop("bench", values->memory);
    snprintf(path, sizeof path, "%s/mmv/bench", pmGetConfig("PCP_TMP_DIR"));
    unlink(path);
    free(values->names);
}

static void fetch_values(void *context, uint64_t times)
{
    mapped_values *values = context;

    for (uint64_t i = 0; i < times; i++) {
        pmResult *result;

        must(pmFetch((int)values->metrics, values->ids, &result) >= 0, "pmFetch failed");
        must(result->vset[0]->numval == (int)values->instances, "values are missing");
        pmFreeResult(result);
    }
}

static void increment_value(void *context, uint64_t times)
{
    mapped_values *values = context;

    for (uint64_t i = 0; i < times; i++)
        mmv_inc(values->memory, values->one);
}

static void increment_by_name(void *context, uint64_t times)
{
    mapped_values *values = context;

    for (uint64_t i = 0; i < times; i++)
        mmv_stats_inc(values->memory, values->names[values->metrics - 1],
                      values->names[values->metrics + values->instances - 1]);
}

static void race_fetch(uint32_t instances, uint32_t metrics)
{
    mapped_values values;
    const bench_contestant race[] = {{"PCP, pmFetch", fetch_values, &values, NULL, 0}};
    char name[64];

    make_values(&values, instances, metrics);
    snprintf(name, sizeof name, "collect/%ux%u", instances, metrics);
    bench_race(name, race, 1);
    drop_values(&values);
}

static void race_bumps(void)
{
    mapped_values values;
    const bench_contestant race[] = {
        {"PCP, mmv_inc (not atomic)", increment_value, &values, NULL, 0},
        {"PCP, by name among 20,000 values", increment_by_name, &values, NULL, 0}};

    make_values(&values, 1000, 20);
    bench_race("bump", race, 2);
    drop_values(&values);
}

static void open_local_context(const char *agent)
{
    char specification[1024];

    snprintf(specification, sizeof specification, "add,%d,%s,mmv_init", AGENT, agent);
    pmSpecLocalPMDA("clear");
    must(pmSpecLocalPMDA(specification) == NULL, "the agent is not accepted");
    must(pmNewContext(PM_CONTEXT_LOCAL, NULL) >= 0, "no local context");
}

int main(int argc, char **argv)
{
    must(argc > 1, "which agent?");
    if (argc > 2 && strcmp(argv[2], "-quick") == 0)
        bench_set_rounds(5, 0.5);
    bench_system_pin(0);
    open_local_context(argv[1]);
    race_bumps();
    race_fetch(1, 10);
    race_fetch(10, 20);
    race_fetch(100, 10);
    race_fetch(100, 20);
    race_fetch(1000, 20); /* 10,000 instances would take ten seconds to a minute */
    return 0;
}
