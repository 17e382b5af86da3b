/* SPDX-License-Identifier: MIT */
/*
 * One look at a region file: which map it is of, whether a program owns it, and what it holds.
 * Another process wrote it, so everything in it is checked. Portable.
 */
#ifndef PRFDATA_REGION_LOOK_H
#define PRFDATA_REGION_LOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "diagnosis/diagnosis.h"
#include "map/model.h"
#include "system/os.h"

typedef enum prfdata_region_look_state {
    PRFDATA_REGION_LOOK_SHOWN,
    PRFDATA_REGION_LOOK_CLOSED,     /* its program runs, and has closed its publisher */
    PRFDATA_REGION_LOOK_UNFINISHED, /* being made or taken over, or reset */
    PRFDATA_REGION_LOOK_UNKNOWN_MAP,
    PRFDATA_REGION_LOOK_OTHER_FORMAT,
    PRFDATA_REGION_LOOK_DAMAGED
} prfdata_region_look_state;

typedef struct prfdata_region_look {
    bool is_live; /* a program owns it */
    prfdata_region_look_state state;
    prfdata_map_version version;
    uint64_t map_hash;
    uint32_t process_id; /* this and all that follows: as the region says */
    uint32_t object_count;
    uint64_t instance_count; /* live ones */
    uint64_t dropped;        /* by the present writer */
    uint64_t bytes;
} prfdata_region_look;

/*
 * Look at a region file of this boot.
 *
 * models  Of the registered maps, the present one first; there may be none.
 *
 * Returns ERROR_SUCCESS, or what opening it or asking for its writer returned; `look` is undefined
 * then.
 */
uint32_t prfdata_region_look_at(prfdata_os_directory *directory, const prfdata_os_name *name,
                                prfdata_model *const *models, uint32_t model_count, uint64_t boot,
                                prfdata_region_look *look);

#endif
