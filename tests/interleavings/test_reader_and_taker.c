/* SPDX-License-Identifier: MIT */
/* Tests a reader while a process takes over the region of a process that has ended. The reader and
 * the take-over are stopped at every pair of their steps. The former owner may have ended while it
 * took over a region or added an instance. If the reader knows that a process has ended, it never
 * shows the instances of that process, however long the take-over stands still. The counts of the
 * ended process stay in totals and in live instances with the same names. */
#include "support/test.h"

#include <string.h>

#include "interleavings/world.h"

typedef struct taking {
    const char *name;
    void (*try_it)(void **state);
    void (*prepare)(world *in);
    world_operation *dies_in; /* at each step of this operation the first process is killed */
    world_operation *takes;
    const char *alive[3]; /* readings that are allowed while nobody knows that the first process has
                             ended */
    const char *dead;
    const char *after; /* the reading after the take-over and the new process' operation */
} taking;

typedef struct expected {
    world_reading lawful[6]; /* allowed readings: `dead`, `after` and `alive` of the taking */
    size_t count;
    size_t pairs;    /* number of pairs of steps that occurred */
    bool uses_plans; /* if false, each reading merges */
} expected;

enum { DEAD, AFTER, ALIVE };

static void prepare_alone(world *in)
{
    world_open_a(in, 1, 1);
    world_add(in->a, L"x", NULL, 100, &in->x);
    world_add(in->a, L"c", &in->x, 50, &in->xc);
    world_count(in->a, CHAOS_REQUESTS, NULL, 9);
}

static void prepare_both(world *in)
{
    prepare_alone(in);
    world_prepare_b(in);
}

/* y has counted 70 in the slot that x has now. */
static void prepare_given_away(world *in)
{
    world_open_a(in, 1, 1);
    world_add(in->a, L"y", NULL, 70, &in->y);
    assert_int_equal(prfdata_instance_remove(&in->y), ERROR_SUCCESS);
    world_add(in->a, L"x", NULL, 100, &in->x);
    world_prepare_b(in);
}

/* Only the child has counted. */
static void prepare_idle_parent(world *in)
{
    world_open_a(in, 1, 1);
    world_add(in->a, L"x", NULL, 0, &in->x);
    world_add(in->a, L"c", &in->x, 50, &in->xc);
    world_prepare_b(in);
}

/* ---- Operations ---- */

static void do_nothing(world *in)
{
    (void)in;
}

static void stay_inside_brackets(world *in)
{
    prfdata_begin_all(in->a);
    prfdata_begin(&in->x);
}

static void take_over(world *in)
{
    const char *file = in->a_file;
    char expected_file[sizeof in->a_file];

    memcpy(expected_file, file, sizeof expected_file);
    world_open_a(in, 1, 1);
    assert_string_equal(in->a_file, expected_file);
}

static void take_over_and_add_y(world *in)
{
    take_over(in);
    assert_int_equal(prfdata_instance_add(in->a, CHAOS_QUEUES, L"y", NULL, &in->y), ERROR_SUCCESS);
}

/* ---- Pairs ---- */

static void must_be(const expected *of, const world_reading *reading, size_t count,
                    const world_stop *stop, const char *when)
{
    if (world_is_lawful(reading, of->lawful, count))
        return;
    fail_msg("%s: reader at %s, taker at %s: %s", when, world_reader_step(stop->reader_step),
             world_image_step(stop->image), world_text(reading));
}

static void read_again(const world *in, prfdata_provider *provider, const world_stop *stop,
                       world_reading *last)
{
    world_reading now;

    world_read(in, provider, stop, stop ? 1 : 0, &now);
    if (world_has_fallen(last, &now))
        fail_msg("from %s\nto   %s", world_text(last), world_text(&now));
    *last = now;
}

/* The reader knows that the process has ended. During its next Collect, the taker continues to the
 * step of `stop`. The taker stands still during one more Collect. */
static void read_what_is_known_to_be_dead(const world *in, expected *of, const world_stop *stop)
{
    world_reading reading;
    prfdata_provider *provider;

    world_put_image(in, 0, false);
    provider = world_open_provider(of->uses_plans);
    world_read(in, provider, NULL, 0, &reading);
    must_be(of, &reading, 1, stop, "dead");
    read_again(in, provider, stop, &reading);
    of->pairs += world_met_all_stops();
    must_be(of, &reading, 2, stop, "while it is taken over");
    world_put_image(in, stop->image, true);
    read_again(in, provider, NULL, &reading);
    must_be(of, &reading, 2, stop, "the taker stands still");
    world_put_image(in, world_image_count() - 1, true);
    read_again(in, provider, NULL, &reading);
    if (!world_is_lawful(&reading, &of->lawful[AFTER], 1))
        fail_msg("after: %s", world_text(&reading));
    prfdata_provider_close(provider);
}

/* The reader has seen the process alive. During the reader's next Collect, the process is killed,
 * and the taker continues to the step of `stop`. */
static void read_what_is_not_known_to_be_dead(const world *in, expected *of, const world_stop *stop)
{
    world_reading reading;
    prfdata_provider *provider;

    world_put_image(in, 0, true);
    provider = world_open_provider(of->uses_plans);
    world_read(in, provider, NULL, 0, &reading);
    must_be(of, &reading, of->count, stop, "alive");
    read_again(in, provider, stop, &reading);
    must_be(of, &reading, of->count, stop, "while it is taken over, not known to be dead");
    of->pairs += world_met_all_stops();
    must_be(of, &reading, of->count, stop, "not known to be dead");
    world_put_image(in, world_image_count() - 1, true);
    read_again(in, provider, NULL, &reading);
    if (!world_is_lawful(&reading, &of->lawful[AFTER], 1))
        fail_msg("after: %s", world_text(&reading));
    prfdata_provider_close(provider);
}

static void try_all_pairs_of_taker(const world *in, expected *of)
{
    for (uint32_t image = 0; image < world_image_count(); image++)
        for (uint32_t r = 1, steps = 1; r <= steps; r++) {
            const world_stop stop = {r, image, true};

            of->uses_plans = false;
            read_what_is_known_to_be_dead(in, of, &stop);
            read_what_is_not_known_to_be_dead(in, of, &stop);
            steps = world_reader_steps() > r ? world_reader_steps() : r;
            of->uses_plans = true;
            read_what_is_known_to_be_dead(in, of, &stop);
            read_what_is_not_known_to_be_dead(in, of, &stop);
        }
}

static void expect_of(const taking *what, expected *of)
{
    memset(of, 0, sizeof *of);
    of->lawful[DEAD] = world_expected(what->dead);
    of->lawful[AFTER] = world_expected(what->after);
    of->count = ALIVE;
    for (size_t i = 0; i < sizeof what->alive / sizeof what->alive[0] && what->alive[i]; i++)
        of->lawful[of->count++] = world_expected(what->alive[i]);
}

/* The first process ends at step `image` of its last operation. Returns whether there is such a
 * step. */
static bool kill_first_process(world *in, const taking *what, uint32_t image)
{
    world_begin(in);
    what->prepare(in);
    world_record(in, what->dies_in);
    if (image >= world_image_count())
        return false;
    world_kill(in, image);
    return true;
}

static void try_taking(void **state)
{
    const taking *what = *state;
    expected of;
    world in;

    expect_of(what, &of);
    for (uint32_t image = 0; kill_first_process(&in, what, image); image++) {
        world_record(&in, what->takes);
        try_all_pairs_of_taker(&in, &of);
    }
    world_end(&in);
    assert_true(of.pairs > 500);
}

/* A process that takes over is killed at each of its steps, and another one takes over after it. */
static void try_taking_twice(void **state)
{
    const taking *what = *state;
    uint32_t steps = 1;
    expected of;
    world in;

    expect_of(what, &of);
    for (uint32_t image = 0; image < steps; image++) {
        assert_true(kill_first_process(&in, what, 0));
        world_record(&in, what->takes);
        steps = world_image_count();
        world_kill(&in, image);
        world_record(&in, what->takes);
        try_all_pairs_of_taker(&in, &of);
    }
    world_end(&in);
    assert_true(of.pairs > 500);
}

/* ---- Gauges ---- */

static void prepare_gauges(world *in)
{
    prfdata_handle clients;

    prepare_alone(in);
    assert_int_equal(prfdata_resolve(in->a, CHAOS_CLIENTS, NULL, &clients), ERROR_SUCCESS);
    prfdata_set(clients, 3);
}

/* A reading must show all gauges of the program that is being replaced, or no gauge at all. */
static uint32_t read_gauges(const world *in, bool uses_plans, uint32_t step, uint32_t image)
{
    const world_stop stop = {step, image, true};
    const world_reading lawful[] = {
        world_expected("x=100:7 x/c=50:7 jobs=100 taken=50 requests=9 clients=3"),
        world_expected("jobs=100 taken=50 requests=9")};
    prfdata_provider *provider;
    world_reading reading;

    world_put_image(in, 0, true);
    provider = world_open_provider(uses_plans);
    for (int i = 0; i < 3; i++)
        world_read(in, provider, NULL, 0, &reading);
    assert_true(world_is_lawful(&reading, &lawful[0], 1));
    world_read(in, provider, &stop, 1, &reading);
    if (!world_is_lawful(&reading, &lawful[0], 1) && !world_is_lawful(&reading, &lawful[1], 1))
        fail_msg("reader at %s, taker at %s: %s", world_reader_step(step), world_image_step(image),
                 world_text(&reading));
    prfdata_provider_close(provider);
    return world_reader_steps();
}

/* A take-over sets gauges to 0 one after the other. A reader must not show a mixture. */
static void test_gauges_of_the_dead_are_shown_together_or_not_at_all(void **state)
{
    world in;

    (void)state;
    world_begin(&in);
    prepare_gauges(&in);
    world_record(&in, do_nothing);
    world_kill(&in, 0);
    world_record(&in, take_over);
    for (int uses_plans = 0; uses_plans < 2; uses_plans++)
        for (uint32_t image = 1; image < world_image_count(); image++)
            for (uint32_t step = 1, steps = 1; step <= steps; step++)
                steps = read_gauges(&in, uses_plans, step, image);
    world_end(&in);
}

/* ---- Tests ---- */

static taking takings[] = {
    {
        "test_taking_over_shows_no_dead_instance",
        try_taking,
        prepare_alone,
        do_nothing,
        take_over,
        {"x=100:7 x/c=50:7 jobs=100 taken=50 requests=9"},
        "jobs=100 taken=50 requests=9",
        "jobs=100 taken=50 requests=9",
    },
    {
        "test_taking_over_takes_nothing_from_living_instances",
        try_taking,
        prepare_both,
        do_nothing,
        take_over,
        {"x=105:14 x/c=52:14 jobs=105 taken=52 requests=9"},
        "x=105:7 x/c=52:7 jobs=105 taken=52 requests=9",
        "x=105:7 x/c=52:7 jobs=105 taken=52 requests=9",
    },
    {
        "test_taking_over_and_giving_away_takes_nothing_from_living_instances",
        try_taking,
        prepare_both,
        do_nothing,
        take_over_and_add_y,
        {"x=105:14 x/c=52:14 jobs=105 taken=52 requests=9"},
        "x=105:7 x/c=52:7 jobs=105 taken=52 requests=9",
        "x=105:7 x/c=52:7 y=0:0 jobs=105 taken=52 requests=9",
    },
    {
        "test_threads_of_the_dead_inside_brackets_keep_nothing_back",
        try_taking,
        prepare_both,
        stay_inside_brackets,
        take_over,
        {"x=105:14 x/c=52:14 jobs=105 taken=52 requests=9"},
        "x=105:7 x/c=52:7 jobs=105 taken=52 requests=9",
        "x=105:7 x/c=52:7 jobs=105 taken=52 requests=9",
    },
    {
        "test_who_died_while_removing_is_taken_over_like_others",
        try_taking,
        prepare_both,
        world_remove_all,
        take_over,
        {"x=105:14 x/c=52:14 jobs=105 taken=52 requests=9",
         "x=105:7 x/c=52:7 jobs=105 taken=52 requests=9"},
        "x=105:7 x/c=52:7 jobs=105 taken=52 requests=9",
        "x=105:7 x/c=52:7 jobs=105 taken=52 requests=9",
    },
    {
        "test_who_died_while_taking_over_is_taken_over_like_others",
        try_taking_twice,
        prepare_both,
        do_nothing,
        take_over,
        {"x=105:14 x/c=52:14 jobs=105 taken=52 requests=9",
         "x=105:7 x/c=52:7 jobs=105 taken=52 requests=9"},
        "x=105:7 x/c=52:7 jobs=105 taken=52 requests=9",
        "x=105:7 x/c=52:7 jobs=105 taken=52 requests=9",
    },
    {
        "test_the_dead_add_what_they_counted_under_the_name_and_no_more",
        try_taking,
        prepare_given_away,
        do_nothing,
        take_over,
        {"x=105:14 x/c=2:7 jobs=175 taken=2"},
        "x=105:7 x/c=2:7 jobs=175 taken=2",
        "x=105:7 x/c=2:7 jobs=175 taken=2",
    },
    {
        "test_children_of_dead_parents_that_counted_nothing_add_to_their_names",
        try_taking,
        prepare_idle_parent,
        do_nothing,
        take_over,
        {"x=5:14 x/c=52:14 jobs=5 taken=52"},
        "x=5:7 x/c=52:7 jobs=5 taken=52",
        "x=5:7 x/c=52:7 jobs=5 taken=52",
    },
};

int main(void)
{
    enum { TAKINGS = sizeof takings / sizeof takings[0] };
    struct CMUnitTest tests[TAKINGS + 1];

    for (size_t i = 0; i < TAKINGS; i++)
        tests[i] = (struct CMUnitTest){takings[i].name, takings[i].try_it, NULL, NULL, &takings[i]};
    tests[TAKINGS] = (struct CMUnitTest)cmocka_unit_test(
        test_gauges_of_the_dead_are_shown_together_or_not_at_all);
    return cmocka_run_group_tests_name("reader_and_taker", tests, NULL, NULL);
}
