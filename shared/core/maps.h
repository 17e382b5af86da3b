/* SPDX-License-Identifier: MIT */
/*
 * The value `Maps`: the present map of a service and the earlier ones whose regions still count
 * (docs/map-bytes.md, "The value Maps"). The bytes are hostile.
 */
#ifndef PRFDATA_MAPS_H
#define PRFDATA_MAPS_H

#include "core/model.h"

#define PRFDATA_MAPS_MAGIC       0x53465250u /* "PRFS" */
#define PRFDATA_MAPS_MAJOR       1
#define PRFDATA_MAPS_MINOR       0
#define PRFDATA_MAPS_HEADER      16 /* bytes before the first map */
#define PRFDATA_MAX_EARLIER_MAPS 8
#define PRFDATA_MAX_MAPS         (1 + PRFDATA_MAX_EARLIER_MAPS)
#define PRFDATA_MAX_MAPS_BYTES                                                                     \
    (PRFDATA_MAPS_HEADER + PRFDATA_MAX_MAPS * (4 + PRFDATA_MAX_MAP_BYTES))

/* One of them, encoded (core/map_bytes.h). */
typedef struct prfdata_maps_entry {
    const uint8_t *bytes; /* borrowed from the value */
    size_t size;
    uint64_t hash; /* what the bytes say */
} prfdata_maps_entry;

typedef struct prfdata_maps {
    uint32_t count;                               /* at least 1 */
    prfdata_maps_entry entries[PRFDATA_MAX_MAPS]; /* the present one first, then the newest */
} prfdata_maps;

/*
 * Find the maps in the value: rules V1 to V5 of map-bytes.md. Whether a map is right is for the
 * caller to check, as prfdata_model_from_bytes() does.
 *
 * maps  On success borrows from the bytes; untouched on failure.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_DATA (not such a value) or ERROR_REVISION_MISMATCH (a later
 *         format).
 */
uint32_t prfdata_maps_parse(const void *bytes, size_t size, prfdata_maps *maps);

/*
 * Decode the present map of a value. Returns what prfdata_maps_parse() and
 * prfdata_model_from_bytes() do. Owner: the caller; prfdata_model_free().
 */
uint32_t prfdata_maps_present(const void *bytes, size_t size, prfdata_model **model);

/* Whether a map with this hash is among them: its regions are shown. */
bool prfdata_maps_have(const prfdata_maps *maps, uint64_t hash);

/*
 * Make the value that an installation of a map writes: the map, and what was registered before as
 * earlier maps, each hash once. An earlier map is kept without its texts.
 *
 * model    The map's.
 * former   The value that was registered before, of `former_bytes` bytes, or NULL. One that is
 *          damaged, or of a later format, counts as none.
 * bytes    On success new memory of `*size` bytes; owner: the caller, free(). Untouched on failure.
 * dropped  Gets how many earlier maps are not kept because there are too many, or because they are
 *          damaged: regions of theirs will not be shown any more.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_maps_update(const prfdata_model *model, const void *former, size_t former_bytes,
                             void **bytes, size_t *size, uint32_t *dropped);

#endif
