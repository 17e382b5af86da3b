/* SPDX-License-Identifier: MIT */
/* Makes models of maps that keep all rules, for programs and installers. */
#include "check/map_check.h"
#include "map/model_parts.h"

uint32_t prfdata_model_make(const prfdata_map *map, prfdata_model **model)
{
    return prfdata_model_make_by(map, prfdata_map_check_nest, model);
}

uint32_t prfdata_model_from_bytes(const void *bytes, size_t size, prfdata_model **model)
{
    return prfdata_model_decode_by(bytes, size, prfdata_map_check_nest_decoded, model);
}
