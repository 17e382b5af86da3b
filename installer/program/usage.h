/* SPDX-License-Identifier: MIT */
/* Shows the help of an installer program (-?). Windows only. */
#ifndef PRFDATA_USAGE_H
#define PRFDATA_USAGE_H

#include <stddef.h>
#include <wchar.h>

#include <prfdata/map.h>

/* Shows a part of the help, with its line ends. */
typedef void prfdata_usage_line(const wchar_t *text);

/*
 * Show the help of an installer program.
 *
 * program  Its name, at most MAX_PATH - 1 chars.
 * maps     Its built-in maps; none if the program works with map files.
 */
void prfdata_usage_show(const wchar_t *program, const prfdata_map *const *maps, size_t map_count,
                        prfdata_usage_line *show);

#endif
