/* SPDX-License-Identifier: MIT */
/*
 * Snapshots of regions of one version of a map in the shape of another one: what has the same id
 * and the same meaning goes on, the rest is left out (docs/architecture.md, decision 14).
 */
#ifndef PRFDATA_PROJECTION_H
#define PRFDATA_PROJECTION_H

#include "snapshot/cells.h"
#include "snapshot/snapshot.h"

typedef struct prfdata_projection_object {
    uint32_t object_index; /* of the region's map; PRFDATA_NONE: it has no such object */
    uint32_t *cells;       /* per cell of the shown map that of the region's, or PRFDATA_NONE */
} prfdata_projection_object;

typedef struct prfdata_projection {
    const prfdata_model *from; /* the regions' */
    const prfdata_model *to;   /* the shown one */
    uint64_t from_hash;        /* of `from`, whose address may be used again */
    uint64_t number;           /* set by its owner: of what is in the shape of `to`, and never 0 */
    prfdata_projection_object objects[1]; /* one per object of the shown map */
} prfdata_projection;

/*
 * Find out what goes on.
 *
 * from, to  Borrowed until prfdata_projection_free().
 * Returns NULL if memory is exhausted.
 */
prfdata_projection *prfdata_projection_make(const prfdata_model *from, const prfdata_model *to);
void prfdata_projection_free(prfdata_projection *projection);

/* Which objects of the regions' map are wanted, of those that are wanted of the shown one. */
void prfdata_projection_wanted(const prfdata_projection *projection, const bool *wanted,
                               bool *from_wanted);

/*
 * Copy the cells of an object's counters; those that the region has not are as
 * prfdata_cells_clear_counters() leaves them.
 */
void prfdata_projection_counters(const prfdata_projection_object *projected,
                                 const prfdata_model_object *model_object, const uint64_t *from,
                                 uint64_t *to);

/* The memory that the slots of a snapshot or summary take in the shape of `to`, without windows. */
uint64_t prfdata_projection_bytes(const prfdata_projection *projection,
                                  const prfdata_snapshot *snapshot);

/*
 * Bring a snapshot or summary of a region of the map `from` into the shape of `to`.
 *
 * room      Bytes that slots may take; what they take is subtracted. An object whose slots would
 *           take more, or more than 256 MiB, is left out: the snapshot's `left_out` says so.
 * snapshot  With a single reference; replaced by the new one, or released on failure.
 *
 * Returns PRFDATA_DONE or PRFDATA_NO_MEMORY.
 */
prfdata_result prfdata_projection_apply(const prfdata_projection *projection, uint64_t *room,
                                        prfdata_snapshot **snapshot);

#endif
