/* SPDX-License-Identifier: MIT */
/* A data block with its titles in a file: what is written, and what is read of a damaged one. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "support/ascii_text.h"
#include "support/golden.h"
#include "block/saved_block.h"
#include "support/wire.h"
#include "support/wire_sample.h"

#define HEADER_BYTES 24u

static void add_saved_block(prfdata_name_table *table, uint32_t index, const char *name)
{
    uint16_t chars[32];

    assert_int_equal(prfdata_name_table_add(table, index, ascii_text(name, chars)), ERROR_SUCCESS);
}

static void assert_name_saved_block(const prfdata_name_table *table, uint32_t index,
                                    const char *name)
{
    uint16_t chars[32];
    prfdata_text expected = ascii_text(name, chars);
    prfdata_text found = prfdata_name_table_name(table, index);

    assert_int_equal(found.count, expected.count);
    if (found.count > 0)
        assert_memory_equal(found.chars, chars, found.count * sizeof *chars);
}

static void make_block_saved_block(wire *w)
{
    wire_begin(w, 1);
    wire_worked_example(w, 10);
    wire_end(w);
}

/* More titles than the block has; not all of the block's. */
static prfdata_titles make_titles(void)
{
    prfdata_titles titles = {0};

    add_saved_block(&titles.english, 104, "L\xe4nge");
    add_saved_block(&titles.english, 100, "Jobs");
    add_saved_block(&titles.english, 98, "Before");
    add_saved_block(&titles.english, 102, "Done/sec");
    add_saved_block(&titles.english, 200, "Behind");
    add_saved_block(&titles.helps, 101, "Of a test.");
    add_saved_block(&titles.helps, 201, "Behind.");
    return titles;
}

/* The content of a file with the block and the titles; for free(). */
static unsigned char *make_file_saved_block(const wire *w, size_t *size)
{
    prfdata_titles titles = make_titles();
    prfdata_sample *sample = wire_sample(w);
    prfdata_output output = {0};

    prfdata_saved_block_put(&output, sample, &titles);
    assert_false(output.failed);
    prfdata_sample_free(sample);
    prfdata_titles_free(&titles);
    *size = output.used;
    return (unsigned char *)output.bytes;
}

/* Read a copy of exactly these bytes. */
static uint32_t read_copy(const unsigned char *bytes, size_t size, prfdata_saved_block *saved)
{
    unsigned char *copy = malloc(size > 0 ? size : 1);
    prfdata_decode_error error;
    uint32_t status;

    assert_non_null(copy);
    memcpy(copy, bytes, size);
    status = prfdata_saved_block_read(copy, size, saved, &error);
    free(copy);
    return status;
}

/* ---- Writing ---- */

static void test_saved_block_begins_with_block_as_it_came(void **state)
{
    wire w = {0};
    unsigned char *bytes;
    size_t size;

    (void)state;
    make_block_saved_block(&w);
    bytes = make_file_saved_block(&w, &size);
    assert_true(size > w.used);
    assert_memory_equal(bytes, w.bytes, w.used);
    free(bytes);
}

static void test_saved_block_titles_are_the_golden_bytes(void **state)
{
    unsigned char golden[512];
    size_t golden_bytes = golden_read("saved_titles.hex", golden, sizeof golden);
    wire w = {0};
    unsigned char *bytes;
    size_t size;

    (void)state;
    make_block_saved_block(&w);
    bytes = make_file_saved_block(&w, &size);
    assert_int_equal(size - w.used, golden_bytes);
    assert_memory_equal(bytes + w.used, golden, golden_bytes);
    free(bytes);
}

/* What the system sent after the block is no part of it. */
static void test_saved_block_leaves_out_bytes_behind_total_length(void **state)
{
    wire w = {0};
    unsigned char *bytes;
    size_t size;
    size_t longer_size;

    (void)state;
    make_block_saved_block(&w);
    free(make_file_saved_block(&w, &size));
    wire_put64(&w, 0x1111);
    bytes = make_file_saved_block(&w, &longer_size);
    assert_int_equal(longer_size, size);
    assert_memory_equal(bytes + w.used - 8, "PrfTitle", 8);
    free(bytes);
}

static void test_saved_block_longer_than_its_bytes_put_alone(void **state)
{
    wire w = {0};
    unsigned char *bytes;
    size_t size;

    (void)state;
    make_block_saved_block(&w);
    wire_patch32(&w, 20, (uint32_t)w.used + 1);
    bytes = make_file_saved_block(&w, &size);
    assert_int_equal(size, w.used);
    assert_memory_equal(bytes, w.bytes, size);
    free(bytes);
}

static void test_saved_block_keeps_titles_of_parents(void **state)
{
    wire w = {0};
    unsigned char *bytes;
    prfdata_saved_block saved;
    size_t size;
    size_t object;

    (void)state;
    wire_begin(&w, 1);
    object = wire_object(&w, 104, 1, 1, 0);
    wire_counter(&w, 106, 0x00010000, 4, 4);
    wire_instance(&w, 200, 0, -1, "x");
    wire_value32(&w, 1);
    wire_object_end(&w, object);
    wire_end(&w);
    bytes = make_file_saved_block(&w, &size);
    assert_int_equal(read_copy(bytes, size, &saved), ERROR_SUCCESS);
    assert_int_equal(saved.titles.english.count, 2);
    assert_name_saved_block(&saved.titles.english, 104, "L\xe4nge");
    assert_name_saved_block(&saved.titles.english, 200, "Behind");
    prfdata_titles_free(&saved.titles);
    free(bytes);
}

/* ---- Reading ---- */

static void test_saved_block_read_gives_block_and_titles(void **state)
{
    unsigned char bytes[2048];
    prfdata_saved_block saved;
    wire w = {0};
    size_t size;

    (void)state;
    make_block_saved_block(&w);
    memcpy(bytes, w.bytes, w.used);
    size = w.used + golden_read("saved_titles.hex", bytes + w.used, sizeof bytes - w.used);
    assert_int_equal(read_copy(bytes, size, &saved), ERROR_SUCCESS);
    assert_int_equal(saved.block_bytes, w.used);
    assert_null(saved.mistake);
    assert_false(saved.is_foreign);
    assert_int_equal(saved.titles.english.count, 3);
    assert_name_saved_block(&saved.titles.english, 100, "Jobs");
    assert_name_saved_block(&saved.titles.english, 102, "Done/sec");
    assert_name_saved_block(&saved.titles.english, 104, "L\xe4nge");
    assert_int_equal(saved.titles.helps.count, 1);
    assert_name_saved_block(&saved.titles.helps, 101, "Of a test.");
    prfdata_titles_free(&saved.titles);
}

static void test_saved_block_without_titles_is_right(void **state)
{
    prfdata_saved_block saved;
    wire w = {0};

    (void)state;
    make_block_saved_block(&w);
    assert_int_equal(read_copy(w.bytes, w.used, &saved), ERROR_SUCCESS);
    assert_int_equal(saved.block_bytes, w.used);
    assert_null(saved.mistake);
    assert_int_equal(saved.titles.english.count, 0);
}

static void test_saved_block_cut_at_every_byte_keeps_what_is_whole(void **state)
{
    const uint32_t header_length = 96;
    prfdata_saved_block saved;
    size_t names_before = 0;
    unsigned char *bytes;
    wire w = {0};
    size_t size;

    (void)state;
    make_block_saved_block(&w);
    bytes = make_file_saved_block(&w, &size);
    for (size_t cut = 0; cut < size; cut++) {
        uint32_t status = read_copy(bytes, cut, &saved);

        assert_int_equal(status, cut < header_length ? ERROR_INVALID_DATA : ERROR_SUCCESS);
        if (status != ERROR_SUCCESS)
            continue;
        assert_int_equal(saved.block_bytes, cut < w.used ? cut : w.used);
        if (cut <= w.used)
            assert_null(saved.mistake);
        else
            assert_string_equal(saved.mistake, "the titles are cut short");
        assert_false(saved.is_foreign);
        assert_true(saved.titles.english.count >= names_before);
        names_before = saved.titles.english.count;
        prfdata_titles_free(&saved.titles);
    }
    assert_int_equal(names_before, 3);
    free(bytes);
}

/* A changed byte is reported, or it is one of a text, or of an index that still fits. */
static void test_saved_block_with_any_byte_of_titles_changed_is_told_or_other_text(void **state)
{
    prfdata_saved_block saved;
    unsigned char *bytes;
    wire w = {0};
    size_t size;

    (void)state;
    make_block_saved_block(&w);
    bytes = make_file_saved_block(&w, &size);
    for (size_t at = w.used; at < size; at++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            bytes[at] ^= (unsigned char)(1u << bit);
            assert_int_equal(read_copy(bytes, size, &saved), ERROR_SUCCESS);
            assert_int_equal(saved.block_bytes, w.used);
            if (at < w.used + HEADER_BYTES)
                assert_non_null(saved.mistake);
            assert_int_equal(saved.is_foreign, at < w.used + 8);
            if (!saved.mistake) {
                assert_in_range(saved.titles.english.count, 2, 3);
                assert_in_range(saved.titles.helps.count, 0, 1);
            }
            prfdata_titles_free(&saved.titles);
            bytes[at] ^= (unsigned char)(1u << bit);
        }
    }
    free(bytes);
}

static void test_saved_block_foreign_bytes_behind_it_are_no_titles(void **state)
{
    prfdata_saved_block saved;
    wire w = {0};

    (void)state;
    make_block_saved_block(&w);
    wire_put32(&w, 0xDEADBEEF);
    assert_int_equal(read_copy(w.bytes, w.used, &saved), ERROR_SUCCESS);
    assert_int_equal(saved.block_bytes, w.used - 4);
    assert_true(saved.is_foreign);
    assert_non_null(saved.mistake);
    assert_int_equal(saved.titles.english.count, 0);
}

/* A block with a list of names that is written here; text "|" stands for NUL. */
static void read_names(const char *text, prfdata_saved_block *saved)
{
    wire w = {0};

    make_block_saved_block(&w);
    memcpy(w.bytes + w.used, "PrfTitle", 8);
    w.used += 8;
    wire_put32(&w, 1);
    wire_put32(&w, (uint32_t)(2 * strlen(text)));
    wire_put32(&w, 2);
    wire_put32(&w, 0);
    for (; *text; text++)
        wire_put16(&w, *text == '|' ? 0 : (unsigned char)*text);
    wire_put16(&w, 0);
    assert_int_equal(read_copy(w.bytes, w.used, saved), ERROR_SUCCESS);
}

static void test_saved_block_wrong_index_ends_names_and_is_told(void **state)
{
    static const char *const wrong[] = {
        "100|Jobs|90|Less|300|Behind||", "100|Jobs|100|Same||",
        "100|Jobs|x|Letter||",           "100|Jobs|-7|Sign||",
        "100|Jobs|0101|Zero in front||", "100|Jobs|0|Zero||",
        "100|Jobs|4294967296|Large||",
    };

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        prfdata_saved_block saved;

        read_names(wrong[i], &saved);
        assert_non_null(saved.mistake);
        assert_non_null(strstr(saved.mistake, "index"));
        assert_int_equal(saved.titles.english.count, 1);
        assert_name_saved_block(&saved.titles.english, 100, "Jobs");
        prfdata_titles_free(&saved.titles);
    }
}

static void test_saved_block_empty_text_ends_names_and_is_told(void **state)
{
    prfdata_saved_block saved;

    (void)state;
    read_names("100|Jobs|102||104|Behind||", &saved);
    assert_string_equal(saved.mistake, "a title is empty");
    assert_int_equal(saved.titles.english.count, 1);
    prfdata_titles_free(&saved.titles);
}

static void test_saved_block_text_behind_last_title_is_told(void **state)
{
    prfdata_saved_block saved;

    (void)state;
    read_names("100|Jobs||102|Hidden||", &saved);
    assert_string_equal(saved.mistake, "something follows the last title");
    assert_int_equal(saved.titles.english.count, 1);
    prfdata_titles_free(&saved.titles);
}

static void test_saved_block_titles_of_later_version_not_read(void **state)
{
    prfdata_saved_block saved;
    unsigned char *bytes;
    wire w = {0};
    size_t size;

    (void)state;
    make_block_saved_block(&w);
    bytes = make_file_saved_block(&w, &size);
    bytes[w.used + 8] = 2;
    assert_int_equal(read_copy(bytes, size, &saved), ERROR_SUCCESS);
    assert_non_null(strstr(saved.mistake, "later version"));
    assert_int_equal(saved.titles.english.count, 0);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_saved_block_begins_with_block_as_it_came),
        cmocka_unit_test(test_saved_block_titles_are_the_golden_bytes),
        cmocka_unit_test(test_saved_block_leaves_out_bytes_behind_total_length),
        cmocka_unit_test(test_saved_block_longer_than_its_bytes_put_alone),
        cmocka_unit_test(test_saved_block_keeps_titles_of_parents),
        cmocka_unit_test(test_saved_block_read_gives_block_and_titles),
        cmocka_unit_test(test_saved_block_without_titles_is_right),
        cmocka_unit_test(test_saved_block_cut_at_every_byte_keeps_what_is_whole),
        cmocka_unit_test(test_saved_block_with_any_byte_of_titles_changed_is_told_or_other_text),
        cmocka_unit_test(test_saved_block_foreign_bytes_behind_it_are_no_titles),
        cmocka_unit_test(test_saved_block_wrong_index_ends_names_and_is_told),
        cmocka_unit_test(test_saved_block_empty_text_ends_names_and_is_told),
        cmocka_unit_test(test_saved_block_text_behind_last_title_is_told),
        cmocka_unit_test(test_saved_block_titles_of_later_version_not_read),
    };

    return cmocka_run_group_tests_name("saved_block", tests, NULL, NULL);
}
