/* SPDX-License-Identifier: MIT */
/* Tests examining a region file: real regions of this process, and regions with one change. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/prfdata.h>

#include "diagnosis/region_look.h"
#include "region/region.h"
#include "support/sample_map.h"
#include "support/service.h"
#include "system/os_name.h"

#define SERVICE "PrfDataTestLook"

enum { ID_QUEUES = 100 };

static prfdata_test_service service;
static sample_map sample, earlier_sample;
static prfdata_model *models[2]; /* models of the current map and of an earlier one */
static prfdata_os_directory *directory;

static int set_up(void **state)
{
    const prfdata_map_entry counter = sample_map_counter(900, PERF_COUNTER_RAWCOUNT);

    (void)state;
    sample_map_init(&sample);
    sample_map_init(&earlier_sample);
    sample.map.service = SERVICE;
    earlier_sample.map.service = SERVICE;
    sample_map_insert(&sample, JOBS, &counter);
    prfdata_test_service_make(&service, SERVICE, &sample.map, 0);
    assert_int_equal(prfdata_model_make(&sample.map, &models[0]), ERROR_SUCCESS);
    assert_int_equal(prfdata_model_make(&earlier_sample.map, &models[1]), ERROR_SUCCESS);
    assert_true(models[0]->hash != models[1]->hash);
    assert_int_equal(prfdata_os_directory_open(SERVICE, &directory), ERROR_SUCCESS);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    prfdata_os_directory_close(directory);
    prfdata_model_free(models[0]);
    prfdata_model_free(models[1]);
    prfdata_test_service_remove(&service);
    return 0;
}

/* ---- Regions ---- */

typedef struct region_look_region {
    prfdata_os_name name;
    prfdata_os_region view;
    prfdata_region_layout *layout;
    prfdata_region_header *header;
} region_look_region;

static void make_region(region_look_region *made, const prfdata_model *model)
{
    static const prfdata_os_region none = PRFDATA_OS_REGION_NONE;

    made->view = none;
    prfdata_os_name_make(&made->name, prfdata_os_boot(), 5);
    assert_int_equal(prfdata_region_layout_make(model, NULL, &made->layout), ERROR_SUCCESS);
    assert_int_equal(
        prfdata_os_region_create(directory, &made->name, made->layout->total_bytes, &made->view),
        ERROR_SUCCESS);
    prfdata_region_format(made->view.bytes, model, made->layout, prfdata_os_boot(), 4321);
    made->header = (prfdata_region_header *)(void *)made->view.bytes;
}

static void remove_region(region_look_region *made)
{
    prfdata_os_region_delete(directory, &made->name, &made->view);
    free(made->layout);
}

static prfdata_region_look look_with(const prfdata_os_name *name, uint32_t model_count)
{
    prfdata_region_look look;

    assert_int_equal(
        prfdata_region_look_at(directory, name, models, model_count, prfdata_os_boot(), &look),
        ERROR_SUCCESS);
    return look;
}

static prfdata_region_look look_at(const region_look_region *made)
{
    return look_with(&made->name, 2);
}

static prfdata_region_look look_without_current_map(const prfdata_os_name *name)
{
    prfdata_model *const readable[] = {NULL, models[1]};
    prfdata_region_look look;

    assert_int_equal(prfdata_region_look_at(directory, name, readable, 2, prfdata_os_boot(), &look),
                     ERROR_SUCCESS);
    return look;
}

/* ---- Valid regions ---- */

static void test_region_look_sees_what_a_program_publishes(void **state)
{
    prfdata_publisher *publisher = NULL;
    prfdata_os_name name;
    prfdata_region_look look;
    prfdata_instance instance[3];
    size_t count;
    bool more;

    (void)state;
    assert_int_equal(prfdata_open(&sample.map, &publisher), ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_add(publisher, ID_QUEUES, L"a", NULL, &instance[0]),
                     ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_add(publisher, ID_QUEUES, L"b", NULL, &instance[1]),
                     ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_add(publisher, ID_QUEUES, L"c", NULL, &instance[2]),
                     ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_remove(&instance[1]), ERROR_SUCCESS);
    assert_int_equal(
        prfdata_os_directory_list(directory, prfdata_os_boot(), &name, 1, &count, &more),
        ERROR_SUCCESS);
    assert_int_equal(count, 1);
    look = look_with(&name, 2);
    assert_true(look.is_live);
    assert_int_equal(look.state, PRFDATA_REGION_LOOK_SHOWN);
    assert_int_equal(look.version, PRFDATA_MAP_PRESENT);
    assert_true(look.map_hash == models[0]->hash);
    assert_int_equal(look.process_id, prfdata_os_process_id());
    assert_int_equal(look.object_count, 3);
    assert_int_equal(look.instance_count, 2);
    assert_int_equal(look.object_instances[0], 2);
    assert_int_equal(look.object_instances[1], 0);
    assert_int_equal(look.dropped, 0);
    assert_true(look.bytes > 0);
    prfdata_close_and_unmap(publisher);
    look = look_with(&name, 2);
    assert_false(look.is_live);
}

static void add_rows(const prfdata_os_name *name, prfdata_region_rows *rows)
{
    assert_int_equal(
        prfdata_region_look_add_rows(directory, name, models, 2, prfdata_os_boot(), 0, rows),
        ERROR_SUCCESS);
}

/* One program has the instances a and B, another one b and c. They fill three rows of a reply. */
static void test_region_look_counts_a_name_of_several_programs_once(void **state)
{
    static const wchar_t *const instances[2][2] = {{L"a", L"B"}, {L"b", L"c"}};
    prfdata_publisher *publishers[2];
    prfdata_region_rows rows = {0};
    prfdata_os_name names[2];
    size_t count;
    bool more;

    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(prfdata_open(&sample.map, &publishers[i]), ERROR_SUCCESS);
        for (int k = 0; k < 2; k++) {
            prfdata_instance instance;

            assert_int_equal(
                prfdata_instance_add(publishers[i], ID_QUEUES, instances[i][k], NULL, &instance),
                ERROR_SUCCESS);
        }
    }
    assert_int_equal(
        prfdata_os_directory_list(directory, prfdata_os_boot(), names, 2, &count, &more), 0);
    assert_int_equal(count, 2);
    add_rows(&names[0], &rows);
    add_rows(&names[1], &rows);
    assert_int_equal(rows.count, 4);
    assert_int_equal(rows.items[0].bytes, 24 + 8 + models[0]->objects[0].block_bytes);
    prfdata_region_look_merge_rows(&rows);
    assert_int_equal(rows.count, 3);
    prfdata_close_and_unmap(publishers[0]);
    prfdata_close_and_unmap(publishers[1]);
    add_rows(&names[0], &rows); /* this program has ended, so its region adds no rows */
    assert_int_equal(rows.count, 3);
    free(rows.items);
}

static void test_region_look_knows_earlier_maps(void **state)
{
    region_look_region made;
    prfdata_region_look look;

    (void)state;
    make_region(&made, models[1]);
    look = look_at(&made);
    assert_int_equal(look.version, PRFDATA_MAP_EARLIER);
    assert_int_equal(look.state, PRFDATA_REGION_LOOK_SHOWN);
    assert_int_equal(look.process_id, 4321);
    look = look_with(&made.name, 1);
    assert_int_equal(look.version, PRFDATA_MAP_UNKNOWN);
    assert_int_equal(look.state, PRFDATA_REGION_LOOK_UNKNOWN_MAP);
    assert_true(look.map_hash == models[1]->hash);
    look = look_with(&made.name, 0); /* no maps, as if the registered ones could not be read */
    assert_int_equal(look.state, PRFDATA_REGION_LOOK_UNKNOWN_MAP);
    remove_region(&made);
}

static void test_region_look_an_earlier_map_stays_one_without_the_current_map(void **state)
{
    region_look_region made;
    prfdata_region_look look;

    (void)state;
    make_region(&made, models[1]);
    assert_true(look_at(&made).most_copy_bytes > 0);
    look = look_without_current_map(&made.name);
    assert_int_equal(look.version, PRFDATA_MAP_EARLIER);
    assert_int_equal(look.state, PRFDATA_REGION_LOOK_SHOWN);
    /* without the current map there is nothing to convert the region to */
    assert_int_equal(look.most_copy_bytes, 0);
    remove_region(&made);
    make_region(&made, models[0]);
    look = look_without_current_map(&made.name);
    assert_int_equal(look.version, PRFDATA_MAP_UNKNOWN);
    assert_int_equal(look.state, PRFDATA_REGION_LOOK_UNKNOWN_MAP);
    remove_region(&made);
}

static void test_region_look_counts_what_had_no_room(void **state)
{
    region_look_region made;

    (void)state;
    make_region(&made, models[0]);
    made.header->dropped = 77;
    assert_int_equal(look_at(&made).dropped, 77);
    made.header->dropped_before = 70; /* of the 77, the previous writer dropped 70 */
    assert_int_equal(look_at(&made).dropped, 7);
    made.header->dropped_before = 78; /* no writer writes more than the total */
    assert_int_equal(look_at(&made).dropped, 0);
    remove_region(&made);
}

/* ---- Regions with one change ---- */

static void test_region_look_every_state_of_a_region(void **state)
{
    static const prfdata_region_look_state wanted[] = {
        PRFDATA_REGION_LOOK_UNFINISHED, PRFDATA_REGION_LOOK_SHOWN, PRFDATA_REGION_LOOK_UNFINISHED,
        PRFDATA_REGION_LOOK_CLOSED, PRFDATA_REGION_LOOK_DAMAGED};
    region_look_region made;

    (void)state;
    make_region(&made, models[0]);
    for (uint32_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        made.header->state = i;
        assert_int_equal(look_at(&made).state, wanted[i]);
    }
    made.header->state = PRFDATA_REGION_BUILDING; /* before its map is known */
    made.header->map_hash ^= 1;
    assert_int_equal(look_at(&made).state, PRFDATA_REGION_LOOK_UNFINISHED);
    remove_region(&made);
}

static void test_region_look_another_format_is_named_whatever_the_map(void **state)
{
    region_look_region made;

    (void)state;
    make_region(&made, models[0]);
    made.header->major++;
    assert_int_equal(look_at(&made).state, PRFDATA_REGION_LOOK_OTHER_FORMAT);
    made.header->map_hash ^= 1;
    assert_int_equal(look_at(&made).state, PRFDATA_REGION_LOOK_OTHER_FORMAT);
    remove_region(&made);
}

static void test_region_look_nonsense_is_damaged(void **state)
{
    region_look_region made;
    prfdata_region_count *counts;

    (void)state;
    make_region(&made, models[0]);
    made.header->object_count = 1000000;
    assert_int_equal(look_at(&made).state, PRFDATA_REGION_LOOK_DAMAGED);
    made.header->object_count = models[0]->object_count;
    assert_int_equal(look_at(&made).state, PRFDATA_REGION_LOOK_SHOWN);
    counts = (prfdata_region_count *)(void *)(made.header + 1);
    counts[0].slot_count = 0x7FFFFFFF;
    assert_int_equal(look_at(&made).state, PRFDATA_REGION_LOOK_DAMAGED);
    assert_int_equal(look_at(&made).instance_count, 0);
    remove_region(&made);
}

/* The region states more slots in use than it has. Slots that do not exist are not counted. */
static void test_region_look_counts_no_more_slots_than_there_are(void **state)
{
    region_look_region made;
    prfdata_region_count *counts;

    (void)state;
    make_region(&made, models[0]);
    counts = (prfdata_region_count *)(void *)(made.header + 1);
    counts[0].used_count = 0xFFFFFFFF;
    for (uint32_t i = 0; i < counts[0].slot_count; i++)
        prfdata_region_slot_at(made.view.bytes, &made.layout->sections[0], i)->tag =
            PRFDATA_SLOT_TAG(1, PRFDATA_SLOT_LIVE);
    assert_int_equal(look_at(&made).instance_count, counts[0].slot_count);
    remove_region(&made);
}

/* Tries each size below 200 bytes, and some between that and the size of the whole region. */
static void test_region_look_cut_files_are_not_shown(void **state)
{
    unsigned char *bytes;
    size_t size = 0;
    region_look_region made;

    (void)state;
    make_region(&made, models[0]);
    bytes = prfdata_test_service_read_file(&service, made.name.text, &size);
    assert_non_null(bytes);
    remove_region(&made);
    for (size_t part = 0; part < size; part += part < 200 ? 1 : 977) {
        prfdata_region_look look;

        assert_true(prfdata_test_service_write_file(&service, made.name.text, bytes, part));
        look = look_at(&made);
        assert_false(look.is_live);
        assert_true(look.state == PRFDATA_REGION_LOOK_UNFINISHED ||
                    look.state == PRFDATA_REGION_LOOK_DAMAGED);
    }
    free(bytes);
}

static void test_region_look_a_file_that_is_gone_is_an_error(void **state)
{
    prfdata_os_name name;
    prfdata_region_look look;

    (void)state;
    prfdata_os_name_make(&name, prfdata_os_boot(), 99);
    assert_int_equal(prfdata_region_look_at(directory, &name, models, 2, prfdata_os_boot(), &look),
                     ERROR_FILE_NOT_FOUND);
}

/* A provider leaves room for `_Total` in each object: 40 bytes and a counter block. */
static void test_region_look_rows_fit_only_if_the_total_fits_too(void **state)
{
    const prfdata_model_object *queues = prfdata_model_find_object(models[0], ID_QUEUES);
    const uint64_t definitions = 64 + 40 * queues->counter_count;
    const uint64_t room = PRFDATA_MAX_OBJECT_BYTES - definitions - 40 - queues->block_bytes;

    (void)state;
    assert_true(prfdata_region_look_fits(queues, 1000, room));
    assert_false(prfdata_region_look_fits(queues, 1000, room + 1));
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(test_region_look_sees_what_a_program_publishes),
        TEST(test_region_look_counts_a_name_of_several_programs_once),
        TEST(test_region_look_knows_earlier_maps),
        TEST(test_region_look_an_earlier_map_stays_one_without_the_current_map),
        TEST(test_region_look_counts_what_had_no_room),
        TEST(test_region_look_every_state_of_a_region),
        TEST(test_region_look_another_format_is_named_whatever_the_map),
        TEST(test_region_look_nonsense_is_damaged),
        TEST(test_region_look_counts_no_more_slots_than_there_are),
        TEST(test_region_look_cut_files_are_not_shown),
        TEST(test_region_look_a_file_that_is_gone_is_an_error),
        TEST(test_region_look_rows_fit_only_if_the_total_fits_too),
    };

    return cmocka_run_group_tests_name("region_look", tests, NULL, NULL);
}
