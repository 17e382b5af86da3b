/* SPDX-License-Identifier: MIT */
/* Implements the floors of floors.h. It uses the layout of a reply, but no provider. */
#include "floors.h"

#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__) || defined(_M_X64)
#include <emmintrin.h>
#ifdef _MSC_VER
#include <intrin.h>
#endif
#define HAS_X64 1
#else
#define HAS_X64 0
#endif

#include "bench.h"
#include "support/must.h"
#include "system/os.h"

/*
 * A row's definition and name are copied as four blocks of 16 bytes, whatever their length is. The
 * cells then overwrite the excess bytes.
 */
enum { GATHER_STEP = 64, BLOCK_HEADER = 8, PERF_TIME_OFFSET = 48 };

static uint64_t *row_in_reply(const bench_gather *gather, uint32_t index)
{
    return (uint64_t *)(void *)(gather->reply + gather->head_bytes + index * gather->row_bytes +
                                gather->definition_bytes + BLOCK_HEADER);
}

static inline void gather_ten(uint64_t *to, const uint64_t *from)
{
    to[0] = prfdata_load64_relaxed(from);
    to[1] = prfdata_load64_relaxed(from + 1);
    to[2] = prfdata_load64_relaxed(from + 2);
    to[3] = prfdata_load64_relaxed(from + 3);
    to[4] = prfdata_load64_relaxed(from + 4);
    to[5] = prfdata_load64_relaxed(from + 5);
    to[6] = prfdata_load64_relaxed(from + 6);
    to[7] = prfdata_load64_relaxed(from + 7);
    to[8] = prfdata_load64_relaxed(from + 8);
    to[9] = prfdata_load64_relaxed(from + 9);
}

static inline void gather_row(const bench_gather *gather, uint32_t index, uint32_t counters)
{
    uint64_t *cells = row_in_reply(gather, index);
    const uint64_t *from = gather->scene->rows[index];
    const uint64_t block_bytes = BLOCK_HEADER + 8 * (uint64_t)counters;
    uint64_t *const end = cells + counters;

    memcpy((uint8_t *)cells - BLOCK_HEADER - gather->definition_bytes,
           gather->definitions + (size_t)index * GATHER_STEP, GATHER_STEP);
    cells[-1] = block_bytes; /* ByteLength, and 4 unused bytes */
    for (; end - cells >= 10; cells += 10, from += 10)
        gather_ten(cells, from);
    for (; cells < end; cells++, from++)
        *cells = prfdata_load64_relaxed(from);
}

void bench_gather_run(void *context, uint64_t times)
{
    const bench_gather *gather = context;
    const bench_scene *scene = gather->scene;

    for (uint64_t i = 0; i < times; i++) {
        memcpy(gather->reply, gather->head, gather->head_bytes);
        /* Pass the number of cells as a constant, so that the compiler unrolls the loop. */
        if (scene->shape.counters == 20)
            for (uint32_t j = 0; j < scene->row_count; j++)
                gather_row(gather, j, 20);
        else if (scene->shape.counters == 10)
            for (uint32_t j = 0; j < scene->row_count; j++)
                gather_row(gather, j, 10);
        else
            for (uint32_t j = 0; j < scene->row_count; j++)
                gather_row(gather, j, scene->shape.counters);
        bench_use(gather->reply[gather->head_bytes]);
    }
}

/*
 * Sorts the scene's rows into the order of the reply. The first cell of each instance says which
 * row it is.
 */
static void sort_rows(const bench_gather *gather)
{
    const bench_scene *scene = gather->scene;
    const size_t first = gather->head_bytes + gather->definition_bytes + BLOCK_HEADER;
    uint64_t **sorted = calloc(scene->row_count, sizeof *sorted);

    MUST(sorted);
    for (uint32_t i = 0; i < scene->row_count; i++) {
        uint64_t value;

        memcpy(&value, scene->reply + first + i * gather->row_bytes, sizeof value);
        MUST(value / 1000 < scene->row_count);
        sorted[i] = scene->rows[value / 1000];
    }
    memcpy(scene->rows, sorted, scene->row_count * sizeof *sorted);
    free(sorted);
}

/* Check that the gather's reply differs from the scene's only in PerfTime and PerfFreq. */
static void check_gather(bench_gather *gather)
{
    const size_t after = PERF_TIME_OFFSET + 16; /* PerfTime and PerfFreq */

    bench_gather_run(gather, 1);
    MUST(memcmp(gather->reply, gather->scene->reply, PERF_TIME_OFFSET) == 0);
    MUST(memcmp(gather->reply + after, gather->scene->reply + after,
                gather->scene->reply_bytes - after) == 0);
}

static void take_definitions(bench_gather *gather)
{
    const bench_scene *scene = gather->scene;

    for (uint32_t i = 0; i < scene->row_count; i++)
        memcpy(gather->definitions + (size_t)i * GATHER_STEP,
               scene->reply + gather->head_bytes + i * gather->row_bytes, gather->definition_bytes);
}

void bench_gather_make(bench_gather *gather, bench_scene *scene)
{
    uint32_t definition_bytes;

    gather->scene = scene;
    gather->source = scene->reply;
    gather->head_bytes = bench_scene_row(scene, 0, &definition_bytes);
    gather->definition_bytes = definition_bytes;
    gather->row_bytes = definition_bytes + BLOCK_HEADER + 8 * (size_t)scene->shape.counters;
    MUST(gather->definition_bytes <= GATHER_STEP);
    MUST(gather->head_bytes + gather->row_bytes * scene->row_count == scene->reply_bytes);
    gather->head = malloc(gather->head_bytes);
    gather->definitions = calloc(scene->row_count, GATHER_STEP);
    gather->reply = calloc(1, scene->reply_bytes + GATHER_STEP);
    MUST(gather->head && gather->definitions && gather->reply);
    memcpy(gather->head, scene->reply, gather->head_bytes);
    take_definitions(gather);
    sort_rows(gather);
    check_gather(gather);
}

void bench_gather_free(bench_gather *gather)
{
    free(gather->head);
    free(gather->definitions);
    free(gather->reply);
}

void bench_copy_memcpy(void *context, uint64_t times)
{
    const bench_gather *gather = context;

    for (uint64_t i = 0; i < times; i++) {
        memcpy(gather->reply, gather->source, gather->scene->reply_bytes);
        bench_use(gather->reply[i % gather->scene->reply_bytes]);
    }
}

#if HAS_X64

static void stream_bytes(uint8_t *to, const uint8_t *from, size_t size)
{
    for (size_t i = 0; i + 16 <= size; i += 16)
        _mm_stream_si128((__m128i *)(void *)(to + i),
                         _mm_loadu_si128((const __m128i *)(const void *)(from + i)));
    _mm_sfence();
}

static void move_string(uint8_t *to, const uint8_t *from, size_t size)
{
#ifdef _MSC_VER
    __movsb(to, from, size);
#else
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
#endif
}

#else

/* On processors other than x64, each kind of copy is memcpy(). */
static void stream_bytes(uint8_t *to, const uint8_t *from, size_t size)
{
    memcpy(to, from, size);
}

static void move_string(uint8_t *to, const uint8_t *from, size_t size)
{
    memcpy(to, from, size);
}

#endif

void bench_copy_streaming(void *context, uint64_t times)
{
    const bench_gather *gather = context;

    for (uint64_t i = 0; i < times; i++)
        stream_bytes(gather->reply, gather->source, gather->scene->reply_bytes);
}

void bench_copy_string(void *context, uint64_t times)
{
    const bench_gather *gather = context;

    for (uint64_t i = 0; i < times; i++)
        move_string(gather->reply, gather->source, gather->scene->reply_bytes);
}

void bench_time_stamp(void *context, uint64_t times)
{
    (void)context;
    for (uint64_t i = 0; i < times; i++)
        bench_use(prfdata_os_ticks());
}

void bench_least_collect(void *context, uint64_t times)
{
    static uint64_t note;

    for (uint64_t i = 0; i < times; i++) {
        uint64_t expected = 0;

        MUST(prfdata_swap64_relaxed(&note, &expected, 1));
        bench_use(prfdata_os_milliseconds());
        bench_gather_run(context, 1);
        bench_use(prfdata_os_ticks());
        prfdata_store64_release(&note, 0);
    }
}

/* Increments with loads and stores that the compiler cannot merge with those of the next run. */
static inline void increment_plainly(volatile uint64_t *cell)
{
    ++*cell;
}

void bench_plain_increment(void *context, uint64_t times)
{
    const prfdata_handle handle = *(const prfdata_handle *)context;

    for (uint64_t i = 0; i < times; i++)
        increment_plainly(handle.cell);
}

void bench_call_site(void *context, uint64_t times)
{
    const volatile prfdata_handle *handle = context;

    for (uint64_t i = 0; i < times; i++) {
        uint64_t *cell = handle->cell;

        increment_plainly(cell ? cell : &prfdata_scratch_cell);
    }
}

void bench_atomic_increment(void *context, uint64_t times)
{
    const prfdata_handle handle = *(const prfdata_handle *)context;

    for (uint64_t i = 0; i < times; i++)
        prfdata_add64_relaxed(handle.cell, 1);
}
