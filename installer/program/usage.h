/* SPDX-License-Identifier: MIT */
/* The texts that -? shows. Windows only. */
#ifndef PRFDATA_USAGE_H
#define PRFDATA_USAGE_H

#include <stddef.h>
#include <wchar.h>

#include <prfdata/map.h>

/* Shows a part of the text, with its line ends. */
typedef void prfdata_usage_line(const wchar_t *text);

/*
 * Show the help of an installer program.
 *
 * program  Its name, at most MAX_PATH - 1 chars.
 * maps     None: it is a program for map files.
 */
void prfdata_usage_show(const wchar_t *program, const prfdata_map *const *maps, size_t map_count,
                        prfdata_usage_line *show);

#endif
