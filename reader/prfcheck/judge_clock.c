/* SPDX-License-Identifier: MIT */
/*
 * Judges whether the clocks of objects run (judge.h, prfdata_judge_clock). Does not know what time
 * it is: the caller measured how much of it passed.
 */
#include "prfcheck/judge.h"

#include <inttypes.h>

#include "prfcheck/judge_object.h"
#include "prfcheck/judge_reply.h"

#define TICKS_OF_GRACE 2 /* a clock of few ticks is read between two of them, both times */

/* Half and twice of the ticks that are due are right: it is another clock that is looked for. */
static bool is_clock_right(int64_t ticks, int64_t frequency, uint64_t least_us, uint64_t most_us)
{
    const double least = (double)frequency * (double)least_us / 1e6;
    const double most = (double)frequency * (double)most_us / 1e6;

    return (double)ticks >= least / 2 - TICKS_OF_GRACE &&
           (double)ticks <= most * 2 + TICKS_OF_GRACE;
}

static void judge_object_rate(prfdata_judged *j, const prfdata_judged_object *was,
                              const prfdata_judged_object *is, uint64_t least_us, uint64_t most_us)
{
    const int64_t frequency = is->header.perf_freq;
    const int64_t ticks =
        (int64_t)((uint64_t)is->header.perf_time - (uint64_t)was->header.perf_time);
    const bool is_used = prfdata_judge_object_timer_type(is) != 0;

    if (frequency <= 0 || frequency != was->header.perf_freq ||
        is_clock_right(ticks, frequency, least_us, most_us))
        return;
    if (is_used)
        PRFDATA_FIND(j, CLOCK_RATE, PRFDATA_OBJECT_AT(is, perf_time),
                     "PerfTime went on by %" PRId64 " in %" PRIu64 " to %" PRIu64
                     " ms, PerfFreq is %" PRId64,
                     ticks, least_us / 1000, most_us / 1000, frequency);
    else if (is->header.perf_time != 0 || was->header.perf_time != 0)
        PRFDATA_FIND(j, CLOCK_UNUSED, PRFDATA_OBJECT_AT(is, perf_time),
                     "PerfTime went on by %" PRId64 " in %" PRIu64 " to %" PRIu64
                     " ms, PerfFreq is %" PRId64,
                     ticks, least_us / 1000, most_us / 1000, frequency);
}

uint32_t prfdata_judge_clock(const prfdata_judge_reply *older, const prfdata_judge_reply *newer,
                             uint64_t least_us, uint64_t most_us, prfdata_findings *findings)
{
    prfdata_judged was;
    prfdata_judged is;

    prfdata_judge_reply_read(&was, older, NULL, false, NULL);
    prfdata_judge_reply_read(&is, newer, NULL, false, NULL);
    is.findings = findings;
    for (uint32_t i = 0; i < is.object_count; i++) {
        const prfdata_judged_object *same =
            prfdata_judged_find(&was, is.objects[i].header.object_name_title_index);

        if (same)
            judge_object_rate(&is, same, &is.objects[i], least_us, most_us);
    }
    prfdata_judged_free(&was);
    prfdata_judged_free(&is);
    return was.is_out_of_memory || is.is_out_of_memory ? ERROR_NOT_ENOUGH_MEMORY : ERROR_SUCCESS;
}
