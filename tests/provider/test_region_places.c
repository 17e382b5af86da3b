/* SPDX-License-Identifier: MIT */
/* Tests which regions a reader attaches if there are more than it may attach. Each region that it
 * attaches has a place. Accounts get equal shares of the places, whatever the order of the regions
 * is. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "regions/region_places.h"
#include "system/os_name.h"

enum { MEMBERS = 64 };

static prfdata_member members[MEMBERS];
static prfdata_mapping mappings[MEMBERS];
static prfdata_region_places places;
static unsigned lost_count;

static int begin(void **state)
{
    (void)state;
    memset(members, 0, sizeof members);
    memset(mappings, 0, sizeof mappings);
    lost_count = 0;
    return 0;
}

static int end(void **state)
{
    (void)state;
    prfdata_region_places_done(&places);
    return 0;
}

static void count_lost(void *context, const prfdata_member *member)
{
    assert_ptr_equal(context, &places);
    assert_non_null(member);
    lost_count++;
}

/* Returns the region with this number. Region 0 is the oldest one. */
static prfdata_member *region(unsigned number, unsigned account, uint64_t bytes)
{
    prfdata_member *member = &members[number];

    member->mapping = &mappings[number];
    prfdata_os_name_make(&member->mapping->name, 7, number);
    member->mapping->view.size = bytes;
    member->mapping->view.account.bytes[0] = (uint8_t)account;
    return member;
}

static bool add(unsigned number, unsigned account, uint64_t bytes, bool is_kept)
{
    return prfdata_region_places_add(&places, region(number, account, bytes), is_kept, count_lost,
                                     &places);
}

static bool has(unsigned number)
{
    for (uint32_t i = 0; i < places.count; i++)
        if (places.places[i].member.mapping == &mappings[number])
            return true;
    return false;
}

static unsigned count_of(unsigned account)
{
    unsigned count = 0;

    for (uint32_t i = 0; i < places.count; i++)
        count += places.places[i].member.mapping->view.account.bytes[0] == account;
    return count;
}

static void test_region_places_of_one_account_go_to_the_oldest(void **state)
{
    (void)state;
    assert_true(prfdata_region_places_init(&places, 4, 1000));
    for (unsigned i = 10; i < 14; i++)
        assert_true(add(i, 1, 1, false));
    assert_false(add(14, 1, 1, false));
    assert_true(add(5, 1, 1, false));
    assert_int_equal(lost_count, 1);
    assert_false(has(13));
    assert_true(has(5));
    assert_false(prfdata_region_places_are_shared(&places));
}

static void test_region_places_that_are_kept_stay_with_younger_programs(void **state)
{
    (void)state;
    assert_true(prfdata_region_places_init(&places, 2, 1000));
    assert_true(add(10, 1, 1, true));
    assert_true(add(11, 1, 1, true));
    assert_false(add(5, 1, 1, false));
    assert_int_equal(lost_count, 0);
}

static void test_region_places_above_a_share_go_to_another_account(void **state)
{
    (void)state;
    assert_true(prfdata_region_places_init(&places, 8, 1000));
    for (unsigned i = 0; i < 8; i++)
        assert_true(add(i, 1, 1, true));
    for (unsigned i = 20; i < 24; i++)
        assert_true(add(i, 2, 1, false));
    assert_false(add(24, 2, 1, false)); /* each account has 4 of the 8 places */
    assert_int_equal(count_of(1), 4);
    assert_int_equal(count_of(2), 4);
    assert_true(has(0));
    assert_false(has(7));
    assert_true(prfdata_region_places_are_shared(&places));
}

/* Three accounts want 2, 3 and all of 12 places. They get 2, 3 and 7. */
static void test_region_places_that_an_account_does_not_need_are_left_to_others(void **state)
{
    (void)state;
    assert_true(prfdata_region_places_init(&places, 12, 1000));
    for (unsigned i = 0; i < 20; i++)
        (void)add(i, 1, 1, true);
    for (unsigned i = 20; i < 22; i++)
        assert_true(add(i, 2, 1, false));
    for (unsigned i = 22; i < 25; i++)
        assert_true(add(i, 3, 1, false));
    assert_int_equal(count_of(1), 7);
    assert_int_equal(count_of(2), 2);
    assert_int_equal(count_of(3), 3);
}

/* An account that wants no more places than its share gets all that it wants, whatever the order of
 * the regions is. */
static void test_region_places_are_the_same_shares_in_any_order(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 200; seed++) {
        unsigned order[40];

        begin(state);
        assert_true(prfdata_region_places_init(&places, 12, 1000));
        for (unsigned i = 0; i < 40; i++)
            order[i] = i;
        srand(seed);
        for (unsigned i = 39; i > 0; i--) {
            /* NOLINTNEXTLINE(cert-msc30-c,cert-msc50-cpp): the same seeds give the same order */
            const unsigned j = (unsigned)rand() % (i + 1), swapped = order[i];

            order[i] = order[j];
            order[j] = swapped;
        }
        for (unsigned i = 0; i < 40; i++)
            (void)add(order[i], order[i] < 30 ? 1 : order[i] < 37 ? 2 : 3, 1, order[i] % 2);
        assert_int_equal(places.count, 12);
        assert_int_equal(count_of(3), 3);
        assert_in_range(count_of(1), 4, 5);
        assert_in_range(count_of(2), 4, 5);
        prfdata_region_places_done(&places);
    }
    assert_true(prfdata_region_places_init(&places, 1, 1));
}

static void test_region_places_by_bytes_take_from_who_has_most_bytes(void **state)
{
    (void)state;
    assert_true(prfdata_region_places_init(&places, 60, 1000));
    assert_true(add(0, 1, 400, true));
    assert_true(add(1, 1, 400, true));
    assert_true(add(2, 1, 200, true));
    assert_true(add(20, 2, 300, false));
    assert_false(has(2)); /* its 200 bytes were not enough, so region 1 had to go, too */
    assert_false(has(1));
    assert_true(has(0));
    assert_int_equal(places.bytes, 700);
    assert_false(add(21, 2, 400, false)); /* account 2 would have more bytes than account 1 */
    assert_true(has(0));
    assert_true(has(20));
    assert_int_equal(places.bytes, 700);
    assert_false(add(22, 3, 1001, false));
}

/* Regions lose their places before it turns out that the new region still does not fit. Then they
 * get their places back. */
static void test_region_places_that_are_refused_change_nothing(void **state)
{
    (void)state;
    assert_true(prfdata_region_places_init(&places, 60, 1000));
    for (unsigned i = 0; i < 10; i++)
        assert_true(add(i, 1, 100, false));
    assert_false(add(20, 2, 600, false));
    assert_int_equal(lost_count, 0);
    assert_int_equal(places.count, 10);
    assert_int_equal(places.bytes, 1000);
    assert_int_equal(places.accounts[0].count, 10);
    assert_int_equal(places.accounts[0].bytes, 1000);
    assert_true(add(21, 2, 500, false));
    assert_int_equal(lost_count, 5);
}

/* If there are more accounts than places, the accounts with the oldest regions have one place
 * each. */
static void test_region_places_of_more_accounts_than_places_are_one_each(void **state)
{
    (void)state;
    assert_true(prfdata_region_places_init(&places, 4, 1000));
    for (unsigned i = 0; i < 30; i++)
        assert_int_equal(add(i, 1 + i, 1, false), i < 4);
    assert_int_equal(places.count, 4);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_region_places_of_one_account_go_to_the_oldest),
        TEST(test_region_places_that_are_kept_stay_with_younger_programs),
        TEST(test_region_places_above_a_share_go_to_another_account),
        TEST(test_region_places_that_an_account_does_not_need_are_left_to_others),
        TEST(test_region_places_are_the_same_shares_in_any_order),
        TEST(test_region_places_by_bytes_take_from_who_has_most_bytes),
        TEST(test_region_places_that_are_refused_change_nothing),
        TEST(test_region_places_of_more_accounts_than_places_are_one_each),
    };

    return cmocka_run_group_tests_name("region_places", tests, NULL, NULL);
}
