/* SPDX-License-Identifier: MIT */
/*
 * Declares a member: a region in a set, with what the last probe said about its writer. Members are
 * immutable. If a refresh gets another answer, the next set has another member
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
    /* If LIVES, the writer has also completed its take-over. If UNKNOWN, the region is shown as if
     * it had no writer, but its values may change. */
    prfdata_mapping_writer writer;
    uint64_t structure; /* the structure word when the writer was asked for */
} prfdata_member;

/*
 * Returns the member that follows from an answer of prfdata_mapping_ask(). A region that had no
 * writer has one again only when its structure word says that a take-over is complete: until then,
 * the new writer may not have hidden the instances of the ended one. If the system does not answer,
 * only the structure word says whether a program has written since. Then what it counted is read,
 * and none of it is shown as live.
 *
 * before  What was known of the region, which is returned if nothing changes; NULL: nothing.
 * writer  The answer; not PRFDATA_MAPPING_IS_GONE.
 */
prfdata_member prfdata_member_learn(const prfdata_member *before, prfdata_mapping *mapping,
                                    prfdata_mapping_writer writer, uint64_t structure);

/* Whether two sets know the same of a region. */
bool prfdata_member_same(const prfdata_member *a, const prfdata_member *b);

/*
 * Takes a snapshot, or shares the summary of a region without a writer. Marks a region that faults
 * or has become invalid as broken.
 *
 * projection  Into the shape of another map, whose model stays as long as the region is attached;
 *             NULL: the region's own shape.
 * wanted      One flag per object of that shape.
 * reading     Of this Collect; gets the region.
 *
 * Returns what prfdata_snapshot_take() returns, or PRFDATA_STALE (the region had no writer and has
 *         been taken over since, so its writer must be asked for again). Objects of a region of
 *         another map are left out if too few `other_bytes` remain.
 * Owner: the caller; prfdata_mapping_release_snapshot().
 */
prfdata_result prfdata_member_snapshot(const prfdata_member *member,
                                       const prfdata_projection *projection, const bool *wanted,
                                       prfdata_snapshot_reading *reading,
                                       prfdata_snapshot **snapshot);

/*
 * Takes a snapshot of a region that has been taken over since its writer was asked for, while its
 * new owner may write. Returns what prfdata_member_snapshot() returns, except PRFDATA_STALE.
 */
prfdata_result prfdata_member_snapshot_taken_over(const prfdata_member *member,
                                                  const prfdata_projection *projection,
                                                  const bool *wanted,
                                                  prfdata_snapshot_reading *reading,
                                                  prfdata_snapshot **snapshot);

#endif
