/* SPDX-License-Identifier: MIT */
/* Tests saved blocks as a source: which samples they give, and which two files do not belong
 * together. */
#ifndef _WIN32
#define _XOPEN_SOURCE     700 /* truncate */
#define _FILE_OFFSET_BITS 64
#endif
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef _WIN32
#include <unistd.h>
#endif

#include <prfdata/error.h>

#include "block/recording.h"
#include "block/saved_block.h"
#include "source/session.h"
#include "source/source.h"
#include "support/reader/ascii_text.h"
#include "support/reader/temporary_file.h"
#include "support/reader/wire.h"
#include "support/reader/wire_sample.h"

/* Offsets in a PERF_DATA_BLOCK. */
enum { PERF_TIME = 56, PERF_FREQ = 64, TIME_100NS = 72, NAME = 88 };

static const uint16_t query[] = {'G', 'l', 'o', 'b', 'a', 'l', 0};

/* ---- Files ---- */

static temporary_file paths[2];

static void make_block(wire *w, uint64_t first)
{
    memset(w, 0, sizeof *w);
    wire_begin(w, 1);
    wire_worked_example(w, first);
    wire_end(w);
}

static void patch64(wire *w, size_t offset, uint64_t value)
{
    wire_patch32(w, offset, (uint32_t)value);
    wire_patch32(w, offset + 4, (uint32_t)(value >> 32));
}

static void save(const temporary_file *path, const wire *w, uint32_t index, const char *name)
{
    prfdata_titles titles = {0};
    prfdata_sample *sample = wire_sample(w);
    prfdata_output output = {0};

    if (name) {
        uint16_t chars[32];
        prfdata_text text = ascii_text(name, chars);

        assert_int_equal(prfdata_name_table_add(&titles.english, index, text), ERROR_SUCCESS);
        assert_int_equal(prfdata_name_table_add(&titles.helps, index + 1, text), ERROR_SUCCESS);
    }
    prfdata_saved_block_put(&output, sample, &titles);
    temporary_file_write(path, output.bytes, output.used);
    prfdata_output_free(&output);
    prfdata_titles_free(&titles);
    prfdata_sample_free(sample);
}

static uint32_t open_pair(prfdata_source **source)
{
    return prfdata_source_open_files(paths[0].text, paths[1].text, NULL, source);
}

static uint32_t open_one(prfdata_source **source)
{
    static const prfdata_text nothing = {NULL, 0};

    return prfdata_source_open_files(paths[0].text, nothing, NULL, source);
}

/* Open two files with the block `w`. In the newer one, the 8 bytes at `offset` become `change`. */
static uint32_t open_changed(size_t offset, uint64_t change)
{
    prfdata_source *source = NULL;
    uint32_t status;
    wire w;

    make_block(&w, 10);
    save(&paths[0], &w, 0, NULL);
    patch64(&w, offset, change);
    save(&paths[1], &w, 0, NULL);
    status = open_pair(&source);
    if (status == ERROR_SUCCESS)
        prfdata_source_close(source);
    else
        assert_null(source);
    return status;
}

static void assert_takes(prfdata_source *source, const wire *w)
{
    void *bytes = NULL;
    size_t size = 0;

    assert_int_equal(prfdata_source_take(source, query, &bytes, &size), ERROR_SUCCESS);
    assert_int_equal(size, w->used);
    assert_memory_equal(bytes, w->bytes, size);
    free(bytes);
}

static void assert_ends(prfdata_source *source)
{
    void *bytes = NULL;
    size_t size = 7;

    assert_int_equal(prfdata_source_take(source, query, &bytes, &size), ERROR_NO_MORE_ITEMS);
    assert_null(bytes);
    assert_int_equal(size, 7);
}

/* ---- Samples ---- */

static void test_source_file_gives_its_block_once(void **state)
{
    prfdata_source *source = NULL;
    wire w;

    (void)state;
    make_block(&w, 10);
    save(&paths[0], &w, 100, "Jobs");
    assert_int_equal(open_one(&source), ERROR_SUCCESS);
    assert_true(source->kind->is_recorded);
    assert_takes(source, &w);
    assert_ends(source);
    assert_ends(source);
    prfdata_source_close(source);
}

static void test_source_file_gives_older_then_newer(void **state)
{
    prfdata_source *source = NULL;
    wire older;
    wire newer;

    (void)state;
    make_block(&older, 10);
    make_block(&newer, 20);
    save(&paths[0], &older, 0, NULL);
    save(&paths[1], &newer, 0, NULL);
    assert_int_equal(open_pair(&source), ERROR_SUCCESS);
    assert_takes(source, &older);
    assert_takes(source, &newer);
    assert_ends(source);
    prfdata_source_close(source);
}

static void test_source_file_computer_is_that_of_the_block(void **state)
{
    prfdata_source *source = NULL;
    uint16_t chars[8];
    wire w;

    (void)state;
    make_block(&w, 10);
    save(&paths[0], &w, 0, NULL);
    assert_int_equal(open_one(&source), ERROR_SUCCESS);
    assert_int_equal(prfdata_source_computer(source, chars, 8), 2);
    assert_int_equal(chars[0], 'P');
    assert_int_equal(chars[1], 'C');
    assert_int_equal(prfdata_source_computer(source, chars, 1), 1);
    prfdata_source_close(source);
}

/* ---- Titles ---- */

static void test_source_file_titles_are_those_of_both(void **state)
{
    prfdata_source *source = NULL;
    prfdata_titles titles = {0};
    wire w;

    (void)state;
    make_block(&w, 10);
    save(&paths[0], &w, 100, "Jobs");
    save(&paths[1], &w, 102, "Done");
    assert_int_equal(open_pair(&source), ERROR_SUCCESS);
    assert_int_equal(prfdata_source_load_titles(source, &titles), ERROR_SUCCESS);
    assert_int_equal(titles.english.count, 2);
    assert_int_equal(prfdata_name_table_name(&titles.english, 100).chars[0], 'J');
    assert_int_equal(prfdata_name_table_name(&titles.english, 102).chars[0], 'D');
    assert_int_equal(titles.helps.count, 0);
    assert_int_equal(prfdata_source_load_helps(source, &titles), ERROR_SUCCESS);
    assert_int_equal(titles.helps.count, 2);
    prfdata_titles_free(&titles);
    prfdata_source_close(source);
}

static void test_source_file_damaged_titles_are_reported_and_the_others_there(void **state)
{
    static const unsigned char cut[] = {'P', 'r', 'f', 'T'};
    prfdata_source *source = NULL;
    prfdata_titles titles = {0};
    wire w;

    (void)state;
    make_block(&w, 10);
    save(&paths[1], &w, 102, "Done");
    memcpy(w.bytes + w.used, cut, sizeof cut);
    temporary_file_write(&paths[0], w.bytes, w.used + sizeof cut);
    assert_int_equal(open_pair(&source), ERROR_SUCCESS);
    assert_takes(source, &w);
    assert_true(source->is_damaged);
    assert_int_equal(prfdata_source_load_titles(source, &titles), ERROR_SUCCESS);
    assert_int_equal(titles.english.count, 1);
    prfdata_titles_free(&titles);
    prfdata_source_close(source);
}

static void test_source_file_foreign_bytes_are_no_damage(void **state)
{
    prfdata_source *source = NULL;
    prfdata_titles titles = {0};
    wire w;

    (void)state;
    make_block(&w, 10);
    temporary_file_write(&paths[0], w.bytes, w.used + 64);
    assert_int_equal(open_one(&source), ERROR_SUCCESS);
    assert_takes(source, &w);
    assert_false(source->is_damaged);
    assert_int_equal(prfdata_source_load_titles(source, &titles), ERROR_SUCCESS);
    prfdata_source_close(source);
}

/* ---- Files that do not belong together ---- */

static void test_source_file_refuses_other_computer(void **state)
{
    (void)state;
    assert_int_equal(open_changed(NAME, 'Q' | 'C' << 16), ERROR_INVALID_PARAMETER);
    /* Upper and lower case are equal in names. */
    assert_int_equal(open_changed(NAME, 'p' | 'c' << 16), ERROR_SUCCESS);
}

static void test_source_file_refuses_other_clock(void **state)
{
    (void)state;
    assert_int_equal(open_changed(PERF_FREQ, 3), ERROR_INVALID_PARAMETER);
}

/* Get the messages about the two files as one text. */
static void report_pair(char text[600])
{
    prfdata_messages messages = {0};
    prfdata_source *source = NULL;

    if (prfdata_source_open_files(paths[0].text, paths[1].text, &messages, &source) ==
        ERROR_SUCCESS)
        prfdata_source_close(source);
    text[0] = 0;
    for (size_t i = 0; i < messages.count; i++)
        strncat(text, messages.items[i].text, 599 - strlen(text));
    prfdata_messages_free(&messages);
}

/* The frequency of a clock is fixed while Windows runs. If it differs in two files of one computer,
 * the computer was restarted in between. */
static void test_source_file_other_clock_of_the_same_computer_is_its_restart(void **state)
{
    char text[600];
    wire w;

    (void)state;
    make_block(&w, 10);
    save(&paths[0], &w, 0, NULL);
    patch64(&w, PERF_FREQ, 3000);
    save(&paths[1], &w, 0, NULL);
    report_pair(text);
    assert_non_null(strstr(text, "has a clock of 3000 ticks a second"));
    assert_non_null(strstr(text, " of 10000000, because the computer was started with another "
                                 "clock source between them. Read them one at a time"));
    wire_patch32(&w, 80, 0); /* SystemNameLength */
    save(&paths[1], &w, 0, NULL);
    report_pair(text);
    assert_non_null(strstr(text, "or they are of different computers"));
}

static void test_source_file_refuses_titles_that_changed(void **state)
{
    prfdata_source *source = NULL;
    wire w;

    (void)state;
    make_block(&w, 10);
    save(&paths[0], &w, 100, "Jobs");
    save(&paths[1], &w, 100, "Cars");
    assert_int_equal(open_pair(&source), ERROR_INVALID_PARAMETER);
    assert_null(source);
}

/* Doubtful times are only reported, because formulas refuse times that go backwards. */
static void test_source_file_takes_doubtful_times(void **state)
{
    static const uint64_t times[] = {0, 1, UINT64_MAX, (uint64_t)INT64_MIN, INT64_MAX};

    (void)state;
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        assert_int_equal(open_changed(TIME_100NS, times[i]), ERROR_SUCCESS);
        assert_int_equal(open_changed(PERF_TIME, times[i]), ERROR_SUCCESS);
    }
}

/* ---- Files that are not saved blocks ---- */

static void test_source_file_cut_at_every_byte_gives_what_is_whole(void **state)
{
    const uint32_t header_length = 96;
    wire w;

    (void)state;
    make_block(&w, 10);
    for (size_t cut = 0; cut < w.used; cut += cut < 100 ? 1 : 23) {
        prfdata_source *source = NULL;
        void *bytes = NULL;
        size_t size = 0;

        temporary_file_write(&paths[0], w.bytes, cut);
        if (cut < header_length) {
            assert_int_equal(open_one(&source), ERROR_INVALID_DATA);
            assert_null(source);
            continue;
        }
        assert_int_equal(open_one(&source), ERROR_SUCCESS);
        assert_int_equal(prfdata_source_take(source, query, &bytes, &size), ERROR_SUCCESS);
        assert_int_equal(size, cut);
        assert_memory_equal(bytes, w.bytes, cut);
        free(bytes);
        prfdata_source_close(source);
    }
}

/* The file is truncated. The message does not speak of a damaged provider or of a file of another
 * kind. */
static void test_source_file_cut_short_says_so(void **state)
{
    static const prfdata_text nothing = {NULL, 0};
    const size_t cuts[] = {5, 50, 87, 96, 200};
    wire w;

    (void)state;
    make_block(&w, 10);
    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++) {
        prfdata_messages messages = {0};
        prfdata_source *source = NULL;
        prfdata_sample *sample = NULL;
        prfdata_session session;

        temporary_file_write(&paths[0], w.bytes, cuts[i]);
        if (prfdata_source_open_files(paths[0].text, nothing, &messages, &source) ==
            ERROR_SUCCESS) {
            prfdata_session_open(&session, source, &messages);
            assert_int_equal(prfdata_session_take(&session, query, &sample), ERROR_SUCCESS);
            assert_true(prfdata_session_is_damaged(&session));
            prfdata_sample_free(sample);
            prfdata_session_close(&session);
        }
        assert_int_equal(messages.count, 1);
        assert_non_null(strstr(messages.items[0].text, "the file is cut short"));
        prfdata_messages_free(&messages);
    }
}

/* The files are not blocks, except the last one, which is a damaged block. The message about it
 * names the damage. */
static void test_source_file_of_another_kind_says_so(void **state)
{
    static const prfdata_text nothing = {NULL, 0};
    static const char *const contents[] = {
        "",
        ("PDH-CSV 4.0 and more than a header, so that nothing is cut"
         " short: 0123456789012345678901234567890123456789"),
        "PERF"};
    wire w;

    (void)state;
    for (size_t i = 0; i <= sizeof contents / sizeof contents[0]; i++) {
        const bool is_damaged = i == sizeof contents / sizeof contents[0];
        prfdata_messages messages = {0};
        prfdata_source *source = NULL;

        make_block(&w, 10);
        wire_patch32(&w, 24, 5); /* HeaderLength */
        if (is_damaged)
            temporary_file_write(&paths[0], w.bytes, w.used);
        else
            temporary_file_write(&paths[0], contents[i], strlen(contents[i]));
        assert_int_equal(prfdata_source_open_files(paths[0].text, nothing, &messages, &source),
                         ERROR_INVALID_DATA);
        assert_int_equal(messages.count, 1);
        assert_int_equal(strstr(messages.items[0].text, "it does not begin with \"PERF\"") == NULL,
                         is_damaged);
        assert_int_equal(strstr(messages.items[0].text, "is a damaged block") != NULL, is_damaged);
        prfdata_messages_free(&messages);
    }
}

static void test_source_file_missing_file_is_the_systems_error(void **state)
{
    prfdata_source *source = NULL;
    wire w;

    (void)state;
    make_block(&w, 10);
    save(&paths[0], &w, 0, NULL);
    remove(paths[1].ascii);
    assert_int_equal(open_pair(&source), ERROR_FILE_NOT_FOUND);
    assert_null(source);
}

#ifndef _WIN32 /* Windows would need space on the disk for the whole file */

#define HOLE_BYTES (300u << 20) /* more than PRFDATA_SAVED_BLOCK_LIMIT */

/* Append a sample that is a hole in the file, and then the sample `last`. */
static void append_beyond_limit(const wire *last)
{
    const uint32_t head[4] = {0x42667250, 0x6B636F6C, 1, HOLE_BYTES}; /* "PrfBlock", version */
    FILE *file = fopen(paths[0].ascii, "ab");
    prfdata_sample *sample = wire_sample(last);
    prfdata_output output = {0};

    assert_non_null(file);
    assert_int_equal(fwrite(head, 1, sizeof head, file), sizeof head);
    assert_int_equal(fflush(file), 0);
    assert_int_equal(truncate(paths[0].ascii, ftell(file) + (off_t)HOLE_BYTES), 0);
    prfdata_recording_put(&output, sample, NULL);
    assert_int_equal(fwrite(output.bytes, 1, output.used, file), output.used);
    assert_int_equal(fclose(file), 0);
    prfdata_output_free(&output);
    prfdata_sample_free(sample);
}

static void test_source_file_larger_than_memory_is_mapped(void **state)
{
    prfdata_source *source = NULL;
    void *bytes = NULL;
    size_t size = 0;
    wire first;
    wire last;

    (void)state;
    make_block(&first, 10);
    make_block(&last, 20);
    save(&paths[0], &first, 100, "Jobs");
    append_beyond_limit(&last);
    assert_int_equal(open_one(&source), ERROR_SUCCESS);
    assert_false(source->is_damaged);
    assert_takes(source, &first);
    assert_int_equal(prfdata_source_take(source, query, &bytes, &size), ERROR_SUCCESS);
    assert_int_equal(size, HOLE_BYTES);
    free(bytes);
    assert_takes(source, &last);
    assert_ends(source);
    prfdata_source_close(source);
}

static void test_source_file_that_becomes_shorter_is_reported(void **state)
{
    prfdata_messages messages = {0};
    prfdata_source *source = NULL;
    void *bytes = NULL;
    size_t size = 0;
    wire w;

    (void)state;
    make_block(&w, 10);
    save(&paths[0], &w, 100, "Jobs");
    append_beyond_limit(&w);
    assert_int_equal(
        prfdata_source_open_files(paths[0].text, prfdata_no_subject, &messages, &source), 0);
    assert_takes(source, &w);
    assert_int_equal(truncate(paths[0].ascii, 0), 0);
    assert_int_equal(prfdata_source_take(source, query, &bytes, &size), ERROR_INVALID_DATA);
    assert_null(bytes);
    assert_true(source->is_damaged);
    assert_int_equal(messages.count, 1);
    assert_string_equal(messages.items[0].text, "the file became shorter while it was read");
    prfdata_source_close(source);
    prfdata_messages_free(&messages);
}
#endif

static int make_paths(void **state)
{
    (void)state;
    temporary_file_name(&paths[0], "0.perf");
    temporary_file_name(&paths[1], "1.perf");
    return 0;
}

static int remove_files(void **state)
{
    (void)state;
    remove(paths[0].ascii);
    remove(paths[1].ascii);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_source_file_gives_its_block_once),
        cmocka_unit_test(test_source_file_gives_older_then_newer),
        cmocka_unit_test(test_source_file_computer_is_that_of_the_block),
        cmocka_unit_test(test_source_file_titles_are_those_of_both),
        cmocka_unit_test(test_source_file_damaged_titles_are_reported_and_the_others_there),
        cmocka_unit_test(test_source_file_foreign_bytes_are_no_damage),
        cmocka_unit_test(test_source_file_refuses_other_computer),
        cmocka_unit_test(test_source_file_refuses_other_clock),
        cmocka_unit_test(test_source_file_refuses_titles_that_changed),
        cmocka_unit_test(test_source_file_takes_doubtful_times),
        cmocka_unit_test(test_source_file_cut_at_every_byte_gives_what_is_whole),
        cmocka_unit_test(test_source_file_cut_short_says_so),
        cmocka_unit_test(test_source_file_of_another_kind_says_so),
        cmocka_unit_test(test_source_file_other_clock_of_the_same_computer_is_its_restart),
        cmocka_unit_test(test_source_file_missing_file_is_the_systems_error),
#ifndef _WIN32
        cmocka_unit_test(test_source_file_larger_than_memory_is_mapped),
        cmocka_unit_test(test_source_file_that_becomes_shorter_is_reported),
#endif
    };

    return cmocka_run_group_tests_name("source_file", tests, make_paths, remove_files);
}
