/* SPDX-License-Identifier: MIT */
/*
 * Identifies the title of an object or a counter by three things: the service, the id in the
 * service's map, and the meaning (map_change.h). So a title is recognised even if its object or
 * counter was renamed, or if its service got other indexes.
 */
#ifndef PRFDATA_READER_TITLE_IDS_H
#define PRFDATA_READER_TITLE_IDS_H

#include "block/name_table.h"

typedef struct prfdata_title_id {
    uint32_t index;
    uint64_t key; /* hash of service, id and meaning */
} prfdata_title_id;

/* {0} is empty. */
typedef struct prfdata_title_ids {
    prfdata_title_id *items; /* unordered */
    size_t count;
    size_t capacity;
} prfdata_title_ids;

/* Release everything and leave {0}. */
void prfdata_title_ids_free(prfdata_title_ids *ids);

/* Add one id. Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY. */
uint32_t prfdata_title_ids_add(prfdata_title_ids *ids, uint32_t index, uint64_t key);

/*
 * Add the titles of a service's map that is installed at `first_counter`. Adds only those whose
 * names in `names` match the map, because the registry keeps the old First Counter of a service
 * even after another service got these indexes.
 *
 * service  The name of the service's key.
 *
 * Returns what prfdata_title_ids_add() returns.
 */
uint32_t prfdata_title_ids_add_model(prfdata_title_ids *ids, prfdata_text service,
                                     const struct prfdata_model *model, uint32_t first_counter,
                                     const prfdata_name_table *names);

#endif
