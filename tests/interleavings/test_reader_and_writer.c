/* SPDX-License-Identifier: MIT */
/* Tests a reader that is stopped at one of its steps while a writer continues to one of the
 * writer's steps. The test tries every pair of such steps, and for short operations two pairs one
 * after the other. For each key, a reading shows the state before or after the operation, never a
 * mixture. Nothing falls from one reading to the next. If the writer is killed at its step, the
 * next readings show none of its instances and all of its counts. */
#include "support/test.h"

#include <string.h>

#include "fuzz/os_memory.h"
#include "interleavings/world.h"

#include "base/crash_points.h"

enum { MAX_LAWFUL = 5, STEPS_NEARBY = 9 };

typedef struct scenario {
    void (*prepare)(world *in);
    world_operation *operation;
    /* Readings that are allowed; the first one is the state before, the last one the state
     * after. */
    const char *lawful[MAX_LAWFUL];
    /* Readings that are allowed if the writer was killed at any step. */
    const char *dead[MAX_LAWFUL];
} scenario;

typedef struct writer_running {
    world in;
    world_reading lawful[MAX_LAWFUL];
    world_reading dead[MAX_LAWFUL];
    size_t lawful_count;
    size_t dead_count;
    size_t pairs;    /* number of pairs of steps that occurred */
    bool uses_plans; /* if false, each reading merges */
    /* Whether the reader is stopped in its first reading; otherwise in its second. */
    bool is_afresh;
} writer_running;

/* ---- The state before ---- */

static void prepare_b(world *in, bool has_consumer)
{
    prfdata_instance x, c;

    in->b = world_open(2, 2);
    world_add(in->b, L"x", NULL, 5, &x);
    if (has_consumer)
        world_add(in->b, L"c", &x, 2, &c);
}

static void add_x(world *in)
{
    world_add(in->a, L"x", NULL, 100, &in->x);
}

static void remove_instance(const prfdata_instance *instance)
{
    assert_int_equal(prfdata_instance_remove(instance), ERROR_SUCCESS);
}

static void add_queue(world *in, const wchar_t *name, prfdata_instance *instance)
{
    assert_int_equal(prfdata_instance_add(in->a, CHAOS_QUEUES, name, NULL, instance),
                     ERROR_SUCCESS);
}

static void add_consumer(world *in, const prfdata_instance *queue, prfdata_instance *instance)
{
    assert_int_equal(prfdata_instance_add(in->a, CHAOS_CONSUMERS, L"c", queue, instance),
                     ERROR_SUCCESS);
}

static void prepare_empty(world *in)
{
    world_open_a(in, 2, 2);
    prepare_b(in, false);
}

static void prepare_dormant_alone(world *in)
{
    world_open_a(in, 1, 1);
    add_x(in);
    remove_instance(&in->x);
}

static void prepare_dormant(world *in)
{
    prepare_dormant_alone(in);
    prepare_b(in, false);
}

static void prepare_live_alone(world *in)
{
    world_open_a(in, 1, 1);
    add_x(in);
}

static void prepare_live(world *in)
{
    prepare_live_alone(in);
    prepare_b(in, false);
}

static void prepare_family_alone(world *in)
{
    world_open_a(in, 1, 1);
    add_x(in);
    world_add(in->a, L"c", &in->x, 50, &in->xc);
}

static void prepare_family(world *in)
{
    prepare_family_alone(in);
    prepare_b(in, true);
}

static void remove_family(world *in)
{
    remove_instance(&in->xc);
    remove_instance(&in->x);
}

static void prepare_dormant_family(world *in)
{
    prepare_family_alone(in);
    remove_family(in);
    prepare_b(in, true);
}

static void prepare_dormant_family_alone(world *in)
{
    prepare_family_alone(in);
    remove_family(in);
}

static void close_a(world *in)
{
    prfdata_close(in->a);
}

static void prepare_closed(world *in)
{
    prepare_live(in);
    close_a(in);
}

/* ---- Operations ---- */

static void add_y(world *in)
{
    add_queue(in, L"y", &in->y);
}

static void revive_x(world *in)
{
    add_queue(in, L"x", &in->x);
}

static void remove_x(world *in)
{
    remove_instance(&in->x);
}

static void remove_and_revive_x(world *in)
{
    remove_x(in);
    revive_x(in);
}

static void remove_x_and_add_y(world *in)
{
    remove_x(in);
    add_y(in);
}

static void revive_and_exchange_x(world *in)
{
    revive_x(in);
    remove_x_and_add_y(in);
}

static void revive_family(world *in)
{
    revive_x(in);
    add_consumer(in, &in->x, &in->xc);
}

static void exchange_family(world *in)
{
    add_y(in);
    add_consumer(in, &in->y, &in->yc);
}

static void count_in_bracket(world *in)
{
    prfdata_begin(&in->x);
    prfdata_crash_point("inside");
    world_count(in->a, CHAOS_JOBS, &in->x, 3);
    prfdata_crash_point("counted");
    prfdata_end(&in->x);
}

static void count_in_bracket_around_all(world *in)
{
    prfdata_begin_all(in->a);
    prfdata_crash_point("inside");
    world_count(in->a, CHAOS_JOBS, &in->x, 3);
    world_count(in->a, CHAOS_REQUESTS, NULL, 4);
    prfdata_crash_point("counted");
    prfdata_end_all(in->a);
}

static void reopen_a(world *in)
{
    prfdata_publisher *again = world_open(1, 1);

    assert_ptr_equal(again, in->a);
}

/* ---- Pairs ---- */

static size_t expect_all(const char *const *texts, world_reading *readings)
{
    size_t count = 0;

    while (count < MAX_LAWFUL && texts[count]) {
        readings[count] = world_expected(texts[count]);
        count++;
    }
    return count;
}

static void must_be_lawful(const writer_running *run, const world_reading *reading,
                           const world_stop *stops, uint32_t count)
{
    /* The stopped reading itself may notice that the writer has ended, if the writer was
     * killed early. */
    const size_t dead_count = stops[0].is_owned ? 0 : run->dead_count;
    world_reading lawful[2 * MAX_LAWFUL];

    memcpy(lawful, run->lawful, run->lawful_count * sizeof lawful[0]);
    memcpy(lawful + run->lawful_count, run->dead, dead_count * sizeof lawful[0]);
    if (world_is_lawful(reading, lawful, run->lawful_count + dead_count))
        return;
    for (uint32_t i = 0; i < count; i++)
        print_message("reader at %u (%s), writer at %u (%s)\n", (unsigned)stops[i].reader_step,
                      world_reader_step(stops[i].reader_step), (unsigned)stops[i].image,
                      world_image_step(stops[i].image));
    fail_msg("%s", world_text(reading));
}

/* Opens a reader. Unless `is_afresh` is set, the reader reads the state before the operation. */
static prfdata_provider *open_reader(const writer_running *run, world_reading *before)
{
    prfdata_provider *provider;

    world_put_image(&run->in, 0, true);
    provider = world_open_provider(run->uses_plans);
    if (run->is_afresh)
        return provider;
    world_read(&run->in, provider, NULL, 0, before);
    if (!world_is_lawful(before, run->lawful, 1))
        fail_msg("before: %s", world_text(before));
    return provider;
}

static void read_thrice(writer_running *run, const world_stop *stops, uint32_t count)
{
    const uint32_t last = world_image_count() - 1;
    world_reading before, during, after;
    prfdata_provider *provider = open_reader(run, &before);

    world_read(&run->in, provider, stops, count, &during);
    run->pairs += world_met_all_stops();
    must_be_lawful(run, &during, stops, count);
    world_must_not_fall(&before, &during);
    world_put_image(&run->in, last, true);
    world_read(&run->in, provider, NULL, 0, &after);
    if (!world_is_lawful(&after, &run->lawful[run->lawful_count - 1], 1))
        fail_msg("after: %s", world_text(&after));
    world_must_not_fall(&during, &after);
    prfdata_provider_close(provider);
}

/* Reads only during the operation, and not after it. */
static void read_once(writer_running *run, const world_stop *stops, uint32_t count)
{
    world_reading reading;
    prfdata_provider *provider = open_reader(run, &reading);

    world_read(&run->in, provider, stops, count, &reading);
    run->pairs += world_met_all_stops();
    must_be_lawful(run, &reading, stops, count);
    prfdata_provider_close(provider);
}

/* Reads while the writer is killed at its step, so that its file no longer has an owner. */
static void read_and_kill(writer_running *run, const world_stop *stop)
{
    world_reading during, dead;
    prfdata_provider *provider = open_reader(run, &during);

    world_read(&run->in, provider, stop, 1, &during);
    run->pairs += world_met_all_stops();
    must_be_lawful(run, &during, stop, 1);
    /* If the reader ended before the step of the stop, the writer is killed now. */
    world_put_image(&run->in, stop->image, false);
    for (int i = 0; i < 2; i++) {
        world_read(&run->in, provider, NULL, 0, &dead);
        if (!world_is_lawful(&dead, run->dead, run->dead_count))
            fail_msg("killed at %s, while a reader was at %s: %s", world_image_step(stop->image),
                     world_reader_step(stop->reader_step), world_text(&dead));
        world_must_not_fall(&during, &dead);
        during = dead;
    }
    prfdata_provider_close(provider);
}

/* Returns the number of steps of a reading that is not stopped. Afterwards world_reader_step()
 * knows their names. */
static uint32_t usual_steps(const writer_running *run)
{
    world_reading reading;
    prfdata_provider *provider = open_reader(run, &reading);

    world_read(&run->in, provider, NULL, 0, &reading);
    prfdata_provider_close(provider);
    return world_reader_steps();
}

/* Returns an upper limit for the steps of a reading that merges and copies a changed slot twice. */
static uint32_t most_reader_steps(const writer_running *run)
{
    return usual_steps(run) + 12;
}

static void begin_scenario(writer_running *run, const scenario *of, bool uses_plans)
{
    memset(run, 0, sizeof *run);
    run->uses_plans = uses_plans;
    world_begin(&run->in);
    of->prepare(&run->in);
    world_record(&run->in, of->operation);
    run->lawful_count = expect_all(of->lawful, run->lawful);
    run->dead_count = expect_all(of->dead, run->dead);
}

static void end_scenario(writer_running *run)
{
    world_put_image(&run->in, world_image_count() - 1, true);
    world_end(&run->in);
    assert_true(run->pairs > 100);
}

static void try_pairs(const scenario *of, bool uses_plans)
{
    writer_running run;
    uint32_t steps;

    begin_scenario(&run, of, uses_plans);
    steps = uses_plans ? usual_steps(&run) : most_reader_steps(&run);
    for (uint32_t r = 1; r <= steps; r++)
        for (uint32_t w = 0; w < world_image_count(); w++) {
            world_stop stop = {r, w, true};

            read_thrice(&run, &stop, 1);
            stop.is_owned = false;
            read_and_kill(&run, &stop);
        }
    end_scenario(&run);
}

static void try_all_pairs(const scenario *of)
{
    try_pairs(of, false);
    try_pairs(of, true);
}

/* Returns the first step at which a reader has begun to copy a slot. */
static uint32_t first_slot_step(const writer_running *run)
{
    const uint32_t steps = usual_steps(run);
    uint32_t step = 1;

    while (step < steps && strcmp(world_reader_step(step), "R: slot tag") != 0)
        step++;
    assert_in_range(step, 1, steps - 1);
    return step;
}

typedef void reading_run(writer_running *run, const world_stop *stops, uint32_t count);

/* Stops a reader twice. At step `r`, image `w` replaces the current image. At a later step, a later
 * image replaces image `w`. Tries every later step up to `last_step`, and every later image. */
static void try_second_stops(writer_running *run, uint32_t r, uint32_t w, uint32_t last_step,
                             reading_run *read)
{
    for (uint32_t again = r + 1; again <= last_step; again++)
        for (uint32_t then = w + 1; then < world_image_count(); then++) {
            const world_stop stops[] = {{r, w, true}, {again, then, true}};

            read(run, stops, 2);
        }
}

/* Stops the reader twice while it merges. The writer continues each time. The second stop is at
 * most STEPS_NEARBY steps after the first, so both stops can be in the copying of one slot. Copying
 * a slot takes four steps, or eight if the slot changes meanwhile. */
static void try_pairs_of_pairs(const scenario *of, bool is_afresh)
{
    writer_running run;
    uint32_t steps;

    begin_scenario(&run, of, false);
    run.is_afresh = is_afresh;
    steps = most_reader_steps(&run);
    for (uint32_t r = first_slot_step(&run); r <= steps; r++)
        for (uint32_t w = 1; w < world_image_count(); w++)
            try_second_stops(&run, r, w, r + STEPS_NEARBY < steps ? r + STEPS_NEARBY : steps,
                             is_afresh ? read_once : read_thrice);
    end_scenario(&run);
}

/* Stops the reader in a plan, and again in the merge that follows because the plan is no longer
 * valid. */
static void try_pairs_of_plan_and_merge(const scenario *of)
{
    writer_running run;
    uint32_t steps;
    uint32_t merge_steps;

    begin_scenario(&run, of, false);
    merge_steps = most_reader_steps(&run);
    run.uses_plans = true;
    steps = usual_steps(&run);
    assert_true(steps < merge_steps);
    for (uint32_t r = 1; r <= steps; r++)
        for (uint32_t w = 1; w < world_image_count(); w++)
            try_second_stops(&run, r, w, r + merge_steps, read_thrice);
    end_scenario(&run);
}

static void try_all_pairs_of_pairs(const scenario *of)
{
    try_pairs_of_pairs(of, false);
    try_pairs_of_plan_and_merge(of);
}

/* Uses readers that have seen nothing before, so they carry nothing. */
static void try_all_pairs_of_pairs_afresh(const scenario *of)
{
    try_pairs_of_pairs(of, true);
}

static uint32_t image_at(const char *step)
{
    for (uint32_t i = 0; i < world_image_count(); i++)
        if (!strcmp(world_image_step(i), step))
            return i;
    fail_msg("no step %s", step);
    return 0;
}

/* A slot changed while it was copied, so the reader copies it again. During the second copy, the
 * writer first continues to one of its steps, and then to the end of the operation. */
static void try_second_copies(const scenario *of, const char *first_change)
{
    writer_running run;
    uint32_t steps;
    uint32_t first;

    begin_scenario(&run, of, false);
    steps = most_reader_steps(&run);
    first = image_at(first_change);
    for (uint32_t r = first_slot_step(&run); r <= steps; r++)
        for (uint32_t w = first + 1; w + 1 < world_image_count(); w++)
            for (uint32_t again = r + 1; again <= r + STEPS_NEARBY; again++)
                for (uint32_t then = again + 1; then <= again + 4; then++) {
                    const world_stop stops[] = {
                        {r, first, true}, {again, w, true}, {then, world_image_count() - 1, true}};

                    read_thrice(&run, stops, 3);
                }
    end_scenario(&run);
}

/* The writer does its whole operation at one step of the reader, so the reading shows the state
 * before the operation or the state after it. */
static void try_at_once(const scenario *of)
{
    writer_running run;
    uint32_t steps;

    begin_scenario(&run, of, false);
    run.is_afresh = true;
    steps = most_reader_steps(&run);
    for (uint32_t r = 1; r <= steps; r++) {
        const world_stop stop = {r, world_image_count() - 1, true};
        world_reading reading;
        prfdata_provider *provider = open_reader(&run, &reading);

        world_read(&run.in, provider, &stop, 1, &reading);
        run.pairs += world_met_all_stops();
        if (!world_is_lawful(&reading, run.lawful, 1) &&
            !world_is_lawful(&reading, &run.lawful[run.lawful_count - 1], 1))
            fail_msg("reader at %u (%s): %s", (unsigned)r, world_reader_step(r),
                     world_text(&reading));
        prfdata_provider_close(provider);
    }
    world_end(&run.in);
    assert_true(run.pairs > 10);
}

/* ---- Tests ---- */

static void test_adding_a_name_shows_it_or_not(void **state)
{
    static const scenario of = {
        prepare_empty,
        add_y,
        {"x=5:7 jobs=5", "x=5:7 y=0:0 jobs=5"},
        {"x=5:7 jobs=5"},
    };

    (void)state;
    try_all_pairs(&of);
}

static void test_giving_a_slot_away_takes_nothing_from_the_old_name(void **state)
{
    static const scenario of = {
        prepare_dormant,
        add_y,
        {"x=105:7 jobs=105", "x=105:7 y=0:0 jobs=105"},
        {"x=105:7 jobs=105"},
    };

    (void)state;
    try_all_pairs(&of);
}

static void test_giving_a_slot_away_shows_nothing_foreign(void **state)
{
    static const scenario of = {
        prepare_dormant_alone,
        add_y,
        {"jobs=100", "y=0:0 jobs=100"},
        {"jobs=100"},
    };

    (void)state;
    try_all_pairs(&of);
}

static void test_reviving_keeps_what_was_counted(void **state)
{
    static const scenario of = {
        prepare_dormant,
        revive_x,
        {"x=105:7 jobs=105", "x=105:7 jobs=105"},
        {"x=105:7 jobs=105"},
    };
    static const scenario alone = {
        prepare_dormant_alone,
        revive_x,
        {"jobs=100", "x=100:0 jobs=100"},
        {"jobs=100"},
    };

    (void)state;
    try_all_pairs(&of);
    try_all_pairs(&alone);
}

static void test_removing_keeps_what_was_counted(void **state)
{
    static const scenario of = {
        prepare_live,
        remove_x,
        {"x=105:14 jobs=105", "x=105:7 jobs=105"},
        {"x=105:7 jobs=105"},
    };
    static const scenario alone = {
        prepare_live_alone,
        remove_x,
        {"x=100:7 jobs=100", "jobs=100"},
        {"jobs=100"},
    };

    (void)state;
    try_all_pairs(&of);
    try_all_pairs(&alone);
}

static void test_removing_and_reviving_at_once_keeps_what_was_counted(void **state)
{
    static const scenario of = {
        prepare_live,
        remove_and_revive_x,
        {"x=105:14 jobs=105", "x=105:7 jobs=105"},
        {"x=105:7 jobs=105"},
    };
    static const scenario alone = {
        prepare_live_alone,
        remove_and_revive_x,
        {"x=100:7 jobs=100", "jobs=100", "x=100:0 jobs=100"},
        {"jobs=100"},
    };

    (void)state;
    try_all_pairs_of_pairs(&of);
    try_all_pairs_of_pairs_afresh(&of);
    try_all_pairs_of_pairs(&alone);
}

static void test_removing_and_giving_away_at_once_mixes_nothing(void **state)
{
    static const scenario of = {
        prepare_live,
        remove_x_and_add_y,
        {"x=105:14 jobs=105", "x=105:7 jobs=105", "x=105:7 y=0:0 jobs=105"},
        {"x=105:7 jobs=105"},
    };
    static const scenario alone = {
        prepare_live_alone,
        remove_x_and_add_y,
        {"x=100:7 jobs=100", "jobs=100", "y=0:0 jobs=100"},
        {"jobs=100"},
    };

    (void)state;
    try_all_pairs(&of);
    try_all_pairs_of_pairs(&alone);
}

/* The slot is copied again, so that one of its names is shown. */
static void test_a_slot_that_changes_while_it_is_copied_is_not_missing(void **state)
{
    static const scenario of = {
        prepare_live_alone,
        remove_x_and_add_y,
        {"x=100:7 jobs=100", "y=0:0 jobs=100"},
        {"jobs=100"},
    };

    (void)state;
    try_at_once(&of);
}

/* A slot changes again while it is copied for the second time. */
static void test_reviving_and_giving_away_at_once_mixes_nothing(void **state)
{
    static const scenario of = {
        prepare_dormant_alone,
        revive_and_exchange_x,
        {"jobs=100", "x=100:0 jobs=100", "y=0:0 jobs=100"},
        {"jobs=100"},
    };

    (void)state;
    try_all_pairs_of_pairs(&of);
    try_second_copies(&of, "V2");
}

static void test_reviving_parent_and_child_loses_no_count_of_either(void **state)
{
    static const scenario of = {
        prepare_dormant_family,
        revive_family,
        {"x=105:7 x/c=52:7 jobs=105 taken=52", "x=105:7 x/c=52:7 jobs=105 taken=52"},
        {"x=105:7 x/c=52:7 jobs=105 taken=52"},
    };
    static const scenario alone = {
        prepare_dormant_family_alone,
        revive_family,
        {"jobs=100 taken=50", "x=100:0 jobs=100 taken=50", "x=100:0 x/c=50:0 jobs=100 taken=50"},
        {"jobs=100 taken=50"},
    };

    (void)state;
    try_all_pairs(&of);
    try_all_pairs(&alone);
    try_all_pairs_of_pairs_afresh(&of);
}

static void test_removing_child_and_parent_loses_no_count_of_either(void **state)
{
    static const scenario of = {
        prepare_family,
        remove_family,
        {"x=105:14 x/c=52:14 jobs=105 taken=52", "x=105:7 x/c=52:7 jobs=105 taken=52"},
        {"x=105:7 x/c=52:7 jobs=105 taken=52"},
    };

    (void)state;
    try_all_pairs(&of);
    try_all_pairs_of_pairs_afresh(&of);
}

static void test_giving_parent_and_child_away_takes_nothing_from_the_old_names(void **state)
{
    static const scenario of = {
        prepare_dormant_family,
        exchange_family,
        {"x=105:7 x/c=52:7 jobs=105 taken=52", "x=105:7 x/c=52:7 y=0:0 jobs=105 taken=52",
         "x=105:7 x/c=52:7 y=0:0 y/c=0:0 jobs=105 taken=52"},
        {"x=105:7 x/c=52:7 jobs=105 taken=52"},
    };

    (void)state;
    try_all_pairs(&of);
}

static void test_brackets_keep_no_value_back(void **state)
{
    static const scenario of = {
        prepare_live,
        count_in_bracket,
        {"x=105:14 jobs=105", "x=108:14 jobs=108"},
        {"x=105:7 jobs=105", "x=108:7 jobs=108"},
    };
    static const scenario around_all = {
        prepare_live,
        count_in_bracket_around_all,
        {"x=105:14 jobs=105", "x=108:14 jobs=108 requests=4"},
        {"x=105:7 jobs=105", "x=108:7 jobs=108 requests=4"},
    };

    (void)state;
    try_all_pairs(&of);
    try_all_pairs(&around_all);
}

static void test_closing_hides_instances_and_keeps_counts(void **state)
{
    static const scenario of = {
        prepare_live,
        close_a,
        {"x=105:14 jobs=105", "x=105:7 jobs=105"},
        {"x=105:7 jobs=105"},
    };

    (void)state;
    try_all_pairs(&of);
}

static void test_opening_again_shows_no_old_instance(void **state)
{
    static const scenario of = {
        prepare_closed,
        reopen_a,
        {"x=105:7 jobs=105", "x=105:7 jobs=105"},
        {"x=105:7 jobs=105"},
    };

    (void)state;
    try_all_pairs(&of);
}

/* The client library refuses the name "_total", but other programs may write it. */
static void test_no_instance_is_called_as_the_total_is(void **state)
{
    const world_reading wanted = world_expected("jobs=100");
    static const uint8_t name[] = {'_', 0, 't', 0, 'o', 0, 't', 0, 'b', 0, 'l', 0};
    prfdata_provider *provider;
    world_reading reading;
    uint8_t *bytes;
    uint64_t size;
    uint64_t at = 0;
    world in;

    (void)state;
    world_begin(&in);
    world_open_a(&in, 1, 1);
    world_add(in.a, L"_totbl", NULL, 100, &in.x);
    bytes = os_memory_file(in.a_file, &size);
    while (at + sizeof name < size && memcmp(bytes + at, name, sizeof name) != 0)
        at++;
    assert_true(at + sizeof name < size);
    bytes[at + 8] = 'a';
    provider = world_open_provider(true);
    world_read(&in, provider, NULL, 0, &reading);
    assert_true(world_is_lawful(&reading, &wanted, 1));
    prfdata_provider_close(provider);
    world_end(&in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_adding_a_name_shows_it_or_not),
        cmocka_unit_test(test_giving_a_slot_away_takes_nothing_from_the_old_name),
        cmocka_unit_test(test_giving_a_slot_away_shows_nothing_foreign),
        cmocka_unit_test(test_reviving_keeps_what_was_counted),
        cmocka_unit_test(test_removing_keeps_what_was_counted),
        cmocka_unit_test(test_removing_and_reviving_at_once_keeps_what_was_counted),
        cmocka_unit_test(test_removing_and_giving_away_at_once_mixes_nothing),
        cmocka_unit_test(test_a_slot_that_changes_while_it_is_copied_is_not_missing),
        cmocka_unit_test(test_reviving_and_giving_away_at_once_mixes_nothing),
        cmocka_unit_test(test_reviving_parent_and_child_loses_no_count_of_either),
        cmocka_unit_test(test_removing_child_and_parent_loses_no_count_of_either),
        cmocka_unit_test(test_giving_parent_and_child_away_takes_nothing_from_the_old_names),
        cmocka_unit_test(test_brackets_keep_no_value_back),
        cmocka_unit_test(test_closing_hides_instances_and_keeps_counts),
        cmocka_unit_test(test_opening_again_shows_no_old_instance),
        cmocka_unit_test(test_no_instance_is_called_as_the_total_is),
    };

    return cmocka_run_group_tests_name("reader_and_writer", tests, NULL, NULL);
}
