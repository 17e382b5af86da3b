/* SPDX-License-Identifier: MIT */
/* Tests reading lists of titles, which come from the system: finding titles, damaged lists, and
 * every truncation. Also tests the list of languages. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <stdbool.h>

#include <prfdata/map.h>

#include "titles/title_languages.h"
#include "titles/title_list.h"

/* The form in which the system returns "1","1847","2","System","1848","Hardware Input". */
static const char list_text[] = "1\0"
                                "1847\0"
                                "2\0"
                                "System\0"
                                "1848\0"
                                "Hardware Input\0";

/* Return the first `count` chars of the list in their own allocation. */
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
    wchar_t wide[64] = L"";
    const wchar_t *texts[1] = {wide};
    size_t left;

    for (size_t i = 0; wanted[i]; i++)
        wide[i] = (unsigned char)wanted[i];
    left = prfdata_title_list_match(chars, count, index, texts, 1);
    assert_int_equal(left, texts[0] ? 1 : 0);
    free(chars);
    return left == 0;
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
    /* This is the index of "too long" modulo 2^32. */
    assert_false(finds(odd, sizeof odd, 1215752191, "too long"));
    assert_false(finds(odd, sizeof odd, 0, "no number"));
}

/* The list has the service's titles among those of other services. Names are at even indexes, help
 * texts at odd ones. */
static void test_title_list_matches_what_is_there(void **state)
{
    static const char mixed[] = "12\0third\0"
                                "6\0other service\0"
                                "10\0Second\0" /* our title is "second", so this is another text */
                                "16\0fifth, and more\0"
                                "8\0first\0"
                                "9\0a help text\0"
                                "14\0other service\0";
    const wchar_t *texts[] = {L"first", L"second", L"third", L"other servicE", L"fifth"};
    const wchar_t *other[] = {L"first", L"second"};
    uint16_t *chars = make_list(mixed, sizeof mixed);

    (void)state;
    assert_int_equal(prfdata_title_list_match(chars, sizeof mixed, 8, texts, 5), 3);
    assert_null(texts[0]);
    assert_non_null(texts[1]);
    assert_null(texts[2]);
    assert_non_null(texts[3]);
    assert_non_null(texts[4]);
    /* An odd first index makes all indexes odd. Neither text is found there: index 7 is missing,
     * and index 9 has another text. */
    assert_int_equal(prfdata_title_list_match(chars, sizeof mixed, 7, other, 2), 2);
    free(chars);
}

/* The list has one index twice, both times with the text of the service. */
static void test_title_list_counts_a_repeated_index_once(void **state)
{
    static const char twice[] = "8\0first\0"
                                "8\0first\0";
    const wchar_t *texts[] = {L"first", L"second"};
    uint16_t *chars = make_list(twice, sizeof twice);

    (void)state;
    assert_int_equal(prfdata_title_list_match(chars, sizeof twice, 8, texts, 2), 1);
    free(chars);
}

/* A text that is too long for a map is not read at all. */
static void test_title_list_long_texts_are_no_matches(void **state)
{
    wchar_t longest[PRFDATA_MAX_HELP_CHARS + 2];
    const wchar_t *texts[] = {longest};
    size_t count = PRFDATA_MAX_HELP_CHARS + 8;
    char *text = calloc(count, 1);
    uint16_t *chars;

    (void)state;
    assert_non_null(text);
    for (size_t more = 0; more < 2; more++) {
        size_t length = PRFDATA_MAX_HELP_CHARS + more;

        memset(text, 0, count);
        text[0] = '9';
        memset(text + 2, 'x', length);
        for (size_t i = 0; i < length; i++)
            longest[i] = L'x';
        longest[length] = 0;
        chars = make_list(text, count);
        texts[0] = longest;
        assert_int_equal(prfdata_title_list_match(chars, count, 9, texts, 1), more);
        free(chars);
    }
    free(text);
}

static void test_title_list_places_of_a_text_are_found_in_turn(void **state)
{
    static const char twice[] = "2\0"
                                "Ours\0"
                                "4\0"
                                "Ours too\0"
                                "x\0"
                                "Ours\0"
                                "19\0"
                                "Ours\0";
    uint16_t *chars = make_list(twice, sizeof twice);
    uint32_t index = 0;
    size_t at = 0;

    (void)state;
    assert_true(prfdata_title_list_find(chars, sizeof twice, L"Ours", &at, &index));
    assert_int_equal(index, 2);
    assert_true(prfdata_title_list_find(chars, sizeof twice, L"Ours", &at, &index));
    assert_int_equal(index, 19);
    assert_false(prfdata_title_list_find(chars, sizeof twice, L"Ours", &at, &index));
    free(chars);
}

static void test_title_languages_are_three_digits_in_order(void **state)
{
    static const wchar_t *const names[] = {L"00c",
                                           L"009",
                                           L"CurrentLanguage",
                                           L"804",
                                           L"007",
                                           L"",
                                           L"_V2Providers",
                                           L"00C",
                                           L"0007",
                                           L"07",
                                           L"00G",
                                           L"4 4",
                                           L"0407407",
                                           L"\u0660\u0660\u0667"};
    prfdata_title_languages languages = {0};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        prfdata_title_languages_add(&languages, names[i]);
    assert_int_equal(languages.count, 3);
    assert_string_equal(languages.ids[0], "007");
    assert_string_equal(languages.ids[1], "00C");
    assert_string_equal(languages.ids[2], "804");
}

static void test_title_languages_have_a_bound(void **state)
{
    prfdata_title_languages languages = {0};

    (void)state;
    for (int i = 0xFFF; i >= 0; i--) {
        wchar_t name[8];

        swprintf(name, 8, L"%03x", i);
        prfdata_title_languages_add(&languages, name);
        assert_in_range(languages.count, 1, PRFDATA_MAX_TITLE_LANGUAGES);
    }
    assert_int_equal(languages.count, PRFDATA_MAX_TITLE_LANGUAGES);
    assert_string_equal(languages.ids[PRFDATA_MAX_TITLE_LANGUAGES - 1], "FFF");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_title_list_finds_every_title),
        cmocka_unit_test(test_title_list_truncation_loses_only_what_is_cut),
        cmocka_unit_test(test_title_list_odd_indexes_are_skipped),
        cmocka_unit_test(test_title_list_matches_what_is_there),
        cmocka_unit_test(test_title_list_counts_a_repeated_index_once),
        cmocka_unit_test(test_title_list_long_texts_are_no_matches),
        cmocka_unit_test(test_title_list_places_of_a_text_are_found_in_turn),
        cmocka_unit_test(test_title_languages_are_three_digits_in_order),
        cmocka_unit_test(test_title_languages_have_a_bound),
    };

    return cmocka_run_group_tests_name("title_list", tests, NULL, NULL);
}
