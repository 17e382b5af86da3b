/* SPDX-License-Identifier: MIT */
/* Compares what two files say of themselves, before anything is computed from them. */
#include "source/file_pair.h"

#include <prfdata/error.h>

#include "text/output.h"

/* The clocks of a computer drift and are set; after a larger step, the computer was restarted. */
#define MOST_CLOCK_DIFFERENCE_S 120.0
#define HUNDRED_NS_PER_S        1e7

/* Refuse the newer file: values computed from both would be wrong. */
static uint32_t refuse_newer_file(const prfdata_file_pair_part *newer, prfdata_output *reason,
                                  prfdata_messages *messages)
{
    prfdata_output_put(reason, "", 1);
    prfdata_messages_add(messages, PRFDATA_SEVERITY_ERROR, newer->path, "%s",
                         reason->failed ? "does not go with the other file" : reason->bytes);
    prfdata_output_free(reason);
    return ERROR_INVALID_PARAMETER;
}

static uint32_t check_computers(const prfdata_file_pair_part *older,
                                const prfdata_file_pair_part *newer, prfdata_messages *messages)
{
    const int64_t frequency = older->header->perf_freq;
    prfdata_output reason = {0};

    if (older->computer.count > 0 && newer->computer.count > 0 &&
        !prfdata_text_equal(older->computer, newer->computer)) {
        prfdata_output_format(&reason, "is of the computer ");
        prfdata_output_put_text(&reason, newer->computer);
        prfdata_output_format(&reason, ", and ");
        prfdata_output_put_text(&reason, older->path);
        prfdata_output_format(&reason, " of ");
        prfdata_output_put_text(&reason, older->computer);
        prfdata_output_format(&reason, ": read them one at a time");
        return refuse_newer_file(newer, &reason, messages);
    }
    if (frequency != newer->header->perf_freq) {
        prfdata_output_format(&reason, "has a clock of %lld ticks a second, and ",
                              (long long)newer->header->perf_freq);
        prfdata_output_put_text(&reason, older->path);
        /* The frequency is fixed when the system starts: QueryPerformanceFrequency's page. */
        prfdata_output_format(&reason,
                              " of %lld: the computer was started with another clock source "
                              "between them%s; read them one at a time",
                              (long long)frequency,
                              older->computer.count > 0 && newer->computer.count > 0
                                  ? ""
                                  : ", or they are of different computers");
        return refuse_newer_file(newer, &reason, messages);
    }
    return ERROR_SUCCESS;
}

/* Counters that are installed again may have other indexes, and others may have theirs. */
static uint32_t check_titles(const prfdata_file_pair_part *older,
                             const prfdata_file_pair_part *newer, prfdata_messages *messages)
{
    const prfdata_name_table *names = &newer->titles->english;

    for (size_t i = 0; i < names->count; i++) {
        prfdata_text before =
            prfdata_name_table_name(&older->titles->english, names->items[i].index);
        prfdata_output reason = {0};

        if (before.count == 0 || prfdata_text_equal(before, names->items[i].name))
            continue;
        prfdata_output_format(&reason, "calls title %u ", (unsigned)names->items[i].index);
        prfdata_output_put_text(&reason, names->items[i].name);
        prfdata_output_format(&reason, ", and ");
        prfdata_output_put_text(&reason, older->path);
        prfdata_output_format(&reason, " calls it ");
        prfdata_output_put_text(&reason, before);
        prfdata_output_format(&reason,
                              ": counters were installed between them; read them one at a time");
        return refuse_newer_file(newer, &reason, messages);
    }
    return ERROR_SUCCESS;
}

static void check_times(const prfdata_file_pair_part *older, const prfdata_file_pair_part *newer,
                        prfdata_messages *messages)
{
    const prfdata_perf_data_block *before = older->header;
    const prfdata_perf_data_block *now = newer->header;
    /* As doubles, whatever the files say: these differences need not fit into 64 bits. */
    const double by_date =
        ((double)now->perf_time_100ns - (double)before->perf_time_100ns) / HUNDRED_NS_PER_S;
    double by_clock;

    if (by_date < 0) {
        prfdata_messages_add(messages, PRFDATA_SEVERITY_WARNING, newer->path,
                             "is older than the other file: -file takes the older one first");
        return;
    }
    if (before->perf_freq <= 0 || now->perf_time_100ns == 0)
        return;
    by_clock = ((double)now->perf_time - (double)before->perf_time) / (double)before->perf_freq;
    if (by_clock - by_date > MOST_CLOCK_DIFFERENCE_S + by_date / 100 ||
        by_date - by_clock > MOST_CLOCK_DIFFERENCE_S + by_date / 100)
        prfdata_messages_add(
            messages, PRFDATA_SEVERITY_WARNING, newer->path,
            "its clock does not go on from the other file's: was the computer started "
            "between them? Then differences and rates are wrong");
}

uint32_t prfdata_file_pair_check(const prfdata_file_pair_part *older,
                                 const prfdata_file_pair_part *newer, prfdata_messages *messages)
{
    uint32_t status = check_computers(older, newer, messages);

    if (status == ERROR_SUCCESS)
        status = check_titles(older, newer, messages);
    if (status == ERROR_SUCCESS)
        check_times(older, newer, messages);
    return status;
}
