/* SPDX-License-Identifier: MIT */
/*
 * Measures a reader with everything at its limit (docs/security-and-limits.md): the time of Open
 * and the first Collect, the time of a later Collect, and the most memory that the reader needs.
 * Each scene has two processes: one publishes for all programs of the scene, and one is the reader.
 * Linux only.
 *
 *     prfdata_limits            all scenes, as a table
 *     prfdata_limits <number>   one scene
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <prfdata/prfdata.h>

#include "collect/provider.h"
#include "support/must.h"
#include "support/service.h"
#include "system.h"

#define SERVICE "PrfDataLimits"

enum { FIRST_TITLE = 9100, REPLY_BYTES = 192 * 1024 * 1024, MEBIBYTE = 1024 * 1024 };

/* clang-format off */
#define IDS(object, id)                                                                            \
    object = (id), object##_CALLS,                                                                 \
    object##_A, object##_B, object##_C, object##_D, object##_E, object##_F, object##_G, object##_H, \
    object##_I, object##_J, object##_K, object##_L, object##_M, object##_N, object##_O, object##_P, \
    object##_MEAN_A, object##_MEAN_B, object##_MEAN_C, object##_MEAN_D, object##_MEAN_E,           \
    object##_MEAN_F, object##_MEAN_G, object##_MEAN_H, object##_MEAN_I, object##_MEAN_J,           \
    object##_MEAN_K, object##_MEAN_L, object##_MEAN_M, object##_MEAN_N, object##_MEAN_O,           \
    object##_MEAN_P
enum { IDS(FIRST, 100), IDS(SECOND, 200), IDS(THIRD, 300), IDS(FOURTH, 400), PORTS = 500, PORTS_CALLS };

#define OBJECT(object, title)                                                                      \
    PRFDATA_MAP_OBJ(object, title, title, PERF_DETAIL_NOVICE, object##_CALLS, PERF_NO_INSTANCES, 0)
#define CALLS(object)                                                                              \
    PRFDATA_MAP_CTR(object##_CALLS, L"Calls", L"Calls.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)
#define FINE(id) PRFDATA_MAP_DISTRIBUTION_WITH(id, PRFDATA_UNIT_NUMBER, 1, INT64_MAX, 32, 60)
#define MEAN(object, letter)                                                                       \
    PRFDATA_MAP_CTR(object##_MEAN_##letter, L"" #letter, L"Mean.", PERF_DETAIL_NOVICE, 0,          \
                    PERF_COUNTER_LARGE_RAWCOUNT)                                                   \
    PRFDATA_MAP_MEAN(object##_##letter)
#define FINE_OBJECT(object, title)                                                                 \
    OBJECT(object, title)                                                                          \
    FINE(object##_A) FINE(object##_B) FINE(object##_C) FINE(object##_D) FINE(object##_E)           \
    FINE(object##_F) FINE(object##_G) FINE(object##_H) FINE(object##_I) FINE(object##_J)           \
    FINE(object##_K) FINE(object##_L) FINE(object##_M) FINE(object##_N) FINE(object##_O)           \
    FINE(object##_P)                                                                               \
    CALLS(object)                                                                                  \
    MEAN(object, A) MEAN(object, B) MEAN(object, C) MEAN(object, D) MEAN(object, E)                \
    MEAN(object, F) MEAN(object, G) MEAN(object, H) MEAN(object, I) MEAN(object, J)                \
    MEAN(object, K) MEAN(object, L) MEAN(object, M) MEAN(object, N) MEAN(object, O)                \
    MEAN(object, P)

PRFDATA_MAP_BEGIN_AS(small_map)
    OBJECT(FIRST, L"First") CALLS(FIRST)
    OBJECT(SECOND, L"Second") CALLS(SECOND)
    OBJECT(THIRD, L"Third") CALLS(THIRD)
    OBJECT(FOURTH, L"Fourth") CALLS(FOURTH)
PRFDATA_MAP_END_AS(small_map, SERVICE)

/* The next version of small_map. Each object has the most distributions that it may have, with the
 * finest precision. */
PRFDATA_MAP_BEGIN_AS(fine_map)
    FINE_OBJECT(FIRST, L"First")
    FINE_OBJECT(SECOND, L"Second")
    FINE_OBJECT(THIRD, L"Third")
    FINE_OBJECT(FOURTH, L"Fourth")
PRFDATA_MAP_END_AS(fine_map, SERVICE)

/* A map whose object has the most instances that an object may have. */
PRFDATA_MAP_BEGIN_AS(wide_map)
    PRFDATA_MAP_OBJ(PORTS, L"Ports", L"Ports.", PERF_DETAIL_NOVICE, PORTS_CALLS, 65535, 8)
    PRFDATA_MAP_TOTAL()
    PRFDATA_MAP_CTR(PORTS_CALLS, L"Calls", L"Calls.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)
PRFDATA_MAP_END_AS(wide_map, SERVICE)

typedef struct limits_scene {
    const char *text;
    const prfdata_map *published;
    const prfdata_map *installed; /* the map that is installed when the reader opens */
    uint32_t programs;
    uint32_t instances; /* instances of the object PORTS */
    bool have_ended;
} limits_scene;
/* clang-format on */

static const limits_scene scenes[] = {
    {"1,000 programs run, small map", &small_map, &small_map, 1000, 0, false},
    {"1,000 ended, small map", &small_map, &small_map, 1000, 0, true},
    {"1,000 ended, small map; the next has 4 x 16 fine distributions", &small_map, &fine_map, 1000,
     0, true},
    {"1,000 run, small map; the next has 4 x 16 fine distributions", &small_map, &fine_map, 1000, 0,
     false},
    {"40 run, 4 x 16 fine distributions", &fine_map, &fine_map, 40, 0, false},
    {"40 ended, 4 x 16 fine distributions", &fine_map, &fine_map, 40, 0, true},
    {"64 run, 65,535 instances each, of the same names", &wide_map, &wide_map, 64, 65535, false},
    {"64 ended, 65,535 instances each", &wide_map, &wide_map, 64, 65535, true},
};
enum { SCENES = sizeof scenes / sizeof scenes[0] };

static prfdata_publisher *publish_program(const limits_scene *scene)
{
    const prfdata_capacity capacity = {PORTS, scene->instances};
    prfdata_publisher *publisher;
    prfdata_instance port;
    prfdata_handle calls;

    MUST(!prfdata_open_with(scene->published, &capacity, scene->instances > 0, &publisher));
    for (uint32_t i = 0; i < scene->instances; i++) {
        MUST(!prfdata_instance_add_id(publisher, PORTS, (int32_t)i, NULL, &port));
        MUST(!prfdata_resolve(publisher, PORTS_CALLS, &port, &calls));
        prfdata_increment(calls);
    }
    if (scene->instances == 0) {
        MUST(!prfdata_resolve(publisher, FIRST_CALLS, NULL, &calls));
        prfdata_increment(calls);
    }
    return publisher;
}

static double read_status_mib(const char *name)
{
    FILE *file = fopen("/proc/self/status", "r");
    char line[128];
    double kib = 0;

    MUST(file != NULL);
    while (fgets(line, sizeof line, file))
        if (!strncmp(line, name, strlen(name)))
            kib = strtod(line + strlen(name), NULL);
    (void)fclose(file);
    return kib / 1024;
}

static void forget_peak(void)
{
    FILE *file = fopen("/proc/self/clear_refs", "w");

    MUST(file != NULL && fputs("5", file) >= 0 && fclose(file) == 0);
}

static double ms_since(uint64_t start)
{
    return (double)(bench_system_ns() - start) / 1e6;
}

static uint32_t collect_all(prfdata_provider *provider, uint8_t *reply)
{
    static const uint16_t all[] = {'G', 'l', 'o', 'b', 'a', 'l', 0};
    uint32_t bytes = REPLY_BYTES;
    void *data = reply;
    uint32_t objects;

    MUST(!prfdata_provider_collect(provider, all, &data, &bytes, &objects));
    return bytes;
}

static void measure_reader(const limits_scene *scene)
{
    uint8_t *reply = malloc(REPLY_BYTES); /* only the bytes that are written become resident */
    prfdata_provider *provider;
    uint64_t start;
    uint32_t bytes;
    double before, first, later, peak;

    MUST(reply != NULL);
    forget_peak();
    before = read_status_mib("VmRSS:");
    start = bench_system_ns();
    MUST(!prfdata_provider_open(SERVICE, &provider));
    (void)collect_all(provider, reply);
    first = ms_since(start);
    (void)collect_all(provider, reply);
    start = bench_system_ns();
    bytes = collect_all(provider, reply);
    later = ms_since(start);
    peak = read_status_mib("VmHWM:") - before;
    printf("| %s | %.0f ms | %.1f ms | %.0f MB | %.0f kB |\n", scene->text, first, later,
           peak * 1.048576, bytes / 1e3);
    fflush(stdout);
    prfdata_provider_close(provider);
    free(reply);
}

static void run_in_child(void (*run)(const limits_scene *scene), const limits_scene *scene)
{
    pid_t child;
    int status;

    fflush(stdout);
    child = fork();
    MUST(child >= 0);
    if (child == 0) {
        run(scene);
        fflush(stdout);
        _exit(0);
    }
    MUST(waitpid(child, &status, 0) == child && status == 0);
}

static void run_scene(const limits_scene *scene)
{
    prfdata_publisher **publishers = calloc(scene->programs, sizeof(prfdata_publisher *));
    prfdata_test_service service;

    MUST(publishers != NULL);
    prfdata_test_service_make(&service, SERVICE, scene->published, FIRST_TITLE);
    for (uint32_t i = 0; i < scene->programs; i++)
        publishers[i] = publish_program(scene);
    for (uint32_t i = 0; i < scene->programs && scene->have_ended; i++)
        prfdata_close_and_unmap(publishers[i]);
    if (scene->installed != scene->published)
        prfdata_test_service_upgrade(&service, scene->installed);
    run_in_child(measure_reader, scene);
    for (uint32_t i = 0; i < scene->programs && !scene->have_ended; i++)
        prfdata_close_and_unmap(publishers[i]);
    prfdata_test_service_remove(&service);
    free(publishers);
}

int main(int argc, char **argv)
{
    const unsigned long only = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;

    MUST(only <= SCENES);
    bench_system_raise_limits();
    printf("| scene | Open and first Collect | later | memory at most | reply "
           "|\n|---|---|---|---|---|\n");
    for (unsigned long i = 0; i < SCENES; i++)
        if (only == 0 || only == i + 1)
            run_in_child(run_scene, &scenes[i]);
    return 0;
}
