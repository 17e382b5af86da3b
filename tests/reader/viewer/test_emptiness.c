/* SPDX-License-Identifier: MIT */
/* Tests what the window says in place of an empty table: at the first start, for a file, and for
 * objects without instances. Also tests what a search for all objects reports at its end. */
#include "support/test.h"

#include "reader/view/view_sample.h"
#include "viewer/emptiness.h"

enum { PROCESSOR = 238 };

/* Begin a source whose titles have Queue. The titles may also have an object of Windows, and Queue
 * may belong to a service. */
static void begin_viewer(prfdata_viewer *viewer, bool is_live, bool has_windows, bool has_service)
{
    const prfdata_viewer_observer observer = {0};
    const prfdata_viewer_words words = {0};
    prfdata_name_table objects = {0};

    prfdata_viewer_init(viewer, &observer, 1000000);
    viewer->titles = view_titles();
    if (has_windows)
        view_title(&viewer->titles.english, PROCESSOR, "Processor");
    viewer->owns_titles = true;
    viewer->is_live = is_live;
    if (has_service)
        view_title(&objects, QUEUE, "Queue");
    prfdata_viewer_begin(viewer, &words, is_live ? &objects : NULL);
    prfdata_name_table_free(&objects);
}

static void expect_emptiness(bool is_live, bool has_windows, bool has_service, bool is_remote,
                             prfdata_emptiness expected)
{
    prfdata_viewer viewer;

    begin_viewer(&viewer, is_live, has_windows, has_service);
    viewer.is_remote = is_remote;
    assert_int_equal(prfdata_emptiness_of(&viewer, is_live), expected);
    prfdata_viewer_free(&viewer);
}

/* If no counters of PrfData are installed, the window says so at the first start. It does not say
 * so about another computer, because it does not know the services of that computer. */
static void test_emptiness_of_the_first_start(void **state)
{
    const prfdata_viewer_observer observer = {0};
    prfdata_viewer viewer;

    (void)state;
    prfdata_viewer_init(&viewer, &observer, 1000000);
    assert_int_equal(prfdata_emptiness_of(&viewer, true), PRFDATA_EMPTINESS_READING);
    assert_int_equal(prfdata_emptiness_of(&viewer, false), PRFDATA_EMPTINESS_NOTHING_OPEN);
    prfdata_viewer_free(&viewer);
    expect_emptiness(true, false, false, false, PRFDATA_EMPTINESS_NO_OBJECTS);
    expect_emptiness(true, true, false, false, PRFDATA_EMPTINESS_NO_SERVICES);
    expect_emptiness(true, true, true, false, PRFDATA_EMPTINESS_CHOICE);
    expect_emptiness(true, false, true, false, PRFDATA_EMPTINESS_CHOICE);
    expect_emptiness(true, true, false, true, PRFDATA_EMPTINESS_CHOICE);
    expect_emptiness(false, false, false, false, PRFDATA_EMPTINESS_FILE);
}

/* If a chosen object has no rows, the window says why as soon as a sample shows the reason. */
static void test_emptiness_of_an_object(void **state)
{
    static const view_row row = {"a", 1, 1};
    const prfdata_title_set all = {0};
    prfdata_viewer viewer;
    prfdata_node *node;
    uint16_t chars[20];

    (void)state;
    for (unsigned is_service = 0; is_service < 2; is_service++) {
        begin_viewer(&viewer, true, false, is_service != 0);
        node = prfdata_tree_add_object(
            &viewer.tree, is_service ? PRFDATA_TREE_SERVICES : PRFDATA_TREE_OTHERS, QUEUE);
        prfdata_viewer_choose_object(&viewer, QUEUE);
        assert_int_equal(prfdata_emptiness_of(&viewer, true), PRFDATA_EMPTINESS_NONE);
        prfdata_viewer_take(&viewer, view_sample(1, NULL, 0), &all, 0);
        assert_int_equal(prfdata_emptiness_of(&viewer, true), is_service
                                                                  ? PRFDATA_EMPTINESS_NO_PROGRAM
                                                                  : PRFDATA_EMPTINESS_NO_INSTANCES);
        assert_int_equal(prfdata_emptiness_of(&viewer, false), PRFDATA_EMPTINESS_NO_INSTANCES);
        prfdata_tree_silence(&viewer.tree, node, ascii_text("no answer", chars));
        assert_int_equal(prfdata_emptiness_of(&viewer, true), PRFDATA_EMPTINESS_SILENT);
        prfdata_viewer_take(&viewer, view_sample(2, &row, 1), &all, 0);
        assert_int_equal(prfdata_emptiness_of(&viewer, true), PRFDATA_EMPTINESS_NONE);
        prfdata_viewer_free(&viewer);
    }
}

static void test_object_search_counts_all_objects_and_new_ones(void **state)
{
    prfdata_object_search search = {0};
    prfdata_viewer viewer;
    uint32_t all;
    uint32_t added;

    (void)state;
    begin_viewer(&viewer, true, true, true);
    prfdata_object_search_begin(&search, &viewer);
    assert_true(prfdata_object_search_end(&search, &viewer, &all, &added));
    assert_int_equal(all, 2);
    assert_int_equal(added, 0);
    prfdata_object_search_begin(&search, &viewer);
    (void)prfdata_tree_add_object(&viewer.tree, PRFDATA_TREE_OTHERS, SOLO);
    assert_true(prfdata_object_search_end(&search, &viewer, &all, &added));
    assert_int_equal(all, 3);
    assert_int_equal(added, 1);
    prfdata_viewer_free(&viewer);
}

/* The message that a provider failed stays, and no message says that all objects were found. A
 * failure is forgotten when the next search begins. */
static void test_object_search_leaves_the_message_about_a_failure(void **state)
{
    prfdata_object_search search = {0};
    prfdata_viewer viewer;
    uint32_t all;
    uint32_t added;

    (void)state;
    begin_viewer(&viewer, true, true, true);
    prfdata_object_search_begin(&search, &viewer);
    search.has_failed = true;
    assert_false(prfdata_object_search_end(&search, &viewer, &all, &added));
    search.has_failed = true;
    prfdata_object_search_begin(&search, &viewer);
    assert_true(prfdata_object_search_end(&search, &viewer, &all, &added));
    prfdata_viewer_free(&viewer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_emptiness_of_the_first_start),
        cmocka_unit_test(test_emptiness_of_an_object),
        cmocka_unit_test(test_object_search_counts_all_objects_and_new_ones),
        cmocka_unit_test(test_object_search_leaves_the_message_about_a_failure),
    };

    return cmocka_run_group_tests_name("emptiness", tests, NULL, NULL);
}
