/* SPDX-License-Identifier: MIT */
/*
 * Encodes and decodes maps. map-bytes.md specifies the format. Decoding treats the bytes as
 * hostile.
 */
#ifndef PRFDATA_MAP_BYTES_H
#define PRFDATA_MAP_BYTES_H

#include <prfdata/map.h>

#define PRFDATA_MAP_BYTES_MAGIC       0x4D465250u /* "PRFM" */
#define PRFDATA_MAP_BYTES_MAJOR       1
#define PRFDATA_MAP_BYTES_MINOR       0
#define PRFDATA_MAP_BYTES_HEADER      24 /* bytes before the service name */
#define PRFDATA_MAP_BYTES_LEAST_ENTRY 9  /* bytes of the shortest entry, an option */

/*
 * The size of a map's encoding in bytes. The map may be invalid, but its table must be readable. A
 * text that is missing or cannot be encoded counts as empty.
 */
uint64_t prfdata_map_bytes_size(const prfdata_map *map);

/*
 * Encode a map.
 *
 * map       A map without mistakes (see prfdata_map_check_nest).
 * hash      Its prfdata_map_hash().
 * bytes     Memory for `capacity` bytes; may be NULL if capacity is 0.
 * size      Always gets the number of bytes needed.
 *
 * Returns ERROR_SUCCESS or ERROR_INSUFFICIENT_BUFFER (nothing written).
 */
uint32_t prfdata_map_bytes_encode(const prfdata_map *map, uint64_t hash, void *bytes,
                                  size_t capacity, size_t *size);

/*
 * Decode bytes into a map, and check rules M1 to M10 of map-bytes.md. The caller checks whether the
 * map is valid (M11) and has the hash `*hash` (M12), as prfdata_model_from_bytes() does.
 *
 * map   On success the map, in one allocation with all that it points to; untouched on failure.
 * hash  On success the hash that the bytes name; untouched on failure.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_DATA (not an encoded map), ERROR_REVISION_MISMATCH (another
 *         major version of the format) or ERROR_NOT_ENOUGH_MEMORY.
 * Owner:   the caller; release with free().
 */
uint32_t prfdata_map_bytes_decode(const void *bytes, size_t size, prfdata_map **map,
                                  uint64_t *hash);

#endif
