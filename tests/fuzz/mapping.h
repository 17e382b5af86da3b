/* SPDX-License-Identifier: MIT */
/* Declares checks of properties that every valid map has, for targets that make maps. */
#ifndef PRFDATA_TESTS_MAPPING_H
#define PRFDATA_TESTS_MAPPING_H

#include <prfdata/map.h>

/* Encodes a valid map into memory of exactly its size; the caller frees it. */
uint8_t *mapping_encode(const prfdata_map *map, size_t *size);

/*
 * Makes the model of a valid map, and stops unless titles, cells and counter blocks are in order.
 */
void mapping_check_model(const prfdata_map *map);

#endif
