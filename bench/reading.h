/* SPDX-License-Identifier: MIT */
/*
 * Reads the regions of a scene like prfread: takes samples, and shows them in each way. It shows
 * all counters of all instances.
 */
#ifndef PRFDATA_BENCH_READING_H
#define PRFDATA_BENCH_READING_H

#include "paths/csv.h"
#include "paths/json.h"
#include "paths/requests.h"
#include "prometheus/open_metrics.h"
#include "scene.h"
#include "top/top_frame.h"

enum { BENCH_PASSING = 5 /* instances that each bench_reading_change() adds */ };

/* A text with known numbers: the parts before each number, and the numbers. */
typedef struct bench_known {
    char *text; /* all parts, one after another, and the text after the last number */
    size_t text_bytes;
    uint32_t *part_bytes; /* size of the part before each number */
    double *numbers;
    size_t count;
} bench_known;

typedef struct bench_reading {
    bench_scene *scene;
    uint64_t sample_number;
    uint64_t come; /* number of instances that were added since the start */
    prfdata_instance passing[BENCH_PASSING];
    prfdata_session session;
    prfdata_messages messages;
    prfdata_requests requests;
    prfdata_columns columns;
    prfdata_json_heads heads;
    prfdata_top_view view;
    prfdata_open_metrics *metrics;
    prfdata_sample *older;
    prfdata_sample *newer;
    prfdata_output output;
    bool is_whole; /* put a line of JSON as a whole; prfread puts it in pieces */
    bench_known known;
    prfdata_output bare;
} bench_reading;

/* Begin to read the scene's service. The scene's provider is not used. */
void bench_reading_open(bench_reading *reading, bench_scene *scene);
void bench_reading_close(bench_reading *reading);

/* Let the counts in the cells grow, and take the next sample. */
void bench_reading_next(void *context);

/* Add BENCH_PASSING instances, and remove those that the last call added. Then do what
 * bench_reading_next() does. */
void bench_reading_change(void *context);

/* The operations to measure; `context` is the reading. */

void bench_reading_decode(void *context, uint64_t times); /* take a sample, and release it */
void bench_reading_row(void *context, uint64_t times);    /* of CSV */
void bench_reading_json(void *context, uint64_t times);   /* a line of JSON, in pieces */
void bench_reading_screen(void *context, uint64_t times); /* the screen of prfread -top */
void bench_reading_exposition(void *context, uint64_t times);

/* Prepare one of the operations: show a sample, and take the next one. This warms the reader's
 * caches. */
void bench_reading_before_row(void *context);
void bench_reading_before_json(void *context);
void bench_reading_before_screen(void *context);
void bench_reading_before_exposition(void *context);

/* Prepare one of the operations, after replacing some instances by new ones. */
void bench_reading_before_changed_row(void *context);
void bench_reading_before_changed_exposition(void *context);

/* Measure the floors of a row, a line of JSON and an exposition. A floor writes the same bytes as
 * the reader, but knows all text and numbers, so it needs no look-ups or computations. The floor of
 * JSON writes its line in pieces, as the reader does. Each ..._know_... function prepares a floor:
 * it compares the floor's bytes with the reader's, for one sample, and ends the program if they
 * differ. Then it takes the next sample, so that the measured ..._bare_... function writes numbers
 * that it has not written before. */
void bench_reading_know_row(void *context);
void bench_reading_bare_row(void *context, uint64_t times);
void bench_reading_know_json(void *context);
void bench_reading_bare_json(void *context, uint64_t times);
void bench_reading_know_exposition(void *context);
void bench_reading_bare_exposition(void *context, uint64_t times);

#endif
