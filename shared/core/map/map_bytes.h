/* SPDX-License-Identifier: MIT */
/*
 * The encoded map: what the installer stores in the value `Maps` and the provider trusts. The
 * format is specified in map-bytes.md. Decoding treats the bytes as hostile.
 */
#ifndef PRFDATA_MAP_BYTES_H
#define PRFDATA_MAP_BYTES_H

#include <prfdata/map.h>

#define PRFDATA_MAP_BYTES_MAGIC       0x4D465250u /* "PRFM" */
#define PRFDATA_MAP_BYTES_MAJOR       1
#define PRFDATA_MAP_BYTES_MINOR       0
#define PRFDATA_MAP_BYTES_HEADER      24 /* bytes before the service name */
#define PRFDATA_MAP_BYTES_LEAST_ENTRY 9  /* the shortest entry, an option */

/*
 * The bytes that a map takes encoded. Defined for every map whose table is readable, right or
 * wrong; a text that is missing or cannot be encoded counts as empty.
 */
uint64_t prfdata_map_bytes_size(const prfdata_map *map);

/*
 * Encode a map.
 *
 * map       One without mistakes (see prfdata_map_check_nest).
 * hash      prfdata_map_hash() of it.
 * bytes     Room for `capacity` bytes; may be NULL if capacity is 0.
 * size      Gets the bytes needed, always.
 *
 * Returns ERROR_SUCCESS or ERROR_INSUFFICIENT_BUFFER (nothing written).
 */
uint32_t prfdata_map_bytes_encode(const prfdata_map *map, uint64_t hash, void *bytes,
                                  size_t capacity, size_t *size);

/*
 * Decode bytes into a map: rules M1 to M10 of map-bytes.md. Whether the map is right (M11) and the
 * hash is its own (M12) is for the caller to check, as prfdata_model_from_bytes() does.
 *
 * map   On success a map with everything it points to in one allocation; untouched on failure.
 * hash  On success what the bytes say of it.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_DATA (not an encoded map), ERROR_REVISION_MISMATCH (a later
 *         format) or ERROR_NOT_ENOUGH_MEMORY.
 * Owner:   the caller; release with free().
 */
uint32_t prfdata_map_bytes_decode(const void *bytes, size_t size, prfdata_map **map,
                                  uint64_t *hash);

#endif
