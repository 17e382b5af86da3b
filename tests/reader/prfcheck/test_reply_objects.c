/* SPDX-License-Identifier: MIT */
/* Tests how prfcheck finds an object that one answer lacks, although the answers before and after
 * have the object. Also tests the extent of a set: how many objects, counters and instances the set
 * has. */
#include "support/test.h"

#include <string.h>

#include "validate/reply_objects.h"

enum { ABSENT = -2, NO_INSTANCES = -1 };

/* Make a set of object 200 with this many instances. */
static void make_set(prfdata_reply_objects *set, int32_t instances)
{
    memset(set, 0, sizeof *set);
    if (instances == ABSENT)
        return;
    set->items[0] = 200;
    set->instances[0] = instances;
    set->count = 1;
}

static void test_reply_objects_lost_between_two_answers_found(void **state)
{
    static const struct {
        int32_t before;
        int32_t between;
        int32_t after;
        bool is_lost;
    } answers[] = {
        {NO_INSTANCES, NO_INSTANCES, NO_INSTANCES, false},
        {NO_INSTANCES, ABSENT, NO_INSTANCES, true},
        {2, ABSENT, 2, true},
        {2, 0, 2, true},
        {2, 0, 1, true},
        {2, 1, 2, false}, /* instances come and go */
        {0, 0, 2, false},
        {2, 0, 0, false},
        {2, 0, ABSENT, false},
        {2, ABSENT, ABSENT, false},
        {ABSENT, ABSENT, 2, false},
    };
    static prfdata_reply_objects sets[3];

    (void)state;
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        make_set(&sets[0], answers[i].before);
        make_set(&sets[1], answers[i].between);
        make_set(&sets[2], answers[i].after);
        assert_int_equal(prfdata_reply_objects_first_lost(&sets[0], &sets[1], &sets[2]),
                         answers[i].is_lost ? 200 : 0);
    }
}

static void put_object(prfdata_reply_objects *set, uint32_t title, int32_t instances,
                       uint32_t counters)
{
    set->items[set->count] = title;
    set->instances[set->count] = instances;
    set->counters[set->count++] = counters;
}

static void test_reply_objects_extent_grows_with_what_a_scenario_needs(void **state)
{
    static prfdata_reply_objects set;

    (void)state;
    memset(&set, 0, sizeof set);
    assert_int_equal(prfdata_reply_objects_extent(&set), 0);
    put_object(&set, 200, NO_INSTANCES, 3);
    assert_int_equal(prfdata_reply_objects_extent(&set), 4);
    assert_false(prfdata_reply_objects_lack_instances(&set));
    put_object(&set, 202, 0, 1);
    assert_int_equal(prfdata_reply_objects_extent(&set), 6);
    assert_true(prfdata_reply_objects_lack_instances(&set));
    set.instances[1] = 1;
    assert_int_equal(prfdata_reply_objects_extent(&set), 7);
    assert_false(prfdata_reply_objects_lack_instances(&set));
    set.instances[1] = 2;
    assert_int_equal(prfdata_reply_objects_extent(&set), 8);
    set.instances[1] = 20000; /* instances come and go */
    assert_int_equal(prfdata_reply_objects_extent(&set), 8);
    set.counters[1] = UINT32_MAX; /* a number that cannot be true */
    assert_in_range(prfdata_reply_objects_extent(&set), 9, 2000);
}

static void test_reply_objects_add_keeps_the_most_of_each(void **state)
{
    static prfdata_reply_objects seen;
    static prfdata_reply_objects set;

    (void)state;
    memset(&seen, 0, sizeof seen);
    memset(&set, 0, sizeof set);
    put_object(&set, 200, NO_INSTANCES, 3);
    prfdata_reply_objects_add(&seen, &set);
    memset(&set, 0, sizeof set);
    put_object(&set, 202, 5, 1);
    put_object(&set, 200, NO_INSTANCES, 2);
    prfdata_reply_objects_add(&seen, &set);
    set.instances[0] = 0;
    prfdata_reply_objects_add(&seen, &set);
    assert_int_equal(seen.count, 2);
    assert_int_equal(prfdata_reply_objects_extent(&seen), 4 + 4);
    for (uint32_t title = 300; title < 300 + 2 * PRFDATA_REPLY_OBJECTS_MAX; title++) {
        set.count = 0;
        put_object(&set, title, 0, 0);
        prfdata_reply_objects_add(&seen, &set);
    }
    assert_int_equal(seen.count, PRFDATA_REPLY_OBJECTS_MAX);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reply_objects_lost_between_two_answers_found),
        cmocka_unit_test(test_reply_objects_extent_grows_with_what_a_scenario_needs),
        cmocka_unit_test(test_reply_objects_add_keeps_the_most_of_each),
    };

    return cmocka_run_group_tests_name("reply_objects", tests, NULL, NULL);
}
