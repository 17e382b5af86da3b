/* SPDX-License-Identifier: MIT */
/* The example of README.md: from the names of two objects to the rates of all their counters. */
#include <stdio.h>

#include "raw_reader.h"

static raw_titles titles;
static raw_sample older, newer;

static void print_rate(void *context, const raw_value *now)
{
    DWORD before;

    (void)context;
    if (now->type == PERF_COUNTER_COUNTER && raw_sample_value(&older, now, &before) == 0)
        printf("%.1f %ls %ls\n", raw_rate(&older, before, &newer, now->value),
               raw_titles_name(&titles, now->counter), now->instance);
}

int main(void)
{
    DWORD first, last, port, total;
    wchar_t query[32];

    if (raw_titles_read(&titles) != 0 || raw_titles_of_service(L"RasSample", &first, &last) != 0)
        return 1;
    port = raw_titles_index(&titles, L"RAS Port", first, last);
    total = raw_titles_index(&titles, L"RAS Total", first, last);
    swprintf(query, 32, L"%lu %lu", port, total); /* such as "780 906" */
    if (port == 0 || total == 0 || raw_sample_query(query, &older) != 0)
        return 1;
    Sleep(1000);
    return raw_sample_query(query, &newer) != 0 || raw_sample_walk(&newer, print_rate, NULL) != 0;
}
