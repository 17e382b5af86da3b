/* SPDX-License-Identifier: MIT */
/* Tests readers after each step of random histories. Readers must show true values, and plans must
 * give the same bytes as merging. If something has changed, the first Collect merges, and the later
 * ones use plans. Programs start, end, are killed and take over regions, and have two versions of
 * the map. Their instances have names of their own or names that programs share, and slots get
 * other names. Some programs count inside brackets, and some readers have two threads. Sometimes
 * readers cannot open files, and sometimes weeks pass.
 *
 * PRFDATA_TEST_SEEDS says how many histories are played. PRFDATA_TEST_SEED plays only the history
 * with this number. A failed test reports the number. */
#include "support/test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/publisher.h"
#include "support/provider/collecting.h"
#include "support/provider/provided.h"
#include "support/provider/region_opening.h"
#include "support/sampled.h"
#include "support/threads.h"

#include "plan_truth.h"

#ifdef _WIN32 /* each Collect lists the folder, which takes a millisecond under Wine */
enum { USUAL_SEEDS = 5 };
#else
enum { USUAL_SEEDS = 60 };
#endif

enum { STEPS = 60, THREADS = 2, LOOKS_OF_A_THREAD = 2 };

typedef struct history {
    uint32_t number;
    uint32_t meets; /* one in this many names may also be used by another program; 0: none */
    bool is_tight;  /* programs have few slots, so slots often get other names */
    bool has_brackets;
    bool has_threads;
    bool has_versions;
    bool is_of_second; /* whether the second version is installed */
    /* Whether a thread of the first program is inside a bracket around everything. */
    bool is_inside;
    bool has_refusals; /* whether the readers sometimes may not open files */
    bool is_refused;
} history;

static uint64_t looks;

static uint32_t number_of_environment(const char *name, uint32_t usual)
{
    const char *text = getenv(name);

    return text ? (uint32_t)strtoul(text, NULL, 10) : usual;
}

/* ---- The clock ---- */

#ifndef _WIN32
static prfdata_os_lock clock_lock;
static uint64_t clock_ms = 5000;

/* NOLINTBEGIN(clang-diagnostic-reserved-identifier): the linker wants this name */
uint64_t __wrap_prfdata_os_milliseconds(void);

/* Returns a different time with each call, even on a fast machine. */
uint64_t __wrap_prfdata_os_milliseconds(void)
{
    uint64_t now;

    prfdata_os_lock_enter(&clock_lock);
    now = ++clock_ms;
    prfdata_os_lock_leave(&clock_lock);
    return now;
}
/* NOLINTEND(clang-diagnostic-reserved-identifier) */

/* Moves both clocks by 49 days, so that milliseconds overflow 32 bits. */
static const char *wait_for_weeks(void)
{
    clock_ms += UINT32_MAX;
    plan_world_now += UINT32_MAX / 256;
    return "weeks go by";
}
#endif

#ifndef _WIN32
static const char *refuse_or_allow(history *played)
{
    played->is_refused = !played->is_refused;
    return played->is_refused ? "files may not be opened" : "files may be opened";
}
#endif

/* ---- Instances ---- */

typedef struct instance_kind {
    uint32_t id;
    size_t offset;
} instance_kind;

/* the position in `kinds` of the object that has only one slot in programs with few slots */
enum { PEAKS = 2 };

static const instance_kind kinds[] = {
    {QUEUE_ID, offsetof(plan_program, queues)}, {LINES_ID, offsetof(plan_program, lines)},
    {PEAKS_ID, offsetof(plan_program, peaks)},  {HEATS_ID, offsetof(plan_program, heats)},
    {PORTS_ID, offsetof(plan_program, ports)},  {SPANS_ID, offsetof(plan_program, spans)}};

static prfdata_instance *instance_of(plan_program *in, const instance_kind *kind, uint32_t number)
{
    return (prfdata_instance *)(void *)((uint8_t *)in + kind->offset) + number;
}

/* Adds an instance. A name that begins with the letter of its program is used by no other
 * program. */
static const char *add_one(const history *played, plan_program *in, const instance_kind *kind,
                           uint32_t i)
{
    const bool meets = played->meets > 0 && plan_world_random(played->meets) == 0;
    const uint32_t owner = meets ? MOST_PROGRAMS : (uint32_t)(in - plan_world_programs);
    const wchar_t name[] = {(wchar_t)(L'A' + owner), L'#', (wchar_t)(L'a' + i), 0};

    if (kind->id == LINES_ID && plan_world_random(2) == 0)
        (void)prfdata_instance_add_id(in->publisher, LINES_ID, (int32_t)(owner * NAMES + i), NULL,
                                      &in->lines[i]);
    else
        (void)prfdata_instance_add(in->publisher, kind->id, name, NULL, instance_of(in, kind, i));
    if (kind->id == PEAKS_ID)
        plan_world_count(in, DONE_ID, &in->peaks[i], 1 + plan_world_random(9));
    return "an instance more";
}

/* Replaces the program's peaks by one. If there is only one slot, it usually gets another name. */
static const char *change_peak(const history *played, plan_program *in)
{
    for (uint32_t i = 0; i < NAMES; i++)
        (void)prfdata_instance_remove(&in->peaks[i]);
    (void)add_one(played, in, &kinds[PEAKS], plan_world_random(3));
    return "another peak";
}

static const char *change_instances(const history *played, plan_program *in)
{
    const instance_kind *kind = &kinds[plan_world_random(sizeof kinds / sizeof kinds[0])];
    const uint32_t i = plan_world_random(NAMES);

    if (played->is_tight && plan_world_random(2) == 0)
        return change_peak(played, in);
    switch (plan_world_random(6)) {
    case 0:
        (void)prfdata_instance_add(in->publisher, CONSUMER_ID, plan_world_name(i),
                                   &in->queues[plan_world_random(NAMES)], &in->consumers[i]);
        return "a consumer more";
    case 1:
        (void)prfdata_instance_remove(&in->consumers[i]);
        return "a consumer less";
    case 2:
        (void)prfdata_instance_remove(instance_of(in, kind, i));
        return "an instance less";
    default:
        return add_one(played, in, kind, i);
    }
}

/* ---- Programs ---- */

#ifndef _WIN32 /* Windows lets nobody truncate or delete a file that a reader has mapped */
/* Leaves the file as a killed program does: unchanged and without an owner. */
static const char *kill_program(plan_program *in)
{
    char file[64];
    size_t size;
    void *left;

    (void)snprintf(file, sizeof file, "%s", in->publisher->name.text);
    left = prfdata_test_service_read_file(&service, file, &size);
    assert_non_null(left);
    plan_world_stop(in);
    assert_true(prfdata_test_service_write_file(&service, file, left, size));
    free(left);
    return "a program is killed";
}

static const char *lose_file(plan_program *in)
{
    char file[64];

    (void)snprintf(file, sizeof file, "%s", in->publisher->name.text);
    plan_world_stop(in);
    assert_true(prfdata_test_service_delete_file(&service, file));
    return "a program ends, and its file is deleted";
}
#endif

/* Ends the publisher in a random way. While readers cannot open files, no file is replaced or
 * deleted, because readers would continue to use the old file. */
static const char *end_somehow(const history *played, plan_program *in)
{
    switch (plan_world_random(played->is_refused ? 2 : 6)) {
    case 0:
        plan_world_reopen(in);
        return "a program opens again";
#ifndef _WIN32
    case 2:
    case 3:
        return kill_program(in);
    case 4:
        return lose_file(in);
#endif
    default:
        plan_world_stop(in);
        return "a program ends";
    }
}

static const char *upgrade_or_back(history *played)
{
    played->is_of_second = !played->is_of_second;
    plan_world_upgrade(played->is_of_second);
    return "another version";
}

/* If a thread is inside a bracket, ends the bracket. Otherwise begins one and counts, and then
 * either ends the bracket or leaves the thread inside, so that readers collect meanwhile. */
static const char *enter_or_leave(history *played, plan_program *in)
{
    if (played->is_inside) {
        prfdata_end_all(plan_world_programs[0].publisher);
        played->is_inside = false;
        return "a thread leaves a bracket";
    }
    prfdata_begin_all(in->publisher);
    plan_world_count_some(in);
    if (in == plan_world_programs && plan_world_random(3) == 0) {
        played->is_inside = true;
        return "a thread is inside a bracket";
    }
    prfdata_end_all(in->publisher);
    return "brackets";
}

static const char *step_on(history *played)
{
    plan_program *in = &plan_world_programs[plan_world_random(MOST_PROGRAMS)];
    const uint32_t what = plan_world_random(100);

    if (!in->publisher) {
        (played->is_tight || plan_world_random(3) == 0 ? plan_world_start
                                                       : plan_world_start_wide)(in);
        return "a program starts";
    }
    if (what < 8 && !(in == plan_world_programs && played->is_inside))
        return end_somehow(played, in);
    if (what < 12 && played->has_versions)
        return upgrade_or_back(played);
#ifndef _WIN32
    if (what == 96)
        return wait_for_weeks();
    if (what >= 97 && played->has_refusals)
        return refuse_or_allow(played);
#endif
    if (what < 24 && played->has_brackets)
        return enter_or_leave(played, in);
    if (what < 60)
        return change_instances(played, in);
    plan_world_count_some(in);
    plan_world_now += plan_world_random(8) == 0 ? QUARTER_MINUTE : 0;
    return "counts";
}

/* ---- Comparing ---- */

/* Two threads of the reader collect at the same time. Both must show what merging shows. */
struct thread_look {
    unsigned char bytes[LOOKS_OF_A_THREAD][ROOM];
    uint32_t sizes[LOOKS_OF_A_THREAD];
};

static struct thread_look thread_looks[THREADS];
static uint32_t threads_begun; /* atomic */

static void look_as_thread(void *context)
{
    static const uint16_t query[] = {'G', 'l', 'o', 'b', 'a', 'l', 0};
    prfdata_os_lock *lock = context;
    struct thread_look *own;

    prfdata_os_lock_enter(lock);
    own = &thread_looks[threads_begun++];
    prfdata_os_lock_leave(lock);
    for (uint32_t i = 0; i < LOOKS_OF_A_THREAD; i++) {
        void *data = own->bytes[i];
        uint32_t objects;

        own->sizes[i] = ROOM;
        (void)prfdata_provider_collect(plan_world_reader, query, &data, &own->sizes[i], &objects);
    }
}

static void compare_threads(const char *when)
{
    prfdata_os_lock lock = {0};
    uint32_t size = ROOM;
    uint32_t objects;
    uint16_t *nothing = collected_query("2");
    uint16_t *query = collected_query("Global");

    (void)plan_world_collect(plan_world_reader, nothing, plan_world_rooms[0], &size,
                             &objects); /* makes the provider check the folder */
    threads_begun = 0;
    prfdata_test_threads_run(THREADS, look_as_thread, &lock);
    size = ROOM;
    (void)plan_world_collect(plan_world_merging, query, plan_world_rooms[1], &size, &objects);
    plan_world_mask_times(plan_world_rooms[1], size);
    for (uint32_t i = 0; i < THREADS * LOOKS_OF_A_THREAD; i++) {
        struct thread_look *look = &thread_looks[i / LOOKS_OF_A_THREAD];
        unsigned char *bytes = look->bytes[i % LOOKS_OF_A_THREAD];
        const uint32_t its_size = look->sizes[i % LOOKS_OF_A_THREAD];

        plan_world_mask_times(bytes, its_size);
        if (its_size != size || memcmp(bytes, plan_world_rooms[1], size) != 0)
            fail_msg("%s: a thread shows something else", when);
    }
    free(nothing);
    free(query);
}

static void look_around(const history *played, const char *when)
{
    static const char *const queries[] = {"9700",   "9708", "9712",      "9716",     "9700 9716",
                                          "Costly", "9724", "9732 9738", "9742 9748"};

    region_opening_error = played->is_refused ? EMFILE : 0;
    if (played->has_threads && plan_world_random(2) == 0)
        compare_threads(when);
    plan_world_look(when, 1 + plan_world_random(3));
    plan_truth_compare(!played->is_refused, when);
    if (!played->is_refused && plan_world_random(8) == 0)
        plan_truth_compare_new(when);
    if (plan_world_random(4) == 0)
        plan_world_compare(queries[plan_world_random(sizeof queries / sizeof queries[0])], ROOM,
                           when);
    if (plan_world_random(8) == 0)
        plan_world_compare("Global", plan_world_random(4000), when);
    region_opening_error = 0;
}

/* ---- Histories ---- */

static history history_of(uint32_t number)
{
    history made = {0};

    made.number = number;
    made.meets = number % 4 == 0 ? 1 : number % 4 == 1 ? 20 : 0;
    made.is_tight = number % 3 == 1;
    made.meets = made.is_tight ? 1 : made.meets;
    made.has_brackets = number % 3 == 0;
    made.has_versions = number % 5 == 0;
    made.has_threads = number % 7 == 0;
    made.has_refusals = number % 4 < 2;
    return made;
}

static void play(uint32_t number)
{
    history played = history_of(number);
    char when[120];

    plan_world_begin(number % 2 == 0);
    plan_truth_begin();
    plan_world_seed(number * 2654435761u + 1);
    for (uint32_t i = 0; i < STEPS; i++) {
        const uint32_t changes = plan_world_random(16) == 0 ? 20 : 1 + plan_world_random(2);
        const char *last = step_on(&played);

        for (uint32_t k = 1; k < changes; k++)
            last = step_on(&played);
        (void)snprintf(when, sizeof when, "PRFDATA_TEST_SEED=%u, step %u: %s", (unsigned)number,
                       (unsigned)i, last);
        look_around(&played, when);
    }
    looks += plan_world_planned();
    plan_world_end();
    plan_truth_end();
}

static void test_histories_show_the_truth_by_plan_and_by_merging(void **state)
{
    const uint32_t alone = number_of_environment("PRFDATA_TEST_SEED", 0);
    const uint32_t usual = 1 + (USUAL_SEEDS - 1) / sampled_one_of();
    const uint32_t count = alone > 0 ? 1 : number_of_environment("PRFDATA_TEST_SEEDS", usual);
    const uint32_t first = alone > 0 ? alone : 1;

    (void)state;
    for (uint32_t i = 0; i < count; i++)
        play(first + i);
    assert_true(alone > 0 || looks > (uint64_t)count * STEPS / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_histories_show_the_truth_by_plan_and_by_merging),
    };

    return cmocka_run_group_tests_name("histories", tests, NULL, NULL);
}
