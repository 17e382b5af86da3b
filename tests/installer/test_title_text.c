/* SPDX-License-Identifier: MIT */
/* Tests the title files. The folder ini/ has the expected files of the sample maps. The rules are
 * in Microsoft's page "Adding Counter Names and Descriptions to the Registry". */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hwinput_map.h"
#include "titles/title_text.h"

typedef struct expected_text {
    unsigned char *bytes;
    size_t size;
} expected_text;

/* The languages besides English. If it is {0}, there is only English. */
static prfdata_title_languages other_languages;

static expected_text make_ini(const prfdata_map *map)
{
    prfdata_model *model = NULL;
    void *bytes = NULL;
    expected_text ini = {0};

    assert_int_equal(prfdata_model_make(map, &model), ERROR_SUCCESS);
    assert_int_equal(prfdata_title_text_ini(model, &other_languages, &bytes, &ini.size),
                     ERROR_SUCCESS);
    prfdata_model_free(model);
    ini.bytes = bytes;
    return ini;
}

static expected_text make_header(const prfdata_map *map)
{
    prfdata_model *model = NULL;
    void *bytes = NULL;
    expected_text header = {0};

    assert_int_equal(prfdata_model_make(map, &model), ERROR_SUCCESS);
    assert_int_equal(prfdata_title_text_header(model, &bytes, &header.size), ERROR_SUCCESS);
    prfdata_model_free(model);
    header.bytes = bytes;
    return header;
}

static expected_text read_file(const char *name)
{
    const char *source = getenv("PRFDATA_SOURCE_DIR");
    char path[1024];
    expected_text file = {malloc(65536), 0};
    FILE *stream;

    assert_non_null(source);
    assert_non_null(file.bytes);
    snprintf(path, sizeof path, "%s/ini/%s", source, name);
    stream = fopen(path, "rb");
    if (!stream)
        fail_msg("no %s", path);
    file.size = fread(file.bytes, 1, 65536, stream);
    fclose(stream);
    return file;
}

static void assert_same(expected_text made, expected_text wanted)
{
    assert_int_equal(made.size, wanted.size);
    assert_memory_equal(made.bytes, wanted.bytes, wanted.size);
    free(made.bytes);
    free(wanted.bytes);
}

/* Return the .ini file as ASCII, with '?' for other characters, and check its encoding. */
static char *narrow(expected_text ini)
{
    char *ascii = malloc(ini.size / 2 + 1);
    size_t used = 0;

    assert_non_null(ascii);
    assert_int_equal(ini.size % 2, 0);
    assert_int_equal(ini.bytes[0], 0xFF);
    assert_int_equal(ini.bytes[1], 0xFE);
    for (size_t i = 2; i < ini.size; i += 2)
        ascii[used++] = ini.bytes[i + 1] == 0 && ini.bytes[i] < 0x80 ? (char)ini.bytes[i] : '?';
    ascii[used] = 0;
    free(ini.bytes);
    return ascii;
}

/* clang-format off */
PRFDATA_DEFINE_OBJECT(THINGS, 1);
PRFDATA_DEFINE_COUNTER(THINGS_HITS, 2);
PRFDATA_DEFINE_COUNTER(THINGS_BASE, 3);
PRFDATA_DEFINE_COUNTER(THINGS_SIZE, 4);

PRFDATA_MAP_BEGIN_AS(things_map)
    PRFDATA_MAP_OBJ(THINGS, L"Things", L"Help; with = signs.", PERF_DETAIL_NOVICE, THINGS_HITS,
                    8, 20)
    PRFDATA_MAP_CTR(THINGS_HITS, L"Hits %", L"A fraction.", PERF_DETAIL_NOVICE, 0,
                    PERF_RAW_FRACTION)
    PRFDATA_MAP_CTR(THINGS_BASE, L"Hits base", L"Its base.", PERF_DETAIL_NOVICE, 0, PERF_RAW_BASE)
    PRFDATA_MAP_CTR(THINGS_SIZE, L"Gr\u00F6\u00DFe", L"\U0001F600 is not ASCII.",
                    PERF_DETAIL_NOVICE, 0, PERF_COUNTER_RAWCOUNT)
PRFDATA_MAP_END_AS(things_map, "My Things 1.0")
/* clang-format on */

static void test_title_text_sample_equals_checked_in_files(void **state)
{
    (void)state;
    assert_same(make_ini(&hwinput_map), read_file("HWInputMon.ini"));
    assert_same(make_header(&hwinput_map), read_file("HWInputMon.h"));
}

/* The .ini file of things_map. `languages` has the lines of the languages after English, and
 * `texts` has the texts in these languages. */
#define THINGS_INI(languages, texts)                                                               \
    "\r\n[info]\r\n"                                                                               \
    "drivername=My Things 1.0\r\n"                                                                 \
    "symbolfile=My Things 1.0.h\r\n"                                                               \
    "\r\n[objects]\r\n"                                                                            \
    "THINGS_009_NAME=\r\n"                                                                         \
    "\r\n[languages]\r\n"                                                                          \
    "009=English\r\n" languages "\r\n[text]\r\n" THINGS_TEXTS("009") texts

#define THINGS_TEXTS(language)                                                                     \
    "THINGS_" language "_NAME=Things\r\n"                                                          \
    "THINGS_" language "_HELP=Help; with = signs.\r\n"                                             \
    "THINGS_HITS_" language "_NAME=Hits %\r\n"                                                     \
    "THINGS_HITS_" language "_HELP=A fraction.\r\n"                                                \
    "THINGS_SIZE_" language "_NAME=Gr??e\r\n"                                                      \
    "THINGS_SIZE_" language "_HELP=?? is not ASCII.\r\n"

static void test_title_text_ini_has_every_section(void **state)
{
    char *ini = narrow(make_ini(&things_map));

    (void)state;
    assert_string_equal(ini, THINGS_INI("", ""));
    free(ini);
}

/* The installer of .NET, too, stores English texts in every language, because readers of a language
 * without texts show numbers. */
static void test_title_text_ini_has_the_english_texts_in_every_language(void **state)
{
    char *ini;

    (void)state;
    prfdata_title_languages_add(&other_languages, L"804");
    prfdata_title_languages_add(&other_languages, L"00c");
    ini = narrow(make_ini(&things_map));
    memset(&other_languages, 0, sizeof other_languages);
    assert_string_equal(
        ini, THINGS_INI("00C=English\r\n804=English\r\n", THINGS_TEXTS("00C") THINGS_TEXTS("804")));
    free(ini);
}

static void test_title_text_ini_is_utf_16_with_surrogates(void **state)
{
    /* U+1F600 and a blank in little-endian order. */
    static const unsigned char smile[] = {0x3D, 0xD8, 0x00, 0xDE, ' ', 0};
    expected_text ini = make_ini(&things_map);
    size_t found = 0;

    (void)state;
    for (size_t i = 0; i + sizeof smile <= ini.size; i += 2)
        found += memcmp(ini.bytes + i, smile, sizeof smile) == 0;
    assert_int_equal(found, 1);
    free(ini.bytes);
}

/* U+FEFF may be in a text. It is a byte order mark only at the beginning of the file. */
static void test_title_text_mark_inside_a_text_is_a_character(void **state)
{
    static const unsigned char name[] = {'=', 0, 0xFF, 0xFE, 'G', 0, 0xFF, 0xFE, '\r', 0};
    prfdata_map_entry entries[8];
    prfdata_map map = things_map;
    size_t found = 0;
    expected_text ini;

    (void)state;
    assert_in_range(map.entry_count, 4, 8);
    memcpy(entries, map.entries, map.entry_count * sizeof entries[0]);
    map.entries = entries;
    entries[3].name = L"\uFEFFG\uFEFF";
    assert_int_equal(prfdata_map_check(&map, NULL, 0), 0);
    ini = make_ini(&map);
    for (size_t i = 0; i + sizeof name <= ini.size; i += 2)
        found += memcmp(ini.bytes + i, name, sizeof name) == 0;
    assert_int_equal(found, 1);
    free(ini.bytes);
}

static void test_title_text_header_skips_bases_without_a_gap(void **state)
{
    static const char wanted[] = "#define THINGS 0\r\n"
                                 "#define THINGS_HITS 2\r\n"
                                 "#define THINGS_SIZE 4\r\n";
    expected_text header = make_header(&things_map);

    (void)state;
    assert_int_equal(header.size, sizeof wanted - 1);
    assert_memory_equal(header.bytes, wanted, header.size);
    free(header.bytes);
}

/* A number that is no longer used has a symbol and a text, but it is not an object. */
static void test_title_text_unused_numbers_have_a_line(void **state)
{
    static const uint32_t numbers[] = {3, 0, 1};
    static const char defines[] = "#define THINGS_HITS 0\r\n"
                                  "#define THINGS_SIZE 2\r\n"
                                  "#define PRFDATA_NO_LONGER_USED_4 4\r\n"
                                  "#define THINGS 6\r\n";
    static const char line[] = "PRFDATA_NO_LONGER_USED_4_009_NAME=(no longer used)\r\n"
                               "PRFDATA_NO_LONGER_USED_4_009_HELP=(no longer used)\r\n";
    prfdata_model *model = NULL;
    void *bytes = NULL;
    char ascii[4096];
    size_t size;

    (void)state;
    assert_int_equal(prfdata_model_make(&things_map, &model), ERROR_SUCCESS);
    prfdata_model_set_numbers(model, numbers, 4);
    assert_int_equal(prfdata_title_text_header(model, &bytes, &size), ERROR_SUCCESS);
    assert_int_equal(size, sizeof defines - 1);
    assert_memory_equal(bytes, defines, size);
    free(bytes);
    assert_int_equal(prfdata_title_text_ini(model, &other_languages, &bytes, &size), ERROR_SUCCESS);
    assert_in_range(size / 2, 1, sizeof ascii - 1);
    for (size_t i = 0; i < size / 2; i++)
        ascii[i] = ((const char *)bytes)[2 * i] ? ((const char *)bytes)[2 * i] : '?';
    ascii[size / 2] = 0;
    assert_non_null(strstr(ascii, line));
    assert_non_null(strstr(ascii, "[objects]\r\nTHINGS_009_NAME=\r\n\r\n[languages]"));
    free(bytes);
    prfdata_model_free(model);
}

/* ---- Recognising ---- */

static void assert_own_pair(expected_text ini, expected_text header)
{
    assert_true(prfdata_title_text_is_own_ini(ini.bytes, ini.size));
    assert_true(prfdata_title_text_is_own_header(header.bytes, header.size, ini.bytes, ini.size));
    free(header.bytes);
    free(ini.bytes);
}

static void test_title_text_knows_its_own_files(void **state)
{
    static const uint32_t numbers[] = {3, 0, 1};
    prfdata_model *model = NULL;
    expected_text ini = {0}, header = {0};
    void *bytes[2] = {NULL, NULL};

    (void)state;
    assert_own_pair(make_ini(&things_map), make_header(&things_map));
    assert_own_pair(make_ini(&hwinput_map), make_header(&hwinput_map));
    assert_own_pair(read_file("RasSample.ini"), read_file("RasSample.h"));
    /* Now each text is there in two languages. */
    strcpy(other_languages.ids[other_languages.count++], "00C");
    assert_own_pair(make_ini(&things_map), make_header(&things_map));
    other_languages.count = 0;
    /* With these numbers, there are gaps between the titles. */
    assert_int_equal(prfdata_model_make(&things_map, &model), ERROR_SUCCESS);
    prfdata_model_set_numbers(model, numbers, 4);
    assert_int_equal(prfdata_title_text_header(model, &bytes[0], &header.size), ERROR_SUCCESS);
    assert_int_equal(prfdata_title_text_ini(model, &other_languages, &bytes[1], &ini.size),
                     ERROR_SUCCESS);
    header.bytes = bytes[0];
    ini.bytes = bytes[1];
    assert_own_pair(ini, header);
    prfdata_model_free(model);
}

static expected_text widen(const char *ascii)
{
    expected_text ini = {malloc(2 * strlen(ascii) + 1), 2 * strlen(ascii)};

    assert_non_null(ini.bytes);
    for (size_t i = 0; ascii[i]; i++) {
        ini.bytes[2 * i] = (unsigned char)ascii[i];
        ini.bytes[2 * i + 1] = 0;
    }
    return ini;
}

static void test_title_text_lines_that_are_no_language_are_none(void **state)
{
    expected_text ini = widen("007=before\r\n[languages]\r\n00C=French\r\n007\r\n"
                              "0070=x\r\n\r\n[text]\r\n011=Japanese\r\n");
    prfdata_title_languages found = {.count = 7};

    (void)state;
    prfdata_title_text_languages(ini.bytes, ini.size, &found);
    assert_int_equal(found.count, 1);
    assert_string_equal(found.ids[0], "00C");
    free(ini.bytes);
}

static void test_title_text_finds_the_languages_of_an_ini(void **state)
{
    prfdata_title_languages found = {.count = 7};
    expected_text ini;

    (void)state;
    other_languages.count = 0;
    prfdata_title_languages_add(&other_languages, L"007");
    prfdata_title_languages_add(&other_languages, L"00C");
    ini = make_ini(&things_map);
    prfdata_title_text_languages(ini.bytes, ini.size, &found);
    assert_int_equal(found.count, 2);
    assert_string_equal(found.ids[0], "007");
    assert_string_equal(found.ids[1], "00C");
    for (size_t i = 0; i < ini.size; i++) { /* tries every beginning of the file */
        unsigned char *cut = malloc(i + 1);

        assert_non_null(cut);
        memcpy(cut, ini.bytes, i);
        prfdata_title_text_languages(cut, i, &found);
        assert_in_range(found.count, 0, 2);
        free(cut);
    }
    free(ini.bytes);
    other_languages.count = 0;
    ini = make_ini(&things_map);
    prfdata_title_text_languages(ini.bytes, ini.size, &found);
    assert_int_equal(found.count, 0);
    free(ini.bytes);
}

/* A file is recognised as another program's if any byte of its beginning differs from what
 * PrfData writes. */
static void test_title_text_files_of_others_are_not_its_own(void **state)
{
    static const char other[] = "[info]\r\ndrivername=X\r\nsymbolfile=X.h\r\n";
    expected_text ini = make_ini(&things_map), header = make_header(&things_map);
    const size_t known = 2 * strlen("?" /* the mark */ "\r\n[info]\r\ndrivername=My Things 1.0\r\n"
                                    "symbolfile=My Things 1.0.h\r\n\r\n[objects]\r\n");

    (void)state;
    assert_false(prfdata_title_text_is_own_ini(other, sizeof other - 1));
    for (size_t i = 0; i < known; i++) {
        /* An allocation of exactly its size, so that the sanitizer notices a read after its end. */
        unsigned char *cut = malloc(i + 1);

        assert_non_null(cut);
        memcpy(cut, ini.bytes, i);
        assert_false(prfdata_title_text_is_own_ini(cut, i));
        free(cut);
        ini.bytes[i] ^= 0x20;
        assert_false(prfdata_title_text_is_own_ini(ini.bytes, ini.size));
        ini.bytes[i] ^= 0x20;
    }
    assert_true(prfdata_title_text_is_own_ini(ini.bytes, known));
    for (size_t i = 0; i < header.size; i++) {
        header.bytes[i] ^= 1;
        assert_false(
            prfdata_title_text_is_own_header(header.bytes, header.size, ini.bytes, ini.size));
        header.bytes[i] ^= 1;
        assert_false(prfdata_title_text_is_own_header(header.bytes, i, ini.bytes, ini.size));
    }
    assert_false(
        prfdata_title_text_is_own_header(header.bytes, header.size, other, sizeof other - 1));
    free(ini.bytes);
    free(header.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_title_text_sample_equals_checked_in_files),
        cmocka_unit_test(test_title_text_ini_has_every_section),
        cmocka_unit_test(test_title_text_ini_has_the_english_texts_in_every_language),
        cmocka_unit_test(test_title_text_ini_is_utf_16_with_surrogates),
        cmocka_unit_test(test_title_text_mark_inside_a_text_is_a_character),
        cmocka_unit_test(test_title_text_header_skips_bases_without_a_gap),
        cmocka_unit_test(test_title_text_unused_numbers_have_a_line),
        cmocka_unit_test(test_title_text_knows_its_own_files),
        cmocka_unit_test(test_title_text_lines_that_are_no_language_are_none),
        cmocka_unit_test(test_title_text_finds_the_languages_of_an_ini),
        cmocka_unit_test(test_title_text_files_of_others_are_not_its_own),
    };

    return cmocka_run_group_tests_name("title_text", tests, NULL, NULL);
}
