/* SPDX-License-Identifier: MIT */
/*
 * Keeps the performance data as a tree: computer > group > object > instance > counter, with
 * branches for instances that have a parent. An object is filled when it is open and a sample has
 * it. The nodes for the counters of an instance are made when the instance is opened. The nodes for
 * the counters of "all instances", and of an object without instances, are made when the object is
 * filled. A node stays the same node while its instance exists, and a selected node stays even
 * after that. Use it from one thread at a time.
 *
 * The observer tells the window about changes. The window may keep a pointer of its own in
 * node->item.
 */
#ifndef PRFDATA_READER_TREE_H
#define PRFDATA_READER_TREE_H

#include "base/hash_table.h"
#include "block/sample.h"
#include "block/title_set.h"
#include "block/titles.h"

typedef enum prfdata_node_kind {
    PRFDATA_NODE_COMPUTER,
    PRFDATA_NODE_GROUP,
    PRFDATA_NODE_OBJECT,
    PRFDATA_NODE_BRANCH,   /* a parent of instances */
    PRFDATA_NODE_INSTANCE, /* an instance, or "all instances", whose label is * */
    PRFDATA_NODE_COUNTER
} prfdata_node_kind;

#define PRFDATA_NODE_AWAITED UINT32_MAX /* the provider is slow and has not answered yet */

/* The groups below a computer, in their order; groups without objects are not shown. */
typedef enum prfdata_tree_group {
    PRFDATA_TREE_SERVICES, /* objects of PrfData's services */
    PRFDATA_TREE_COMMON,   /* the objects of Windows that people use most */
    PRFDATA_TREE_OTHERS,   /* all other objects that samples contained or the user named */
    PRFDATA_TREE_GROUPS
} prfdata_tree_group;

typedef struct prfdata_node prfdata_node;

struct prfdata_node {
    prfdata_node_kind kind;
    prfdata_node *parent; /* NULL: this is the computer */
    prfdata_node *first;  /* children, in order */
    prfdata_node *last;
    prfdata_node *next; /* siblings */
    prfdata_node *previous;
    uint32_t child_count;
    uint32_t title;     /* title index of an object or a counter */
    prfdata_text name;  /* the shown name; owned */
    prfdata_text label; /* label of an instance or a branch; owned */
    prfdata_text help;  /* borrowed from the titles */
    prfdata_text note;  /* why the node is missing, damaged or silent; owned; empty: no problem */
    bool is_open;       /* open in the tree; an open object is asked for, and filled */
    bool was_open;      /* the value of is_open before the search */
    bool is_expanded;   /* expanded while there was no search; set by the window, for objects and
                           nodes in them */
    bool is_filled;     /* its children exist */
    bool is_read;       /* for an object: a sample had it */
    bool is_gone;       /* the shown sample lacks it, or its title no longer exists */
    bool is_silent;     /* an object that did not answer, so nobody knows whether it exists */
    uint32_t late_ms;   /* response time of a slow provider, or PRFDATA_NODE_AWAITED; 0: not slow */
    bool is_selected;   /* set by the window: the node stays even if it no longer exists */
    bool is_marked;     /* used by the functions of the tree */
    bool is_shown;      /* the search shows it */
    bool is_match;      /* the node itself matches the search, not only something in it */
    void *item;         /* used by the window */
};

/* Tells the window about changes: `removing` before the change, the others after it. */
typedef struct prfdata_tree_observer {
    void *context;
    void (*added)(void *context, prfdata_node *node);
    void (*removing)(void *context, prfdata_node *node); /* the node is being removed, with its
                                                            children */
    void (*changed)(void *context, prfdata_node *node);  /* the node's note, is_gone or is_silent
                                                            has changed */
} prfdata_tree_observer;

typedef struct prfdata_tree {
    prfdata_node *computer;
    prfdata_node *groups[PRFDATA_TREE_GROUPS];
    const prfdata_titles *titles; /* borrowed */
    prfdata_tree_observer observer;
    prfdata_hash_table lookup; /* index of the nodes in `found`, during one update */
    prfdata_node **found;
    size_t found_count;
    size_t found_capacity;
    prfdata_text search; /* pattern; owned; empty: no search */
    bool is_whole;       /* set by the owner: samples were asked for all objects, not only for open
                            ones */
    bool failed;         /* there was no memory for something */
} prfdata_tree;

/*
 * Begin with a computer and its groups.
 *
 * computer  Copied, like the names of the groups.
 * titles    Borrowed.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_tree_init(prfdata_tree *tree, prfdata_text computer,
                           const prfdata_text group_names[PRFDATA_TREE_GROUPS],
                           const prfdata_titles *titles);

/* Release everything. The observer is not called. */
void prfdata_tree_free(prfdata_tree *tree);

/* Find an object's node; NULL: there is none. A tree of {0}, which has not begun, has none. */
prfdata_node *prfdata_tree_object(const prfdata_tree *tree, uint32_t title);

/* Add an object in the order of names, unless there is one with this title. NULL: no memory. */
prfdata_node *prfdata_tree_add_object(prfdata_tree *tree, prfdata_tree_group group, uint32_t title);

/* Open a node. If the sample (NULL: none) has the object, the node is filled at once; otherwise an
 * object is filled by the next update whose sample has it. */
void prfdata_tree_open(prfdata_tree *tree, prfdata_node *node, const prfdata_sample *sample);

/* Close a node. Its children stay. */
void prfdata_tree_close(prfdata_node *node);

/*
 * Update the tree for a sample. New objects get a node, and open ones get their instances. An
 * object that was asked for and that the sample lacks is marked as gone if it is open, or if
 * tree->is_whole is set. Silent objects that the sample lacks stay silent.
 *
 * asked  The objects that the sample was asked for; NULL or empty: all.
 */
void prfdata_tree_update(prfdata_tree *tree, const prfdata_sample *sample,
                         const prfdata_title_set *asked);

/*
 * Fill the objects of a sample that are not filled yet, so that a search finds their instances.
 * Nothing is opened.
 */
void prfdata_tree_fill(prfdata_tree *tree, const prfdata_sample *sample);

/* Returns whether, as far as is known, a node contains something and can be opened. */
bool prfdata_node_opens(const prfdata_node *node);

/* Set why a node is missing or damaged; empty: no problem. */
void prfdata_tree_explain(prfdata_tree *tree, prfdata_node *node, prfdata_text note);

/* Note that an object did not answer. This lasts until a sample has it, or it is asked for
 * again. */
void prfdata_tree_silence(prfdata_tree *tree, prfdata_node *node, prfdata_text note);

/* Note that an object is asked for again, so it is not known yet whether it answers. NULL: all
 * objects. */
void prfdata_tree_ask_again(prfdata_tree *tree, prfdata_node *node);

/*
 * Search objects, and nodes in objects, for names that contain a text. Show only the nodes that
 * match, and the nodes above and below them. In the text, * stands for any characters. If the text
 * is empty, everything is shown. Sets is_shown and is_match of all nodes. The observer is not
 * called.
 *
 * Returns how many nodes match; 0 and no change if there is no memory.
 */
uint32_t prfdata_tree_search(prfdata_tree *tree, prfdata_text text);

/* Return the node after this one in the whole tree, parents first; NULL: this was the last. */
prfdata_node *prfdata_tree_next(prfdata_node *node);

/* Return the object that a node belongs to, which may be the node itself; NULL: none. */
prfdata_node *prfdata_node_object(prfdata_node *node);

/* Return the label of the instance that a node belongs to; * for "all instances"; empty: the node
 * belongs to no instance. */
prfdata_text prfdata_node_label(const prfdata_node *node);

#endif
