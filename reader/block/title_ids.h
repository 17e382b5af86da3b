/* SPDX-License-Identifier: MIT */
/*
 * The titles of maps by their ids: the service, and the id that its map gives a counter, which
 * stays the same when the counter is renamed or its service gets other indexes, as long as it means
 * the same (map_change.h).
 */
#ifndef PRFDATA_READER_TITLE_IDS_H
#define PRFDATA_READER_TITLE_IDS_H

#include "block/name_table.h"

typedef struct prfdata_title_id {
    uint32_t index;
    uint64_t key; /* a hash of service, id and meaning */
} prfdata_title_id;

/* {0} is empty. */
typedef struct prfdata_title_ids {
    prfdata_title_id *items; /* in any order */
    size_t count;
    size_t capacity;
} prfdata_title_ids;

/* Release everything; {0} is left. */
void prfdata_title_ids_free(prfdata_title_ids *ids);

/* Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY. */
uint32_t prfdata_title_ids_add(prfdata_title_ids *ids, uint32_t index, uint64_t key);

/*
 * Add the titles of a service's map that is installed at `first_counter`: those that `names` calls
 * as the map does. The registry keeps First Counter of a service whose indexes went to another one.
 *
 * service  The name of its key.
 *
 * Returns what prfdata_title_ids_add() returns.
 */
uint32_t prfdata_title_ids_add_model(prfdata_title_ids *ids, prfdata_text service,
                                     const struct prfdata_model *model, uint32_t first_counter,
                                     const prfdata_name_table *names);

#endif
