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
    PRFDATA_REGION_LOOK_CLOSED, /* its program is running, and has closed its publisher */
    /* it is being created, taken over or reset; or it is empty, too large or not a plain file */
    PRFDATA_REGION_LOOK_UNFINISHED,
    PRFDATA_REGION_LOOK_UNKNOWN_MAP,
    PRFDATA_REGION_LOOK_OTHER_FORMAT,
    PRFDATA_REGION_LOOK_DAMAGED
} prfdata_region_look_state;

typedef struct prfdata_region_look {
    bool is_live; /* a program owns it */
    prfdata_region_look_state state;
    prfdata_map_version version;
    /* The next five fields are what the region says, which may be untrue. */
    uint64_t map_hash;
    uint32_t process_id;
    uint32_t object_count;
    uint64_t instance_count; /* number of live instances */
    /* number of instances that the current writer could not add, because there was no room */
    uint64_t dropped;
    uint64_t bytes;
    /*
     * The memory that readers need to convert the region's used slots to the current map, and the
     * memory that all its slots would need. Set only if the region has an earlier version of the
     * map, and the current map is known.
     */
    uint64_t copy_bytes;
    uint64_t most_copy_bytes;
    /* Live instances of each object of the current map; 0 if that map is not known. */
    uint32_t object_instances[PRFDATA_MAX_OBJECTS];
} prfdata_region_look;

/* The row that an instance needs in a reply. */
typedef struct prfdata_region_row {
    uint64_t name_hash;
    uint32_t bytes;
} prfdata_region_row;

/* {0} is empty. The caller releases `items` with free(). */
typedef struct prfdata_region_rows {
    prfdata_region_row *items;
    size_t count;
    size_t capacity;
} prfdata_region_rows;

/*
 * Examine a region file of this boot.
 *
 * models  The models of the registered maps. The first one is the current one, or NULL if the
 *         current map cannot be read. There may be no models.
 * look    Undefined after an error.
 *
 * Returns ERROR_SUCCESS, or the error of opening the file or of probing for its writer.
 */
uint32_t prfdata_region_look_at(prfdata_os_directory *directory, const prfdata_os_name *name,
                                prfdata_model *const *models, uint32_t model_count, uint64_t boot,
                                prfdata_region_look *look);

/* Returns whether the rows of an object, which need `bytes` in all, fit into a reply. */
bool prfdata_region_look_fits(const prfdata_model_object *object, uint64_t rows, uint64_t bytes);

/*
 * Append a row for each live instance of one object, if a program owns the region and readers show
 * the region. It must be a region of this boot.
 *
 * object_index  The index of the object in models[0], which is not NULL.
 *
 * Returns ERROR_SUCCESS, ERROR_NOT_ENOUGH_MEMORY, or the error of opening the file or of probing
 *         for its writer.
 */
uint32_t prfdata_region_look_add_rows(prfdata_os_directory *directory, const prfdata_os_name *name,
                                      prfdata_model *const *models, uint32_t model_count,
                                      uint64_t boot, uint32_t object_index,
                                      prfdata_region_rows *rows);

/*
 * Leave one row for each name, because instances with the same name share a row of the reply, even
 * if they belong to different programs.
 */
void prfdata_region_look_merge_rows(prfdata_region_rows *rows);

#endif
