/* SPDX-License-Identifier: MIT */
/* Tests instances: names, numbers, parents, outdated copies, a full publisher. The service is not
 * installed. Private memory takes the place of a region. test_publisher.c tests regions. */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include <prfdata/prfdata.h>

#include "client/publisher.h"
#include "support/provider/counting.h"
#include "support/sample_map.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { ID_QUEUES = 100, ID_JOBS = 102, ID_WORKERS = 200, ID_CONSUMERS = 300, ID_TAKEN };

enum { MAX_QUEUES = 16, MAX_CONSUMERS = 8, NAME_CHARS = 40 };

static sample_map sample;
static prfdata_publisher *publisher;

static void open_sample(void)
{
    assert_int_equal(prfdata_open(&sample.map, &publisher), ERROR_FILE_NOT_FOUND);
    assert_non_null(publisher);
}

static int begin(void **state)
{
    (void)state;
    sample_map_init_as(&sample, "PrfDataTestInstance");
    open_sample();
    return 0;
}

static int begin_per_process(void **state)
{
    (void)state;
    sample_map_init_as(&sample, "PrfDataTestInstance");
    sample.entries[QUEUES_TOTAL].option = PRFDATA_OPTION_PER_PROCESS;
    open_sample();
    return 0;
}

static int end(void **state)
{
    (void)state;
    prfdata_close_and_unmap(publisher);
    return 0;
}

static uint32_t try_to_add(const wchar_t *name)
{
    prfdata_instance instance;

    return prfdata_instance_add(publisher, ID_QUEUES, name, NULL, &instance);
}

static prfdata_instance add(const wchar_t *name)
{
    return counting_add(publisher, ID_QUEUES, name, NULL);
}

static prfdata_instance add_consumer(const wchar_t *name, const prfdata_instance *parent)
{
    prfdata_instance instance;

    assert_int_equal(prfdata_instance_add(publisher, ID_CONSUMERS, name, parent, &instance),
                     ERROR_SUCCESS);
    return instance;
}

static bool finds(const wchar_t *name)
{
    prfdata_instance instance;
    uint32_t error = prfdata_instance_find(publisher, ID_QUEUES, name, NULL, &instance);

    assert_true(error == ERROR_SUCCESS || error == ERROR_NOT_FOUND);
    return error == ERROR_SUCCESS;
}

static prfdata_handle jobs_of(const prfdata_instance *instance)
{
    prfdata_handle handle;

    assert_int_equal(prfdata_resolve(publisher, ID_JOBS, instance, &handle), ERROR_SUCCESS);
    return handle;
}

/* Expect this name, which readers would see. */
static void assert_stored(const prfdata_instance *instance, const char *expected)
{
    const prfdata_region_slot *slot = prfdata_publisher_slot(instance);
    const uint16_t *chars = prfdata_region_name_at(
        publisher->bytes, &publisher->layout->sections[instance->object_index],
        instance->slot_index);

    assert_int_equal(slot->name_chars, strlen(expected));
    for (uint32_t i = 0; i < slot->name_chars; i++)
        assert_int_equal(chars[i], (unsigned char)expected[i]);
}

static void assert_same(const prfdata_instance *a, const prfdata_instance *b)
{
    assert_ptr_equal(a->publisher, b->publisher);
    assert_int_equal(a->object_index, b->object_index);
    assert_int_equal(a->slot_index, b->slot_index);
    assert_int_equal(a->generation, b->generation);
}

static void assert_zeroed(const prfdata_instance *instance)
{
    static const prfdata_instance none = PRFDATA_INSTANCE_INIT;

    assert_same(instance, &none);
}

/* ---- Names ---- */

static void test_instance_add_is_found_and_removed(void **state)
{
    prfdata_instance mail = add(L"mail");
    prfdata_instance found;

    (void)state;
    assert_int_equal(prfdata_instance_find(publisher, ID_QUEUES, L"mail", NULL, &found),
                     ERROR_SUCCESS);
    assert_same(&found, &mail);
    assert_int_equal(prfdata_instance_remove(&mail), ERROR_SUCCESS);
    assert_false(finds(L"mail"));
}

static void test_instance_name_is_kept_as_written(void **state)
{
    prfdata_instance instance = add(L" Mail, \"urgent\" <1> {2}:? ");

    (void)state;
    assert_stored(&instance, " Mail, \"urgent\" <1> {2}:? ");
}

static void test_instance_names_differ_by_more_than_case(void **state)
{
    (void)state;
    add(L"mail");
    assert_int_equal(try_to_add(L"mail "), ERROR_SUCCESS);
    assert_int_equal(try_to_add(L" mail"), ERROR_SUCCESS);
    assert_int_equal(try_to_add(L"mai"), ERROR_SUCCESS);
    assert_false(finds(L"mails"));
}

static void test_instance_same_name_in_other_case_already_exists(void **state)
{
    static const wchar_t *const same[][2] = {
        {L"Mail", L"mAIL"},
        {L"\u00C4pfel", L"\u00E4PFEL"},     /* A with diaeresis */
        {L"\u03A3", L"\u03C3"},             /* sigma */
        {L"x\u03C2", L"X\u03A3"},           /* sigma and its final form */
        {L"\u00DF", L"\u1E9E"},             /* the small and the capital sharp s */
        {L"\u212A", L"k"},                  /* the Kelvin sign */
        {L"\u0416\u042F", L"\u0436\u044F"}, /* Cyrillic */
        {L"\U00010400!", L"\U00010428!"},   /* Deseret letters, which need two chars */
    };

    (void)state;
    for (size_t i = 0; i < COUNT(same); i++) {
        prfdata_instance instance = add(same[i][0]);

        assert_true(finds(same[i][1]));
        assert_int_equal(try_to_add(same[i][1]), ERROR_ALREADY_EXISTS);
        assert_int_equal(prfdata_instance_remove(&instance), ERROR_SUCCESS);
    }
}

static void test_instance_folding_is_simple_and_knows_no_language(void **state)
{
    static const wchar_t *const different[][2] = {
        {L"stra\u00DFe", L"strasse"}, /* sharp s is not equal to two letters */
        {L"\u0130", L"i"},            /* the Turkish dotted capital I */
        {L"\u0131", L"I"},            /* the Turkish dotless small i */
        {L"\u00E4", L"a"},
        {L"\u00E4", L"a\u0308"}, /* a composed and a decomposed letter */
    };

    (void)state;
    for (size_t i = 0; i < COUNT(different); i++) {
        prfdata_instance one = add(different[i][0]);
        prfdata_instance other = add(different[i][1]);

        assert_int_equal(prfdata_instance_remove(&one), ERROR_SUCCESS);
        assert_int_equal(prfdata_instance_remove(&other), ERROR_SUCCESS);
    }
}

static void test_instance_name_is_cleaned(void **state)
{
    prfdata_instance instance = add(L"a(b)c#d/e\\f*g");
    prfdata_instance control = add(L"\x01\x1F\x7Fz\x80\x9F\t\n");

    (void)state;
    assert_stored(&instance, "a[b]c_d_e_f_g");
    assert_stored(&control, "___z____");
    assert_true(finds(L"a[b]c*d*e*f*g"));
    assert_true(finds(L"A(B)C_D_E_F_G"));
}

static void test_instance_collision_after_cleaning_already_exists(void **state)
{
    (void)state;
    add(L"disk#1");
    assert_int_equal(try_to_add(L"disk/1"), ERROR_ALREADY_EXISTS);
    assert_int_equal(try_to_add(L"DISK_1"), ERROR_ALREADY_EXISTS);
    assert_int_equal(try_to_add(L"disk\t1"), ERROR_ALREADY_EXISTS);
    assert_int_equal(try_to_add(L"disk-1"), ERROR_SUCCESS);
}

static void test_instance_name_empty_or_none_is_refused(void **state)
{
    (void)state;
    assert_int_equal(try_to_add(L""), ERROR_INVALID_NAME);
    assert_int_equal(try_to_add(NULL), ERROR_INVALID_NAME);
}

static void test_instance_name_with_a_lone_surrogate_is_refused(void **state)
{
    static const wchar_t high[] = {L'a', (wchar_t)0xD800, L'b', 0};
    static const wchar_t last[] = {L'a', (wchar_t)0xDBFF, 0};
    static const wchar_t low[] = {(wchar_t)0xDC00, 0};

    (void)state;
    assert_int_equal(try_to_add(high), ERROR_INVALID_NAME);
    assert_int_equal(try_to_add(last), ERROR_INVALID_NAME);
    assert_int_equal(try_to_add(low), ERROR_INVALID_NAME);
}

static const wchar_t *long_name(size_t count, const wchar_t *tail)
{
    static wchar_t name[2 * NAME_CHARS + 600];

    for (size_t i = 0; i < count; i++)
        name[i] = L'n';
    wcscpy(name + count, tail);
    return name;
}

static void test_instance_name_is_measured_in_utf16_chars(void **state)
{
    (void)state;
    assert_int_equal(try_to_add(long_name(NAME_CHARS, L"")), ERROR_SUCCESS);
    assert_int_equal(try_to_add(long_name(NAME_CHARS + 1, L"")), ERROR_FILENAME_EXCED_RANGE);
    assert_int_equal(try_to_add(long_name(600, L"")), ERROR_FILENAME_EXCED_RANGE);
    assert_int_equal(try_to_add(long_name(NAME_CHARS - 2, L"\U0001F600")), ERROR_SUCCESS);
    assert_int_equal(try_to_add(long_name(NAME_CHARS - 1, L"\U0001F600")),
                     ERROR_FILENAME_EXCED_RANGE);
    assert_int_equal(try_to_add(long_name(NAME_CHARS, L"\U0001F600")), ERROR_FILENAME_EXCED_RANGE);
    assert_int_equal(try_to_add(long_name(NAME_CHARS - 1, L"\u20AC")), ERROR_SUCCESS);
}

static void test_instance_name_that_is_too_long_is_counted_as_dropped(void **state)
{
    prfdata_instance instance;

    (void)state;
    assert_int_equal(try_to_add(L""), ERROR_INVALID_NAME);
    assert_int_equal(prfdata_dropped(publisher), 0);
    assert_int_equal(try_to_add(long_name(NAME_CHARS + 1, L"")), ERROR_FILENAME_EXCED_RANGE);
    assert_int_equal(prfdata_dropped(publisher), 1);
    assert_int_equal(prfdata_instance_find(publisher, ID_QUEUES, long_name(NAME_CHARS + 1, L""),
                                           NULL, &instance),
                     ERROR_FILENAME_EXCED_RANGE);
    assert_int_equal(prfdata_dropped(publisher), 1);
    prfdata_close(publisher);
    assert_int_equal(try_to_add(long_name(NAME_CHARS + 1, L"")), ERROR_FILENAME_EXCED_RANGE);
    assert_int_equal(prfdata_dropped(publisher), 1);
}

static void test_instance_total_is_reserved_where_the_map_declares_it(void **state)
{
    prfdata_instance instance;

    (void)state;
    assert_int_equal(try_to_add(L"_Total"), ERROR_INVALID_NAME);
    assert_int_equal(try_to_add(L"_TOTAL"), ERROR_INVALID_NAME);
    /* Cleaning turns this name into _Total, too. */
    assert_int_equal(try_to_add(L"#total"), ERROR_INVALID_NAME);
    assert_int_equal(try_to_add(L"_Totals"), ERROR_SUCCESS);
    assert_int_equal(try_to_add(L"Total"), ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_find(publisher, ID_QUEUES, L"_Total", NULL, &instance),
                     ERROR_INVALID_NAME);
    add_consumer(L"_Total", NULL);
}

/* ---- Per process ---- */

static void test_instance_per_process_name_gets_the_process_id(void **state)
{
    prfdata_instance mail = add(L"mail");
    char expected[64];

    (void)state;
    snprintf(expected, sizeof expected, "mail_%u", (unsigned)prfdata_os_process_id());
    assert_stored(&mail, expected);
    assert_true(finds(L"MAIL"));
    assert_int_equal(try_to_add(L"Mail"), ERROR_ALREADY_EXISTS);
}

static void test_instance_per_process_id_is_not_part_of_the_length(void **state)
{
    (void)state;
    assert_int_equal(try_to_add(long_name(NAME_CHARS, L"")), ERROR_SUCCESS);
    assert_true(finds(long_name(NAME_CHARS, L"")));
    assert_int_equal(try_to_add(long_name(NAME_CHARS + 1, L"")), ERROR_FILENAME_EXCED_RANGE);
}

static void test_instance_per_process_numbers_are_not_supported(void **state)
{
    prfdata_instance instance;

    (void)state;
    assert_int_equal(prfdata_instance_add_id(publisher, ID_QUEUES, 1, NULL, &instance),
                     ERROR_NOT_SUPPORTED);
    assert_zeroed(&instance);
}

/* ---- Numbers ---- */

static void test_instance_numbers_are_unique(void **state)
{
    static const int32_t numbers[] = {0, 1, 2, -2, INT32_MIN, INT32_MAX};
    prfdata_instance instances[COUNT(numbers)];
    prfdata_instance found;

    (void)state;
    for (size_t i = 0; i < COUNT(numbers); i++)
        assert_int_equal(
            prfdata_instance_add_id(publisher, ID_QUEUES, numbers[i], NULL, &instances[i]),
            ERROR_SUCCESS);
    for (size_t i = 0; i < COUNT(numbers); i++) {
        assert_int_equal(prfdata_instance_add_id(publisher, ID_QUEUES, numbers[i], NULL, &found),
                         ERROR_ALREADY_EXISTS);
        assert_zeroed(&found);
        assert_int_equal(prfdata_instance_find_id(publisher, ID_QUEUES, numbers[i], NULL, &found),
                         ERROR_SUCCESS);
        assert_same(&found, &instances[i]);
        assert_int_equal(prfdata_publisher_slot(&found)->unique_id, numbers[i]);
    }
    assert_int_equal(prfdata_instance_remove(&instances[0]), ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_find_id(publisher, ID_QUEUES, 0, NULL, &found),
                     ERROR_NOT_FOUND);
}

static void test_instance_number_minus_one_is_refused(void **state)
{
    prfdata_instance instance;

    (void)state;
    assert_int_equal(prfdata_instance_add_id(publisher, ID_QUEUES, -1, NULL, &instance),
                     ERROR_INVALID_NAME);
    assert_int_equal(prfdata_instance_find_id(publisher, ID_QUEUES, -1, NULL, &instance),
                     ERROR_INVALID_NAME);
}

static void test_instance_number_and_name_of_the_same_look_are_two(void **state)
{
    prfdata_instance instance;

    (void)state;
    add(L"7");
    assert_int_equal(prfdata_instance_find_id(publisher, ID_QUEUES, 7, NULL, &instance),
                     ERROR_NOT_FOUND);
    assert_int_equal(prfdata_instance_add_id(publisher, ID_QUEUES, 7, NULL, &instance),
                     ERROR_SUCCESS);
}

/* ---- Objects ---- */

static void test_instance_add_to_what_has_no_instances_is_not_found(void **state)
{
    static const uint32_t wrong[] = {ID_WORKERS, ID_JOBS, 0, 999};
    prfdata_instance instance;

    (void)state;
    for (size_t i = 0; i < COUNT(wrong); i++) {
        memset(&instance, 0xFF, sizeof instance);
        assert_int_equal(prfdata_instance_add(publisher, wrong[i], L"a", NULL, &instance),
                         ERROR_NOT_FOUND);
        assert_zeroed(&instance);
        memset(&instance, 0xFF, sizeof instance);
        assert_int_equal(prfdata_instance_add_id(publisher, wrong[i], 1, NULL, &instance),
                         ERROR_NOT_FOUND);
        assert_zeroed(&instance);
    }
}

static void test_instance_failed_add_leaves_a_zeroed_instance(void **state)
{
    static const wchar_t *const wrong[] = {L"", L"_Total", L"mail"};
    prfdata_instance instance;
    prfdata_handle handle;

    (void)state;
    add(L"mail");
    for (size_t i = 0; i < COUNT(wrong); i++) {
        memset(&instance, 0xFF, sizeof instance);
        assert_int_not_equal(prfdata_instance_add(publisher, ID_QUEUES, wrong[i], NULL, &instance),
                             ERROR_SUCCESS);
        assert_zeroed(&instance);
    }
    assert_int_equal(prfdata_resolve(publisher, ID_JOBS, &instance, &handle), ERROR_NOT_FOUND);
    prfdata_increment(handle);
    prfdata_begin(&instance);
    prfdata_end(&instance);
    assert_int_equal(prfdata_instance_remove(&instance), ERROR_NOT_FOUND);
    assert_int_equal(prfdata_instance_remove(NULL), ERROR_NOT_FOUND);
}

/* ---- Parents ---- */

static void test_instance_same_name_under_two_parents_and_none(void **state)
{
    prfdata_instance mail = add(L"mail");
    prfdata_instance news = add(L"news");
    prfdata_instance children[3] = {add_consumer(L"c", &mail), add_consumer(L"c", &news),
                                    add_consumer(L"c", NULL)};
    prfdata_instance found;

    (void)state;
    assert_int_equal(prfdata_instance_find(publisher, ID_CONSUMERS, L"C", &mail, &found),
                     ERROR_SUCCESS);
    assert_same(&found, &children[0]);
    assert_int_equal(prfdata_instance_find(publisher, ID_CONSUMERS, L"C", &news, &found),
                     ERROR_SUCCESS);
    assert_same(&found, &children[1]);
    assert_int_equal(prfdata_instance_find(publisher, ID_CONSUMERS, L"C", NULL, &found),
                     ERROR_SUCCESS);
    assert_same(&found, &children[2]);
    assert_int_equal(prfdata_instance_add(publisher, ID_CONSUMERS, L"C", &news, &found),
                     ERROR_ALREADY_EXISTS);
}

static void test_instance_parent_with_children_is_not_removed(void **state)
{
    prfdata_instance mail = add(L"mail");
    prfdata_instance one = add_consumer(L"one", &mail);
    prfdata_instance two = add_consumer(L"two", &mail);

    (void)state;
    assert_int_equal(prfdata_instance_remove(&mail), ERROR_DEPENDENT_RESOURCE_EXISTS);
    assert_int_equal(prfdata_instance_remove(&one), ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_remove(&mail), ERROR_DEPENDENT_RESOURCE_EXISTS);
    assert_int_equal(prfdata_instance_remove(&one),
                     ERROR_NOT_FOUND); /* `mail` still has one child */
    assert_int_equal(prfdata_instance_remove(&mail), ERROR_DEPENDENT_RESOURCE_EXISTS);
    assert_int_equal(prfdata_instance_remove(&two), ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_remove(&mail), ERROR_SUCCESS);
}

static void test_instance_parent_of_others_is_not_held_back(void **state)
{
    prfdata_instance mail = add(L"mail");
    prfdata_instance news = add(L"news");

    (void)state;
    add_consumer(L"one", &mail);
    add_consumer(L"one", NULL);
    assert_int_equal(prfdata_instance_remove(&news), ERROR_SUCCESS);
}

static void test_instance_revived_child_holds_its_parent_again(void **state)
{
    prfdata_instance mail = add(L"mail");
    prfdata_instance one = add_consumer(L"one", &mail);
    prfdata_instance again;

    (void)state;
    assert_int_equal(prfdata_instance_add(publisher, ID_CONSUMERS, L"one", &mail, &again),
                     /* after a failed add, `mail` does not have one more child */
                     ERROR_ALREADY_EXISTS);
    assert_int_equal(prfdata_instance_remove(&one), ERROR_SUCCESS);
    again = add_consumer(L"one", &mail);
    assert_int_equal(again.slot_index, one.slot_index);
    assert_int_equal(prfdata_instance_remove(&mail), ERROR_DEPENDENT_RESOURCE_EXISTS);
    assert_int_equal(prfdata_instance_remove(&again), ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_remove(&mail), ERROR_SUCCESS);
}

static void test_instance_revived_parent_gets_its_children_back(void **state)
{
    prfdata_instance mail = add(L"mail");
    prfdata_instance one = add_consumer(L"one", &mail);
    prfdata_handle taken;

    (void)state;
    assert_int_equal(prfdata_resolve(publisher, ID_TAKEN, &one, &taken), ERROR_SUCCESS);
    prfdata_add(taken, 5);
    assert_int_equal(prfdata_instance_remove(&one), ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_remove(&mail), ERROR_SUCCESS);
    mail = add(L"MAIL");
    one = add_consumer(L"one", &mail);
    assert_int_equal(prfdata_resolve(publisher, ID_TAKEN, &one, &taken), ERROR_SUCCESS);
    assert_int_equal(prfdata_get(taken), 5);
}

static void test_instance_child_under_the_slots_next_name_is_another(void **state)
{
    prfdata_instance queues[MAX_QUEUES], one, other;
    prfdata_handle taken;
    wchar_t name[2] = {L'A', 0};

    (void)state;
    for (int i = 0; i < MAX_QUEUES; i++, name[0]++)
        queues[i] = add(name);
    one = add_consumer(L"one", &queues[3]);
    assert_int_equal(prfdata_resolve(publisher, ID_TAKEN, &one, &taken), ERROR_SUCCESS);
    prfdata_add(taken, 5);
    assert_int_equal(prfdata_instance_remove(&one), ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_remove(&queues[3]), ERROR_SUCCESS);
    other = add(L"other");
    assert_int_equal(other.slot_index, queues[3].slot_index);
    one = add_consumer(L"one", &other);
    assert_int_equal(prfdata_resolve(publisher, ID_TAKEN, &one, &taken), ERROR_SUCCESS);
    assert_int_equal(prfdata_get(taken), 0);
}

/* Another program that still has a view of the region changes the parent. */
static void test_instance_parent_that_changes_under_the_writer_does_no_harm(void **state)
{
    prfdata_instance parent = add(L"parent");
    prfdata_instance child = add_consumer(L"child", &parent);

    (void)state;
    prfdata_publisher_slot(&child)->parent_slot = 0x10000000;
    assert_int_equal(prfdata_instance_remove(&child), ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_remove(&parent), ERROR_SUCCESS);
}

static void test_instance_parent_that_cannot_be_one_is_refused(void **state)
{
    static const prfdata_instance none = PRFDATA_INSTANCE_INIT;
    prfdata_instance mail = add(L"mail");
    prfdata_instance consumer = add_consumer(L"one", &mail);
    prfdata_instance removed = add(L"removed");
    prfdata_instance instance;

    (void)state;
    assert_int_equal(prfdata_instance_remove(&removed), ERROR_SUCCESS);
    /* These calls fail because the new instance's object has no parents, or because the parent is
     * in another object, was removed, or was never added. */
    assert_int_equal(prfdata_instance_add(publisher, ID_QUEUES, L"a", &mail, &instance),
                     ERROR_INVALID_PARAMETER);
    assert_int_equal(prfdata_instance_add(publisher, ID_CONSUMERS, L"a", &consumer, &instance),
                     ERROR_INVALID_PARAMETER);
    assert_int_equal(prfdata_instance_add(publisher, ID_CONSUMERS, L"a", &removed, &instance),
                     ERROR_INVALID_PARAMETER);
    assert_int_equal(prfdata_instance_add(publisher, ID_CONSUMERS, L"a", &none, &instance),
                     ERROR_INVALID_PARAMETER);
    assert_int_equal(prfdata_instance_add_id(publisher, ID_CONSUMERS, 1, &removed, &instance),
                     ERROR_INVALID_PARAMETER);
    assert_int_equal(prfdata_instance_find(publisher, ID_CONSUMERS, L"one", &removed, &instance),
                     ERROR_INVALID_PARAMETER);
    assert_zeroed(&instance);
}

static void test_instance_parent_of_another_publisher_is_refused(void **state)
{
    prfdata_instance mail = add(L"mail");
    prfdata_instance instance;
    prfdata_publisher *other;

    (void)state;
    assert_int_equal(prfdata_open(&sample.map, &other), ERROR_FILE_NOT_FOUND);
    assert_ptr_not_equal(other, publisher);
    assert_int_equal(prfdata_instance_add(other, ID_CONSUMERS, L"a", &mail, &instance),
                     ERROR_INVALID_PARAMETER);
    prfdata_close_and_unmap(other);
}

static void test_instance_may_take_the_place_of_its_parent(void **state)
{
    prfdata_instance instance = add(L"mail");
    prfdata_instance mail = instance;

    (void)state;
    assert_int_equal(prfdata_instance_add(publisher, ID_CONSUMERS, L"a", &instance, &instance),
                     ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_remove(&mail), ERROR_DEPENDENT_RESOURCE_EXISTS);
    assert_int_equal(prfdata_instance_remove(&instance), ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_remove(&mail), ERROR_SUCCESS);
}

static void test_instance_parent_after_close_and_open_has_no_children(void **state)
{
    prfdata_instance mail = add(L"mail");

    (void)state;
    add_consumer(L"one", &mail);
    prfdata_close(publisher);
    open_sample();
    mail = add(L"mail");
    assert_int_equal(prfdata_instance_remove(&mail), ERROR_SUCCESS);
}

/* ---- Outdated copies ---- */

static void assert_stale(const prfdata_instance *stale)
{
    prfdata_handle handle;
    prfdata_pair pair;

    assert_int_equal(prfdata_resolve(publisher, ID_JOBS, stale, &handle), ERROR_NOT_FOUND);
    assert_null(handle.cell);
    assert_int_equal(prfdata_resolve_pair(publisher, ID_JOBS + 1, stale, &pair), ERROR_NOT_FOUND);
    assert_int_equal(prfdata_instance_remove(stale), ERROR_NOT_FOUND);
    prfdata_begin(stale);
    prfdata_end(stale);
}

static void test_instance_stale_after_remove(void **state)
{
    prfdata_instance mail = add(L"mail");

    (void)state;
    assert_int_equal(prfdata_instance_remove(&mail), ERROR_SUCCESS);
    assert_stale(&mail);
}

static void test_instance_stale_after_the_name_came_back(void **state)
{
    prfdata_instance mail = add(L"mail");

    (void)state;
    assert_int_equal(prfdata_instance_remove(&mail), ERROR_SUCCESS);
    add(L"mail");
    assert_stale(&mail);
    assert_true(finds(L"mail"));
}

static void fill(void)
{
    wchar_t name[2] = {L'A', 0};

    while (try_to_add(name) == ERROR_SUCCESS)
        name[0]++;
}

static void test_instance_stale_after_another_name_got_the_slot(void **state)
{
    prfdata_instance mail = add(L"mail");
    prfdata_instance other;

    (void)state;
    fill();
    assert_int_equal(prfdata_instance_remove(&mail), ERROR_SUCCESS);
    other = add(L"other");
    assert_int_equal(other.slot_index, mail.slot_index);
    assert_stale(&mail);
    assert_true(finds(L"other"));
}

/* ---- Full ---- */

/* Return the hash of an instance with a number, as any program can compute it. */
static uint32_t public_hash(int32_t unique_id)
{
    const prfdata_region_key key = {NULL, 0, unique_id, PRFDATA_NONE, 0};
    const uint64_t hash = prfdata_region_key_hash(&key, 0);

    return (uint32_t)(hash ^ hash >> 32);
}

/* A server's clients may choose the numbers of its instances. Even if the clients know the library,
 * they cannot choose numbers whose hashes collide. */
static void test_instance_chosen_to_collide_does_not(void **state)
{
    const prfdata_slots *slots = &publisher->slots[0];
    uint32_t in_first = 0;
    uint32_t added = 0;

    (void)state;
    for (int32_t i = 0; added < MAX_QUEUES; i++) {
        prfdata_instance instance;

        if (public_hash(i) & slots->bucket_mask)
            continue;
        assert_int_equal(prfdata_instance_add_id(publisher, ID_QUEUES, i, NULL, &instance),
                         ERROR_SUCCESS);
        in_first += ((slots->hash[instance.slot_index] ^ slots->hash[0]) & slots->bucket_mask) == 0;
        added++;
    }
    assert_in_range(in_first, 1, MAX_QUEUES - 1); /* by chance this fails once in 2^60 runs */
}

static void test_instance_full_is_refused_and_counted(void **state)
{
    prfdata_instance mail = add(L"mail");
    prfdata_instance instance;

    (void)state;
    for (wchar_t name[2] = {L'A', 0}; name[0] < L'A' + MAX_QUEUES - 1; name[0]++)
        add(name);
    assert_int_equal(prfdata_dropped(publisher), 0);
    memset(&instance, 0xFF, sizeof instance);
    assert_int_equal(prfdata_instance_add(publisher, ID_QUEUES, L"more", NULL, &instance),
                     ERROR_NOT_ENOUGH_QUOTA);
    assert_zeroed(&instance);
    assert_int_equal(prfdata_instance_add_id(publisher, ID_QUEUES, 5, NULL, &instance),
                     ERROR_NOT_ENOUGH_QUOTA);
    assert_int_equal(prfdata_dropped(publisher), 2);
    assert_int_equal(try_to_add(L"MAIL"),
                     ERROR_ALREADY_EXISTS); /* an instance that exists is not counted as dropped */
    assert_int_equal(prfdata_dropped(publisher), 2);
    add_consumer(L"of another object", NULL);
    assert_int_equal(prfdata_instance_remove(&mail), ERROR_SUCCESS);
    assert_int_equal(try_to_add(L"more"), ERROR_SUCCESS);
    assert_int_equal(prfdata_dropped(publisher), 2);
}

static void test_instance_slot_used_again_reads_zero_while_its_cell_goes_on(void **state)
{
    prfdata_instance mail = add(L"mail");
    prfdata_handle jobs = jobs_of(&mail);

    (void)state;
    fill();
    prfdata_add(jobs, 41);
    assert_int_equal(prfdata_instance_remove(&mail), ERROR_SUCCESS);
    mail = add(L"other");
    assert_ptr_equal(jobs_of(&mail).cell, jobs.cell);
    jobs = jobs_of(&mail);
    assert_int_equal(prfdata_get(jobs), 0);
    assert_int_equal(*jobs.cell, 41);
    prfdata_increment(jobs);
    assert_int_equal(prfdata_get(jobs), 1);
    assert_int_equal(*jobs.cell, 42);
}

static void test_instance_name_that_comes_back_goes_on_counting(void **state)
{
    prfdata_instance mail = add(L"mail");
    prfdata_handle jobs = jobs_of(&mail);

    (void)state;
    prfdata_add(jobs, 41);
    assert_int_equal(prfdata_instance_remove(&mail), ERROR_SUCCESS);
    mail = add(L"Mail");
    prfdata_increment(jobs_of(&mail));
    assert_int_equal(prfdata_get(jobs_of(&mail)), 42);
    assert_stored(&mail, "mail"); /* the name keeps its first spelling */
}

static void test_instance_oldest_removed_name_is_given_up_first(void **state)
{
    prfdata_instance a, b, c;

    (void)state;
    a = add(L"a1");
    b = add(L"b1");
    c = add(L"c1");
    fill();
    prfdata_add(jobs_of(&a), 1);
    prfdata_add(jobs_of(&b), 2);
    prfdata_add(jobs_of(&c), 3);
    assert_int_equal(prfdata_instance_remove(&b), ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_remove(&a), ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_remove(&c), ERROR_SUCCESS);
    add(L"new");
    a = add(L"a1");
    c = add(L"c1");
    assert_int_equal(prfdata_get(jobs_of(&a)), 1);
    assert_int_equal(prfdata_get(jobs_of(&c)), 3);
    assert_int_equal(try_to_add(L"b1"), ERROR_NOT_ENOUGH_QUOTA); /* another name has the slot now */
}

#define TEST(name)             cmocka_unit_test_setup_teardown(name, begin, end)
#define PER_PROCESS_TEST(name) cmocka_unit_test_setup_teardown(name, begin_per_process, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_instance_add_is_found_and_removed),
        TEST(test_instance_name_is_kept_as_written),
        TEST(test_instance_names_differ_by_more_than_case),
        TEST(test_instance_same_name_in_other_case_already_exists),
        TEST(test_instance_folding_is_simple_and_knows_no_language),
        TEST(test_instance_name_is_cleaned),
        TEST(test_instance_collision_after_cleaning_already_exists),
        TEST(test_instance_name_empty_or_none_is_refused),
        TEST(test_instance_name_with_a_lone_surrogate_is_refused),
        TEST(test_instance_name_is_measured_in_utf16_chars),
        TEST(test_instance_name_that_is_too_long_is_counted_as_dropped),
        TEST(test_instance_total_is_reserved_where_the_map_declares_it),
        PER_PROCESS_TEST(test_instance_per_process_name_gets_the_process_id),
        PER_PROCESS_TEST(test_instance_per_process_id_is_not_part_of_the_length),
        PER_PROCESS_TEST(test_instance_per_process_numbers_are_not_supported),
        TEST(test_instance_numbers_are_unique),
        TEST(test_instance_number_minus_one_is_refused),
        TEST(test_instance_number_and_name_of_the_same_look_are_two),
        TEST(test_instance_add_to_what_has_no_instances_is_not_found),
        TEST(test_instance_failed_add_leaves_a_zeroed_instance),
        TEST(test_instance_same_name_under_two_parents_and_none),
        TEST(test_instance_parent_with_children_is_not_removed),
        TEST(test_instance_parent_of_others_is_not_held_back),
        TEST(test_instance_revived_child_holds_its_parent_again),
        TEST(test_instance_revived_parent_gets_its_children_back),
        TEST(test_instance_child_under_the_slots_next_name_is_another),
        TEST(test_instance_parent_that_changes_under_the_writer_does_no_harm),
        TEST(test_instance_parent_that_cannot_be_one_is_refused),
        TEST(test_instance_parent_of_another_publisher_is_refused),
        TEST(test_instance_may_take_the_place_of_its_parent),
        TEST(test_instance_parent_after_close_and_open_has_no_children),
        TEST(test_instance_stale_after_remove),
        TEST(test_instance_stale_after_the_name_came_back),
        TEST(test_instance_stale_after_another_name_got_the_slot),
        TEST(test_instance_chosen_to_collide_does_not),
        TEST(test_instance_full_is_refused_and_counted),
        TEST(test_instance_slot_used_again_reads_zero_while_its_cell_goes_on),
        TEST(test_instance_name_that_comes_back_goes_on_counting),
        TEST(test_instance_oldest_removed_name_is_given_up_first),
    };

    return cmocka_run_group_tests_name("instance", tests, NULL, NULL);
}
