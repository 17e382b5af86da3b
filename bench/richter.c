/* SPDX-License-Identifier: MIT */
/* Implements the provider of richter.h. It uses nothing of PrfData except atomic words. */
#include "richter.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/atomic.h>

#include "bench.h"
#include "support/must.h"
#include "system.h"

enum { HEAD_BYTES = 64, COUNTER_BYTES = 40, DEFINITION_BYTES = 56, BLOCK_BYTES = 8, NAME_AT = 24 };

typedef struct richter_entry {
    uint32_t id;
    uint32_t offset; /* offset in the counter block */
} richter_entry;

struct bench_richter {
    uint64_t lock; /* 1: taken */
    uint32_t counters;
    uint32_t capacity;
    uint32_t place_bytes;
    uint32_t head_bytes; /* the definitions of the object and its counters */
    richter_entry *entries;
    uint32_t wanted_id;
    uint32_t wanted_instance;
    uint8_t *block;
    uint8_t *reply;
};

static void enter_richter_lock(bench_richter *richter)
{
    uint64_t seen = 0;

    while (!prfdata_swap64_relaxed(&richter->lock, &seen, 1)) {
        seen = 0;
        bench_system_yield();
    }
    prfdata_fence_acquire();
}

static void leave_richter_lock(bench_richter *richter)
{
    prfdata_store64_release(&richter->lock, 0);
}

static uint8_t *place_of(const bench_richter *richter, uint32_t instance)
{
    return richter->block + richter->head_bytes + (size_t)instance * richter->place_bytes;
}

static bool is_in_use(const uint8_t *place)
{
    uint16_t first;

    memcpy(&first, place + NAME_AT, sizeof first);
    return first != 0;
}

/* Searches the entries of the map one after the other, because a map that is written as a list of
 * macros has no index. */
static uint64_t *find_counter(const bench_richter *richter, uint32_t id, uint32_t instance)
{
    const richter_entry *entry = richter->entries;

    while (entry->id != id)
        entry++;
    return (uint64_t *)(void *)(place_of(richter, instance) + DEFINITION_BYTES + entry->offset);
}

static void name_place(uint8_t *place, uint32_t number)
{
    uint16_t name[16] = {'i', 'n', 's', 't', 'a', 'n', 'c', 'e', ' '};

    for (uint32_t i = 14; i > 8; i--, number /= 10)
        name[i] = (uint16_t)('0' + number % 10);
    memcpy(place + NAME_AT, name, sizeof name);
}

static void fill_richter_block(bench_richter *richter, uint32_t instances)
{
    for (uint32_t i = 0; i < richter->counters; i++)
        richter->entries[i] = (richter_entry){101 + i, BLOCK_BYTES + 8 * i};
    for (uint32_t i = 0; i < richter->capacity; i++) {
        const uint32_t block_bytes = richter->place_bytes - DEFINITION_BYTES;
        uint8_t *place = place_of(richter, i);

        if (i < instances)
            name_place(place, i);
        memcpy(place, &(uint32_t){DEFINITION_BYTES}, 4);
        memcpy(place + DEFINITION_BYTES, &block_bytes, 4);
    }
}

bench_richter *bench_richter_make(uint32_t counters, uint32_t instances, uint32_t capacity)
{
    bench_richter *richter = calloc(1, sizeof *richter);
    size_t bytes;

    MUST(richter && instances <= capacity);
    richter->counters = counters;
    richter->capacity = capacity;
    richter->place_bytes = DEFINITION_BYTES + BLOCK_BYTES + 8 * counters;
    richter->head_bytes = HEAD_BYTES + COUNTER_BYTES * counters;
    richter->wanted_id = 100 + counters;
    richter->wanted_instance = instances - 1;
    bytes = richter->head_bytes + (size_t)capacity * richter->place_bytes;
    richter->entries = calloc(counters, sizeof *richter->entries);
    richter->block = calloc(1, bytes);
    richter->reply = calloc(1, bytes);
    MUST(richter->entries && richter->block && richter->reply);
    fill_richter_block(richter, instances);
    return richter;
}

void bench_richter_free(bench_richter *richter)
{
    free(richter->entries);
    free(richter->block);
    free(richter->reply);
    free(richter);
}

void bench_richter_bump(void *context, uint64_t times)
{
    const volatile bench_richter *asked = context;

    for (uint64_t i = 0; i < times; i++)
        prfdata_add64_relaxed(find_counter(context, asked->wanted_id, asked->wanted_instance), 1);
}

void bench_richter_bump_locked(void *context, uint64_t times)
{
    const volatile bench_richter *asked = context;

    for (uint64_t i = 0; i < times; i++) {
        enter_richter_lock(context);
        ++*find_counter(context, asked->wanted_id, asked->wanted_instance);
        leave_richter_lock(context);
    }
}

static uint8_t *copy_values(const bench_richter *richter, uint32_t instance, uint8_t *to)
{
    const uint8_t *place = place_of(richter, instance);

    memcpy(to, place, DEFINITION_BYTES + BLOCK_BYTES);
    to += DEFINITION_BYTES + BLOCK_BYTES;
    for (uint32_t i = 0; i < richter->counters; i++, to += 8)
        memcpy(to, find_counter(richter, richter->entries[i].id, instance), 8);
    return to;
}

static uint8_t *copy_place(const bench_richter *richter, uint32_t instance, uint8_t *to)
{
    memcpy(to, place_of(richter, instance), richter->place_bytes);
    return to + richter->place_bytes;
}

static void collect_richter(bench_richter *richter,
                            uint8_t *(*copy)(const bench_richter *, uint32_t, uint8_t *))
{
    uint8_t *to = richter->reply;

    enter_richter_lock(richter);
    for (uint32_t at = 0; at < richter->head_bytes; at += 8, to += 8)
        memcpy(to, richter->block + at, 8);
    for (uint32_t i = 0; i < richter->capacity; i++)
        if (is_in_use(place_of(richter, i)))
            to = copy(richter, i, to);
    leave_richter_lock(richter);
    bench_use((uint64_t)(to - richter->reply));
}

void bench_richter_collect(void *context, uint64_t times)
{
    for (uint64_t i = 0; i < times; i++)
        collect_richter(context, copy_values);
}

void bench_richter_collect_blocks(void *context, uint64_t times)
{
    for (uint64_t i = 0; i < times; i++)
        collect_richter(context, copy_place);
}

void bench_richter_add_remove(void *context, uint64_t times)
{
    bench_richter *richter = context;

    for (uint64_t i = 0; i < times; i++) {
        uint32_t free_place = 0;

        enter_richter_lock(richter);
        while (is_in_use(place_of(richter, free_place)))
            free_place++;
        name_place(place_of(richter, free_place), free_place);
        leave_richter_lock(richter);
        enter_richter_lock(richter);
        memset(place_of(richter, free_place) + NAME_AT, 0, 2);
        leave_richter_lock(richter);
    }
}
