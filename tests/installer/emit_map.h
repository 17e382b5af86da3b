/* SPDX-License-Identifier: MIT */
/* Declares a map for -Emit that has a counter of every kind of metric, and texts that are difficult
 * in every format. */
#ifndef PRFDATA_TESTS_EMIT_MAP_H
#define PRFDATA_TESTS_EMIT_MAP_H

#include <prfdata/map.h>

/* A name and a help text that contain every character that the check of a map allows. */
#define EMIT_MAP_NAME                                                                              \
    L"Gr\x00F6\x00DF"                                                                              \
    L"e \"a\" 'b' {{ c }} ${PATH} $HOME [d], <e> &f; |g| `h` %i: {$J} !k ~l x/sec"
#define EMIT_MAP_OBJECT                                                                            \
    L"Ob\"ject\" {{ .x }} $PATH [x] {$M}: \x65E5\x672C | <b> & 'q' - `t` ~ ^ % @"
#define EMIT_MAP_HELP                                                                              \
    L"C:\\new\\u0041 \\\" \"two\" ''three'' {{ $labels.x }} ${env:PATH} $$ | # * _u_ **b** "       \
    L"<i>&amp;"                                                                                    \
    L" `code` [l](u) !{} @ : - %s %n \x2028 \xFEFF \x0394 # end"

enum {
    EMIT_PLAIN = 1,
    EMIT_LEVEL,
    EMIT_WAIT,
    EMIT_LOAD,
    EMIT_MEMORY,
    EMIT_STARTED,
    EMIT_QUEUES = 100,
    EMIT_HOSTILE,
    EMIT_BUSY,
    EMIT_BUSY_PERF,
    EMIT_BUSY_MULTI,
    EMIT_BUSY_MULTI_BASE,
    EMIT_LENGTH,
    EMIT_FRACTION,
    EMIT_FRACTION_BASE,
    EMIT_LARGE_FRACTION,
    EMIT_LARGE_FRACTION_BASE,
    EMIT_HITS,
    EMIT_HITS_BASE,
    EMIT_JOB_TIME,
    EMIT_JOB_TIME_BASE,
    EMIT_JOB_SIZE,
    EMIT_JOB_SIZE_BASE,
    EMIT_CHANGE,
    EMIT_SAMPLES,
    EMIT_SINCE,
    EMIT_ENDED,
    EMIT_STAY,
    EMIT_STAY_P50,
    EMIT_STAY_MAX,
    EMIT_OTHER,
    EMIT_OTHER_COUNT,
    EMIT_STAY_MEAN,
    EMIT_STAY_MEAN_BASE,
    EMIT_STAY_SUM,
    EMIT_STAY_COUNT,
    EMIT_CHILDREN = 200,
    EMIT_TAKEN,
    EMIT_TIMES = 300,
    EMIT_TIME,
    EMIT_SIZE,
    EMIT_TIME_P50,
    EMIT_SIZE_P99,
    EMIT_TIME_P999,
    EMIT_TIME_MAX
};

PRFDATA_DECLARE_MAP(emit_map);

#endif
