/* SPDX-License-Identifier: MIT */
/* Tests that lines are written with the line ends of the system, however long they are. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "os/files.h"
#include "support/reader/temporary_file.h"

static temporary_file target;

static int set_up(void **state)
{
    (void)state;
    temporary_file_name(&target, "streams");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    (void)remove(target.ascii);
    return 0;
}

/* Put the text as the system writes it: on Linux without each CR that is before an LF. */
static void put_wanted(prfdata_output *wanted, const prfdata_output *lines)
{
    for (size_t i = 0; i < lines->used; i++) {
#ifndef _WIN32
        if (lines->bytes[i] == '\r' && i + 1 < lines->used && lines->bytes[i + 1] == '\n')
            continue;
#endif
        prfdata_output_put(wanted, &lines->bytes[i], 1);
    }
}

static void check_lines(const prfdata_output *lines)
{
    prfdata_output wanted = {0};
    prfdata_stream stream;
    void *bytes = NULL;
    size_t size = 0;

    put_wanted(&wanted, lines);
    assert_int_equal(prfdata_files_create(target.text, true, &stream), ERROR_SUCCESS);
    assert_int_equal(prfdata_streams_write_lines(stream, lines), ERROR_SUCCESS);
    assert_int_equal(prfdata_files_close(stream), ERROR_SUCCESS);
    assert_int_equal(prfdata_files_read(target.text, 1 << 22, &bytes, &size), ERROR_SUCCESS);
    assert_int_equal(size, wanted.used);
    if (size > 0)
        assert_memory_equal(bytes, wanted.bytes, size);
    free(bytes);
    prfdata_output_free(&wanted);
}

static void put_many(prfdata_output *lines, size_t count, const char *text)
{
    for (size_t i = 0; i < count; i++)
        prfdata_output_put_string(lines, text);
}

static void test_streams_lines_of_any_length(void **state)
{
    static const char *const ends[] = {"", "\r", "\n", "\r\n", "\r\r\n", "\n\r", "\r\nx"};
    static const size_t lengths[] = {0, 1, 65535, 65536, 65537, 200000};

    (void)state;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
            prfdata_output lines = {0};

            prfdata_output_put_string(&lines, "first\r\n");
            put_many(&lines, lengths[k], "y");
            prfdata_output_put_string(&lines, ends[i]);
            put_many(&lines, lengths[k] / 10, "a line\r\n");
            put_many(&lines, lengths[k], "z");
            prfdata_output_put_string(&lines, ends[i]);
            check_lines(&lines);
            prfdata_output_free(&lines);
        }
    }
}

static void test_streams_incomplete_lines_are_not_written(void **state)
{
    const prfdata_output none = {0};
    const prfdata_output lines = {.failed = true};
    prfdata_stream stream;

    (void)state;
    check_lines(&none);
    assert_int_equal(prfdata_files_create(target.text, true, &stream), ERROR_SUCCESS);
    assert_int_equal(prfdata_streams_write_lines(stream, &lines), ERROR_NOT_ENOUGH_MEMORY);
    assert_int_equal(prfdata_files_close(stream), ERROR_SUCCESS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_streams_lines_of_any_length),
        cmocka_unit_test(test_streams_incomplete_lines_are_not_written),
    };

    return cmocka_run_group_tests_name("streams", tests, set_up, tear_down);
}
