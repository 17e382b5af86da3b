/* SPDX-License-Identifier: MIT */
/*
 * What follows from an answer, and what a region holds. Without a writer that cannot change, so it
 * is summarised once and then costs nothing. Summaries are a cache: all of one word, shape and time
 * are the same.
 */
#include "regions/member.h"

#include <stdlib.h>

#include <prfdata/atomic.h>

/* ---- Learning ---- */

/*
 * Whether a new writer of a region that had none has completed its take-over, which hides what the
 * dead one showed: its W1 alone makes the word odd, its W2 even and larger.
 */
static bool has_been_taken_over(const prfdata_known *known, uint64_t structure)
{
    return structure > (known->structure | 1);
}

/* Whether nothing follows from an answer. */
static bool is_known_already(const prfdata_known *known, prfdata_attached_writer writer,
                             uint64_t structure)
{
    if (writer == PRFDATA_ATTACHED_WRITER_UNKNOWN)
        return known->writer != PRFDATA_ATTACHED_WRITER_NONE ||
               !has_been_taken_over(known, structure);
    if (known->writer != PRFDATA_ATTACHED_WRITER_NONE)
        return known->writer == writer;
    return structure == known->structure ||
           (writer == PRFDATA_ATTACHED_WRITER_LIVES && !has_been_taken_over(known, structure));
}

prfdata_known *prfdata_known_learn(prfdata_known *before, prfdata_attached *attached,
                                   prfdata_attached_writer writer, uint64_t structure)
{
    prfdata_known *made;

    if (before && is_known_already(before, writer, structure))
        return before;
    made = calloc(1, sizeof *made);
    if (made) {
        made->attached = attached;
        made->summaries_bytes = attached->summaries_bytes;
        made->writer = writer;
        made->structure = structure;
    }
    return made;
}

void prfdata_known_free(prfdata_known *known)
{
    prfdata_add64_relaxed(known->summaries_bytes, 0 - known->summary_bytes);
    prfdata_snapshot_free(known->summary);
    free(known);
}

/* ---- Summaries ---- */

/* What a summary is of. Not the projection's address, which may be used again. */
static const prfdata_model *shown_model(const prfdata_projection *projection)
{
    return projection ? projection->to : NULL;
}

/* Under the lock. Whether the summary is of this shape, and of the minute that ends at `time`. */
static bool has_summary(const prfdata_known *known, const prfdata_projection *projection,
                        uint32_t time)
{
    return known->summary && known->shape == shown_model(projection) &&
           (!known->summary->is_ageing || known->summary->time == time);
}

/* The summary, if there is one of this shape and time, with a reference for the caller. */
static prfdata_snapshot *share_summary(prfdata_known *known, const prfdata_projection *projection,
                                       uint32_t time)
{
    prfdata_snapshot *summary = NULL;

    prfdata_os_lock_enter(&known->lock);
    if (has_summary(known, projection, time)) {
        summary = known->summary;
        summary->references++;
    }
    prfdata_os_lock_leave(&known->lock);
    return summary;
}

/*
 * Keep a summary, and return it with a reference for the caller; or return the one of another
 * thread that was faster, so that all show the same. One of another shape or time gives way.
 */
static prfdata_snapshot *keep_summary(prfdata_known *known, const prfdata_projection *projection,
                                      uint64_t bytes, prfdata_snapshot *summary)
{
    prfdata_snapshot *dropped = summary;

    prfdata_os_lock_enter(&known->lock);
    if (!has_summary(known, projection, summary->time)) {
        dropped = known->summary;
        prfdata_add64_relaxed(known->summaries_bytes, bytes - known->summary_bytes);
        known->summary = summary;
        known->shape = shown_model(projection);
        known->summary_bytes = bytes;
    }
    summary = known->summary;
    summary->references++;
    prfdata_os_lock_leave(&known->lock);
    prfdata_known_release(known, dropped);
    return summary;
}

/* Summarise the region as it was when its writer was asked for. */
static uint32_t summarise_region(const prfdata_known *known, uint32_t time, uint64_t room,
                                 uint64_t *bytes, prfdata_snapshot **summary)
{
    const prfdata_attached *attached = known->attached;

    return prfdata_snapshot_summarise(&attached->view, attached->version->model, attached->layout,
                                      attached->boot, known->structure, time, room, bytes, summary);
}

/*
 * Make a summary in the shape of a projection, if there is one. Only sums are kept where the slots
 * would take more than `room`: in this shape, in which they may be much larger than in the region.
 */
static uint32_t make_shaped_summary(const prfdata_known *known,
                                    const prfdata_projection *projection, uint32_t time,
                                    uint64_t room, uint64_t *bytes, prfdata_snapshot **summary)
{
    uint64_t no_limit = UINT64_MAX; /* its slots have been counted */
    uint32_t error = summarise_region(known, time, room, bytes, summary);

    if (error || !projection)
        return error;
    *bytes += prfdata_projection_bytes(projection, *summary);
    if (*bytes > room) {
        prfdata_snapshot_free(*summary);
        error = summarise_region(known, time, 0, bytes, summary);
    }
    return error ? error : prfdata_projection_apply(projection, &no_limit, summary);
}

static uint32_t make_and_keep_summary(prfdata_known *known, const prfdata_projection *projection,
                                      uint32_t time, prfdata_snapshot **summary)
{
    const uint64_t in_use = prfdata_load64_relaxed(known->summaries_bytes);
    const uint64_t room =
        in_use < PRFDATA_KNOWN_MAX_SUMMARY_BYTES ? PRFDATA_KNOWN_MAX_SUMMARY_BYTES - in_use : 0;
    uint64_t bytes;
    const uint32_t error = make_shaped_summary(known, projection, time, room, &bytes, summary);

    if (!error)
        *summary = keep_summary(known, projection, bytes, *summary);
    return error;
}

void prfdata_known_release(prfdata_known *known, prfdata_snapshot *snapshot)
{
    bool is_last;

    if (!snapshot)
        return;
    prfdata_os_lock_enter(&known->lock);
    is_last = --snapshot->references == 0;
    prfdata_os_lock_leave(&known->lock);
    if (is_last)
        prfdata_snapshot_free(snapshot);
}

/* ---- Snapshots ---- */

/* A region that faults or has become invalid is not read again. */
static uint32_t mark_if_broken(const prfdata_known *known, uint32_t error)
{
    if (error == ERROR_GEN_FAILURE || error == ERROR_INVALID_DATA)
        prfdata_store32_relaxed(&known->attached->is_broken, 1);
    return error;
}

/* Take a snapshot of a region whose writer works, or may. */
static uint32_t take_shaped_snapshot(const prfdata_known *known,
                                     const prfdata_projection *projection, const bool *wanted,
                                     prfdata_snapshot_budget *budget, prfdata_snapshot **snapshot)
{
    const prfdata_attached *attached = known->attached;
    bool own_wanted[PRFDATA_MAX_OBJECTS];
    uint32_t error;

    if (projection)
        prfdata_projection_wanted(projection, wanted, own_wanted);
    error = prfdata_snapshot_take(&attached->view, attached->version->model, attached->layout,
                                  attached->boot, projection ? own_wanted : wanted, true, budget,
                                  snapshot);
    if (!error && projection)
        error = prfdata_projection_apply(projection, &budget->other_bytes, snapshot);
    return error;
}

uint32_t prfdata_known_snapshot(prfdata_known *known, const prfdata_projection *projection,
                                const bool *wanted, prfdata_snapshot_budget *budget,
                                prfdata_snapshot **snapshot)
{
    uint32_t error = ERROR_SUCCESS;

    *snapshot = NULL;
    if (known->writer != PRFDATA_ATTACHED_WRITER_NONE)
        error = take_shaped_snapshot(known, projection, wanted, budget, snapshot);
    else if ((*snapshot = share_summary(known, projection, budget->time)) == NULL)
        error = make_and_keep_summary(known, projection, budget->time, snapshot);
    return mark_if_broken(known, error);
}

uint32_t prfdata_known_snapshot_taken_over(prfdata_known *known,
                                           const prfdata_projection *projection, const bool *wanted,
                                           prfdata_snapshot_budget *budget,
                                           prfdata_snapshot **snapshot)
{
    *snapshot = NULL;
    return mark_if_broken(known, take_shaped_snapshot(known, projection, wanted, budget, snapshot));
}
