/* SPDX-License-Identifier: MIT */
/*
 * Prints the rates of all counters of two objects, which it finds by their names: the example of
 * reading-by-hand.md. It needs no part of PrfData. In this folder, either line builds it:
 *
 *     x86_64-w64-mingw32-gcc -o rates.exe rates.c raw_reader.c
 *     cl rates.c raw_reader.c advapi32.lib
 *
 * It ends with 1 and prints the reason to standard error if it cannot read the titles or a sample,
 * if the service RasSample is not installed, or if its titles have no texts (Wine keeps none).
 * While `ras` does not run, there are no ports, and the rates of RAS Total are 0.
 */
#include <stdio.h>

#include "raw_reader.h"

static raw_titles titles;
static raw_sample older, newer;

static void print_rate(void *context, const raw_value *now)
{
    const wchar_t *name = raw_titles_name(&titles, now->counter);
    DWORD before;

    (void)context;
    if (now->type == PERF_COUNTER_COUNTER && raw_sample_value(&older, now, &before) == 0)
        printf("%.1f %ls %ls\n", raw_rate(&older, before, &newer, now->value),
               name ? name : L"(no name)", now->instance);
}

static int stop_because(const char *reason)
{
    fprintf(stderr, "rates: %s\n", reason);
    return 1;
}

int main(void)
{
    DWORD first, last, port, total;
    wchar_t query[32];

    if (raw_titles_read(&titles) != 0)
        return stop_because("the system's titles cannot be read");
    if (raw_titles_of_service(L"RasSample", &first, &last) != 0)
        return stop_because("service RasSample is not installed");
    port = raw_titles_index(&titles, L"RAS Port", first, last);
    total = raw_titles_index(&titles, L"RAS Total", first, last);
    if (port == 0 || total == 0)
        return stop_because("the titles of RasSample have no texts");
    swprintf(query, 32, L"%lu %lu", port, total); /* such as "780 906" */
    if (raw_sample_query(query, &older) != 0)
        return stop_because("the system gives no sample");
    Sleep(1000);
    if (raw_sample_query(query, &newer) != 0)
        return stop_because("the system gives no second sample");
    if (raw_sample_walk(&newer, print_rate, NULL) != 0)
        return stop_because("the second sample is damaged");
    return 0;
}
