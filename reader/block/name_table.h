/* SPDX-License-Identifier: MIT */
/*
 * Keeps texts by title index: names of objects and counters, or help texts, in one language. The
 * texts of a computer come from its title database. Texts that the database lacks come from the
 * maps of PrfData's services (source/system_titles.c). If an index gets several texts, the first
 * one stays. titles.h combines the tables.
 */
#ifndef PRFDATA_READER_NAME_TABLE_H
#define PRFDATA_READER_NAME_TABLE_H

#include "block/title_index.h"
#include "text/text.h"

struct prfdata_model;

typedef struct prfdata_name_table_entry {
    uint32_t index;
    prfdata_text name; /* the table owns its chars */
} prfdata_name_table_entry;

/* {0} is an empty table. */
typedef struct prfdata_name_table {
    prfdata_name_table_entry *items; /* by ascending index, each index once */
    size_t count;
    size_t capacity;
    prfdata_title_index by_name; /* index of `items` by a hash of their names; empty if it was not
                                    made */
} prfdata_name_table;

/* Release everything and leave {0}. */
void prfdata_name_table_free(prfdata_name_table *table);

bool prfdata_name_table_equal(const prfdata_name_table *a, const prfdata_name_table *b);

/*
 * Add a name, unless the index already has one. Index 0 and empty names are ignored.
 * Returns ERROR_SUCCESS (even if nothing was added) or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_name_table_add(prfdata_name_table *table, uint32_t index, prfdata_text name);

/*
 * Add names in any order: call prfdata_name_table_append() for each, and
 * prfdata_name_table_settle() once at the end. Until then the table must not be searched.
 *
 * Appending returns what prfdata_name_table_add() returns. Settling returns ERROR_SUCCESS or
 * ERROR_NOT_ENOUGH_MEMORY; after that error the table can only be freed.
 */
uint32_t prfdata_name_table_append(prfdata_name_table *table, uint32_t index, prfdata_text name);
uint32_t prfdata_name_table_settle(prfdata_name_table *table);

/* Append all names of another table, and settle this one. Returns what settling returns. */
uint32_t prfdata_name_table_add_all(prfdata_name_table *table, const prfdata_name_table *from);

/*
 * Add the names in a value `Counter` of the title database: index, NUL, name, NUL, ..., NUL. An
 * empty index ends the list. Pairs are skipped if the index is not a number or is 0, or if the name
 * is empty. The last text may lack its NUL.
 * Returns what prfdata_name_table_add() returns.
 */
uint32_t prfdata_name_table_add_list(prfdata_name_table *table, const uint16_t *chars,
                                     size_t char_count);

/*
 * Append the names of a map that is installed at `first_counter`, and PRFDATA_TITLE_UNUSED for the
 * title numbers that the map does not use. Call prfdata_name_table_settle() after the last map.
 * Returns what prfdata_name_table_append() returns.
 */
uint32_t prfdata_name_table_append_model(prfdata_name_table *table,
                                         const struct prfdata_model *model, uint32_t first_counter);

/* Append the help texts of a map, as prfdata_name_table_append_model() does. `first_help` is the
 * index of the first help text. */
uint32_t prfdata_name_table_append_model_helps(prfdata_name_table *table,
                                               const struct prfdata_model *model,
                                               uint32_t first_help);

/* Append only the names of the map's objects. */
uint32_t prfdata_name_table_append_model_objects(prfdata_name_table *table,
                                                 const struct prfdata_model *model,
                                                 uint32_t first_counter);

/* Find the position of an index in `items`. Returns false if it has no name. */
bool prfdata_name_table_position(const prfdata_name_table *table, uint32_t index, size_t *position);

/*
 * Make searches for names without a * fast, until the next name is added. Without memory, searches
 * stay slow.
 */
void prfdata_name_table_index_names(prfdata_name_table *table);

/* Return the name of an index; empty if it has none. */
prfdata_text prfdata_name_table_name(const prfdata_name_table *table, uint32_t index);

/*
 * Find the next title whose name matches `name` by the rule `fit`; several titles may share a name.
 *
 * position  0 at first; moves past the title that was found.
 * Returns false if there is none.
 */
bool prfdata_name_table_find(const prfdata_name_table *table, prfdata_text name,
                             prfdata_text_fit fit, size_t *position, uint32_t *index);

#endif
