/* SPDX-License-Identifier: MIT */
/*
 * Says when the next sample is due. Normally, samples are due exactly one interval apart. If a
 * sample ends later than usual by more than a tenth of the interval, all following samples are due
 * later by this delay. At least half an interval passes between the end of a sample and the time at
 * which the next sample is due.
 *
 *     prfdata_pace_begin(&pace, now_ms, interval_ms);
 *     wait_until(pace.due_ms);
 *     take_sample();
 *     prfdata_pace_took(&pace, now_ms);    // and so on
 */
#ifndef PRFDATA_READER_PACE_H
#define PRFDATA_READER_PACE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct prfdata_pace {
    uint32_t interval_ms;
    uint64_t due_ms;
    uint64_t usual_ms; /* typical time from a sample's due time to its end; a single long delay
                          changes it little */
} prfdata_pace;

/* Begin a series of samples. The first sample is due one interval after now. */
void prfdata_pace_begin(prfdata_pace *pace, uint64_t now_ms, uint32_t interval_ms);

/*
 * Note that the sample due at pace->due_ms has been taken. If samples take longer than an interval,
 * missed samples are not made up.
 *
 * now_ms  The current time, not before pace->due_ms.
 */
void prfdata_pace_took(prfdata_pace *pace, uint64_t now_ms);

/*
 * Returns whether a time without samples is a hole, in which the computer slept or the program was
 * stopped. A hole is longer than two and a half usual intervals, and longer than five seconds.
 * A shorter time may come from a late sample.
 */
bool prfdata_pace_is_hole(int64_t ms, int64_t usual_ms);

/* Returns whether the time since the last sample is a hole (prfdata_pace_is_hole()). Call this
 * before the next sample is taken, because taking it may be slow. */
bool prfdata_pace_has_slept(const prfdata_pace *pace, uint64_t now_ms);

#endif
