/* SPDX-License-Identifier: MIT */
/* Tests that several threads of one provider may collect while a region without a writer is taken
 * over. One thread may already know the new writer, while others use the former state. No shown
 * value falls. If two values are changed inside brackets and a reading has only one of the
 * changes, the reading is counted as torn. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "base/crash_points.h"
#include "interleavings/world.h"
#include "support/provider/torn_copies.h"
#include "system/os.h"

enum { REFRESH_MS = 10000 };

/* `a` has ended, and another program is running. */
static void prepare_dead(world *in, world_operation *operation)
{
    world_begin(in);
    in->b = world_open(1, 1);
    world_add(in->b, L"y", NULL, 0, &in->y);
    world_open_a(in, 2, 2);
    world_add(in->a, L"x", NULL, 100, &in->x);
    world_add(in->a, L"c", &in->x, 50, &in->xc);
    world_record(in, operation);
    world_kill(in, 0);
}

static void do_nothing(world *in)
{
    (void)in;
}

static void take_over_and_count(world *in)
{
    world_open_a(in, 2, 2);
    world_add(in->a, L"x", NULL, 3, &in->x);
    prfdata_crash_point("counted");
    world_count(in->a, CHAOS_JOBS, &in->x, 4);
}

/* Takes over the region, and lets jobs and taken grow by the same amount. */
static void take_over_and_count_in_brackets(world *in)
{
    world_open_a(in, 2, 2);
    prfdata_crash_point("opened");
    prfdata_begin_all(in->a);
    prfdata_crash_point("inside");
    world_add(in->a, L"x", NULL, 7, &in->x);
    prfdata_crash_point("half");
    world_add(in->a, L"c", &in->x, 7, &in->xc);
    prfdata_end_all(in->a);
}

static void begin_taking(world *in, world_operation *operation)
{
    prepare_dead(in, do_nothing);
    world_record(in, operation);
}

static void must_not_fall(const world_reading *older, const world_reading *newer, const char *which,
                          uint32_t image)
{
    if (world_has_fallen(older, newer))
        fail_msg("%s, taker at %s: from %s\nto   %s", which, world_image_step(image),
                 world_text(older), world_text(newer));
}

/* ---- A reader that has just begun ---- */

/* The reader begins while the region has no writer. At step `step` of the reader, `image` replaces
 * the file, so a new writer has the region. Returns how many steps the reader had. */
static uint32_t read_a_pair(const world *in, uint32_t step, uint32_t image)
{
    const world_reading whole[] = {world_expected("x=- x/c=- jobs=100 taken=50"),
                                   world_expected("x=107:7 x/c=57:7 jobs=107 taken=57")};
    const world_stop stop = {step, image, true};
    prfdata_provider *provider;
    world_reading reading;
    uint32_t steps;

    world_put_image(in, 0, false);
    provider = world_open_provider(true);
    world_read(in, provider, &stop, 1, &reading);
    steps = world_reader_steps();
    if (torn_copies(provider) == 0 &&
        strcmp(reading.tokens[TOTAL_JOBS], whole[0].tokens[TOTAL_JOBS]) !=
            strcmp(reading.tokens[TOTAL_TAKEN], whole[0].tokens[TOTAL_TAKEN]))
        fail_msg("half a pair, reader at %s, taker at %s: %s", world_reader_step(step),
                 world_image_step(image), world_text(&reading));
    prfdata_provider_close(provider);
    return steps;
}

static void test_three_collects_show_no_half_of_a_pair_of_a_new_writer(void **state)
{
    world in;

    (void)state;
    begin_taking(&in, take_over_and_count_in_brackets);
    for (uint32_t image = 0; image < world_image_count(); image++) {
        uint32_t steps = 1;

        for (uint32_t step = 1; step <= steps; step++)
            steps = read_a_pair(&in, step, image);
    }
    world_end(&in);
}

/* ---- A faster reader that asks for less ---- */

struct faster {
    world in;
    prfdata_provider *provider;
    uint32_t image;
    bool is_of_queues; /* whether the slow reader asks only for queues */
    world_reading queues;
};

static void count_in_brackets(world *in)
{
    prfdata_begin_all(in->a);
    world_count(in->a, CHAOS_JOBS, &in->x, 7);
    world_count(in->a, CHAOS_TAKEN, &in->xc, 7);
    prfdata_end_all(in->a);
}

static void prepare_pair(world *in)
{
    world_begin(in);
    world_open_a(in, 2, 2);
    world_add(in->a, L"x", NULL, 100, &in->x);
    world_add(in->a, L"c", &in->x, 50, &in->xc);
    count_in_brackets(in);
}

static void count_and_read_queues(void *context)
{
    struct faster *run = context;

    world_put_image(&run->in, run->image, true);
    world_ask_for_queues(true);
    world_read(&run->in, run->provider, NULL, 0, &run->queues);
    world_ask_for_queues(run->is_of_queues);
}

static uint64_t shown(const world_reading *reading, int token)
{
    return strtoull(reading->tokens[token], NULL, 10);
}

/* Returns whether x and x/c, the only rows, equal their totals, and both totals have grown by the
 * same amount. A reading of queues has only x. */
static bool is_whole(const world_reading *reading, bool is_of_queues)
{
    if (shown(reading, TOTAL_JOBS) != shown(reading, KEY_X))
        return false;
    return is_of_queues || (shown(reading, TOTAL_JOBS) == shown(reading, TOTAL_TAKEN) + 50 &&
                            shown(reading, TOTAL_TAKEN) == shown(reading, KEY_XC));
}

/* Collects `looks` times. Then the fast reader collects at step `step` of the slow reader. Returns
 * how many steps the slow reader had. */
static uint32_t meet_faster(struct faster *run, uint32_t step, uint32_t looks)
{
    world_reading reading;
    uint64_t torn;
    uint32_t steps;

    world_put_image(&run->in, 0, true);
    world_ask_for_queues(run->is_of_queues);
    run->provider = world_open_provider(looks != 1);
    for (uint32_t i = 0; i < looks; i++)
        world_read(&run->in, run->provider, NULL, 0, &reading);
    torn = torn_copies(run->provider);
    world_read_with(&run->in, run->provider, step, count_and_read_queues, run, &reading);
    steps = world_reader_steps();
    if (torn_copies(run->provider) == torn && !is_whole(&reading, run->is_of_queues))
        fail_msg("half a pair, step %u, looks %u, writer at %s: %s", step, looks,
                 world_image_step(run->image), world_text(&reading));
    world_ask_for_queues(false);
    prfdata_provider_close(run->provider);
    return steps;
}

/* The fast reader has shown values of one object. They must not fall, nor be shown next to older
 * values of another object. */
static void test_three_collects_a_faster_one_of_less_makes_no_half_of_a_pair(void **state)
{
    static struct faster run;

    (void)state;
    prepare_pair(&run.in);
    world_record(&run.in, count_in_brackets);
    for (run.image = 0; run.image < world_image_count(); run.image++)
        for (uint32_t looks = 0; looks < 8; looks++) {
            uint32_t steps = 1;

            run.is_of_queues = looks >= 4;
            for (uint32_t step = 1; step <= steps; step++)
                steps = meet_faster(&run, step, looks % 4);
        }
    world_end(&run.in);
}

/* ---- A reader that is overtaken again and again ---- */

struct overtaken {
    world in;
    prfdata_provider *provider;
    uint32_t left; /* how often the reader will still be overtaken */
};

static void count_and_collect(void *context)
{
    struct overtaken *run = context;
    world_reading reading;

    if (run->left == 0)
        return;
    run->left--;
    count_in_brackets(&run->in);
    world_read(&run->in, run->provider, NULL, 0, &reading);
}

/* Before a Collect shows its counts, other Collects show newer ones, `times` times. Returns how
 * many copies are torn. */
static uint64_t torn_if_overtaken(uint32_t times)
{
    struct overtaken run = {.left = times};
    world_reading reading;
    uint64_t torn;

    prepare_pair(&run.in);
    run.provider = world_open_provider(false);
    world_read_disturbed(&run.in, run.provider, "R: merged", count_and_collect, &run, &reading);
    assert_int_equal(run.left, 0);
    torn = torn_copies(run.provider);
    if (torn == 0 && !is_whole(&reading, false))
        fail_msg("overtaken %u times: %s", (unsigned)times, world_text(&reading));
    prfdata_provider_close(run.provider);
    world_end(&run.in);
    return torn;
}

static void test_three_collects_ask_again_three_times_before_they_show_half_of_a_pair(void **state)
{
    (void)state;
    for (uint32_t times = 0; times <= 3; times++)
        assert_int_equal(torn_if_overtaken(times), 0);
    assert_true(torn_if_overtaken(4) > 0);
}

/* ---- Three threads ---- */

/* The first thread stops at a step while the second collects. The second stops at a step while the
 * third collects. One of the first two refreshes, so it notices the new writer. */
struct three {
    world in;
    prfdata_provider *provider;
    bool first_refreshes; /* if false, the second thread refreshes */
    uint32_t image;       /* the image of the process that takes over */
    uint32_t second_step; /* the step at which the second thread stops */
    uint32_t second_steps;
    bool third_met;
    world_reading first, second, third, then;
};

/* From here on a refresh is due, and `a` is being taken over. */
static void take_over_now(const struct three *run)
{
    world_put_image(&run->in, run->image, true);
    prfdata_os_sleep(REFRESH_MS + 1);
}

/* Collects a few times, so that there may be plans.
 *
 * older  The reading before, or NULL if it is not known. */
static void collect_often(const struct three *run, const char *which, const world_reading *older,
                          world_reading *reading)
{
    world_reading before;

    for (int i = 0; i < 3; i++) {
        if (i > 0)
            before = *reading;
        else if (older)
            before = *older;
        world_read(&run->in, run->provider, NULL, 0, reading);
        if (i > 0 || older)
            must_not_fall(&before, reading, which, run->image);
    }
}

static void collect_third(void *context)
{
    struct three *run = context;

    run->third_met = true;
    collect_often(run, "third", NULL, &run->third);
}

static void collect_second(void *context)
{
    struct three *run = context;

    if (!run->first_refreshes)
        take_over_now(run);
    run->third_met = false;
    world_read_with(&run->in, run->provider, run->second_step, collect_third, run, &run->second);
    run->second_steps = world_reader_steps();
    collect_often(run, "then", &run->second, &run->then);
    if (run->third_met)
        must_not_fall(&run->third, &run->then, "then, after the third", run->image);
}

/* Changes slots of the other program, so that no plan is valid and Collect merges everything
 * again. */
static void read_without_plans(struct three *run)
{
    const world_reading before = run->then;

    assert_int_equal(prfdata_instance_remove(&run->in.y), ERROR_SUCCESS);
    world_read(&run->in, run->provider, NULL, 0, &run->then);
    must_not_fall(&before, &run->then, "merged", run->image);
    world_add(run->in.b, L"y", NULL, 0, &run->in.y);
}

/* Collects `looks` times. Then the second thread collects at step `first_step` of the first thread.
 * Returns how many steps the first thread had. */
static uint32_t meet_three(struct three *run, uint32_t first_step, uint32_t looks)
{
    world_reading before, last;
    uint32_t steps;

    world_put_image(&run->in, 0, false);
    run->provider = world_open_provider(looks != 1);
    prfdata_provider_set_refresh(run->provider, REFRESH_MS);
    for (uint32_t i = 0; i < looks; i++)
        world_read(&run->in, run->provider, NULL, 0, &before);
    if (run->first_refreshes)
        take_over_now(run);
    world_read_with(&run->in, run->provider, first_step, collect_second, run, &run->first);
    steps = world_reader_steps();
    if (world_intruded()) {
        collect_often(run, "last", &run->first, &last);
        must_not_fall(&run->then, &last, "last, after the second", run->image);
        run->then = last;
        read_without_plans(run);
        if (looks > 0)
            must_not_fall(&before, &run->first, "first", run->image);
    }
    prfdata_provider_close(run->provider);
    return steps;
}

static void try_three(bool first_refreshes, uint32_t looks)
{
    static struct three run;
    uint32_t met = 0;

    begin_taking(&run.in, take_over_and_count);
    run.first_refreshes = first_refreshes;
    for (run.image = 0; run.image < world_image_count(); run.image++) {
        uint32_t first_steps = 1;

        for (uint32_t step = 1; step <= first_steps; step++) {
            run.second_steps = 1;
            for (run.second_step = 1; run.second_step <= run.second_steps; run.second_step++) {
                first_steps = meet_three(&run, step, looks);
                met += run.third_met;
            }
        }
    }
    world_end(&run.in);
    assert_true(met > 100);
}

/* No thread has made a summary of the ended program's region. */
static void test_three_collects_lose_nothing_when_the_dead_is_new_to_all(void **state)
{
    (void)state;
    try_three(false, 0);
}

static void test_three_collects_lose_nothing_when_one_knows_of_the_new_writer(void **state)
{
    (void)state;
    try_three(true, 1);
    try_three(false, 2); /* now there are plans */
}

/* ---- Two summaries ---- */

static void summarise_and_take_over(void *context)
{
    struct three *run = context;

    world_read(&run->in, run->provider, NULL, 0, &run->second);
    world_put_image(&run->in, run->image, true);
}

/* Another thread is faster and makes a summary of the ended program's region. Then a new program
 * takes over the region. Nothing falls afterwards. */
static void test_three_collects_of_two_summaries_all_show_the_same(void **state)
{
    static struct three run;

    (void)state;
    begin_taking(&run.in, take_over_and_count);
    for (run.image = 0; run.image < world_image_count(); run.image++) {
        uint32_t steps = 1;

        for (uint32_t step = 1; step <= steps; step++) {
            world_put_image(&run.in, 0, false);
            run.provider = world_open_provider(true);
            prfdata_provider_set_refresh(run.provider, REFRESH_MS);
            world_read_with(&run.in, run.provider, step, summarise_and_take_over, &run, &run.first);
            steps = world_reader_steps();
            collect_often(&run, "then", &run.first, &run.then);
            read_without_plans(&run);
            prfdata_provider_close(run.provider);
        }
    }
    world_end(&run.in);
}

/* ---- A slow reader that finds a later owner ---- */

static void prepare_alive(world *in)
{
    world_begin(in);
    in->b = world_open(2, 2);
    world_add(in->b, L"y", NULL, 0, &in->y);
    world_open_a(in, 2, 2);
    world_add(in->a, L"x", NULL, 100, &in->x);
}

/* Lets `b` have an instance x during one reading. The values of this reading must not fall. */
static void add_x_elsewhere(struct three *run)
{
    prfdata_instance x;

    world_add(run->in.b, L"x", NULL, 1, &x);
    world_read(&run->in, run->provider, NULL, 0, &run->then);
    must_not_fall(&run->first, &run->then, "elsewhere", run->image);
    assert_int_equal(prfdata_instance_remove(&x), ERROR_SUCCESS);
}

/* `a` ends. Another thread notices this and makes a summary. Then the region gets a new owner. */
static void end_and_take_over(void *context)
{
    struct three *run = context;

    world_put_image(&run->in, 0, false);
    prfdata_os_sleep(REFRESH_MS + 1);
    world_read(&run->in, run->provider, NULL, 0, &run->second);
    world_put_image(&run->in, run->image, true);
}

/* The slow reader believes that `a` is running, and reads what the new owner has counted. */
static void meet_later_owner(struct three *run, uint32_t looks)
{
    uint32_t steps = 1;

    for (uint32_t step = 1; step <= steps; step++) {
        world_put_image(&run->in, 0, true);
        run->provider = world_open_provider(looks != 1);
        prfdata_provider_set_refresh(run->provider, REFRESH_MS);
        for (uint32_t i = 0; i < looks; i++)
            world_read(&run->in, run->provider, NULL, 0, &run->then);
        world_read_with(&run->in, run->provider, step, end_and_take_over, run, &run->first);
        steps = world_reader_steps();
        collect_often(run, "then", &run->first, &run->then);
        read_without_plans(run);
        add_x_elsewhere(run);
        prfdata_provider_close(run->provider);
    }
}

static void test_three_collects_of_a_later_owner_do_not_fall_back(void **state)
{
    static struct three run;

    (void)state;
    prepare_alive(&run.in);
    world_record(&run.in, do_nothing);
    world_kill(&run.in, 0);
    world_record(&run.in, take_over_and_count);
    for (run.image = 0; run.image < world_image_count(); run.image++) {
        meet_later_owner(&run, 1);
        meet_later_owner(&run, 3); /* now there are plans */
    }
    world_end(&run.in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_three_collects_show_no_half_of_a_pair_of_a_new_writer),
        cmocka_unit_test(test_three_collects_a_faster_one_of_less_makes_no_half_of_a_pair),
        cmocka_unit_test(test_three_collects_ask_again_three_times_before_they_show_half_of_a_pair),
        cmocka_unit_test(test_three_collects_lose_nothing_when_the_dead_is_new_to_all),
        cmocka_unit_test(test_three_collects_lose_nothing_when_one_knows_of_the_new_writer),
        cmocka_unit_test(test_three_collects_of_two_summaries_all_show_the_same),
        cmocka_unit_test(test_three_collects_of_a_later_owner_do_not_fall_back),
    };

    return cmocka_run_group_tests_name("three_collects", tests, NULL, NULL);
}
