/* SPDX-License-Identifier: MIT */
/*
 * Checks the maps of an installer program, for -Check and for the build
 * (cmake/PrfDataService.cmake). Portable.
 */
#ifndef PRFDATA_CHECK_H
#define PRFDATA_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include <prfdata/map.h>

#define PRFDATA_CHECK_LINE_BYTES 2048 /* size of a line with its NUL; a longer line is cut */

/*
 * Gets each line.
 *
 * line  UTF-8 without line end; valid during the call.
 */
typedef void prfdata_check_line(void *context, bool is_mistake, const char *line);

/*
 * Describe every mistake of one map, a line for each: "Map: <message>". A map without mistakes gets
 * lines only for valid declarations that are probably not intended.
 *
 * map  NULL counts as a map with a mistake.
 *
 * Returns the number of mistakes.
 * Threads: any.
 */
size_t prfdata_check_map(const prfdata_map *map, prfdata_check_line *line, void *context);

/*
 * Check the maps of a program. Each must be valid, no two may have the same service, and the
 * service of each must be in `providers`. A map without mistakes also gets a line. Every line
 * begins with the service of the map, or with "(no service)".
 *
 * maps       `map_count` of them; each may be NULL.
 * providers  The services that providers are built for, separated by commas; NULL if they are not
 *            known. Case does not matter.
 *
 * Returns the number of mistakes.
 * Threads: any.
 */
size_t prfdata_check_maps(const prfdata_map *const *maps, size_t map_count, const char *providers,
                          prfdata_check_line *line, void *context);

#endif
