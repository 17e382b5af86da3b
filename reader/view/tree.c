/* SPDX-License-Identifier: MIT */
/* Keeps the nodes of the tree, and searches it. tree_update.c follows samples. */
#include "view/tree.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "view/tree_nodes.h"

/* ---- Nodes ---- */

static void link_node(prfdata_node *parent, prfdata_node *after, prfdata_node *node)
{
    node->parent = parent;
    node->previous = after;
    node->next = after ? after->next : parent->first;
    if (node->next)
        node->next->previous = node;
    else
        parent->last = node;
    if (after)
        after->next = node;
    else
        parent->first = node;
    parent->child_count++;
}

static void unlink_node(prfdata_node *node)
{
    if (node->previous)
        node->previous->next = node->next;
    else
        node->parent->first = node->next;
    if (node->next)
        node->next->previous = node->previous;
    else
        node->parent->last = node->previous;
    node->parent->child_count--;
}

/* Releases a node and all nodes below it, without recursion. */
static void free_nodes(prfdata_node *node)
{
    prfdata_node *top = node->parent;

    while (node && node != top) {
        prfdata_node *up = node->parent;

        if (node->first) {
            node = node->first;
            continue;
        }
        if (up)
            unlink_node(node);
        free((void *)(uintptr_t)node->name.chars);
        free((void *)(uintptr_t)node->label.chars);
        free((void *)(uintptr_t)node->note.chars);
        free(node);
        node = up;
    }
}

static bool is_search_match(const prfdata_tree *tree, const prfdata_node *node)
{
    return tree->search.count > 0 && prfdata_text_matches(tree->search, node->name);
}

prfdata_node *prfdata_tree_add(prfdata_tree *tree, prfdata_node *parent, prfdata_node *after,
                               const prfdata_node *model)
{
    prfdata_node *node = calloc(1, sizeof *node);

    if (!node || !prfdata_text_copy(model->name, &node->name) ||
        !prfdata_text_copy(model->label, &node->label)) {
        if (node)
            free((void *)(uintptr_t)node->name.chars);
        free(node);
        tree->failed = true;
        return NULL;
    }
    node->kind = model->kind;
    node->title = model->title;
    node->help = model->help;
    node->is_match = is_search_match(tree, node);
    node->is_shown = tree->search.count == 0 || node->is_match;
    if (parent)
        link_node(parent, after, node);
    for (prfdata_node *up = parent; node->is_match && up; up = up->parent)
        up->is_shown = true;
    for (prfdata_node *up = parent; up && !node->is_shown; up = up->parent)
        node->is_shown = up->is_match;
    if (tree->observer.added)
        tree->observer.added(tree->observer.context, node);
    return node;
}

void prfdata_tree_remove(prfdata_tree *tree, prfdata_node *node)
{
    if (tree->observer.removing)
        tree->observer.removing(tree->observer.context, node);
    free_nodes(node);
}

void prfdata_tree_report_change(prfdata_tree *tree, prfdata_node *node)
{
    if (tree->observer.changed)
        tree->observer.changed(tree->observer.context, node);
}

prfdata_node *prfdata_node_object(prfdata_node *node)
{
    while (node && node->kind != PRFDATA_NODE_OBJECT)
        node = node->parent;
    return node;
}

prfdata_text prfdata_node_label(const prfdata_node *node)
{
    while (node && node->kind != PRFDATA_NODE_INSTANCE)
        node = node->parent;
    return node ? node->label : (prfdata_text){0};
}

/* ---- The tree ---- */

uint32_t prfdata_tree_init(prfdata_tree *tree, prfdata_text computer,
                           const prfdata_text group_names[PRFDATA_TREE_GROUPS],
                           const prfdata_titles *titles)
{
    prfdata_node model = {.kind = PRFDATA_NODE_COMPUTER, .name = computer};

    memset(tree, 0, sizeof *tree);
    tree->titles = titles;
    tree->computer = prfdata_tree_add(tree, NULL, NULL, &model);
    if (!tree->computer)
        return ERROR_NOT_ENOUGH_MEMORY;
    tree->computer->is_open = true;
    tree->computer->is_filled = true;
    model.kind = PRFDATA_NODE_GROUP;
    for (unsigned i = 0; i < PRFDATA_TREE_GROUPS; i++) {
        model.name = group_names[i];
        tree->groups[i] = prfdata_tree_add(tree, tree->computer, tree->computer->last, &model);
        if (!tree->groups[i]) {
            prfdata_tree_free(tree);
            return ERROR_NOT_ENOUGH_MEMORY;
        }
        tree->groups[i]->is_filled = true;
    }
    return ERROR_SUCCESS;
}

void prfdata_tree_free(prfdata_tree *tree)
{
    if (tree->computer)
        free_nodes(tree->computer);
    prfdata_hash_table_free(&tree->lookup);
    free(tree->found);
    prfdata_text_free(&tree->search);
    memset(tree, 0, sizeof *tree);
}

prfdata_node *prfdata_tree_object(const prfdata_tree *tree, uint32_t title)
{
    if (!tree->computer)
        return NULL;
    for (unsigned i = 0; i < PRFDATA_TREE_GROUPS; i++) {
        for (prfdata_node *node = tree->groups[i]->first; node; node = node->next) {
            if (node->title == title)
                return node;
        }
    }
    return NULL;
}

prfdata_node *prfdata_tree_add_object(prfdata_tree *tree, prfdata_tree_group group, uint32_t title)
{
    prfdata_node *node = prfdata_tree_object(tree, title);
    prfdata_node *after = tree->groups[group]->last;
    prfdata_node model = {.kind = PRFDATA_NODE_OBJECT, .title = title};
    uint16_t digits[12];

    if (node)
        return node;
    model.name = prfdata_titles_name_or_index(tree->titles, title, digits);
    while (after && prfdata_text_compare_naturally(model.name, after->name) < 0)
        after = after->previous;
    return prfdata_tree_add(tree, tree->groups[group], after, &model);
}

void prfdata_tree_close(prfdata_node *node)
{
    node->is_open = false;
}

void prfdata_tree_explain(prfdata_tree *tree, prfdata_node *node, prfdata_text note)
{
    if (prfdata_text_equal(node->note, note))
        return;
    if (!prfdata_text_copy(note, &node->note)) {
        tree->failed = true;
        return;
    }
    prfdata_tree_report_change(tree, node);
}

bool prfdata_node_opens(const prfdata_node *node)
{
    if (node->kind == PRFDATA_NODE_COUNTER)
        return false;
    if (node->kind != PRFDATA_NODE_COMPUTER)
        return !node->is_filled || node->first != NULL;
    for (const prfdata_node *group = node->first; group; group = group->next) {
        if (group->first)
            return true;
    }
    return false;
}

void prfdata_tree_silence(prfdata_tree *tree, prfdata_node *node, prfdata_text note)
{
    node->is_silent = true;
    node->is_gone = false;
    node->late_ms = 0;
    prfdata_tree_explain(tree, node, note);
    prfdata_tree_report_change(tree, node);
}

static void end_silence(prfdata_tree *tree, prfdata_node *node)
{
    if (!node->is_silent)
        return;
    node->is_silent = false;
    prfdata_tree_explain(tree, node, (prfdata_text){0});
    prfdata_tree_report_change(tree, node);
}

void prfdata_tree_ask_again(prfdata_tree *tree, prfdata_node *node)
{
    if (node)
        end_silence(tree, node);
    for (unsigned i = 0; !node && i < PRFDATA_TREE_GROUPS; i++) {
        for (prfdata_node *each = tree->groups[i]->first; each; each = each->next)
            end_silence(tree, each);
    }
}

/* ---- Search ---- */

prfdata_node *prfdata_tree_next(prfdata_node *node)
{
    if (node->first)
        return node->first;
    while (node && !node->next)
        node = node->parent;
    return node ? node->next : NULL;
}

uint32_t prfdata_tree_search(prfdata_tree *tree, prfdata_text text)
{
    uint32_t count = 0;

    if (!prfdata_text_copy_as_pattern(text, &tree->search))
        return 0;
    for (prfdata_node *node = tree->computer; node; node = prfdata_tree_next(node)) {
        node->is_match = node->kind >= PRFDATA_NODE_OBJECT && is_search_match(tree, node);
        node->is_shown = tree->search.count == 0 || node->is_match ||
                         (node->parent && node->parent->kind >= PRFDATA_NODE_OBJECT &&
                          node->parent->is_shown && !node->parent->is_marked);
        /* is_marked: the node is shown only because a node in it matches. */
        node->is_marked = false;
        count += node->is_match;
        for (prfdata_node *up = node->parent; node->is_match && up && !up->is_shown;
             up = up->parent)
            up->is_shown = up->is_marked = true;
    }
    for (prfdata_node *node = tree->computer; node; node = prfdata_tree_next(node))
        node->is_marked = false;
    return count;
}
