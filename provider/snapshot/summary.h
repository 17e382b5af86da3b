/* SPDX-License-Identifier: MIT */
/*
 * What a region without writer holds: the sums of every object, and only the slots that can still
 * add to an instance of another region, or are the parents of such. A summary is a snapshot.
 */
#ifndef PRFDATA_SUMMARY_H
#define PRFDATA_SUMMARY_H

#include "snapshot/snapshot.h"

/*
 * Make a summary of the region that is read now, which has no writer.
 *
 * structure  The structure word when that was found.
 * max_bytes  Of slots; where they would take more, only the sums are kept.
 * bytes      Gets what the slots take.
 *
 * Returns what prfdata_snapshot_take() does, or PRFDATA_STALE: a new writer has taken it over
 *         since, and a thread may be inside a bracket.
 */
prfdata_result prfdata_summary_make(prfdata_snapshot_reading *reading, uint64_t structure,
                                    uint64_t max_bytes, uint64_t *bytes,
                                    prfdata_snapshot **summary);

/* The slot of this key, or NULL. */
const prfdata_snapshot_slot *prfdata_summary_find(const prfdata_snapshot *summary,
                                                  uint32_t object_index,
                                                  const prfdata_region_key *key);

#endif
