/* SPDX-License-Identifier: MIT */
/*
 * Keeps the title indexes of the objects to ask for, and makes the query string that all sources
 * take.
 */
#ifndef PRFDATA_READER_TITLE_SET_H
#define PRFDATA_READER_TITLE_SET_H

#include "base/hash_table.h"
#include "block/sample.h"
#include "block/titles.h"

/* {0} is the empty set. */
typedef struct prfdata_title_set {
    uint32_t *items;
    size_t count;
    size_t capacity;
    bool is_global; /* ask for everything, because there are too many titles for a query, or there
                       was no memory for one of them */
    /*
     * Index of positions in `items`. Used only if there are many items; otherwise it may be out of
     * date.
     */
    prfdata_hash_table table;
} prfdata_title_set;

/* Add an index, unless it is already there. Returns false: no memory. */
bool prfdata_title_set_add(prfdata_title_set *set, uint32_t index);

/* Returns whether the index is among `count` titles. */
bool prfdata_title_set_lists(const uint32_t *titles, size_t count, uint32_t index);

bool prfdata_title_set_has(const prfdata_title_set *set, uint32_t index);

/* Copy the indexes of `from` to `to`. Returns false: no memory, so some may be missing. */
bool prfdata_title_set_copy(const prfdata_title_set *from, prfdata_title_set *to);

/*
 * Add the index of every title that `name` matches, in the way of prfdata_titles_way_of(). If
 * `name` matches more titles than MAX_TITLES (title_set.c), the set asks for everything. If `name`
 * matches no title but is a number, add the number as an index.
 *
 * Returns false if nothing was added, because `name` is neither a title nor a number, or because
 * there is no memory. If memory ends later, some titles are missing.
 */
bool prfdata_title_set_add_name(prfdata_title_set *set, const prfdata_titles *titles,
                                prfdata_text name);

/*
 * Add every second index from `first` to `last`, because help texts have the indexes between them.
 * If there are more indexes than MAX_TITLES (title_set.c), the set asks for everything.
 */
void prfdata_title_set_add_range(prfdata_title_set *set, uint32_t first, uint32_t last);

/*
 * Add the parent's object of each instance whose parent is not in the sample. Returns whether the
 * set has grown.
 */
bool prfdata_title_set_add_parents(prfdata_title_set *set, const prfdata_sample *sample);

/*
 * Make the query: the indexes in decimal, with blanks between them; "Global" if the set is empty or
 * asks for everything.
 * Returns NULL: no memory. Owner: the caller; free().
 */
uint16_t *prfdata_title_set_query(const prfdata_title_set *set);

/* Release everything and leave {0}. */
void prfdata_title_set_free(prfdata_title_set *set);

#endif
