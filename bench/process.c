/* SPDX-License-Identifier: MIT */
/*
 * Provides counters and recordings that prfread reads for bench/process:
 *
 *     prfdata_process record FILE SAMPLES   write a recording of SAMPLES samples
 *     prfdata_process hold                  publish, and count at each byte of the input
 *
 * The service PrfDataBench has one object, which has 10,000 instances and 20 counters.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "block/recorder.h"
#include "reading.h"
#include "support/must.h"

#define SERVICE "PrfDataBench"

/* This many samples, of 2.2 MB each, fit into one piece of a recording. */
enum { MOST_SAMPLES = 24 };

static const bench_shape shape = {20, 10000, 1};

static void put_in_file(FILE *file, const prfdata_output *output)
{
    MUST(!output->failed && fwrite(output->bytes, 1, output->used, file) == output->used);
}

static int record(const char *path, uint32_t samples)
{
    bench_scene scene;
    bench_reading reading;
    prfdata_recorder recorder;
    prfdata_output output = {0};
    FILE *file = fopen(path, "wb");

    MUST(file && samples <= MOST_SAMPLES);
    bench_scene_make(&scene, SERVICE, shape);
    bench_reading_open(&reading, &scene);
    prfdata_recorder_init(&recorder, PRFDATA_RECORDER_PIECE_BYTES);
    for (uint32_t i = 0; i < samples; i++) {
        bench_reading_next(&reading);
        prfdata_output_clear(&output);
        (void)prfdata_recorder_put(&recorder, reading.newer, NULL, &reading.session.titles,
                                   &output);
        put_in_file(file, &output);
    }
    MUST(fclose(file) == 0);
    prfdata_output_free(&output);
    prfdata_recorder_free(&recorder);
    bench_reading_close(&reading);
    bench_scene_free(&scene);
    return 0;
}

static int hold(void)
{
    bench_scene scene;

    bench_scene_make(&scene, SERVICE, shape);
    printf("ready\n");
    fflush(stdout);
    while (getchar() != EOF) {
        for (uint32_t row = 0; row < scene.row_count; row++)
            for (uint32_t i = 0; i < shape.counters; i++)
                scene.rows[row][i] += (row * 31 + i * 7) % 1000;
    }
    bench_scene_free(&scene);
    return 0;
}

int main(int count, char **arguments)
{
    if (count == 4 && strcmp(arguments[1], "record") == 0)
        return record(arguments[2], (uint32_t)strtoul(arguments[3], NULL, 10));
    if (count == 2 && strcmp(arguments[1], "hold") == 0)
        return hold();
    fprintf(stderr, "prfdata_process record FILE SAMPLES | hold\n");
    return 2;
}
