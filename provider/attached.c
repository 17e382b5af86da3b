/* SPDX-License-Identifier: MIT */
/*
 * A mapped region over time. Whether it has a writer is asked of its file; what it holds without
 * one cannot change, so that is summarised once and then costs nothing.
 */
#include "provider/attached.h"

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

/* The version with this hash; the present one, which the check refuses, if there is none. */
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
                                        uint64_t *summaries_bytes, prfdata_attached_look *look)
{
    prfdata_attached *attached = calloc(1, sizeof *attached);
    struct checking checking = {attached, registered, PRFDATA_REGION_DAMAGED};

    memset(look, 0, sizeof *look);
    look->error = ERROR_NOT_ENOUGH_MEMORY;
    if (!attached)
        return NULL;
    attached->name = *name;
    attached->id = random_part(name);
    attached->seed = prfdata_os_random();
    attached->boot = boot;
    attached->summaries_bytes = summaries_bytes;
    attached->view.owner = -1;
    look->error = prfdata_os_region_attach(directory, name, max_bytes, &attached->view);
    if (!look->error) {
        look->has_faulted = !prfdata_os_guarded(&attached->view, check_view, &checking);
        look->verdict = look->has_faulted ? PRFDATA_REGION_UNFINISHED : checking.verdict;
        if (!look->has_faulted && look->verdict == PRFDATA_REGION_VALID)
            return attached;
    }
    prfdata_attached_free(attached);
    return NULL;
}

void prfdata_attached_free(prfdata_attached *attached)
{
    prfdata_os_region_close(&attached->view);
    prfdata_add64_relaxed(attached->summaries_bytes, 0 - attached->summary_bytes);
    prfdata_snapshot_free(attached->summary);
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

/* Under the lock. Returns the summary that is no longer valid, for the caller to release. */
static prfdata_snapshot *drop_summary(prfdata_attached *attached)
{
    prfdata_snapshot *dropped = attached->summary;

    prfdata_add64_relaxed(attached->summaries_bytes, 0 - attached->summary_bytes);
    attached->summary_bytes = 0;
    attached->summary = NULL;
    return dropped;
}

/*
 * Whether a new writer of a region that had none has completed its take-over, which hides what the
 * dead one showed: its W1 alone makes the word odd, its W2 even and larger.
 */
static bool has_been_taken_over(const prfdata_attached *attached, uint64_t structure)
{
    return structure > (attached->structure | 1);
}

static prfdata_attached_writer state_of_writer(bool has_writer)
{
    return has_writer ? PRFDATA_ATTACHED_WRITER_LIVES : PRFDATA_ATTACHED_WRITER_NONE;
}

/*
 * Under the lock: keep an answer, with the structure word at that time. Returns what drop_summary()
 * does.
 */
static prfdata_snapshot *learn_answer(prfdata_attached *attached, bool has_writer,
                                      uint64_t structure)
{
    if (attached->writer == PRFDATA_ATTACHED_WRITER_NONE) {
        if (structure == attached->structure)
            return NULL;
        if (has_writer && !has_been_taken_over(attached, structure))
            return NULL;
    }
    if (attached->writer != state_of_writer(has_writer) ||
        attached->writer == PRFDATA_ATTACHED_WRITER_NONE)
        attached->news++;
    attached->writer = state_of_writer(has_writer);
    attached->structure = structure;
    return drop_summary(attached);
}

/* What one question to the system was answered. */
struct answer {
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
                           struct answer *answer)
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

bool prfdata_attached_ask(prfdata_attached *attached, prfdata_os_directory *directory,
                          uint64_t question)
{
    prfdata_snapshot *dropped = NULL;
    struct answer answer = {0};
    const at_rest rest = ask_at_rest(attached, directory, &answer);

    if (rest == AT_REST_FAULTED)
        prfdata_store32_relaxed(&attached->is_broken, 1);
    if (rest != AT_REST_YES)
        return true;
    if (answer.error)
        /* Any other error concerns this call only: the last answer stays valid. */
        return answer.error != ERROR_FILE_NOT_FOUND;
    prfdata_os_lock_enter(&attached->lock);
    if (question > attached->asked) {
        attached->asked = question;
        dropped = learn_answer(attached, answer.has_writer, answer.structure);
    }
    prfdata_os_lock_leave(&attached->lock);
    prfdata_attached_release(attached, dropped);
    return true;
}

struct sighting {
    const prfdata_attached *attached;
    prfdata_attached_sight sight;
};

/* Guarded. */
static void load_sight(void *context)
{
    struct sighting *sighting = context;
    const prfdata_region_header *header = (const void *)sighting->attached->view.bytes;

    sighting->sight.is_published =
        prfdata_load32_relaxed(&header->state) == PRFDATA_REGION_PUBLISHED;
    sighting->sight.dropped = prfdata_load64_relaxed(&header->dropped);
}

prfdata_attached_sight prfdata_attached_look_at(prfdata_attached *attached)
{
    struct sighting sighting = {attached, {0}};

    if (!prfdata_os_guarded(&attached->view, load_sight, &sighting))
        memset(&sighting.sight, 0, sizeof sighting.sight);
    prfdata_os_lock_enter(&attached->lock);
    sighting.sight.has_writer = attached->writer == PRFDATA_ATTACHED_WRITER_LIVES;
    prfdata_os_lock_leave(&attached->lock);
    return sighting.sight;
}

uint64_t prfdata_attached_news(prfdata_attached *attached)
{
    uint64_t news;

    prfdata_os_lock_enter(&attached->lock);
    news = attached->news;
    prfdata_os_lock_leave(&attached->lock);
    return news;
}

/* ---- What it holds ---- */

/* What a summary is of. Not the projection's address, which may be used again. */
static const prfdata_model *shown_model(const prfdata_projection *projection)
{
    return projection ? projection->to : NULL;
}

/* Whether the last minute that a summary speaks of is over. */
static bool is_of_the_past(const prfdata_snapshot *summary, uint32_t time)
{
    return summary->is_ageing && summary->time != time;
}

/* The summary, if there is one of this shape and time, with a reference for the caller. */
static prfdata_snapshot *share_summary(prfdata_attached *attached,
                                       const prfdata_projection *projection, uint32_t time,
                                       prfdata_attached_writer *writer, uint64_t *structure)
{
    prfdata_snapshot *summary;

    prfdata_os_lock_enter(&attached->lock);
    *writer = attached->writer;
    *structure = attached->structure;
    summary = attached->summary_shape == shown_model(projection) ? attached->summary : NULL;
    if (summary && is_of_the_past(summary, time))
        summary = NULL;
    if (summary)
        summary->references++;
    prfdata_os_lock_leave(&attached->lock);
    return summary;
}

/*
 * Keep a summary, unless more was learned meanwhile or another thread was faster. One of another
 * shape gives way: the service was installed again with another map.
 */
static void keep_summary(prfdata_attached *attached, const prfdata_projection *projection,
                         uint64_t structure, uint64_t bytes, prfdata_snapshot *summary)
{
    prfdata_snapshot *dropped = NULL;

    prfdata_os_lock_enter(&attached->lock);
    if (attached->writer == PRFDATA_ATTACHED_WRITER_NONE && attached->structure == structure &&
        !(attached->summary && attached->summary_shape == shown_model(projection) &&
          !is_of_the_past(attached->summary, summary->time))) {
        dropped = drop_summary(attached);
        attached->summary = summary;
        attached->summary_shape = shown_model(projection);
        attached->summary_bytes = bytes;
        prfdata_add64_relaxed(attached->summaries_bytes, bytes);
        summary->references++;
    }
    prfdata_os_lock_leave(&attached->lock);
    prfdata_attached_release(attached, dropped);
}

/*
 * Make a summary in the shape of a projection, if there is one. Only sums are kept where the slots
 * would take more than `room`: in this shape, in which they may be much larger than in the region.
 */
static uint32_t make_shaped_summary(prfdata_attached *attached,
                                    const prfdata_projection *projection, uint32_t time,
                                    uint64_t room, uint64_t *bytes, prfdata_snapshot **summary)
{
    uint32_t error =
        prfdata_snapshot_summarise(&attached->view, attached->version->model, attached->layout,
                                   attached->boot, attached->seed, time, room, bytes, summary);

    if (error || !projection)
        return error;
    *bytes += prfdata_projection_bytes(projection, *summary);
    if (*bytes > room) {
        prfdata_snapshot_free(*summary);
        error =
            prfdata_snapshot_summarise(&attached->view, attached->version->model, attached->layout,
                                       attached->boot, attached->seed, time, 0, bytes, summary);
    }
    return error ? error : prfdata_projection_apply(projection, summary);
}

static uint32_t make_and_keep_summary(prfdata_attached *attached,
                                      const prfdata_projection *projection, uint32_t time,
                                      uint64_t structure, prfdata_snapshot **summary)
{
    const uint64_t in_use = prfdata_load64_relaxed(attached->summaries_bytes);
    const uint64_t room = in_use < PRFDATA_ATTACHED_MAX_SUMMARY_BYTES
                              ? PRFDATA_ATTACHED_MAX_SUMMARY_BYTES - in_use
                              : 0;
    uint64_t bytes;
    uint32_t error = make_shaped_summary(attached, projection, time, room, &bytes, summary);

    if (!error)
        keep_summary(attached, projection, structure, bytes, *summary);
    return error;
}

void prfdata_attached_release(prfdata_attached *attached, prfdata_snapshot *snapshot)
{
    bool is_last;

    if (!snapshot)
        return;
    prfdata_os_lock_enter(&attached->lock);
    is_last = --snapshot->references == 0;
    prfdata_os_lock_leave(&attached->lock);
    if (is_last)
        prfdata_snapshot_free(snapshot);
}

/* Bring a snapshot into the shape of the shown map, if the budget allows what it takes there. */
static uint32_t shape_snapshot(const prfdata_projection *projection,
                               prfdata_snapshot_budget *budget, prfdata_snapshot **snapshot)
{
    const uint64_t bytes = prfdata_projection_bytes(projection, *snapshot);

    if (bytes > budget->other_bytes) {
        prfdata_snapshot_free(*snapshot);
        *snapshot = NULL;
        return ERROR_INVALID_DATA;
    }
    budget->other_bytes -= bytes;
    return prfdata_projection_apply(projection, snapshot);
}

/* Take a snapshot of a region whose writer works. */
static uint32_t take_shaped_snapshot(prfdata_attached *attached,
                                     const prfdata_projection *projection, const bool *wanted,
                                     prfdata_snapshot_budget *budget, prfdata_snapshot **snapshot)
{
    bool own_wanted[PRFDATA_MAX_OBJECTS];
    uint32_t error;

    if (projection)
        prfdata_projection_wanted(projection, wanted, own_wanted);
    error = prfdata_snapshot_take(&attached->view, attached->version->model, attached->layout,
                                  attached->boot, projection ? own_wanted : wanted, true, budget,
                                  snapshot);
    if (!error && projection)
        error = shape_snapshot(projection, budget, snapshot);
    return error;
}

uint32_t prfdata_attached_snapshot(prfdata_attached *attached, const prfdata_projection *projection,
                                   const bool *wanted, prfdata_snapshot_budget *budget,
                                   bool *has_writer, prfdata_snapshot **snapshot)
{
    prfdata_attached_writer writer;
    uint64_t structure;
    uint32_t error;

    *snapshot = share_summary(attached, projection, budget->time, &writer, &structure);
    *has_writer = writer == PRFDATA_ATTACHED_WRITER_LIVES;
    if (*snapshot)
        return ERROR_SUCCESS;
    if (writer == PRFDATA_ATTACHED_WRITER_NONE)
        error = make_and_keep_summary(attached, projection, budget->time, structure, snapshot);
    else
        error = take_shaped_snapshot(attached, projection, wanted, budget, snapshot);
    if (error == ERROR_GEN_FAILURE || error == ERROR_INVALID_DATA)
        prfdata_store32_relaxed(&attached->is_broken, 1);
    return error;
}
