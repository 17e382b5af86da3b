/* SPDX-License-Identifier: MIT */
/*
 * Finds the objects for prfread_object_up, which tells which of the requested objects exist. An
 * object appears under its English name, so that one alert suits all computers. An object without
 * an English name appears as the path spells it, if the path means only this object. Otherwise, the
 * object is left out. For a path that means several objects, such as service:NAME, the lines list
 * the objects found so far.
 */
#ifndef PRFDATA_READER_OBJECT_UP_H
#define PRFDATA_READER_OBJECT_UP_H

#include "base/hash_table.h"
#include "block/sample.h"
#include "block/titles.h"
#include "paths/resolver.h"

/* One object; its name is borrowed from titles or paths. */
typedef struct prfdata_object_up_entry {
    prfdata_text name;
    bool is_there; /* the object is in the newest sample */
} prfdata_object_up_entry;

/* The objects in the order in which they were first seen. {0} is empty. */
typedef struct prfdata_object_up {
    prfdata_object_up_entry *entries;
    size_t count;
    size_t capacity;
    prfdata_hash_table table; /* index of positions in `entries`, by name */
} prfdata_object_up;

/* Release everything and leave {0}. */
void prfdata_object_up_free(prfdata_object_up *objects);

/*
 * Note which objects are in the sample.
 *
 * paths   The paths that name the objects; borrowed, like the titles, until
 *         prfdata_object_up_free().
 *
 * Returns false without memory.
 */
bool prfdata_object_up_note(prfdata_object_up *objects, const prfdata_resolver_path *paths,
                            size_t path_count, const prfdata_titles *titles,
                            const prfdata_sample *sample);
#endif
