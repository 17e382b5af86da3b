/* SPDX-License-Identifier: MIT */
/*
 * Declares the maps of every_map.c and the output of -Emit C for each: written_every_map.c and
 * written_chosen_map.c, compiled under other names.
 */
#ifndef PRFDATA_TESTS_EVERY_MAP_H
#define PRFDATA_TESTS_EVERY_MAP_H

#include <prfdata/map.h>

PRFDATA_DECLARE_MAP(every_map);
PRFDATA_DECLARE_MAP(chosen_map);
PRFDATA_DECLARE_MAP(written_every_map);
PRFDATA_DECLARE_MAP(written_chosen_map);

#endif
