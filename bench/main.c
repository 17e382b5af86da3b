/* SPDX-License-Identifier: MIT */
/*
 * Measures some subjects or all of them: prfdata_bench [-quick] [<subject>...]. Writes a line of
 * JSON to standard output for each figure, and for the samples of each contestant. Writes the name
 * of each race to standard error.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "subjects.h"
#include "system.h"

typedef struct bench_subject {
    const char *name;
    void (*measure)(void);
} bench_subject;

static const bench_subject subjects[] = {
    {"bumps", bench_bumps},         {"records", bench_records},   {"pairs", bench_pairs},
    {"instances", bench_instances}, {"collects", bench_collects}, {"regions", bench_regions},
    {"readers", bench_readers}};

enum { SUBJECT_COUNT = sizeof subjects / sizeof subjects[0] };

static bool is_wanted(const char *name, int argc, char **argv)
{
    for (int i = 0; i < argc; i++)
        if (strcmp(argv[i], name) == 0)
            return true;
    return argc == 0;
}

static bool is_subject(const char *name)
{
    for (int i = 0; i < SUBJECT_COUNT; i++)
        if (strcmp(subjects[i].name, name) == 0)
            return true;
    return false;
}

int main(int argc, char **argv)
{
    argc--;
    argv++;
    if (argc > 0 && strcmp(argv[0], "-quick") == 0) {
        bench_set_rounds(5, 0.5);
        argc--;
        argv++;
    }
    for (int i = 0; i < argc; i++) {
        if (!is_subject(argv[i])) {
            fprintf(stderr, "prfdata_bench: no subject is called %s\n", argv[i]);
            return 2;
        }
    }
    bench_system_raise_limits();
    bench_system_pin(0);
    for (int i = 0; i < SUBJECT_COUNT; i++)
        if (is_wanted(subjects[i].name, argc, argv))
            subjects[i].measure();
    return 0;
}
