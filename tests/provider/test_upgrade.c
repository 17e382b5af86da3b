/* SPDX-License-Identifier: MIT */
/* Tests upgrades of a map while a reader runs, also with programs of both versions at the same
 * time. A publisher that is closed and unmapped stands for an ended program. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/prfdata.h>

#include "map/maps.h"
#include "map/model.h"
#include "map/title_numbers.h"
#include "regions/member.h"
#include "support/provider/collecting.h"
#include "support/provider/counting.h"
#include "support/provider/one_version.h"
#include "support/provider/only_region.h"
#include "support/provider/provided.h"
#include "support/sample_map.h"
#include "support/threads.h"

#define SERVICE "PrfDataTestUpgrade"

enum { FIRST_COUNTER = 9500 };
enum { QUEUE_ID = 100, DEPTH_ID, JOBS_ID, JOB_TIME_ID, BASE_ID, WORKER_ID = 200, BUSY_ID };
enum { CONSUMER_ID = 300, TAKEN_ID, NEWS_ID = 400, READ_ID, WAITED_ID = 150 };

static sample_map first, second;
static prfdata_model *shown; /* the model of the installed map */

/* ---- Two versions ---- */

/* Makes the second version. Queues get the counter WAITED_ID, a larger capacity and shorter names.
 * JOBS gets another name and fewer bytes. The object NEWS_ID replaces the workers. */
static void make_second(void)
{
    const prfdata_map_entry news =
        sample_map_object(NEWS_ID, L"My News", READ_ID, PERF_NO_INSTANCES, 0);
    const prfdata_map_entry read = sample_map_counter(READ_ID, PERF_COUNTER_BULK_COUNT);
    const prfdata_map_entry waited = sample_map_counter(WAITED_ID, PERF_COUNTER_BULK_COUNT);

    sample_map_init_as(&second, SERVICE);
    second.entries[QUEUES].max_instances = 5000;
    second.entries[QUEUES].max_name_chars = 20;
    second.entries[JOBS].name = L"Tasks/sec";
    second.entries[JOBS].type = PERF_COUNTER_COUNTER;
    sample_map_remove(&second, BUSY);
    sample_map_remove(&second, WORKERS_COSTLY);
    sample_map_remove(&second, WORKERS);
    sample_map_insert(&second, QUEUES_TOTAL + 1, &waited);
    sample_map_insert(&second, 0, &read);
    sample_map_insert(&second, 0, &news);
}

static void learn_shown(void)
{
    size_t size;
    void *maps;

    prfdata_model_free(shown);
    shown = NULL;
    assert_int_equal(
        prfdata_os_setting_bytes(SERVICE, "Maps", PRFDATA_MAX_MAPS_BYTES, &maps, &size),
        ERROR_SUCCESS);
    assert_int_equal(prfdata_maps_current(maps, size, &shown), ERROR_SUCCESS);
    free(maps);
}

static void upgrade(const prfdata_map *map)
{
    prfdata_test_service_upgrade(&service, map);
    learn_shown();
}

static int install(void **state)
{
    (void)state;
    sample_map_init_as(&first, SERVICE);
    make_second();
    provided_begin(&first.map, FIRST_COUNTER);
    learn_shown();
    return 0;
}

static int uninstall(void **state)
{
    prfdata_model_free(shown);
    shown = NULL;
    return provided_end(state);
}

/* ---- Programs ---- */

static prfdata_instance add_queue(prfdata_publisher *publisher, const wchar_t *name, int64_t jobs)
{
    prfdata_instance added = counting_add(publisher, QUEUE_ID, name, NULL);

    counting_count(publisher, JOBS_ID, &added, jobs);
    return added;
}

/* ---- Shown values ---- */

static uint32_t title_of(uint32_t object_id)
{
    const prfdata_model_object *object = prfdata_model_find_object(shown, object_id);

    assert_non_null(object);
    return FIRST_COUNTER + object->title_offset;
}

static uint64_t shown_by(prfdata_provider *reader, uint32_t object_id, const char *parent,
                         const char *instance, uint32_t counter_id)
{
    const prfdata_model_object *object = NULL;
    const prfdata_model_counter *counter = prfdata_model_find_counter(shown, counter_id, &object);
    collected taken;
    uint64_t value;
    char query[16];

    assert_non_null(counter);
    assert_int_equal(object->entry->id, object_id);
    (void)snprintf(query, sizeof query, "%u", (unsigned)title_of(object_id));
    collected_take(&taken, reader, query);
    value = collected_value(&taken, title_of(object_id), parent, instance,
                            (uint32_t)(counter - object->counters));
    collected_free(&taken);
    return value;
}

static uint64_t of_queue(const char *queue, uint32_t counter_id)
{
    return shown_by(provider, QUEUE_ID, "", queue, counter_id);
}

static bool is_shown(const char *queue)
{
    return collected_has_now(provider, "Global", title_of(QUEUE_ID), "", queue);
}

/* ---- Upgrade ---- */

static void test_upgrade_running_programs_stay_visible(void **state)
{
    prfdata_publisher *old = counting_open(&first.map);
    const prfdata_instance mail = add_queue(old, L"mail", 100);
    const prfdata_instance eve = counting_add(old, CONSUMER_ID, L"eve", &mail);

    (void)state;
    counting_count(old, TAKEN_ID, &eve, 3);
    counting_count(old, DEPTH_ID, &mail, 9);
    assert_int_equal(of_queue("mail", JOBS_ID), 100);
    upgrade(&second.map);
    assert_int_equal(of_queue("mail", JOBS_ID), 100);
    counting_count(old, JOBS_ID, &mail, 11);
    assert_int_equal(of_queue("mail", JOBS_ID), 111);
    assert_int_equal(of_queue("mail", DEPTH_ID), 9);
    /* The old program does not have this counter. */
    assert_int_equal(of_queue("mail", WAITED_ID), 0);
    assert_int_equal(of_queue("_Total", JOBS_ID), 111);
    assert_int_equal(shown_by(provider, CONSUMER_ID, "mail", "eve", TAKEN_ID), 3);
    assert_int_equal(shown_by(provider, NEWS_ID, NULL, NULL, READ_ID), 0);
    prfdata_close_and_unmap(old);
}

static void test_upgrade_counts_of_ended_programs_stay_in_the_totals(void **state)
{
    prfdata_publisher *old = counting_open(&first.map);
    prfdata_provider *later;

    (void)state;
    add_queue(old, L"mail", 30124);
    prfdata_close_and_unmap(old);
    upgrade(&second.map);
    assert_int_equal(of_queue("_Total", JOBS_ID), 30124);
    assert_int_equal(of_queue("_Total", WAITED_ID), 0);
    assert_false(is_shown("mail"));
    later = provided_open(); /* a reader that never saw the first version shows the same */
    assert_int_equal(shown_by(later, QUEUE_ID, "", "_Total", JOBS_ID), 30124);
    prfdata_provider_close(later);
}

/* If both programs have an instance with the same name, readers see one instance. */
static void test_upgrade_counts_of_new_programs_add_to_old_ones(void **state)
{
    prfdata_publisher *old = counting_open(&first.map), *ended = counting_open(&first.map),
                      *new_one;
    prfdata_instance mail;

    (void)state;
    add_queue(old, L"mail", 100);
    add_queue(ended, L"Mail", 1000);
    prfdata_close_and_unmap(ended);
    upgrade(&second.map);
    new_one = counting_open(&second.map);
    mail = add_queue(new_one, L"mail", 10);
    counting_count(new_one, WAITED_ID, &mail, 7);
    counting_count(new_one, READ_ID, NULL, 5);
    assert_int_equal(of_queue("mail", JOBS_ID), 1110);
    assert_int_equal(of_queue("mail", WAITED_ID), 7);
    assert_int_equal(of_queue("_Total", JOBS_ID), 1110);
    assert_int_equal(of_queue("_Total", WAITED_ID), 7);
    assert_int_equal(shown_by(provider, NEWS_ID, NULL, NULL, READ_ID), 5);
    prfdata_close_and_unmap(old);
    prfdata_close_and_unmap(new_one);
}

static void test_upgrade_old_programs_may_start_after_it(void **state)
{
    prfdata_publisher *old;

    (void)state;
    upgrade(&second.map);
    old = counting_open(&first.map);
    add_queue(old, L"late", 4);
    assert_int_equal(of_queue("late", JOBS_ID), 4);
    prfdata_close_and_unmap(old);
}

static void test_upgrade_downgrade_is_the_same(void **state)
{
    prfdata_publisher *old = counting_open(&first.map), *new_one;

    (void)state;
    add_queue(old, L"mail", 100);
    counting_count(old, BUSY_ID, NULL, 2);
    upgrade(&second.map);
    new_one = counting_open(&second.map);
    add_queue(new_one, L"mail", 10);
    assert_int_equal(of_queue("mail", JOBS_ID), 110);
    upgrade(&first.map);
    assert_int_equal(of_queue("mail", JOBS_ID), 110);
    assert_int_equal(of_queue("_Total", JOBS_ID), 110);
    assert_int_equal(shown_by(provider, WORKER_ID, NULL, NULL, BUSY_ID), 2);
    prfdata_close_and_unmap(new_one);
    prfdata_close_and_unmap(old);
    assert_int_equal(of_queue("_Total", JOBS_ID), 110);
}

static void test_upgrade_long_names_of_old_programs_are_shown_uncut(void **state)
{
    prfdata_publisher *old = counting_open(&first.map);

    (void)state;
    /* the first map allows 40 chars, the second one 20 */
    add_queue(old, L"a name with thirty-six characters...", 1);
    upgrade(&second.map);
    assert_int_equal(of_queue("a name with thirty-six characters...", JOBS_ID), 1);
    prfdata_close_and_unmap(old);
}

/* An old program lacks the counter. If the missing value counted as 0, the maximum would be 0
 * instead of the new program's -5. */
static void test_upgrade_maximum_is_of_those_who_have_the_counter(void **state)
{
    prfdata_map_entry peak = sample_map_counter(160, PERF_COUNTER_RAWCOUNT);
    prfdata_publisher *old = counting_open(&first.map), *new_one;
    prfdata_instance mail;

    (void)state;
    add_queue(old, L"mail", 1);
    sample_map_insert(&second, 4, &peak);
    sample_map_insert_option(&second, 5, PRFDATA_OPTION_MERGE_MAX, 0);
    upgrade(&second.map);
    assert_int_equal(of_queue("mail", 160), 0);
    new_one = counting_open(&second.map);
    mail = add_queue(new_one, L"mail", 1);
    counting_count(new_one, 160, &mail, -5);
    assert_int_equal((int32_t)of_queue("mail", 160), -5);
    prfdata_close_and_unmap(new_one);
    prfdata_close_and_unmap(old);
}

/* The installed map decides whether a maximum is shown and whether there is a total. */
static void test_upgrade_the_installed_map_says_how_values_are_shown(void **state)
{
    prfdata_publisher *programs[2] = {counting_open(&first.map), counting_open(&first.map)};
    collected taken;

    (void)state;
    for (int i = 0; i < 2; i++) {
        const prfdata_instance mail = add_queue(programs[i], L"mail", 1);

        counting_count(programs[i], DEPTH_ID, &mail, 10 + i);
    }
    assert_int_equal(of_queue("mail", DEPTH_ID), 11);
    sample_map_remove(&first, DEPTH_MAX);
    sample_map_remove(&first, QUEUES_TOTAL);
    upgrade(&first.map);
    assert_int_equal(of_queue("mail", DEPTH_ID), 21);
    collected_take(&taken, provider, "Global");
    assert_false(collected_has(&taken, title_of(QUEUE_ID), "", "_Total"));
    collected_free(&taken);
    for (int i = 0; i < 2; i++)
        prfdata_close_and_unmap(programs[i]);
}

static prfdata_map_entry make_wide_peak(void)
{
    const prfdata_map_entry peak = sample_map_counter(160, PERF_COUNTER_LARGE_RAWCOUNT);

    sample_map_insert(&first, 4, &peak);
    sample_map_insert_option(&first, 5, PRFDATA_OPTION_MERGE_MAX, 0);
    return peak;
}

static void end_with_peak(void)
{
    prfdata_publisher *ended = counting_open(&first.map);
    const prfdata_instance mail = add_queue(ended, L"mail", 3);

    counting_count(ended, 160, &mail, 8);
    prfdata_close_and_unmap(ended);
}

/* An ended program has no maximum. The number that stands for "no maximum" must not be added up. */
static void test_upgrade_no_maximum_of_an_ended_program_is_in_a_sum(void **state)
{
    prfdata_publisher *running;
    prfdata_instance mail;

    (void)state;
    (void)make_wide_peak();
    upgrade(&first.map);
    end_with_peak();
    assert_int_equal(of_queue("_Total", 160), 0);
    sample_map_remove(&first, 5); /* this does not change the hash of the map */
    upgrade(&first.map);
    assert_int_equal(of_queue("_Total", 160), 0);
    running = counting_open(&first.map);
    mail = add_queue(running, L"mail", 1);
    counting_count(running, 160, &mail, 5);
    assert_int_equal(of_queue("_Total", 160), 5);
    assert_int_equal(of_queue("_Total", JOBS_ID), 4);
    prfdata_close_and_unmap(running);
}

static void test_upgrade_no_maximum_of_an_earlier_version_is_in_a_sum(void **state)
{
    prfdata_map_entry peak;

    (void)state;
    peak = make_wide_peak();
    upgrade(&first.map);
    end_with_peak();
    sample_map_insert(&second, 4, &peak);
    upgrade(&second.map);
    assert_int_equal(of_queue("_Total", 160), 0);
    assert_int_equal(of_queue("_Total", JOBS_ID), 3);
}

/* ---- Summaries ---- */

static uint32_t summary_object_count(const prfdata_member *member,
                                     const prfdata_projection *projection)
{
    prfdata_snapshot_reading reading = prfdata_snapshot_new_reading();
    bool wanted[PRFDATA_MAX_OBJECTS] = {false};
    prfdata_snapshot *summary;
    uint32_t objects;

    assert_int_equal(prfdata_member_snapshot(member, projection, wanted, true, &reading, &summary),
                     0);
    assert_true(summary->is_summary);
    objects = summary->object_count;
    prfdata_mapping_release_snapshot(summary);
    return objects;
}

/* A projection is freed with its installation, and a later projection may get the same address. */
static void test_upgrade_summary_is_of_its_map_wherever_the_projection_stood(void **state)
{
    prfdata_model *models[3];
    prfdata_projection *later, *former, *kept;
    prfdata_member member;
    prfdata_regions regions = {0};
    size_t bytes;

    (void)state;
    prfdata_close_and_unmap(counting_open(&first.map));
    assert_int_equal(prfdata_model_make(&first.map, &models[0]), 0);
    assert_int_equal(prfdata_model_make(&second.map, &models[1]), 0);
    /* Leaves only the queues. */
    while (second.entries[second.map.entry_count - 1].id != QUEUE_ID + 4)
        sample_map_remove(&second, second.map.entry_count - 1);
    sample_map_remove(&second, 0);
    sample_map_remove(&second, 0);
    assert_int_equal(prfdata_model_make(&second.map, &models[2]), 0);
    assert_int_equal(models[2]->object_count, 1);
    member = only_region_attach(SERVICE, one_version(models[0]), &regions);

    later = prfdata_projection_make(models[0], models[1]);
    former = prfdata_projection_make(models[0], models[2]);
    assert_non_null(later);
    assert_non_null(former);
    later->number = 1;
    former->number = 2;
    bytes = sizeof *later;
    kept = malloc(bytes);
    assert_non_null(kept);
    memcpy(kept, later, bytes);
    memcpy(later, former, sizeof *former);
    assert_int_equal(summary_object_count(&member, later), 1);
    memcpy(later, kept, bytes);
    assert_int_equal(summary_object_count(&member, later), models[1]->object_count);

    only_region_detach(&member);
    prfdata_projection_free(former);
    prfdata_projection_free(later);
    free(kept);
    for (int i = 0; i < 3; i++)
        prfdata_model_free(models[i]);
}

/* ---- Other meanings of an id, which only -Force installs ---- */

static void test_upgrade_counter_of_another_meaning_begins_with_nothing(void **state)
{
    prfdata_publisher *old = counting_open(&first.map), *new_one;
    prfdata_instance mail = add_queue(old, L"mail", 100);

    (void)state;
    counting_count(old, DEPTH_ID, &mail, 4);
    for (uint32_t i = 0; i < second.map.entry_count; i++)
        if (second.entries[i].kind == PRFDATA_ENTRY_COUNTER && second.entries[i].id == JOBS_ID)
            second.entries[i].type = PERF_COUNTER_RAWCOUNT;
    upgrade(&second.map);
    assert_int_equal(of_queue("mail", JOBS_ID), 0);
    assert_int_equal(of_queue("mail", DEPTH_ID), 4);
    new_one = counting_open(&second.map);
    mail = add_queue(new_one, L"mail", 6);
    assert_int_equal(of_queue("mail", JOBS_ID), 6);
    assert_int_equal(of_queue("_Total", JOBS_ID), 6);
    prfdata_close_and_unmap(new_one);
    prfdata_close_and_unmap(old);
}

#ifndef _WIN32 /* Windows does not delete a file that a reader has mapped. */
/* -Force discards a count. The count does not return when the earlier map is installed again. */
static void test_upgrade_counter_of_another_meaning_stays_left_out(void **state)
{
    prfdata_publisher *old = counting_open(&first.map);
    prfdata_test_file file;

    (void)state;
    add_queue(old, L"mail", 100);
    assert_int_equal(of_queue("_Total", JOBS_ID), 100);
    assert_int_equal(prfdata_test_service_files(&service, &file, 1), 1);
    prfdata_close_and_unmap(old);
    assert_true(prfdata_test_service_delete_file(&service, file.name));
    assert_int_equal(of_queue("_Total", JOBS_ID), 100);
    for (uint32_t i = 0; i < second.map.entry_count; i++)
        if (second.entries[i].kind == PRFDATA_ENTRY_COUNTER && second.entries[i].id == JOBS_ID)
            second.entries[i].type = PERF_COUNTER_RAWCOUNT;
    upgrade(&second.map);
    assert_int_equal(of_queue("_Total", JOBS_ID), 0);
    upgrade(&first.map);
    assert_int_equal(of_queue("_Total", JOBS_ID), 0);
}
#endif

static void test_upgrade_object_with_other_instances_begins_with_nothing(void **state)
{
    prfdata_publisher *old = counting_open(&first.map);
    collected taken;

    (void)state;
    counting_count(old, BUSY_ID, NULL, 5);
    add_queue(old, L"mail", 2);
    first.entries[WORKERS].max_instances = 4;
    first.entries[WORKERS].max_name_chars = 9;
    upgrade(&first.map);
    assert_int_equal(of_queue("mail", JOBS_ID), 2);
    collected_take(&taken, provider, "Costly");
    assert_int_equal(collected_instances(&taken, title_of(WORKER_ID)), 0);
    collected_free(&taken);
    prfdata_close_and_unmap(old);
}

/* ---- Titles ---- */

/* If the title numbers are lost, the same map gets other numbers. */
static void test_upgrade_same_map_with_other_numbers_has_other_titles(void **state)
{
    prfdata_title_numbers numbers = {0};
    prfdata_publisher *program = counting_open(&first.map);
    prfdata_instance queue;
    uint32_t dropped;
    size_t size;
    void *maps;

    (void)state;
    queue = add_queue(program, L"mail", 7);
    assert_int_equal(of_queue("mail", JOBS_ID), 7);
    assert_int_equal(prfdata_title_numbers_reserve(&numbers, 5), ERROR_SUCCESS);
    assert_int_equal(prfdata_maps_update(shown, NULL, 0, &numbers, &maps, &size, &dropped),
                     ERROR_SUCCESS);
    prfdata_title_numbers_free(&numbers);
    prfdata_test_service_set_bytes(&service, "Maps", maps, size);
    free(maps);
    learn_shown();
    assert_int_equal(title_of(QUEUE_ID), FIRST_COUNTER + 10);
    assert_int_equal(of_queue("mail", JOBS_ID), 7);
    counting_count(program, JOBS_ID, &queue, 1);
    assert_int_equal(of_queue("mail", JOBS_ID), 8);
    prfdata_close_and_unmap(program);
}

/* ---- Carried counts and how long they are kept ---- */

/* A slot counts for x. It gets the name y before the upgrade, and z after it. The counts for x and
 * y are carried. */
static void test_upgrade_what_is_carried_goes_on(void **state)
{
    static const prfdata_capacity one[] = {{QUEUE_ID, 1}};
    prfdata_publisher *a, *b = counting_open(&first.map);
    prfdata_instance x;

    (void)state;
    assert_int_equal(prfdata_open_with(&first.map, one, 1, &a), ERROR_SUCCESS);
    x = add_queue(a, L"x", 100);
    assert_int_equal(prfdata_instance_remove(&x), ERROR_SUCCESS);
    add_queue(b, L"x", 5);
    assert_int_equal(of_queue("x", JOBS_ID), 105);
    x = add_queue(a, L"y", 7);
    assert_int_equal(of_queue("x", JOBS_ID), 105);
    upgrade(&second.map);
    assert_int_equal(of_queue("x", JOBS_ID), 105);
    assert_int_equal(of_queue("y", JOBS_ID), 7);
    assert_int_equal(prfdata_instance_remove(&x), ERROR_SUCCESS);
    add_queue(b, L"y", 1);
    assert_int_equal(of_queue("y", JOBS_ID), 8);
    add_queue(a, L"z", 3);
    assert_int_equal(of_queue("y", JOBS_ID), 8);
    upgrade(&first.map);
    assert_int_equal(of_queue("y", JOBS_ID), 8);
    assert_int_equal(of_queue("x", JOBS_ID), 105);
    assert_int_equal(of_queue("_Total", JOBS_ID), 116);
    prfdata_close_and_unmap(a);
    prfdata_close_and_unmap(b);
}

/* A region was deleted. Sums continue in a reader that had seen the region. */
static void test_upgrade_sums_of_regions_that_are_gone_go_on(void **state)
{
    prfdata_publisher *old = counting_open(&first.map);
    prfdata_test_file file;

    (void)state;
    add_queue(old, L"mail", 100);
    assert_int_equal(of_queue("_Total", JOBS_ID), 100);
    assert_int_equal(prfdata_test_service_files(&service, &file, 1), 1);
    prfdata_close_and_unmap(old);
#ifndef _WIN32 /* Windows does not delete a file that a reader has mapped */
    assert_true(prfdata_test_service_delete_file(&service, file.name));
#endif
    assert_int_equal(of_queue("_Total", JOBS_ID), 100);
    upgrade(&second.map);
    assert_int_equal(of_queue("_Total", JOBS_ID), 100);
    upgrade(&first.map);
    assert_int_equal(of_queue("_Total", JOBS_ID), 100);
}

/* The first version lacks a counter and an object of the second version. The reader keeps the
 * counts of both, and shows these counts again with the second version. */
static void test_upgrade_what_a_version_lacks_is_carried_until_another_has_it(void **state)
{
    static const prfdata_capacity one[] = {{QUEUE_ID, 1}};
    prfdata_publisher *a, *b, *ended;
    prfdata_test_file file;
    prfdata_instance x;

    (void)state;
    upgrade(&second.map);
    ended = counting_open(&second.map);
    assert_int_equal(prfdata_test_service_files(&service, &file, 1), 1);
    b = counting_open(&second.map);
    assert_int_equal(prfdata_open_with(&second.map, one, 1, &a), ERROR_SUCCESS);
    x = add_queue(a, L"x", 100);
    counting_count(a, WAITED_ID, &x, 40);
    x = add_queue(b, L"x", 5);
    counting_count(b, WAITED_ID, &x, 2);
    counting_count(ended, READ_ID, NULL, 7);
    counting_count(b, READ_ID, NULL, 1);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(of_queue("x", WAITED_ID), 42);
        assert_int_equal(shown_by(provider, NEWS_ID, NULL, NULL, READ_ID), 8);
        if (i == 0)
            prfdata_close_and_unmap(ended);
#ifndef _WIN32 /* Windows does not delete a file that a reader has mapped */
        if (i == 1)
            assert_true(prfdata_test_service_delete_file(&service, file.name));
#endif
    }
    prfdata_instance_find(a, QUEUE_ID, L"x", NULL, &x);
    assert_int_equal(prfdata_instance_remove(&x), ERROR_SUCCESS);
    add_queue(a, L"y", 3);
    for (int way = 0; way < 3; way++) {
        assert_int_equal(of_queue("x", JOBS_ID), 105);
        upgrade(&first.map);
        /* In the last round no reader collects between the upgrades. */
        for (int i = 0; i < 3 && way < 2; i++)
            assert_int_equal(of_queue("x", JOBS_ID), 105);
        upgrade(&second.map);
        assert_int_equal(of_queue("x", WAITED_ID), 42);
        assert_int_equal(of_queue("_Total", WAITED_ID), 42);
        assert_int_equal(shown_by(provider, NEWS_ID, NULL, NULL, READ_ID), 8);
    }
    prfdata_close_and_unmap(a);
    prfdata_close_and_unmap(b);
}

/* The second version is no longer registered after ten upgrades. Except on Windows, the program's
 * region is deleted, too. */
static void test_upgrade_counts_of_a_forgotten_version_return(void **state)
{
    prfdata_publisher *ended;
    prfdata_test_file file;
    prfdata_instance x;

    (void)state;
    upgrade(&second.map);
    ended = counting_open(&second.map);
    x = add_queue(ended, L"x", 5);
    counting_count(ended, WAITED_ID, &x, 42);
    assert_int_equal(of_queue("_Total", WAITED_ID), 42);
    assert_int_equal(prfdata_test_service_files(&service, &file, 1), 1);
    prfdata_close_and_unmap(ended);
    assert_int_equal(of_queue("_Total", WAITED_ID), 42);
#ifndef _WIN32 /* Windows does not delete a file that a reader has mapped */
    assert_true(prfdata_test_service_delete_file(&service, file.name));
#endif
    for (uint32_t i = 0; i < 10; i++) {
        sample_map without;
        const prfdata_map_entry object =
            sample_map_object(1000 + 2 * i, L"My News", 1001 + 2 * i, PERF_NO_INSTANCES, 0);
        const prfdata_map_entry counter = sample_map_counter(1001 + 2 * i, PERF_COUNTER_BULK_COUNT);

        sample_map_init_as(&without, SERVICE);
        sample_map_insert(&without, 0, &counter);
        sample_map_insert(&without, 0, &object);
        upgrade(&without.map);
        assert_int_equal(of_queue("_Total", JOBS_ID), 5);
    }
    upgrade(&second.map);
    assert_int_equal(of_queue("_Total", WAITED_ID), 42);
    assert_int_equal(of_queue("_Total", JOBS_ID), 5);
}

/* After ten versions, the first one is no longer registered. A reader that knows it still shows its
 * counts. */
static void test_upgrade_a_version_that_was_dropped_stays_in_readers_that_know_it(void **state)
{
    prfdata_publisher *old = counting_open(&first.map);
    prfdata_provider *later;

    (void)state;
    add_queue(old, L"mail", 100);
    assert_int_equal(of_queue("mail", JOBS_ID), 100);
    for (uint32_t i = 0; i < 9; i++) {
        make_second();
        second.entries[0].id = 1000 + 2 * i;
        second.entries[0].default_counter = 1001 + 2 * i;
        second.entries[1].id = 1001 + 2 * i;
        upgrade(&second.map);
        if (i % 2 == 0)
            assert_int_equal(of_queue("mail", JOBS_ID), 100);
    }
    assert_int_equal(of_queue("mail", JOBS_ID), 100);
    later = provided_open();
    assert_int_equal(shown_by(later, QUEUE_ID, "", "_Total", JOBS_ID), 0);
    prfdata_provider_close(later);
    upgrade(&first.map); /* this registers the first version again */
    assert_int_equal(of_queue("_Total", JOBS_ID), 100);
    later = provided_open();
    assert_int_equal(shown_by(later, QUEUE_ID, "", "_Total", JOBS_ID), 100);
    prfdata_provider_close(later);
    prfdata_close_and_unmap(old);
}

/* `-Reset` deletes the files and makes the reader forget the counts. */
static void test_upgrade_reset_makes_readers_forget(void **state)
{
    prfdata_publisher *old = counting_open(&first.map);
    prfdata_test_file file;

    (void)state;
    add_queue(old, L"mail", 100);
    assert_int_equal(of_queue("_Total", JOBS_ID), 100);
    assert_int_equal(prfdata_test_service_files(&service, &file, 1), 1);
    prfdata_close_and_unmap(old);
#ifndef _WIN32
    assert_true(prfdata_test_service_delete_file(&service, file.name));
    assert_int_equal(of_queue("_Total", JOBS_ID), 100);
    prfdata_test_service_set_number(&service, "Resets", 1);
    assert_int_equal(of_queue("_Total", JOBS_ID), 0);
#endif
}

/* ---- Alternating versions ---- */

enum { PROGRAMS = 6, NAMES = 3 };

typedef struct upgrade_program {
    prfdata_publisher *publisher; /* NULL: the program has ended */
    prfdata_instance queues[NAMES];
} upgrade_program;

static uint32_t random_number(uint32_t below)
{
    static uint32_t seed = 7;

    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % below;
}

static void start_program(upgrade_program *of, const sample_map *version)
{
    static const wchar_t *const names[NAMES] = {L"mail", L"news", L"spool"};

    of->publisher = counting_open(&version->map);
    for (int i = 0; i < NAMES; i++)
        of->queues[i] = counting_add(of->publisher, QUEUE_ID, names[i], NULL);
}

static void test_upgrade_ten_alternations_lose_nothing_in_a_reader_that_runs(void **state)
{
    static upgrade_program programs[PROGRAMS];
    uint64_t counted = 0;

    (void)state;
    upgrade(&second.map); /* now programs of both versions may publish */
    for (uint32_t round = 0; round < 20; round++) {
        for (uint32_t step = 0; step < 12; step++) {
            upgrade_program *one = &programs[random_number(PROGRAMS)];

            if (!one->publisher) {
                start_program(one, random_number(2) ? &first : &second);
            } else if (random_number(4) == 0) {
                prfdata_close_and_unmap(one->publisher);
                one->publisher = NULL;
            } else {
                const uint32_t amount = random_number(1000);

                counting_count(one->publisher, JOBS_ID, &one->queues[random_number(NAMES)], amount);
                counted += amount;
            }
            if (random_number(3) == 0)
                assert_int_equal(of_queue("_Total", JOBS_ID), counted);
        }
        upgrade(round % 2 == 0 ? &first.map : &second.map);
        assert_int_equal(of_queue("_Total", JOBS_ID), counted);
    }
    for (int i = 0; i < PROGRAMS; i++)
        if (programs[i].publisher)
            prfdata_close_and_unmap(programs[i].publisher);
    assert_int_equal(of_queue("_Total", JOBS_ID), counted);
}

/* ---- Threads ---- */

enum { THREADS = 4, UPGRADES = 60 };

typedef struct upgrade_race {
    prfdata_os_lock upgrading; /* the thread that gets this lock upgrades; the others read */
    uint32_t is_over;          /* atomic */
    uint32_t fell;             /* atomic */
    prfdata_publisher *programs[2];
    prfdata_instance queues[2];
} upgrade_race;

/* Gets the total of JOBS from a reply of either version. In the second version, JOBS comes after
 * one more counter. */
static bool total_of_either(const collected *taken, uint64_t *jobs)
{
    const uint32_t queues = title_of(QUEUE_ID);
    const bool is_there = perf_reader_object(&taken->reply, queues) != SIZE_MAX;

    return is_there && perf_reader_value(
                           &taken->reply, queues, "", "_Total",
                           perf_reader_object_field(&taken->reply, queues, 32) == 4 ? 1 : 2, jobs);
}

static void read_while_upgraded(upgrade_race *with)
{
    uint64_t last = 0;

    while (!prfdata_load32_relaxed(&with->is_over)) {
        collected taken;
        uint64_t jobs;

        collected_take(&taken, provider, "Global");
        if (total_of_either(&taken, &jobs)) {
            if (jobs < last)
                prfdata_store32_relaxed(&with->fell, 1);
            last = jobs;
        }
        collected_free(&taken);
    }
}

static void upgrade_or_read(void *context)
{
    upgrade_race *with = context;

    if (!prfdata_os_lock_try(&with->upgrading)) {
        read_while_upgraded(with);
        return;
    }
    for (uint32_t i = 0; i < UPGRADES; i++) {
        for (int k = 0; k < 2; k++)
            counting_count(with->programs[k], JOBS_ID, &with->queues[k], 1);
        prfdata_test_service_upgrade(&service, i % 2 == 0 ? &first.map : &second.map);
    }
    prfdata_store32_relaxed(&with->is_over, 1);
}

static void test_upgrade_while_threads_collect_no_total_falls(void **state)
{
    upgrade_race with = {0};

    (void)state;
    upgrade(&second.map);
    for (int k = 0; k < 2; k++) {
        with.programs[k] = counting_open(k == 0 ? &first.map : &second.map);
        with.queues[k] = add_queue(with.programs[k], L"mail", 1);
    }
    prfdata_test_threads_run(THREADS, upgrade_or_read, &with);
    assert_int_equal(with.fell, 0);
    assert_int_equal(of_queue("_Total", JOBS_ID), 2 + 2 * UPGRADES);
    for (int k = 0; k < 2; k++)
        prfdata_close_and_unmap(with.programs[k]);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, install, uninstall)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_upgrade_running_programs_stay_visible),
        TEST(test_upgrade_counts_of_ended_programs_stay_in_the_totals),
        TEST(test_upgrade_counts_of_new_programs_add_to_old_ones),
        TEST(test_upgrade_old_programs_may_start_after_it),
        TEST(test_upgrade_downgrade_is_the_same),
        TEST(test_upgrade_long_names_of_old_programs_are_shown_uncut),
        TEST(test_upgrade_maximum_is_of_those_who_have_the_counter),
        TEST(test_upgrade_the_installed_map_says_how_values_are_shown),
        TEST(test_upgrade_no_maximum_of_an_ended_program_is_in_a_sum),
        TEST(test_upgrade_no_maximum_of_an_earlier_version_is_in_a_sum),
        TEST(test_upgrade_summary_is_of_its_map_wherever_the_projection_stood),
        TEST(test_upgrade_counter_of_another_meaning_begins_with_nothing),
#ifndef _WIN32
        TEST(test_upgrade_counter_of_another_meaning_stays_left_out),
#endif
        TEST(test_upgrade_object_with_other_instances_begins_with_nothing),
        TEST(test_upgrade_same_map_with_other_numbers_has_other_titles),
        TEST(test_upgrade_what_is_carried_goes_on),
        TEST(test_upgrade_sums_of_regions_that_are_gone_go_on),
        TEST(test_upgrade_what_a_version_lacks_is_carried_until_another_has_it),
        TEST(test_upgrade_counts_of_a_forgotten_version_return),
        TEST(test_upgrade_a_version_that_was_dropped_stays_in_readers_that_know_it),
        TEST(test_upgrade_reset_makes_readers_forget),
        TEST(test_upgrade_ten_alternations_lose_nothing_in_a_reader_that_runs),
        TEST(test_upgrade_while_threads_collect_no_total_falls),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
