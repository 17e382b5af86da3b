/* SPDX-License-Identifier: MIT */
/*
 * Declares the values that the installer stored, as they were read: the map, the title indexes and
 * the regions folder.
 */
#ifndef PRFDATA_INSTALLED_VALUES_H
#define PRFDATA_INSTALLED_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct prfdata_installed_values {
    void *maps; /* NULL: the caller of prfdata_basis_give() has them */
    size_t maps_bytes;
    void *folder; /* used only for comparing; NULL: it cannot be read */
    size_t folder_bytes;
    uint32_t first_counter;
    uint32_t first_help;
    /* the limit for the size of all regions, in MiB; 0: there is no such value */
    uint32_t regions_mib;
    uint32_t resets; /* how often counts were reset to zero; 0: there is no such value */
} prfdata_installed_values;

/*
 * Reads the values of a service. `values` need not be initialised.
 *
 * name  Gets the name of the value that could not be read.
 *
 * Returns ERROR_SUCCESS or the system's error for that value. After an error `values` is empty.
 * Owner: the caller; prfdata_installed_values_free().
 */
uint32_t prfdata_installed_values_read(const char *service, prfdata_installed_values *values,
                                       const char **name);

/* Frees the values and leaves the structure empty. */
void prfdata_installed_values_free(prfdata_installed_values *values);

bool prfdata_installed_values_same(const prfdata_installed_values *a,
                                   const prfdata_installed_values *b);
bool prfdata_installed_values_same_folder(const prfdata_installed_values *a,
                                          const prfdata_installed_values *b);

/* Whether both have the same title indexes. */
bool prfdata_installed_values_same_numbers(const prfdata_installed_values *a,
                                           const prfdata_installed_values *b);

#endif
