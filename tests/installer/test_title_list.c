/* SPDX-License-Identifier: MIT */
/* The title list is data of the system: found titles, damaged lists, every truncation. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include <stdbool.h>

#include "installer/title_list.h"

/* "1","1847","2","System","1848","Hardware Input" as the system hands them out. */
static const char list_text[] = "1\0"
                                "1847\0"
                                "2\0"
                                "System\0"
                                "1848\0"
                                "Hardware Input\0";

/* The first `count` chars of the list, in an allocation of their own. */
static uint16_t *make_list(const char *text, size_t count)
{
    uint16_t *chars = malloc(count ? count * sizeof *chars : 1);

    assert_non_null(chars);
    for (size_t i = 0; i < count; i++)
        chars[i] = (unsigned char)text[i];
    return chars;
}

static bool finds(const char *text, size_t count, uint32_t index, const char *wanted)
{
    uint16_t *chars = make_list(text, count);
    size_t length = 0;
    const uint16_t *title = prfdata_title_list_find(chars, count, index, &length);
    bool same = title && length == strlen(wanted);

    for (size_t i = 0; same && i < length; i++)
        same = title[i] == (unsigned char)wanted[i];
    free(chars);
    return same;
}

static void test_title_list_finds_every_title(void **state)
{
    (void)state;
    assert_true(finds(list_text, sizeof list_text, 2, "System"));
    assert_true(finds(list_text, sizeof list_text, 1848, "Hardware Input"));
    assert_false(finds(list_text, sizeof list_text, 1849, "Hardware Input"));
    assert_false(finds(list_text, sizeof list_text, 184, "Hardware Input"));
}

static void test_title_list_truncation_loses_only_what_is_cut(void **state)
{
    (void)state;
    for (size_t count = 0; count <= sizeof list_text; count++) {
        assert_int_equal(finds(list_text, count, 2, "System"), count >= 16);
        assert_int_equal(finds(list_text, count, 1848, "Hardware Input"), count >= 36);
    }
}

static void test_title_list_odd_indexes_are_skipped(void **state)
{
    static const char odd[] = "x\0"
                              "no number\0"
                              "99999999999\0"
                              "too long\0"
                              "-4\0"
                              "negative\0"
                              "4\0"
                              "four\0";

    (void)state;
    assert_true(finds(odd, sizeof odd, 4, "four"));
    assert_false(finds(odd, sizeof odd, UINT32_MAX, "no number"));
    assert_false(finds(odd, sizeof odd, 1215752191, "too long")); /* its value modulo 2^32 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_title_list_finds_every_title),
        cmocka_unit_test(test_title_list_truncation_loses_only_what_is_cut),
        cmocka_unit_test(test_title_list_odd_indexes_are_skipped),
    };

    return cmocka_run_group_tests_name("title_list", tests, NULL, NULL);
}
