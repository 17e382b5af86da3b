/* SPDX-License-Identifier: MIT */
#include "support/reader/changing_samples.h"

#include <string.h>

#include <prfdata/perf_types.h>

#include "support/reader/ascii_text.h"
#include "support/reader/wire.h"
#include "support/reader/wire_sample.h"

enum { COUNTERS = 8, NAMES = 14, START = 7 /* the start time's place in `types` */ };

static const char *const names[NAMES] = {"a",   "b",  "A", "ab", "a#1",    "c",     "d",
                                         "a/b", "dd", "e", "f",  "_Total", "q\001", "q\\u0001"};

static const uint32_t types[COUNTERS] = {
    PERF_COUNTER_COUNTER, PERF_COUNTER_RAWCOUNT, PERF_RAW_FRACTION, PERF_RAW_BASE,
    PERF_COUNTER_TEXT,    PERF_AVERAGE_TIMER,    PERF_AVERAGE_BASE, PERF_ELAPSED_TIME};

uint32_t changing_samples_below(changing_samples *samples, uint32_t limit)
{
    samples->random ^= samples->random << 13;
    samples->random ^= samples->random >> 17;
    samples->random ^= samples->random << 5;
    return (samples->random >> 3) % limit;
}

/* Chooses at random which indexes the names get: the usual ones, or indexes that are shifted by one
 * or two places. */
static void name_titles(changing_samples *samples)
{
    static const char *const all[] = {"Alpha", "Beta", "Gamma", "One", "Two", "Three", "Four"};
    const uint32_t turn = changing_samples_below(samples, 3);

    prfdata_titles_free(&samples->titles);
    for (uint32_t i = 0; i < 7; i++) {
        const uint32_t base = i < 3 ? 100 : 200;
        const uint32_t index = i < 3 ? (i + turn) % 4 : (i - 3 + turn) % 5;
        uint16_t chars[16];

        assert_int_equal(prfdata_name_table_add(&samples->titles.english, base + 2 * index,
                                                ascii_text(all[i], chars)),
                         ERROR_SUCCESS);
    }
    prfdata_titles_index_names(&samples->titles);
}

void changing_samples_rename(changing_samples *samples)
{
    const uint32_t version = samples->titles.version;

    name_titles(samples);
    samples->titles.version = version + 1;
}

static void change_instances(changing_samples *samples, uint32_t object)
{
    uint32_t *order = samples->order[object];
    uint32_t *count = &samples->count[object];
    const uint32_t at = *count > 0 ? changing_samples_below(samples, *count) : 0;
    const uint32_t other = *count > 0 ? changing_samples_below(samples, *count) : 0;
    const uint32_t kept = order[at];

    switch (changing_samples_below(samples, 8)) {
    case 0: /* an instance is removed, and those after it move */
        if (*count > 0)
            memmove(order + at, order + at + 1, (--*count - at) * sizeof *order);
        break;
    case 1: /* an instance is added, and those after it move */
    case 2:
        if (*count < CHANGING_MOST) {
            memmove(order + at + 1, order + at, (*count - at) * sizeof *order);
            order[at] = changing_samples_below(samples, NAMES);
            ++*count;
        }
        break;
    case 3: /* another instance gets the place `at` */
        order[at] = changing_samples_below(samples, NAMES);
        break;
    case 4: /* two instances swap their places */
        order[at] = order[other];
        order[other] = kept;
        break;
    case 5: /* the provider shuffles its instances */
        for (uint32_t i = 0; i < *count; i++) {
            const uint32_t to = changing_samples_below(samples, *count);
            const uint32_t moved = order[i];

            order[i] = order[to];
            order[to] = moved;
        }
        break;
    default:
        break;
    }
}

/* Usually the value is slightly higher than before. A start time usually stays the same. */
static uint32_t changing_value(changing_samples *samples, uint32_t kind, uint32_t name)
{
    if (kind == START && changing_samples_below(samples, 8) > 0)
        return 400 + name;
    if (changing_samples_below(samples, 25) == 0)
        return changing_samples_below(samples, 0x20000000) *
               8; /* usually so high that the next value is lower */
    return samples->moment * 10 + changing_samples_below(samples, 30) + 'a';
}

static size_t put_instance(changing_samples *samples, wire *w, uint32_t name)
{
    if (changing_samples_below(samples, 12) > 0)
        return wire_instance(w, 0, 0, -1, names[name]);
    return wire_instance(w, 100 + 2 * changing_samples_below(samples, CHANGING_OBJECTS),
                         changing_samples_below(samples, CHANGING_MOST), -1, names[name]);
}

static void put_object(changing_samples *samples, wire *w, uint32_t object, bool is_bare)
{
    const uint32_t counters = 1 + changing_samples_below(samples, 20) % COUNTERS;
    const uint32_t turn =
        changing_samples_below(samples, 6) == 0 ? changing_samples_below(samples, COUNTERS) : 0;
    const uint32_t count = is_bare ? 1 : samples->count[object];
    const size_t start =
        wire_object(w, 100 + 2 * object, counters, is_bare ? -1 : (int32_t)count, 0);

    for (uint32_t i = 0; i < counters; i++) {
        const uint32_t kind = (i + turn) % COUNTERS;
        const uint32_t title = changing_samples_below(samples, 40) == 0 ? 202 : 200 + 2 * kind;

        wire_counter(w, title, types[kind], 4, 4 + 4 * i);
    }
    for (uint32_t i = 0; i < count; i++) {
        size_t values;

        if (!is_bare) {
            const size_t at = put_instance(samples, w, samples->order[object][i]);

            if (changing_samples_below(samples, 60) == 0)
                /* The NameLength is invalid, so the block is damaged. */
                wire_patch32(w, at + 20, 1000);
        }
        values = wire_values(w);
        for (uint32_t c = 0; c < counters; c++)
            wire_put32(w, changing_value(samples, (c + turn) % COUNTERS,
                                         is_bare ? 0 : samples->order[object][i]));
        wire_values_end(w, values);
    }
    wire_object_end(w, start);
}

/* Objects may be missing, one may occur twice, and the first and the last one may be swapped. */
prfdata_sample *changing_samples_take(changing_samples *samples)
{
    uint32_t objects[CHANGING_OBJECTS + 1];
    uint32_t count = 0;
    wire w;

    samples->moment++;
    samples->time_100ns += changing_samples_below(samples, 20) == 0 ? 6100000000 : 50000000;
    if (changing_samples_below(samples, 30) == 0)
        samples->time_100ns -= 7000000000;
    for (uint32_t i = 0; i < CHANGING_OBJECTS; i++) {
        change_instances(samples, i);
        if (changing_samples_below(samples, 12) > 0)
            objects[count++] = i;
    }
    if (changing_samples_below(samples, 8) == 0)
        objects[count++] = changing_samples_below(samples, CHANGING_OBJECTS);
    if (count > 1 && changing_samples_below(samples, 4) == 0) {
        const uint32_t first = objects[0];

        objects[0] = objects[count - 1];
        objects[count - 1] = first;
    }
    wire_begin(&w, count);
    wire_patch32(&w, 56, 50000000 * samples->moment); /* PerfTime */
    wire_patch64(&w, 72, (uint64_t)samples->time_100ns);
    for (uint32_t i = 0; i < count; i++)
        put_object(samples, &w, objects[i],
                   objects[i] == 1 && changing_samples_below(samples, 3) > 0);
    wire_end(&w);
    return wire_sample(&w);
}

void changing_samples_begin(changing_samples *samples, uint32_t seed)
{
    memset(samples, 0, sizeof *samples);
    samples->random = seed * 2654435761u + 1;
    samples->time_100ns = 134116992000000000; /* in 2026 */
    name_titles(samples);
    for (uint32_t o = 0; o < CHANGING_OBJECTS; o++)
        for (uint32_t i = 0; i < CHANGING_MOST / 2; i++)
            samples->order[o][samples->count[o]++] = changing_samples_below(samples, NAMES);
}
