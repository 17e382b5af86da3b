/* SPDX-License-Identifier: MIT */
/*
 * Checks that two files belong together. Compares what the files say about their computers, clocks,
 * times and titles.
 */
#include "source/file_pair.h"

#include <prfdata/error.h>

#include "text/output.h"
#include "text/words.h"

/* The time between the two blocks is computed twice: from the clock and from the date. The results
 * usually differ a little. If they differ by more than this limit plus 1 % of the time by date, the
 * computer was probably restarted. */
#define MOST_CLOCK_DIFFERENCE_S 120.0
#define HUNDRED_NS_PER_S        1e7

static void put_word(prfdata_output *output, prfdata_word word)
{
    prfdata_output_put_string(output, prfdata_words_get(word));
}

static uint32_t refuse_newer_file(const prfdata_file_pair_part *newer, prfdata_output *reason,
                                  prfdata_messages *messages)
{
    prfdata_output_put(reason, "", 1);
    prfdata_messages_add(messages, PRFDATA_SEVERITY_ERROR, newer->path, "%s",
                         reason->failed ? prfdata_words_get(PRFDATA_WORD_PAIR_NO_MATCH)
                                        : reason->bytes);
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
        put_word(&reason, PRFDATA_WORD_PAIR_COMPUTER);
        prfdata_output_put_text(&reason, newer->computer);
        put_word(&reason, PRFDATA_WORD_PAIR_AND);
        prfdata_output_put_text(&reason, older->path);
        put_word(&reason, PRFDATA_WORD_PAIR_OF_COMPUTER);
        prfdata_output_put_text(&reason, older->computer);
        put_word(&reason, PRFDATA_WORD_PAIR_ONE_AT_A_TIME);
        return refuse_newer_file(newer, &reason, messages);
    }
    if (frequency != newer->header->perf_freq) {
        prfdata_output_format(&reason, "%s%lld%s%s", prfdata_words_get(PRFDATA_WORD_PAIR_CLOCK),
                              (long long)newer->header->perf_freq,
                              prfdata_words_get(PRFDATA_WORD_PAIR_TICKS),
                              prfdata_words_get(PRFDATA_WORD_PAIR_AND));
        prfdata_output_put_text(&reason, older->path);
        /* The frequency is fixed at system boot (documentation of QueryPerformanceFrequency). */
        prfdata_output_format(&reason, "%s%lld%s%s%s",
                              prfdata_words_get(PRFDATA_WORD_PAIR_OF_CLOCK), (long long)frequency,
                              prfdata_words_get(PRFDATA_WORD_PAIR_OTHER_CLOCK),
                              older->computer.count > 0 && newer->computer.count > 0
                                  ? ""
                                  : prfdata_words_get(PRFDATA_WORD_PAIR_OR_COMPUTERS),
                              prfdata_words_get(PRFDATA_WORD_PAIR_ONE_AT_A_TIME));
        return refuse_newer_file(newer, &reason, messages);
    }
    return ERROR_SUCCESS;
}

/* Counters that are installed again may get other title indexes, and their old indexes may then
 * belong to other counters. */
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
        prfdata_output_format(&reason, "%s%u ", prfdata_words_get(PRFDATA_WORD_PAIR_TITLE),
                              (unsigned)names->items[i].index);
        prfdata_output_put_text(&reason, names->items[i].name);
        put_word(&reason, PRFDATA_WORD_PAIR_AND);
        prfdata_output_put_text(&reason, older->path);
        put_word(&reason, PRFDATA_WORD_PAIR_CALLS_IT);
        prfdata_output_put_text(&reason, before);
        prfdata_output_format(&reason, "%s%s", prfdata_words_get(PRFDATA_WORD_PAIR_INSTALLED),
                              prfdata_words_get(PRFDATA_WORD_PAIR_ONE_AT_A_TIME));
        return refuse_newer_file(newer, &reason, messages);
    }
    return ERROR_SUCCESS;
}

static void check_times(const prfdata_file_pair_part *older, const prfdata_file_pair_part *newer,
                        prfdata_messages *messages)
{
    const prfdata_perf_data_block *before = older->header;
    const prfdata_perf_data_block *now = newer->header;
    /* Computed as doubles, because the differences of invalid times need not fit into 64 bits. */
    const double by_date =
        ((double)now->perf_time_100ns - (double)before->perf_time_100ns) / HUNDRED_NS_PER_S;
    double by_clock;

    if (by_date < 0) {
        prfdata_messages_add(messages, PRFDATA_SEVERITY_WARNING, newer->path, "%s",
                             prfdata_words_get(PRFDATA_WORD_PAIR_OLDER));
        return;
    }
    if (before->perf_freq <= 0 || now->perf_time_100ns == 0)
        return;
    by_clock = ((double)now->perf_time - (double)before->perf_time) / (double)before->perf_freq;
    if (by_clock - by_date > MOST_CLOCK_DIFFERENCE_S + by_date / 100 ||
        by_date - by_clock > MOST_CLOCK_DIFFERENCE_S + by_date / 100)
        prfdata_messages_add(messages, PRFDATA_SEVERITY_WARNING, newer->path, "%s",
                             prfdata_words_get(PRFDATA_WORD_PAIR_RESTARTED));
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
