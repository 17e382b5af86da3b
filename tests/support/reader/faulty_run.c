/* SPDX-License-Identifier: MIT */
/* Copies the faulty provider and starts prfcheck with the copy (faulty_run.h). */
#include "support/test.h"

#include "support/reader/faulty_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "providers/faults.h"

void faulty_run_make_copy(const char *name, char path[MAX_PATH])
{
    char from[MAX_PATH];
    char folder[MAX_PATH];

    program_run_temporary_path("dlls", folder);
    CreateDirectoryA(folder, NULL);
    snprintf(from, sizeof from, "%sprfdata-faulty.dll", program_run_folder());
    assert_in_range(snprintf(path, MAX_PATH, "%s\\faulty-%s.dll", folder, name), 1, MAX_PATH - 1);
    assert_true(CopyFileA(from, path, FALSE));
}

void faulty_run_remove_copy(const char *name)
{
    char folder[MAX_PATH];
    char path[MAX_PATH + 80];

    program_run_temporary_path("dlls", folder);
    snprintf(path, sizeof path, "%s\\faulty-%s.dll", folder, name);
    DeleteFileA(path);
    strcat(path, ".helper.dll"); /* the fault keeps_helper makes this file */
    DeleteFileA(path);
    RemoveDirectoryA(folder);
}

void faulty_run_arguments(const char *path, const char *more, char arguments[1024])
{
    assert_in_range(
        snprintf(arguments, 1024,
                 "-dll \"%s\" -open FaultyOpen -collect FaultyCollect -close FaultyClose "
                 "-first %u -last %u %s",
                 path, (unsigned)FAULTY_FIRST, (unsigned)FAULTY_LAST, more),
        1, 1023);
}

void faulty_run_start(program_run *run, const char *name, const char *more)
{
    char path[MAX_PATH];
    char arguments[1024];

    faulty_run_make_copy(name, path);
    faulty_run_arguments(path, more, arguments);
    program_run_start(run, "prfcheck", arguments, 0);
}

bool faulty_run_names_rule(const char *out, const char *rule)
{
    const size_t length = strlen(rule);

    for (const char *at = out; (at = strstr(at, rule)) != NULL; at += length) {
        if (at > out && at[-1] == ' ' && (at[length] == ',' || at[length] == ':'))
            return true;
    }
    return false;
}

bool faulty_run_says_slowest(const char *out, unsigned long least_ms)
{
    static const char before[] = "slowest ";
    const char *said = strstr(out, before);

    return said && strtoul(said + strlen(before), NULL, 10) >= least_ms;
}

bool faulty_run_waited_long_enough(const char *out)
{
    static const char before[] = "it did not return in ";
    const char *said = strstr(out, before);

    return said && strtoul(said + strlen(before), NULL, 10) >= FAULTY_HANGS_LEAST_MS;
}
