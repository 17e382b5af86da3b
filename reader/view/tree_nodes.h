/* SPDX-License-Identifier: MIT */
/* Declares functions that the files of the tree share. */
#ifndef PRFDATA_READER_TREE_NODES_H
#define PRFDATA_READER_TREE_NODES_H

#include "view/tree.h"

/*
 * Add a node with the kind, title, name, label and help of a model. If `after` is NULL, the new
 * node becomes the first child. Returns NULL and sets tree->failed if there is no memory.
 */
prfdata_node *prfdata_tree_add(prfdata_tree *tree, prfdata_node *parent, prfdata_node *after,
                               const prfdata_node *model);

/* Remove a node and everything below it. */
void prfdata_tree_remove(prfdata_tree *tree, prfdata_node *node);

void prfdata_tree_report_change(prfdata_tree *tree, prfdata_node *node);

#endif
