/* SPDX-License-Identifier: MIT */
/*
 * The encoded map: what the installer stores as the value `Map` and the provider trusts. The
 * format is specified in MAP-BYTES.md. Decoding treats the bytes as hostile.
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
 * Encode a map that prfdata_map_check accepts.
 *
 * bytes     Room for `capacity` bytes; may be NULL if capacity is 0.
 * size      On ERROR_SUCCESS and ERROR_INSUFFICIENT_BUFFER the bytes needed.
 *
 * Returns ERROR_SUCCESS, ERROR_INSUFFICIENT_BUFFER (nothing written) or ERROR_INVALID_PARAMETER
 *         (the map is wrong).
 */
uint32_t prfdata_map_bytes_encode(const prfdata_map *map, void *bytes, size_t capacity,
                                  size_t *size);

/*
 * Decode bytes into a map and check it with prfdata_map_check.
 *
 * map  On success a map with everything it points to in one allocation; untouched on failure.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_DATA (not an encoded map, or one that the check refuses),
 *         ERROR_REVISION_MISMATCH (a later format) or ERROR_NOT_ENOUGH_MEMORY.
 * Owner:   the caller; release with free().
 */
uint32_t prfdata_map_bytes_decode(const void *bytes, size_t size, prfdata_map **map);

/*
 * The hash of a checked map. Two maps have the same hash if and only if their regions mean the
 * same: service, ids, names, types, order, capacities, name lengths and options are in it; help,
 * detail level, scale, default counter and the symbols' spelling are not. Never 0.
 */
uint64_t prfdata_map_hash(const prfdata_map *map);

#endif
