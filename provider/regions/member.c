/* SPDX-License-Identifier: MIT */
/*
 * Decides what follows from the system's answer about a region's writer, and reads the region. A
 * region without a writer does not change, so its summary is kept and used again.
 */
#include "regions/member.h"

#include <stdlib.h>

#include <prfdata/atomic.h>

#include "regions/refresh.h"
#include "snapshot/summary.h"

/* ---- Answers ---- */

/*
 * Whether a new writer has taken over a region that had no writer. The take-over hides what the
 * ended program showed. Its step W1 (docs/region-format.md) makes the structure word odd; only its
 * last step, W2, makes the word even and larger.
 */
static bool has_been_taken_over(const prfdata_member *member, uint64_t structure)
{
    return structure > (member->structure | 1);
}

/* Whether an answer changes nothing. */
static bool is_learned_already(const prfdata_member *member, prfdata_mapping_writer writer,
                               uint64_t structure)
{
    if (writer == PRFDATA_MAPPING_WRITER_UNKNOWN)
        return member->writer != PRFDATA_MAPPING_WRITER_NONE ||
               !has_been_taken_over(member, structure);
    if (member->writer != PRFDATA_MAPPING_WRITER_NONE)
        return member->writer == writer;
    return structure == member->structure ||
           (writer == PRFDATA_MAPPING_WRITER_LIVES && !has_been_taken_over(member, structure));
}

prfdata_member prfdata_member_learn(const prfdata_member *before, prfdata_mapping *mapping,
                                    prfdata_mapping_writer writer, uint64_t structure,
                                    uint64_t now_ms)
{
    if (before && is_learned_already(before, writer, structure))
        return *before;
    return (prfdata_member){mapping, writer, structure, now_ms};
}

static void select_region(const prfdata_member *member, bool has_writer,
                          prfdata_snapshot_reading *reading)
{
    const prfdata_mapping *mapping = member->mapping;

    reading->view = &mapping->view;
    reading->model = mapping->version->model;
    reading->layout = mapping->layout;
    reading->boot = prfdata_load64_relaxed(&mapping->regions->boot);
    reading->has_writer = has_writer;
}

/* Records in a snapshot which region it belongs to. No other thread has the snapshot yet. */
static void sign_snapshot(const prfdata_member *member, prfdata_snapshot *snapshot)
{
    snapshot->mapping = member->mapping;
    snapshot->account = &member->mapping->view.account;
    snapshot->region_id = member->mapping->id;
    snapshot->since_ms = member->since_ms;
    snapshot->is_live &= member->writer == PRFDATA_MAPPING_WRITER_LIVES;
    snapshot->is_closed &= member->writer == PRFDATA_MAPPING_WRITER_LIVES;
    snapshot->is_late = member->mapping->is_late;
}

/* ---- Summaries ---- */

/*
 * Identifies the shape of a summary. The projection's address is not enough, because it may be
 * reused.
 */
static uint64_t shape_of(const prfdata_projection *projection)
{
    return projection ? projection->number : 0;
}

/*
 * Whether the mapping has the summary that a member needs. If windows of the summary have values,
 * the windows must end at `time`. The caller holds the lock.
 */
static bool has_summary(const prfdata_member *member, const prfdata_projection *projection,
                        uint32_t time)
{
    const prfdata_mapping *mapping = member->mapping;

    return mapping->summary && mapping->summary_word == member->structure &&
           mapping->summary_shape == shape_of(projection) &&
           (!mapping->summary->is_ageing || mapping->summary->time == time);
}

/* The summary that a member needs, with a reference for the caller; NULL: there is none. */
static prfdata_snapshot *share_summary(const prfdata_member *member,
                                       const prfdata_projection *projection, uint32_t time)
{
    prfdata_mapping *mapping = member->mapping;
    prfdata_snapshot *summary = NULL;

    prfdata_os_lock_enter(&mapping->regions->lock);
    if (has_summary(member, projection, time)) {
        summary = mapping->summary;
        summary->references++;
    }
    prfdata_os_lock_leave(&mapping->regions->lock);
    return summary;
}

/*
 * Keeps a summary and returns it with a reference for the caller. If another thread was faster,
 * returns that thread's summary, so that all threads show the same values. A summary for another
 * structure word, shape or time is replaced.
 */
static prfdata_snapshot *keep_summary(const prfdata_member *member,
                                      const prfdata_projection *projection, uint64_t bytes,
                                      prfdata_snapshot *summary)
{
    prfdata_mapping *mapping = member->mapping;
    prfdata_snapshot *dropped = summary;

    prfdata_os_lock_enter(&mapping->regions->lock);
    if (!has_summary(member, projection, summary->time)) {
        dropped = mapping->summary;
        prfdata_add64_relaxed(&mapping->regions->summaries_bytes, bytes - mapping->summary_bytes);
        mapping->summary = summary;
        mapping->summary_word = member->structure;
        mapping->summary_shape = shape_of(projection);
        mapping->summary_bytes = bytes;
    }
    summary = mapping->summary;
    summary->references++;
    prfdata_os_lock_leave(&mapping->regions->lock);
    prfdata_mapping_release_snapshot(dropped);
    return summary;
}

/*
 * Makes a summary of the region as it was when a refresh found that the region has no writer. If
 * `projection` is not NULL, converts the summary, whose slots then have cells in both shapes. If
 * the slots would take more than `room` bytes, keeps only sums.
 */
static prfdata_result make_shaped_summary(const prfdata_member *member,
                                          const prfdata_projection *projection,
                                          prfdata_snapshot_reading *reading, uint64_t room,
                                          uint64_t *bytes, prfdata_snapshot **summary)
{
    uint64_t no_limit = UINT64_MAX; /* the size of the summary's slots has already been checked */
    prfdata_result result;

    select_region(member, false, reading);
    result = prfdata_summary_make(reading, member->structure, room, bytes, summary);
    if (result != PRFDATA_DONE || !projection)
        return result;
    *bytes += prfdata_projection_bytes(projection, *summary);
    if (*bytes > room) {
        prfdata_snapshot_free(*summary);
        result = prfdata_summary_make(reading, member->structure, 0, bytes, summary);
    }
    return result == PRFDATA_DONE ? prfdata_projection_apply(projection, &no_limit, summary)
                                  : result;
}

static prfdata_result make_and_keep_summary(const prfdata_member *member,
                                            const prfdata_projection *projection,
                                            prfdata_snapshot_reading *reading,
                                            prfdata_snapshot **summary)
{
    const uint64_t in_use = prfdata_load64_relaxed(&member->mapping->regions->summaries_bytes);
    const uint64_t room =
        in_use < PRFDATA_MEMBER_MAX_SUMMARY_BYTES ? PRFDATA_MEMBER_MAX_SUMMARY_BYTES - in_use : 0;
    uint64_t bytes;
    const prfdata_result result =
        make_shaped_summary(member, projection, reading, room, &bytes, summary);

    if (result != PRFDATA_DONE)
        return result;
    sign_snapshot(member, *summary);
    *summary = keep_summary(member, projection, bytes, *summary);
    return PRFDATA_DONE;
}

/* ---- Snapshots ---- */

/* Takes a snapshot of a region that may have a writer. */
static prfdata_result take_shaped_snapshot(const prfdata_member *member,
                                           const prfdata_projection *projection, const bool *wanted,
                                           prfdata_snapshot_reading *reading,
                                           prfdata_snapshot **snapshot)
{
    bool own_wanted[PRFDATA_MAX_OBJECTS];
    prfdata_result result;

    if (projection)
        prfdata_projection_wanted(projection, wanted, own_wanted);
    select_region(member, true, reading);
    result = prfdata_snapshot_take(reading, projection ? own_wanted : wanted, snapshot);
    if (result == PRFDATA_DONE && projection)
        result = prfdata_projection_apply(projection, &reading->other_bytes, snapshot);
    if (result == PRFDATA_DONE)
        sign_snapshot(member, *snapshot);
    return result;
}

/*
 * Takes a snapshot, or shares a summary. Returns PRFDATA_STALE if a program has taken the region
 * over since a refresh found that it has no writer.
 */
static prfdata_result take_or_share(const prfdata_member *member,
                                    const prfdata_projection *projection, const bool *wanted,
                                    prfdata_snapshot_reading *reading, prfdata_snapshot **snapshot)
{
    if (member->writer != PRFDATA_MAPPING_WRITER_NONE)
        return take_shaped_snapshot(member, projection, wanted, reading, snapshot);
    *snapshot = share_summary(member, projection, reading->time);
    return *snapshot ? PRFDATA_DONE : make_and_keep_summary(member, projection, reading, snapshot);
}

/*
 * Makes a refresh due, but at most once per refresh_ms and region. Without this limit, a region
 * whose structure word changes without a writer could make a refresh due in every Collect. Returns
 * whether a refresh is due now.
 */
static bool expire_for(prfdata_mapping *mapping)
{
    prfdata_regions *regions = mapping->regions;
    const uint64_t now = prfdata_refresh_now_ms();
    const uint64_t expired = prfdata_load64_relaxed(&mapping->expired_ms);

    if (prfdata_refresh_due_ms(regions) == 0)
        return true;
    if (expired != 0 && now < expired + regions->refresh_ms)
        return false;
    prfdata_store64_relaxed(&mapping->expired_ms, now);
    prfdata_refresh_expire(regions);
    return true;
}

/* Marks a region that faulted or has become invalid, so that it is not read again. */
static void mark_broken(prfdata_mapping *mapping, bool has_faulted)
{
    prfdata_store32_relaxed(&mapping->is_broken, 1);
    if (has_faulted)
        prfdata_regions_notice_fault(mapping->regions, &mapping->name);
    else
        prfdata_events_notice_ascii(mapping->regions->events, PRFDATA_EVENT_REGION_DAMAGED,
                                    mapping->name.text, 0);
}

prfdata_result prfdata_member_snapshot(const prfdata_member *member,
                                       const prfdata_projection *projection, const bool *wanted,
                                       bool is_last_attempt, prfdata_snapshot_reading *reading,
                                       prfdata_snapshot **snapshot)
{
    prfdata_result result;

    *snapshot = NULL;
    result = take_or_share(member, projection, wanted, reading, snapshot);
    if (result == PRFDATA_STALE && !is_last_attempt && expire_for(member->mapping))
        return PRFDATA_STALE;
    if (result == PRFDATA_STALE)
        result = take_shaped_snapshot(member, projection, wanted, reading, snapshot);
    if (result == PRFDATA_FAULTED || result == PRFDATA_INVALID)
        mark_broken(member->mapping, result == PRFDATA_FAULTED);
    return result;
}
