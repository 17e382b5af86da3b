/* SPDX-License-Identifier: MIT */
/*
 * Reads the data that the installer left for clients: the maps whose regions are shown, the switch
 * `Publish`, and the regions folder.
 */
#include "client/installation.h"

#include <stdlib.h>

#include "map/maps.h"

/*
 * Readers see only the regions of the installed map and of earlier ones. Returns an error if the
 * maps cannot be read, ERROR_SUCCESS if this map is one of them, otherwise ERROR_REVISION_MISMATCH.
 */
static uint32_t check_registered_maps(const prfdata_model *model)
{
    prfdata_maps maps;
    void *bytes;
    size_t size;
    uint32_t error = prfdata_os_setting_bytes(model->map->service, "Maps", PRFDATA_MAX_MAPS_BYTES,
                                              &bytes, &size);

    if (error)
        return error;
    error = prfdata_maps_parse(bytes, size, &maps);
    if (error || !prfdata_maps_have(&maps, model->hash))
        error = ERROR_REVISION_MISMATCH;
    free(bytes);
    return error;
}

static uint32_t check_installation(const prfdata_model *model)
{
    uint32_t publish = 1;
    const uint32_t error = check_registered_maps(model);

    if (error && error != ERROR_REVISION_MISMATCH)
        return error;
    (void)prfdata_os_setting_number(model->map->service, "Publish", &publish);
    return publish ? error : ERROR_SERVICE_DISABLED;
}

uint32_t prfdata_installation_open_folder(const prfdata_model *model, prfdata_patience *patience,
                                          prfdata_os_directory **directory)
{
    uint32_t error = check_installation(model);

    if (error)
        return error;
    do {
        error = prfdata_os_directory_open(model->map->service, directory);
    } while (error == ERROR_SHARING_VIOLATION && prfdata_patience_pause(patience));
    return error;
}
