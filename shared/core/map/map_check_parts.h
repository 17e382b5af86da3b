/* SPDX-License-Identifier: MIT */
/* Declares what map_limits.c, map_check.c and the map_check_*.c files share. */
#ifndef PRFDATA_MAP_CHECK_PARTS_H
#define PRFDATA_MAP_CHECK_PARTS_H

#include "map/map_tree.h"

struct prfdata_map_findings;

/* The checks of texts. They are pointers, so code that only reads maps need not link them. */
typedef struct prfdata_map_check_names {
    /* Checks an object or counter; `first` is its first sibling. */
    void (*node)(struct prfdata_map_findings *found, const prfdata_map_node *node,
                 const prfdata_map_node *first);
    /* Whether a counter of this type may have a metric's name. */
    bool (*may_have_metric)(uint32_t type);
    /* Checks the metric that the option at `index` names. */
    void (*metric)(struct prfdata_map_findings *found, uint32_t index,
                   const prfdata_map_node *target);
    void (*map)(struct prfdata_map_findings *found);
} prfdata_map_check_names;

typedef struct prfdata_map_findings {
    const prfdata_map *map;
    prfdata_map_mistake *mistakes;
    size_t capacity;
    size_t count;
    const prfdata_map_check_names *names; /* NULL: texts are not checked */
    /*
     * for each counter of the tree, the position in tree->counters of an earlier counter with the
     * same metric name, or PRFDATA_NONE; NULL: not checked
     */
    const uint32_t *clashes;
    bool may_be_later; /* a later version of PrfData may have encoded the map */
} prfdata_map_findings;

/* ---- Reporting: map_check_report.c ---- */

void prfdata_map_check_report_map(prfdata_map_findings *found, prfdata_map_rule rule);

/*
 * Report the line `index`.
 *
 * about  The entry whose id and name the message gives: the entry on the line or, if the line is an
 *        option, the object or counter that the option belongs to. NULL: the message gives none.
 * other  The line that conflicts with the line `index`; entry_count: none.
 */
void prfdata_map_check_report_line(prfdata_map_findings *found, prfdata_map_rule rule,
                                   uint32_t index, const prfdata_map_entry *about, uint32_t other);

void prfdata_map_check_report_conflict(prfdata_map_findings *found, prfdata_map_rule rule,
                                       const prfdata_map_node *node, uint32_t other);

void prfdata_map_check_report(prfdata_map_findings *found, prfdata_map_rule rule,
                              const prfdata_map_node *node);

/* Report the option at `index`. It belongs to `target`, or to nothing if `target` is NULL. */
void prfdata_map_check_report_option(prfdata_map_findings *found, prfdata_map_rule rule,
                                     uint32_t index, const prfdata_map_node *target);

/* Check the rules that objects and counters share. */
void prfdata_map_check_named(prfdata_map_findings *found, const prfdata_map_node *node,
                             const prfdata_map_node *first_sibling);

/*
 * The first line before the line `index` that declares an object, counter or distribution with this
 * id; `index` if there is none.
 */
uint32_t prfdata_map_check_find_earlier_id(const prfdata_map *map, uint32_t index, uint32_t id);

/* ---- Iterating over the table: map_limits.c ---- */

/* Whether the table can be read and is small enough. Otherwise reports a mistake. */
bool prfdata_map_check_table(prfdata_map_findings *found);

/* Check all rules about the tree of a readable table. */
void prfdata_map_check_tree(prfdata_map_findings *found, const prfdata_map_tree *tree);

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
 * Whether the check refuses the type of this counter. The rules that depend on the type are then
 * not checked, because the author may have meant another type.
 */
static inline bool prfdata_map_check_is_type_refused(const prfdata_map_node *node)
{
    return node->entry->kind == PRFDATA_ENTRY_COUNTER &&
           (!node->type || (node->type->flags & PRFDATA_TYPE_NOT_YET) != 0);
}

/*
 * Whether readers show the name of an object or counter. A name that they show must be unique. They
 * do not show the name of a base. The result is false for a refused type, because the author may
 * have meant a base.
 */
static inline bool prfdata_map_check_is_shown(const prfdata_map_node *node)
{
    return !prfdata_map_check_is_type_refused(node) &&
           !prfdata_map_check_has_flag(node, PRFDATA_TYPE_BASE);
}

void prfdata_map_check_object(prfdata_map_findings *found, const prfdata_map_tree *tree,
                              const prfdata_map_node *object);

/* `object` is the object of the counter, or NULL. */
void prfdata_map_check_counter(prfdata_map_findings *found, const prfdata_map_tree *tree,
                               const prfdata_map_node *counter, const prfdata_map_node *object);

/*
 * Whether `counter` is a base without a fraction. The preceding counter counts as its fraction if
 * it has this base, needs another base, or has a refused type.
 */
bool prfdata_map_check_is_base_alone(const prfdata_map_node *counter);

/* `object` is the object that `target` is or belongs to; NULL if there is none. */
void prfdata_map_check_option(prfdata_map_findings *found, const prfdata_map_tree *tree,
                              uint32_t index, const prfdata_map_node *target,
                              const prfdata_map_node *object);

extern const prfdata_map_check_names prfdata_map_check_names_all; /* map_check_names.c */

#endif
