/* SPDX-License-Identifier: MIT */
/* Maps the file of a region, and asks the system whether it has a writer. */
#include "regions/mapping.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/atomic.h>

#include "base/crash_points.h"
#include "regions/regions.h"

/* ---- Attaching ---- */

/*
 * The version with this hash. If there is none, returns the current version; the check then refuses
 * the region, because the current version has another hash.
 */
static prfdata_known_version *find_version(const prfdata_versions *registered, uint64_t hash)
{
    prfdata_known_version *version = prfdata_versions_find(registered, hash);

    return version ? version : registered->items[0];
}

/*
 * Checks a view; called under the guard. Uses the same copy of the header to find the map and to
 * check the region, because a program may write to the header at this moment.
 */
static void check_view(void *context)
{
    prfdata_mapping_look *look = context;
    prfdata_mapping *mapping = look->mapping;
    const prfdata_os_region *view = &mapping->view;

    if (!prfdata_region_load_header(view->bytes, view->size, &look->header))
        return;
    mapping->version = find_version(look->registered, look->header.map_hash);
    look->verdict =
        prfdata_region_check_loaded(&look->header, view->bytes, view->size, mapping->version->model,
                                    prfdata_load64_relaxed(&look->regions->boot), &mapping->layout);
}

static uint64_t number_of_name(const prfdata_os_name *name)
{
    const char *end = strchr(name->text, '.');
    uint64_t id = 0;

    for (const char *digit = end ? end - 16 : name->text; digit < end; digit++)
        id = id << 4 | (uint64_t)(*digit <= '9' ? *digit - '0' : *digit - 'a' + 10);
    return id;
}

prfdata_mapping *prfdata_mapping_make(prfdata_mapping_look *look, const prfdata_os_name *name)
{
    prfdata_mapping *mapping = calloc(1, sizeof *mapping);

    look->mapping = mapping;
    look->error = ERROR_NOT_ENOUGH_MEMORY;
    look->verdict = PRFDATA_REGION_UNFINISHED;
    look->has_faulted = false;
    look->is_refused = false;
    if (!mapping)
        return NULL;
    mapping->name = *name;
    mapping->id = number_of_name(name);
    mapping->regions = look->regions;
    mapping->view.owner = -1;
    look->error =
        prfdata_os_region_attach(look->directory, name, PRFDATA_REGIONS_MOST_BYTES, &mapping->view);
    if (!look->error) {
        look->has_faulted = !prfdata_os_guarded(&mapping->view, check_view, look);
        if (!look->has_faulted && look->verdict == PRFDATA_REGION_VALID) {
            prfdata_add64_relaxed(&mapping->version->mapped, 1);
            return mapping;
        }
    }
    mapping->version = NULL;
    look->is_refused = look->error == ERROR_SHARING_VIOLATION;
    prfdata_mapping_free(mapping);
    return NULL;
}

void prfdata_mapping_free(prfdata_mapping *mapping)
{
    prfdata_mapping_drop_summary(mapping);
    prfdata_os_region_close(&mapping->view);
    if (mapping->version)
        prfdata_add64_relaxed(&mapping->version->mapped, UINT64_MAX);
    free(mapping->layout);
    free(mapping);
}

void prfdata_mapping_release_snapshot(prfdata_snapshot *snapshot)
{
    prfdata_mapping *mapping;
    bool is_last;

    if (!snapshot)
        return;
    mapping = snapshot->mapping;
    prfdata_os_lock_enter(&mapping->regions->lock);
    is_last = --snapshot->references == 0;
    prfdata_os_lock_leave(&mapping->regions->lock);
    if (is_last)
        prfdata_snapshot_free(snapshot);
}

void prfdata_mapping_drop_summary(prfdata_mapping *mapping)
{
    prfdata_snapshot *dropped;

    prfdata_os_lock_enter(&mapping->regions->lock);
    dropped = mapping->summary;
    mapping->summary = NULL;
    prfdata_add64_relaxed(&mapping->regions->summaries_bytes, 0 - mapping->summary_bytes);
    mapping->summary_bytes = 0;
    prfdata_os_lock_leave(&mapping->regions->lock);
    prfdata_mapping_release_snapshot(dropped);
}

/* ---- Checking again ---- */

/* Called under the guard. */
static void load_mapped_header(void *context)
{
    prfdata_mapping_look *look = context;

    prfdata_region_load(&look->header, look->mapping->view.bytes, sizeof look->header);
}

bool prfdata_mapping_load(prfdata_mapping_look *look, prfdata_mapping *mapping)
{
    look->mapping = mapping;
    return prfdata_os_guarded(&mapping->view, load_mapped_header, look);
}

/* The structure word would have changed if another writer had taken the region over. */
static bool may_have_same_writer(const prfdata_mapping_look *look, const prfdata_mapping *mapping)
{
    return look->header.structure == prfdata_load64_relaxed(&mapping->owned_structure);
}

/* Records the structure word with which the writer was found. It was loaded after the probe. */
static prfdata_mapping_writer note_writer(const prfdata_mapping_look *look,
                                          prfdata_mapping *mapping)
{
    prfdata_store64_relaxed(&mapping->owned_structure, look->header.structure);
    return PRFDATA_MAPPING_WRITER_LIVES;
}

/*
 * If the system finds no writer, but the structure word changed during the probe, a program had the
 * region open meanwhile. Then the system is asked again, up to four times in all.
 */
prfdata_mapping_writer prfdata_mapping_ask(prfdata_mapping_look *look, prfdata_mapping *mapping,
                                           bool was_owned)
{
    bool is_readable = prfdata_mapping_load(look, mapping);
    bool has_writer = false;

    look->is_refused = false;
    for (int attempt = 0; attempt < 4 && is_readable; attempt++) {
        const uint64_t before = look->header.structure;
        const uint32_t error = (was_owned && may_have_same_writer(look, mapping)
                                    ? prfdata_os_region_probe_owned
                                    : prfdata_os_region_probe)(look->directory, &mapping->name,
                                                               &mapping->view, &has_writer);

        PRFDATA_CRASH_POINT("refresh: probed");
        is_readable = prfdata_mapping_load(look, mapping);
        look->is_refused = error == ERROR_SHARING_VIOLATION;
        /* An error other than ERROR_FILE_NOT_FOUND says nothing about the region. */
        if (error && is_readable)
            return error == ERROR_FILE_NOT_FOUND ? PRFDATA_MAPPING_IS_GONE
                                                 : PRFDATA_MAPPING_WRITER_UNKNOWN;
        if (is_readable && has_writer)
            return note_writer(look, mapping);
        if (is_readable && look->header.structure == before)
            return PRFDATA_MAPPING_WRITER_NONE;
    }
    if (!is_readable)
        prfdata_store32_relaxed(&mapping->is_broken, 1);
    return PRFDATA_MAPPING_WRITER_UNKNOWN;
}
