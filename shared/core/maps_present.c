/* SPDX-License-Identifier: MIT */
/* The present map of the value `Maps`, with all rules checked. */
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
