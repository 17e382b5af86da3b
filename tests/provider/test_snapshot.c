/* SPDX-License-Identifier: MIT */
/* Tests what Collect shows during brackets, and what it shows of regions that contain arbitrary
 * bytes. To get a torn sample with a single thread, the test begins a bracket, changes values,
 * collects, and then ends the bracket. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/prfdata.h>

#include "region/region.h"
#include "support/provider/collecting.h"
#include "support/provider/provided_sample.h"
#include "support/provider/torn_copies.h"
#include "system/os.h"
#include "system/os_name.h"

#define SERVICE "PrfDataTestSnapshot"

enum { FIRST_COUNTER = 9100, QUEUE_TITLE = 9100, WORKER_TITLE = 9108, CONSUMER_TITLE = 9112 };
enum { DEPTH_AT, JOBS_AT, JOB_TIME_AT, BASE_AT, BUSY_AT = 0, TAKEN_AT = 0 };
enum { QUEUE_ID = 100, DEPTH_ID, JOBS_ID, JOB_TIME_ID, BASE_ID, BUSY_ID = 201 };
enum { CONSUMER_ID = 300, TAKEN_ID };

const provided_sample_service provided_sample_is = {SERVICE, FIRST_COUNTER};
static prfdata_publisher *publisher;
static prfdata_instance mail;
static prfdata_handle jobs, depth, busy;

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
    provided_sample_begin(state);
    open_publisher();
    return 0;
}

static int uninstall(void **state)
{
    return provided_end_after(&publisher, state);
}

static uint64_t shown_by(const char *query, uint32_t title, const char *instance, uint32_t position)
{
    return collected_value_now(provider, query, title, NULL, instance, position);
}

static uint64_t jobs_shown(void)
{
    return shown_by("Global", QUEUE_TITLE, "mail", JOBS_AT);
}

static uint64_t busy_shown(void)
{
    return shown_by("9108", WORKER_TITLE, NULL, BUSY_AT);
}

static void test_snapshot_torn_slot_is_shown_as_it_is_and_counted(void **state)
{
    (void)state;
    prfdata_begin(&mail);
    prfdata_add(jobs, 5);
    assert_int_equal(jobs_shown(), 5);
    assert_int_equal(torn_copies(provider), 1);
    prfdata_add(jobs, 1);
    assert_int_equal(jobs_shown(), 6);
    assert_int_equal(torn_copies(provider), 2);
    prfdata_end(&mail);
    assert_int_equal(jobs_shown(), 6);
    assert_int_equal(torn_copies(provider), 2);
}

static void test_snapshot_torn_region_is_shown_as_it_is_and_counted(void **s)
{
    (void)s;
    prfdata_begin_all(publisher);
    prfdata_add(jobs, 5);
    assert_int_equal(jobs_shown(), 5);
    assert_int_equal(torn_copies(provider), 1);
    prfdata_end_all(publisher);
    prfdata_add(jobs, 1);
    assert_int_equal(jobs_shown(), 6);
    assert_int_equal(torn_copies(provider), 1);
}

typedef struct hostile {
    prfdata_os_directory *folder;
    prfdata_os_region region; /* the open file, whose owner makes the region live */
    prfdata_model *model;
    prfdata_region_layout *layout;
    unsigned char *original;
} hostile;

static prfdata_os_name hostile_name; /* the name of a region that was made after the last restart */

/* Replaces the publisher's region by a writable copy, which is published and has an owner. */
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
    ((prfdata_region_header *)(void *)h->region.bytes)->state = PRFDATA_REGION_PUBLISHED;
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

/* collected_take() checks that the reply is well-formed. */
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
            /* In every other round all changes are in the slots, where they do most harm. Every
             * third change sets a byte to 0xFF. */
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
        for (uint32_t i = 0; i < 16; i++) { /* sets valid tags: one in four slots is live */
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

typedef struct snapshot_change {
    const char *what;
    void (*apply)(hostile *h);
    int32_t queues; /* number of queues shown afterwards, including _Total */
    int32_t consumers;
} snapshot_change;

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

/* Makes 9 queues and 8 consumers. One queue, "mail", has no consumer; each consumer is below one of
 * the other queues. */
static void test_snapshot_a_slot_that_breaks_a_rule_has_no_instance(void **state)
{
    static const snapshot_change changes[] = {
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
    /* All these slots must be live and have the same generation. */
    for (uint32_t i = 0; i < 9; i++)
        slot_of(&h, 0, i)->tag = PRFDATA_SLOT_TAG(1, PRFDATA_SLOT_LIVE);
    for (uint32_t i = 0; i < 8; i++)
        slot_of(&h, 2, i)->tag = PRFDATA_SLOT_TAG(1, PRFDATA_SLOT_LIVE);
    memcpy(h.original, h.region.bytes, (size_t)h.region.size);
    for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
        collected taken;

        memcpy(h.region.bytes, h.original, (size_t)h.region.size);
        changes[i].apply(&h);
        ((prfdata_region_header *)(void *)h.region.bytes)->structure += 2 * (i + 1);
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

/* Rule R13 demands a live parent in the same region. A parent with that name in another region is
 * not enough. */
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
    open_publisher(); /* this publisher also has a queue called mail */
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

/* In the region of the dormant parent, the child has no instance. But its counts are added to the
 * instance of the same name in another region. */
static void test_snapshot_a_child_of_a_dormant_parent_counts_for_its_name(void **state)
{
    prfdata_instance mail_again, consumer;
    prfdata_handle taken_here;
    hostile h;

    (void)state;
    prfdata_instance_add(publisher, CONSUMER_ID, L"qA", &mail, &consumer);
    prfdata_resolve(publisher, TAKEN_ID, &consumer, &taken_here);
    prfdata_add(taken_here, 30);
    make_hostile(&h);
    open_publisher();
    assert_int_equal(prfdata_instance_find(publisher, QUEUE_ID, L"mail", NULL, &mail_again), 0);
    assert_int_equal(prfdata_instance_add(publisher, CONSUMER_ID, L"qA", &mail_again, &consumer),
                     0);
    prfdata_resolve(publisher, TAKEN_ID, &consumer, &taken_here);
    prfdata_add(taken_here, 4);
    for (uint32_t parent = PRFDATA_SLOT_DORMANT; parent >= PRFDATA_SLOT_LIVE; parent--) {
        collected taken;

        slot_of(&h, 0, 0)->tag = PRFDATA_SLOT_TAG(1, parent);
        slot_of(&h, 2, 0)->tag = PRFDATA_SLOT_TAG(1, PRFDATA_SLOT_LIVE);
        prfdata_provider_close(provider); /* a new reader, for which nothing is carried */
        assert_int_equal(prfdata_provider_open(SERVICE, &provider), ERROR_SUCCESS);
        collected_take(&taken, provider, "9112");
        assert_int_equal(collected_value(&taken, CONSUMER_TITLE, "mail", "qA", TAKEN_AT), 34);
        collected_free(&taken);
    }
    free_hostile(&h);
}

#ifdef __linux__
/* Between the two passes of a copy, the slot `counted` becomes free and the slot `beyond` becomes
 * live. `beyond` comes after all slots that the first pass counted. */
static struct {
    prfdata_region_slot *counted; /* NULL: nothing changes */
    prfdata_region_slot *beyond;
    uint32_t calls;
} moving;

/* NOLINTBEGIN(clang-diagnostic-reserved-identifier): the linker wants these names */
bool __real_prfdata_os_guarded(const prfdata_os_region *view, void (*read)(void *context),
                               void *context);
bool __wrap_prfdata_os_guarded(const prfdata_os_region *view, void (*read)(void *context),
                               void *context);

bool __wrap_prfdata_os_guarded(const prfdata_os_region *view, void (*read)(void *context),
                               void *context)
{
    if (moving.counted) {
        const bool is_later = moving.calls++ % 2 != 0;

        moving.counted->tag = is_later ? 0 : PRFDATA_SLOT_TAG(1, PRFDATA_SLOT_LIVE);
        moving.beyond->tag = is_later ? PRFDATA_SLOT_TAG(1, PRFDATA_SLOT_LIVE) : 0;
    }
    return __real_prfdata_os_guarded(view, read, context);
}
/* NOLINTEND(clang-diagnostic-reserved-identifier) */

static void test_snapshot_looks_at_no_slot_beyond_those_it_counted(void **state)
{
    hostile h;

    (void)state;
    make_hostile(&h);
    *slot_of(&h, 0, 15) = *slot_of(&h, 0, 0);
    for (uint32_t first = 0; first < 2; first++) {
        moving.counted = slot_of(&h, 0, 0);
        moving.beyond = slot_of(&h, 0, 15);
        for (uint32_t i = 0; i < 8; i++) {
            collected taken;

            moving.calls = first;
            collected_take(&taken, provider, "Global");
            /* The name of slot 15 is four zeros, which would be shown like this. */
            assert_false(collected_has(&taken, QUEUE_TITLE, "", "____"));
            collected_free(&taken);
        }
    }
    moving.counted = NULL;
    free_hostile(&h);
}
#endif

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

/* A change of any of these header fields makes the region invalid. The reader then hides the region
 * permanently, but keeps its sums. */
static void test_snapshot_a_region_that_becomes_invalid_is_left_out(void **state)
{
    static const size_t offsets[] = {0, 4, 8, 16, 24, 32, 40};
    hostile h;

    (void)state;
    prfdata_add(jobs, 5);
    make_hostile(&h);
    slot_of(&h, 0, 0)->tag = PRFDATA_SLOT_TAG(1, PRFDATA_SLOT_LIVE);
    for (size_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
        collected taken;

        prfdata_provider_close(provider); /* a new reader, which has not refused the region yet */
        assert_int_equal(prfdata_provider_open(SERVICE, &provider), ERROR_SUCCESS);
        prfdata_provider_set_refresh(provider, 0);
        assert_int_equal(jobs_shown(), 5);
        for (int again = 0; again < 2; again++) {
            h.region.bytes[offsets[i]] ^= 0x40; /* makes it invalid and valid again */
            collected_take(&taken, provider, "Global");
            assert_int_equal(collected_instances(&taken, QUEUE_TITLE), 1);
            assert_int_equal(collected_value(&taken, QUEUE_TITLE, "", "_Total", JOBS_AT), 5);
            collected_free(&taken);
        }
    }
    free_hostile(&h);
}

static void test_snapshot_brackets_that_are_never_left_freeze_nothing(void **state)
{
    prfdata_instance print;
    prfdata_handle its_jobs;

    (void)state;
    assert_int_equal(jobs_shown(), 0);
    prfdata_begin(&mail);
    prfdata_begin_all(publisher);
    for (int64_t i = 1; i <= 3; i++) {
        prfdata_add(jobs, 1);
        prfdata_set(depth, i);
        prfdata_set(busy, i);
        assert_int_equal(jobs_shown(), i);
        assert_int_equal(shown_by("Global", QUEUE_TITLE, "mail", DEPTH_AT), i);
        assert_int_equal(shown_by("Global", QUEUE_TITLE, "_Total", JOBS_AT), i);
        assert_int_equal(busy_shown(), i);
    }
    assert_int_equal(prfdata_instance_add(publisher, QUEUE_ID, L"print", NULL, &print), 0);
    prfdata_resolve(publisher, JOBS_ID, &print, &its_jobs);
    prfdata_add(its_jobs, 3);
    assert_int_equal(shown_by("Global", QUEUE_TITLE, "print", JOBS_AT), 3);
    assert_true(torn_copies(provider) > 0);
}

/* If a region has no writer, no thread is inside a bracket, whatever the region says. */
static void test_snapshot_a_region_without_writer_is_never_torn(void **state)
{
    (void)state;
    prfdata_begin(&mail);
    prfdata_begin_all(publisher);
    prfdata_add(jobs, 5);
    prfdata_close_and_unmap(publisher);
    publisher = NULL;
    assert_int_equal(shown_by("Global", QUEUE_TITLE, "_Total", JOBS_AT), 5);
    assert_int_equal(torn_copies(provider), 0);
}

/* Brackets that never end are in every slot of the queues, and around the whole region. Collect
 * still returns. */
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
    assert_int_equal(torn_copies(provider), 1 + 9);
    free_hostile(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define CASE(name) cmocka_unit_test_setup_teardown(name, publish, uninstall)
        CASE(test_snapshot_torn_slot_is_shown_as_it_is_and_counted),
        CASE(test_snapshot_torn_region_is_shown_as_it_is_and_counted),
        CASE(test_snapshot_any_bytes_give_a_well_formed_reply),
        CASE(test_snapshot_random_bytes_behind_the_counts_give_a_well_formed_reply),
        CASE(test_snapshot_a_slot_that_breaks_a_rule_has_no_instance),
        CASE(test_snapshot_a_child_of_a_dormant_parent_is_gone_though_its_name_lives),
        CASE(test_snapshot_a_child_of_a_dormant_parent_counts_for_its_name),
#ifdef __linux__
        CASE(test_snapshot_looks_at_no_slot_beyond_those_it_counted),
#endif
        CASE(test_snapshot_forbidden_characters_of_names_are_replaced),
        CASE(test_snapshot_a_region_that_becomes_invalid_is_left_out),
        CASE(test_snapshot_brackets_that_are_never_left_freeze_nothing),
        CASE(test_snapshot_a_region_without_writer_is_never_torn),
        CASE(test_snapshot_brackets_that_never_end_do_not_hold_up_collect),
#undef CASE
    };

    return cmocka_run_group_tests_name("snapshot", tests, NULL, NULL);
}
