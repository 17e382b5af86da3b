/* SPDX-License-Identifier: MIT */
/*
 * Declares the summary of a region without a writer: the sums of every object, the slots that can
 * still add to a row, and the parents of these slots. A summary is a snapshot.
 */
#ifndef PRFDATA_SUMMARY_H
#define PRFDATA_SUMMARY_H

#include "snapshot/snapshot.h"

/*
 * Makes a summary of the region that is being read, which has no writer.
 *
 * structure  The structure word when the system said that there is no writer.
 * max_bytes  The limit for the slots. If they would take more, only the sums are kept.
 * bytes      Gets the size of the slots.
 *
 * Returns what prfdata_snapshot_take() returns, or PRFDATA_STALE if the structure word shows that a
 * new writer has taken the region over. Ignores brackets, even those of the new writer.
 */
prfdata_result prfdata_summary_make(prfdata_snapshot_reading *reading, uint64_t structure,
                                    uint64_t max_bytes, uint64_t *bytes,
                                    prfdata_snapshot **summary);

/* The slot with this key, or NULL. */
const prfdata_snapshot_slot *prfdata_summary_find(const prfdata_snapshot *summary,
                                                  uint32_t object_index,
                                                  const prfdata_region_key *key);

#endif
