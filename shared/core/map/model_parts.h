/* SPDX-License-Identifier: MIT */
/* Declares what model.c and model_check.c share. Each makes models with its own check. */
#ifndef PRFDATA_MODEL_PARTS_H
#define PRFDATA_MODEL_PARTS_H

#include "map/map_tree.h"
#include "map/model.h"

/* Checks a map and makes its tree. ERROR_INVALID_PARAMETER: it has a mistake. */
typedef uint32_t (*prfdata_model_check)(const prfdata_map *map, prfdata_map_tree **tree);

uint32_t prfdata_model_make_by(const prfdata_map *map, prfdata_model_check check,
                               prfdata_model **model);

uint32_t prfdata_model_decode_by(const void *bytes, size_t size, prfdata_model_check check,
                                 prfdata_model **model);

#endif
