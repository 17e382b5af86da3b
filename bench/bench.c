/* SPDX-License-Identifier: MIT */
/* Runs races and prints samples (bench.h). The subjects (subjects.h) supply what is measured. */
#include "bench.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <prfdata/atomic.h>

#include "system.h"

enum { MAX_ROUNDS = 101, MAX_CONTESTANTS = 12, LEAST_ROUNDS = 3 };

/* A sample is long compared with the clock's tick, and short compared with the time slices that the
 * system gives to programs. */
static const double sample_ns = 100e3;
/* The sum of the times that the threads of a sample run. It is long compared with the differences
 * between the threads' starts. */
static const double team_ns = 40e6;

static uint32_t most_rounds = 31;
static double most_seconds = 6;
static volatile uint64_t sink;

typedef struct bench_samples {
    uint64_t times; /* the number of runs in a sample */
    uint32_t count;
    double ns[MAX_ROUNDS]; /* the time of one run */
    bool is_disturbed[MAX_ROUNDS];
} bench_samples;

/* A sample with several threads. */
typedef struct bench_team {
    const bench_contestant *contestant;
    uint64_t times;
    uint64_t ready; /* how many threads have started; each waits until all have */
    uint64_t began[64];
    uint64_t ended[64];
} bench_team;

void bench_use(uint64_t value)
{
    sink = value;
}

void bench_set_rounds(uint32_t rounds, double seconds)
{
    most_rounds = rounds < MAX_ROUNDS ? rounds : MAX_ROUNDS;
    most_seconds = seconds;
}

static void run_in_team(void *context, uint32_t index)
{
    bench_team *team = context;

    bench_system_pin(index);
    prfdata_add64_release(&team->ready, 1);
    while (prfdata_load64_acquire(&team->ready) < team->contestant->threads)
        bench_system_yield();
    team->began[index] = bench_system_ns();
    team->contestant->run(team->contestant->context, team->times);
    team->ended[index] = bench_system_ns();
}

static double time_team(const bench_contestant *contestant, uint64_t times)
{
    bench_team team = {.contestant = contestant, .times = times};
    uint64_t began = UINT64_MAX;
    uint64_t ended = 0;

    bench_system_run_threads(contestant->threads, run_in_team, &team);
    for (uint32_t i = 0; i < contestant->threads; i++) {
        began = team.began[i] < began ? team.began[i] : began;
        ended = team.ended[i] > ended ? team.ended[i] : ended;
    }
    return (double)(ended - began);
}

static double time_alone(const bench_contestant *contestant, uint64_t times)
{
    const uint64_t began = bench_system_ns();

    contestant->run(contestant->context, times);
    return (double)(bench_system_ns() - began);
}

/*
 * Returns the nanoseconds that `times` runs take. If the contestant has several threads, each of
 * them makes `times` runs, all at the same time.
 */
static double time_runs(const bench_contestant *contestant, uint64_t times, bool *is_disturbed)
{
    uint64_t preemptions;
    double ns;

    *is_disturbed = false;
    if (contestant->threads > 0)
        return time_team(contestant, times);
    if (contestant->prepare)
        contestant->prepare(contestant->context);
    /* Another contestant has filled the caches, so run once without measuring. */
    else
        contestant->run(contestant->context, 1);
    preemptions = bench_system_preemptions();
    ns = time_alone(contestant, times);
    *is_disturbed = bench_system_preemptions() != preemptions;
    return ns;
}

/* Returns how many runs make a sample long enough. This also warms up. The runs are measured in one
 * thread, even if the contestant has several, because several would wait for each other. */
static uint64_t find_times(const bench_contestant *contestant)
{
    const double enough_ns = contestant->threads > 0 ? team_ns / contestant->threads : sample_ns;
    uint64_t times = 1;

    if (contestant->prepare)
        return 1;
    while (time_alone(contestant, times) < enough_ns && times < UINT64_C(1) << 40)
        times *= 2;
    return times;
}

static void take_bench_sample(const bench_contestant *contestant, bench_samples *samples)
{
    const uint32_t threads = contestant->threads > 0 ? contestant->threads : 1;
    bool *is_disturbed = &samples->is_disturbed[samples->count];
    double ns = time_runs(contestant, samples->times, is_disturbed);

    samples->ns[samples->count++] = ns / (double)samples->times / threads;
}

static void print_samples(const char *race, const char *who, const bench_samples *samples)
{
    printf("{\"race\": \"%s\", \"who\": \"%s\", \"ns\": [", race, who);
    for (uint32_t i = 0; i < samples->count; i++)
        printf("%s%.4g", i > 0 ? ", " : "", samples->ns[i]);
    printf("], \"disturbed\": [");
    for (uint32_t i = 0, n = 0; i < samples->count; i++)
        if (samples->is_disturbed[i])
            printf("%s%u", n++ > 0 ? ", " : "", (unsigned)i);
    printf("]}\n");
    fflush(stdout);
}

void bench_race(const char *race, const bench_contestant *contestants, uint32_t count)
{
    bench_samples *samples = calloc(count, sizeof *samples);
    uint64_t deadline;

    if (!samples || count > MAX_CONTESTANTS)
        abort();
    fprintf(stderr, "%s\n", race);
    for (uint32_t i = 0; i < count; i++)
        samples[i].times = find_times(&contestants[i]);
    deadline = bench_system_ns() + (uint64_t)(most_seconds * 1e9);
    for (uint32_t round = 0; round < most_rounds; round++) {
        if (round >= LEAST_ROUNDS && bench_system_ns() > deadline)
            break;
        for (uint32_t i = 0; i < count; i++)
            take_bench_sample(&contestants[i], &samples[i]);
    }
    for (uint32_t i = 0; i < count; i++)
        print_samples(race, contestants[i].name, &samples[i]);
    free(samples);
}

void bench_figure(const char *figure, double value, const char *unit)
{
    printf("{\"figure\": \"%s\", \"value\": %.6g, \"unit\": \"%s\"}\n", figure, value, unit);
    fflush(stdout);
}
