/* SPDX-License-Identifier: MIT */
/* Tests prfdata_places, which tracks the positions of instances. A search for each label in each
 * object must find the same positions, while instances change at random. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/perf_types.h>

#include "paths/places.h"
#include "support/reader/wire.h"
#include "support/reader/wire_sample.h"
#include "support/sampled.h"

enum { SEEDS = 1000, STEPS = 10, NAMES = 200, MOST = 120 };

typedef struct places_run {
    uint32_t random;
    uint32_t wanted_of; /* about one name in `wanted_of` is wanted */
    uint32_t order[MOST];
    uint32_t count;
    prfdata_places places;
    bool was_there[NAMES]; /* for each item: whether the sample before had its instance */
} places_run;

static uint32_t below(places_run *run, uint32_t limit)
{
    run->random ^= run->random << 13;
    run->random ^= run->random >> 17;
    run->random ^= run->random << 5;
    return (run->random >> 3) % limit;
}

/* Remove, add and rename instances at random. A name may occur several times; each occurrence is
 * another instance. */
static void change_instances(places_run *run)
{
    const uint32_t changes = below(run, 4) == 0 ? below(run, MOST) : below(run, 4);

    for (uint32_t i = 0; i < changes; i++) {
        const uint32_t at = run->count > 0 ? below(run, run->count) : 0;
        uint32_t *place = run->order + at;

        switch (below(run, 4)) {
        case 0:
            if (run->count > 0)
                memmove(place, place + 1, (--run->count - at) * sizeof *place);
            break;
        case 1:
            if (run->count < MOST) {
                memmove(place + 1, place, (run->count++ - at) * sizeof *place);
                *place = below(run, NAMES / 2);
            }
            break;
        case 2:
            *place = below(run, NAMES / 2);
            break;
        default:
            run->order[below(run, run->count + (run->count == 0))] = *place;
            break;
        }
    }
}

static prfdata_sample *take(places_run *run)
{
    size_t object;
    wire w;

    change_instances(run);
    wire_begin(&w, 1);
    object = wire_object(&w, 100, 1, (int32_t)run->count, 0);
    wire_counter(&w, 102, PERF_COUNTER_RAWCOUNT, 4, 4);
    for (uint32_t i = 0; i < run->count; i++) {
        char name[16];
        size_t at;

        (void)snprintf(name, sizeof name, below(run, 50) == 0 ? "N%u" : "n%u",
                       (unsigned)run->order[i]);
        at = wire_instance(&w, 0, 0, -1, name);
        if (below(run, 80) == 0)
            wire_patch32(&w, at + 20, 1000); /* damages the NameLength */
        wire_value32(&w, i);
    }
    wire_object_end(&w, object);
    wire_end(&w);
    return wire_sample(&w);
}

static bool is_wanted(const places_run *run, prfdata_text label)
{
    return label.chars[label.count - 1] % run->wanted_of == 0;
}

static void add_wanted(places_run *run, const prfdata_sample_object *object)
{
    for (uint32_t i = 0; i < object->instance_count; i++) {
        if (run->places.at[i] == PRFDATA_PLACES_NONE && !object->instances[i].damaged &&
            is_wanted(run, object->instances[i].label))
            assert_int_not_equal(prfdata_places_add_at(&run->places, object, i),
                                 PRFDATA_PLACES_NONE);
    }
}

static void compare_items(places_run *run, const prfdata_sample_object *object)
{
    const prfdata_places *places = &run->places;
    uint32_t seen = 0;
    uint32_t came = 0;

    for (uint32_t item = 0; item < places->count; item++) {
        const prfdata_place *place = &places->items[item];
        const prfdata_sample_instance *instance =
            object ? prfdata_sample_find_instance(object, place->label) : NULL;

        assert_int_equal(prfdata_places_has(places, item), instance != NULL);
        if (instance) {
            assert_ptr_equal(&object->instances[place->position], instance);
            assert_int_equal(places->at[place->position], item);
            assert_int_equal(place->came == places->number, !run->was_there[item]);
        }
        seen += instance != NULL;
        came += instance && !run->was_there[item];
        run->was_there[item] = instance != NULL;
    }
    assert_int_equal(places->seen_count, seen);
    assert_int_equal(places->came_count, came);
    if (object)
        assert_int_equal(places->new_count, object->found_count - seen);
}

static void run_seed(uint32_t seed)
{
    places_run run = {.random = seed * 2654435761u + 1, .wanted_of = 1 + seed % 5 * (seed % 3)};

    for (uint32_t i = 0; i < MOST / 2; i++)
        run.order[run.count++] = below(&run, NAMES / 2);
    for (uint32_t step = 0; step < STEPS && run.places.count < NAMES - MOST; step++) {
        prfdata_sample *sample = take(&run);
        const prfdata_sample_object *object = below(&run, 10) > 0 ? &sample->objects[0] : NULL;

        assert_true(prfdata_places_follow(&run.places, object));
        if (object)
            add_wanted(&run, object);
        compare_items(&run, object);
        prfdata_sample_free(sample);
    }
    prfdata_places_free(&run.places);
}

static void test_places_are_where_labels_are_found(void **state)
{
    (void)state;
    sampled_seeds(run_seed, SEEDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places_are_where_labels_are_found),
    };

    return cmocka_run_group_tests_name("places", tests, NULL, NULL);
}
