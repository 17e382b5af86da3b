/* SPDX-License-Identifier: MIT */
/* Tests queries with the sample map at First Counter 9100: queues are 9100 (counters 9102 to 9106),
 * costly workers 9108 (counter 9110), consumers 9112 (counter 9114). The parents of consumers are
 * queues. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "collect/query.h"
#include "support/sample_map.h"

enum { FIRST_COUNTER = 9100, OBJECTS = 3 };

static sample_map sample;
static prfdata_model *model;

static int make_model(void **state)
{
    (void)state;
    sample_map_init(&sample);
    assert_int_equal(prfdata_model_make(&sample.map, &model), ERROR_SUCCESS);
    assert_int_equal(model->object_count, OBJECTS);
    return 0;
}

static int free_model(void **state)
{
    (void)state;
    prfdata_model_free(model);
    return 0;
}

/* Parses a copy that fills its memory block, so that the sanitizer notices a read after its end. */
static bool parse(const char *text, bool *wanted, bool *metadata)
{
    const size_t length = strlen(text);
    uint16_t *chars = malloc((length + 1) * sizeof(*chars));
    bool any;

    assert_non_null(chars);
    for (size_t i = 0; i <= length; i++)
        chars[i] = (unsigned char)text[i];
    memset(wanted, 0xFF, OBJECTS * sizeof(*wanted));
    *metadata = true;
    any = prfdata_query_parse(chars, model, FIRST_COUNTER, wanted, metadata);
    free(chars);
    return any;
}

typedef struct query_row {
    const char *text;
    /* One letter per wanted object: q, w, c; upper case if metadata is wanted. */
    const char *wanted;
} query_row;

static void expect_rows(const query_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool wanted[OBJECTS], metadata;
        char found[OBJECTS + 1] = "";
        size_t used = 0;
        bool any = parse(rows[i].text, wanted, &metadata);

        for (size_t j = 0; j < OBJECTS; j++)
            if (wanted[j])
                found[used++] = (metadata ? "QWC" : "qwc")[j];
        found[used] = '\0';
        if (strcmp(found, rows[i].wanted) != 0)
            fail_msg("\"%s\" wants \"%s\"", rows[i].text, found);
        assert_int_equal(any, used > 0);
    }
}

#define EXPECT_ROWS(rows) expect_rows(rows, sizeof(rows) / sizeof((rows)[0]))

static void test_query_words_select_groups_of_objects(void **state)
{
    static const query_row rows[] = {
        {"Global", "qc"},         {"global", "qc"},        {"GLOBAL", "qc"},
        {"Costly", "w"},          {"cOSTLY", "w"},         {"MetadataGlobal", "QC"},
        {"METADATAGLOBAL", "QC"}, {"MetadataCostly", "W"},
    };

    (void)state;
    EXPECT_ROWS(rows);
}

static void test_query_old_prefix_changes_nothing(void **state)
{
    static const query_row rows[] = {
        {"OLD_Global", "qc"},
        {"old_global", "qc"},
        {"OLD_Costly", "w"},
        {"OLD_MetadataGlobal", "QC"},
        {"OLD_MetadataCostly", "W"},
        {"OLD_9100", "q"},
        {"OLD_9100 9108", "qw"},
        {"OLD_", ""},
        {"OLD_OLD_Global", ""},
        {"OLD Global", ""},
        {"OLD_ Global", ""},
        {"OLD_Foreign", ""},
        {"OLD", ""},
        {"_Global", ""},
        {"9108 OLD_9100 Global", "w"},
    };

    (void)state;
    EXPECT_ROWS(rows);
}

static void test_query_numbers_select_objects_and_their_parents(void **state)
{
    static const query_row rows[] = {
        {"9100", "q"},           {"9108", "w"},
        {"9112", "qc"},          {"9112 9108", "qwc"},
        {"9108 9108 9108", "w"}, {"2 9108 238", "w"},
        {"0009108", "w"},        {"0000000000000000000000000000000000000000000000000009100", "q"},
    };

    (void)state;
    EXPECT_ROWS(rows);
}

static void test_query_blanks_of_any_kind_separate_words(void **state)
{
    static const query_row rows[] = {
        {"   9100   9108   ", "qw"},
        {"\t9100\t9108\t", "qw"},
        {"9100\r\n9108\v\f", "qw"},
        {" \t Global \t ", "qc"},
        {"9100\xA0"
         "9108",
         ""}, /* U+00A0 is not a blank */
    };

    (void)state;
    EXPECT_ROWS(rows);
}

static void test_query_numbers_are_compared_whole(void **state)
{
    static const query_row rows[] = {
        {"910", ""},       {"100", ""},     {"91", ""},    {"9", ""},      {"91000", ""},
        {"19100", ""},     {"191001", ""},  {"9100a", ""}, {"a9100", ""},  {"9100,9108", ""},
        {"9100;", ""},     {"+9100", ""},   {"-9100", ""}, {"9100.0", ""}, {"0x238C", ""},
        {"9100-9112", ""}, {"9 1 0 0", ""},
    };

    (void)state;
    EXPECT_ROWS(rows);
}

static void test_query_numbers_of_counters_and_help_select_nothing(void **state)
{
    static const query_row rows[] = {
        {"9102", ""}, {"9104", ""}, {"9106", ""}, {"9110", ""}, {"9114", ""}, {"9101", ""},
        {"9109", ""}, {"9098", ""}, {"9116", ""}, {"0", ""},    {"2", ""},
    };

    (void)state;
    EXPECT_ROWS(rows);
}

static void test_query_numbers_wrap_nowhere(void **state)
{
    static const query_row rows[] = {
        {"4294976396", ""},           /* 2^32 + 9100 */
        {"18446744073709560716", ""}, /* 2^64 + 9100 */
        {"4294967295", ""},
        {"4294967296", ""},
        {"18446744073709551616", ""},
        {"99999999999999999999999999999 9100", "q"},
        {"9100 99999999999999999999999999999", "q"},
        {"4294967295 9100", "q"},
    };

    (void)state;
    EXPECT_ROWS(rows);
}

static void test_query_other_words_among_numbers_are_skipped(void **state)
{
    static const query_row rows[] = {
        {"9100 Global", "q"},      {"9100 nonsense 9108", "qw"}, {"9100 Costly", "q"},
        {"9100 9108x 9108", "qw"}, {"9108 9100x", "w"},
    };

    (void)state;
    EXPECT_ROWS(rows);
}

static void test_query_everything_else_selects_nothing(void **state)
{
    static const query_row rows[] = {
        {"", ""},
        {" ", ""},
        {"\t\r\n", ""},
        {"nonsense", ""},
        {"nonsense 9100", ""},
        {"9100x", ""},
        {"9100x 9108", ""},
        {"Foreign", ""},
        {"Foreign host", ""},
        {"Foreign 9100", ""},
        {"Foreign host 9100", ""},
        {"foreign host Global", ""},
        {"Counter 009", ""},
        {"Counter 9100", ""},
        {"Help 009", ""},
        {"Explain 009", ""},
        {"Globa", ""},
        {"Globals", ""},
        {"Global,", ""},
        {"xGlobal", ""},
        {"Costlyy", ""},
        {"Metadata", ""},
        {"MetadataForeign", ""},
        {"Metadata Global", ""},
        {"\"Global\"", ""},
    };

    (void)state;
    EXPECT_ROWS(rows);
}

/* Metadata has no instances, so readers need no parent. */
static void test_query_parents_of_costly_objects_come_but_not_for_metadata(void **state)
{
    static const query_row rows[] = {
        {"Costly", "qwc"}, {"Global", "q"}, {"MetadataCostly", "WC"}, {"MetadataGlobal", "Q"}};
    prfdata_model *before = model;
    static sample_map costly;

    (void)state;
    sample_map_init(&costly);
    sample_map_insert_option(&costly, CONSUMERS_PARENT, PRFDATA_OPTION_COSTLY, 0);
    assert_int_equal(prfdata_model_make(&costly.map, &model), ERROR_SUCCESS);
    EXPECT_ROWS(rows);
    prfdata_model_free(model);
    model = before;
}

static void test_query_null_selects_nothing(void **state)
{
    bool wanted[OBJECTS] = {true, true, true}, metadata = true;

    (void)state;
    assert_false(prfdata_query_parse(NULL, model, FIRST_COUNTER, wanted, &metadata));
    assert_false(metadata);
    for (size_t i = 0; i < OBJECTS; i++)
        assert_false(wanted[i]);
}

/* The queries are 10,000 digits by themselves, 10,000 digits before or after one of our indexes,
 * and 10,000 words before one of our indexes. */
static void test_query_may_be_of_any_length(void **state)
{
    enum { DIGITS = 10000 };
    static char text[6 * DIGITS];
    query_row rows[] = {{text, ""}, {text, "q"}, {text, "q"}, {text, "w"}};

    (void)state;
    memset(text, '7', DIGITS);
    expect_rows(&rows[0], 1);
    strcpy(text + DIGITS, " 9100");
    expect_rows(&rows[1], 1);
    strcpy(text, "9100 ");
    memset(text + 5, '9', DIGITS);
    text[5 + DIGITS] = '\0';
    expect_rows(&rows[2], 1);
    text[0] = '\0';
    for (size_t i = 0; i < DIGITS; i++)
        memcpy(text + 5 * i, "9102 ", 6);
    strcpy(text + 5 * DIGITS, "9108");
    expect_rows(&rows[3], 1);
}

/* A UTF-16 unit above 0x7F is not taken for an ASCII character. */
static void test_query_compares_whole_utf16_chars(void **state)
{
    uint16_t digits[] = {'9' + 0x100, '1' + 0x100, '0' + 0x100, '0' + 0x100, 0};
    uint16_t global[] = {'G', 'l', 'o', 'b', 'a', 'l' + 0x100, 0};
    bool wanted[OBJECTS], metadata;

    (void)state;
    assert_false(prfdata_query_parse(digits, model, FIRST_COUNTER, wanted, &metadata));
    assert_false(prfdata_query_parse(global, model, FIRST_COUNTER, wanted, &metadata));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_query_words_select_groups_of_objects),
        cmocka_unit_test(test_query_old_prefix_changes_nothing),
        cmocka_unit_test(test_query_numbers_select_objects_and_their_parents),
        cmocka_unit_test(test_query_blanks_of_any_kind_separate_words),
        cmocka_unit_test(test_query_numbers_are_compared_whole),
        cmocka_unit_test(test_query_numbers_of_counters_and_help_select_nothing),
        cmocka_unit_test(test_query_numbers_wrap_nowhere),
        cmocka_unit_test(test_query_other_words_among_numbers_are_skipped),
        cmocka_unit_test(test_query_everything_else_selects_nothing),
        cmocka_unit_test(test_query_parents_of_costly_objects_come_but_not_for_metadata),
        cmocka_unit_test(test_query_null_selects_nothing),
        cmocka_unit_test(test_query_may_be_of_any_length),
        cmocka_unit_test(test_query_compares_whole_utf16_chars),
    };

    return cmocka_run_group_tests_name("query", tests, make_model, free_model);
}
