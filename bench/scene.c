/* SPDX-License-Identifier: MIT */
/* Makes the scenes of scene.h. */
#include "scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "support/must.h"

enum { NAME_CHARS = 16 };

/*
 * The texts of one counter. They are never freed, because a map must stay valid until the process
 * ends.
 */
typedef struct counter_texts {
    char symbol[16];
    wchar_t name[NAME_CHARS];
} counter_texts;

static const uint16_t query[] = {'G', 'l', 'o', 'b', 'a', 'l', 0};

static void fill_map(bench_scene *scene, const char *service)
{
    const uint32_t counters = scene->shape.counters;
    prfdata_map_entry *entries = calloc(counters + 1, sizeof *entries);
    counter_texts *texts = calloc(counters, sizeof *texts);

    MUST(entries && texts);
    entries[0] = (prfdata_map_entry){.kind = PRFDATA_ENTRY_OBJECT,
                                     .id = BENCH_OBJECT,
                                     .symbol = "OBJECT",
                                     .name = L"Bench",
                                     .help = L"Bench.",
                                     .detail_level = PERF_DETAIL_NOVICE,
                                     .default_counter = BENCH_OBJECT + 1,
                                     .max_instances = PRFDATA_MAX_INSTANCES,
                                     .max_name_chars = NAME_CHARS};
    if ((uint64_t)PRFDATA_MAX_INSTANCES * (80 + 8 * counters) > PRFDATA_MAX_OBJECT_BYTES)
        entries[0].max_instances = (int32_t)(PRFDATA_MAX_OBJECT_BYTES / (80 + 8 * counters) / 2);
    for (uint32_t i = 0; i < counters; i++) {
        snprintf(texts[i].symbol, sizeof texts[i].symbol, "C%04u", (unsigned)i);
        swprintf(texts[i].name, NAME_CHARS, L"Counter %04u", (unsigned)i);
        entries[i + 1] = (prfdata_map_entry){.kind = PRFDATA_ENTRY_COUNTER,
                                             .id = BENCH_OBJECT + 1 + i,
                                             .symbol = texts[i].symbol,
                                             .name = texts[i].name,
                                             .help = L"A.",
                                             .detail_level = PERF_DETAIL_NOVICE,
                                             .type = PERF_COUNTER_BULK_COUNT};
    }
    scene->map = (prfdata_map){sizeof *entries, counters + 1, entries, service};
}

prfdata_publisher *bench_scene_open(const bench_scene *scene)
{
    const prfdata_capacity capacity = {BENCH_OBJECT,
                                       scene->shape.instances + BENCH_SPARE_INSTANCES};
    prfdata_publisher *publisher;

    MUST(prfdata_open_with(&scene->map, &capacity, 1, &publisher) == ERROR_SUCCESS);
    return publisher;
}

/* Names have one length, so that all rows of a reply have one size. */
static uint64_t *add_bench_instance(bench_scene *scene, prfdata_publisher *publisher,
                                    uint32_t number)
{
    prfdata_instance instance;
    prfdata_handle first;
    prfdata_handle last;
    wchar_t name[NAME_CHARS];

    swprintf(name, NAME_CHARS, L"instance %06u", (unsigned)number);
    MUST(prfdata_instance_add(publisher, BENCH_OBJECT, name, NULL, &instance) == ERROR_SUCCESS);
    MUST(prfdata_resolve(publisher, BENCH_OBJECT + 1, &instance, &first) == ERROR_SUCCESS);
    MUST(prfdata_resolve(publisher, BENCH_OBJECT + scene->shape.counters, &instance, &last) ==
         ERROR_SUCCESS);
    MUST(last.cell == first.cell + scene->shape.counters - 1);
    for (uint32_t i = 0; i < scene->shape.counters; i++)
        prfdata_store64_relaxed(first.cell + i, number * 1000 + i);
    return first.cell;
}

static void publish_scene(bench_scene *scene)
{
    const bench_shape shape = scene->shape;

    scene->row_count = shape.instances * shape.regions;
    scene->publishers = calloc(shape.regions, sizeof *scene->publishers);
    scene->rows = calloc(scene->row_count, sizeof *scene->rows);
    MUST(scene->publishers && scene->rows);
    for (uint32_t i = 0; i < shape.regions; i++) {
        scene->publishers[i] = bench_scene_open(scene);
        for (uint32_t j = 0; j < shape.instances; j++) {
            const uint32_t number = i * shape.instances + j;

            scene->rows[number] = add_bench_instance(scene, scene->publishers[i], number);
        }
    }
}

void bench_scene_make(bench_scene *scene, const char *service, bench_shape shape)
{
    memset(scene, 0, sizeof *scene);
    scene->shape = shape;
    fill_map(scene, service);
    prfdata_test_service_make(&scene->service, service, &scene->map, BENCH_FIRST_TITLE);
    publish_scene(scene);
    /* There is much extra room, because an answer that only just fits is first made in another
     * buffer (planned_answer.c). */
    scene->capacity = (uint32_t)(8192 + 64 * shape.counters +
                                 (size_t)scene->row_count * (80 + 8 * shape.counters));
    scene->reply = malloc(scene->capacity);
    MUST(scene->reply);
    bench_scene_reopen(scene);
    bench_scene_collect(scene, 2);
}

void bench_scene_free(bench_scene *scene)
{
    prfdata_provider_close(scene->provider);
    for (uint32_t i = 0; i < scene->shape.regions; i++)
        prfdata_close_and_unmap(scene->publishers[i]);
    prfdata_test_service_remove(&scene->service);
    free(scene->publishers);
    free(scene->rows);
    free(scene->reply);
}

void bench_scene_collect(void *context, uint64_t times)
{
    bench_scene *scene = context;

    for (uint64_t i = 0; i < times; i++) {
        void *data = scene->reply;
        uint32_t objects;

        scene->reply_bytes = scene->capacity;
        MUST(prfdata_provider_collect(scene->provider, query, &data, &scene->reply_bytes,
                                      &objects) == ERROR_SUCCESS);
        MUST(objects == 1);
    }
}

void bench_scene_collect_short(void *context, uint64_t times)
{
    bench_scene *scene = context;

    for (uint64_t i = 0; i < times; i++) {
        void *data = scene->reply;
        uint32_t size = 128; /* less than the definitions of a reply */
        uint32_t objects;

        MUST(prfdata_provider_collect(scene->provider, query, &data, &size, &objects) ==
             ERROR_MORE_DATA);
    }
}

void bench_scene_reopen(bench_scene *scene)
{
    prfdata_provider_close(scene->provider);
    scene->provider = NULL;
    MUST(prfdata_provider_open(scene->map.service, &scene->provider) == ERROR_SUCCESS);
}

static uint32_t field_at(const bench_scene *scene, size_t offset)
{
    uint32_t value;

    MUST(offset + sizeof value <= scene->reply_bytes);
    memcpy(&value, scene->reply + offset, sizeof value);
    return value;
}

size_t bench_scene_row(const bench_scene *scene, uint32_t index, uint32_t *definition_bytes)
{
    size_t offset = field_at(scene, 4); /* PERF_OBJECT_TYPE: DefinitionLength */

    *definition_bytes = field_at(scene, offset); /* ByteLength, which includes the name */
    for (uint32_t i = 0; i < index; i++) {
        offset += *definition_bytes;
        offset += field_at(scene, offset); /* skips the counter block */
        *definition_bytes = field_at(scene, offset);
    }
    return offset;
}
