/* SPDX-License-Identifier: MIT */
/* Reads the value `Maps` outside the provider. A map that is decoded here must keep all rules. */
#include "map/maps.h"

uint32_t prfdata_maps_current(const void *bytes, size_t size, prfdata_model **model)
{
    prfdata_maps maps;
    const uint32_t error = prfdata_maps_parse(bytes, size, &maps);

    return error ? error : prfdata_maps_decode_current(&maps, prfdata_model_from_bytes, model);
}

bool prfdata_maps_have(const prfdata_maps *maps, uint64_t hash)
{
    for (uint32_t i = 0; i < maps->count; i++)
        if (maps->entries[i].hash == hash)
            return true;
    return false;
}
