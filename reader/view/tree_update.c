/* SPDX-License-Identifier: MIT */
/* Updates the tree for samples. Instances are found again by their labels. */
#include "view/tree_nodes.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/merge_sort.h"
#include "names/names.h"

static const uint16_t star_chars[] = {'*'};

/* ---- Counters ---- */

static prfdata_node *find_counter_node(const prfdata_node *parent, uint32_t title)
{
    prfdata_node *node = parent->first;

    while (node && node->title != title)
        node = node->next;
    return node;
}

static void fill_counters(prfdata_tree *tree, prfdata_node *parent,
                          const prfdata_sample_object *object)
{
    for (uint32_t i = 0; i < object->counter_count; i++) {
        const prfdata_perf_counter_definition *counter = &object->counters[i].definition;
        const uint32_t title = counter->counter_name_title_index;
        prfdata_node model = {.kind = PRFDATA_NODE_COUNTER, .title = title};
        uint16_t digits[12];

        if (!prfdata_sample_shows(&object->counters[i]) || find_counter_node(parent, title))
            continue;
        model.name = prfdata_titles_name_or_index(tree->titles, title, digits);
        model.help =
            prfdata_name_table_name(&tree->titles->helps, counter->counter_help_title_index);
        (void)prfdata_tree_add(tree, parent, parent->last, &model);
    }
    parent->is_filled = true;
}

/* ---- Finding instances ---- */

typedef struct instance_key {
    prfdata_node_kind kind;
    prfdata_text label;
} instance_key;

static bool has_instance_key(const void *elements, uint32_t position, const void *key)
{
    const prfdata_node *node = ((prfdata_node *const *)elements)[position];
    const instance_key *wanted = key;

    return node->kind == wanted->kind && prfdata_text_equal(node->label, wanted->label);
}

static uint64_t hash_instance_key(const instance_key *key)
{
    return prfdata_names_hash(key->label.chars, key->label.count, key->kind);
}

static void remember_node(prfdata_tree *tree, prfdata_node *node)
{
    const instance_key key = {node->kind, node->label};
    prfdata_node **found = prfdata_array_reserve(tree->found, &tree->found_capacity,
                                                 tree->found_count + 1, sizeof *found);

    if (found)
        tree->found = found;
    if (!found || !prfdata_hash_table_add(&tree->lookup, hash_instance_key(&key),
                                          (uint32_t)tree->found_count)) {
        tree->failed = true;
        return;
    }
    tree->found[tree->found_count++] = node;
}

static void remember_instances(prfdata_tree *tree, prfdata_node *object)
{
    prfdata_hash_table_clear(&tree->lookup);
    tree->found_count = 0;
    for (prfdata_node *node = object->first; node; node = node->next) {
        node->is_marked = false;
        remember_node(tree, node);
        for (prfdata_node *child = node->first; node->kind == PRFDATA_NODE_BRANCH && child;
             child = child->next) {
            child->is_marked = false;
            remember_node(tree, child);
        }
    }
}

static prfdata_node *find_instance_node(const prfdata_tree *tree, prfdata_node_kind kind,
                                        prfdata_text label)
{
    const instance_key key = {kind, label};
    const uint32_t at = prfdata_hash_table_find(&tree->lookup, hash_instance_key(&key),
                                                has_instance_key, tree->found, &key);

    return at == PRFDATA_HASH_TABLE_NONE ? NULL : tree->found[at];
}

/* ---- Instances ---- */

static int compare_labels(const void *left, const void *right, const void *context)
{
    const prfdata_sample_object *object = context;

    return prfdata_text_compare_naturally(object->instances[*(const uint32_t *)left].label,
                                          object->instances[*(const uint32_t *)right].label);
}

static bool has_new_instance(const prfdata_tree *tree, const prfdata_sample_object *object)
{
    for (uint32_t i = 0; i < object->found_count; i++) {
        if (!find_instance_node(tree, PRFDATA_NODE_INSTANCE,
                                object->instances[object->found[i]].label))
            return true;
    }
    return false;
}

/*
 * Return the positions of an object's instances, for free(); NULL: no memory. If there are new
 * instances, which must be inserted, the positions are in the order of the tree (row 2 before row
 * 10), otherwise in the order of object->found.
 */
static uint32_t *ordered_instances(const prfdata_tree *tree, const prfdata_sample_object *object)
{
    uint32_t *order = malloc(((size_t)object->found_count * 2 + 1) * sizeof *order);

    if (!order)
        return NULL;
    if (object->found_count > 0)
        memcpy(order, object->found, object->found_count * sizeof *order);
    if (has_new_instance(tree, object))
        prfdata_merge_sort(order, order + object->found_count, object->found_count, sizeof *order,
                           compare_labels, object);
    return order;
}

/*
 * Add the node of a new instance, or of its branch. `before` is the node of the previous instance
 * in the order of the tree, because ordered_instances() sorts the instances if one of them is new.
 */
static prfdata_node *add_instance_node(prfdata_tree *tree, prfdata_node *parent,
                                       prfdata_node *before, const prfdata_node *model)
{
    prfdata_node *after = before && before->parent == parent ? before : NULL;
    prfdata_node *node;

    if (!after && parent->kind == PRFDATA_NODE_OBJECT)
        after = parent->first; /* "all instances" stays first */
    node = prfdata_tree_add(tree, parent, after, model);
    if (node)
        remember_node(tree, node);
    return node;
}

static prfdata_node *branch_of(prfdata_tree *tree, prfdata_node *object, prfdata_node *before,
                               prfdata_text parent)
{
    const prfdata_node model = {.kind = PRFDATA_NODE_BRANCH, .name = parent, .label = parent};
    prfdata_node *branch = find_instance_node(tree, PRFDATA_NODE_BRANCH, parent);

    while (before && before->parent != object)
        before = before->parent;
    if (!branch)
        branch = add_instance_node(tree, object, before, &model);
    if (branch) {
        branch->is_marked = true;
        branch->is_filled = true;
    }
    return branch;
}

static prfdata_node *follow_instance(prfdata_tree *tree, prfdata_node *object,
                                     const prfdata_sample *sample,
                                     const prfdata_sample_instance *instance, prfdata_node *before)
{
    const prfdata_text parent = prfdata_sample_parent(sample, instance);
    prfdata_node model = {
        .kind = PRFDATA_NODE_INSTANCE, .name = instance->label, .label = instance->label};
    prfdata_node *node = find_instance_node(tree, PRFDATA_NODE_INSTANCE, instance->label);
    prfdata_node *under = object;

    if (parent.count > 0 && parent.count < instance->label.count) {
        under = branch_of(tree, object, before, parent);
        model.name = prfdata_text_part(instance->label, parent.count + 1, instance->label.count);
    }
    if (!node && under)
        node = add_instance_node(tree, under, before, &model);
    if (!node)
        return before;
    node->is_marked = true;
    if (node->is_gone) {
        node->is_gone = false;
        prfdata_tree_report_change(tree, node);
    }
    return node;
}

static void retire_node(prfdata_tree *tree, prfdata_node *node)
{
    bool is_kept = node->is_selected;

    for (prfdata_node *child = node->first; child; child = child->next)
        is_kept = is_kept || child->is_selected || child->is_gone;
    if (!is_kept) {
        prfdata_tree_remove(tree, node);
    } else if (!node->is_gone) {
        node->is_gone = true;
        prfdata_tree_report_change(tree, node);
    }
}

/* Remove the instances that the sample no longer has. If an instance is selected, or contains a
 * selected node, it stays and is marked as gone. */
static void retire_instances(prfdata_tree *tree, prfdata_node *object)
{
    prfdata_node *next;

    for (prfdata_node *node = object->first; node; node = next) {
        prfdata_node *next_child;

        next = node->next;
        for (prfdata_node *child = node->first; node->kind == PRFDATA_NODE_BRANCH && child;
             child = next_child) {
            next_child = child->next;
            if (!child->is_marked)
                retire_node(tree, child);
        }
        if (!node->is_marked)
            retire_node(tree, node);
    }
}

static void add_all_instances_node(prfdata_tree *tree, prfdata_node *object,
                                   const prfdata_sample_object *found)
{
    const prfdata_text star = {star_chars, 1};
    const prfdata_node model = {.kind = PRFDATA_NODE_INSTANCE, .name = star, .label = star};
    prfdata_node *node = object->first;

    if (!node)
        node = prfdata_tree_add(tree, object, NULL, &model);
    if (!node)
        return;
    node->is_marked = true;
    if (!node->is_filled)
        fill_counters(tree, node, found);
}

static void fill_object(prfdata_tree *tree, prfdata_node *node, const prfdata_sample *sample,
                        const prfdata_sample_object *object)
{
    prfdata_node *before = NULL;
    uint32_t *order;

    if (!object->has_instances) {
        fill_counters(tree, node, object);
        return;
    }
    remember_instances(tree, node);
    order = ordered_instances(tree, object);
    add_all_instances_node(tree, node, object);
    for (uint32_t i = 0; order && i < object->found_count; i++)
        before = follow_instance(tree, node, sample, &object->instances[order[i]], before);
    tree->failed = tree->failed || !order;
    if (order)
        retire_instances(tree, node);
    free(order);
    node->is_filled = true;
}

/* ---- Objects ---- */

static void note_damage(prfdata_tree *tree, prfdata_node *node, const prfdata_sample *sample,
                        const prfdata_sample_object *object)
{
    prfdata_text note = {0};
    char words[200];
    uint16_t chars[200];

    if (sample->damage_count > 0 && sample->damage.offset >= object->wire.offset &&
        sample->damage.offset < object->wire.end) {
        prfdata_decode_error_text(&sample->damage, words, sizeof words);
        note = (prfdata_text){chars, prfdata_text_from_utf8(words, strlen(words), chars, 200)};
    }
    prfdata_tree_explain(tree, node, note);
}

static void follow_object(prfdata_tree *tree, const prfdata_sample *sample,
                          const prfdata_sample_object *object)
{
    prfdata_node *node = prfdata_tree_add_object(tree, PRFDATA_TREE_OTHERS,
                                                 object->wire.header.object_name_title_index);

    if (!node)
        return;
    node->help =
        prfdata_name_table_name(&tree->titles->helps, object->wire.header.object_help_title_index);
    node->is_marked = true;
    node->is_read = true;
    if (node->is_gone || node->is_silent) {
        node->is_gone = node->is_silent = false;
        prfdata_tree_report_change(tree, node);
    }
    note_damage(tree, node, sample, object);
    if (node->is_open)
        fill_object(tree, node, sample, object);
}

static bool is_missing(const prfdata_tree *tree, const prfdata_node *node,
                       const prfdata_title_set *asked)
{
    if (node->is_marked || (!node->is_open && !tree->is_whole) || node->is_gone || node->is_silent)
        return false;
    return !asked || asked->count == 0 || prfdata_title_set_has(asked, node->title);
}

void prfdata_tree_update(prfdata_tree *tree, const prfdata_sample *sample,
                         const prfdata_title_set *asked)
{
    for (unsigned i = 0; i < PRFDATA_TREE_GROUPS; i++) {
        for (prfdata_node *node = tree->groups[i]->first; node; node = node->next)
            node->is_marked = false;
    }
    for (uint32_t i = 0; i < sample->object_count; i++)
        follow_object(tree, sample, &sample->objects[i]);
    for (unsigned i = 0; i < PRFDATA_TREE_GROUPS; i++) {
        for (prfdata_node *node = tree->groups[i]->first; node; node = node->next) {
            if (!is_missing(tree, node, asked))
                continue;
            node->is_gone = true;
            prfdata_tree_report_change(tree, node);
        }
    }
}

void prfdata_tree_fill(prfdata_tree *tree, const prfdata_sample *sample)
{
    for (uint32_t i = 0; i < sample->object_count; i++) {
        const prfdata_sample_object *object = &sample->objects[i];
        prfdata_node *node = prfdata_tree_object(tree, object->wire.header.object_name_title_index);

        if (node && !node->is_filled)
            fill_object(tree, node, sample, object);
    }
}

void prfdata_tree_open(prfdata_tree *tree, prfdata_node *node, const prfdata_sample *sample)
{
    prfdata_node *above = prfdata_node_object(node);
    const prfdata_sample_object *object =
        above && sample ? prfdata_sample_find_object(sample, above->title) : NULL;

    node->is_open = true;
    if (!object)
        return;
    if (node->kind == PRFDATA_NODE_OBJECT)
        fill_object(tree, node, sample, object);
    else if (node->kind == PRFDATA_NODE_INSTANCE)
        fill_counters(tree, node, object);
}
