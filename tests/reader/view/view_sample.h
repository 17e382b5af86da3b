/* SPDX-License-Identifier: MIT */
/* Makes samples of "Queue" (100), whose named instances have Depth (102, a level) and Bytes/sec
 * (104, a rate). */
#ifndef PRFDATA_TESTS_VIEW_SAMPLE_H
#define PRFDATA_TESTS_VIEW_SAMPLE_H

#include <prfdata/error.h>
#include <prfdata/perf_types.h>

#include "block/titles.h"
#include "support/reader/ascii_text.h"
#include "support/reader/wire_sample.h"
#include "text/output.h"
#include "view/chart.h"

enum { QUEUE = 100, DEPTH = 102, RATE = 104, HELP = 103, SOLO = 200 };

/* The offsets at which wire_begin() puts PerfTime, PerfFreq and PerfTime100nSec. */
enum { PERF_TIME_OFFSET = 56, PERF_FREQ_OFFSET = 64, TIME_100NS_OFFSET = 72 };

typedef struct view_row {
    const char *name;
    uint32_t depth;
    uint32_t bytes;
} view_row;

static inline void view_patch64(wire *w, size_t offset, uint64_t value)
{
    wire_patch32(w, offset, (uint32_t)value);
    wire_patch32(w, offset + 4, (uint32_t)(value >> 32));
}

static inline void view_values(wire *w, uint32_t depth, uint32_t bytes)
{
    size_t values = wire_values(w);

    wire_put32(w, depth);
    wire_put64(w, bytes);
    wire_values_end(w, values);
}

static inline prfdata_sample *view_end(wire *w, uint64_t perf_ms, uint64_t time_100ns)
{
    wire_end(w);
    view_patch64(w, PERF_TIME_OFFSET, perf_ms);
    view_patch64(w, PERF_FREQ_OFFSET, 1000);
    view_patch64(w, TIME_100NS_OFFSET, time_100ns);
    return wire_sample(w);
}

/* Make a sample `second` seconds after 1601 with these instances of Queue. All titles are higher by
 * `base`. */
static inline prfdata_sample *view_sample_at(uint32_t base, uint32_t second, const view_row *rows,
                                             uint32_t count)
{
    static wire w;
    size_t object;

    memset(&w, 0, sizeof w);
    wire_begin(&w, 1);
    object = wire_object(&w, base + QUEUE, 2, (int32_t)count, 0);
    wire_counter(&w, base + DEPTH, PERF_COUNTER_RAWCOUNT, 4, 4);
    wire_counter(&w, base + RATE, PERF_COUNTER_BULK_COUNT, 8, 8);
    for (uint32_t i = 0; i < count; i++) {
        wire_instance(&w, 0, 0, -1, rows[i].name);
        view_values(&w, rows[i].depth, rows[i].bytes);
    }
    wire_object_end(&w, object);
    return view_end(&w, (uint64_t)second * 1000, (uint64_t)second * 10000000);
}

static inline prfdata_sample *view_sample(uint32_t second, const view_row *rows, uint32_t count)
{
    return view_sample_at(0, second, rows, count);
}

static inline void view_chart_sample(prfdata_chart *chart, int64_t time_ms,
                                     const prfdata_sample *older, const prfdata_sample *newer)
{
    assert_int_equal(prfdata_chart_add_time(chart, time_ms), ERROR_SUCCESS);
    for (uint32_t i = 0; i < chart->series_count; i++)
        prfdata_chart_fill(chart, i, time_ms, older, newer);
}

static inline void view_title(prfdata_name_table *table, uint32_t index, const char *name)
{
    uint16_t chars[100];

    assert_int_equal(prfdata_name_table_add(table, index, ascii_text(name, chars)), ERROR_SUCCESS);
}

/* End an output with NUL, and return its text, which the output owns. */
static inline const char *view_text_of(prfdata_output *output)
{
    prfdata_output_put(output, "", 1);
    assert_false(output->failed);
    return output->bytes;
}

static inline prfdata_titles view_titles(void)
{
    prfdata_titles titles = {0};

    view_title(&titles.english, QUEUE, "Queue");
    view_title(&titles.english, DEPTH, "Depth");
    view_title(&titles.english, RATE, "Bytes/sec");
    view_title(&titles.english, SOLO, "Solo");
    return titles;
}

#endif
