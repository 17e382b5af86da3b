/* SPDX-License-Identifier: MIT */
/* Tests that nothing falls in one reader, because the values include the counts of contributors
 * that are gone. The publishers are real. A publisher with room for one instance soon gives its
 * slot to another name. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <prfdata/prfdata.h>

#include "collect/merged_answer.h"
#include "merge/carry_memory.h"

#include "support/provider/collecting.h"
#include "support/provider/counting.h"
#include "support/provider/provided_sample.h"
#include "support/provider/torn_copies.h"

#define SERVICE "PrfDataTestCarry"

enum { FIRST_COUNTER = 9300, QUEUE_TITLE = 9300, WORKER_TITLE = 9308, CONSUMER_TITLE = 9312 };
enum { DEPTH_AT, JOBS_AT, JOB_TIME_AT, BASE_AT, TAKEN_AT = 0 };
enum { QUEUE_ID = 100, DEPTH_ID, JOBS_ID, JOB_TIME_ID, BASE_ID, CONSUMER_ID = 300, TAKEN_ID };

const provided_sample_service provided_sample_is = {SERVICE, FIRST_COUNTER};

static prfdata_publisher *open_small(void)
{
    static const prfdata_capacity one[] = {{QUEUE_ID, 1}, {CONSUMER_ID, 1}};
    prfdata_publisher *publisher;

    assert_int_equal(prfdata_open_with(&sample.map, one, 2, &publisher), ERROR_SUCCESS);
    return publisher;
}

static prfdata_instance add_queue(prfdata_publisher *publisher, const wchar_t *name, int64_t jobs)
{
    prfdata_instance queue = counting_add(publisher, QUEUE_ID, name, NULL);

    counting_count(publisher, JOBS_ID, &queue, jobs);
    return queue;
}

static uint64_t shown_by(prfdata_provider *whom, uint32_t title, const char *parent,
                         const char *instance, uint32_t position)
{
    return collected_value_now(whom, "9300 9308 9312", title, parent, instance, position);
}

static uint64_t jobs_of(const char *queue)
{
    return shown_by(provider, QUEUE_TITLE, "", queue, JOBS_AT);
}

static bool is_shown(const char *queue)
{
    return collected_has_now(provider, "Global", QUEUE_TITLE, "", queue);
}

/* Makes `x` in `b` with 5 jobs. `a` has a dormant slot of `x` with 100 jobs. */
static prfdata_instance make_x_of_two_slots(prfdata_publisher *a, prfdata_publisher *b)
{
    prfdata_instance x = add_queue(a, L"x", 100);

    assert_int_equal(prfdata_instance_remove(&x), ERROR_SUCCESS);
    return add_queue(b, L"x", 5);
}

static void test_carry_an_instance_keeps_what_a_slot_that_was_given_away_had_counted(void **state)
{
    prfdata_publisher *a = open_small(), *b = open_small();
    prfdata_instance x = make_x_of_two_slots(a, b);
    prfdata_provider *later;

    (void)state;
    assert_int_equal(jobs_of("x"), 105);
    add_queue(a, L"y", 7);
    for (int i = 0; i < 3; i++)
        assert_int_equal(jobs_of("x"), 105);
    counting_count(b, JOBS_ID, &x, 1);
    assert_int_equal(jobs_of("x"), 106);
    assert_int_equal(jobs_of("y"), 7);
    later = provided_open(); /* this reader has never seen the slot of `a` */
    assert_int_equal(shown_by(later, QUEUE_TITLE, "", "x", JOBS_AT), 6);
    prfdata_provider_close(later);
    prfdata_close_and_unmap(a);
    prfdata_close_and_unmap(b);
}

/* The slot got two other names, y and z, between two Collects. The baseline of z includes what was
 * counted for y. */
static void test_carry_takes_nothing_of_a_name_that_was_never_seen(void **state)
{
    prfdata_publisher *a = open_small(), *b = open_small();
    prfdata_instance y;

    (void)state;
    make_x_of_two_slots(a, b);
    assert_int_equal(jobs_of("x"), 105);
    y = add_queue(a, L"y", 50);
    assert_int_equal(prfdata_instance_remove(&y), ERROR_SUCCESS);
    add_queue(a, L"z", 7);
    for (int i = 0; i < 2; i++)
        assert_int_equal(jobs_of("x"), 105);
    assert_int_equal(jobs_of("z"), 7);
    prfdata_close_and_unmap(a);
    prfdata_close_and_unmap(b);
}

/* The summary of an ended program has no baselines, so the carry keeps those that it knew. */
static void test_carry_remembers_the_baselines_of_an_ended_program(void **state)
{
    prfdata_publisher *a = open_small(), *b = open_small();
    prfdata_instance w = add_queue(a, L"w", 30);

    (void)state;
    assert_int_equal(prfdata_instance_remove(&w), ERROR_SUCCESS);
    make_x_of_two_slots(a, b);
    assert_int_equal(jobs_of("x"), 105);
    prfdata_close_and_unmap(a);
    assert_int_equal(jobs_of("x"), 105);
    a = open_small(); /* takes the region over */
    add_queue(a, L"y", 7);
    for (int i = 0; i < 2; i++)
        assert_int_equal(jobs_of("x"), 105);
    assert_int_equal(jobs_of("y"), 7);
    prfdata_close_and_unmap(a);
    prfdata_close_and_unmap(b);
}

static void test_carry_gauges_are_not_carried(void **state)
{
    prfdata_publisher *a = open_small(), *b = open_small();
    prfdata_instance in_a = add_queue(a, L"x", 100), in_b = add_queue(b, L"x", 5);

    (void)state;
    counting_count(a, DEPTH_ID, &in_a, 40);
    counting_count(b, DEPTH_ID, &in_b, 2);
    /* The depth of x is the larger one of the two programs' values. */
    assert_int_equal(shown_by(provider, QUEUE_TITLE, "", "x", DEPTH_AT), 40);
    assert_int_equal(prfdata_instance_remove(&in_a), ERROR_SUCCESS);
    add_queue(a, L"y", 0);
    assert_int_equal(shown_by(provider, QUEUE_TITLE, "", "x", DEPTH_AT), 2);
    assert_int_equal(jobs_of("x"), 105);
    prfdata_close_and_unmap(a);
    prfdata_close_and_unmap(b);
}

static void test_carry_a_name_that_returns_to_a_new_slot_is_not_counted_twice(void **state)
{
    prfdata_publisher *a = open_small(), *b = open_small();
    prfdata_instance y;

    (void)state;
    make_x_of_two_slots(a, b);
    assert_int_equal(jobs_of("x"), 105);
    y = add_queue(a, L"y", 7);
    assert_int_equal(jobs_of("x"), 105);
    assert_int_equal(prfdata_instance_remove(&y), ERROR_SUCCESS);
    add_queue(a, L"x", 10);
    assert_int_equal(jobs_of("x"), 115);
    assert_int_equal(jobs_of("x"), 115);
    assert_int_equal(jobs_of("_Total"), 122);
    prfdata_close_and_unmap(a);
    prfdata_close_and_unmap(b);
}

/* In the end, none of the first contributors is left. */
static void test_carry_goes_on_from_contributor_to_contributor(void **state)
{
    prfdata_publisher *a = open_small(), *b = open_small();
    prfdata_instance in_a = add_queue(a, L"x", 1), in_b = add_queue(b, L"x", 1);
    uint64_t expected = 2;

    (void)state;
    for (int i = 0; i < 100; i++) {
        assert_int_equal(jobs_of("x"), expected);
        assert_int_equal(prfdata_instance_remove(&in_a), ERROR_SUCCESS);
        in_a = add_queue(a, L"y", 0);
        assert_int_equal(jobs_of("x"), expected);
        assert_int_equal(prfdata_instance_remove(&in_a), ERROR_SUCCESS);
        in_a = add_queue(a, L"x", 1);
        assert_int_equal(jobs_of("x"), ++expected);
        assert_int_equal(prfdata_instance_remove(&in_b), ERROR_SUCCESS);
        in_b = add_queue(b, L"y", 0);
        assert_int_equal(jobs_of("x"), expected);
        assert_int_equal(prfdata_instance_remove(&in_b), ERROR_SUCCESS);
        in_b = add_queue(b, L"x", 1);
        expected++;
    }
    prfdata_close_and_unmap(a);
    prfdata_close_and_unmap(b);
}

static void test_carry_ends_with_the_life_of_the_instance(void **state)
{
    prfdata_publisher *a = open_small(), *b = open_small();
    prfdata_instance x = make_x_of_two_slots(a, b);

    (void)state;
    assert_int_equal(jobs_of("x"), 105);
    add_queue(a, L"y", 7);
    assert_int_equal(jobs_of("x"), 105);
    assert_int_equal(prfdata_instance_remove(&x), ERROR_SUCCESS);
    assert_false(is_shown("x"));
    assert_false(is_shown("x"));
    counting_add(b, QUEUE_ID, L"x", NULL);
    assert_int_equal(jobs_of("x"), 5); /* a reader that begins now shows the same */
    prfdata_close_and_unmap(a);
    prfdata_close_and_unmap(b);
}

static void test_carry_children_below_a_parent(void **state)
{
    prfdata_publisher *a = open_small(), *b = open_small();
    prfdata_instance in_a = counting_add(a, QUEUE_ID, L"mail", NULL),
                     in_b = counting_add(b, QUEUE_ID, L"mail", NULL);
    prfdata_instance eve = counting_add(a, CONSUMER_ID, L"eve", &in_a);

    (void)state;
    counting_count(a, TAKEN_ID, &eve, 30);
    eve = counting_add(b, CONSUMER_ID, L"eve", &in_b);
    counting_count(b, TAKEN_ID, &eve, 4);
    assert_int_equal(shown_by(provider, CONSUMER_TITLE, "mail", "eve", TAKEN_AT), 34);
    prfdata_instance_find(a, CONSUMER_ID, L"eve", &in_a, &eve);
    assert_int_equal(prfdata_instance_remove(&eve), ERROR_SUCCESS);
    counting_add(a, CONSUMER_ID, L"adam", &in_a);
    assert_int_equal(shown_by(provider, CONSUMER_TITLE, "mail", "eve", TAKEN_AT), 34);
    assert_int_equal(shown_by(provider, CONSUMER_TITLE, "mail", "adam", TAKEN_AT), 0);
    prfdata_close_and_unmap(a);
    prfdata_close_and_unmap(b);
}

/* Counts of "x" from after the last Collect are carried, too, because the slot's baseline for the
 * next name includes them. So a torn copy that showed half of a pair has no lasting effect. */
static void test_carry_half_of_a_pair_ends_when_its_slot_is_given_away(void **state)
{
    prfdata_publisher *a = open_small(), *b = open_small();
    prfdata_instance x = add_queue(a, L"x", 0), in_b = add_queue(b, L"x", 1000);
    uint64_t torn;

    (void)state;
    counting_count(b, JOB_TIME_ID, &in_b, 1000);
    /* In the first turn, the slot of `a` has no baseline. In the later turns it has one. */
    for (int turn = 1; turn <= 3; turn++) {
        prfdata_begin(&x);
        counting_count(a, JOBS_ID, &x, 100);
        torn = torn_copies(provider);
        assert_int_equal(jobs_of("x"), 900 + 200 * turn);
        assert_int_equal(torn_copies(provider), torn + 1);
        assert_int_equal(shown_by(provider, QUEUE_TITLE, "", "x", JOB_TIME_AT), 800 + 200 * turn);
        counting_count(a, JOB_TIME_ID, &x, 100);
        counting_count(a, JOBS_ID, &x, 100);
        counting_count(a, JOB_TIME_ID, &x, 100);
        prfdata_end(&x);
        assert_int_equal(prfdata_instance_remove(&x), ERROR_SUCCESS);
        x = add_queue(a, L"y", 7);
        torn = torn_copies(provider);
        for (int look = 0; look < 3; look++) {
            assert_int_equal(jobs_of("x"), 1000 + 200 * turn);
            assert_int_equal(shown_by(provider, QUEUE_TITLE, "", "x", JOB_TIME_AT),
                             1000 + 200 * turn);
        }
        assert_int_equal(torn_copies(provider), torn);
        assert_int_equal(prfdata_instance_remove(&x), ERROR_SUCCESS);
        x = add_queue(a, L"x", 0);
    }
    prfdata_close_and_unmap(a);
    prfdata_close_and_unmap(b);
}

/* A query for another object in between changes nothing, because each object is carried
 * separately. */
static void test_carry_is_untouched_by_queries_for_other_objects(void **state)
{
    prfdata_publisher *a = open_small(), *b = open_small();
    collected taken;

    (void)state;
    make_x_of_two_slots(a, b);
    assert_int_equal(jobs_of("x"), 105);
    add_queue(a, L"y", 7);
    for (int i = 0; i < 200; i++) {
        collected_take(&taken, provider, "9308");
        collected_free(&taken);
    }
    assert_int_equal(jobs_of("x"), 105);
    prfdata_close_and_unmap(a);
    prfdata_close_and_unmap(b);
}

static void test_carry_survives_death_and_take_over(void **state)
{
    prfdata_publisher *a = open_small(), *b = counting_open(&sample.map);

    (void)state;
    add_queue(a, L"x", 100);
    add_queue(b, L"x", 5);
    assert_int_equal(jobs_of("x"), 105);
    prfdata_close_and_unmap(a);
    assert_int_equal(jobs_of("x"), 105);
    a = open_small();
    assert_int_equal(jobs_of("x"), 105);
    add_queue(a, L"y", 1);
    assert_int_equal(jobs_of("x"), 105);
    assert_int_equal(jobs_of("_Total"), 106);
    prfdata_close_and_unmap(a);
    prfdata_close_and_unmap(b);
}

/* Windows keeps a file as long as any process has a view of it. */
#ifndef _WIN32
static void test_carry_sums_of_files_that_are_deleted(void **state)
{
    prfdata_publisher *a = counting_open(&sample.map);
    prfdata_test_file file;
    uint64_t expected = 0;

    (void)state;
    add_queue(a, L"x", 5);
    assert_int_equal(prfdata_test_service_files(&service, &file, 1), 1);
    for (uint64_t i = 1; i <= 200; i++) {
        const char *name = prfdata_test_region_name(i);

        assert_true(prfdata_test_service_copy_file(&service, file.name, name));
        expected = jobs_of("_Total");
        assert_int_equal(expected, 5 + 5 * i);
        assert_true(prfdata_test_service_delete_file(&service, name));
        assert_int_equal(jobs_of("_Total"), expected);
    }
    prfdata_close_and_unmap(a);
}
#endif

#ifndef _WIN32
/* ---- A Collect whose basis is replaced before it merges ---- */

/* If one of the programs ends, so many contributors are missing that the object is crowded
 * (provider/merge/carry.c). */
enum { WIDE_ID = 1000, WIDE_COUNTERS = 590, WIDE_INSTANCES = 1800, WIDE_ROOM = 12 * 1024 * 1024 };

static sample_map wide_map;
static prfdata_provider wide_provider;

static int begin_wide(void **state)
{
    (void)state;
    sample_map_init_as(&wide_map, SERVICE);
    wide_map.map.entry_count = 0;
    sample_map_append(&wide_map,
                      sample_map_object(WIDE_ID, L"My Wide", WIDE_ID + 1, WIDE_INSTANCES, 9));
    for (uint32_t i = 1; i <= WIDE_COUNTERS; i++)
        sample_map_append(&wide_map, sample_map_counter(WIDE_ID + i, PERF_COUNTER_BULK_COUNT));
    provided_begin(&wide_map.map, FIRST_COUNTER);
    assert_true(prfdata_provider_state_init(&wide_provider, SERVICE));
    wide_provider.regions.refresh_ms = 0;
    return 0;
}

static int end_wide(void **state)
{
    prfdata_provider_state_done(&wide_provider);
    return provided_end(state);
}

/* Starts a program in which each instance counts `amount`. */
static prfdata_publisher *start_wide(int64_t amount)
{
    prfdata_publisher *publisher = counting_open(&wide_map.map);

    for (int i = 0; i < WIDE_INSTANCES; i++) {
        const wchar_t name[] = {(wchar_t)(L'a' + i % 26), (wchar_t)(L'a' + i / 26 % 26),
                                (wchar_t)(L'a' + i / 676), 0};
        prfdata_instance wide = counting_add(publisher, WIDE_ID, name, NULL);

        counting_count(publisher, WIDE_ID + 1, &wide, amount);
    }
    return publisher;
}

/* Merges like the last attempt of a Collect that has this basis. Returns the count of the first
 * instance. Takes ownership of the reference to the basis. */
static uint64_t merge_wide(prfdata_basis *basis)
{
    prfdata_collect_request *request = calloc(1, sizeof *request);
    unsigned char *bytes = malloc(WIDE_ROOM);
    perf_reply reply = {bytes, 0, 1};
    uint64_t value;

    assert_non_null(request);
    assert_non_null(bytes);
    request->basis = basis;
    request->provider = &wide_provider;
    request->is_last_attempt = true;
    request->wanted[0] = true;
    prfdata_perf_block_init(&request->block, bytes, WIDE_ROOM);
    assert_int_equal(prfdata_merged_answer_put(request), PRFDATA_DONE);
    prfdata_basis_release(&wide_provider, request->basis);
    reply.size = (uint32_t)request->block.used;
    assert_true(perf_reader_value(&reply, FIRST_COUNTER, "", "aaa", 0, &value));
    free(bytes);
    free(request);
    return value;
}

/* Before the last attempt of a Collect, another thread finds that a program's file is gone, and
 * folds the program's counts into the rows. So the last attempt must not use its old basis. */
static void test_carry_the_last_attempt_does_not_count_folded_counts_twice(void **state)
{
    prfdata_test_file files[2];
    prfdata_publisher *first = start_wide(100), *second;
    prfdata_basis *old;
    char name[sizeof files[0].name];

    (void)state;
    assert_int_equal(prfdata_test_service_files(&service, files, 2), 1);
    memcpy(name, files[0].name, sizeof name);
    second = start_wide(5);
    assert_int_equal(merge_wide(prfdata_basis_acquire(&wide_provider)), 105);
    old = prfdata_basis_acquire(&wide_provider);
    assert_int_equal(prfdata_test_service_files(&service, files, 2), 2);
    prfdata_close_and_unmap(second);
    assert_true(
        prfdata_test_service_delete_file(&service, files[!strcmp(files[0].name, name)].name));
    for (int i = 0; i < 3; i++)
        assert_int_equal(merge_wide(prfdata_basis_acquire(&wide_provider)), 105);
    assert_int_equal(wide_provider.carry.objects[0].contributor_count,
                     WIDE_INSTANCES); /* only the instances of `first` */
    assert_int_equal(merge_wide(old), 105);
    prfdata_close_and_unmap(first);
}
#endif

/* ---- Threads that saw different contributors ---- */

enum { CELLS = 8 };

/* A copy of a region that has one live queue, "x". */
struct fake_region {
    prfdata_snapshot snapshot;
    prfdata_snapshot_slot slot;
    uint16_t name[CELLS];
    uint64_t cells[CELLS];
};

static uint16_t first_name = 'x';

static prfdata_model *model;
static prfdata_carry carry;

static int begin(void **state)
{
    (void)state;
    sample_map_init_as(&sample, SERVICE);
    prfdata_carry_init(&carry);
    assert_int_equal(prfdata_model_make(&sample.map, &model), ERROR_SUCCESS);
    return 0;
}

static int end(void **state)
{
    (void)state;
    prfdata_carry_done(&carry);
    prfdata_model_free(model);
    return 0;
}

/* The id of the region that was not read yet when sums were shown; 0: none. */
static uint64_t late;

static prfdata_snapshot *fake_region(struct fake_region *fake, uint64_t id, uint64_t jobs)
{
    memset(fake, 0, sizeof *fake);
    fake->name[0] = first_name;
    fake->cells[JOBS_AT] = jobs;
    fake->slot.state = PRFDATA_SLOT_LIVE;
    fake->slot.identity = 1;
    fake->slot.parent_slot = PRFDATA_NONE;
    fake->slot.name_chars = 1;
    fake->snapshot.object_count = 1;
    fake->snapshot.objects[0].is_taken = true;
    fake->snapshot.objects[0].count = 1;
    fake->snapshot.objects[0].name_stride = CELLS;
    fake->snapshot.objects[0].cell_stride = CELLS;
    fake->snapshot.objects[0].slots = &fake->slot;
    fake->snapshot.objects[0].names = fake->name;
    fake->snapshot.objects[0].cells = fake->cells;
    fake->snapshot.objects[0].baselines = fake->cells;
    fake->snapshot.region_id = id;
    fake->snapshot.is_live = true;
    fake->snapshot.is_late = id == late;
    return &fake->snapshot;
}

/* The id of the region that exists but is not read; 0: none. */
static uint64_t unread;
static uint32_t region_count = 2;

/* Merges `region_count` regions and applies the carry. The caller frees the result. */
static prfdata_merge apply(prfdata_snapshot **snapshots)
{
    static const bool wanted[PRFDATA_MAX_OBJECTS] = {true};
    uint64_t ids[] = {unread, 77, 1000};
    prfdata_merge merge = {
        .model = model,
        .wanted = wanted,
        .seed = 1,
        .rows_bytes_left = UINT64_MAX,
        .snapshots = snapshots,
        .region_count = region_count,
        .unread = ids,
        .unread_count = 3,
    };

    prfdata_carry_begin(&carry, &merge);
    assert_int_equal(prfdata_merge_make(&merge), PRFDATA_DONE);
    assert_int_equal(prfdata_carry_apply(&carry, 1, 1, &merge), PRFDATA_DONE);
    prfdata_carry_end(&carry, &merge);
    return merge;
}

/* Whether the queue of the second region is "y". */
static bool has_other_names;

/* The identity of the slot in the second region. */
static uint32_t second_identity = 1;

/* Whether the slot in the second region has baselines, which equal its cells. */
static bool second_has_baseline;

/* From the last Collect: the jobs of `_Total`, and whether no row had carried counts. */
static uint64_t total_shown;
static bool was_plain;

/* Collects from two regions, or only from the first if `region_count` is 1. Returns the jobs of the
 * first row. */
static uint64_t apply_two(uint64_t first, uint64_t first_jobs, uint64_t second,
                          uint64_t second_jobs)
{
    struct fake_region fakes[2];
    prfdata_snapshot *snapshots[] = {fake_region(&fakes[0], first, first_jobs),
                                     fake_region(&fakes[1], second, second_jobs)};
    prfdata_merge merge;
    uint64_t jobs;

    if (has_other_names)
        fakes[1].name[0] = 'y';
    fakes[1].slot.identity = second_identity;
    fakes[1].slot.has_baseline = second_has_baseline;
    merge = apply(snapshots);
    assert_int_equal(merge.objects[0].row_count, has_other_names ? region_count : 1);
    jobs = merge.objects[0].values[JOBS_AT];
    total_shown = merge.objects[0].totals[JOBS_AT];
    was_plain = !merge.objects[0].has_records;
    prfdata_merge_free(&merge);
    return jobs;
}

/* The example in docs/architecture.md, "Contributors and the carry". The first region is that of A,
 * the second that of B. */
static void test_carry_adds_what_the_example_of_the_page_says(void **state)
{
    (void)state;
    assert_int_equal(apply_two(1, 100, 2, 40), 140);
    unread = 2;
    region_count = 1;
    assert_int_equal(apply_two(1, 110, 2, 40), 150);
    unread = 0;
    region_count = 2;
    assert_int_equal(apply_two(1, 110, 2, 45), 155);
    has_other_names = true;
    second_identity = 2;
    second_has_baseline = true;
    assert_int_equal(carry.objects[0].contributor_count, 4); /* two slots and two regions */
    assert_int_equal(apply_two(1, 120, 2, 47), 167);
    assert_int_equal(carry.objects[0].contributor_count, 4);
    assert_int_equal(apply_two(1, 130, 2, 47), 177);
    assert_int_equal(carry.objects[0].contributor_count, 3);
    assert_int_equal(apply_two(1, 140, 2, 47), 187);
    assert_int_equal(total_shown, 187);
    assert_int_equal(prfdata_carry_memory_record_values(&carry.objects[0], 1)[JOBS_AT], 47);
    has_other_names = false;
    second_identity = 1;
    second_has_baseline = false;
}

/* A writer changes a name without changing the identity. The counts of the former name are not
 * affected. */
static void test_carry_a_slot_that_changes_its_name_spoils_only_its_own(void **state)
{
    (void)state;
    assert_int_equal(apply_two(1, 5, 2, 7), 12);
    assert_int_equal(apply_two(1, 5, 3, 1), 13); /* region 2 is gone, and its counts are carried */
    for (int again = 0; again < 2; again++) {
        struct fake_region fakes[2];
        prfdata_snapshot *snapshots[] = {fake_region(&fakes[0], 1, 5),
                                         fake_region(&fakes[1], 3, 1)};
        prfdata_merge merge;

        fakes[1].name[0] = 'y';
        merge = apply(snapshots);
        assert_int_equal(merge.objects[0].row_count, 2);
        /* The row of x shows its 5 jobs, and the carried 7 and 1. */
        assert_int_equal(merge.objects[0].values[JOBS_AT], 13);
        assert_int_equal(merge.objects[0].values[model->objects[0].cell_count + JOBS_AT], 1);
        prfdata_merge_free(&merge);
    }
}

enum { SLOTS = 4096, ROUNDS = 40 };

/* Gives the slots of the second region another identity in each round, as if they had had other
 * names in between. Expects at most `bound` contributors. */
static void give_slots_away(size_t bound)
{
    struct many_slots {
        prfdata_snapshot snapshot;
        prfdata_snapshot_slot slots[SLOTS];
        uint16_t names[SLOTS * CELLS];
        uint64_t cells[SLOTS * CELLS];
    } *many = calloc(2, sizeof *many);

    assert_non_null(many);
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        prfdata_snapshot *snapshots[2];
        prfdata_merge merge;

        for (uint32_t r = 0; r < 2; r++) {
            struct fake_region one;

            many[r].snapshot = *fake_region(&one, r + 1, 1);
            many[r].snapshot.objects[0].slots = many[r].slots;
            many[r].snapshot.objects[0].names = many[r].names;
            many[r].snapshot.objects[0].cells = many[r].cells;
            many[r].snapshot.objects[0].baselines = many[r].cells;
            many[r].snapshot.objects[0].count = SLOTS;
            snapshots[r] = &many[r].snapshot;
            for (uint32_t i = 0; i < SLOTS; i++) {
                many[r].slots[i] = one.slot;
                many[r].slots[i].slot_index = i;
                many[r].slots[i].identity = r == 0 ? 1 : round;
                many[r].names[i * CELLS] = (uint16_t)(0x4E00 + i);
                many[r].cells[i * CELLS + JOBS_AT] = 1;
            }
        }
        merge = apply(snapshots);
        for (uint32_t i = 0; i < SLOTS; i++) /* no count is lost, and none is counted twice */
            assert_int_equal(merge.objects[0].values[i * model->objects[0].cell_count + JOBS_AT],
                             1 + round);
        prfdata_merge_free(&merge);
        assert_true(carry.objects[0].contributor_count <= bound);
    }
    free(many);
}

static void test_carry_remembers_a_bounded_number_of_contributors(void **state)
{
    (void)state;
    give_slots_away(6 * SLOTS);
}

enum { MANY_NAMES = 30000 };

struct many_names {
    struct fake_region one;
    prfdata_snapshot_slot slots[MANY_NAMES];
    uint16_t names[MANY_NAMES * CELLS];
    uint64_t cells[MANY_NAMES * CELLS];
};

static prfdata_snapshot *region_of_many_names(struct many_names *many, uint64_t id)
{
    prfdata_snapshot *snapshot = fake_region(&many->one, id, 1);
    prfdata_snapshot_object *object = &snapshot->objects[0];

    object->slots = many->slots;
    object->names = many->names;
    object->cells = many->cells;
    object->baselines = many->cells;
    object->count = MANY_NAMES;
    for (uint32_t i = 0; i < MANY_NAMES; i++) {
        many->slots[i] = many->one.slot;
        many->slots[i].slot_index = i;
        many->slots[i].name_chars = 2;
        many->names[i * CELLS] = (uint16_t)(0x4E00 + i % 256);
        many->names[i * CELLS + 1] = (uint16_t)(0x4E00 + i / 256);
        many->cells[i * CELLS + JOBS_AT] = 1;
    }
    return snapshot;
}

/* Collects, and returns the jobs of the last name. */
static uint64_t apply_many_names(prfdata_snapshot **snapshots, uint32_t count)
{
    prfdata_merge merge;
    uint64_t jobs;

    region_count = count;
    merge = apply(snapshots);
    assert_int_equal(merge.objects[0].row_count, MANY_NAMES);
    jobs = merge.objects[0].values[(MANY_NAMES - 1) * model->objects[0].cell_count + JOBS_AT];
    prfdata_merge_free(&merge);
    region_count = 2;
    return jobs;
}

/* Each name is in two regions, then in two others, then in all four. So each name has two records,
 * which the third Collect merges. The merging must be quick, because other Collects wait for it. */
static void test_carry_records_of_all_names_join_in_one_pass(void **state)
{
    struct many_names *many = calloc(4, sizeof *many);
    prfdata_snapshot *snapshots[4];
    clock_t began;

    (void)state;
    assert_non_null(many);
    for (uint32_t i = 0; i < 4; i++)
        snapshots[i] = region_of_many_names(&many[i], i + 1);
    assert_int_equal(apply_many_names(snapshots, 2), 2);
    assert_int_equal(apply_many_names(snapshots + 2, 2), 2);
    began = clock();
    assert_int_equal(apply_many_names(snapshots, 4), 4);
    assert_true(clock() - began < 2 * CLOCKS_PER_SEC);
    assert_int_equal(apply_many_names(snapshots + 3, 1),
                     4); /* now there is one record for each name, with the carried counts */
    free(many);
}

static prfdata_result record_one(uint64_t region, uint64_t *sums)
{
    return prfdata_carry_record_sums(&carry, 1, carry.recordings, 0, &region, 1, sums);
}

static prfdata_result record_two(uint64_t second, uint64_t first_jobs, uint64_t second_jobs)
{
    const uint64_t regions[2] = {1, second};
    const uint32_t stored_count = model->objects[0].stored_count;
    uint64_t sums[2 * CELLS] = {0};

    assert_in_range(stored_count, JOBS_AT + 1, CELLS);
    sums[JOBS_AT] = first_jobs;
    sums[stored_count + JOBS_AT] = second_jobs;
    return prfdata_carry_record_sums(&carry, 1, carry.recordings, 0, regions, 2, sums);
}

/* A slow thread computes sums with a plan. Meanwhile another thread finds that a region is gone.
 * The slow thread then records the sums of that region. From then on, readers show these sums, and
 * plans without them are invalid. */
static void test_carry_records_sums_of_a_region_that_is_gone(void **state)
{
    uint64_t sums[CELLS] = {0};
    uint64_t raised;

    (void)state;
    assert_int_equal(record_one(1, sums), PRFDATA_STALE);
    assert_int_equal(apply_two(1, 5, 2, 7), 12);
    assert_int_equal(apply_two(1, 5, 3, 1), 13); /* region 2 is gone */
    raised = carry.carried_version[0];
    sums[DEPTH_AT] = 9; /* a gauge, whose values are not carried */
    sums[JOBS_AT] = 4;
    assert_int_equal(record_one(1, sums), PRFDATA_DONE);
    assert_int_equal(sums[JOBS_AT], 5); /* not less than what was shown before */
    assert_int_equal(record_one(2, sums), PRFDATA_DONE);
    assert_int_equal(record_one(77, sums), PRFDATA_STALE);
    assert_true(carry.carried_version[0] == raised); /* there is nothing new to carry */
    sums[JOBS_AT] = 40;
    assert_int_equal(record_one(1, sums), PRFDATA_DONE);
    /* Region 1 is still there, so each plan reads its counts itself. */
    assert_true(carry.carried_version[0] == raised);
    assert_int_equal(record_one(2, sums), PRFDATA_DONE);
    assert_true(carry.carried_version[0] != raised);
    raised = carry.carried_version[0];
    assert_int_equal(record_two(2, 40, 41), PRFDATA_DONE);
    assert_true(carry.carried_version[0] != raised);
    assert_int_equal(record_two(77, 40, 41), PRFDATA_STALE);
    assert_int_equal(
        prfdata_carry_record_sums(&carry, 2, carry.recordings, 0, &(uint64_t){1}, 1, sums),
        PRFDATA_STALE);
}

/* Threads with copies from different moments each made a record for the name. */
static void test_carry_records_of_one_name_join(void **state)
{
    (void)state;
    assert_int_equal(apply_two(1, 5, 2, 7), 12);
    assert_int_equal(apply_two(3, 1, 4, 2), 3);
    assert_int_equal(apply_two(1, 5, 3, 1), 15); /* includes 7 and 2, which are carried */
    assert_int_equal(apply_two(2, 8, 4, 2), 16);
}

/* The record that was made later is found first. It replaces the earlier one, which is
 * forgotten. */
static void test_carry_records_join_into_a_later_one(void **state)
{
    (void)state;
    assert_int_equal(apply_two(1, 5, 2, 7), 12);
    assert_int_equal(apply_two(3, 1, 4, 2), 3);
    for (int i = 0; i < 4; i++)
        assert_int_equal(apply_two(3, 1, 1, 5), 15);
    assert_int_equal(apply_two(3, 1, 5, 3), 18);
    assert_int_equal(apply_two(6, 1, 7, 2), 3);
    /* Counts that were merged earlier are still included. */
    assert_int_equal(apply_two(3, 1, 6, 1), 21);
}

/* A slow Collect began while x existed. Then x ends, and the carry may forget region 9, which was
 * gone before. The slow Collect still shows for x what other Collects showed. */
static void test_carry_a_slow_collect_shows_what_went_meanwhile(void **state)
{
    (void)state;
    for (int earlier = 56; earlier < 68; earlier++) {
        prfdata_merge slow;

        assert_int_equal(apply_two(1, 5, 9, 3), 8);
        for (int i = 0; i < earlier; i++)
            assert_int_equal(apply_two(1, 5, 2, 7), 15);
        prfdata_carry_begin(&carry, &slow);
        assert_int_equal(apply_two(1, 5, 2, 7), 15);
        first_name = 'y'; /* no region has x now */
        for (int i = 0; i < 4; i++)
            assert_int_equal(apply_two(3, 1, 4, 2), 3);
        first_name = 'x';
        assert_int_equal(apply_two(1, 5, 2, 6), 15); /* a Collect with copies from before */
        prfdata_carry_end(&carry, &slow);
        prfdata_carry_done(&carry);
        prfdata_carry_init(&carry);
    }
}

/* A Collect began while x existed, so the record of x is kept. The record of b, which ended before
 * that Collect, is forgotten. */
static void test_carry_a_row_is_kept_while_another_is_forgotten(void **state)
{
    prfdata_merge first, second;

    (void)state;
    first_name = 'b';
    assert_int_equal(apply_two(1, 5, 2, 7), 12);
    prfdata_carry_begin(&carry, &first);
    first_name = 'x';
    assert_int_equal(apply_two(3, 1, 4, 2), 3);
    assert_int_equal(apply_two(3, 1, 5, 4), 7);
    prfdata_carry_begin(&carry, &second);
    first_name = 'c';
    assert_int_equal(apply_two(6, 1, 7, 1), 2);
    prfdata_carry_end(&carry, &first);
    assert_int_equal(apply_two(6, 1, 7, 1), 2);
    assert_int_equal(carry.objects[0].record_count, 3); /* the sums, x and c */
    first_name = 'x';
    assert_int_equal(apply_two(3, 1, 5, 4), 7); /* includes the 2 jobs of region 4 */
    prfdata_carry_end(&carry, &second);
}

/* Copies of the contributor's region failed several times, or the file was missing. Meanwhile, the
 * contributor's counts are carried. */
static void test_carry_a_contributor_that_was_missed_for_a_while_is_not_counted_twice(void **state)
{
    (void)state;
    assert_int_equal(apply_two(1, 5, 2, 7), 12);
    for (int i = 0; i < 200; i++)
        assert_int_equal(apply_two(1, 5, 3, 1), 13);
    assert_int_equal(apply_two(1, 5, 2, 8), 14);
}

/* A slow thread has a copy in which the slot has an earlier identity and other counts. */
static void test_carry_a_name_that_an_older_copy_lacks_is_not_counted_twice(void **state)
{
    (void)state;
    second_identity = 2;
    assert_int_equal(apply_two(1, 5, 2, 7), 12);
    second_identity = 1;
    for (int i = 0; i < 3; i++)
        assert_int_equal(apply_two(1, 5, 2, 3), 15);
    second_identity = 2;
    assert_int_equal(apply_two(1, 5, 2, 7), 15);
    second_identity = 1;
}

/* The reader leaves a region out for some time, although the region exists. Its counts are carried
 * until it is read again. */
static void test_carry_a_region_that_was_left_out_is_not_counted_twice(void **state)
{
    (void)state;
    assert_int_equal(apply_two(1, 5, 2, 7), 12);
    unread = 2;
    for (int i = 0; i < 200; i++) /* a missing contributor is remembered, however long */
        assert_int_equal(apply_two(1, 5, 3, 1), 13);
    assert_int_equal(apply_two(1, 5, 2, 8), 14);
    unread = 0;
    for (int i = 0; i < 200; i++)
        assert_int_equal(apply_two(1, 5, 3, 1), 14);
    assert_int_equal(apply_two(1, 5, 2, 9), 15);
}

/* Plans of an object become invalid when its contributors change, but not when contributors
 * count. */
static void test_carry_moves_with_the_contributors_only(void **state)
{
    static const struct {
        uint64_t jobs, second, second_jobs; /* if `second` is 0, there is only the first region */
        bool moves;
    } steps[] = {
        {5, 2, 7, true}, {6, 2, 7, false}, {6, 2, 6, false}, {6, 0, 0, true},  {7, 0, 0, false},
        {7, 2, 7, true}, {7, 2, 8, false}, {7, 3, 8, true},  {7, 3, 9, false},
    };

    (void)state;
    has_other_names = true;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        const uint64_t raised = carry.carried_version[0];

        region_count = steps[i].second > 0 ? 2 : 1;
        (void)apply_two(1, steps[i].jobs, steps[i].second, steps[i].second_jobs);
        assert_int_equal(carry.carried_version[0] != raised, steps[i].moves);
    }
    has_other_names = false;
    region_count = 2;
}

/* Another thread had a newer copy and has shown it. */
static void test_carry_shows_no_less_of_a_contributor_than_before(void **state)
{
    (void)state;
    assert_int_equal(apply_two(1, 5, 2, 7), 12);
    assert_int_equal(apply_two(1, 3, 2, 8), 13);
    assert_int_equal(apply_two(1, 6, 2, 2), 14);
}

/* Sums were shown before this region could be read, so its earlier counts are left out, whichever
 * thread has the newer copy. */
static void test_carry_a_late_region_counts_from_when_it_was_met(void **state)
{
    static const struct {
        uint64_t region, jobs, total;
    } steps[] = {
        {2, 100, 5},              /* the region is read for the first time */
        {2, 103, 8},  {2, 99, 8}, /* a slower thread with an older copy */
        {3, 1, 9},                /* region 2 is gone, and its counts are carried */
        {2, 104, 10},
    };

    (void)state;
    has_other_names = true;
    late = 2;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        (void)apply_two(1, 5, steps[i].region, steps[i].jobs);
        assert_int_equal(total_shown, steps[i].total);
        assert_true(was_plain);
    }
    for (int i = 0; i < 200; i++) { /* a missing contributor is remembered, however long */
        (void)apply_two(1, 5, 3, 1);
        assert_int_equal(total_shown, 10);
    }
    late = 0;
    has_other_names = false;
}

/* The region was read before, then could not be read, and can be read again. Counts of the region
 * that were shown before are not new. */
static void test_carry_a_late_region_that_was_shown_before_counts_on(void **state)
{
    (void)state;
    (void)apply_two(1, 5, 2, 7);
    assert_int_equal(total_shown, 12);
    (void)apply_two(1, 5, 3, 0);
    assert_int_equal(total_shown, 12);
    late = 2;
    (void)apply_two(1, 5, 2, 9);
    assert_int_equal(total_shown, 14);
    (void)apply_two(1, 5, 2, 10);
    assert_int_equal(total_shown, 15);
    late = 0;
}

/* A map that has another counter in the place of the jobs is current for a while. Region 2 becomes
 * readable during that time. The jobs that it has counted until the first map is current again stay
 * left out. All later jobs are shown, even those counted while the other map is current once
 * more. */
static void test_carry_a_late_region_counts_from_when_its_counter_was_met(void **state)
{
    static sample_map other_sample;
    prfdata_model *const first = model;
    prfdata_model *other;

    (void)state;
    sample_map_init_as(&other_sample, SERVICE);
    other_sample.entries[QUEUES].default_counter = 109;
    other_sample.entries[JOBS].id = 109;
    assert_int_equal(prfdata_model_make(&other_sample.map, &other), ERROR_SUCCESS);
    (void)apply_two(1, 5, 3, 1);
    assert_int_equal(total_shown, 6);
    model = other;
    late = 2;
    (void)apply_two(1, 50, 2, 900);
    assert_int_equal(total_shown, 50);
    model = first;
    (void)apply_two(1, 6, 2, 1000);
    assert_int_equal(total_shown, 7);
    (void)apply_two(1, 6, 2, 1003);
    assert_int_equal(total_shown, 10);
    model = other;
    (void)apply_two(1, 51, 2, 905);
    assert_int_equal(total_shown, 56);
    model = first;
    (void)apply_two(1, 6, 2, 1004);
    assert_int_equal(total_shown, 11);
    late = 0;
    prfdata_carry_done(&carry);
    prfdata_model_free(other);
}

/* The slot of the second region gets another name between the last Collect with one map and the
 * first with the next map. The slot's baselines say what "x" had counted in the end. */
static void test_carry_final_counts_are_known_after_an_upgrade(void **state)
{
    prfdata_model *const first = model;
    prfdata_model *other;

    (void)state;
    assert_int_equal(prfdata_model_make(&sample.map, &other), ERROR_SUCCESS);
    assert_int_equal(apply_two(1, 5, 2, 7), 12);
    model = other;
    has_other_names = true;
    second_identity = 2;
    second_has_baseline = true;
    assert_int_equal(apply_two(1, 5, 2, 10), 15);
    model = first;
    has_other_names = false;
    second_identity = 1;
    second_has_baseline = false;
    prfdata_carry_done(&carry);
    prfdata_model_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define CASE(name)    cmocka_unit_test_setup_teardown(name, provided_sample_begin, provided_end)
#define APPLIED(name) cmocka_unit_test_setup_teardown(name, begin, end)
        CASE(test_carry_an_instance_keeps_what_a_slot_that_was_given_away_had_counted),
        CASE(test_carry_takes_nothing_of_a_name_that_was_never_seen),
        CASE(test_carry_remembers_the_baselines_of_an_ended_program),
        CASE(test_carry_gauges_are_not_carried),
        CASE(test_carry_a_name_that_returns_to_a_new_slot_is_not_counted_twice),
        CASE(test_carry_goes_on_from_contributor_to_contributor),
        CASE(test_carry_ends_with_the_life_of_the_instance),
        CASE(test_carry_children_below_a_parent),
        CASE(test_carry_half_of_a_pair_ends_when_its_slot_is_given_away),
        CASE(test_carry_is_untouched_by_queries_for_other_objects),
        CASE(test_carry_survives_death_and_take_over),
#ifndef _WIN32
        CASE(test_carry_sums_of_files_that_are_deleted),
        cmocka_unit_test_setup_teardown(
            test_carry_the_last_attempt_does_not_count_folded_counts_twice, begin_wide, end_wide),
#endif
        APPLIED(test_carry_adds_what_the_example_of_the_page_says),
        APPLIED(test_carry_a_slot_that_changes_its_name_spoils_only_its_own),
        APPLIED(test_carry_remembers_a_bounded_number_of_contributors),
        APPLIED(test_carry_records_sums_of_a_region_that_is_gone),
        APPLIED(test_carry_records_of_one_name_join),
        APPLIED(test_carry_records_join_into_a_later_one),
        APPLIED(test_carry_records_of_all_names_join_in_one_pass),
        APPLIED(test_carry_a_slow_collect_shows_what_went_meanwhile),
        APPLIED(test_carry_a_row_is_kept_while_another_is_forgotten),
        APPLIED(test_carry_a_region_that_was_left_out_is_not_counted_twice),
        APPLIED(test_carry_a_contributor_that_was_missed_for_a_while_is_not_counted_twice),
        APPLIED(test_carry_a_name_that_an_older_copy_lacks_is_not_counted_twice),
        APPLIED(test_carry_moves_with_the_contributors_only),
        APPLIED(test_carry_shows_no_less_of_a_contributor_than_before),
        APPLIED(test_carry_a_late_region_counts_from_when_it_was_met),
        APPLIED(test_carry_a_late_region_that_was_shown_before_counts_on),
        APPLIED(test_carry_a_late_region_counts_from_when_its_counter_was_met),
        APPLIED(test_carry_final_counts_are_known_after_an_upgrade),
#undef APPLIED
#undef CASE
    };

    return cmocka_run_group_tests_name("carry", tests, NULL, NULL);
}
