/* SPDX-License-Identifier: MIT */
/* Reads the maps from map files, for an installer program that has no built-in maps. Portable. */
#ifndef PRFDATA_MAP_FILES_H
#define PRFDATA_MAP_FILES_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#include <prfdata/map_file.h>

#include "report/check.h"

/*
 * Read map files. All are read, even after a mistake.
 *
 * paths  `count` paths.
 * maps   Room for `count` maps; on success all are set. Untouched on failure.
 * line   Gets each mistake: "<path>:<line>: <message>", or "<path>: <message>" if the mistake is
 *        about the whole file.
 *
 * Returns ERROR_SUCCESS, or the first error: ERROR_INVALID_DATA (mistakes, or two maps of one
 *         service), or another error of prfdata_map_file_read().
 * Owner:   the caller; prfdata_map_files_free().
 * Threads: any.
 */
uint32_t prfdata_map_files_read(const wchar_t *const *paths, size_t count, prfdata_map **maps,
                                prfdata_check_line *line, void *context);

/* Release `count` maps. Any of them may be NULL. */
void prfdata_map_files_free(prfdata_map **maps, size_t count);

#endif
