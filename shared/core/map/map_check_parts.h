/* SPDX-License-Identifier: MIT */
/*
 * The common part of the files of the check of a map, which nobody else includes. Each rule is one
 * function that reports what breaks it.
 */
#ifndef PRFDATA_MAP_CHECK_PARTS_H
#define PRFDATA_MAP_CHECK_PARTS_H

#include "map/map_tree.h"

struct prfdata_map_findings;

/* The rules about texts. What only reads maps goes without. */
typedef struct prfdata_map_check_names {
    /* Of an object or counter; `first`: where its siblings begin. */
    void (*node)(struct prfdata_map_findings *found, const prfdata_map_node *node,
                 const prfdata_map_node *first);
    /* Whether a counter of this type may have a metric's name. */
    bool (*may_have_metric)(uint32_t type);
    /* Of the metric that the option at `index` names. */
    void (*metric)(struct prfdata_map_findings *found, uint32_t index,
                   const prfdata_map_node *target);
    /* Of the map itself. */
    void (*map)(struct prfdata_map_findings *found);
} prfdata_map_check_names;

typedef struct prfdata_map_findings {
    const prfdata_map *map;
    prfdata_map_mistake *mistakes;
    size_t capacity;
    size_t count;
    const prfdata_map_check_names *names; /* NULL: not checked */
    const uint32_t *clashes; /* of each counter of the tree: that which has its metric's name; NULL:
                                not checked */
} prfdata_map_findings;

/* ---- Reporting: map_check_report.c ---- */

void prfdata_map_check_report_map(prfdata_map_findings *found, prfdata_map_rule rule);

/*
 * Report the line `index`.
 *
 * about  Whose id and name the mistake carries: the line itself, or what its option belongs to;
 *        NULL: there is none.
 * other  The line that it is in conflict with; entry_count: none.
 */
void prfdata_map_check_report_line(prfdata_map_findings *found, prfdata_map_rule rule,
                                   uint32_t index, const prfdata_map_entry *about, uint32_t other);

void prfdata_map_check_report_conflict(prfdata_map_findings *found, prfdata_map_rule rule,
                                       const prfdata_map_node *node, uint32_t other);

void prfdata_map_check_report(prfdata_map_findings *found, prfdata_map_rule rule,
                              const prfdata_map_node *node);

/* An option without an object or counter before it: `target` is NULL. */
void prfdata_map_check_report_option(prfdata_map_findings *found, prfdata_map_rule rule,
                                     uint32_t index, const prfdata_map_node *target);

/* What is the same for objects and counters. */
void prfdata_map_check_named(prfdata_map_findings *found, const prfdata_map_node *node,
                             const prfdata_map_node *first_sibling);

/* The first line before `index` that has this id; `index`: there is none. */
uint32_t prfdata_map_check_find_earlier_id(const prfdata_map *map, uint32_t index, uint32_t id);

/* ---- The way through the table: map_limits.c ---- */

/* Whether the table can be read at all, and in reasonable time. */
bool prfdata_map_check_table(prfdata_map_findings *found);

/* All rules about the tree of a table that can be read. */
void prfdata_map_check_tree(prfdata_map_findings *found, const prfdata_map_tree *tree);

/* ---- What the rules ask ---- */

static inline bool prfdata_map_check_is_named(const prfdata_map_entry *entry)
{
    return entry->kind == PRFDATA_ENTRY_OBJECT || entry->kind == PRFDATA_ENTRY_COUNTER;
}

static inline bool prfdata_map_check_has_instances(const prfdata_map_entry *object)
{
    return object->max_instances != PERF_NO_INSTANCES;
}

static inline bool prfdata_map_check_has_flag(const prfdata_map_node *counter, uint32_t flag)
{
    return counter->type && (counter->type->flags & flag) != 0;
}

/*
 * Whether no map may have the type of this counter. That is one mistake: what follows from a type
 * is not judged then, because any other sentence might be false of the type that was meant.
 */
static inline bool prfdata_map_check_is_type_refused(const prfdata_map_node *node)
{
    return node->entry->kind == PRFDATA_ENTRY_COUNTER &&
           (!node->type || (node->type->flags & PRFDATA_TYPE_NOT_YET) != 0);
}

/*
 * Whether it has a title and a WMI property of its own name. A base has none: users call it what
 * they like; and what has a refused type may have been meant as one.
 */
static inline bool prfdata_map_check_is_shown(const prfdata_map_node *node)
{
    return !prfdata_map_check_is_type_refused(node) &&
           !prfdata_map_check_has_flag(node, PRFDATA_TYPE_BASE);
}

/* ---- The rules: a file each ---- */

void prfdata_map_check_object(prfdata_map_findings *found, const prfdata_map_tree *tree,
                              const prfdata_map_node *object);

/* `object` is the counter's, or NULL. */
void prfdata_map_check_counter(prfdata_map_findings *found, const prfdata_map_tree *tree,
                               const prfdata_map_node *counter, const prfdata_map_node *object);

/* Whether it is a base, and no counter is before it that has it, or should have another one. */
bool prfdata_map_check_is_base_alone(const prfdata_map_node *counter);

/* `object`: the present one, which `target` is or belongs to; NULL: there is none. */
void prfdata_map_check_option(prfdata_map_findings *found, const prfdata_map_tree *tree,
                              uint32_t index, const prfdata_map_node *target,
                              const prfdata_map_node *object);

extern const prfdata_map_check_names prfdata_map_check_names_all; /* map_check_names.c */

#endif
