/* SPDX-License-Identifier: MIT */
/*
 * The two guarded passes over a region of which a snapshot is taken, for snapshot.c, which
 * allocates in between.
 */
#ifndef PRFDATA_SNAPSHOT_COPY_H
#define PRFDATA_SNAPSHOT_COPY_H

#include "snapshot/snapshot.h"

/* What the passes work on; `used_counts` and `is_valid` are what the first one finds. */
typedef struct prfdata_snapshot_reading {
    const prfdata_snapshot_region *region;
    const bool *wanted;
    bool has_writer;
    prfdata_snapshot *snapshot;
    uint32_t *used_counts; /* per object */
    prfdata_snapshot_budget *budget;
    uint64_t wait_ticks; /* that this region may still spend */
    bool is_valid;       /* the header still is that of the region */
} prfdata_snapshot_reading;

/*
 * `context`: a prfdata_snapshot_reading. Check the header again, and count the slots of the wanted
 * objects that were ever used.
 */
void prfdata_snapshot_copy_measure(void *context);

/* `context`: the same. Reader steps 1 to 3, into the memory of `snapshot`. */
void prfdata_snapshot_copy_region(void *context);

#endif
