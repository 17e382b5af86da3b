/* SPDX-License-Identifier: MIT */
/* What the installer stored: the map, the title indexes and the folder of regions, as it was read.
 */
#ifndef PRFDATA_INSTALLED_VALUES_H
#define PRFDATA_INSTALLED_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct prfdata_installed_values {
    void *maps; /* NULL: given by the caller of prfdata_installation_set() */
    size_t maps_bytes;
    void *folder; /* to be compared only; NULL: it cannot be read */
    size_t folder_bytes;
    uint32_t first_counter;
    uint32_t first_help;
    uint32_t regions_mib; /* how much the regions may take, in MiB; 0: there is no such value */
    uint32_t resets; /* how often counts were set to zero; 0 if there is no such value */
} prfdata_installed_values;

/*
 * Read the values of a service; where they come to lie they need not be initialised.
 *
 * name  Gets the name of the value that cannot be read.
 *
 * Returns ERROR_SUCCESS or what the system says of that value; then `values` is empty.
 * Owner:   the caller; prfdata_installed_values_free().
 */
uint32_t prfdata_installed_values_read(const char *service, prfdata_installed_values *values,
                                       const char **name);

/* They are empty then. */
void prfdata_installed_values_free(prfdata_installed_values *values);

bool prfdata_installed_values_same(const prfdata_installed_values *a,
                                   const prfdata_installed_values *b);
bool prfdata_installed_values_same_folder(const prfdata_installed_values *a,
                                          const prfdata_installed_values *b);

/* Whether the titles have the same indexes. */
bool prfdata_installed_values_same_numbers(const prfdata_installed_values *a,
                                           const prfdata_installed_values *b);

#endif
