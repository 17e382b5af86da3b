/* SPDX-License-Identifier: MIT */
/* Mapping a region's file, and asking the system for its writer. */
#include "regions/mapping.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/atomic.h>

#include "base/crash_points.h"

/* ---- Attaching ---- */

struct checking {
    prfdata_mapping *mapping;
    const prfdata_registered_versions *registered;
    prfdata_region_verdict verdict;
};

/* The version with this hash; the current one, which the check refuses, if there is none. */
static const prfdata_version *find_version(const prfdata_registered_versions *registered,
                                           uint64_t hash)
{
    const prfdata_version *version = prfdata_versions_find(registered, hash);

    return version ? version : registered->items[0];
}

/*
 * Guarded. The layout is allocated after the last access of the view. One copy of the header says
 * which map it is of and whether it is right: it may be written at this moment.
 */
static void check_view(void *context)
{
    struct checking *checking = context;
    prfdata_mapping *mapping = checking->mapping;
    const prfdata_os_region *view = &mapping->view;
    prfdata_region_header header;

    checking->verdict = PRFDATA_REGION_UNFINISHED;
    if (!prfdata_region_load_header(view->bytes, view->size, &header))
        return;
    mapping->version = find_version(checking->registered, header.map_hash);
    checking->verdict = prfdata_region_check_loaded(
        &header, view->bytes, view->size, mapping->version->model, mapping->boot, &mapping->layout);
}

static uint64_t random_part(const prfdata_os_name *name)
{
    const char *end = strchr(name->text, '.');
    uint64_t id = 0;

    for (const char *digit = end ? end - 16 : name->text; digit < end; digit++)
        id = id << 4 | (uint64_t)(*digit <= '9' ? *digit - '0' : *digit - 'a' + 10);
    return id;
}

prfdata_mapping *prfdata_mapping_make(prfdata_os_directory *directory, const prfdata_os_name *name,
                                      const prfdata_registered_versions *registered, uint64_t boot,
                                      uint64_t max_bytes, uint64_t *summaries_bytes,
                                      prfdata_mapping_found *found)
{
    prfdata_mapping *mapping = calloc(1, sizeof *mapping);
    struct checking checking = {mapping, registered, PRFDATA_REGION_DAMAGED};

    memset(found, 0, sizeof *found);
    found->error = ERROR_NOT_ENOUGH_MEMORY;
    if (!mapping)
        return NULL;
    mapping->name = *name;
    mapping->id = random_part(name);
    mapping->boot = boot;
    mapping->summaries_bytes = summaries_bytes;
    mapping->view.owner = -1;
    found->error = prfdata_os_region_attach(directory, name, max_bytes, &mapping->view);
    if (!found->error) {
        found->has_faulted = !prfdata_os_guarded(&mapping->view, check_view, &checking);
        found->verdict = found->has_faulted ? PRFDATA_REGION_UNFINISHED : checking.verdict;
        if (!found->has_faulted && found->verdict == PRFDATA_REGION_VALID)
            return mapping;
    }
    prfdata_mapping_free(mapping);
    return NULL;
}

void prfdata_mapping_free(prfdata_mapping *mapping)
{
    prfdata_os_region_close(&mapping->view);
    free(mapping->layout);
    free(mapping);
}

/* ---- Looking at it again ---- */

struct loading_header {
    const prfdata_mapping *mapping;
    prfdata_region_header *header;
};

/* Guarded. */
static void load_mapped_header(void *context)
{
    const struct loading_header *loading = context;

    prfdata_region_load(loading->header, loading->mapping->view.bytes, sizeof *loading->header);
}

bool prfdata_mapping_load(const prfdata_mapping *mapping, prfdata_region_header *header)
{
    struct loading_header loading = {mapping, header};

    return prfdata_os_guarded(&mapping->view, load_mapped_header, &loading);
}

/*
 * The structure word is that of the answer. Where it moves meanwhile and there is no writer, a
 * program came and went, or came: asked again, a few times.
 */
prfdata_mapping_writer prfdata_mapping_ask(prfdata_mapping *mapping,
                                           prfdata_os_directory *directory, uint64_t *structure)
{
    prfdata_region_header header;
    bool is_readable = prfdata_mapping_load(mapping, &header);
    bool has_writer = false;

    for (int attempt = 0; attempt < 4 && is_readable; attempt++) {
        const uint64_t before = header.structure;
        const uint32_t error =
            prfdata_os_region_probe(directory, &mapping->name, &mapping->view, &has_writer);

        PRFDATA_CRASH_POINT("refresh: probed");
        is_readable = prfdata_mapping_load(mapping, &header);
        *structure = header.structure;
        if (error && is_readable) /* any other error concerns this call only */
            return error == ERROR_FILE_NOT_FOUND ? PRFDATA_MAPPING_IS_GONE
                                                 : PRFDATA_MAPPING_WRITER_UNKNOWN;
        if (is_readable && has_writer)
            return PRFDATA_MAPPING_WRITER_LIVES;
        if (is_readable && header.structure == before)
            return PRFDATA_MAPPING_WRITER_NONE;
    }
    if (!is_readable)
        prfdata_store32_relaxed(&mapping->is_broken, 1);
    return PRFDATA_MAPPING_WRITER_UNKNOWN;
}
