/* SPDX-License-Identifier: MIT */
/*
 * Says when the next sample is due, so that samples are an interval apart: on a grid while they are
 * in time, and an interval after one that came late; never less than half an interval after one has
 * ended. The caller says what time it is.
 *
 *     prfdata_pace_begin(&pace, now_ms, interval_ms);
 *     wait_until(pace.due_ms);
 *     take_sample();
 *     prfdata_pace_took(&pace, now_ms);    // and so on
 */
#ifndef PRFDATA_READER_PACE_H
#define PRFDATA_READER_PACE_H

#include <stdint.h>

typedef struct prfdata_pace {
    uint32_t interval_ms;
    uint64_t due_ms;   /* the next sample */
    uint64_t usual_ms; /* from a sample's due time to its end, where nothing delays it */
} prfdata_pace;

/* The first sample is due an interval after now. */
void prfdata_pace_begin(prfdata_pace *pace, uint64_t now_ms, uint32_t interval_ms);

/*
 * Note that the sample that was due at pace->due_ms has been taken.
 * now_ms  Not before that. Samples that take longer than an interval are not made up for.
 */
void prfdata_pace_took(prfdata_pace *pace, uint64_t now_ms);

#endif
