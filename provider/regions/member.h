/* SPDX-License-Identifier: MIT */
/*
 * One region of a set: what is known of it since its writer was asked for. What is known does not
 * change; the next refresh puts another member in its place where the answer is another
 * (docs/architecture.md, decision 13). The summary that follows from it is made when a Collect
 * first needs it. Which regions there are is regions.h's.
 */
#ifndef PRFDATA_MEMBER_H
#define PRFDATA_MEMBER_H

#include "regions/mapping.h"
#include "snapshot/projection.h"

/* Memory for the slots of all summaries together; beyond it only sums are kept. */
#define PRFDATA_MEMBER_MAX_SUMMARY_BYTES (64ull * 1024 * 1024)

typedef struct prfdata_member {
    uint32_t references; /* sets that hold it; under the lock of regions.c */
    bool was_last;       /* the same: `mapping` goes with it */
    prfdata_mapping *mapping;
    uint64_t *summaries_bytes;     /* of `mapping`, which may be gone before this is freed */
    prfdata_mapping_writer writer; /* LIVES: and has begun its work; UNKNOWN: shown as if there
                                       were none, but its values may change */
    uint64_t structure;            /* the structure word at that time */
    prfdata_os_lock lock;          /* of what follows, and of references to summaries */
    prfdata_snapshot *summary;     /* of what it holds without writer; NULL: not made yet */
    uint64_t shape;                /* of the summary: a projection's number; 0: its own */
    uint64_t summary_bytes;        /* of its slots */
} prfdata_member;

/*
 * Learn an answer of prfdata_mapping_ask(). A region that had no writer is believed to have one
 * only when its structure word says that a take-over is complete: until then the new writer may not
 * have hidden what the dead one showed. Where the system does not answer, the word alone says that
 * one has written since: what it counted is read, and nothing of it is shown as live.
 *
 * before  What was known of the region; NULL: nothing.
 * writer  The answer, and not PRFDATA_MAPPING_IS_GONE.
 *
 * Returns `before` if nothing follows from the answer, or a new one without references, or NULL:
 *         memory is exhausted.
 */
prfdata_member *prfdata_member_learn(prfdata_member *before, prfdata_mapping *mapping,
                                     prfdata_mapping_writer writer, uint64_t structure);

/* Its region stays, or is gone already. */
void prfdata_member_free(prfdata_member *member);

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
 *         too few `other_bytes` remain are left out. Owner: the caller; prfdata_member_release().
 */
prfdata_result prfdata_member_snapshot(prfdata_member *member, const prfdata_projection *projection,
                                       const bool *wanted, prfdata_snapshot_reading *reading,
                                       prfdata_snapshot **snapshot);

/*
 * Take a snapshot of a region that has been taken over since its writer was asked for: as it is,
 * while whoever owns it may write. Returns the same but for PRFDATA_STALE.
 */
prfdata_result prfdata_member_snapshot_taken_over(prfdata_member *member,
                                                  const prfdata_projection *projection,
                                                  const bool *wanted,
                                                  prfdata_snapshot_reading *reading,
                                                  prfdata_snapshot **snapshot);

/* Give a snapshot back to its member; NULL is allowed. */
void prfdata_member_release(prfdata_snapshot *snapshot);

#endif
