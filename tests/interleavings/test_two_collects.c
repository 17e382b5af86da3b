/* SPDX-License-Identifier: MIT */
/* Tests two Collects of one provider. The slow Collect stops at each of its steps while writers
 * continue and another thread collects from beginning to end. Each Collect must show a valid state.
 * A Collect that begins after another one has ended must show no less. The slow Collect has older
 * copies, which must not affect later Collects. */
#include "support/test.h"

#include <string.h>

#include "base/crash_points.h"
#include "client/publisher.h"
#include "fuzz/os_memory.h"
#include "interleavings/world.h"
#include "system/os.h"

enum { MANY_COLLECTS = 200, LOOKS = 3 /* all except the first Collect may use plans */ };

typedef struct two_collects_meeting {
    void (*prepare)(world *in);
    world_operation *operation;
    bool is_killed; /* whether the writer is killed at its step */
    const char *lawful[4];
    const char *last; /* the reading that the last image gives if it has an owner */
    /* Whether the last reading depends on what was seen before the writer ended. */
    bool last_varies;
} two_collects_meeting;

typedef struct two_collects_running {
    world in;
    prfdata_provider *provider;
    prfdata_provider *merging; /* another reader without plans */
    bool is_owned;
    /* In change_under_plans(): whether the images before the stop have an owner. */
    bool was_owned;
    uint32_t first_image; /* image before the other Collect */
    uint32_t then_image;  /* image after the other Collect */
    uint32_t looks;       /* number of Collects before the two that meet; if there are several, the
                             provider may use plans */
    uint32_t repeats;     /* how often the other thread collects */
    /* Whether another version of the map is installed before the other Collect. */
    bool upgrades;
    uint64_t planned; /* number of Collects that plans answered */
    world_reading inner;
} two_collects_running;

static void prepare_live(world *in)
{
    world_open_a(in, 1, 1);
    world_add(in->a, L"x", NULL, 100, &in->x);
    world_add(in->a, L"c", &in->x, 50, &in->xc);
    world_prepare_b(in);
}

static void prepare_dormant(world *in)
{
    prepare_live(in);
    world_remove_all(in);
}

static void prepare_dead(world *in)
{
    prepare_live(in);
    world_record(in, world_remove_all);
    world_kill(in, 0);
}

/* ---- Operations ---- */

static void give_away(world *in)
{
    assert_int_equal(prfdata_instance_add(in->a, CHAOS_QUEUES, L"y", NULL, &in->y), ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_add(in->a, CHAOS_CONSUMERS, L"c", &in->y, &in->yc),
                     ERROR_SUCCESS);
}

static void revive(world *in)
{
    assert_int_equal(prfdata_instance_add(in->a, CHAOS_QUEUES, L"x", NULL, &in->x), ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_add(in->a, CHAOS_CONSUMERS, L"c", &in->x, &in->xc),
                     ERROR_SUCCESS);
}

static void take_over_and_give_away(world *in)
{
    world_open_a(in, 1, 1);
    give_away(in);
}

static void count_and_give_away(world *in)
{
    world_count(in->a, CHAOS_JOBS, &in->x, 3);
    prfdata_crash_point("counted");
    world_remove_all(in);
    give_away(in);
}

static void count_in_brackets(world *in)
{
    prfdata_begin_all(in->a);
    prfdata_crash_point("inside");
    world_count(in->a, CHAOS_JOBS, &in->x, 3);
    prfdata_crash_point("counted");
    world_count(in->a, CHAOS_TAKEN, &in->xc, 4);
    prfdata_crash_point("counted too");
    prfdata_end_all(in->a);
}

/* ---- Two Collects at once ---- */

static void collect_meanwhile(void *context)
{
    two_collects_running *run = context;

    world_put_image(&run->in, run->first_image, run->is_owned);
    if (run->upgrades)
        world_upgrade(true);
    for (uint32_t i = 0; i < run->repeats; i++)
        world_read(&run->in, run->provider, NULL, 0, &run->inner);
    world_put_image(&run->in, run->then_image, run->is_owned);
}

static void must_be_lawful(const world_reading *reading, const world_reading *lawful, size_t count,
                           const char *which, const two_collects_running *run, uint32_t step)
{
    if (!world_is_lawful(reading, lawful, count))
        fail_msg("%s, %u, writer at %s and %s: %s", which, (unsigned)step,
                 world_image_step(run->first_image), world_image_step(run->then_image),
                 world_text(reading));
}

/* Lets the other thread collect at step `step` of the slow Collect. Returns whether the other
 * thread collected. */
static bool meet_at(two_collects_running *run, const world_reading *lawful, size_t count,
                    uint32_t step, bool has_history, bool is_exact)
{
    world_reading before, outer, after;
    bool has_met;

    if (run->upgrades)
        world_upgrade(false);
    world_put_image(&run->in, 0, run->is_owned);
    run->provider = world_open_provider(run->looks > 1);
    for (uint32_t i = 0; i < run->looks; i++)
        world_read(&run->in, run->provider, NULL, 0, &before);
    if (!has_history) { /* the new provider has seen nothing yet */
        prfdata_provider_close(run->provider);
        run->provider = world_open_provider(run->looks > 1);
    }
    world_read_with(&run->in, run->provider, step, collect_meanwhile, run, &outer);
    has_met = world_intruded();
    if (has_met) {
        must_be_lawful(&outer, lawful, count, "the slow one", run, step);
        must_be_lawful(&run->inner, lawful, count, "the fast one", run, step);
        world_must_not_fall(&before, &run->inner);
        world_must_not_fall(&before, &outer);
    }
    world_put_image(&run->in, run->then_image, run->is_owned);
    world_read(&run->in, run->provider, NULL, 0, &after);
    if (has_met) {
        must_be_lawful(&after, lawful, count, "the next one", run, step);
        world_must_not_fall(&run->inner, &after);
        world_must_not_fall(&outer, &after);
    }
    world_put_image(&run->in, world_image_count() - 1, true);
    world_read(&run->in, run->provider, NULL, 0, &before);
    world_must_not_fall(&after, &before);
    must_be_lawful(&before, lawful, count, "the last one", run, step);
    if (is_exact && !world_is_lawful(&before, &lawful[count - 1], 1))
        fail_msg("in the end: %s", world_text(&before));
    prfdata_provider_close(run->provider);
    return has_met;
}

static uint32_t count_steps(two_collects_running *run)
{
    world_reading reading;

    world_put_image(&run->in, 0, run->is_owned);
    run->provider = world_open_provider(true);
    for (uint32_t i = 0; i < run->looks; i++)
        world_read(&run->in, run->provider, NULL, 0, &reading);
    prfdata_provider_close(run->provider);
    return world_reader_steps();
}

/* Makes the world for two Collects, and fills `lawful` with the readings that are allowed. Returns
 * their number. */
static size_t begin_meeting(const two_collects_meeting *of, two_collects_running *run,
                            world_reading *lawful)
{
    size_t count = 0;

    memset(run, 0, sizeof *run);
    world_begin(&run->in);
    of->prepare(&run->in);
    world_record(&run->in, of->operation);
    run->is_owned = !of->is_killed;
    run->repeats = 1;
    run->looks = 1;
    while (count < 4 && of->lawful[count]) {
        lawful[count] = world_expected(of->lawful[count]);
        count++;
    }
    lawful[count++] = world_expected(of->last);
    return count;
}

/* Lets two Collects meet at each step of the slow one, for each image. If `looks` is 1, the
 * provider always merges. If `upgrades` is set, the slow Collect begins with the former version of
 * the map. */
static void try_meetings_of(const two_collects_meeting *of, bool has_history, uint32_t looks,
                            bool upgrades)
{
    const bool is_exact = has_history && !of->last_varies;
    world_reading lawful[5];
    two_collects_running run;
    const size_t count = begin_meeting(of, &run, lawful);
    uint32_t steps;
    size_t met = 0;

    run.looks = looks;
    run.upgrades = upgrades;
    steps = count_steps(&run);
    for (uint32_t step = 1; step <= steps; step++)
        for (uint32_t w = 0; w < world_image_count(); w++) {
            run.first_image = w;
            run.then_image = w;
            met += meet_at(&run, lawful, count, step, has_history, is_exact);
            run.then_image = world_image_count() - 1;
            met += meet_at(&run, lawful, count, step, has_history, is_exact);
        }
    world_end(&run.in);
    assert_true(met > (looks > 1 ? 20 : 200));
}

static void try_meetings(const two_collects_meeting *of, bool has_history)
{
    try_meetings_of(of, has_history, 1, false);
}

/* One Collect stops at a step. The operation ends, and another thread collects many times. */
static void try_long_meetings(const two_collects_meeting *of)
{
    world_reading lawful[5];
    two_collects_running run;
    const size_t count = begin_meeting(of, &run, lawful);
    const uint32_t steps = count_steps(&run);
    size_t met = 0;

    run.repeats = MANY_COLLECTS;
    run.first_image = world_image_count() - 1;
    run.then_image = run.first_image;
    for (uint32_t step = 1; step <= steps; step++)
        met += meet_at(&run, lawful, count, step, true, !of->last_varies);
    world_end(&run.in);
    assert_true(met > 20);
}

/* ---- A reader that has plans ---- */

static void look_often(const two_collects_running *run, world_reading *reading)
{
    world_reading by_merging;

    for (int i = 0; i < LOOKS; i++) {
        world_read(&run->in, run->provider, NULL, 0, reading);
        world_read(&run->in, run->merging, NULL, 0, &by_merging);
    }
    if (!world_is_lawful(reading, &by_merging, 1))
        fail_msg("by plan %s\nby merging %s", world_text(reading), world_text(&by_merging));
}

/* Collects from image 0, and then from `first_image`, so that there may be plans. At a step of the
 * next Collect, `then_image` replaces `first_image` for good. Returns how many steps that Collect
 * had. */
static uint32_t change_under_plans(two_collects_running *run, const world_reading *lawful,
                                   size_t count, uint32_t step)
{
    const world_stop stop = {step, run->then_image, run->is_owned};
    world_reading before, outer, after;
    uint32_t steps;

    world_put_image(&run->in, 0, run->was_owned);
    run->provider = world_open_provider(true);
    run->merging = world_open_provider(false);
    look_often(run, &before);
    world_put_image(&run->in, run->first_image, run->was_owned);
    look_often(run, &before);
    world_read(&run->in, run->provider, &stop, 1, &outer);
    steps = world_reader_steps();
    world_put_image(&run->in, run->then_image, run->is_owned);
    look_often(run, &after);
    must_be_lawful(&before, lawful, count, "planned", run, step);
    must_be_lawful(&outer, lawful, count, "changed", run, step);
    must_be_lawful(&after, lawful, count, "after it", run, step);
    world_must_not_fall(&before, &outer);
    world_must_not_fall(&outer, &after);
    run->planned += prfdata_provider_number(run->provider, PRFDATA_HEALTH_PLANS_USED);
    prfdata_provider_close(run->merging);
    prfdata_provider_close(run->provider);
    return steps;
}

/* Lets image `then` replace image `first` at each step of a Collect. */
static void change_at_each_step(two_collects_running *run, const world_reading *lawful,
                                size_t count, uint32_t first, uint32_t then)
{
    uint32_t steps = 1;

    run->first_image = first;
    run->then_image = then;
    for (uint32_t step = 1; step <= steps; step++)
        steps = change_under_plans(run, lawful, count, step);
}

/* Lets each image be replaced by the next image, and by the last one. */
static void try_plans(const two_collects_meeting *of)
{
    world_reading lawful[5];
    two_collects_running run;
    const size_t count = begin_meeting(of, &run, lawful);
    const uint32_t images = world_image_count();

    run.was_owned = !of->is_killed;
    for (uint32_t w = 0; w < images; w++) {
        change_at_each_step(&run, lawful, count, w, w + 1 < images ? w + 1 : w);
        change_at_each_step(&run, lawful, count, w, images - 1);
    }
    world_end(&run.in);
    assert_true(run.planned > 0);
}

/* Lets each image replace the first one. If the first one has an owner, the other has none, and
 * vice versa. */
static void try_plans_of_another_owner(const two_collects_meeting *of)
{
    world_reading lawful[5];
    two_collects_running run;
    const size_t count = begin_meeting(of, &run, lawful);

    run.was_owned = of->is_killed;
    for (uint32_t then = 0; then < world_image_count(); then++)
        change_at_each_step(&run, lawful, count, 0, then);
    world_end(&run.in);
    assert_true(run.planned > 0);
}

/* ---- Tests ---- */

static void test_two_collects_lose_nothing_while_slots_are_given_away(void **state)
{
    static const two_collects_meeting of = {
        .prepare = prepare_dormant,
        .operation = give_away,
        .lawful = {"x=105:7 x/c=52:7 jobs=105 taken=52",
                   "x=105:7 x/c=52:7 y=0:0 jobs=105 taken=52"},
        .last = "x=105:7 x/c=52:7 y=0:0 y/c=0:0 jobs=105 taken=52",
    };

    (void)state;
    try_meetings(&of, true);
    try_long_meetings(&of);
}

static void test_two_collects_lose_nothing_while_slots_are_revived(void **state)
{
    static const two_collects_meeting of = {
        .prepare = prepare_dormant,
        .operation = revive,
        .lawful = {"x=105:7 x/c=52:7 jobs=105 taken=52"},
        .last = "x=105:7 x/c=52:7 jobs=105 taken=52",
    };

    (void)state;
    try_meetings(&of, true);
    try_meetings(&of, false);
}

static void
test_two_collects_lose_nothing_while_instances_are_removed_or_their_writer_dies(void **state)
{
    two_collects_meeting of = {
        .prepare = prepare_live,
        .operation = world_remove_all,
        .lawful = {"x=105:14 x/c=52:14 jobs=105 taken=52"},
        .last = "x=105:7 x/c=52:7 jobs=105 taken=52",
    };

    (void)state;
    for (int dies = 0; dies < 2; dies++) {
        of.is_killed = dies;
        try_meetings(&of, true);
        try_meetings(&of, false);
    }
}

static void test_two_collects_lose_nothing_while_a_region_is_taken_over(void **state)
{
    static const two_collects_meeting of = {
        .prepare = prepare_dead,
        .operation = take_over_and_give_away,
        .lawful = {"x=105:14 x/c=52:14 jobs=105 taken=52", "x=105:7 x/c=52:7 jobs=105 taken=52",
                   "x=105:7 x/c=52:7 y=0:0 jobs=105 taken=52"},
        .last = "x=105:7 x/c=52:7 y=0:0 y/c=0:0 jobs=105 taken=52",
    };

    (void)state;
    try_meetings(&of, true);
}

/* Opens only `a`. Without `b`, no row has two contributors, so all objects have plans. */
static void prepare_alone(world *in)
{
    world_open_a(in, 1, 1);
    world_add(in->a, L"x", NULL, 100, &in->x);
    world_add(in->a, L"c", &in->x, 50, &in->xc);
}

static void test_two_collects_by_plan_show_what_merging_shows(void **state)
{
    static const two_collects_meeting removed = {
        .prepare = prepare_alone,
        .operation = world_remove_all,
        .lawful = {"x=100:7 x/c=50:7 jobs=100 taken=50", "x=100:7 jobs=100 taken=50"},
        .last = "jobs=100 taken=50",
    };
    static const two_collects_meeting given_away = {
        .prepare = prepare_alone,
        .operation = count_and_give_away,
        .lawful = {"x=100:7 x/c=50:7 jobs=100 taken=50", "x=103:7 x/c=50:7 jobs=103 taken=50",
                   "x=103:7 jobs=103 taken=50", "y=0:0 jobs=103 taken=50"},
        .last = "y=0:0 y/c=0:0 jobs=103 taken=50",
    };

    static const two_collects_meeting alone = {
        .prepare = prepare_alone,
        .operation = count_and_give_away,
        .lawful = {"x=100:7 jobs=100", "x=103:7 jobs=103", "jobs=103"},
        .last = "y=0:0 jobs=103",
    };

    (void)state;
    try_plans(&removed);
    try_plans(&given_away);
    try_meetings_of(&removed, true, LOOKS, false);
    try_meetings_of(&given_away, true, LOOKS, false);
    /* Ask only for queues, because a Collect of other objects would notice the changed region. */
    world_ask_for_queues(true);
    try_plans(&alone);
    world_ask_for_queues(false);
}

static void close_alone(world *in)
{
    prfdata_close(in->a);
    in->a = NULL;
}

static void close_and_open_again(world *in)
{
    close_alone(in);
    world_open_a(in, 1, 1);
    revive(in);
}

static void prepare_dead_alone(world *in)
{
    prepare_alone(in);
    world_record(in, world_remove_all);
    world_kill(in, 0);
}

/* At each step of a Collect a program is killed, closes, opens again, or takes over a region. */
static void test_two_collects_by_plan_while_a_program_ends_or_begins(void **state)
{
    static const two_collects_meeting killed = {
        .prepare = prepare_alone,
        .operation = count_and_give_away,
        .is_killed = true,
        .lawful = {"x=100:7 x/c=50:7 jobs=100 taken=50", "x=103:7 x/c=50:7 jobs=103 taken=50",
                   "x=103:7 jobs=103 taken=50", "y=0:0 y/c=0:0 jobs=103 taken=50"},
        .last = "jobs=103 taken=50",
    };
    static const two_collects_meeting closed = {
        .prepare = prepare_alone,
        .operation = close_alone,
        .lawful = {"x=100:7 x/c=50:7 jobs=100 taken=50", "x=100:7 jobs=100 taken=50"},
        .last = "jobs=100 taken=50",
    };
    static const two_collects_meeting opened_again = {
        .prepare = prepare_alone,
        .operation = close_and_open_again,
        .lawful = {"x=100:7 x/c=50:7 jobs=100 taken=50", "x=100:0 x/c=50:0 jobs=100 taken=50",
                   "jobs=100 taken=50"},
        .last = "x=100:0 x/c=50:0 jobs=100 taken=50",
    };
    static const two_collects_meeting taken_over = {
        .prepare = prepare_dead_alone,
        .operation = take_over_and_give_away,
        .lawful = {"jobs=100 taken=50", "y=0:0 jobs=100 taken=50"},
        .last = "y=0:0 y/c=0:0 jobs=100 taken=50",
    };

    (void)state;
    try_plans_of_another_owner(&killed);
    try_plans(&closed);
    try_plans(&opened_again);
    try_plans_of_another_owner(&taken_over);
}

/* The map is upgraded at each step of the slow Collect. If the slow Collect has already merged with
 * the former version, it begins again. */
static void test_two_collects_lose_nothing_while_the_map_is_upgraded(void **state)
{
    static const two_collects_meeting of = {
        .prepare = prepare_dormant,
        .operation = give_away,
        .lawful = {"x=105:7 x/c=52:7 jobs=105 taken=52",
                   "x=105:7 x/c=52:7 y=0:0 jobs=105 taken=52"},
        .last = "x=105:7 x/c=52:7 y=0:0 y/c=0:0 jobs=105 taken=52",
    };

    (void)state;
    try_meetings_of(&of, true, 1, true);
}

static void test_two_collects_carry_the_most_that_either_has_shown(void **state)
{
    static const two_collects_meeting of = {
        .prepare = prepare_live,
        .operation = count_and_give_away,
        .lawful = {"x=105:14 x/c=52:14 jobs=105 taken=52", "x=108:14 x/c=52:7 jobs=108 taken=52",
                   "x=108:7 x/c=52:7 y=0:0 jobs=108 taken=52",
                   "x=105:7 x/c=52:7 jobs=108 taken=52"},
        .last = "x=108:7 x/c=52:7 y=0:0 y/c=0:0 jobs=108 taken=52",
        .last_varies = true,
    };

    (void)state;
    try_meetings(&of, true);
}

static void test_two_collects_show_fresh_values_of_brackets(void **state)
{
    static const two_collects_meeting of = {
        .prepare = prepare_live,
        .operation = count_in_brackets,
        .lawful = {"x=105:14 x/c=52:14 jobs=105 taken=52", "x=108:14 x/c=52:14 jobs=108 taken=52"},
        .last = "x=108:14 x/c=56:14 jobs=108 taken=56",
    };

    (void)state;
    try_meetings(&of, true);
    try_meetings(&of, false);
}

/* ---- Two refreshes at once ---- */

enum { REFRESH_MS = 10000, LATE_MS = 2000 };

struct late_meeting {
    world in;
    prfdata_provider *provider;
    world_reading inner;
};

static void appear_and_collect_later(void *context)
{
    struct late_meeting *run = context;

    world_prepare_b(&run->in);
    prfdata_os_sleep(LATE_MS);
    world_read(&run->in, run->provider, NULL, 0, &run->inner);
}

/* A thread is stopped during its refresh. Other threads do not wait for this thread, and they do
 * not use its old set of regions later. */
static void test_two_collects_do_not_depend_on_a_refresh_that_stands_still(void **state)
{
    struct late_meeting run = {0};
    const world_reading expected = world_expected("x=105:14 x/c=52:14 jobs=105 taken=52");
    world_reading outer, last;
    uint32_t intrusions = 0;

    (void)state;
    for (uint32_t step = 1; step < 1000; step++) {
        world_begin(&run.in);
        world_open_a(&run.in, 1, 1);
        world_add(run.in.a, L"x", NULL, 100, &run.in.x);
        world_add(run.in.a, L"c", &run.in.x, 50, &run.in.xc);
        run.provider = world_open_provider(true);
        prfdata_provider_set_refresh(run.provider, REFRESH_MS);
        prfdata_os_sleep(REFRESH_MS + 1);
        world_read_with(&run.in, run.provider, step, appear_and_collect_later, &run, &outer);
        if (!world_intruded() && step > world_reader_steps())
            break;
        if (world_intruded() && !strncmp(world_reader_step(step), "refresh:", 8)) {
            intrusions++;
            world_read(&run.in, run.provider, NULL, 0, &last);
            if (!world_is_lawful(&run.inner, &expected, 1))
                fail_msg("%s: %s", world_reader_step(step), world_text(&run.inner));
            if (!world_is_lawful(&last, &expected, 1))
                fail_msg("after %s: %s", world_reader_step(step), world_text(&last));
        }
        prfdata_provider_close(run.provider);
        world_end(&run.in);
    }
    assert_true(intrusions >= 2);
    prfdata_provider_close(run.provider);
    world_end(&run.in);
}

/* ---- Another installation meanwhile ---- */

struct reinstalling {
    world in;
    prfdata_provider *provider;
    uint32_t left; /* how often the map will still be installed again */
    bool is_second;
};

/* Installs the other version of the map. Returns false if it has been installed often enough. */
static bool install_again(struct reinstalling *run)
{
    if (run->left == 0)
        return false;
    run->left--;
    run->is_second = !run->is_second;
    world_upgrade(run->is_second);
    prfdata_provider_set_refresh(run->provider, 0);
    return true;
}

static void install_again_and_collect(void *context)
{
    struct reinstalling *run = context;
    world_reading reading;

    if (!install_again(run))
        return;
    world_read(&run->in, run->provider, NULL, 0, &reading);
    prfdata_provider_set_refresh(run->provider, REFRESH_MS);
}

static void install_again_and_ask_foreign(void *context)
{
    struct reinstalling *run = context;

    if (!install_again(run))
        return;
    world_ask_foreign(&run->in, run->provider, "none", NULL, NULL);
    prfdata_provider_set_refresh(run->provider, REFRESH_MS);
}

/* Opens a reader without plans, because the plans of one Collect would answer the other one. */
static void begin_reinstalling(struct reinstalling *run)
{
    memset(run, 0, sizeof *run);
    world_begin(&run->in);
    world_open_a(&run->in, 1, 1);
    world_add(run->in.a, L"x", NULL, 100, &run->in.x);
    run->provider = world_open_provider(false);
    prfdata_provider_set_refresh(run->provider, REFRESH_MS);
    prfdata_os_sleep(REFRESH_MS + 1);
}

static void end_reinstalling(struct reinstalling *run)
{
    prfdata_provider_close(run->provider);
    if (run->is_second)
        world_upgrade(false);
    world_end(&run->in);
}

/* Before a Collect shows its values, other Collects show another version, `times` times. */
static void be_overtaken(uint32_t times, bool shows_second)
{
    const world_reading expected = world_expected("x=100:7 jobs=100");
    struct reinstalling run;
    world_reading reading;

    begin_reinstalling(&run);
    run.left = times;
    world_read_disturbed(&run.in, run.provider, "R: merged", install_again_and_collect, &run,
                         &reading);
    assert_int_equal(run.left, 0);
    if (!world_is_lawful(&reading, &expected, 1))
        fail_msg("overtaken %u times: %s", (unsigned)times, world_text(&reading));
    assert_int_equal(world_shows_second(run.provider), shows_second);
    end_reinstalling(&run);
}

static void test_two_collects_of_which_one_is_overtaken_show_the_last_version(void **state)
{
    (void)state;
    be_overtaken(3, true);
    be_overtaken(4, false);
    be_overtaken(9, true);
}

/* Both Collects ask for none of our objects, so nobody notices that the stopped one has the older
 * installation. */
static void test_two_collects_of_which_one_is_late_keep_the_later_installation(void **state)
{
    struct reinstalling run;

    (void)state;
    begin_reinstalling(&run);
    run.left = 1;
    world_ask_foreign(&run.in, run.provider, "refresh: probed", install_again_and_ask_foreign,
                      &run);
    assert_int_equal(run.left, 0);
    assert_true(world_shows_second(run.provider));
    end_reinstalling(&run);
}

/* ---- A file that cannot be read ---- */

enum { SHORT_MS = 10 };

static void read_later(const world *in, prfdata_provider *provider, uint32_t times,
                       const char *expected)
{
    const world_reading wanted = world_expected(expected);
    world_reading reading;

    for (uint32_t i = 0; i < times; i++) {
        prfdata_os_sleep(SHORT_MS + 1);
        world_read(in, provider, NULL, 0, &reading);
        if (!world_is_lawful(&reading, &wanted, 1))
            fail_msg("%u: %s", (unsigned)i, world_text(&reading));
    }
}

/* While the file of `b` cannot be read, merges show sums without its counts. These counts must not
 * be added to the sums when the file can be read. */
static void test_two_collects_of_sums_without_a_file_note_each_that_they_were_shown(void **state)
{
    prfdata_provider *provider;
    prfdata_instance y;
    world in;

    (void)state;
    world_begin(&in);
    world_open_a(&in, 1, 1);
    world_add(in.a, L"x", NULL, 100, &in.x);
    provider = world_open_provider(true);
    prfdata_provider_set_refresh(provider, SHORT_MS);
    read_later(&in, provider, 10, "x=100:7 jobs=100");
    in.b = world_open(1, 1);
    world_add(in.b, L"y", NULL, 5, &y);
    os_memory_deny(in.b->name.text, true);
    read_later(&in, provider, 10, "x=100:7 jobs=100");
    os_memory_deny(in.b->name.text, false);
    read_later(&in, provider, 3, "x=100:7 y=5:7 jobs=100");
    prfdata_provider_close(provider);
    world_end(&in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_collects_lose_nothing_while_slots_are_given_away),
        cmocka_unit_test(test_two_collects_lose_nothing_while_slots_are_revived),
        cmocka_unit_test(
            test_two_collects_lose_nothing_while_instances_are_removed_or_their_writer_dies),
        cmocka_unit_test(test_two_collects_lose_nothing_while_a_region_is_taken_over),
        cmocka_unit_test(test_two_collects_lose_nothing_while_the_map_is_upgraded),
        cmocka_unit_test(test_two_collects_by_plan_show_what_merging_shows),
        cmocka_unit_test(test_two_collects_by_plan_while_a_program_ends_or_begins),
        cmocka_unit_test(test_two_collects_carry_the_most_that_either_has_shown),
        cmocka_unit_test(test_two_collects_show_fresh_values_of_brackets),
        cmocka_unit_test(test_two_collects_do_not_depend_on_a_refresh_that_stands_still),
        cmocka_unit_test(test_two_collects_of_which_one_is_overtaken_show_the_last_version),
        cmocka_unit_test(test_two_collects_of_which_one_is_late_keep_the_later_installation),
        cmocka_unit_test(test_two_collects_of_sums_without_a_file_note_each_that_they_were_shown),
    };

    return cmocka_run_group_tests_name("two_collects", tests, NULL, NULL);
}
