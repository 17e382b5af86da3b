/* SPDX-License-Identifier: MIT */
/* Tests the tree: what it shows of samples, which nodes are kept, and what a search finds. */
#include "support/test.h"

#include <stdio.h>

#include "view/tree.h"
#include "view_sample.h"

static char drawn[2000];

static void draw_node(const prfdata_node *node, unsigned depth)
{
    size_t used = strlen(drawn);

    if (!node->is_shown)
        return;
    used += (size_t)snprintf(drawn + used, sizeof drawn - used, "%*s", (int)depth, "");
    for (size_t i = 0; i < node->name.count; i++)
        drawn[used++] = (char)node->name.chars[i];
    snprintf(drawn + used, sizeof drawn - used, "%s\n", node->is_gone ? " gone" : "");
    for (const prfdata_node *child = node->first; child; child = child->next)
        draw_node(child, depth + 1);
}

static const char *draw_tree(const prfdata_tree *tree)
{
    drawn[0] = 0;
    for (unsigned i = 0; i < PRFDATA_TREE_GROUPS; i++)
        draw_node(tree->groups[i], 0);
    return drawn;
}

typedef struct calls {
    unsigned added;
    unsigned removing;
    unsigned changed;
} calls;

static void count_added(void *context, prfdata_node *node)
{
    assert_non_null(node->name.chars);
    ((calls *)context)->added++;
}

static void count_removing(void *context, prfdata_node *node)
{
    assert_false(node->is_selected);
    ((calls *)context)->removing++;
}

static void count_changed(void *context, prfdata_node *node)
{
    (void)node;
    ((calls *)context)->changed++;
}

typedef struct tree_scene {
    prfdata_titles titles;
    prfdata_tree tree;
    calls calls;
} tree_scene;

static void begin_scene_tree(tree_scene *s)
{
    uint16_t chars[4][8];
    prfdata_text names[PRFDATA_TREE_GROUPS];

    memset(s, 0, sizeof *s);
    s->titles = view_titles();
    for (unsigned i = 0; i < PRFDATA_TREE_GROUPS; i++)
        names[i] = ascii_text(i == 0 ? "S" : i == 1 ? "C" : "O", chars[i]);
    assert_int_equal(prfdata_tree_init(&s->tree, ascii_text("PC", chars[3]), names, &s->titles),
                     ERROR_SUCCESS);
    s->tree.observer =
        (prfdata_tree_observer){&s->calls, count_added, count_removing, count_changed};
}

static void end_scene_tree(tree_scene *s)
{
    assert_false(s->tree.failed);
    prfdata_tree_free(&s->tree);
    prfdata_titles_free(&s->titles);
}

static void follow(tree_scene *s, uint32_t second, const view_row *rows, uint32_t count)
{
    prfdata_sample *sample = view_sample(second, rows, count);

    prfdata_tree_update(&s->tree, sample, NULL);
    prfdata_sample_free(sample);
}

static const view_row two_rows[] = {{"b", 1, 1}, {"a", 2, 2}};

static void test_tree_lists_objects_by_name_and_fills_open_ones(void **state)
{
    tree_scene s;
    prfdata_node *queue;

    (void)state;
    begin_scene_tree(&s);
    assert_non_null(prfdata_tree_add_object(&s.tree, PRFDATA_TREE_SERVICES, SOLO));
    queue = prfdata_tree_add_object(&s.tree, PRFDATA_TREE_SERVICES, QUEUE);
    assert_non_null(prfdata_tree_add_object(&s.tree, PRFDATA_TREE_COMMON, 238));
    assert_ptr_equal(prfdata_tree_add_object(&s.tree, PRFDATA_TREE_OTHERS, QUEUE), queue);
    assert_string_equal(draw_tree(&s.tree), "S\n Queue\n Solo\nC\n 238\nO\n");
    follow(&s, 1, two_rows, 2);
    assert_string_equal(draw_tree(&s.tree), "S\n Queue\n Solo\nC\n 238\nO\n");
    prfdata_tree_open(&s.tree, queue, NULL);
    follow(&s, 2, two_rows, 2);
    assert_string_equal(draw_tree(&s.tree),
                        "S\n Queue\n  *\n   Depth\n   Bytes/sec\n  a\n  b\n Solo\nC\n 238\nO\n");
    end_scene_tree(&s);
}

static void test_tree_that_has_not_begun_has_no_object(void **state)
{
    const prfdata_tree tree = {0};

    (void)state;
    assert_null(prfdata_tree_object(&tree, QUEUE));
}

static void test_tree_object_of_a_sample_is_added_among_others(void **state)
{
    tree_scene s;

    (void)state;
    begin_scene_tree(&s);
    follow(&s, 1, two_rows, 2);
    assert_string_equal(draw_tree(&s.tree), "S\nC\nO\n Queue\n");
    end_scene_tree(&s);
}

static prfdata_node *opened_queue(tree_scene *s)
{
    prfdata_node *queue = prfdata_tree_add_object(&s->tree, PRFDATA_TREE_SERVICES, QUEUE);

    prfdata_tree_open(&s->tree, queue, NULL);
    follow(s, 1, two_rows, 2);
    return queue;
}

/* An instance keeps its node. New instances are inserted in order, and ended ones are removed. */
static void test_tree_nodes_survive_instances_that_come_and_go(void **state)
{
    static const view_row others[] = {{"c", 1, 1}, {"b", 2, 2}, {"aa", 3, 3}};
    tree_scene s;
    prfdata_node *queue;
    prfdata_node *b;

    (void)state;
    begin_scene_tree(&s);
    queue = opened_queue(&s);
    b = queue->last;
    s.calls = (calls){0};
    follow(&s, 2, others, 3);
    assert_string_equal(draw_tree(&s.tree),
                        "S\n Queue\n  *\n   Depth\n   Bytes/sec\n  aa\n  b\n  c\n"
                        "C\nO\n");
    assert_ptr_equal(b->previous->next, b);
    assert_true(ascii_text_is(b->label, "b"));
    assert_int_equal(s.calls.added, 2);
    assert_int_equal(s.calls.removing, 1);
    follow(&s, 3, others, 3);
    assert_int_equal(s.calls.added, 2);
    end_scene_tree(&s);
}

static void test_tree_selected_instance_stays_as_gone_and_comes_back(void **state)
{
    static const view_row only_a[] = {{"a", 1, 1}};
    tree_scene s;
    prfdata_node *b;

    (void)state;
    begin_scene_tree(&s);
    b = opened_queue(&s)->last;
    b->is_selected = true;
    follow(&s, 2, only_a, 1);
    assert_true(b->is_gone);
    assert_string_equal(draw_tree(&s.tree),
                        "S\n Queue\n  *\n   Depth\n   Bytes/sec\n  a\n  b gone\nC\nO\n");
    follow(&s, 3, two_rows, 2);
    assert_false(b->is_gone);
    b->is_selected = false;
    follow(&s, 4, only_a, 1);
    assert_int_equal(s.calls.removing, 1);
    end_scene_tree(&s);
}

static void test_tree_object_that_is_missing_is_gone_and_says_why(void **state)
{
    uint16_t chars[20];
    tree_scene s;
    prfdata_node *solo;

    (void)state;
    begin_scene_tree(&s);
    solo = prfdata_tree_add_object(&s.tree, PRFDATA_TREE_SERVICES, SOLO);
    follow(&s, 1, two_rows, 2);
    assert_false(solo->is_gone); /* Solo was not asked for */
    prfdata_tree_open(&s.tree, solo, NULL);
    follow(&s, 2, two_rows, 2);
    assert_true(solo->is_gone);
    s.calls = (calls){0};
    prfdata_tree_explain(&s.tree, solo, ascii_text("disabled", chars));
    prfdata_tree_explain(&s.tree, solo, ascii_text("disabled", chars));
    assert_int_equal(s.calls.changed, 1);
    assert_true(ascii_text_is(solo->note, "disabled"));
    end_scene_tree(&s);
}

/* An object that does not answer is silent, not missing. It stays silent until a sample has it, or
 * it is asked for again. */
static void test_tree_object_that_did_not_answer_is_silent_not_gone(void **state)
{
    uint16_t chars[20];
    tree_scene s;
    prfdata_node *solo;

    (void)state;
    begin_scene_tree(&s);
    solo = prfdata_tree_add_object(&s.tree, PRFDATA_TREE_SERVICES, SOLO);
    prfdata_tree_open(&s.tree, solo, NULL);
    follow(&s, 1, two_rows, 2);
    assert_true(solo->is_gone);
    s.calls = (calls){0};
    prfdata_tree_silence(&s.tree, solo, ascii_text("no answer", chars));
    assert_true(s.calls.changed > 0);
    follow(&s, 2, two_rows, 2);
    assert_true(solo->is_silent);
    assert_false(solo->is_gone);
    assert_true(ascii_text_is(solo->note, "no answer"));
    prfdata_tree_ask_again(&s.tree, NULL);
    assert_false(solo->is_silent);
    assert_int_equal(solo->note.count, 0);
    follow(&s, 3, two_rows, 2); /* Solo was asked for and did not come */
    assert_true(solo->is_gone);
    prfdata_tree_silence(&s.tree, solo, ascii_text("no answer", chars));
    prfdata_tree_ask_again(&s.tree, solo);
    assert_false(solo->is_silent);
    end_scene_tree(&s);
}

static void test_tree_object_that_answers_again_is_no_longer_silent(void **state)
{
    uint16_t chars[20];
    tree_scene s;
    prfdata_node *queue;

    (void)state;
    begin_scene_tree(&s);
    follow(&s, 1, two_rows, 2);
    queue = prfdata_tree_object(&s.tree, QUEUE);
    prfdata_tree_silence(&s.tree, queue, ascii_text("no answer", chars));
    follow(&s, 2, two_rows, 2);
    assert_false(queue->is_silent);
    assert_int_equal(queue->note.count, 0);
    end_scene_tree(&s);
}

static void test_tree_search_finds_what_was_not_opened(void **state)
{
    uint16_t chars[20];
    tree_scene s;
    prfdata_sample *sample = view_sample(1, two_rows, 2);

    (void)state;
    begin_scene_tree(&s);
    prfdata_tree_update(&s.tree, sample, NULL);
    assert_int_equal(prfdata_tree_search(&s.tree, ascii_text("b", chars)), 0);
    prfdata_tree_fill(&s.tree, sample);
    assert_true(prfdata_tree_search(&s.tree, ascii_text("b", chars)) > 0);
    assert_false(prfdata_tree_object(&s.tree, QUEUE)->is_open);
    prfdata_sample_free(sample);
    end_scene_tree(&s);
}

static void test_tree_notes_damage(void **state)
{
    tree_scene s;
    prfdata_node *queue;
    prfdata_sample *sample = view_sample(1, two_rows, 2);
    unsigned char *bytes = malloc(sample->size);
    prfdata_sample *damaged = NULL;

    (void)state;
    assert_non_null(bytes);
    memcpy(bytes, sample->bytes, sample->size);
    bytes[96 + 64 + 80] = 1; /* ByteLength of the first instance */
    assert_int_equal(prfdata_sample_make(bytes, sample->size, &damaged), ERROR_SUCCESS);
    begin_scene_tree(&s);
    queue = opened_queue(&s);
    assert_int_equal(queue->note.count, 0);
    prfdata_tree_update(&s.tree, damaged, NULL);
    assert_true(queue->note.count > 20);
    prfdata_tree_update(&s.tree, sample, NULL);
    assert_int_equal(queue->note.count, 0);
    prfdata_sample_free(sample);
    prfdata_sample_free(damaged);
    end_scene_tree(&s);
}

/* Instances that have a parent are below the branch of the parent. Counters are added when an
 * instance is opened. */
static void test_tree_has_branches_for_parents(void **state)
{
    tree_scene s;
    prfdata_node *queue;
    prfdata_sample *sample;
    size_t object;
    wire w;

    (void)state;
    wire_begin(&w, 2);
    object = wire_object(&w, SOLO, 1, 2, 0);
    wire_counter(&w, DEPTH, PERF_COUNTER_RAWCOUNT, 4, 4);
    for (unsigned i = 0; i < 2; i++) {
        wire_instance(&w, 0, 0, -1, i == 0 ? "disk" : "drum");
        view_values(&w, 1, 1);
    }
    wire_object_end(&w, object);
    object = wire_object(&w, QUEUE, 1, 3, 0);
    wire_counter(&w, DEPTH, PERF_COUNTER_RAWCOUNT, 4, 4);
    for (uint32_t i = 0; i < 3; i++) {
        wire_instance(&w, SOLO, i / 2, -1, i == 1 ? "y" : "x");
        view_values(&w, 1, 1);
    }
    wire_object_end(&w, object);
    wire_end(&w);
    sample = wire_sample(&w);
    begin_scene_tree(&s);
    queue = prfdata_tree_add_object(&s.tree, PRFDATA_TREE_SERVICES, QUEUE);
    prfdata_tree_open(&s.tree, queue, sample);
    assert_string_equal(draw_tree(&s.tree),
                        "S\n Queue\n  *\n   Depth\n  disk\n   x\n   y\n  drum\n   x\nC\nO\n");
    prfdata_tree_open(&s.tree, queue->last->first, sample);
    assert_true(ascii_text_is(queue->last->first->first->name, "Depth"));
    assert_true(ascii_text_is(prfdata_node_label(queue->last->first->first), "drum/x"));
    assert_ptr_equal(prfdata_node_object(queue->last->first->first), queue);
    prfdata_tree_update(&s.tree, sample, NULL);
    assert_int_equal(queue->child_count, 3);
    prfdata_sample_free(sample);
    end_scene_tree(&s);
}

static void test_tree_search_shows_matches_with_what_is_above_and_below(void **state)
{
    uint16_t chars[20];
    tree_scene s;

    (void)state;
    begin_scene_tree(&s);
    (void)opened_queue(&s);
    assert_non_null(prfdata_tree_add_object(&s.tree, PRFDATA_TREE_COMMON, SOLO));
    assert_int_equal(prfdata_tree_search(&s.tree, ascii_text("BYTES", chars)), 1);
    assert_string_equal(draw_tree(&s.tree), "S\n Queue\n  *\n   Bytes/sec\n");
    assert_int_equal(prfdata_tree_search(&s.tree, ascii_text("que", chars)), 1);
    assert_string_equal(draw_tree(&s.tree), "S\n Queue\n  *\n   Depth\n   Bytes/sec\n  a\n  b\n");
    assert_int_equal(prfdata_tree_search(&s.tree, ascii_text("o", chars)), 1);
    assert_string_equal(draw_tree(&s.tree), "C\n Solo\n");
    assert_int_equal(prfdata_tree_search(&s.tree, ascii_text("zzz", chars)), 0);
    assert_string_equal(draw_tree(&s.tree), "");
    (void)prfdata_tree_search(&s.tree, (prfdata_text){0});
    assert_string_equal(draw_tree(&s.tree),
                        "S\n Queue\n  *\n   Depth\n   Bytes/sec\n  a\n  b\nC\n Solo\nO\n");
    end_scene_tree(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree_lists_objects_by_name_and_fills_open_ones),
        cmocka_unit_test(test_tree_that_has_not_begun_has_no_object),
        cmocka_unit_test(test_tree_object_of_a_sample_is_added_among_others),
        cmocka_unit_test(test_tree_nodes_survive_instances_that_come_and_go),
        cmocka_unit_test(test_tree_selected_instance_stays_as_gone_and_comes_back),
        cmocka_unit_test(test_tree_object_that_is_missing_is_gone_and_says_why),
        cmocka_unit_test(test_tree_object_that_did_not_answer_is_silent_not_gone),
        cmocka_unit_test(test_tree_object_that_answers_again_is_no_longer_silent),
        cmocka_unit_test(test_tree_search_finds_what_was_not_opened),
        cmocka_unit_test(test_tree_notes_damage),
        cmocka_unit_test(test_tree_has_branches_for_parents),
        cmocka_unit_test(test_tree_search_shows_matches_with_what_is_above_and_below),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
