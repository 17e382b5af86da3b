/* SPDX-License-Identifier: MIT */
/* Declares the maps of every_map.c, and for each of them the map in the file that -Emit C wrote. */
#ifndef PRFDATA_TESTS_EVERY_MAP_H
#define PRFDATA_TESTS_EVERY_MAP_H

#include <prfdata/map.h>

PRFDATA_DECLARE_MAP(every_map);
PRFDATA_DECLARE_MAP(chosen_map);
PRFDATA_DECLARE_MAP(written_every_map);
PRFDATA_DECLARE_MAP(written_chosen_map);

#endif
