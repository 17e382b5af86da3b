/* SPDX-License-Identifier: MIT */
/*
 * The lines of prfread_object_up: which of the objects that are asked for are there. An object is
 * called by its English name, however it was asked for, so that one alert suits all computers. A
 * path for several objects, such as service:NAME, stands for those that it has found so far.
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
    bool is_there; /* in the newest sample */
} prfdata_object_up_entry;

/* {0} is empty. In the order in which they were first seen. */
typedef struct prfdata_object_up {
    prfdata_object_up_entry *entries;
    size_t count;
    size_t capacity;
    prfdata_hash_table table; /* of positions in `entries`, by name */
} prfdata_object_up;

/* Release everything; {0} is left. */
void prfdata_object_up_free(prfdata_object_up *objects);

/*
 * Note which objects are in the sample.
 *
 * paths   Name the objects; borrowed until prfdata_object_up_free(), as are the titles.
 *
 * Returns false without memory.
 */
bool prfdata_object_up_note(prfdata_object_up *objects, const prfdata_resolver_path *paths,
                            size_t path_count, const prfdata_titles *titles,
                            const prfdata_sample *sample);
#endif
