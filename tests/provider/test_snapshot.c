/* SPDX-License-Identifier: MIT */
/*
 * Brackets, and regions whose bytes a stranger wrote, as Collect shows them. A torn moment is made
 * in one thread: begin, change, Collect, and only then end.
 */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/prfdata.h>

#include "support/collecting.h"
#include "core/os.h"
#include "core/os_name.h"
#include "core/region.h"
#include "support/sample_map.h"
#include "support/service.h"

#define SERVICE "PrfDataTestSnapshot"

enum { FIRST_COUNTER = 9100, QUEUE_TITLE = 9100, WORKER_TITLE = 9108, CONSUMER_TITLE = 9112 };
enum { DEPTH_AT, JOBS_AT, JOB_TIME_AT, BASE_AT, BUSY_AT = 0, TAKEN_AT = 0 };
enum { QUEUE_ID = 100, DEPTH_ID, JOBS_ID, JOB_TIME_ID, BASE_ID, BUSY_ID = 201 };
enum { CONSUMER_ID = 300, TAKEN_ID };

static sample_map sample;
static prfdata_test_service service;
static prfdata_provider *provider;
static prfdata_publisher *publisher;
static prfdata_instance mail;
static prfdata_handle jobs, depth, busy;

static int install(void **state)
{
    (void)state;
    sample_map_init(&sample);
    sample.map.service = SERVICE;
    prfdata_test_service_make(&service, SERVICE, &sample.map, FIRST_COUNTER);
    assert_int_equal(prfdata_provider_open(SERVICE, &provider), ERROR_SUCCESS);
    prfdata_provider_set_refresh(provider, 0);
    return 0;
}

static void open_publisher(void)
{
    assert_int_equal(prfdata_open(&sample.map, &publisher), ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_add(publisher, QUEUE_ID, L"mail", NULL, &mail), 0);
    prfdata_resolve(publisher, JOBS_ID, &mail, &jobs);
    prfdata_resolve(publisher, DEPTH_ID, &mail, &depth);
    prfdata_resolve(publisher, BUSY_ID, NULL, &busy);
}

static int publish(void **state)
{
    install(state);
    open_publisher();
    return 0;
}

static int uninstall(void **state)
{
    (void)state;
    prfdata_provider_close(provider);
    prfdata_close_and_unmap(publisher);
    publisher = NULL;
    prfdata_test_service_remove(&service);
    return 0;
}

static uint64_t shown_by(const char *query, uint32_t title, const char *instance, uint32_t position)
{
    collected taken;
    uint64_t value;

    collected_take(&taken, provider, query);
    value = collected_value(&taken, title, NULL, instance, position);
    collected_free(&taken);
    return value;
}

static uint64_t jobs_shown(void)
{
    return shown_by("Global", QUEUE_TITLE, "mail", JOBS_AT);
}

static uint64_t busy_shown(void)
{
    return shown_by("9108", WORKER_TITLE, NULL, BUSY_AT);
}

static uint64_t torn_copies(void)
{
    prfdata_provider_counts counts;

    prfdata_provider_get_counts(provider, &counts);
    return counts.torn_copies;
}

/* A whole moment that is shown: what stands in for a torn one later. */
static void bump_in_bracket(int64_t amount)
{
    prfdata_begin(&mail);
    prfdata_add(jobs, amount);
    prfdata_end(&mail);
}

/* ---- Brackets around one instance ---- */

static void test_snapshot_torn_slot_without_earlier_copy_is_shown_as_it_is_and_counted(void **state)
{
    (void)state;
    prfdata_begin(&mail);
    prfdata_add(jobs, 5);
    assert_int_equal(jobs_shown(), 5);
    assert_int_equal(torn_copies(), 1);
    prfdata_add(jobs, 1);
    assert_int_equal(jobs_shown(), 6);
    assert_int_equal(torn_copies(), 2);
    prfdata_end(&mail);
    assert_int_equal(jobs_shown(), 6);
    assert_int_equal(torn_copies(), 2);
}

static void test_snapshot_torn_slot_shows_its_last_whole_copy(void **state)
{
    (void)state;
    bump_in_bracket(5);
    assert_int_equal(jobs_shown(), 5);
    prfdata_begin(&mail);
    prfdata_add(jobs, 1);
    prfdata_set(depth, 9);
    assert_int_equal(jobs_shown(), 5);
    assert_int_equal(shown_by("Global", QUEUE_TITLE, "mail", DEPTH_AT), 0);
    assert_int_equal(shown_by("Global", QUEUE_TITLE, "_Total", JOBS_AT), 5);
    prfdata_end(&mail);
    assert_int_equal(jobs_shown(), 6);
    assert_int_equal(shown_by("Global", QUEUE_TITLE, "mail", DEPTH_AT), 9);
    assert_int_equal(torn_copies(), 0);
}

static void test_snapshot_other_slots_are_not_held_up_by_a_torn_one(void **state)
{
    prfdata_instance print;
    prfdata_handle its_jobs;

    (void)state;
    prfdata_instance_add(publisher, QUEUE_ID, L"print", NULL, &print);
    prfdata_resolve(publisher, JOBS_ID, &print, &its_jobs);
    bump_in_bracket(5);
    jobs_shown();
    prfdata_begin(&mail);
    prfdata_add(jobs, 1);
    prfdata_add(its_jobs, 3);
    assert_int_equal(shown_by("Global", QUEUE_TITLE, "print", JOBS_AT), 3);
    assert_int_equal(jobs_shown(), 5);
    prfdata_end(&mail);
}

static void test_snapshot_the_copy_of_another_name_does_not_stand_in(void **state)
{
    prfdata_instance other;
    prfdata_handle its_jobs;

    (void)state;
    for (int i = 0; i < 15; i++) { /* all other slots of the sample's 16 */
        wchar_t name[3] = {L'q', (wchar_t)(L'A' + i), 0};

        prfdata_instance_add(publisher, QUEUE_ID, name, NULL, &other);
    }
    bump_in_bracket(5);
    jobs_shown();
    assert_int_equal(prfdata_instance_remove(&mail), ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_add(publisher, QUEUE_ID, L"other", NULL, &other), 0);
    assert_int_equal(other.slot_index, mail.slot_index);
    prfdata_resolve(publisher, JOBS_ID, &other, &its_jobs);
    prfdata_begin(&other);
    prfdata_add(its_jobs, 2);
    assert_int_equal(shown_by("Global", QUEUE_TITLE, "other", JOBS_AT), 2);
    prfdata_end(&other);
}

/* The copy that a query for another object left must be no obstacle. */
static void test_snapshot_queries_for_other_objects_leave_the_last_whole_copy(void **state)
{
    (void)state;
    bump_in_bracket(5);
    assert_int_equal(jobs_shown(), 5);
    prfdata_begin_all(publisher); /* brackets are in use everywhere */
    prfdata_end_all(publisher);
    assert_int_equal(jobs_shown(), 5);
    assert_int_equal(busy_shown(), 0);
    prfdata_begin(&mail);
    prfdata_add(jobs, 1);
    assert_int_equal(jobs_shown(), 5);
    prfdata_end(&mail);
    assert_int_equal(torn_copies(), 0);
}

/* ---- Brackets around everything ---- */

static void test_snapshot_torn_region_without_earlier_copy_is_shown_as_it_is_and_counted(void **s)
{
    (void)s;
    prfdata_begin_all(publisher);
    prfdata_add(jobs, 5);
    assert_int_equal(jobs_shown(), 5);
    assert_int_equal(torn_copies(), 1);
    prfdata_end_all(publisher);
    prfdata_add(jobs, 1);
    assert_int_equal(jobs_shown(), 6);
    assert_int_equal(torn_copies(), 1);
}

static void test_snapshot_torn_region_shows_its_last_whole_copy(void **state)
{
    collected taken;

    (void)state;
    prfdata_begin_all(publisher);
    prfdata_add(jobs, 5);
    prfdata_set(busy, 2);
    prfdata_end_all(publisher);
    collected_take(&taken, provider, "9100 9108");
    collected_free(&taken);
    prfdata_begin_all(publisher);
    prfdata_add(jobs, 1);
    prfdata_set(busy, 3);
    collected_take(&taken, provider, "9100 9108");
    assert_int_equal(collected_value(&taken, QUEUE_TITLE, "", "mail", JOBS_AT), 5);
    assert_int_equal(collected_value(&taken, WORKER_TITLE, NULL, NULL, BUSY_AT), 2);
    collected_free(&taken);
    assert_int_equal(busy_shown(), 2);
    assert_int_equal(torn_copies(), 0);
    prfdata_end_all(publisher);
    assert_int_equal(busy_shown(), 3);
    assert_int_equal(jobs_shown(), 6);
}

/* The copy was merged with others then, and is merged again: it has no row in this reply yet. */
static void test_snapshot_what_stands_in_for_an_ended_program_has_no_instances(void **state)
{
    prfdata_instance other;
    collected taken;

    (void)state;
    for (wchar_t name[] = L"a"; name[0] < L'a' + 15; name[0]++)
        assert_int_equal(prfdata_instance_add(publisher, QUEUE_ID, name, NULL, &other), 0);
    prfdata_begin_all(publisher);
    prfdata_add(jobs, 5);
    prfdata_end_all(publisher);
    collected_take(&taken, provider, "9100");
    assert_int_equal(collected_instances(&taken, QUEUE_TITLE), 17);
    collected_free(&taken);
    prfdata_begin_all(publisher);
    prfdata_add(jobs, 1);
    prfdata_close(publisher);
    collected_take(&taken, provider, "9100");
    assert_int_equal(collected_instances(&taken, QUEUE_TITLE), 1);
    assert_int_equal(collected_value(&taken, QUEUE_TITLE, "", "_Total", JOBS_AT), 5);
    collected_free(&taken);
    assert_int_equal(torn_copies(), 0);
}

/* A torn pair of objects must not be made of two whole copies of different moments. */
static void test_snapshot_copies_of_two_moments_do_not_stand_in_together(void **state)
{
    collected taken;

    (void)state;
    for (int64_t i = 1; i <= 2; i++) {
        prfdata_begin_all(publisher);
        prfdata_add(jobs, 1);
        prfdata_set(busy, i);
        prfdata_end_all(publisher);
        if (i == 1)
            jobs_shown();
        else
            busy_shown();
    }
    prfdata_begin_all(publisher);
    collected_take(&taken, provider, "9100 9108");
    assert_int_equal(collected_value(&taken, QUEUE_TITLE, "", "mail", JOBS_AT), 2);
    assert_int_equal(collected_value(&taken, WORKER_TITLE, NULL, NULL, BUSY_AT), 2);
    collected_free(&taken);
    assert_int_equal(torn_copies(), 1);
    prfdata_end_all(publisher);
}

static void test_snapshot_a_torn_slot_in_what_stands_in_is_counted_each_time(void **state)
{
    (void)state;
    prfdata_begin_all(publisher);
    prfdata_end_all(publisher);
    prfdata_begin(&mail);
    prfdata_add(jobs, 5);
    assert_int_equal(jobs_shown(), 5);
    assert_int_equal(torn_copies(), 1);
    prfdata_begin_all(publisher);
    prfdata_add(jobs, 1);
    assert_int_equal(jobs_shown(), 5);
    assert_int_equal(torn_copies(), 2);
    prfdata_end_all(publisher);
    prfdata_end(&mail);
}

/* ---- What was shown never goes back to an older copy ---- */

static void test_snapshot_a_copy_older_than_what_was_shown_does_not_stand_in(void **state)
{
    (void)state;
    prfdata_begin_all(publisher);
    prfdata_end_all(publisher);
    prfdata_add(jobs, 5);
    assert_int_equal(jobs_shown(), 5); /* kept: {queues, consumers} at 5 */
    prfdata_begin_all(publisher);
    prfdata_add(jobs, 1);
    /* Nothing whole to show for queues with workers: as they are. */
    assert_int_equal(shown_by("9100 9108", QUEUE_TITLE, "mail", JOBS_AT), 6);
    assert_int_equal(jobs_shown(), 6);
    prfdata_end_all(publisher);
}

static void test_snapshot_a_copy_from_before_brackets_were_left_off_does_not_stand_in(void **state)
{
    (void)state;
    bump_in_bracket(5);
    assert_int_equal(jobs_shown(), 5);
    prfdata_close_and_unmap(publisher); /* the next one takes over: entered and left are 0 */
    open_publisher();
    prfdata_add(jobs, 10);
    assert_int_equal(jobs_shown(), 15); /* no thread uses brackets */
    prfdata_begin(&mail);
    prfdata_add(jobs, 1);
    assert_int_equal(jobs_shown(), 16);
    prfdata_end(&mail);
}

static void test_snapshot_a_copy_from_before_a_take_over_does_not_stand_in(void **state)
{
    prfdata_instance ann;
    collected taken;

    (void)state;
    assert_int_equal(prfdata_instance_add(publisher, CONSUMER_ID, L"ann", &mail, &ann), 0);
    prfdata_begin_all(publisher);
    prfdata_set(depth, 7);
    prfdata_end_all(publisher);
    jobs_shown();
    prfdata_close_and_unmap(publisher);
    open_publisher();
    prfdata_begin_all(publisher);
    collected_take(&taken, provider, "Global");
    assert_int_equal(collected_instances(&taken, CONSUMER_TITLE), 0);
    assert_int_equal(collected_value(&taken, QUEUE_TITLE, "", "mail", DEPTH_AT), 0);
    collected_free(&taken);
    prfdata_end_all(publisher);
}

/* ---- A stranger's bytes ---- */

typedef struct hostile {
    prfdata_os_directory *folder;
    prfdata_os_region region; /* owned: it is live */
    prfdata_model *model;
    prfdata_region_layout *layout;
    unsigned char *original;
} hostile;

static prfdata_os_name hostile_name; /* of a region of this boot */

/* A copy of the publisher's region, published, owned and writable. */
static void make_hostile(hostile *h)
{
    prfdata_test_file file;
    size_t size;

    prfdata_os_name_make(&hostile_name, prfdata_os_boot(), 0xaa);
    prfdata_close_and_unmap(publisher);
    publisher = NULL;
    assert_int_equal(prfdata_test_service_files(&service, &file, 1), 1);
    assert_true(prfdata_test_service_copy_file(&service, file.name, hostile_name.text));
    assert_true(prfdata_test_service_delete_file(&service, file.name));
    assert_int_equal(prfdata_os_directory_open(SERVICE, &h->folder), ERROR_SUCCESS);
    h->region.owner = -1;
    assert_int_equal(prfdata_os_region_take(h->folder, &hostile_name, &h->region), ERROR_SUCCESS);
    prfdata_region_set_state(h->region.bytes, PRFDATA_REGION_PUBLISHED);
    assert_int_equal(prfdata_model_make(&sample.map, &h->model), ERROR_SUCCESS);
    assert_int_equal(prfdata_region_layout_make(h->model, NULL, &h->layout), ERROR_SUCCESS);
    assert_int_equal(h->layout->total_bytes, h->region.size);
    size = (size_t)h->region.size;
    h->original = malloc(size);
    assert_non_null(h->original);
    memcpy(h->original, h->region.bytes, size);
}

static void free_hostile(hostile *h)
{
    prfdata_os_region_close(&h->region);
    prfdata_os_directory_close(h->folder);
    prfdata_model_free(h->model);
    free(h->layout);
    free(h->original);
}

static prfdata_region_slot *slot_of(hostile *h, uint32_t object_index, uint32_t slot_index)
{
    return prfdata_region_slot_at(h->region.bytes, &h->layout->sections[object_index], slot_index);
}

static void fill_queues(void)
{
    for (int i = 0; i < 8; i++) {
        wchar_t name[3] = {L'q', (wchar_t)(L'A' + i), 0};
        prfdata_instance queue, consumer;

        prfdata_instance_add(publisher, QUEUE_ID, name, NULL, &queue);
        prfdata_instance_add(publisher, CONSUMER_ID, name, &queue, &consumer);
    }
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Whatever the bytes are, the reply is well-formed: collected_take demands it. */
static void test_snapshot_any_bytes_give_a_well_formed_reply(void **state)
{
    uint32_t seed = 12345;
    collected taken;
    hostile h;

    (void)state;
    fill_queues();
    make_hostile(&h);
    for (int round = 0; round < 300; round++) {
        const size_t size = (size_t)h.region.size;
        const uint32_t changes = 1 + next_random(&seed) % 64;

        memcpy(h.region.bytes, h.original, size);
        for (uint32_t i = 0; i < changes; i++) {
            /* Half of them in the slots, where it hurts; every third a word of all ones. */
            size_t at = round % 2 ? next_random(&seed) % size
                                  : (size_t)h.layout->sections[0].slots_offset +
                                        next_random(&seed) % (16 * 64);

            h.region.bytes[at] = (uint8_t)(i % 3 ? next_random(&seed) : 0xFF);
        }
        collected_take(&taken, provider, "9100 9108 9112");
        collected_free(&taken);
    }
    free_hostile(&h);
}

static void test_snapshot_random_bytes_behind_the_counts_give_a_well_formed_reply(void **state)
{
    uint32_t seed = 999;
    collected taken;
    hostile h;

    (void)state;
    fill_queues();
    make_hostile(&h);
    for (int round = 0; round < 50; round++) {
        for (size_t at = (size_t)h.layout->sections[0].slots_offset; at < h.region.size; at++)
            h.region.bytes[at] = (uint8_t)next_random(&seed);
        for (uint32_t i = 0; i < 16; i++) { /* tags that make instances of them */
            prfdata_region_slot *slot = slot_of(&h, 0, i);

            slot->tag = PRFDATA_SLOT_TAG(1, next_random(&seed) % 4);
            slot->name_chars = next_random(&seed) % 48;
            slot->entered = slot->left = (uint64_t)round;
            slot->parent_slot = round % 2 ? PRFDATA_NONE : next_random(&seed) % 20;
        }
        collected_take(&taken, provider, "9100 9108 9112");
        collected_free(&taken);
    }
    free_hostile(&h);
}

typedef struct change {
    const char *what;
    void (*apply)(hostile *h);
    int32_t queues; /* shown afterwards, with _Total */
    int32_t consumers;
} change;

static void name_too_long(hostile *h)
{
    slot_of(h, 0, 1)->name_chars = 41;
}

static void name_empty(hostile *h)
{
    slot_of(h, 0, 1)->name_chars = 0;
}

static void name_huge(hostile *h)
{
    slot_of(h, 0, 1)->name_chars = UINT32_MAX;
}

static void number_that_is_none(hostile *h)
{
    slot_of(h, 0, 1)->flags = PRFDATA_SLOT_HAS_UNIQUE_ID;
    slot_of(h, 0, 1)->unique_id = -1;
}

static void queue_with_parent(hostile *h)
{
    slot_of(h, 0, 1)->parent_slot = 0;
}

static void parent_out_of_range(hostile *h)
{
    slot_of(h, 2, 0)->parent_slot = 16;
}

static void parent_of_another_identity(hostile *h)
{
    slot_of(h, 2, 0)->parent_identity++;
}

static void parent_dormant(hostile *h)
{
    prfdata_region_slot *parent = slot_of(h, 0, slot_of(h, 2, 0)->parent_slot);

    parent->tag = PRFDATA_SLOT_TAG(1, PRFDATA_SLOT_DORMANT);
}

static void same_name_twice(hostile *h)
{
    memcpy(prfdata_region_name_at(h->region.bytes, &h->layout->sections[0], 2),
           prfdata_region_name_at(h->region.bytes, &h->layout->sections[0], 1), 8);
}

static void named_total(hostile *h)
{
    static const uint16_t total[] = {'_', 'T', 'O', 'T', 'A', 'L'};

    memcpy(prfdata_region_name_at(h->region.bytes, &h->layout->sections[0], 1), total,
           sizeof(total));
    slot_of(h, 0, 1)->name_chars = 6;
}

static void fewer_used_than_live(hostile *h)
{
    prfdata_region_count *count = (void *)(h->region.bytes + h->layout->sections[0].count_offset);

    count->used_count = 3;
}

static void more_used_than_slots(hostile *h)
{
    prfdata_region_count *count = (void *)(h->region.bytes + h->layout->sections[0].count_offset);

    count->used_count = UINT32_MAX;
}

/* 9 queues (one named mail, without consumer), 8 consumers, each below one of the others. */
static void test_snapshot_a_slot_that_breaks_a_rule_has_no_instance(void **state)
{
    static const change changes[] = {
        {"R12: name too long", name_too_long, 9, 7},
        {"R12: name empty", name_empty, 9, 7},
        {"R12: name huge", name_huge, 9, 7},
        {"R12: the number -1", number_that_is_none, 9, 7},
        {"R13: no parent object", queue_with_parent, 9, 7},
        {"R13: parent out of range", parent_out_of_range, 10, 7},
        {"R13: parent of another identity", parent_of_another_identity, 10, 7},
        {"R13: parent dormant", parent_dormant, 9, 7},
        {"R15: one name twice", same_name_twice, 9, 8},
        {"the name _Total", named_total, 9, 7},
        {"used_count too small", fewer_used_than_live, 4, 2},
        {"used_count too large", more_used_than_slots, 10, 8},
    };
    hostile h;

    (void)state;
    fill_queues();
    make_hostile(&h);
    for (uint32_t i = 0; i < 9; i++) /* unmapped, hence dormant or not: live again */
        slot_of(&h, 0, i)->tag = PRFDATA_SLOT_TAG(1, PRFDATA_SLOT_LIVE);
    for (uint32_t i = 0; i < 8; i++)
        slot_of(&h, 2, i)->tag = PRFDATA_SLOT_TAG(1, PRFDATA_SLOT_LIVE);
    memcpy(h.original, h.region.bytes, (size_t)h.region.size);
    for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
        collected taken;

        memcpy(h.region.bytes, h.original, (size_t)h.region.size);
        changes[i].apply(&h);
        collected_take(&taken, provider, "Global");
        if (collected_instances(&taken, QUEUE_TITLE) != changes[i].queues ||
            collected_instances(&taken, CONSUMER_TITLE) != changes[i].consumers)
            fail_msg("%s: %d queues, %d consumers", changes[i].what,
                     (int)collected_instances(&taken, QUEUE_TITLE),
                     (int)collected_instances(&taken, CONSUMER_TITLE));
        collected_free(&taken);
    }
    free_hostile(&h);
}

/* R13 asks for a live parent in the same region; one of that name elsewhere is not enough. */
static void test_snapshot_a_child_of_a_dormant_parent_is_gone_though_its_name_lives(void **state)
{
    collected taken;
    hostile h;

    (void)state;
    fill_queues();
    make_hostile(&h);
    slot_of(&h, 0, 0)->tag = PRFDATA_SLOT_TAG(1, PRFDATA_SLOT_LIVE); /* mail */
    slot_of(&h, 2, 0)->tag = PRFDATA_SLOT_TAG(1, PRFDATA_SLOT_LIVE);
    slot_of(&h, 2, 0)->parent_slot = 0;
    slot_of(&h, 2, 0)->parent_identity = slot_of(&h, 0, 0)->identity;
    open_publisher(); /* its queue is called mail, too */
    collected_take(&taken, provider, "Global");
    assert_true(collected_has(&taken, CONSUMER_TITLE, "mail", "qA"));
    collected_free(&taken);
    slot_of(&h, 0, 0)->tag = PRFDATA_SLOT_TAG(1, PRFDATA_SLOT_DORMANT);
    collected_take(&taken, provider, "Global");
    assert_true(collected_has(&taken, QUEUE_TITLE, "", "mail"));
    assert_false(collected_has(&taken, CONSUMER_TITLE, NULL, "qA"));
    collected_free(&taken);
    free_hostile(&h);
}

static void test_snapshot_forbidden_characters_of_names_are_replaced(void **state)
{
    static const uint16_t name[] = {'(', 0xD800, '\\', '/', '#', '*', 0, 0x7F};
    collected taken;
    hostile h;

    (void)state;
    make_hostile(&h);
    slot_of(&h, 0, 0)->tag = PRFDATA_SLOT_TAG(1, PRFDATA_SLOT_LIVE);
    slot_of(&h, 0, 0)->name_chars = 8;
    memcpy(prfdata_region_name_at(h.region.bytes, &h.layout->sections[0], 0), name, sizeof(name));
    collected_take(&taken, provider, "Global");
    assert_true(collected_has(&taken, QUEUE_TITLE, "", "[_______"));
    collected_free(&taken);
    free_hostile(&h);
}

/* Every header field that makes a region invalid hides it, and its totals, until it is right. */
static void test_snapshot_a_region_that_becomes_invalid_is_left_out(void **state)
{
    static const size_t offsets[] = {0, 4, 8, 16, 24, 32, 40};
    hostile h;

    (void)state;
    prfdata_set(busy, 5);
    make_hostile(&h);
    for (size_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
        assert_int_equal(busy_shown(), 5);
        h.region.bytes[offsets[i]] ^= 0x40;
        assert_int_equal(busy_shown(), 0);
        h.region.bytes[offsets[i]] ^= 0x40;
    }
    assert_int_equal(busy_shown(), 5);
    free_hostile(&h);
}

/* Brackets that never end, in every slot and around everything: Collect comes back all the same. */
static void test_snapshot_brackets_that_never_end_do_not_hold_up_collect(void **state)
{
    hostile h;

    (void)state;
    fill_queues();
    make_hostile(&h);
    for (uint32_t i = 0; i < 16; i++)
        slot_of(&h, 0, i)->entered = UINT64_MAX - i;
    ((prfdata_region_header *)(void *)h.region.bytes)->left = 77;
    shown_by("Global", QUEUE_TITLE, "_Total", JOBS_AT);
    assert_int_equal(torn_copies(), 1 + 9);
    free_hostile(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define CASE(name) cmocka_unit_test_setup_teardown(name, publish, uninstall)
        CASE(test_snapshot_torn_slot_without_earlier_copy_is_shown_as_it_is_and_counted),
        CASE(test_snapshot_torn_slot_shows_its_last_whole_copy),
        CASE(test_snapshot_other_slots_are_not_held_up_by_a_torn_one),
        CASE(test_snapshot_the_copy_of_another_name_does_not_stand_in),
        CASE(test_snapshot_queries_for_other_objects_leave_the_last_whole_copy),
        CASE(test_snapshot_torn_region_without_earlier_copy_is_shown_as_it_is_and_counted),
        CASE(test_snapshot_torn_region_shows_its_last_whole_copy),
        CASE(test_snapshot_what_stands_in_for_an_ended_program_has_no_instances),
        CASE(test_snapshot_copies_of_two_moments_do_not_stand_in_together),
        CASE(test_snapshot_a_torn_slot_in_what_stands_in_is_counted_each_time),
        CASE(test_snapshot_a_copy_older_than_what_was_shown_does_not_stand_in),
        CASE(test_snapshot_a_copy_from_before_brackets_were_left_off_does_not_stand_in),
        CASE(test_snapshot_a_copy_from_before_a_take_over_does_not_stand_in),
        CASE(test_snapshot_any_bytes_give_a_well_formed_reply),
        CASE(test_snapshot_random_bytes_behind_the_counts_give_a_well_formed_reply),
        CASE(test_snapshot_a_slot_that_breaks_a_rule_has_no_instance),
        CASE(test_snapshot_a_child_of_a_dormant_parent_is_gone_though_its_name_lives),
        CASE(test_snapshot_forbidden_characters_of_names_are_replaced),
        CASE(test_snapshot_a_region_that_becomes_invalid_is_left_out),
        CASE(test_snapshot_brackets_that_never_end_do_not_hold_up_collect),
#undef CASE
    };

    return cmocka_run_group_tests_name("snapshot", tests, NULL, NULL);
}
