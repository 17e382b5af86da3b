/* SPDX-License-Identifier: MIT */
/* Tests when there are plans, for what they are used, and how much they cost. Two readers, one with
 * plans and one without, read the same programs. */
#define _GNU_SOURCE /* syscall() */

#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __linux__
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#include <prfdata/atomic.h>
#include <prfdata/prfdata.h>

#include "collect/basis.h"
#include "support/provider/collecting.h"
#include "support/provider/counting.h"
#include "support/provider/provided.h"
#include "support/threads.h"

#include "plan_world.h"

static int install(void **state)
{
    (void)state;
    plan_world_begin(false);
    return 0;
}

static int install_with_health(void **state)
{
    (void)state;
    plan_world_begin(true);
    return 0;
}

static int uninstall(void **state)
{
    (void)state;
    plan_world_end();
    return 0;
}

/* ---- When there is a plan ---- */

static void publish_some(void)
{
    plan_world_start(&plan_world_programs[0]);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(prfdata_instance_add(plan_world_programs[0].publisher, QUEUE_ID,
                                              plan_world_name(i), NULL,
                                              &plan_world_programs[0].queues[i]),
                         ERROR_SUCCESS);
}

static void test_plan_is_made_at_the_first_look_and_used_from_then_on(void **state)
{
    (void)state;
    publish_some();
    plan_world_look("at first", 1);
    assert_int_equal(plan_world_planned(), 0);
    plan_world_look("planned", 5);
    assert_int_equal(plan_world_planned(), 5);
    plan_world_count_some(&plan_world_programs[0]); /* the counted values do not matter */
    plan_world_look("counted", 5);
    assert_int_equal(plan_world_planned(), 10);
    assert_int_equal(prfdata_instance_remove(&plan_world_programs[0].queues[1]), ERROR_SUCCESS);
    plan_world_look("an instance less", 1);
    assert_int_equal(plan_world_planned(), 10);
    plan_world_look("planned again", 1);
    assert_int_equal(plan_world_planned(), 11);
}

static void add_line(uint32_t program_index, const wchar_t *name)
{
    plan_program *in = &plan_world_programs[program_index];

    assert_int_equal(prfdata_instance_add(in->publisher, LINES_ID, name, NULL, &in->lines[0]),
                     ERROR_SUCCESS);
}

static void test_plan_adds_up_lanes(void **state)
{
    plan_program *in = &plan_world_programs[0];
    prfdata_exclusive own;
    collected taken;

    (void)state;
    plan_world_start_wide(in);
    assert_int_equal(prfdata_instance_add(in->publisher, HEATS_ID, L"a", NULL, &in->heats[0]),
                     ERROR_SUCCESS);
    plan_world_look("at first", 2);
    assert_int_equal(plan_world_planned(), 1);
    assert_int_equal(prfdata_resolve_exclusive(in->publisher, WARM_ID, &in->heats[0], &own),
                     ERROR_SUCCESS);
    prfdata_exclusive_increment(&own);
    plan_world_count(in, WARM_ID, &in->heats[0], 5);
    plan_world_count(in, BURNT_ID, NULL, 7);
    plan_world_look("counted", 1);
    collected_take(&taken, plan_world_reader, "Global");
    assert_int_equal(collected_value(&taken, HEATS_TITLE, "", "a", 1), 6);
    assert_int_equal(collected_value(&taken, HEATS_TITLE, "", "_Total", 1), 6);
    collected_free(&taken);
    assert_int_equal(plan_world_planned(), 3);
    prfdata_release_exclusive(&own);
}

static void test_plan_total_of_start_times_is_the_oldest(void **state)
{
    static const struct {
        uint32_t program, span;
        int64_t begun;
    } spans[] = {{0, 0, 500}, {0, 1, 300}, {1, 2, 400}};

    (void)state;
    for (uint32_t i = 0; i < 2; i++)
        plan_world_start_wide(&plan_world_programs[i]);
    for (size_t i = 0; i < sizeof spans / sizeof spans[0]; i++) {
        plan_program *in = &plan_world_programs[spans[i].program];
        prfdata_instance *span = &in->spans[spans[i].span];

        assert_int_equal(prfdata_instance_add(in->publisher, SPANS_ID,
                                              plan_world_name(spans[i].span), NULL, span),
                         ERROR_SUCCESS);
        plan_world_count(in, BEGUN_ID, span, spans[i].begun);
    }
    plan_world_look("at first", 4);
    assert_int_equal(plan_world_planned(), 3);
}

static void test_plan_of_an_object_stays_when_another_one_gets_its_own(void **state)
{
    static const char *const queries[] = {"9700", "9716", "9732 9738"};

    (void)state;
    publish_some();
    add_line(0, L"a");
    for (uint64_t round = 0; round < 3; round++)
        for (uint64_t i = 0; i < 3; i++) {
            plan_world_compare(queries[i], ROOM, queries[i]);
            assert_int_equal(plan_world_planned(), round == 0 ? 0 : 3 * (round - 1) + i + 1);
        }
}

/* The windows of distributions move with time. An ended program's values stay in them for a
 * minute. */
static void test_plan_shows_distributions(void **state)
{
    plan_program *in = &plan_world_programs[0];
    collected taken;

    (void)state;
    plan_world_start_wide(in);
    plan_world_start_wide(&plan_world_programs[1]);
    assert_int_equal(prfdata_instance_add(in->publisher, PORTS_ID, L"a", NULL, &in->ports[0]),
                     ERROR_SUCCESS);
    plan_world_look("at first", 2);
    assert_int_equal(plan_world_planned(), 1);
    for (uint32_t i = 0; i < 7; i++) {
        plan_world_record(in, TIME_ID, &in->ports[0], 64u << i);
        plan_world_record(in, WORK_TIME_ID, NULL, 10u << i);
        plan_world_look("recorded", 1);
        plan_world_now += QUARTER_MINUTE;
        plan_world_look("later", 1);
    }
    assert_int_equal(plan_world_planned(), 15);
    collected_take(&taken, plan_world_reader, "Global");
    assert_int_equal(collected_value(&taken, PORTS_TITLE, "", "a", 1), 7);
    assert_in_range(collected_value(&taken, PORTS_TITLE, "", "a", 0), 64, 4096);
    collected_free(&taken);
    plan_world_now += 8 * QUARTER_MINUTE;
    plan_world_look("all is long ago", 1);
    collected_take(&taken, plan_world_reader, "Global");
    assert_int_equal(collected_value(&taken, PORTS_TITLE, "", "a", 0), 0);
    collected_free(&taken);
    assert_int_equal(plan_world_planned(), 18);
    plan_world_record(&plan_world_programs[1], WORK_TIME_ID, NULL, 9);
    plan_world_stop(&plan_world_programs[1]);
    plan_world_look("one has ended", 3);
    assert_int_equal(plan_world_planned(), 18);
    for (uint32_t i = 0; i < 8; i++) {
        plan_world_now += QUARTER_MINUTE;
        plan_world_look("it is forgotten", 1);
    }
    plan_world_look("planned again", 2);
    assert_true(plan_world_planned() > 19);
}

/* Two programs have the same line, so the object of lines has no plan. Other objects in the same
 * query are then merged, too. */
static void test_plan_is_not_used_beside_an_object_that_cannot_have_one(void **state)
{
    (void)state;
    publish_some();
    plan_world_start(&plan_world_programs[1]);
    add_line(0, L"a");
    add_line(1, L"b");
    plan_world_look("of one program each", 3);
    assert_int_equal(plan_world_planned(), 2);
    assert_int_equal(prfdata_instance_remove(&plan_world_programs[1].lines[0]), ERROR_SUCCESS);
    add_line(1, L"a");
    for (uint32_t i = 0; i < 5; i++) {
        plan_world_count_some(&plan_world_programs[i % 2]);
        plan_world_look("the same line", 1);
        plan_world_compare("9716 9700", ROOM, "two objects");
        plan_world_compare("9716 9700", 700 + 8 * i, "not enough room, perhaps");
    }
    assert_int_equal(plan_world_planned(), 2);
    for (uint32_t i = 0; i < 4; i++)
        plan_world_compare("9700", ROOM, "the other object alone");
    assert_int_equal(plan_world_planned(), 5);
}

/* Compares the sums of `program_count` programs with `counters` counters each. A plan's memory may
 * have room for the sums of only some programs at a time. */
static void look_at_wide(uint32_t counters, uint32_t program_count)
{
    prfdata_publisher *publishers[16];

    plan_world_wide = counters;
    plan_world_begin(false);
    for (uint32_t i = 0; i < program_count; i++) {
        const wchar_t name[] = {(wchar_t)(L'a' + i), 0};
        prfdata_instance wide;

        publishers[i] = counting_open(&plan_world_map.map);
        wide = counting_add(publishers[i], WIDE_ID, name, NULL);
        for (uint32_t c = 1; c <= counters; c++)
            counting_count(publishers[i], WIDE_ID + c, &wide, c + i);
    }
    plan_world_look("wide", 3);
    assert_int_equal(plan_world_planned(), 2);
    for (uint32_t i = 0; i < program_count; i++)
        prfdata_close_and_unmap(publishers[i]);
    plan_world_wide = 0;
    assert_int_equal(uninstall(NULL), 0);
}

static void test_plan_has_room_for_the_sums_of_many_counters(void **state)
{
    (void)state;
    for (uint32_t counters = 60; counters <= 130; counters += 10)
        look_at_wide(counters, 10);
    look_at_wide(128, 5);
    look_at_wide(MOST_WIDE, 2);
}

/* The publisher's process is alive, but its gauges no longer count. */
static void test_plan_leaves_out_gauges_of_a_closed_publisher(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        plan_world_start(&plan_world_programs[i]);
        plan_world_count(&plan_world_programs[i], BUSY_ID, NULL, 5);
    }
    assert_int_equal(collected_value_now(plan_world_reader, "9708", 9708, NULL, NULL, 0), 10);
    prfdata_close(plan_world_programs[0].publisher);
    for (uint64_t planned = 0; planned < 2; planned++) {
        assert_int_equal(collected_value_now(plan_world_reader, "9708", 9708, NULL, NULL, 0), 5);
        assert_int_equal(plan_world_planned(), planned);
    }
}

/* A merge in between does not change what a plan depends on. */
static void test_plan_lasts_while_others_merge_its_object(void **state)
{
    (void)state;
    publish_some();
    plan_world_start(&plan_world_programs[1]);
    add_line(0, L"a");
    add_line(1, L"a");
    for (uint32_t i = 0; i < 10; i++) {
        plan_world_count_some(&plan_world_programs[i % 2]);
        plan_world_compare("9716 9700", ROOM, "merged: two programs have the same line");
        plan_world_compare("9700", ROOM, "planned");
    }
    assert_in_range(plan_world_planned(), 8, 10);
}

static void test_plan_says_at_once_that_there_is_more_data(void **state)
{
    (void)state;
    publish_some();
    plan_world_look("at first", 2);
    assert_int_equal(plan_world_planned(), 1);
    for (uint32_t room = 0; room < 3000; room += 7)
        plan_world_compare("9700 9716", room, "short");
    assert_true(plan_world_planned() > 400);
}

/* Makes a plan for a query, and adds an instance, so the plan is invalid. Collects again into a
 * buffer that is larger than the plan's reply by `more_bytes`. The buffer is too small for the
 * current reply, so Collect must not change the buffer. */
static void look_at_short_buffer(prfdata_publisher *publisher, uint32_t object_id,
                                 const char *query_text, uint32_t more_bytes)
{
    uint16_t *query = collected_query(query_text);
    prfdata_instance added;
    uint32_t size;
    uint32_t room;
    uint32_t objects;

    for (uint32_t i = 0; i < 2; i++) {
        size = ROOM;
        assert_int_equal(
            plan_world_collect(plan_world_reader, query, plan_world_rooms[0], &size, &objects),
            ERROR_SUCCESS);
    }
    assert_int_equal(plan_world_planned(), 1);
    room = size + more_bytes;
    assert_int_equal(prfdata_instance_add(publisher, object_id, L"new", NULL, &added),
                     ERROR_SUCCESS);
    memset(plan_world_rooms[0], 0xA5, ROOM);
    size = room;
    assert_int_equal(
        plan_world_collect(plan_world_reader, query, plan_world_rooms[0], &size, &objects),
        ERROR_MORE_DATA);
    for (uint32_t i = 0; i < ROOM; i++)
        assert_int_equal(plan_world_rooms[0][i], 0xA5);
    free(query);
}

static void test_plan_that_is_over_leaves_a_short_buffer_alone(void **state)
{
    (void)state;
    plan_world_start_wide(&plan_world_programs[0]);
    look_at_short_buffer(plan_world_programs[0].publisher, QUEUE_ID, "9700", 0);
}

/* The counters of the wide instance by themselves need 4,720 bytes. */
static void test_plan_that_is_over_leaves_a_buffer_alone_that_lacks_a_wide_instance(void **state)
{
    prfdata_publisher *publisher;

    (void)state;
    plan_world_wide = MOST_WIDE;
    plan_world_begin(false);
    publisher = counting_open(&plan_world_map.map);
    look_at_short_buffer(publisher, WIDE_ID, "Global", 4700);
    prfdata_close_and_unmap(publisher);
    plan_world_wide = 0;
    assert_int_equal(uninstall(NULL), 0);
}

#ifndef _WIN32
/* ---- Plans that are out of date ---- */

/* Functions that act in place of other threads. Each is called once, at the moment that its comment
 * names; NULL: nothing is called. */
static void (*beside_new_set)(void); /* there is a newer set of regions than that of the plans */
static void (*beside_rows)(void);    /* a plan is about to read rows */
static void (*beside_sums)(void);    /* a plan has computed sums but not recorded them yet */

/* Calls the function once. Threads that collect at the same time only read the pointer, because
 * nothing is written if it is NULL. */
static void run_others(void (**others)(void))
{
    void (*const run)(void) = *others;

    if (!run)
        return;
    *others = NULL;
    run();
}

/* NOLINTBEGIN(clang-diagnostic-reserved-identifier): the linker wants these names */
prfdata_region_set *__real_prfdata_folder_check(prfdata_regions *regions,
                                                const prfdata_versions *registered,
                                                const prfdata_region_set *old);
prfdata_region_set *__wrap_prfdata_folder_check(prfdata_regions *regions,
                                                const prfdata_versions *registered,
                                                const prfdata_region_set *old);
bool __real_prfdata_os_guarded(const prfdata_os_region *view, void (*read)(void *context),
                               void *context);
bool __wrap_prfdata_os_guarded(const prfdata_os_region *view, void (*read)(void *context),
                               void *context);
prfdata_result __real_prfdata_carry_record_sums(prfdata_carry *carry, uint64_t installation,
                                                uint64_t began, uint32_t object_index,
                                                const uint64_t *regions, uint32_t count,
                                                uint64_t *sums);
prfdata_result __wrap_prfdata_carry_record_sums(prfdata_carry *carry, uint64_t installation,
                                                uint64_t began, uint32_t object_index,
                                                const uint64_t *regions, uint32_t count,
                                                uint64_t *sums);
/* NOLINTEND(clang-diagnostic-reserved-identifier) */

prfdata_region_set *__wrap_prfdata_folder_check(prfdata_regions *regions,
                                                const prfdata_versions *registered,
                                                const prfdata_region_set *old)
{
    prfdata_region_set *set = __real_prfdata_folder_check(regions, registered, old);

    run_others(&beside_new_set);
    return set;
}

bool __wrap_prfdata_os_guarded(const prfdata_os_region *view, void (*read)(void *context),
                               void *context)
{
    run_others(&beside_rows);
    return __real_prfdata_os_guarded(view, read, context);
}

prfdata_result __wrap_prfdata_carry_record_sums(prfdata_carry *carry, uint64_t installation,
                                                uint64_t began, uint32_t object_index,
                                                const uint64_t *regions, uint32_t count,
                                                uint64_t *sums)
{
    run_others(&beside_sums);
    return __real_prfdata_carry_record_sums(carry, installation, began, object_index, regions,
                                            count, sums);
}

static uint64_t burnt_by_planned(const char *query)
{
    return collected_value_now(plan_world_reader, query, FURNACE_TITLE, NULL, NULL, 0);
}

static void burn_by_another(void)
{
    /* the first reply with the 7 */
    assert_int_equal(burnt_by_planned("9738"), 107);
    assert_int_equal(burnt_by_planned("9738 9748"), 107);
    assert_int_equal(burnt_by_planned("9738"), 107);
    assert_int_equal(plan_world_planned(), 2);
}

/*
 * One thread has found out that a region was taken over, and checks the folder. Another one is
 * faster and makes the next basis. The first thread's basis is dropped, and the plans of the faster
 * thread stay.
 */
static void test_plan_of_the_basis_of_a_faster_thread_stays(void **state)
{
    (void)state;
    plan_world_start_wide(&plan_world_programs[0]);
    plan_world_count(&plan_world_programs[0], BURNT_ID, NULL, 100);
    plan_world_record(&plan_world_programs[0], WORK_TIME_ID, NULL, 9);
    plan_world_stop(&plan_world_programs[0]);
    assert_int_equal(burnt_by_planned("9738 9748"), 100);
    prfdata_provider_set_refresh(plan_world_reader, 3600 * 1000);
    for (int i = 0; i < 2; i++)
        assert_int_equal(burnt_by_planned("9738"), 100);
    assert_int_equal(plan_world_planned(), 1);
    plan_world_now += QUARTER_MINUTE;
    plan_world_start_wide(&plan_world_programs[0]);
    plan_world_count(&plan_world_programs[0], BURNT_ID, NULL, 7);
    beside_new_set = burn_by_another;
    (void)collected_has_now(plan_world_reader, "9748", 9748, NULL, NULL);
    assert_null(beside_new_set);
    assert_int_equal(burnt_by_planned("9738"), 107);
    assert_int_equal(plan_world_planned(), 4);
}

static void start_another(void)
{
    plan_world_start_wide(&plan_world_programs[1]);
    plan_world_count(&plan_world_programs[1], BURNT_ID, NULL, 7);
    prfdata_provider_set_refresh(plan_world_reader, 0);
    assert_int_equal(burnt_by_planned("9738"), 107);
}

/* Another thread has shown a new program. The plan that is about to be read does not include it. */
static void test_plan_of_a_set_that_is_replaced_meanwhile_is_not_used(void **state)
{
    (void)state;
    plan_world_start_wide(&plan_world_programs[0]);
    plan_world_count(&plan_world_programs[0], BURNT_ID, NULL, 100);
    for (int i = 0; i < 2; i++)
        assert_int_equal(burnt_by_planned("9738"), 100);
    assert_int_equal(plan_world_planned(), 1);
    prfdata_provider_set_refresh(plan_world_reader, 3600 * 1000);
    assert_int_equal(burnt_by_planned("9738"), 100);
    beside_rows = start_another; /* only reading rows calls prfdata_os_guarded() here */
    assert_int_equal(burnt_by_planned("9738"), 107);
    assert_null(beside_rows);
}

static void show_another_line(void)
{
    plan_world_start_wide(&plan_world_programs[1]);
    counting_add(plan_world_programs[1].publisher, LINES_ID, L"b", NULL);
    prfdata_provider_set_refresh(plan_world_reader, 0);
    assert_true(collected_has_now(plan_world_reader, "9716", LINES_TITLE, "", "b"));
}

/* The object has no total, so nothing of it is carried. Only the number of the basis says that the
 * plan is out of date. */
static void test_plan_without_totals_of_a_basis_that_is_replaced_meanwhile_is_not_used(void **state)
{
    (void)state;
    plan_world_start_wide(&plan_world_programs[0]);
    counting_add(plan_world_programs[0].publisher, LINES_ID, L"a", NULL);
    for (int i = 0; i < 2; i++)
        assert_true(collected_has_now(plan_world_reader, "9716", LINES_TITLE, "", "a"));
    assert_int_equal(plan_world_planned(), 1);
    prfdata_provider_set_refresh(plan_world_reader, 3600 * 1000);
    assert_true(collected_has_now(plan_world_reader, "9716", LINES_TITLE, "", "a"));
    beside_rows = show_another_line; /* only reading rows calls prfdata_os_guarded() here */
    assert_true(collected_has_now(plan_world_reader, "9716", LINES_TITLE, "", "b"));
    assert_null(beside_rows);
}

static void lose_the_file(void)
{
    prfdata_test_file file;

    assert_int_equal(prfdata_test_service_files(&service, &file, 1), 1);
    plan_world_stop(&plan_world_programs[0]);
    assert_true(prfdata_test_service_delete_file(&service, file.name));
    assert_int_equal(burnt_by_planned("9738"), 100);
}

/* A slow thread shows counts of a region whose file was deleted meanwhile. The plan that another
 * thread has made meanwhile lacks these counts. */
static void test_plan_of_what_was_carried_before_is_not_used(void **state)
{
    (void)state;
    plan_world_start_wide(&plan_world_programs[0]);
    plan_world_count(&plan_world_programs[0], BURNT_ID, NULL, 100);
    for (int i = 0; i < 2; i++)
        assert_int_equal(burnt_by_planned("9738"), 100);
    plan_world_count(&plan_world_programs[0], BURNT_ID, NULL, 7);
    beside_sums = lose_the_file;
    assert_int_equal(burnt_by_planned("9738"), 107);
    assert_null(beside_sums);
    assert_int_equal(burnt_by_planned("9738"), 107);
}

/* Moves the titles, and acts as another thread of the reader, whose Collect finds the new
 * titles. */
static void move_the_titles(void)
{
    prfdata_test_service_set_number(&service, "First Counter", 19700);
    prfdata_test_service_set_number(&service, "First Help", 19701);
    assert_int_equal(
        collected_value_now(plan_world_reader, "19738", FURNACE_TITLE + 10000, NULL, NULL, 0), 100);
}

static void move_and_delete_the_titles(void)
{
    move_the_titles();
    prfdata_test_service_delete_value(&service, "First Counter");
}

/* The Collect merges and finds nothing. The objects of the former plan are not in the reply. */
static void expect_nothing_beside(void (*others)(void))
{
    collected taken;

    plan_world_start_wide(&plan_world_programs[0]);
    plan_world_count(&plan_world_programs[0], BURNT_ID, NULL, 100);
    for (int i = 0; i < 2; i++)
        assert_int_equal(burnt_by_planned("9738"), 100);
    beside_sums = others;
    collected_take(&taken, plan_world_reader, "9738");
    assert_int_equal(taken.reply.size, 0);
    assert_int_equal(taken.reply.object_count, 0);
    collected_free(&taken);
    assert_null(beside_sums);
}

static void test_plan_of_a_map_whose_titles_are_moved_meanwhile_leaves_nothing(void **state)
{
    (void)state;
    expect_nothing_beside(move_the_titles);
}

static void test_plan_of_a_map_that_is_uninstalled_meanwhile_leaves_nothing(void **state)
{
    (void)state;
    expect_nothing_beside(move_and_delete_the_titles);
}
#endif

/* Readers begin with a buffer that is too small, and try again with larger ones. */
static void test_plan_is_made_where_the_room_was_never_enough(void **state)
{
    (void)state;
    publish_some();
    for (int i = 0; i < 6; i++)
        plan_world_compare("9700", 100, "too small");
    assert_int_equal(plan_world_planned(), 5);
    plan_world_compare("9700", ROOM, "enough");
    assert_int_equal(plan_world_planned(), 6);
}

/* The plan was made for a larger reply. The current reply fits, so it must not be refused. */
static void test_plan_that_was_larger_does_not_refuse_room_that_is_enough(void **state)
{
    (void)state;
    publish_some();
    plan_world_look("at first", 3);
    assert_int_equal(prfdata_instance_remove(&plan_world_programs[0].queues[1]), ERROR_SUCCESS);
    for (uint32_t room = 200; room < 2000; room += 8)
        plan_world_compare("9700", room, "an instance less");
}

#ifndef _WIN32
static prfdata_handle counted_at_the_stamp;
static uint32_t stamps;

/* NOLINTBEGIN(clang-diagnostic-reserved-identifier): the linker wants these names */
uint64_t __real_prfdata_os_ticks(void);
uint64_t __wrap_prfdata_os_ticks(void);
/* NOLINTEND(clang-diagnostic-reserved-identifier) */

/* Counts 1 just after the clock was read. The reply must not show that count, because values must
 * not be younger than the reply's time stamp. */
uint64_t __wrap_prfdata_os_ticks(void)
{
    const uint64_t ticks = __real_prfdata_os_ticks();

    if (counted_at_the_stamp.cell) {
        prfdata_add(counted_at_the_stamp, 1);
        stamps++;
    }
    return ticks;
}

static uint64_t lines_sent_of_planned(void)
{
    return collected_value_now(plan_world_reader, "Global", LINES_TITLE, "", "a", 0);
}

/* A start time that is later than the object's time would be shown as centuries. */
static void test_plan_values_are_not_younger_than_the_time(void **state)
{
    prfdata_handle sent;

    (void)state;
    plan_world_start(&plan_world_programs[0]);
    assert_int_equal(prfdata_instance_add(plan_world_programs[0].publisher, LINES_ID, L"a", NULL,
                                          &plan_world_programs[0].lines[0]),
                     ERROR_SUCCESS);
    assert_int_equal(prfdata_resolve(plan_world_programs[0].publisher, SENT_ID,
                                     &plan_world_programs[0].lines[0], &sent),
                     ERROR_SUCCESS);
    plan_world_look("at first", 2);
    assert_int_equal(plan_world_planned(), 1);
    counted_at_the_stamp = sent;
    assert_int_equal(lines_sent_of_planned(), 0);
    counted_at_the_stamp.cell = NULL;
    assert_int_equal(stamps, 1);
    assert_int_equal(plan_world_planned(), 2);
}
#endif

#ifdef __linux__
/* ---- System calls ---- */

static uint32_t listings, attachments;

/* NOLINTBEGIN(clang-diagnostic-reserved-identifier): the linker wants these names */
uint32_t __real_prfdata_os_directory_list_part(prfdata_os_directory *directory, uint64_t boot,
                                               uint64_t *position, prfdata_os_name *names,
                                               size_t capacity, size_t *count);
uint32_t __wrap_prfdata_os_directory_list_part(prfdata_os_directory *directory, uint64_t boot,
                                               uint64_t *position, prfdata_os_name *names,
                                               size_t capacity, size_t *count);
uint32_t __real_prfdata_os_region_attach(prfdata_os_directory *directory,
                                         const prfdata_os_name *name, uint64_t limit,
                                         prfdata_os_region *region);
uint32_t __wrap_prfdata_os_region_attach(prfdata_os_directory *directory,
                                         const prfdata_os_name *name, uint64_t limit,
                                         prfdata_os_region *region);
/* NOLINTEND(clang-diagnostic-reserved-identifier) */

uint32_t __wrap_prfdata_os_directory_list_part(prfdata_os_directory *directory, uint64_t boot,
                                               uint64_t *position, prfdata_os_name *names,
                                               size_t capacity, size_t *count)
{
    listings++;
    return __real_prfdata_os_directory_list_part(directory, boot, position, names, capacity, count);
}

uint32_t __wrap_prfdata_os_region_attach(prfdata_os_directory *directory,
                                         const prfdata_os_name *name, uint64_t limit,
                                         prfdata_os_region *region)
{
    attachments++;
    return __real_prfdata_os_region_attach(directory, name, limit, region);
}

static void collect_planned(const uint16_t *query)
{
    uint32_t size = ROOM;
    uint32_t objects;

    (void)plan_world_collect(plan_world_reader, query, plan_world_rooms[0], &size, &objects);
}

static void test_plan_refresh_lists_once_and_attaches_what_is_new_only(void **state)
{
    uint16_t *query = collected_query("Global");

    (void)state;
    for (int i = 0; i + 1 < MOST_PROGRAMS; i++)
        plan_world_start(&plan_world_programs[i]);
    collect_planned(query);
    listings = 0;
    attachments = 0;
    for (int i = 0; i < 5; i++)
        collect_planned(query);
    assert_int_equal(listings, 5);
    assert_int_equal(attachments, 0);
    /* Starting a program also lists the folder. */
    plan_world_start(&plan_world_programs[MOST_PROGRAMS - 1]);
    listings = 0;
    collect_planned(query);
    assert_int_equal(listings, 1);
    assert_int_equal(attachments, 1);
    free(query);
}

/* ---- Locks ---- */

static uint32_t locks; /* how many locks were taken so far; accessed atomically */

/* NOLINTBEGIN(clang-diagnostic-reserved-identifier): the linker wants these names */
void __real_prfdata_os_lock_enter(prfdata_os_lock *lock);
void __wrap_prfdata_os_lock_enter(prfdata_os_lock *lock);
/* NOLINTEND(clang-diagnostic-reserved-identifier) */

void __wrap_prfdata_os_lock_enter(prfdata_os_lock *lock)
{
    prfdata_store32_relaxed(&locks, prfdata_load32_relaxed(&locks) + 1);
    __real_prfdata_os_lock_enter(lock);
}

/* Collects from plans. Returns how many locks that took. */
static uint32_t locks_of(const char *text)
{
    uint16_t *query = collected_query(text);
    const uint64_t before = plan_world_planned();
    uint32_t taken;

    locks = 0;
    collect_planned(query);
    taken = locks;
    assert_int_equal(plan_world_planned(), before + 1);
    free(query);
    return taken;
}

/* A Collect takes one lock to get the current basis, and one to release the basis. */
static void test_plan_takes_two_locks_between_two_refreshes(void **state)
{
    (void)state;
    publish_some();
    add_line(0, L"a");
    plan_world_look("at first", 3);
    prfdata_provider_set_refresh(plan_world_reader, 3600 * 1000);
    (void)locks_of("9716");
    assert_int_equal(locks_of("9716"), 2);
}

static void test_plan_takes_one_more_lock_for_the_sums_of_all_programs(void **state)
{
    (void)state;
    for (uint32_t i = 0; i + 1 < MOST_PROGRAMS; i++) {
        plan_world_start(&plan_world_programs[i]);
        assert_int_equal(prfdata_instance_add(plan_world_programs[i].publisher, QUEUE_ID,
                                              plan_world_name(i), NULL,
                                              &plan_world_programs[i].queues[i]),
                         ERROR_SUCCESS);
    }
    plan_world_look("at first", 3);
    prfdata_provider_set_refresh(plan_world_reader, 3600 * 1000);
    (void)locks_of("9700");
    (void)locks_of("9700");
    assert_int_equal(locks_of("9700"), 3);
    plan_world_count(&plan_world_programs[1], JOBS_ID, &plan_world_programs[1].queues[1], 5);
    assert_int_equal(locks_of("9700"), 3);
}

/* From now on, this process may only read the time and exit. At any other system call, the system
 * kills the process. */
static bool forbid_system_calls(void)
{
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clock_gettime, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog filter = {sizeof steps / sizeof steps[0], steps};

    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

/* Collects objects with and without sums, between two refreshes. */
static void collect_without_system_calls(const uint16_t *query)
{
    const uint64_t before = plan_world_planned();

    if (!forbid_system_calls())
        _exit(2);
    for (int i = 0; i < 100; i++)
        collect_planned(query);
    /* Do not use _exit(), because sanitizers make other system calls before it. */
    (void)syscall(SYS_exit_group, plan_world_planned() == before + 100 ? 0 : 3);
}

static void test_plan_asks_the_system_for_nothing_but_the_time(void **state)
{
    uint16_t *query = collected_query("Global");
    int status;
    pid_t child;

    (void)state;
    publish_some();
    prfdata_provider_set_refresh(plan_world_reader, 3600 * 1000);
    for (int i = 0; i < 3; i++)
        collect_planned(query);
    child = fork();
    assert_true(child >= 0);
    if (child == 0)
        collect_without_system_calls(query);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    free(query);
}
#endif

static void test_plan_subtracts_what_a_slot_had_counted_before(void **state)
{
    static const prfdata_capacity one[] = {{QUEUE_ID, 1}, {LINES_ID, 1}, {PEAKS_ID, 1}};
    plan_program *in = &plan_world_programs[0];

    (void)state;
    assert_int_equal(prfdata_open_with(&plan_world_map.map, one, 3, &in->publisher), ERROR_SUCCESS);
    for (uint32_t i = 0; i < NAMES; i++) {
        assert_int_equal(
            prfdata_instance_add(in->publisher, QUEUE_ID, plan_world_name(i), NULL, &in->queues[i]),
            ERROR_SUCCESS);
        assert_int_equal(
            prfdata_instance_add_id(in->publisher, LINES_ID, (int32_t)i, NULL, &in->lines[i]),
            ERROR_SUCCESS);
        assert_int_equal(
            prfdata_instance_add(in->publisher, PEAKS_ID, plan_world_name(i), NULL, &in->peaks[i]),
            ERROR_SUCCESS);
        for (int k = 0; k < 20; k++)
            plan_world_count_some(in);
        plan_world_look("added", 4);
        (void)prfdata_instance_remove(&in->queues[i]);
        (void)prfdata_instance_remove(&in->lines[i]);
        (void)prfdata_instance_remove(&in->peaks[i]);
        plan_world_look("removed", 4);
    }
    assert_true(plan_world_planned() >= 4 * NAMES);
}

/* The row's other contributor is gone, and its counts are carried. */
static void test_plan_shows_what_is_carried(void **state)
{
    static const prfdata_capacity one[] = {{QUEUE_ID, 1}};
    prfdata_publisher *tight;
    prfdata_instance x;
    prfdata_handle jobs;

    (void)state;
    plan_world_start(&plan_world_programs[0]);
    assert_int_equal(prfdata_open_with(&plan_world_map.map, one, 1, &tight), ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_add(tight, QUEUE_ID, L"x", NULL, &x), ERROR_SUCCESS);
    assert_int_equal(prfdata_resolve(tight, JOBS_ID, &x, &jobs), ERROR_SUCCESS);
    prfdata_add(jobs, 100);
    assert_int_equal(prfdata_instance_add(plan_world_programs[0].publisher, QUEUE_ID, L"x", NULL,
                                          &plan_world_programs[0].queues[0]),
                     ERROR_SUCCESS);
    plan_world_look("two contributors", 4);
    assert_int_equal(prfdata_instance_remove(&x), ERROR_SUCCESS);
    plan_world_look("one sleeps", 4);
    assert_int_equal(prfdata_instance_add(tight, QUEUE_ID, L"y", NULL, &x), ERROR_SUCCESS);
    plan_world_look("one is gone", 6);
    {
        collected taken;

        collected_take(&taken, plan_world_reader, "9700");
        assert_int_equal(collected_value(&taken, FIRST_COUNTER, "", "x", 1), 100);
        collected_free(&taken);
    }
    prfdata_close_and_unmap(tight);
    plan_world_look("it has ended", 6);
}

#ifndef _WIN32 /* Windows does not delete a file that a reader has mapped */
/* Only a plan has shown these values of a region. They must not be lost when the region is
 * deleted. */
static void test_plan_shows_sums_that_do_not_fall(void **state)
{
    prfdata_test_file file;

    (void)state;
    plan_world_start(&plan_world_programs[0]);
    plan_world_count(&plan_world_programs[0], BUSY_ID, NULL, 3);
    assert_int_equal(prfdata_instance_add(plan_world_programs[0].publisher, QUEUE_ID, L"a", NULL,
                                          &plan_world_programs[0].queues[0]),
                     ERROR_SUCCESS);
    plan_world_look("at first", 4);
    plan_world_count(&plan_world_programs[0], JOBS_ID, &plan_world_programs[0].queues[0], 1000);
    plan_world_look("counted", 1);
    assert_true(plan_world_planned() > 1);
    assert_int_equal(prfdata_test_service_files(&service, &file, 1), 1);
    plan_world_stop(&plan_world_programs[0]);
    assert_true(prfdata_test_service_delete_file(&service, file.name));
    plan_world_look("gone", 5);
}
#endif

static void test_plan_is_used_where_there_are_brackets_that_were_left(void **state)
{
    (void)state;
    publish_some();
    plan_world_look("at first", 2);
    assert_int_equal(plan_world_planned(), 1);
    prfdata_begin(&plan_world_programs[0].queues[0]);
    plan_world_count(&plan_world_programs[0], JOBS_ID, &plan_world_programs[0].queues[0], 5);
    prfdata_end(&plan_world_programs[0].queues[0]);
    plan_world_look("after brackets", 5); /* the plan was made before there were brackets */
    assert_int_equal(plan_world_planned(), 5);
    prfdata_begin(&plan_world_programs[0].queues[0]);
    plan_world_count(&plan_world_programs[0], JOBS_ID, &plan_world_programs[0].queues[0], 5);
    prfdata_end(&plan_world_programs[0].queues[0]);
    plan_world_look("after others", 2);
    assert_int_equal(plan_world_planned(), 7);
    for (uint32_t i = 1; i <= 5; i++) {
        prfdata_begin_all(plan_world_programs[0].publisher);
        plan_world_count(&plan_world_programs[0], JOBS_ID, &plan_world_programs[0].queues[0], 5);
        prfdata_end_all(plan_world_programs[0].publisher);
        plan_world_look("after brackets around all", 1);
        assert_int_equal(plan_world_planned(), 7 + i);
    }
}

/* While a thread is inside a bracket, the merge tries several times, and then shows the values as
 * they are. */
static void test_plan_is_not_used_while_a_thread_is_inside_a_bracket(void **state)
{
    (void)state;
    publish_some();
    prfdata_begin(&plan_world_programs[0].queues[0]);
    prfdata_end(&plan_world_programs[0].queues[0]);
    plan_world_look("at first", 2);
    assert_int_equal(plan_world_planned(), 1);
    prfdata_begin(&plan_world_programs[0].queues[0]);
    plan_world_count(&plan_world_programs[0], JOBS_ID, &plan_world_programs[0].queues[0], 5);
    plan_world_look("inside", 2);
    assert_int_equal(plan_world_planned(), 1);
    prfdata_end(&plan_world_programs[0].queues[0]);
    /* The merges in between have not changed anything that the plan depends on. */
    plan_world_look("outside", 1);
    assert_int_equal(plan_world_planned(), 2);
    prfdata_begin_all(plan_world_programs[0].publisher);
    plan_world_compare("9700 9716", 100, "too small, whatever is inside");
    assert_int_equal(plan_world_planned(), 3);
    plan_world_look("inside one around all", 2);
    assert_int_equal(plan_world_planned(), 3);
    prfdata_end_all(plan_world_programs[0].publisher);
}

/* If there are brackets, rows that are copied straight from the view are checked, too. */
static void test_plan_of_straight_rows_is_not_used_while_a_thread_is_inside_a_bracket(void **state)
{
    plan_program *in = &plan_world_programs[0];

    (void)state;
    publish_some();
    assert_int_equal(prfdata_instance_add(in->publisher, LINES_ID, L"a", NULL, &in->lines[0]),
                     ERROR_SUCCESS);
    prfdata_begin(&in->lines[0]);
    prfdata_end(&in->lines[0]);
    plan_world_compare("9716", ROOM, "at first");
    plan_world_compare("9716", ROOM, "after brackets");
    assert_int_equal(plan_world_planned(), 1);
    prfdata_begin(&in->lines[0]);
    plan_world_count(in, SENT_ID, &in->lines[0], 5);
    plan_world_compare("9716", ROOM, "inside");
    assert_int_equal(plan_world_planned(), 1);
    prfdata_end(&in->lines[0]);
    plan_world_compare("9716", ROOM, "outside");
    assert_int_equal(plan_world_planned(), 2);
}

/* A queue is added, and lines stay the same. The plan for lines also ends, because a region's
 * structure word only says that something changed. */
static void test_plan_ends_with_changes_of_other_objects(void **state)
{
    plan_program *in = &plan_world_programs[0];

    (void)state;
    publish_some();
    add_line(0, L"a");
    plan_world_look("at first", 2);
    assert_int_equal(plan_world_planned(), 1);
    assert_int_equal(
        prfdata_instance_add(in->publisher, QUEUE_ID, plan_world_name(5), NULL, &in->queues[5]),
        ERROR_SUCCESS);
    plan_world_compare("9716", ROOM, "beside a new queue");
    assert_int_equal(prfdata_instance_remove(&in->queues[5]), ERROR_SUCCESS);
    plan_world_compare("9716", 100, "too small, beside one that is gone");
    assert_int_equal(plan_world_planned(), 1);
    plan_world_compare("9716", 100, "too small");
    plan_world_compare("9716", ROOM, "planned");
    assert_int_equal(plan_world_planned(), 3);
}

/* ---- Threads ---- */

enum { THREADS = 4, CHURN = 3000 };

static void collect_lines(void *context)
{
    static const uint16_t query[] = {'9', '7', '1', '6', 0};
    unsigned char *bytes = malloc(ROOM);

    (void)context;
    for (int i = 0; bytes && i < CHURN; i++) {
        uint32_t size = ROOM;
        uint32_t objects;

        (void)plan_world_collect(plan_world_reader, query, bytes, &size, &objects);
    }
    free(bytes);
}

static void test_plan_threads_are_all_answered_by_plan(void **state)
{
    (void)state;
    publish_some();
    plan_world_look("at first", 2);
    assert_int_equal(plan_world_planned(), 1);
    prfdata_provider_set_refresh(plan_world_reader, 3600 * 1000);
    prfdata_test_threads_run(THREADS, collect_lines, NULL);
    assert_int_equal(plan_world_planned(), 1 + THREADS * CHURN);
}

typedef struct plan_race {
    prfdata_os_lock writing; /* the thread that gets this lock writes; the others read */
    uint32_t is_over;        /* atomic */
    uint32_t fell;           /* atomic */
} plan_race;

static void read_while_written(plan_race *with)
{
    uint64_t last = 0;

    while (!prfdata_load32_relaxed(&with->is_over)) {
        collected taken;
        uint64_t jobs;

        collected_take(&taken, plan_world_reader, "Global");
        jobs = collected_value(&taken, FIRST_COUNTER, "", "_Total", 1);
        if (jobs < last)
            prfdata_store32_relaxed(&with->fell, 1);
        last = jobs;
        collected_free(&taken);
    }
}

static void write_or_read(void *context)
{
    plan_race *with = context;

    if (!prfdata_os_lock_try(&with->writing)) {
        read_while_written(with);
        return;
    }
    for (uint32_t i = 0; i < CHURN; i++) {
        plan_world_count(&plan_world_programs[0], JOBS_ID, &plan_world_programs[0].queues[0], 1);
        if (i % 64 == 0) {
            (void)prfdata_instance_remove(&plan_world_programs[0].queues[2]);
            (void)prfdata_instance_remove(&plan_world_programs[0].peaks[0]);
            (void)prfdata_instance_add(plan_world_programs[0].publisher, PEAKS_ID,
                                       i % 128 ? L"p" : L"q", NULL,
                                       &plan_world_programs[0].peaks[0]);
            (void)prfdata_instance_add(plan_world_programs[0].publisher, QUEUE_ID,
                                       i % 128 ? L"ccc" : L"other", NULL,
                                       &plan_world_programs[0].queues[2]);
        }
    }
    prfdata_store32_relaxed(&with->is_over, 1);
}

static void test_plan_while_threads_collect_no_total_falls(void **state)
{
    plan_race with = {0};

    (void)state;
    /* With 1 ms, most Collects find that no refresh is due. */
    prfdata_provider_set_refresh(plan_world_reader, 1);
    publish_some();
    prfdata_test_threads_run(THREADS, write_or_read, &with);
    assert_int_equal(with.fell, 0);
    prfdata_provider_set_refresh(plan_world_reader, 0);
    plan_world_look("after all", 3);
    assert_true(plan_world_planned() > 0);
}

#define TEST(name)             cmocka_unit_test_setup_teardown(name, install, uninstall)
#define TEST_WITH_HEALTH(name) cmocka_unit_test_setup_teardown(name, install_with_health, uninstall)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_plan_is_made_at_the_first_look_and_used_from_then_on),
        TEST(test_plan_adds_up_lanes),
        TEST(test_plan_total_of_start_times_is_the_oldest),
        TEST(test_plan_of_an_object_stays_when_another_one_gets_its_own),
        TEST(test_plan_shows_distributions),
        TEST(test_plan_is_not_used_beside_an_object_that_cannot_have_one),
        cmocka_unit_test(test_plan_has_room_for_the_sums_of_many_counters),
        TEST(test_plan_leaves_out_gauges_of_a_closed_publisher),
        TEST(test_plan_lasts_while_others_merge_its_object),
        TEST_WITH_HEALTH(test_plan_says_at_once_that_there_is_more_data),
        TEST(test_plan_that_is_over_leaves_a_short_buffer_alone),
        cmocka_unit_test(test_plan_that_is_over_leaves_a_buffer_alone_that_lacks_a_wide_instance),
#ifndef _WIN32
        TEST(test_plan_of_the_basis_of_a_faster_thread_stays),
        TEST(test_plan_of_a_set_that_is_replaced_meanwhile_is_not_used),
        TEST(test_plan_without_totals_of_a_basis_that_is_replaced_meanwhile_is_not_used),
        TEST(test_plan_of_what_was_carried_before_is_not_used),
        TEST(test_plan_of_a_map_whose_titles_are_moved_meanwhile_leaves_nothing),
        TEST(test_plan_of_a_map_that_is_uninstalled_meanwhile_leaves_nothing),
#endif
        TEST_WITH_HEALTH(test_plan_is_made_where_the_room_was_never_enough),
        TEST_WITH_HEALTH(test_plan_that_was_larger_does_not_refuse_room_that_is_enough),
        TEST(test_plan_subtracts_what_a_slot_had_counted_before),
#ifndef _WIN32
        TEST(test_plan_values_are_not_younger_than_the_time),
#endif
#ifdef __linux__
        TEST(test_plan_refresh_lists_once_and_attaches_what_is_new_only),
        TEST_WITH_HEALTH(test_plan_asks_the_system_for_nothing_but_the_time),
        TEST(test_plan_takes_two_locks_between_two_refreshes),
        TEST(test_plan_takes_one_more_lock_for_the_sums_of_all_programs),
#endif
        TEST(test_plan_shows_what_is_carried),
#ifndef _WIN32
        TEST(test_plan_shows_sums_that_do_not_fall),
#endif
        TEST(test_plan_is_used_where_there_are_brackets_that_were_left),
        TEST(test_plan_is_not_used_while_a_thread_is_inside_a_bracket),
        TEST(test_plan_of_straight_rows_is_not_used_while_a_thread_is_inside_a_bracket),
        TEST(test_plan_ends_with_changes_of_other_objects),
        TEST(test_plan_threads_are_all_answered_by_plan),
        TEST_WITH_HEALTH(test_plan_while_threads_collect_no_total_falls),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
