/* SPDX-License-Identifier: MIT */
/* Tests which findings are the same mistake, and with which texts a user accepts a mistake. */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "prfcheck/mistakes.h"
#include "support/reader/ascii_text.h"

static prfdata_mistakes mistakes;

static prfdata_findings_item make_finding(prfdata_rule rule, uint32_t object, uint32_t counter,
                                          const char *text)
{
    prfdata_findings_item finding;

    memset(&finding, 0, sizeof finding);
    finding.rule = rule;
    finding.spot.object = object;
    finding.spot.counter = counter;
    (void)snprintf(finding.text, sizeof finding.text, "%s", text);
    return finding;
}

static size_t count_after(prfdata_rule rule, uint32_t object, uint32_t counter, const char *text)
{
    const prfdata_findings_item finding = make_finding(rule, object, counter, text);

    (void)prfdata_mistakes_add(&mistakes, &finding, 2);
    return mistakes.count;
}

static void test_mistakes_with_other_numbers_are_the_same(void **state)
{
    (void)state;
    memset(&mistakes, 0, sizeof mistakes);
    assert_int_equal(count_after(PRFDATA_RULE_PARTIAL, 2, 4, "from 10 to 0x1Fa, x"), 1);
    assert_int_equal(count_after(PRFDATA_RULE_PARTIAL, 2, 4, "from 9 to 0x2, x"), 1);
    assert_int_equal(mistakes.items[0].times, 4);
    assert_int_equal(count_after(PRFDATA_RULE_PARTIAL, 2, 4, "from 9 to 0x2, y"), 2);
    assert_int_equal(count_after(PRFDATA_RULE_PARTIAL, 2, 6, "from 9 to 0x2, x"), 3);
    assert_int_equal(count_after(PRFDATA_RULE_PARTIAL, 8, 4, "from 9 to 0x2, x"), 4);
    assert_int_equal(count_after(PRFDATA_RULE_SIZE_OVER, 2, 4, "from 9 to 0x2, x"), 5);
    assert_int_equal(prfdata_mistakes_of_rule(&mistakes, PRFDATA_RULE_PARTIAL), 4);
    mistakes.items[1].is_accepted = true;
    assert_int_equal(prfdata_mistakes_of_rule(&mistakes, PRFDATA_RULE_PARTIAL), 3);
    assert_int_equal(prfdata_mistakes_accepted(&mistakes), 1);
}

static void test_mistakes_beyond_the_room_are_left_out(void **state)
{
    (void)state;
    memset(&mistakes, 0, sizeof mistakes);
    for (uint32_t i = 0; i < PRFDATA_MISTAKES_MOST + 1; i++)
        assert_int_equal(count_after(PRFDATA_RULE_PARTIAL, 2 * i, 0, ""),
                         i < PRFDATA_MISTAKES_MOST ? i + 1 : PRFDATA_MISTAKES_MOST);
    /* The first mistake of a rule is always kept. Otherwise many mistakes of one rule would hide
     * that another rule is broken. */
    assert_int_equal(count_after(PRFDATA_RULE_SIZE_OVER, 2, 0, ""), PRFDATA_MISTAKES_MOST + 1);
    assert_int_equal(count_after(PRFDATA_RULE_SIZE_OVER, 4, 0, ""), PRFDATA_MISTAKES_MOST + 1);
}

static void test_mistakes_are_accepted_by_rule_and_title(void **state)
{
    static const struct {
        const char *text;
        bool is_valid;
        bool is_accepted; /* whether the text accepts `finding` if the first title is 98 */
    } texts[] = {
        {"partial", true, true},        {"PARTIAL", true, true},      {"partial:104", true, true},
        {"partial:+6", true, true},     {"partial:100", true, false}, {"partial:+2", true, false},
        {"size-over", true, false},     {"nonsense", false, false},   {"partial:", false, false},
        {"partial:x", false, false},    {"partial:+", false, false},  {"", false, false},
        {"partial:104 ", false, false},
    };
    const prfdata_findings_item finding = make_finding(PRFDATA_RULE_PARTIAL, 100, 104, "x");

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        uint16_t chars[32];
        const prfdata_text text = ascii_text(texts[i].text, chars);

        if (prfdata_mistakes_is_valid(text) != texts[i].is_valid ||
            prfdata_mistakes_is_accepted(text, &finding, 98) != texts[i].is_accepted)
            fail_msg("%s", texts[i].text);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mistakes_with_other_numbers_are_the_same),
        cmocka_unit_test(test_mistakes_beyond_the_room_are_left_out),
        cmocka_unit_test(test_mistakes_are_accepted_by_rule_and_title),
    };

    return cmocka_run_group_tests_name("mistakes", tests, NULL, NULL);
}
