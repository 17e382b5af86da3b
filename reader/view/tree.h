/* SPDX-License-Identifier: MIT */
/*
 * The hive as a tree: computer > group > object > instance > counter, with branches for instances
 * that have a parent. Objects are filled when a sample has them and they are open; counters are
 * made when their instance is opened. A node stays the same node while its instance lives, and one
 * that is selected stays although its instance is gone. One thread at a time.
 *
 * The window follows by the observer's calls. It may keep something of its own in node->item.
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
    PRFDATA_NODE_INSTANCE, /* also "all instances", whose label is * */
    PRFDATA_NODE_COUNTER
} prfdata_node_kind;

#define PRFDATA_NODE_AWAITED UINT32_MAX /* it is slow: it has not answered yet */

/* The groups under a computer, in their order; groups without objects are not shown. */
typedef enum prfdata_tree_group {
    PRFDATA_TREE_SERVICES, /* objects of PrfData's services */
    PRFDATA_TREE_COMMON,   /* those of Windows that people ask for most */
    PRFDATA_TREE_OTHERS,   /* all others that samples showed */
    PRFDATA_TREE_GROUPS
} prfdata_tree_group;

typedef struct prfdata_node prfdata_node;

struct prfdata_node {
    prfdata_node_kind kind;
    prfdata_node *parent; /* NULL: the computer */
    prfdata_node *first;  /* children, in order */
    prfdata_node *last;
    prfdata_node *next; /* siblings */
    prfdata_node *previous;
    uint32_t child_count;
    uint32_t title;     /* of an object or a counter */
    prfdata_text name;  /* what is shown; owned */
    prfdata_text label; /* of an instance; owned */
    prfdata_text help;  /* borrowed from the titles */
    prfdata_text note;  /* why it is missing or damaged; owned; empty: nothing is wrong */
    bool is_open;       /* the user opened it: an object is asked for, and filled */
    bool was_open;      /* before the search */
    bool is_expanded;   /* the window's, of an object and what is in it, without a search */
    bool is_filled;     /* its children are there */
    bool is_read;       /* an object: a sample had it */
    bool is_gone;       /* no longer there */
    bool is_silent;     /* an object that did not answer: nothing is known of it */
    uint32_t late_ms;   /* how long its provider takes if it is slow; PRFDATA_NODE_AWAITED */
    bool is_selected;   /* the window's: it stays while it is gone */
    bool is_marked;     /* for the tree */
    bool is_shown;      /* the search shows it */
    bool is_match;      /* the search found itself, not only something in it */
    void *item;         /* the window's */
};

/* What the window wants to know. Each is called at the end of the change. */
typedef struct prfdata_tree_observer {
    void *context;
    void (*added)(void *context, prfdata_node *node);
    void (*removing)(void *context, prfdata_node *node); /* with its children */
    void (*changed)(void *context, prfdata_node *node);  /* its name, note, is_gone or is_silent */
} prfdata_tree_observer;

typedef struct prfdata_tree {
    prfdata_node *computer;
    prfdata_node *groups[PRFDATA_TREE_GROUPS];
    const prfdata_titles *titles; /* borrowed */
    prfdata_tree_observer observer;
    prfdata_hash_table lookup; /* of the nodes in `found`, for one update */
    prfdata_node **found;
    size_t found_count;
    size_t found_capacity;
    prfdata_text search; /* a pattern; owned; empty: nothing is searched for */
    bool failed;         /* there was no memory for something */
} prfdata_tree;

/*
 * Begin with a computer and its groups.
 *
 * computer  Copied; so are the groups' names.
 * titles    Borrowed.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_tree_init(prfdata_tree *tree, prfdata_text computer,
                           const prfdata_text group_names[PRFDATA_TREE_GROUPS],
                           const prfdata_titles *titles);

/* Release everything. The observer is not called. */
void prfdata_tree_free(prfdata_tree *tree);

/* Find an object's node; NULL: there is none, as in {0}, a tree that has not begun. */
prfdata_node *prfdata_tree_object(const prfdata_tree *tree, uint32_t title);

/* Add an object, in the order of names, if there is none with this title. NULL: no memory. */
prfdata_node *prfdata_tree_add_object(prfdata_tree *tree, prfdata_tree_group group, uint32_t title);

/* Open a node: objects are filled by the next update, instances now. */
void prfdata_tree_open(prfdata_tree *tree, prfdata_node *node, const prfdata_sample *sample);

/* Close a node: an object is no longer asked for. Its children stay. */
void prfdata_tree_close(prfdata_node *node);

/*
 * Follow a sample: objects that are new get a node, open ones their instances, and those that were
 * asked for and are not there are gone.
 *
 * asked  The objects that it should have; NULL or empty: all that are open.
 */
void prfdata_tree_update(prfdata_tree *tree, const prfdata_sample *sample,
                         const prfdata_title_set *asked);

/*
 * Fill the objects that a sample has, if they were not opened yet: a search finds their instances
 * then. Nothing is opened.
 */
void prfdata_tree_fill(prfdata_tree *tree, const prfdata_sample *sample);

/* Whether there is something in a node that can be opened, as far as is known. */
bool prfdata_node_opens(const prfdata_node *node);

/* Say why a node is missing or damaged; empty: nothing is wrong. */
void prfdata_tree_explain(prfdata_tree *tree, prfdata_node *node, prfdata_text note);

/* Note that an object did not answer; until a sample has it, or it is asked again. */
void prfdata_tree_silence(prfdata_tree *tree, prfdata_node *node, prfdata_text note);

/* An object is asked again: whether it answers is not known yet. NULL: all are. */
void prfdata_tree_ask_again(prfdata_tree *tree, prfdata_node *node);

/*
 * Show only what holds a text in its name, and what is above and below it; empty: everything. Sets
 * is_shown and is_match of all nodes; the observer is not called.
 *
 * Returns how many nodes match.
 */
uint32_t prfdata_tree_search(prfdata_tree *tree, prfdata_text text);

/* The node after this one in the whole tree, parents first; NULL: it was the last. */
prfdata_node *prfdata_tree_next(prfdata_node *node);

/* The object that a node is in, or NULL. */
prfdata_node *prfdata_node_object(prfdata_node *node);

/* The instance that a node is in: its label; * for all instances; empty without instances. */
prfdata_text prfdata_node_label(const prfdata_node *node);

#endif
