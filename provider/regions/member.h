/* SPDX-License-Identifier: MIT */
/*
 * Declares what a set knows of one region since the system was asked for its writer. It is a value
 * and does not change; the next set has another one if the answer is another (docs/architecture.md,
 * decision 13).
 */
#ifndef PRFDATA_MEMBER_H
#define PRFDATA_MEMBER_H

#include "regions/mapping.h"
#include "snapshot/projection.h"

/* Memory for the slots of all summaries together; beyond it only sums are kept. */
#define PRFDATA_MEMBER_MAX_SUMMARY_BYTES (64ull * 1024 * 1024)

typedef struct prfdata_member {
    prfdata_mapping *mapping;
    prfdata_mapping_writer writer; /* LIVES: and has begun its work; UNKNOWN: shown as if there
                                       were none, but its values may change */
    uint64_t structure;            /* the structure word at that time */
} prfdata_member;

/*
 * Returns what follows from an answer of prfdata_mapping_ask(). A region that had no writer has one
 * only when its structure word says that a take-over is complete: until then the new writer may not
 * have hidden what the ended one showed. If the system does not answer, the word alone says that
 * one has written since: what it counted is read, and nothing of it is shown as live.
 *
 * before  What was known of the region, which is returned if nothing follows; NULL: nothing.
 * writer  The answer, and not PRFDATA_MAPPING_IS_GONE.
 */
prfdata_member prfdata_member_learn(const prfdata_member *before, prfdata_mapping *mapping,
                                    prfdata_mapping_writer writer, uint64_t structure);

/* Whether two sets know the same of a region. */
bool prfdata_member_same(const prfdata_member *a, const prfdata_member *b);

/*
 * Take a snapshot, or share the summary of a region without writer. A region that faults or has
 * become invalid is marked as broken.
 *
 * projection  Into the shape of another map, whose model stays for as long as the region is
 *             attached; NULL: the region's own.
 * wanted      One flag per object of that shape.
 * reading     Of this Collect; gets the region.
 *
 * Returns what prfdata_snapshot_take() does, or PRFDATA_STALE (the region had no writer
 *         and has been taken over since: ask again). Objects of a region of another map for which
 *         too few `other_bytes` remain are left out. Owner: the caller;
 *         prfdata_mapping_release_snapshot().
 */
prfdata_result prfdata_member_snapshot(const prfdata_member *member,
                                       const prfdata_projection *projection, const bool *wanted,
                                       prfdata_snapshot_reading *reading,
                                       prfdata_snapshot **snapshot);

/*
 * Take a snapshot of a region that has been taken over since its writer was asked for: as it is,
 * while whoever owns it may write. Returns the same but for PRFDATA_STALE.
 */
prfdata_result prfdata_member_snapshot_taken_over(const prfdata_member *member,
                                                  const prfdata_projection *projection,
                                                  const bool *wanted,
                                                  prfdata_snapshot_reading *reading,
                                                  prfdata_snapshot **snapshot);

#endif
