/* SPDX-License-Identifier: MIT */
/* Tests named sets of columns, and how a workspace keeps them. */
#include "support/test.h"

#include <string.h>

#include <prfdata/error.h>

#include "support/reader/ascii_text.h"
#include "viewer/column_sets.h"

static void put_column(prfdata_column_sets *sets, const char *name, const char *path,
                       uint32_t position, bool is_hidden)
{
    uint16_t name_chars[20];
    uint16_t path_chars[40];
    const prfdata_column_set_item item = {ascii_text(name, name_chars),
                                          ascii_text(path, path_chars), position, is_hidden};

    prfdata_column_sets_put(sets, &item);
}

static const prfdata_column_set_item *find_column(const prfdata_column_sets *sets, const char *name,
                                                  const char *path)
{
    uint16_t name_chars[20];
    uint16_t path_chars[40];

    return prfdata_column_sets_find(sets, ascii_text(name, name_chars),
                                    ascii_text(path, path_chars));
}

static void check_sets(const prfdata_column_sets *sets)
{
    assert_true(ascii_text_is(prfdata_column_sets_name(sets, 0), "Short list"));
    assert_true(ascii_text_is(prfdata_column_sets_name(sets, 1), "all"));
    assert_int_equal(prfdata_column_sets_name(sets, 2).count, 0);
    assert_int_equal(find_column(sets, "short LIST", "\\Queue\\Depth")->position, 2);
    assert_true(find_column(sets, "Short list", "\\Queue\\Bytes/sec")->is_hidden);
    assert_false(find_column(sets, "all", "\\Queue\\Bytes/sec")->is_hidden);
    assert_null(find_column(sets, "all", "\\Queue\\Depth"));
}

static void test_view_column_sets_are_the_same_after_a_workspace(void **state)
{
    prfdata_workspace workspace = {0};
    prfdata_column_sets sets = {0};
    uint16_t chars[20];

    (void)state;
    put_column(&sets, "Short list", "\\Queue\\Depth", 1, true);
    put_column(&sets, "Short list", "\\Queue\\Depth", 2, false); /* replaces the column above */
    put_column(&sets, "all", "\\Queue\\Bytes/sec", 1, false);
    put_column(&sets, "Short list", "\\Queue\\Bytes/sec", 0, true);
    put_column(&sets, "a|b", "\\Queue\\Depth", 0, false);
    put_column(&sets, "", "\\Queue\\Depth", 0, false);
    check_sets(&sets);
    prfdata_column_sets_write(&sets, &workspace);
    assert_int_equal(prfdata_workspace_read(&workspace, workspace.text.bytes, workspace.text.used),
                     ERROR_SUCCESS);
    prfdata_column_sets_read(&sets, &workspace);
    check_sets(&sets);
    prfdata_column_sets_remove(&sets, prfdata_column_sets_name(&sets, 0));
    assert_true(ascii_text_is(prfdata_column_sets_name(&sets, 0), "all"));
    assert_int_equal(sets.count, 1);
    prfdata_column_sets_remove(&sets, ascii_text("other", chars));
    assert_int_equal(sets.count, 1);
    prfdata_column_sets_free(&sets);
    prfdata_workspace_free(&workspace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_view_column_sets_are_the_same_after_a_workspace),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
