/* SPDX-License-Identifier: MIT */
/* Tests the dump of a data block. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "block/dump.h"
#include "support/reader/wire.h"

static void name_title(prfdata_name_table *table, uint32_t index, const char *name)
{
    uint16_t chars[32];
    prfdata_text text = {chars, strlen(name)};

    for (size_t i = 0; i < text.count; i++)
        chars[i] = (unsigned char)name[i];
    assert_int_equal(prfdata_name_table_add(table, index, text), 0);
}

/* Dumps a copy of the block that has exactly `size` bytes, so that sanitizers notice a read beyond
 * them. The caller frees the dump. */
static char *dump_of(const void *bytes, size_t size, uint32_t expected_damages)
{
    void *copy = malloc(size > 0 ? size : 1);
    prfdata_name_table table = {0};
    prfdata_output output = {0};

    assert_non_null(copy);
    memcpy(copy, bytes, size);
    name_title(&table, 100, "Jobs");
    name_title(&table, 102, "Done/sec");
    assert_int_equal(prfdata_dump_put(&output, copy, size, &table), expected_damages);
    prfdata_output_put(&output, "", 1);
    assert_false(output.failed);
    prfdata_name_table_free(&table);
    free(copy);
    return output.bytes;
}

static void make_small(wire *w)
{
    size_t object;

    wire_begin(w, 1);
    object = wire_object(w, 100, 1, 1, 0);
    wire_counter(w, 102, 0x10410500, 8, 8);
    wire_instance(w, 100, 3, -1, "ab");
    wire_value64(w, 258);
    wire_put64(w, 0);
    wire_object_end(w, object);
    wire_end(w);
}

static const char small_dump[] =
    "PERF_DATA_BLOCK\r\n"
    "       0  Signature                \"PERF\"\r\n"
    "       8  LittleEndian             1\r\n"
    "      12  Version                  1\r\n"
    "      16  Revision                 1\r\n"
    "      20  TotalByteLength          256\r\n"
    "      24  HeaderLength             96\r\n"
    "      28  NumObjectTypes           1\r\n"
    "      32  DefaultObject            -1 (none)\r\n"
    "      36  SystemTime               2026-09-22 19:42:32.824 UTC\r\n"
    "      56  PerfTime                 50000000\r\n"
    "      64  PerfFreq                 10000000\r\n"
    "      72  PerfTime100nSec          134300000000000000\r\n"
    "      80  SystemNameLength         6\r\n"
    "      84  SystemNameOffset         88\r\n"
    "      88  SystemName               \"PC\"\r\n"
    "\r\n"
    "PERF_OBJECT_TYPE\r\n"
    "      96  TotalByteLength          160\r\n"
    "     100  DefinitionLength         104\r\n"
    "     104  HeaderLength             64\r\n"
    "     108  ObjectNameTitleIndex     100 \"Jobs\"\r\n"
    "     112  ObjectNameTitle          0\r\n"
    "     116  ObjectHelpTitleIndex     101\r\n"
    "     120  ObjectHelpTitle          0\r\n"
    "     124  DetailLevel              100 (novice)\r\n"
    "     128  NumCounters              1\r\n"
    "     132  DefaultCounter           0\r\n"
    "     136  NumInstances             1\r\n"
    "     140  CodePage                 0 (UTF-16 names)\r\n"
    "     144  PerfTime                 1000\r\n"
    "     152  PerfFreq                 10\r\n"
    "\r\n"
    "PERF_COUNTER_DEFINITION\r\n"
    "     160  ByteLength               40\r\n"
    "     164  CounterNameTitleIndex    102 \"Done/sec\"\r\n"
    "     168  CounterNameTitle         0\r\n"
    "     172  CounterHelpTitleIndex    103\r\n"
    "     176  CounterHelpTitle         0\r\n"
    "     180  DefaultScale             0\r\n"
    "     184  DetailLevel              100 (novice)\r\n"
    "     188  CounterType              0x10410500 PERF_COUNTER_BULK_COUNT\r\n"
    "     192  CounterSize              8\r\n"
    "     196  CounterOffset            8\r\n"
    "\r\n"
    "PERF_INSTANCE_DEFINITION\r\n"
    "     200  ByteLength               32\r\n"
    "     204  ParentObjectTitleIndex   100 \"Jobs\"\r\n"
    "     208  ParentObjectInstance     3\r\n"
    "     212  UniqueID                 -1 (none)\r\n"
    "     216  NameOffset               24\r\n"
    "     220  NameLength               6\r\n"
    "     224  Name                     \"ab\"\r\n"
    "\r\n"
    "PERF_COUNTER_BLOCK\r\n"
    "     232  ByteLength               16\r\n"
    "     240  value of 8 bytes         258 = 0x0000000000000102  Done/sec\r\n"
    "\r\n"
    "     248  (8 more bytes in the object)\r\n";

static void test_dump_every_field_with_its_offset(void **state)
{
    wire w;
    char *text;

    (void)state;
    make_small(&w);
    text = dump_of(w.bytes, w.used, 0);
    assert_string_equal(text, small_dump);
    free(text);
}

static void test_dump_special_instance_counts_explained(void **state)
{
    static const struct {
        int32_t count;
        const char *line;
    } cases[] = {
        {-1, "NumInstances             -1 (object without instances)\r\n"},
        {0, "NumInstances             0 (none now)\r\n"},
        {-2, "NumInstances             -2 (metadata of an object with instances)\r\n"},
        {-3, "NumInstances             -3 (metadata of an object without instances)\r\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        wire w;
        size_t object;
        char *text;

        wire_begin(&w, 1);
        object = wire_object(&w, 100, 0, cases[i].count, 0);
        wire_put64(&w, 8); /* the counter block if NumInstances is -1; otherwise unused */
        wire_object_end(&w, object);
        wire_end(&w);
        text = dump_of(w.bytes, w.used, 0);
        assert_non_null(strstr(text, cases[i].line));
        free(text);
    }
}

static void test_dump_damage_marked_in_its_place(void **state)
{
    wire w;
    char *text;
    char *mark;

    (void)state;
    make_small(&w);
    wire_patch32(&w, 196, 9); /* CounterOffset */
    text = dump_of(w.bytes, w.used, 1);
    mark = strstr(text, "!! byte 196: PERF_COUNTER_DEFINITION.CounterOffset is 9, allowed is 4 to "
                        "8\r\n");
    assert_non_null(mark);
    assert_true(strstr(text, "PERF_COUNTER_BLOCK\r\n") < mark);
    free(text);

    text = dump_of("nonsense", 8, 1);
    assert_string_equal(
        text, "!! byte 0: bytes left for a PERF_DATA_BLOCK is 8, must be at least 88\r\n");
    free(text);
}

static void test_dump_whole_parts_of_damaged_object_shown(void **state)
{
    wire w;
    char *text;

    (void)state;
    wire_begin(&w, 1);
    wire_worked_example(&w, 258);
    wire_end(&w);
    wire_patch32(&w, 96 + 64 + 2 * 40, 7); /* ByteLength of the third definition */
    text = dump_of(w.bytes, w.used, 1);
    assert_non_null(strstr(text, "!! byte 240: PERF_COUNTER_DEFINITION.ByteLength is 7, allowed is "
                                 "40 to 80\r\n"));
    assert_non_null(strstr(text, "NumCounters              4\r\n"));
    assert_non_null(
        strstr(text, "value of 8 bytes         258 = 0x0000000000000102  Done/sec\r\n"));
    assert_non_null(strstr(text, "value of 4 bytes         20 = 0x00000014  104\r\n"));
    assert_non_null(strstr(text, "Name                     \"longer\"\r\n"));
    assert_null(strstr(text, "PERF_AVERAGE_TIMER"));
    free(text);
}

static void test_dump_values_of_an_instance_without_readable_name_shown(void **state)
{
    wire w;
    char *text;

    (void)state;
    make_small(&w);
    wire_patch32(&w, 220, 600); /* NameLength */
    text = dump_of(w.bytes, w.used, 1);
    assert_non_null(strstr(text, "!! byte 220: PERF_INSTANCE_DEFINITION.NameLength is 600, allowed "
                                 "is 0 to 8\r\n"));
    assert_non_null(strstr(text, "NameLength               600\r\n"));
    assert_null(strstr(text, "\"ab\""));
    assert_non_null(strstr(text, "258 = 0x0000000000000102  Done/sec\r\n"));
    free(text);
}

static void test_dump_texts_and_types_that_are_not_predefined(void **state)
{
    wire w;
    size_t object;
    size_t values;
    char *text;

    (void)state;
    wire_begin(&w, 1);
    object = wire_object(&w, 100, 4, -1, 0);
    wire_counter(&w, 102, 0x00000B00, 6, 4);  /* PERF_COUNTER_TEXT */
    wire_counter(&w, 104, 0x00020000, 4, 12); /* not a predefined type */
    wire_counter(&w, 106, 0x22410500, 8, 16); /* PERF_COUNTER_MULTI_TIMER */
    wire_counter(&w, 0, 0x42030500, 8, 24);   /* PERF_COUNTER_MULTI_BASE */
    values = wire_values(&w);
    wire_put32(&w, 0x00690048);
    wire_put32(&w, 0);
    wire_put32(&w, 1500);
    wire_put64(&w, 5);
    wire_put64(&w, 1);
    wire_values_end(&w, values);
    wire_object_end(&w, object);
    wire_end(&w);
    text = dump_of(w.bytes, w.used, 0);
    assert_non_null(strstr(text, "text                     \"Hi\"  Done/sec\r\n"));
    assert_non_null(strstr(text,
                           "CounterType              0x00020000\r\n"
                           "          (counter type 0x00020000 is not predefined: N1 / 1000 by "
                           "its bits)\r\n"));
    assert_non_null(strstr(text, "          (PERF_COUNTER_MULTI_TIMER: 100 * "));
    assert_non_null(strstr(text, "0x42030500 PERF_COUNTER_MULTI_BASE\r\n     "));
    assert_null(strstr(text, "(PERF_COUNTER_MULTI_BASE"));
    assert_null(strstr(text, "(PERF_COUNTER_TEXT"));
    free(text);

    wire_patch32(&w, 96 + 64 + 32, 600); /* CounterSize of the text */
    text = dump_of(w.bytes, w.used, 1);
    assert_non_null(strstr(text, "!! byte 196: PERF_COUNTER_DEFINITION.CounterOffset is 4, and "
                                 "nothing would fit\r\n"));
    free(text);
}

static void test_dump_invisible_characters_in_names_are_shown(void **state)
{
    size_t object;
    char *dump;
    wire w;

    (void)state;
    wire_begin(&w, 1);
    object = wire_object(&w, 100, 1, 1, 0);
    wire_counter(&w, 102, 0x10410500, 8, 8);
    wire_instance(&w, 0, 0, -1, "a\r\n     0  Forged\x1B");
    wire_value64(&w, 258);
    wire_object_end(&w, object);
    wire_end(&w);
    dump = dump_of(w.bytes, w.used, 0);
    assert_non_null(strstr(dump, "\"a\\r\\n     0  Forged\\u001B\"\r\n"));
    free(dump);
}

static void test_dump_rest_behind_last_object_shown(void **state)
{
    wire w;
    char *text;

    (void)state;
    make_small(&w);
    wire_put64(&w, 0);
    wire_end(&w);
    text = dump_of(w.bytes, w.used, 0);
    assert_non_null(strstr(text, "     256  (8 bytes after the last object)\r\n"));
    free(text);
}

static void test_dump_every_corrupt_byte_survived(void **state)
{
    static const unsigned char flips[] = {0x01, 0x04, 0x10, 0x80, 0xFF};
    prfdata_name_table table = {0};
    prfdata_output output = {0};
    wire w;

    (void)state;
    make_small(&w);
    for (size_t i = 0; i < w.used; i++) {
        for (size_t flip = 0; flip < sizeof flips; flip++) {
            unsigned char *copy = malloc(w.used);

            assert_non_null(copy);
            memcpy(copy, w.bytes, w.used);
            copy[i] ^= flips[flip];
            prfdata_output_clear(&output);
            (void)prfdata_dump_put(&output, copy, w.used, &table);
            assert_false(output.failed);
            free(copy);
        }
    }
    prfdata_output_free(&output);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dump_every_field_with_its_offset),
        cmocka_unit_test(test_dump_special_instance_counts_explained),
        cmocka_unit_test(test_dump_damage_marked_in_its_place),
        cmocka_unit_test(test_dump_whole_parts_of_damaged_object_shown),
        cmocka_unit_test(test_dump_values_of_an_instance_without_readable_name_shown),
        cmocka_unit_test(test_dump_texts_and_types_that_are_not_predefined),
        cmocka_unit_test(test_dump_invisible_characters_in_names_are_shown),
        cmocka_unit_test(test_dump_rest_behind_last_object_shown),
        cmocka_unit_test(test_dump_every_corrupt_byte_survived),
    };

    return cmocka_run_group_tests_name("dump", tests, NULL, NULL);
}
