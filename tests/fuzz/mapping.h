/* SPDX-License-Identifier: MIT */
/* What holds for every map that the check accepts, for targets that make maps. */
#ifndef PRFDATA_TESTS_MAPPING_H
#define PRFDATA_TESTS_MAPPING_H

#include <prfdata/map.h>

/* Encode a right map into memory of exactly its size; the caller frees it. */
uint8_t *mapping_encode(const prfdata_map *map, size_t *size);

/* Make the model of a right map and stop unless titles, cells and counter blocks are in order. */
void mapping_check_model(const prfdata_map *map);

#endif
