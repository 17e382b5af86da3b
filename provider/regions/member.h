/* SPDX-License-Identifier: MIT */
/*
 * Declares a member: a region in a set, with what probes have said about its writer. Members are
 * immutable. If an answer changes what is known, the next set has another member
 * (docs/architecture.md, decision 13).
 */
#ifndef PRFDATA_MEMBER_H
#define PRFDATA_MEMBER_H

#include "regions/mapping.h"
#include "snapshot/projection.h"

/* The memory limit for the slots of all summaries together. Beyond it only sums are kept. */
#define PRFDATA_MEMBER_MAX_SUMMARY_BYTES (64ull * 1024 * 1024)

typedef struct prfdata_member {
    prfdata_mapping *mapping;
    /* Becomes LIVES after NONE only when the new writer has completed its take-over. If UNKNOWN,
     * the region is shown as if it had no writer, but its values may change. */
    prfdata_mapping_writer writer;
    uint64_t structure; /* the region's structure word when a refresh first had this answer */
    uint64_t since_ms;  /* when that refresh began */
} prfdata_member;

/*
 * Returns the member that follows from an answer of prfdata_mapping_ask(). If the earlier member
 * has no writer, the new member has a writer only after a complete take-over, which the structure
 * word shows. Until then, instances of the ended writer may still be visible. If the answer is
 * UNKNOWN, the earlier member stays, unless it has no writer and a take-over is complete.
 *
 * before  The earlier member, which is returned if the answer changes nothing. NULL: none.
 * writer  The answer; not PRFDATA_MAPPING_IS_GONE.
 * now_ms  When the refresh that asked began.
 */
prfdata_member prfdata_member_learn(const prfdata_member *before, prfdata_mapping *mapping,
                                    prfdata_mapping_writer writer, uint64_t structure,
                                    uint64_t now_ms);

/*
 * Takes a snapshot of the member's region. If the region has no writer, returns its summary, which
 * several Collects share. A region that faults or has become invalid is marked as broken, with an
 * event.
 *
 * projection       Converts the snapshot to the shape of another map. NULL: the snapshot has the
 *                  region's own shape.
 * wanted           One flag per object of the snapshot that is returned.
 * is_last_attempt  Matters only if a program has taken the region over since a refresh found no
 *                  writer. If false, makes a refresh due, at most once per refresh_ms and region.
 *                  If a refresh is then due, returns PRFDATA_STALE. In all other cases, reads the
 *                  region as it is.
 * reading          The state of this Collect. It is set to read this region.
 *
 * Returns what prfdata_snapshot_take() returns, or PRFDATA_STALE. If there is a projection, objects
 *         may be left out: see `room` of prfdata_projection_apply().
 * Owner: the caller; prfdata_mapping_release_snapshot().
 */
prfdata_result prfdata_member_snapshot(const prfdata_member *member,
                                       const prfdata_projection *projection, const bool *wanted,
                                       bool is_last_attempt, prfdata_snapshot_reading *reading,
                                       prfdata_snapshot **snapshot);

#endif
