/* SPDX-License-Identifier: MIT */
/*
 * Lists the objects that are asked for, and whether a provider shows each of them. open_metrics.c
 * writes the lines.
 */
#include "prometheus/object_up.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "names/names.h"
#include "prometheus/metric_head.h"
#include "prometheus/metric_labels.h"

void prfdata_object_up_free(prfdata_object_up *objects)
{
    free(objects->entries);
    prfdata_hash_table_free(&objects->table);
    memset(objects, 0, sizeof *objects);
}

static bool has_entry_name(const void *elements, uint32_t position, const void *key)
{
    return prfdata_text_equal(((const prfdata_object_up_entry *)elements)[position].name,
                              *(const prfdata_text *)key);
}

static bool note_object(prfdata_object_up *objects, prfdata_text name, bool is_there)
{
    prfdata_object_up_entry *grown;

    const uint64_t hash = prfdata_names_hash(name.chars, name.count, 0);
    const uint32_t found =
        prfdata_hash_table_find(&objects->table, hash, has_entry_name, objects->entries, &name);

    if (found != PRFDATA_HASH_TABLE_NONE) {
        objects->entries[found].is_there |= is_there;
        return true;
    }
    grown = prfdata_array_reserve(objects->entries, &objects->capacity, objects->count + 1,
                                  sizeof *objects->entries);
    if (!grown)
        return false;
    objects->entries = grown;
    if (!prfdata_hash_table_add(&objects->table, hash, (uint32_t)objects->count))
        return false;
    objects->entries[objects->count].name = name;
    objects->entries[objects->count].is_there = is_there;
    objects->count++;
    return true;
}

static bool names_one_object(const prfdata_resolver_path *path)
{
    if (path->object_title != 0)
        return true;
    return path->first_title == 0 && !path->wants_all_objects &&
           !prfdata_text_has_wildcard(path->path.object);
}

/*
 * Return the English name of a title. If there is none, return the object as written in the path,
 * or an empty text if the path may mean several objects.
 */
static prfdata_text object_name(const prfdata_resolver_path *path, const prfdata_titles *titles,
                                uint32_t title)
{
    const prfdata_text name = prfdata_titles_name(titles, PRFDATA_BY_ENGLISH, title);

    return name.count == 0 && names_one_object(path) ? path->path.object : name;
}

static uint32_t find_path_title(const prfdata_resolver_path *path, const prfdata_titles *titles)
{
    uint32_t title = path->object_title;
    size_t position = 0;

    if (title == 0 && !prfdata_titles_find(titles, path->way, path->path.object, &position, &title))
        return 0;
    return title;
}

static bool note_path(prfdata_object_up *objects, const prfdata_resolver_path *path,
                      const prfdata_titles *titles, const prfdata_sample *sample)
{
    prfdata_resolver next;
    bool is_noted = true;

    if (names_one_object(path))
        is_noted =
            note_object(objects, object_name(path, titles, find_path_title(path, titles)), false);
    prfdata_resolver_begin(&next, path, titles, sample);
    while (is_noted && prfdata_resolver_next_object(&next)) {
        const prfdata_text name =
            object_name(path, titles, next.object->wire.header.object_name_title_index);

        if (name.count > 0)
            is_noted = note_object(objects, name, true);
    }
    return is_noted;
}

bool prfdata_object_up_note(prfdata_object_up *objects, const prfdata_resolver_path *paths,
                            size_t path_count, const prfdata_titles *titles,
                            const prfdata_sample *sample)
{
    for (size_t i = 0; i < objects->count; i++)
        objects->entries[i].is_there = false;
    for (size_t i = 0; i < path_count; i++) {
        if (!note_path(objects, &paths[i], titles, sample))
            return false;
    }
    return true;
}
