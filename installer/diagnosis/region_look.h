/* SPDX-License-Identifier: MIT */
/*
 * Examines a region file once: the map that it belongs to, whether a program owns it, and what it
 * holds. Another process wrote it, so everything in it is checked. Portable.
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
    PRFDATA_REGION_LOOK_CLOSED,     /* its program is running, and has closed its publisher */
    PRFDATA_REGION_LOOK_UNFINISHED, /* it is being created, acquired or reset */
    PRFDATA_REGION_LOOK_UNKNOWN_MAP,
    PRFDATA_REGION_LOOK_OTHER_FORMAT,
    PRFDATA_REGION_LOOK_DAMAGED
} prfdata_region_look_state;

typedef struct prfdata_region_look {
    bool is_live; /* a program owns it */
    prfdata_region_look_state state;
    prfdata_map_version version;
    uint64_t map_hash;
    uint32_t process_id; /* this and the next fields: as the region says */
    uint32_t object_count;
    uint64_t instance_count; /* live ones */
    uint64_t dropped;        /* number of instances that the current writer could not add, because
                                there was no room */
    uint64_t bytes;
} prfdata_region_look;

/*
 * Examine a region file of this boot.
 *
 * models  The models of the registered maps, the current one first; there may be none.
 *
 * Returns ERROR_SUCCESS, or the error of opening it or of probing for its writer; `look` is then
 *         undefined.
 */
uint32_t prfdata_region_look_at(prfdata_os_directory *directory, const prfdata_os_name *name,
                                prfdata_model *const *models, uint32_t model_count, uint64_t boot,
                                prfdata_region_look *look);

#endif
