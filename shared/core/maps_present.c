/* SPDX-License-Identifier: MIT */
/* The value `Maps` for programs and installers, who check all rules of a map. */
#include "core/maps.h"

uint32_t prfdata_maps_decode_present(const prfdata_maps *maps, prfdata_model **model)
{
    prfdata_model *made;
    uint32_t error = prfdata_model_from_bytes(maps->entries[0].bytes, maps->entries[0].size, &made);

    if (error)
        return error;
    error = prfdata_maps_number_titles(maps, made);
    if (error)
        prfdata_model_free(made);
    else
        *model = made;
    return error;
}

uint32_t prfdata_maps_present(const void *bytes, size_t size, prfdata_model **model)
{
    prfdata_maps maps;
    const uint32_t error = prfdata_maps_parse(bytes, size, &maps);

    return error ? error : prfdata_maps_decode_present(&maps, model);
}

bool prfdata_maps_have(const prfdata_maps *maps, uint64_t hash)
{
    for (uint32_t i = 0; i < maps->count; i++)
        if (maps->entries[i].hash == hash)
            return true;
    return false;
}
