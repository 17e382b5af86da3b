/* SPDX-License-Identifier: MIT */
/* Tests which part of a reply prfcheck names for each byte, even if lengths in the reply are
 * false. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/perf_types.h>

#include "support/reader/wire.h"
#include "validate/spot.h"
#include "validate/validate.h"

/* The worked example: object 100 with four counters, instances "ab" and "longer". */
enum { COUNTERS = 64, FIRST = 224, FIRST_BLOCK = 256, SECOND_BLOCK = 336 };

static void expect_spot(const wire *w, uint64_t offset, uint32_t object, uint32_t counter,
                        const char *instance, const char *field)
{
    const prfdata_validate_reply reply = {w->bytes, w->used, 1};
    prfdata_spot spot;

    prfdata_spot_find(&reply, offset, &spot);
    if (spot.object != object || spot.counter != counter || strcmp(spot.instance, instance) != 0 ||
        strcmp(spot.field, field) != 0)
        fail_msg("byte %u: object %u, counter %u, instance %s, field %s", (unsigned)offset,
                 (unsigned)spot.object, (unsigned)spot.counter, spot.instance, spot.field);
}

static void test_spot_of_each_part_is_named(void **state)
{
    wire w;
    uint32_t counter;
    uint32_t offset;

    (void)state;
    memset(&w, 0, sizeof w);
    wire_worked_example(&w, 10);
    memcpy(&counter, w.bytes + COUNTERS + 4, sizeof counter);
    memcpy(&offset, w.bytes + COUNTERS + 36, sizeof offset);
    expect_spot(&w, 0, 100, 0, "", "TotalByteLength");
    expect_spot(&w, 40, 100, 0, "", "NumInstances");
    expect_spot(&w, COUNTERS + 28, 100, counter, "", "CounterType");
    expect_spot(&w, FIRST + 8, 100, 0, "ab", "ParentObjectInstance");
    expect_spot(&w, FIRST + 24, 100, 0, "ab", "name");
    expect_spot(&w, FIRST_BLOCK, 100, 0, "ab", "ByteLength");
    expect_spot(&w, FIRST_BLOCK + offset, 100, counter, "ab", "value");
    expect_spot(&w, SECOND_BLOCK + offset, 100, counter, "longer", "value");
}

/* Reads nothing outside of the reply; the sanitizers would notice. */
static void test_spot_of_false_lengths_stays_inside(void **state)
{
    wire right;

    (void)state;
    memset(&right, 0, sizeof right);
    wire_worked_example(&right, 10);
    for (size_t at = 0; at + 4 <= right.used; at += 4) {
        static const uint32_t values[] = {0, 1, 39, 0x7FFFFFFF, UINT32_MAX};

        for (size_t v = 0; v < sizeof values / sizeof values[0]; v++) {
            unsigned char *bytes = malloc(right.used);
            const prfdata_validate_reply reply = {bytes, right.used, 1};
            prfdata_spot spot;

            assert_non_null(bytes);
            memcpy(bytes, right.bytes, right.used);
            memcpy(bytes + at, &values[v], 4);
            for (uint64_t offset = 0; offset <= right.used; offset += 4)
                prfdata_spot_find(&reply, offset, &spot);
            free(bytes);
        }
    }
}

/* Each finding is placed once, in the reply that it is about. A finding without an
 * offset has no place. */
static void test_spot_of_findings_is_in_their_reply(void **state)
{
    static prfdata_findings findings;
    wire first, second;

    (void)state;
    memset(&first, 0, sizeof first);
    memset(&second, 0, sizeof second);
    wire_worked_example(&first, 10);
    wire_worked_example(&second, 20);
    const prfdata_validate_reply replies[] = {{first.bytes, first.used, 1}, {second.bytes, 8, 1}};

    prfdata_findings_init(&findings);
    prfdata_findings_add(&findings, PRFDATA_RULE_COUNTER_SIZE, 40, "a number is invalid");
    prfdata_findings_add(&findings, PRFDATA_RULE_COUNTER_SIZE, PRFDATA_NO_OFFSET, "and all of it");
    prfdata_findings_place(&findings, &replies[0]);
    assert_string_equal(findings.items[0].spot.field, "NumInstances");
    assert_int_equal(findings.items[0].spot.object, 100);
    assert_int_equal(findings.items[1].spot.object, 0);
    prfdata_findings_add(&findings, PRFDATA_RULE_COUNTER_SIZE, FIRST + 24, "a name is invalid");
    prfdata_findings_place(&findings, &replies[1]);
    assert_string_equal(findings.items[0].spot.field, "NumInstances");
    assert_string_equal(findings.items[2].spot.instance, "");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spot_of_each_part_is_named),
        cmocka_unit_test(test_spot_of_false_lengths_stays_inside),
        cmocka_unit_test(test_spot_of_findings_is_in_their_reply),
    };

    return cmocka_run_group_tests_name("spot", tests, NULL, NULL);
}
