/* SPDX-License-Identifier: MIT */
/*
 * Declares the two guarded passes over a region for snapshot.c, which allocates memory between
 * them.
 */
#ifndef PRFDATA_SNAPSHOT_COPY_H
#define PRFDATA_SNAPSHOT_COPY_H

#include "snapshot/snapshot.h"

/*
 * Checks the header again (`is_valid`), and counts the slots of the wanted objects that were ever
 * used (`count` of each). `context` is a prfdata_snapshot_reading.
 */
void prfdata_snapshot_copy_measure(void *context);

/*
 * Performs the reader steps 1 to 4 into the memory of `snapshot`, which has room for the counted
 * slots. `context` is a prfdata_snapshot_reading.
 */
void prfdata_snapshot_copy_region(void *context);

#endif
