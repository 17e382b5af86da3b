/* SPDX-License-Identifier: MIT */
/* Mapping a region's file, and asking the system for its writer. */
#include "regions/attached.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/atomic.h>

#include "core/crash_points.h"

/* ---- Attaching ---- */

struct checking {
    prfdata_attached *attached;
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
    prfdata_attached *attached = checking->attached;
    const prfdata_os_region *view = &attached->view;
    prfdata_region_header header;

    checking->verdict = PRFDATA_REGION_UNFINISHED;
    if (!prfdata_region_load_header(view->bytes, view->size, &header))
        return;
    attached->version = find_version(checking->registered, header.map_hash);
    checking->verdict =
        prfdata_region_check_loaded(&header, view->bytes, view->size, attached->version->model,
                                    attached->boot, &attached->layout);
}

static uint64_t random_part(const prfdata_os_name *name)
{
    const char *end = strchr(name->text, '.');
    uint64_t id = 0;

    for (const char *digit = end ? end - 16 : name->text; digit < end; digit++)
        id = id << 4 | (uint64_t)(*digit <= '9' ? *digit - '0' : *digit - 'a' + 10);
    return id;
}

prfdata_attached *prfdata_attached_make(prfdata_os_directory *directory,
                                        const prfdata_os_name *name,
                                        const prfdata_registered_versions *registered,
                                        uint64_t boot, uint64_t max_bytes,
                                        uint64_t *summaries_bytes, prfdata_attached_found *found)
{
    prfdata_attached *attached = calloc(1, sizeof *attached);
    struct checking checking = {attached, registered, PRFDATA_REGION_DAMAGED};

    memset(found, 0, sizeof *found);
    found->error = ERROR_NOT_ENOUGH_MEMORY;
    if (!attached)
        return NULL;
    attached->name = *name;
    attached->id = random_part(name);
    attached->boot = boot;
    attached->summaries_bytes = summaries_bytes;
    attached->view.owner = -1;
    found->error = prfdata_os_region_attach(directory, name, max_bytes, &attached->view);
    if (!found->error) {
        found->has_faulted = !prfdata_os_guarded(&attached->view, check_view, &checking);
        found->verdict = found->has_faulted ? PRFDATA_REGION_UNFINISHED : checking.verdict;
        if (!found->has_faulted && found->verdict == PRFDATA_REGION_VALID)
            return attached;
    }
    prfdata_attached_free(attached);
    return NULL;
}

void prfdata_attached_free(prfdata_attached *attached)
{
    prfdata_os_region_close(&attached->view);
    free(attached->layout);
    free(attached);
}

/* ---- Whether it has a writer ---- */

struct looking_at_word {
    const prfdata_attached *attached;
    uint64_t structure;
};

/* Guarded. */
static void load_structure_word(void *context)
{
    struct looking_at_word *looking = context;
    const prfdata_region_header *header = (const void *)looking->attached->view.bytes;

    looking->structure = prfdata_load64_acquire(&header->structure);
}

/* Returns false if the view faults. */
static bool load_structure(const prfdata_attached *attached, uint64_t *structure)
{
    struct looking_at_word looking = {attached, 0};

    if (!prfdata_os_guarded(&attached->view, load_structure_word, &looking))
        return false;
    *structure = looking.structure;
    return true;
}

/* What one question to the system was answered. */
struct attached_answer {
    uint32_t error;
    bool has_writer;
    uint64_t structure;
};

typedef enum at_rest {
    AT_REST_YES,
    AT_REST_NO,     /* it still moves */
    AT_REST_FAULTED /* the view did */
} at_rest;

/*
 * Ask, and read the structure word of that moment. Where it moves meanwhile and there is no writer,
 * a program came and went, or came: asked again, a few times.
 */
static at_rest ask_at_rest(const prfdata_attached *attached, prfdata_os_directory *directory,
                           struct attached_answer *answer)
{
    uint64_t before;

    if (!load_structure(attached, &before))
        return AT_REST_FAULTED;
    for (int attempt = 0; attempt < 4; attempt++) {
        answer->error = prfdata_os_region_probe(directory, &attached->name, &attached->view,
                                                &answer->has_writer);
        PRFDATA_CRASH_POINT("refresh: probed");
        if (!load_structure(attached, &answer->structure))
            return AT_REST_FAULTED;
        if (answer->error || answer->has_writer || answer->structure == before)
            return AT_REST_YES;
        before = answer->structure;
    }
    return AT_REST_NO;
}

prfdata_attached_answer prfdata_attached_ask(prfdata_attached *attached,
                                             prfdata_os_directory *directory, uint64_t *structure)
{
    struct attached_answer answer = {0};
    const at_rest rest = ask_at_rest(attached, directory, &answer);

    if (rest == AT_REST_FAULTED)
        prfdata_store32_relaxed(&attached->is_broken, 1);
    if (rest != AT_REST_YES)
        return PRFDATA_ATTACHED_SAYS_NOTHING;
    if (answer.error) /* any other error concerns this call only */
        return answer.error == ERROR_FILE_NOT_FOUND ? PRFDATA_ATTACHED_IS_GONE
                                                    : PRFDATA_ATTACHED_SAYS_NOTHING;
    *structure = answer.structure;
    return answer.has_writer ? PRFDATA_ATTACHED_HAS_WRITER : PRFDATA_ATTACHED_HAS_NO_WRITER;
}

struct loading_state {
    const prfdata_attached *attached;
    prfdata_attached_state state;
};

/* Guarded. */
static void load_attached_state(void *context)
{
    struct loading_state *loading = context;
    const prfdata_region_header *header = (const void *)loading->attached->view.bytes;

    loading->state.is_published =
        prfdata_load32_relaxed(&header->state) == PRFDATA_REGION_PUBLISHED;
    loading->state.dropped = prfdata_load64_relaxed(&header->dropped);
}

prfdata_attached_state prfdata_attached_load_state(const prfdata_attached *attached)
{
    struct loading_state loading = {attached, {0}};

    if (!prfdata_os_guarded(&attached->view, load_attached_state, &loading))
        memset(&loading.state, 0, sizeof loading.state);
    return loading.state;
}
