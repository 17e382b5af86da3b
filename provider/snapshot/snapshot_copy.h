/* SPDX-License-Identifier: MIT */
/*
 * Declares the two guarded passes over a region for snapshot.c, which allocates memory between
 * them.
 */
#ifndef PRFDATA_SNAPSHOT_COPY_H
#define PRFDATA_SNAPSHOT_COPY_H

#include "snapshot/snapshot.h"

/*
 * Checks the header again, and sets `is_valid`. Sets `count` of each wanted object to how many of
 * its slots were ever used. `context` is a prfdata_snapshot_reading.
 */
void prfdata_snapshot_copy_measure(void *context);

/*
 * Copies the region into the `snapshot` of `context`, a prfdata_snapshot_reading, by the reader
 * steps 1 to 4 of docs/region-format.md. The snapshot has room for the counted slots.
 */
void prfdata_snapshot_copy_region(void *context);

#endif
