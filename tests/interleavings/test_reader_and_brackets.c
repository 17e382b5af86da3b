/* SPDX-License-Identifier: MIT */
/* Tests a reader that encounters brackets. The reader waits for a moment with no thread inside a
 * bracket, and notices if a thread entered one during the copying. After some time it shows the
 * values as they are and counts them as torn. It does not wait for threads of an ended process. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "base/crash_points.h"
#include "interleavings/world.h"
#include "plan/plan.h"
#include "support/provider/torn_copies.h"

typedef struct step_bracket {
    void (*begin)(world *in);
    void (*end)(world *in);
} step_bracket;

static void begin_slot(world *in)
{
    prfdata_begin(&in->x);
}

static void end_slot(world *in)
{
    prfdata_end(&in->x);
}

static void begin_all(world *in)
{
    prfdata_begin_all(in->a);
}

static void end_all(world *in)
{
    prfdata_end_all(in->a);
}

static const step_bracket of_slot = {begin_slot, end_slot};
static const step_bracket around_all = {begin_all, end_all};

static const step_bracket *tried;

/* The numbers of the images that count_twice() makes. */
enum { BEFORE, INSIDE, HALF, LEFT };

static void count_twice(world *in)
{
    tried->begin(in);
    prfdata_crash_point("inside");
    world_count(in->a, CHAOS_JOBS, &in->x, 3);
    prfdata_crash_point("half");
    world_count(in->a, CHAOS_JOBS, &in->x, 4);
    tried->end(in);
    prfdata_crash_point("left");
}

static void begin_world(world *in, const step_bracket *what)
{
    world_begin(in);
    world_open_a(in, 1, 1);
    world_add(in->a, L"x", NULL, 100, &in->x);
    tried = what;
    world_record(in, count_twice);
}

static uint32_t step_named(const char *name, uint32_t from)
{
    for (uint32_t i = from; i <= world_reader_steps(); i++)
        if (!strcmp(world_reader_step(i), name))
            return i;
    fail_msg("no step %s", name);
    return 0;
}

/* Reads with these stops, and checks the values shown. Returns how many copies were torn. */
static uint64_t read_with(const world *in, uint32_t image, const world_stop *stops, uint32_t count,
                          const char *expected)
{
    const world_reading wanted = world_expected(expected);
    prfdata_provider *provider;
    world_reading reading;
    uint64_t torn;

    world_put_image(in, image, true);
    provider = world_open_provider(true);
    world_read(in, provider, stops, count, &reading);
    if (!world_is_lawful(&reading, &wanted, 1))
        fail_msg("%s", world_text(&reading));
    torn = torn_copies(provider);
    prfdata_provider_close(provider);
    return torn;
}

static void wait_for_the_end(const step_bracket *what)
{
    world in;
    world_stop stop = {0, LEFT, true};

    begin_world(&in, what);
    assert_int_equal(read_with(&in, HALF, NULL, 0, "x=103:7 jobs=103"), 1);
    stop.reader_step = step_named("R: pause", 1);
    assert_int_equal(read_with(&in, HALF, &stop, 1, "x=107:7 jobs=107"), 0);
    world_end(&in);
}

static void test_a_reader_waits_for_the_end_of_a_bracket(void **state)
{
    (void)state;
    wait_for_the_end(&of_slot);
    wait_for_the_end(&around_all);
}

/* The writer enters a bracket after the reader has checked that no thread is inside. The writer
 * leaves the bracket while the reader waits. */
static void notice_who_enters(const step_bracket *what)
{
    world_stop stops[] = {{0, HALF, true}, {0, LEFT, true}};
    world in;

    begin_world(&in, what);
    assert_int_equal(read_with(&in, BEFORE, NULL, 0, "x=100:7 jobs=100"), 0);
    stops[0].reader_step = step_named("R: slot parts", 1);
    assert_int_equal(read_with(&in, BEFORE, stops, 1, "x=103:7 jobs=103"), 1);
    stops[1].reader_step = step_named("R: pause", stops[0].reader_step);
    assert_int_equal(read_with(&in, BEFORE, stops, 2, "x=107:7 jobs=107"), 0);
    world_end(&in);
}

static void test_a_reader_notices_who_enters_while_it_copies(void **state)
{
    (void)state;
    notice_who_enters(&of_slot);
    notice_who_enters(&around_all);
}

static uint32_t count_steps(const char *name)
{
    uint32_t count = 0;

    for (uint32_t i = 1; i <= world_reader_steps(); i++)
        count += !strcmp(world_reader_step(i), name);
    return count;
}

/* Collects from the first image until there are plans. At the named step of the next Collect, the
 * image with half of the counts replaces the first one. `planned` gets the number of Collects that
 * plans answered. Returns how many copies were torn. */
static uint64_t look_by_plan(const world *in, const char *step, uint64_t *planned)
{
    const world_reading wanted = world_expected("x=103:7 jobs=103");
    prfdata_provider *provider;
    world_stop stop = {0, HALF, true};
    world_reading reading;
    uint64_t torn;

    world_put_image(in, BEFORE, true);
    provider = world_open_provider(true);
    for (int i = 0; i < 3; i++)
        world_read(in, provider, NULL, 0, &reading);
    stop.reader_step = step_named(step, 1);
    world_read(in, provider, &stop, 1, &reading);
    if (!world_is_lawful(&reading, &wanted, 1))
        fail_msg("%s: %s", step, world_text(&reading));
    *planned = prfdata_provider_number(provider, PRFDATA_HEALTH_PLANS_USED);
    torn = torn_copies(provider);
    prfdata_provider_close(provider);
    return torn;
}

/* A region has had brackets before, and there is a plan. During the next Collect, a thread enters a
 * bracket. This Collect merges, and counts the values as torn. */
static void notice_who_enters_beside_a_plan(const step_bracket *what, const char *step)
{
    uint64_t planned;
    world in;

    world_begin(&in);
    world_open_a(&in, 1, 1);
    world_add(in.a, L"x", NULL, 100, &in.x);
    what->begin(&in);
    what->end(&in);
    tried = what;
    world_record(&in, count_twice);
    assert_int_equal(look_by_plan(&in, step, &planned), 1);
    assert_int_equal(planned, 2); /* the first Collect made the plans */
    world_end(&in);
}

static void test_a_plan_notices_who_enters_while_it_gathers(void **state)
{
    (void)state;
    notice_who_enters_beside_a_plan(&around_all, "R: planned");
    notice_who_enters_beside_a_plan(&of_slot, "R: planned");
    notice_who_enters_beside_a_plan(&of_slot, "R: bracket");
}

static void count_in_two_objects(world *in)
{
    for (int i = 0; i < 2; i++) {
        prfdata_begin_all(in->a);
        world_count(in->a, CHAOS_JOBS, &in->x, 3);
        world_count(in->a, CHAOS_REQUESTS, NULL, 5);
        prfdata_end_all(in->a);
        prfdata_crash_point("counted");
    }
}

/* Returns whether the reading shows the state after none, one or both of the brackets of
 * count_in_two_objects(). */
static bool is_of_one_moment(const world_reading *reading)
{
    const world_reading moments[] = {world_expected("x=100:7 jobs=100"),
                                     world_expected("x=103:7 jobs=103 requests=5"),
                                     world_expected("x=106:7 jobs=106 requests=10")};

    for (size_t i = 0; i < sizeof moments / sizeof moments[0]; i++)
        if (world_is_lawful(reading, &moments[i], 1))
            return true;
    return false;
}

/* Collects by plan. One bracket begins and ends at the step `first` of the Collect, and another one
 * at the step `second`. Returns how many steps the Collect had. */
static uint32_t look_while_both_are_counted(const world *in, uint32_t first, uint32_t second)
{
    const world_stop stops[] = {{first, 1, true}, {second, 2, true}};
    prfdata_provider *provider;
    world_reading reading;

    world_put_image(in, 0, true);
    provider = world_open_provider(true);
    for (int i = 0; i < 4; i++)
        world_read(in, provider, NULL, 0, &reading);
    world_read(in, provider, stops, 2, &reading);
    if (!is_of_one_moment(&reading))
        fail_msg("steps %u and %u: %s", (unsigned)first, (unsigned)second, world_text(&reading));
    prfdata_provider_close(provider);
    return world_reader_steps();
}

/* One program has brackets. The files of `before` other programs sort before its file, and those of
 * `behind` others after it. The other programs have no brackets. */
static void look_beside_others(uint32_t before, uint32_t behind)
{
    uint32_t steps = 2;
    world in;

    world_begin(&in);
    for (uint32_t i = 0; i < before; i++)
        (void)world_open(1, 1);
    world_open_a(&in, 1, 1);
    world_add(in.a, L"x", NULL, 100, &in.x);
    for (uint32_t i = 0; i < behind; i++)
        (void)world_open(1, 1);
    prfdata_begin_all(in.a);
    prfdata_end_all(in.a);
    world_record(&in, count_in_two_objects);
    for (uint32_t first = 1; first < steps; first++)
        for (uint32_t second = first + 1; second <= steps; second++)
            steps = look_while_both_are_counted(&in, first, second);
    assert_true(steps > 4);
    world_end(&in);
}

static void test_objects_by_plan_are_of_one_moment(void **state)
{
    (void)state;
    look_beside_others(0, 0);
    look_beside_others(1, 0);
    look_beside_others(0, 1);
    look_beside_others(1, 1);
}

/* ---- Programs one after the other ---- */

static void count_in_both(world *in)
{
    world_open_a(in, 1, 1);
    prfdata_begin_all(in->a);
    prfdata_crash_point("inside");
    world_count(in->a, CHAOS_REQUESTS, NULL, 5);
    prfdata_crash_point("half");
    assert_int_equal(prfdata_instance_add(in->a, CHAOS_QUEUES, L"x", NULL, &in->x), ERROR_SUCCESS);
    world_count(in->a, CHAOS_JOBS, &in->x, 3);
    prfdata_end_all(in->a);
    prfdata_crash_point("both");
}

static void end_and_count_in_both(world *in)
{
    prfdata_close_and_unmap(world_forget(in));
    count_in_both(in);
}

/* Each bracket counts 3 jobs and 5 requests. Returns whether both totals contain equally many
 * brackets. */
static bool has_equal_work(const world_reading *reading)
{
    const uint64_t jobs = strtoull(reading->tokens[TOTAL_JOBS], NULL, 10);
    const uint64_t requests = strtoull(reading->tokens[TOTAL_REQUESTS], NULL, 10);

    return jobs % 3 == 0 && requests == jobs / 3 * 5;
}

/* The reader begins with image 0. At step `step` of the reader, `image` replaces image 0. Returns
 * how many steps the reader had. */
static uint32_t read_across_programs(const world *in, bool uses_plans, uint32_t step,
                                     uint32_t image)
{
    const world_stop stop = {step, image, true};
    prfdata_provider *provider;
    world_reading reading;
    uint64_t torn;

    world_put_image(in, 0, true);
    provider = world_open_provider(uses_plans);
    for (int i = 0; i < 3; i++)
        world_read(in, provider, NULL, 0, &reading);
    torn = torn_copies(provider);
    world_read(in, provider, &stop, 1, &reading);
    if (torn == torn_copies(provider) && !has_equal_work(&reading))
        fail_msg("reader at %s, program at %s: %s", world_reader_step(step),
                 world_image_step(image), world_text(&reading));
    prfdata_provider_close(provider);
    return world_reader_steps();
}

/* Two programs own the region one after the other, and each of them enters one bracket. A reader
 * that copies counts of both programs must notice that the owner has changed. */
static void test_half_of_two_programs_of_equal_work_is_no_whole(void **state)
{
    world in;

    (void)state;
    world_begin(&in);
    count_in_both(&in);
    world_record(&in, end_and_count_in_both);
    for (int uses_plans = 0; uses_plans < 2; uses_plans++)
        for (uint32_t image = 1; image < world_image_count(); image++)
            for (uint32_t step = 1, steps = 1; step <= steps; step++)
                steps = read_across_programs(&in, uses_plans, step, image);
    world_end(&in);
}

/* Adds three instances. After each addition, counts in the new instance and in another object
 * inside one bracket. At the end another program takes over the region. */
static void add_and_count_in_both(world *in)
{
    static const wchar_t *const names[] = {L"p", L"q", L"r"};

    for (int i = 0; i < 3; i++) {
        prfdata_instance added;

        assert_int_equal(prfdata_instance_add(in->a, CHAOS_QUEUES, names[i], NULL, &added),
                         ERROR_SUCCESS);
        prfdata_crash_point("added");
        prfdata_begin_all(in->a);
        world_count(in->a, CHAOS_REQUESTS, NULL, 5);
        prfdata_crash_point("half");
        world_count(in->a, CHAOS_JOBS, &added, 3);
        prfdata_end_all(in->a);
        prfdata_crash_point("both");
    }
    prfdata_close_and_unmap(world_forget(in));
    world_open_a(in, 4, 1);
    prfdata_crash_point("taken over");
}

/* A slot is used for the first time while a reader copies. Its program has never used brackets
 * before, or has used one. */
static void test_half_of_what_a_new_instance_counts_is_no_whole(void **state)
{
    (void)state;
    for (int has_brackets = 0; has_brackets < 2; has_brackets++) {
        world in;

        world_begin(&in);
        world_open_a(&in, 4, 1);
        world_add(in.a, L"x", NULL, 0, &in.x);
        if (has_brackets) {
            prfdata_begin_all(in.a);
            prfdata_end_all(in.a);
        }
        world_record(&in, add_and_count_in_both);
        for (int uses_plans = 0; uses_plans < 2; uses_plans++)
            for (uint32_t image = 1; image < world_image_count(); image++)
                for (uint32_t step = 1, steps = 1; step <= steps; step++)
                    steps = read_across_programs(&in, uses_plans, step, image);
        world_end(&in);
    }
}

/* An answer by plan has PRFDATA_PLAN_TRIES tries, for all its objects together, to find a moment
 * with no thread inside a bracket. After that the Collect merges, and tries no plan again. */
static void test_the_plans_of_an_answer_share_their_tries(void **state)
{
    (void)state;
    notice_who_enters_beside_a_plan(&of_slot, "R: planned");
    assert_int_equal(count_steps("R: bracket"), PRFDATA_PLAN_TRIES);
    world_ask_for_queues(true);
    notice_who_enters_beside_a_plan(&around_all, "R: planned");
    assert_int_equal(count_steps("R: plan"), 1);
    notice_who_enters_beside_a_plan(&of_slot, "R: planned");
    assert_int_equal(count_steps("R: bracket"), PRFDATA_PLAN_TRIES);
    world_ask_for_queues(false);
}

static void forget_the_dead(const step_bracket *what)
{
    const world_reading wanted = world_expected("jobs=103");
    prfdata_provider *provider;
    world_reading reading;
    world in;

    begin_world(&in, what);
    world_put_image(&in, HALF, false);
    provider = world_open_provider(true);
    world_read(&in, provider, NULL, 0, &reading);
    assert_true(world_is_lawful(&reading, &wanted, 1));
    assert_int_equal(torn_copies(provider), 0);
    for (uint32_t i = 1; i <= world_reader_steps(); i++)
        assert_string_not_equal(world_reader_step(i), "R: pause");
    prfdata_provider_close(provider);
    world_end(&in);
}

static void test_nobody_waits_for_threads_of_the_dead(void **state)
{
    (void)state;
    forget_the_dead(&of_slot);
    forget_the_dead(&around_all);
}

/* How long a reader waits for one region and for all regions, in ticks. The clock of the files in
 * memory advances by one tick each time it is read. */
enum { REGION_TICKS = 500, ALL_TICKS = 10000, MANY = 30 };

static uint64_t tries_with(uint32_t regions)
{
    prfdata_provider *provider;
    world_reading reading;
    uint64_t tries;
    world in;

    world_begin(&in);
    world_open_a(&in, 1, 1);
    prfdata_begin_all(in.a);
    for (uint32_t i = 1; i < regions; i++)
        prfdata_begin_all(world_open(1, 1));
    provider = world_open_provider(true);
    world_read(&in, provider, NULL, 0, &reading);
    assert_int_equal(torn_copies(provider), regions);
    tries = prfdata_provider_number(provider, PRFDATA_HEALTH_BRACKET_TRIES);
    prfdata_provider_close(provider);
    world_end(&in);
    return tries;
}

static void test_a_reader_waits_50_us_for_a_region_and_1_ms_for_all(void **state)
{
    (void)state;
    assert_in_range(tries_with(1), 100, REGION_TICKS + 2);
    assert_in_range(tries_with(MANY), ALL_TICKS / 4, ALL_TICKS + 2 * MANY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_reader_waits_for_the_end_of_a_bracket),
        cmocka_unit_test(test_a_reader_notices_who_enters_while_it_copies),
        cmocka_unit_test(test_a_plan_notices_who_enters_while_it_gathers),
        cmocka_unit_test(test_objects_by_plan_are_of_one_moment),
        cmocka_unit_test(test_half_of_two_programs_of_equal_work_is_no_whole),
        cmocka_unit_test(test_half_of_what_a_new_instance_counts_is_no_whole),
        cmocka_unit_test(test_the_plans_of_an_answer_share_their_tries),
        cmocka_unit_test(test_nobody_waits_for_threads_of_the_dead),
        cmocka_unit_test(test_a_reader_waits_50_us_for_a_region_and_1_ms_for_all),
    };

    return cmocka_run_group_tests_name("reader_and_brackets", tests, NULL, NULL);
}
