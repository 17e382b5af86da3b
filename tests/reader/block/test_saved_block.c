/* SPDX-License-Identifier: MIT */
/* Tests the file that holds a data block and its titles: what is written, and how damaged files are
 * read. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "block/saved_block.h"
#include "support/golden.h"
#include "support/reader/ascii_text.h"
#include "support/reader/wire.h"
#include "support/reader/wire_sample.h"

#define HEADER_BYTES 24u

static void add(prfdata_name_table *table, uint32_t index, const char *name)
{
    uint16_t chars[32];

    assert_int_equal(prfdata_name_table_add(table, index, ascii_text(name, chars)), ERROR_SUCCESS);
}

static bool is_named(const prfdata_name_table *table, uint32_t index, const char *name)
{
    return ascii_text_is(prfdata_name_table_name(table, index), name);
}

static void assert_name(const prfdata_name_table *table, uint32_t index, const char *name)
{
    assert_true(is_named(table, index, name));
}

/* Makes titles, some of which the block does not use. Some titles that the block uses are
 * missing. */
static prfdata_titles make_titles(void)
{
    prfdata_titles titles = {0};

    add(&titles.english, 104, "L\xe4nge");
    add(&titles.english, 100, "Jobs");
    add(&titles.english, 98, "Before");
    add(&titles.english, 102, "Done/sec");
    add(&titles.english, 200, "Behind");
    add(&titles.helps, 101, "Of a test.");
    add(&titles.helps, 201, "Behind.");
    return titles;
}

static wire block;          /* the block as a provider sent it */
static unsigned char *file; /* the bytes of a file with the block and its titles */
static size_t file_bytes;
static prfdata_saved_block saved;

static int begin(void **state)
{
    (void)state;
    memset(&block, 0, sizeof block);
    wire_begin(&block, 1);
    wire_worked_example(&block, 10);
    wire_end(&block);
    file = NULL;
    memset(&saved, 0, sizeof saved);
    return 0;
}

static int end(void **state)
{
    (void)state;
    free(file);
    prfdata_titles_free(&saved.titles);
    return 0;
}

static void make_file(void)
{
    prfdata_titles titles = make_titles();
    prfdata_sample *sample = wire_sample(&block);
    prfdata_output output = {0};

    prfdata_saved_block_put(&output, sample, &titles);
    assert_false(output.failed);
    prfdata_sample_free(sample);
    prfdata_titles_free(&titles);
    free(file);
    file = (unsigned char *)output.bytes;
    file_bytes = output.used;
}

static uint32_t read_copy(const unsigned char *bytes, size_t size)
{
    unsigned char *copy = malloc(size > 0 ? size : 1);
    prfdata_decode_error error;
    uint32_t status;

    assert_non_null(copy);
    memcpy(copy, bytes, size);
    prfdata_titles_free(&saved.titles);
    memset(&saved, 0, sizeof saved);
    status = prfdata_saved_block_read(copy, size, &saved, &error);
    free(copy);
    return status;
}

/* ---- Writing ---- */

static void test_saved_block_is_the_block_as_it_came_and_the_golden_titles(void **state)
{
    unsigned char golden[512];
    size_t golden_bytes = golden_read("saved_titles.hex", golden, sizeof golden);

    (void)state;
    make_file();
    assert_int_equal(file_bytes, block.used + golden_bytes);
    assert_memory_equal(file, block.bytes, block.used);
    assert_memory_equal(file + block.used, golden, golden_bytes);
}

/* Bytes that the system sent after the block do not belong to it. */
static void test_saved_block_leaves_out_bytes_behind_total_length(void **state)
{
    size_t bytes_without;

    (void)state;
    make_file();
    bytes_without = file_bytes;
    wire_put64(&block, 0x1111);
    make_file();
    assert_int_equal(file_bytes, bytes_without);
    assert_memory_equal(file + block.used - 8, "PrfTitle", 8);
}

static void test_saved_block_longer_than_its_bytes_put_alone(void **state)
{
    (void)state;
    wire_patch32(&block, 20, (uint32_t)block.used + 1);
    make_file();
    assert_int_equal(file_bytes, block.used);
    assert_memory_equal(file, block.bytes, file_bytes);
}

static void test_saved_block_keeps_titles_of_parents(void **state)
{
    size_t object;

    (void)state;
    memset(&block, 0, sizeof block);
    wire_begin(&block, 1);
    object = wire_object(&block, 104, 1, 1, 0);
    wire_counter(&block, 106, 0x00010000, 4, 4);
    wire_instance(&block, 200, 0, -1, "x");
    wire_value32(&block, 1);
    wire_object_end(&block, object);
    wire_end(&block);
    make_file();
    assert_int_equal(read_copy(file, file_bytes), ERROR_SUCCESS);
    assert_int_equal(saved.titles.english.count, 2);
    assert_name(&saved.titles.english, 104, "L\xe4nge");
    assert_name(&saved.titles.english, 200, "Behind");
}

/* ---- Reading ---- */

static void test_saved_block_read_gives_block_and_titles(void **state)
{
    const size_t block_bytes = block.used;

    (void)state;
    block.used +=
        golden_read("saved_titles.hex", block.bytes + block.used, sizeof block.bytes - block.used);
    assert_int_equal(read_copy(block.bytes, block.used), ERROR_SUCCESS);
    assert_int_equal(saved.block_bytes, block_bytes);
    assert_null(saved.mistake);
    assert_false(saved.is_foreign);
    assert_int_equal(saved.titles.english.count, 3);
    assert_name(&saved.titles.english, 100, "Jobs");
    assert_name(&saved.titles.english, 102, "Done/sec");
    assert_name(&saved.titles.english, 104, "L\xe4nge");
    assert_int_equal(saved.titles.helps.count, 1);
    assert_name(&saved.titles.helps, 101, "Of a test.");
}

static void test_saved_block_without_titles_is_right(void **state)
{
    (void)state;
    assert_int_equal(read_copy(block.bytes, block.used), ERROR_SUCCESS);
    assert_int_equal(saved.block_bytes, block.used);
    assert_null(saved.mistake);
    assert_int_equal(saved.titles.english.count, 0);
}

static void test_saved_block_cut_at_every_byte_keeps_what_is_whole(void **state)
{
    const uint32_t header_length = 96;
    size_t names_before = 0;

    (void)state;
    make_file();
    for (size_t cut = 0; cut < file_bytes; cut++) {
        uint32_t status = read_copy(file, cut);

        assert_int_equal(status, cut < header_length ? ERROR_INVALID_DATA : ERROR_SUCCESS);
        if (status != ERROR_SUCCESS)
            continue;
        assert_int_equal(saved.block_bytes, cut < block.used ? cut : block.used);
        if (cut <= block.used)
            assert_null(saved.mistake);
        else
            assert_string_equal(saved.mistake, "the titles are cut short");
        assert_false(saved.is_foreign);
        assert_true(saved.titles.english.count >= names_before);
        names_before = saved.titles.english.count;
    }
    assert_int_equal(names_before, 3);
}

/* A changed bit of the header is always reported. Any other changed bit is reported, or changes at
 * most one name and one help text. */
static void
test_saved_block_with_any_bit_of_titles_changed_is_reported_or_keeps_others(void **state)
{
    (void)state;
    make_file();
    for (size_t at = block.used; at < file_bytes; at++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            file[at] ^= (unsigned char)(1u << bit);
            assert_int_equal(read_copy(file, file_bytes), ERROR_SUCCESS);
            assert_int_equal(saved.block_bytes, block.used);
            if (at < block.used + HEADER_BYTES)
                assert_non_null(saved.mistake);
            assert_int_equal(saved.is_foreign, at < block.used + 8);
            if (!saved.mistake) {
                assert_in_range(saved.titles.english.count, 2, 3);
                assert_in_range(saved.titles.helps.count, 0, 1);
                assert_in_range(is_named(&saved.titles.english, 100, "Jobs") +
                                    is_named(&saved.titles.english, 102, "Done/sec") +
                                    is_named(&saved.titles.english, 104, "L\xe4nge"),
                                2, 3);
            }
            file[at] ^= (unsigned char)(1u << bit);
        }
    }
}

static void test_saved_block_foreign_bytes_behind_it_are_no_titles(void **state)
{
    (void)state;
    wire_put32(&block, 0xDEADBEEF);
    assert_int_equal(read_copy(block.bytes, block.used), ERROR_SUCCESS);
    assert_int_equal(saved.block_bytes, block.used - 4);
    assert_true(saved.is_foreign);
    assert_non_null(saved.mistake);
    assert_int_equal(saved.titles.english.count, 0);
}

/* Read the block with these names; "|" stands for NUL. */
static void read_names(const char *text)
{
    wire w = block;

    memcpy(w.bytes + w.used, "PrfTitle", 8);
    w.used += 8;
    wire_put32(&w, 1);
    wire_put32(&w, (uint32_t)(2 * strlen(text)));
    wire_put32(&w, 2);
    wire_put32(&w, 0);
    for (; *text; text++)
        wire_put16(&w, *text == '|' ? 0 : (unsigned char)*text);
    wire_put16(&w, 0);
    assert_int_equal(read_copy(w.bytes, w.used), ERROR_SUCCESS);
}

static void test_saved_block_wrong_title_ends_names_and_is_told(void **state)
{
    static const char *const wrong[][2] = {
        {"100|Jobs|90|Less|300|Behind||", "index"},
        {"100|Jobs|100|Same||", "index"},
        {"100|Jobs|x|Letter||", "index"},
        {"100|Jobs|-7|Sign||", "index"},
        {"100|Jobs|0101|Zero in front||", "index"},
        {"100|Jobs|0|Zero||", "index"},
        {"100|Jobs|4294967296|Large||", "index"},
        {"100|Jobs|102||104|Behind||", "a title is empty"},
        {"100|Jobs||102|Hidden||", "something follows the last title"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        read_names(wrong[i][0]);
        if (!saved.mistake || !strstr(saved.mistake, wrong[i][1]))
            fail_msg("%s: %s", wrong[i][0], saved.mistake ? saved.mistake : "right");
        assert_int_equal(saved.titles.english.count, 1);
        assert_name(&saved.titles.english, 100, "Jobs");
    }
}

static void test_saved_block_titles_of_later_version_not_read(void **state)
{
    (void)state;
    make_file();
    file[block.used + 8] = 2;
    assert_int_equal(read_copy(file, file_bytes), ERROR_SUCCESS);
    assert_non_null(strstr(saved.mistake, "later version"));
    assert_int_equal(saved.titles.english.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
        TEST(test_saved_block_is_the_block_as_it_came_and_the_golden_titles),
        TEST(test_saved_block_leaves_out_bytes_behind_total_length),
        TEST(test_saved_block_longer_than_its_bytes_put_alone),
        TEST(test_saved_block_keeps_titles_of_parents),
        TEST(test_saved_block_read_gives_block_and_titles),
        TEST(test_saved_block_without_titles_is_right),
        TEST(test_saved_block_cut_at_every_byte_keeps_what_is_whole),
        TEST(test_saved_block_with_any_bit_of_titles_changed_is_reported_or_keeps_others),
        TEST(test_saved_block_foreign_bytes_behind_it_are_no_titles),
        TEST(test_saved_block_wrong_title_ends_names_and_is_told),
        TEST(test_saved_block_titles_of_later_version_not_read),
#undef TEST
    };

    return cmocka_run_group_tests_name("saved_block", tests, NULL, NULL);
}
