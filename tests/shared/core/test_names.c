/* SPDX-License-Identifier: MIT */
/* Tests names.c and names_convert.c: conversions, case folding, and clean names of instances. */
#include <stdlib.h>
#include <string.h>

#include "names/names.h"
#include "support/test.h"

#define UNITS(array) (sizeof(array) / sizeof((array)[0]))

/* A text with one character of each length in UTF-8. */
static const wchar_t sample_wide[] = L"a\u00E9\u20AC\U00010437";
static const char sample_utf8[] = "a\xC3\xA9\xE2\x82\xAC\xF0\x90\x90\xB7";
static const uint16_t sample_utf16[] = {'a', 0xE9, 0x20AC, 0xD801, 0xDC37};

/* These conversions never write more than `capacity`, and return the length of the whole text. */
static void test_names_utf16_from_wide_any_capacity_writes_no_more(void **state)
{
    (void)state;
    for (size_t capacity = 1; capacity <= UNITS(sample_utf16) + 1; capacity++) {
        uint16_t *chars = malloc(capacity * sizeof(*chars));
        size_t fitting = capacity < UNITS(sample_utf16) ? capacity : UNITS(sample_utf16);

        assert_non_null(chars);
        assert_int_equal(prfdata_names_utf16_from_wide(sample_wide, chars, capacity),
                         UNITS(sample_utf16));
        assert_memory_equal(chars, sample_utf16, fitting * sizeof(*chars));
        free(chars);
    }
    assert_int_equal(prfdata_names_utf16_from_wide(sample_wide, NULL, 0), UNITS(sample_utf16));
    assert_int_equal(prfdata_names_utf16_from_wide(L"", NULL, 0), 0);
}

static void test_names_utf8_from_wide_any_capacity_writes_no_more(void **state)
{
    (void)state;
    for (size_t capacity = 1; capacity <= sizeof(sample_utf8); capacity++) {
        char *bytes = malloc(capacity);
        size_t size = sizeof(sample_utf8) - 1;

        assert_non_null(bytes);
        assert_int_equal(prfdata_names_utf8_from_wide(sample_wide, bytes, capacity), size);
        assert_memory_equal(bytes, sample_utf8, capacity < size ? capacity : size);
        free(bytes);
    }
    assert_int_equal(prfdata_names_utf8_from_wide(sample_wide, NULL, 0), sizeof(sample_utf8) - 1);
}

static void test_names_utf8_from_utf16_any_capacity_writes_no_more(void **state)
{
    (void)state;
    for (size_t capacity = 1; capacity <= sizeof(sample_utf8); capacity++) {
        char *bytes = malloc(capacity);
        size_t size = sizeof(sample_utf8) - 1;

        assert_non_null(bytes);
        assert_int_equal(
            prfdata_names_utf8_from_utf16(sample_utf16, UNITS(sample_utf16), bytes, capacity),
            size);
        assert_memory_equal(bytes, sample_utf8, capacity < size ? capacity : size);
        free(bytes);
    }
}

static void test_names_wide_without_a_character_is_refused(void **state)
{
    static const wchar_t texts[][4] = {
        {'a', (wchar_t)0xD801, 0},
        {(wchar_t)0xDC37, 'a', 0},
        {(wchar_t)0xD801, 'a', 0},
        {(wchar_t)0xDC37, (wchar_t)0xD801, 0},
#if WCHAR_MAX > 0xFFFF
        {(wchar_t)0xD801, (wchar_t)0xDC37, 0},
        {(wchar_t)0x110000, 0},
        {(wchar_t)-1, 0},
#endif
    };

    (void)state;
    for (size_t i = 0; i < UNITS(texts); i++) {
        assert_true(prfdata_names_utf16_from_wide(texts[i], NULL, 0) == SIZE_MAX);
        assert_true(prfdata_names_utf8_from_wide(texts[i], NULL, 0) == SIZE_MAX);
    }
}

static void test_names_wide_from_utf8_gives_the_text_back(void **state)
{
    wchar_t text[sizeof(sample_utf8)];

    (void)state;
    assert_int_equal(prfdata_names_wide_from_utf8(sample_utf8, sizeof(sample_utf8) - 1, text),
                     UNITS(sample_wide) - 1);
    assert_memory_equal(text, sample_wide, sizeof(sample_wide));
    assert_int_equal(prfdata_names_wide_from_utf8("", 0, text), 0);
    assert_true(text[0] == 0);
}

/* The first and the last character of each length, and the characters before and after the
 * surrogates. */
static void test_names_wide_from_utf8_takes_every_border(void **state)
{
    static const char *const texts[] = {
        "\x01",         "\x7F",         "\xC2\x80",     "\xDF\xBF",         "\xE0\xA0\x80",
        "\xED\x9F\xBF", "\xEE\x80\x80", "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"};

    (void)state;
    for (size_t i = 0; i < UNITS(texts); i++) {
        wchar_t text[5];
        char back[4];
        size_t size = strlen(texts[i]);

        assert_true(prfdata_names_wide_from_utf8(texts[i], size, text) <= 2);
        assert_int_equal(prfdata_names_utf8_from_wide(text, back, sizeof(back)), size);
        assert_memory_equal(back, texts[i], size);
    }
}

static void test_names_wide_from_utf8_refuses_what_is_no_utf8(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
    } texts[] = {
        {"\0", 1},   /* NUL */
        {"a\0b", 3}, /* NUL inside */
        {"\x80", 1}, /* begins with a continuation byte */
        {"\xBF", 1},
        {"\xC0\x80", 2}, /* overlong NUL */
        {"\xC1\xBF", 2}, /* overlong */
        {"\xE0\x9F\xBF", 3},
        {"\xF0\x8F\xBF\xBF", 4},
        {"\xED\xA0\x80", 3}, /* surrogates */
        {"\xED\xBF\xBF", 3},
        {"\xF4\x90\x80\x80", 4}, /* above 0x10FFFF */
        {"\xF5\x80\x80\x80", 4},
        {"\xFF", 1},
        {"\xC3", 1}, /* cut short */
        {"\xE2\x82", 2},
        {"\xF0\x90\x90", 3},
        {"\xC3\x41", 2}, /* no continuation */
        {"\xE2\x41\xAC", 3},
        {"\xE2\x82\xC3", 3},
    };

    (void)state;
    for (size_t i = 0; i < UNITS(texts); i++) {
        /* Copies the bytes to an allocation of exactly their size, so that the sanitizer notices a
         * read after the end. */
        char *bytes = malloc(texts[i].size);
        wchar_t text[8];

        assert_non_null(bytes);
        memcpy(bytes, texts[i].bytes, texts[i].size);
        assert_true(prfdata_names_wide_from_utf8(bytes, texts[i].size, text) == SIZE_MAX);
        free(bytes);
    }
}

static void test_names_utf8_from_utf16_replaces_lone_surrogates(void **state)
{
    static const uint16_t chars[] = {0xDC00, 'a', 0xD800, 'b', 0xD800};
    static const char expected[] = "\xEF\xBF\xBD"
                                   "a"
                                   "\xEF\xBF\xBD"
                                   "b"
                                   "\xEF\xBF\xBD";
    char bytes[32];

    (void)state;
    assert_int_equal(prfdata_names_utf8_from_utf16(chars, UNITS(chars), bytes, sizeof(bytes)),
                     sizeof(expected) - 1);
    assert_memory_equal(bytes, expected, sizeof(expected) - 1);
}

static void test_names_fold_known_characters(void **state)
{
    static const uint32_t pairs[][2] = {
        {'A', 'a'},
        {'Z', 'z'},
        {'@', '@'},
        {'[', '['},
        {'a', 'a'},
        {0xC4, 0xE4},
        {0xD7, 0xD7},
        {0xDF, 0xDF},
        {0xB5, 0x3BC},
        {0x100, 0x101},
        {0x101, 0x101},
        {0x130, 0x130},
        {0x131, 0x131},
        {0x178, 0xFF},
        {0x17F, 's'},
        {0x3A3, 0x3C3},
        {0x3C2, 0x3C3},
        {0x13A0, 0x13A0},
        {0xAB70, 0x13A0},
        {0x1E9E, 0xDF},
        {0x1F88, 0x1F80},
        {0x2126, 0x3C9},
        {0x212A, 'k'},
        {0xFF21, 0xFF41},
        {0x10400, 0x10428},
        {0x1E900, 0x1E922},
        {0xD800, 0xD800},
        {0x10FFFF, 0x10FFFF},
        {UINT32_MAX, UINT32_MAX},
    };

    (void)state;
    for (size_t i = 0; i < UNITS(pairs); i++)
        assert_int_equal(prfdata_names_fold(pairs[i][0]), pairs[i][1]);
}

/* The expected numbers are not from our code. Python 3.11's str.casefold (Unicode 14) gives the
 * results of one character. CaseFolding.txt gives those of the 28 characters with status S. */
static void test_names_fold_whole_table_has_the_known_sum(void **state)
{
    int64_t folded = 0, sum = 0;

    (void)state;
    for (uint32_t code = 0; code <= 0x10FFFF; code++) {
        uint32_t to = prfdata_names_fold(code);

        if (to != code)
            folded++;
        sum += (int64_t)to - (int64_t)code;
        assert_int_equal(prfdata_names_fold(to), to); /* folding twice changes nothing */
    }
    assert_int_equal(folded, 1454);
    assert_int_equal(sum, -3547545);
}

static void test_names_equal_ignores_case(void **state)
{
    static const uint16_t a[] = {'A', 0xC4, 0xD801, 0xDC00, 0xD800};
    static const uint16_t b[] = {'a', 0xE4, 0xD801, 0xDC28, 0xD800};

    (void)state;
    assert_true(prfdata_names_equal(a, UNITS(a), b, UNITS(b)));
    assert_true(prfdata_names_equal(a, 0, b, 0));
    assert_false(prfdata_names_equal(a, 1, b, 2));
    assert_false(prfdata_names_equal(a, 0, b, 1));
    assert_false(prfdata_names_equal(a, 1, b + 1, 1));
    /* The low half alone, without its high half, is another character. */
    assert_false(prfdata_names_equal(a + 3, 1, b + 3, 1));
}

static void test_names_wide_equal_ignores_case(void **state)
{
    (void)state;
    assert_true(prfdata_names_wide_equal(L"", L""));
    assert_true(prfdata_names_wide_equal(L"A\u00C4\U00010400", L"a\u00E4\U00010428"));
    assert_false(prfdata_names_wide_equal(L"A", L"AB"));
    assert_false(prfdata_names_wide_equal(L"AB", L"A"));
    assert_false(prfdata_names_wide_equal(L"A", L"B"));
}

static void test_names_hash_is_equal_for_equal_names_only(void **state)
{
    static const uint16_t a[] = {'A', 0xC4, 0xD801, 0xDC00};
    static const uint16_t b[] = {'a', 0xE4, 0xD801, 0xDC28};
    static const uint16_t c[] = {'a', 0xE4, 0xD801, 0xDC29};

    (void)state;
    assert_true(prfdata_names_hash(a, UNITS(a), 7) == prfdata_names_hash(b, UNITS(b), 7));
    assert_false(prfdata_names_hash(a, UNITS(a), 7) == prfdata_names_hash(c, UNITS(c), 7));
    assert_false(prfdata_names_hash(a, UNITS(a), 7) == prfdata_names_hash(a, UNITS(a), 8));
    assert_false(prfdata_names_hash(a, 1, 7) == prfdata_names_hash(a, 0, 7));
}

/* Names in programs often differ in one digit only. The low bits of their hashes must not collide
 * too often. */
static void test_names_hash_spreads_numbered_names(void **state)
{
    unsigned char used[4096] = {0};
    size_t slots = 0;

    (void)state;
    for (unsigned i = 0; i < 4096; i++) {
        uint16_t name[] = {'P', 'o', 'r', 't', ' ', 0, 0, 0, 0};

        for (size_t digit = 0; digit < 4; digit++)
            name[8 - digit] = (uint16_t)('0' + i /
                                                   (digit == 0   ? 1
                                                    : digit == 1 ? 10
                                                    : digit == 2 ? 100
                                                                 : 1000) %
                                                   10);
        used[prfdata_names_hash(name, UNITS(name), 0) % UNITS(used)] = 1;
    }
    for (size_t i = 0; i < UNITS(used); i++)
        slots += used[i];
    assert_in_range(slots, 2400, 4096); /* random numbers would use 63 % of the slots: 2,589 */
}

static void test_names_clean_makes_paths_harmless(void **state)
{
    uint16_t chars[] = {'a',  '(',  ')',  '#',  '/',  '\\', '*',    0,      0x1F,   0x20,  0x7E,
                        0x7F, 0x80, 0x9F, 0xA0, 0xE4, '[',  0xD801, 0xDC37, 0xDC00, 0xD800};
    static const uint16_t expected[] = {'a',  '[',  ']',  '_',    '_',    '_', '_',
                                        '_',  '_',  0x20, 0x7E,   '_',    '_', '_',
                                        0xA0, 0xE4, '[',  0xD801, 0xDC37, '_', '_'};

    (void)state;
    prfdata_names_clean(chars, UNITS(chars));
    assert_memory_equal(chars, expected, sizeof(chars));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_utf16_from_wide_any_capacity_writes_no_more),
        cmocka_unit_test(test_names_utf8_from_wide_any_capacity_writes_no_more),
        cmocka_unit_test(test_names_utf8_from_utf16_any_capacity_writes_no_more),
        cmocka_unit_test(test_names_wide_without_a_character_is_refused),
        cmocka_unit_test(test_names_wide_from_utf8_gives_the_text_back),
        cmocka_unit_test(test_names_wide_from_utf8_takes_every_border),
        cmocka_unit_test(test_names_wide_from_utf8_refuses_what_is_no_utf8),
        cmocka_unit_test(test_names_utf8_from_utf16_replaces_lone_surrogates),
        cmocka_unit_test(test_names_fold_known_characters),
        cmocka_unit_test(test_names_fold_whole_table_has_the_known_sum),
        cmocka_unit_test(test_names_equal_ignores_case),
        cmocka_unit_test(test_names_wide_equal_ignores_case),
        cmocka_unit_test(test_names_hash_is_equal_for_equal_names_only),
        cmocka_unit_test(test_names_hash_spreads_numbered_names),
        cmocka_unit_test(test_names_clean_makes_paths_harmless),
    };

    return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
