/* SPDX-License-Identifier: MIT */
/*
 * Declares the conversion of snapshots from one version of a map to another. Objects and counters
 * with the same id and the same meaning continue; the others are left out (docs/architecture.md,
 * decision 14).
 */
#ifndef PRFDATA_PROJECTION_H
#define PRFDATA_PROJECTION_H

#include "snapshot/cells.h"
#include "snapshot/snapshot.h"

typedef struct prfdata_projection {
    const prfdata_model *from; /* the regions' map */
    const prfdata_model *to;   /* the current map */
    uint64_t from_hash;        /* hash of `from`, whose address may be reused */
    /* Set by its owner: the number of an installation, never 0. Tells whether a kept summary
     * (mapping.h, `summary_shape`) has the shape of `to`. */
    uint64_t number;
    /* For each object of the current map: its index in the regions' map, or PRFDATA_NONE. */
    uint32_t from_objects[PRFDATA_MAX_OBJECTS];
    /* For each object and each cell of the current map: the cell of the regions' map, or
     * PRFDATA_NONE. */
    uint32_t *cells[PRFDATA_MAX_OBJECTS];
} prfdata_projection;

/*
 * Finds out which objects and counters of `from` continue in `to`.
 *
 * from  Must stay while a region with this map is attached.
 * to    Must stay until prfdata_projection_free().
 *
 * Returns NULL if memory is exhausted.
 */
prfdata_projection *prfdata_projection_make(const prfdata_model *from, const prfdata_model *to);
void prfdata_projection_free(prfdata_projection *projection);

/*
 * Finds out which objects of the regions' map are needed for the wanted objects of the current map.
 */
void prfdata_projection_wanted(const prfdata_projection *projection, const bool *wanted,
                               bool *from_wanted);

/* The memory that the slots of a snapshot or summary take in the shape of `to`, without windows. */
uint64_t prfdata_projection_bytes(const prfdata_projection *projection,
                                  const prfdata_snapshot *snapshot);

/*
 * Returns what prfdata_projection_bytes() would return for a region of this layout whose slots are
 * all used.
 */
uint64_t prfdata_projection_most_bytes(const prfdata_projection *projection,
                                       const prfdata_region_layout *layout);

/*
 * Converts a snapshot or summary of a region with the map `from` to the shape of `to`.
 *
 * room      The bytes that slots may take; reduced by the bytes that they take. An object whose
 *           slots would take more, or more than 256 MiB, is left out; `left_out` of the snapshot
 *           says so.
 * snapshot  Has a single reference. Replaced by the new snapshot, or released on failure.
 *
 * Returns PRFDATA_DONE or PRFDATA_NO_MEMORY.
 */
prfdata_result prfdata_projection_apply(const prfdata_projection *projection, uint64_t *room,
                                        prfdata_snapshot **snapshot);

#endif
