/* SPDX-License-Identifier: MIT */
/* Tests what a session asks, remembers and reports, and which names it takes as names of this
 * computer. The source follows a script. Also tests sets of titles. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "os/system.h"
#include "source/session.h"
#include "support/reader/ascii_text.h"
#include "support/reader/wire.h"

#define MAX_SAMPLES 4

typedef struct session_script {
    prfdata_source source;
    wire blocks[MAX_SAMPLES];
    /* If not ERROR_SUCCESS, the source returns this instead of the block. */
    uint32_t statuses[MAX_SAMPLES];
    size_t count;
    size_t next;
    char queries[100]; /* the queries so far, for example "100|100 200|" */
} session_script;

static uint32_t take_scripted(prfdata_source *source, const uint16_t *query, void **bytes,
                              size_t *size)
{
    session_script *self = (session_script *)source;
    const size_t at = self->next;
    size_t used = strlen(self->queries);

    if (at == self->count)
        return ERROR_NO_MORE_ITEMS;
    self->next++;
    for (; *query; query++)
        self->queries[used++] = (char)*query;
    self->queries[used++] = '|';
    if (self->statuses[at] != ERROR_SUCCESS)
        return self->statuses[at];
    *bytes = malloc(self->blocks[at].used);
    assert_non_null(*bytes);
    memcpy(*bytes, self->blocks[at].bytes, self->blocks[at].used);
    *size = self->blocks[at].used;
    return ERROR_SUCCESS;
}

static const prfdata_source_kind live = {.take = take_scripted};
static const prfdata_source_kind recorded = {.take = take_scripted, .is_recorded = true};

static session_script source;
static prfdata_messages messages;
static prfdata_session session;

static int begin(void **state)
{
    (void)state;
    memset(&source, 0, sizeof source);
    memset(&session, 0, sizeof session);
    source.source.kind = &live;
    session.source = &source.source;
    session.messages = &messages;
    return 0;
}

static int end(void **state)
{
    (void)state;
    prfdata_titles_free(&session.titles);
    prfdata_messages_free(&messages);
    return 0;
}

static void script_failure(uint32_t status)
{
    source.statuses[source.count++] = status;
}

/* Script object 500, whose instance is a child of instance 0 of object 100. If with_parent, object
 * 100 is in the block, too. */
static void script_child(bool with_parent)
{
    wire *w = &source.blocks[source.count++];

    memset(w, 0, sizeof *w);
    wire_begin(w, with_parent ? 2 : 1);
    for (uint32_t title = with_parent ? 100 : 500; title <= 500; title += 400) {
        const size_t object = wire_object(w, title, 1, 1, 0);

        wire_counter(w, title + 2, 0x00010000, 4, 4);
        wire_instance(w, title == 500 ? 100 : 0, 0, -1, "x");
        wire_value32(w, 55);
        wire_object_end(w, object);
    }
    wire_end(w);
}

static uint32_t take_session(void)
{
    static const uint16_t query[] = {'2', 0};
    prfdata_sample *sample = NULL;
    const uint32_t status = prfdata_session_take(&session, query, &sample);

    assert_int_equal(sample != NULL, status == ERROR_SUCCESS);
    prfdata_sample_free(sample);
    return status;
}

static void test_session_failure_is_reported_and_remembered(void **state)
{
    (void)state;
    script_failure(ERROR_ACCESS_DENIED);
    assert_int_equal(take_session(), ERROR_ACCESS_DENIED);
    assert_int_not_equal(session.failure, ERROR_SUCCESS);
    assert_false(prfdata_session_is_damaged(&session));
    assert_int_equal(messages.count, 1);
    assert_int_equal(messages.items[0].system_error, ERROR_ACCESS_DENIED);
}

static void test_session_lie_of_a_provider_is_damage_and_no_failure(void **state)
{
    (void)state;
    script_failure(ERROR_INVALID_DATA);
    assert_int_equal(take_session(), ERROR_INVALID_DATA);
    assert_int_equal(session.failure, ERROR_SUCCESS);
    assert_true(prfdata_session_is_damaged(&session));
}

static void test_session_damaged_sample_is_taken_and_reported(void **state)
{
    (void)state;
    script_child(false);
    source.blocks[0].used -= 4;
    assert_int_equal(take_session(), ERROR_SUCCESS);
    assert_true(prfdata_session_is_damaged(&session));
    assert_int_equal(messages.count, 1);
    assert_int_equal(messages.items[0].severity, PRFDATA_SEVERITY_WARNING);
}

/* Script a block whose objects begin `late` bytes too late, while its length fields are those of
 * the correct block. With 88 bytes, the block is as Wine writes it. */
static void script_misplaced(size_t late)
{
    wire *w = &source.blocks[source.count++];
    wire plain;

    memset(&plain, 0, sizeof plain);
    wire_begin(&plain, 1);
    wire_worked_example(&plain, 10);
    wire_end(&plain);
    memset(w, 0, sizeof *w);
    memcpy(w->bytes, plain.bytes, 96);
    memcpy(w->bytes + 96 + late, plain.bytes + 96, plain.used - 96 - late);
    w->used = plain.used;
}

static void test_session_objects_where_wine_puts_them_are_recognised(void **state)
{
    prfdata_output why = {0};

    (void)state;
    script_misplaced(88);
    assert_int_equal(take_session(), ERROR_SUCCESS);
    assert_true(prfdata_session_is_damaged(&session));
    assert_int_equal(messages.count, 1);
    assert_non_null(strstr(messages.items[0].text, "Wine puts the objects 88 bytes later"));
    assert_null(strstr(messages.items[0].text, "damaged"));
    assert_string_equal(prfdata_session_absence(&session, (prfdata_text){NULL, 0}, true, &why),
                        "Wine returns the objects at the wrong place, so this one cannot be found; "
                        "read with -dll or -regions");
}

static void test_session_objects_elsewhere_are_damage(void **state)
{
    (void)state;
    script_misplaced(80);
    assert_int_equal(take_session(), ERROR_SUCCESS);
    assert_int_equal(messages.count, 1);
    assert_non_null(strstr(messages.items[0].text, "is damaged"));
}

static void test_session_end_of_a_recorded_source_is_no_failure(void **state)
{
    (void)state;
    source.source.kind = &recorded;
    assert_int_equal(take_session(), ERROR_NO_MORE_ITEMS);
    assert_int_equal(session.failure, ERROR_SUCCESS);
    assert_int_equal(messages.count, 0);
    source.source.kind = &live;
    assert_int_equal(take_session(), ERROR_NO_MORE_ITEMS);
    assert_int_not_equal(session.failure, ERROR_SUCCESS);
}

static void test_session_asks_again_for_parents(void **state)
{
    prfdata_title_set set = {0};
    prfdata_sample *sample = NULL;
    uint16_t *query = NULL;

    (void)state;
    assert_true(prfdata_title_set_add(&set, 500));
    script_child(false);
    script_child(true);
    assert_int_equal(prfdata_session_take_first(&session, &set, &query, &sample), ERROR_SUCCESS);
    assert_int_equal(sample->object_count, 2);
    assert_string_equal(source.queries, "500|500 100|");
    prfdata_sample_free(sample);
    free(query);
    prfdata_title_set_free(&set);
}

static void test_session_asks_a_recorded_source_once(void **state)
{
    prfdata_title_set set = {0};
    prfdata_sample *sample = NULL;
    uint16_t *query = NULL;

    (void)state;
    source.source.kind = &recorded;
    assert_true(prfdata_title_set_add(&set, 500));
    script_child(false);
    assert_int_equal(prfdata_session_take_first(&session, &set, &query, &sample), ERROR_SUCCESS);
    assert_string_equal(source.queries, "500|");
    prfdata_sample_free(sample);
    free(query);
    prfdata_title_set_free(&set);
}

static void test_session_failed_first_sample_leaves_no_query(void **state)
{
    prfdata_title_set set = {0};
    prfdata_sample *sample = NULL;
    uint16_t *query = NULL;

    (void)state;
    script_failure(ERROR_ACCESS_DENIED);
    assert_int_equal(prfdata_session_take_first(&session, &set, &query, &sample),
                     ERROR_ACCESS_DENIED);
    assert_null(query);
    assert_null(sample);
    assert_string_equal(source.queries, "Global|");
}

static void test_session_knows_this_computer(void **state)
{
    uint16_t chars[3][16];

    (void)state;
    session.computer = ascii_text("PC", session.computer_chars);
    assert_true(prfdata_session_is_here(&session, prfdata_no_subject));
    assert_true(prfdata_session_is_here(&session, ascii_text("pc", chars[0])));
    assert_true(prfdata_session_is_here(&session, ascii_text("LOCALHOST", chars[0])));
    assert_true(prfdata_session_is_here(&session, ascii_text(".", chars[0])));
    assert_true(prfdata_session_is_here(&session, ascii_text("127.0.0.1", chars[0])));
    assert_true(prfdata_session_is_here(&session, ascii_text("::1", chars[0])));
    assert_false(prfdata_session_is_here(&session, ascii_text("PC2", chars[0])));
    assert_false(prfdata_session_is_here(&session, ascii_text("127.0.0.11", chars[0])));
}

static size_t other_computer(prfdata_source *of, uint16_t *chars, size_t capacity)
{
    (void)of;
    (void)chars;
    (void)capacity;
    return 0;
}

/* The names that the system has for this computer mean this computer, but not in data of another
 * computer. */
static void test_session_knows_the_systems_name_of_this_computer(void **state)
{
    static const prfdata_source_kind of_another = {.take = take_scripted,
                                                   .computer = other_computer};
    uint16_t chars[256];
    prfdata_text own = {chars, prfdata_system_computer(chars, 256)};

    (void)state;
    assert_in_range(own.count, 1, 256);
    session.computer = ascii_text("PC", session.computer_chars);
    assert_true(prfdata_session_is_here(&session, own));
    own.count--;
    assert_false(prfdata_session_is_here(&session, own));
    own.count++;
    source.source.kind = &of_another;
    assert_false(prfdata_session_is_here(&session, own));
}

/* In a file that another computer has recorded, localhost means that computer. If another computer
 * is read live, localhost does not mean that computer. */
static void test_session_of_another_computer_is_not_local(void **state)
{
    static const prfdata_source_kind distant = {.take = take_scripted, .computer = other_computer};
    static const prfdata_source_kind saved = {
        .take = take_scripted, .computer = other_computer, .is_recorded = true};
    uint16_t chars[16];
    const prfdata_text local = ascii_text("localhost", chars);

    (void)state;
    session.computer = ascii_text("PC", session.computer_chars);
    source.source.kind = &distant;
    assert_false(prfdata_session_is_here(&session, local));
    assert_true(prfdata_session_is_here(&session, session.computer));
    source.source.kind = &saved;
    assert_true(prfdata_session_is_here(&session, local));
}

static void test_title_set_of_too_many_asks_for_everything(void **state)
{
    prfdata_titles titles = {0};
    prfdata_title_set set = {0};
    uint16_t chars[8];
    uint16_t *query;

    (void)state;
    for (uint32_t i = 1; i <= 201; i++) {
        const prfdata_text name = ascii_text(i % 2 ? "ab" : "ac", chars);

        assert_int_equal(prfdata_name_table_add(&titles.english, 2 * i, name), ERROR_SUCCESS);
    }
    assert_true(prfdata_title_set_add_name(&set, &titles, ascii_text("a*b", chars)));
    assert_int_equal(set.count, 101);
    assert_false(set.is_global);
    assert_true(prfdata_title_set_add_name(&set, &titles, ascii_text("a*", chars)));
    assert_true(set.is_global);
    query = prfdata_title_set_query(&set);
    assert_true(ascii_text_is(prfdata_text_from_chars(query), "Global"));
    free(query);
    prfdata_title_set_free(&set);

    assert_false(prfdata_title_set_add_name(&set, &titles, ascii_text("b*", chars)));
    prfdata_title_set_add_range(&set, 10, 17);
    query = prfdata_title_set_query(&set);
    assert_true(ascii_text_is(prfdata_text_from_chars(query), "10 12 14 16"));
    free(query);
    prfdata_title_set_add_range(&set, UINT32_MAX, UINT32_MAX);
    assert_int_equal(set.count, 5);
    assert_int_equal(set.items[4], UINT32_MAX);
    prfdata_title_set_add_range(&set, 1, UINT32_MAX);
    assert_true(set.is_global);
    prfdata_title_set_free(&set);
    prfdata_titles_free(&titles);
}

/* ---- Title sets ---- */

static void test_title_set_holds_each_index_once(void **state)
{
    prfdata_title_set set = {0};
    uint16_t *query;

    (void)state;
    for (uint32_t i = 0; i < 100; i++)
        assert_true(prfdata_title_set_add(&set, UINT32_MAX - i % 50));
    assert_int_equal(set.count, 50);
    query = prfdata_title_set_query(&set);
    assert_non_null(query);
    assert_int_equal(prfdata_text_from_chars(query).count, 50 * 11 - 1);
    assert_int_equal(query[0], '4');
    free(query);
    prfdata_title_set_free(&set);
    assert_int_equal(set.count, 0);
}

static void test_title_set_copy_replaces_what_was_there(void **state)
{
    prfdata_title_set from = {0};
    prfdata_title_set to = {0};

    (void)state;
    assert_true(prfdata_title_set_add(&from, 2) && prfdata_title_set_add(&from, 4));
    assert_true(prfdata_title_set_add(&to, 50));
    assert_true(prfdata_title_set_copy(&from, &to));
    assert_int_equal(to.count, 2);
    assert_true(prfdata_title_set_has(&to, 2) && prfdata_title_set_has(&to, 4));
    prfdata_title_set_free(&from);
    prfdata_title_set_free(&to);
}

static void test_title_set_empty_asks_for_global(void **state)
{
    const prfdata_title_set set = {0};
    uint16_t *query = prfdata_title_set_query(&set);

    (void)state;
    assert_non_null(query);
    assert_true(ascii_text_is(prfdata_text_from_chars(query), "Global"));
    free(query);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_session_failure_is_reported_and_remembered),
        TEST(test_session_lie_of_a_provider_is_damage_and_no_failure),
        TEST(test_session_damaged_sample_is_taken_and_reported),
        TEST(test_session_objects_where_wine_puts_them_are_recognised),
        TEST(test_session_objects_elsewhere_are_damage),
        TEST(test_session_end_of_a_recorded_source_is_no_failure),
        TEST(test_session_asks_again_for_parents),
        TEST(test_session_asks_a_recorded_source_once),
        TEST(test_session_failed_first_sample_leaves_no_query),
        TEST(test_session_knows_this_computer),
        TEST(test_session_knows_the_systems_name_of_this_computer),
        TEST(test_session_of_another_computer_is_not_local),
        cmocka_unit_test(test_title_set_of_too_many_asks_for_everything),
        cmocka_unit_test(test_title_set_holds_each_index_once),
        cmocka_unit_test(test_title_set_copy_replaces_what_was_there),
        cmocka_unit_test(test_title_set_empty_asks_for_global),
    };

    return cmocka_run_group_tests_name("session", tests, NULL, NULL);
}
