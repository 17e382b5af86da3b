/* SPDX-License-Identifier: MIT */
/* What one of three answers lacks, and the answers before and after it have. */
#include "support/test.h"

#include <string.h>

#include "judge/reply_objects.h"

enum { ABSENT = -2, NO_INSTANCES = -1 };

/* Object 200, with so many instances. */
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
        {2, 1, 2, false}, /* they come and go */
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

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reply_objects_lost_between_two_answers_found),
    };

    return cmocka_run_group_tests_name("reply_objects", tests, NULL, NULL);
}
