/* SPDX-License-Identifier: MIT */
/*
 * Reads the values of the service's registry key, one by one. installation.c derives installations
 * from them.
 */
#include "collect/installed_values.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "map/maps.h"
#include "system/os.h"

#define MAX_FOLDER_BYTES 2048 /* size of the value Regions; the installer writes far fewer */

void prfdata_installed_values_free(prfdata_installed_values *values)
{
    free(values->maps);
    free(values->folder);
    memset(values, 0, sizeof *values);
}

bool prfdata_installed_values_same_folder(const prfdata_installed_values *a,
                                          const prfdata_installed_values *b)
{
    return prfdata_bytes_same(a->folder, a->folder_bytes, b->folder, b->folder_bytes);
}

bool prfdata_installed_values_same_numbers(const prfdata_installed_values *a,
                                           const prfdata_installed_values *b)
{
    return a->first_counter == b->first_counter && a->first_help == b->first_help;
}

bool prfdata_installed_values_same(const prfdata_installed_values *a,
                                   const prfdata_installed_values *b)
{
    return prfdata_installed_values_same_numbers(a, b) &&
           prfdata_installed_values_same_folder(a, b) && a->resets == b->resets &&
           a->regions_mib == b->regions_mib &&
           prfdata_bytes_same(a->maps, a->maps_bytes, b->maps, b->maps_bytes);
}

/* `value` stays 0 if the value is missing or not a number. */
static uint32_t read_optional_number(const char *service, const char *name, uint32_t *value)
{
    const uint32_t error = prfdata_os_setting_number(service, name, value);

    return error == ERROR_FILE_NOT_FOUND || error == ERROR_INVALID_DATA ? ERROR_SUCCESS : error;
}

uint32_t prfdata_installed_values_read(const char *service, prfdata_installed_values *values,
                                       const char **name)
{
    uint32_t error;

    memset(values, 0, sizeof *values);
    *name = "Maps";
    error = prfdata_os_setting_bytes(service, *name, PRFDATA_MAX_MAPS_BYTES, &values->maps,
                                     &values->maps_bytes);
    if (!error) {
        *name = "First Counter";
        error = prfdata_os_setting_number(service, *name, &values->first_counter);
    }
    if (!error) {
        *name = "First Help";
        error = prfdata_os_setting_number(service, *name, &values->first_help);
    }
    if (!error) {
        *name = "Resets";
        error = read_optional_number(service, *name, &values->resets);
    }
    if (!error) {
        *name = "Regions MiB";
        error = read_optional_number(service, *name, &values->regions_mib);
    }
    if (error)
        prfdata_installed_values_free(values);
    else if (prfdata_os_setting_folder(service, MAX_FOLDER_BYTES, &values->folder,
                                       &values->folder_bytes))
        values->folder = NULL; /* the code that opens the folder reports the error */
    return error;
}
