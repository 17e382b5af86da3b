/* SPDX-License-Identifier: MIT */
/* Converts maps to bytes and back, with the same checks as an installation and its readers. */
#ifndef PRFDATA_TESTS_ENCODED_MAP_H
#define PRFDATA_TESTS_ENCODED_MAP_H

#include <prfdata/map.h>

/*
 * Check a map and encode it.
 * Returns what prfdata_model_make() and prfdata_map_bytes_encode() return; on ERROR_SUCCESS and
 * ERROR_INSUFFICIENT_BUFFER `size` gets the number of bytes needed.
 */
uint32_t encode_map(const prfdata_map *map, void *bytes, size_t capacity, size_t *size);

/* Encode the value `Maps` of an installation of this map. Arguments and results are those of
 * encode_map(). */
uint32_t encode_maps(const prfdata_map *map, void *bytes, size_t capacity, size_t *size);

/* Decode bytes and check the map by all rules of docs/map-bytes.md. The caller frees the map. */
uint32_t decode_map(const void *bytes, size_t size, prfdata_map **map);

/* Return the hash of a map, or 0 if the map has mistakes. */
uint64_t hash_map(const prfdata_map *map);

#endif
