/* SPDX-License-Identifier: MIT */
#include "support/encoded_map.h"

#include <stdlib.h>
#include <string.h>

#include "map/map_bytes.h"
#include "map/maps.h"

uint32_t encode_map(const prfdata_map *map, void *bytes, size_t capacity, size_t *size)
{
    prfdata_model *model;
    uint32_t status = prfdata_model_make(map, &model);

    if (status)
        return status;
    status = prfdata_map_bytes_encode(map, model->hash, bytes, capacity, size);
    prfdata_model_free(model);
    return status;
}

uint32_t encode_maps(const prfdata_map *map, void *bytes, size_t capacity, size_t *size)
{
    prfdata_model *model;
    uint32_t dropped;
    void *made;
    uint32_t status = prfdata_model_make(map, &model);

    if (status)
        return status;
    status = prfdata_maps_update(model, NULL, 0, NULL, &made, size, &dropped);
    prfdata_model_free(model);
    if (status)
        return status;
    if (*size <= capacity)
        memcpy(bytes, made, *size);
    free(made);
    return *size <= capacity ? ERROR_SUCCESS : ERROR_INSUFFICIENT_BUFFER;
}

uint32_t decode_map(const void *bytes, size_t size, prfdata_map **map)
{
    prfdata_model *model;
    uint64_t hash;
    uint32_t status = prfdata_model_from_bytes(bytes, size, &model);

    if (status)
        return status;
    prfdata_model_free(model);
    return prfdata_map_bytes_decode(bytes, size, map, &hash);
}

uint64_t hash_map(const prfdata_map *map)
{
    prfdata_model *model;
    uint64_t hash;

    if (prfdata_model_make(map, &model))
        return 0;
    hash = model->hash;
    prfdata_model_free(model);
    return hash;
}
