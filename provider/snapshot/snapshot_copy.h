/* SPDX-License-Identifier: MIT */
/*
 * The two guarded passes over a region of which a snapshot is taken, for snapshot.c, which
 * allocates in between.
 */
#ifndef PRFDATA_SNAPSHOT_COPY_H
#define PRFDATA_SNAPSHOT_COPY_H

#include "snapshot/snapshot.h"

/*
 * `context`: a prfdata_snapshot_reading. Check the header again (`is_valid`), and count the slots
 * of the wanted objects that were ever used (`count` of each).
 */
void prfdata_snapshot_copy_measure(void *context);

/* `context`: the same. Reader steps 1 to 3, into the memory of `snapshot`, which has room for
 * these. */
void prfdata_snapshot_copy_region(void *context);

#endif
