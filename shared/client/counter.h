/* SPDX-License-Identifier: MIT */
/* Looks up counters, for the other files of the client library. */
#ifndef PRFDATA_COUNTER_H
#define PRFDATA_COUNTER_H

#include "client/publisher.h"

/* The place of a counter of one instance, the same in private memory and in the region. */
typedef struct prfdata_counter_place {
    const prfdata_model_counter *counter;
    uint32_t object_index;
    uint32_t slot_index;
} prfdata_counter_place;

/* Find the place of a counter. Returns what prfdata_resolve does. The caller holds no lock. */
uint32_t prfdata_counter_find(prfdata_publisher *publisher, uint32_t counter_id,
                              const prfdata_instance *instance, prfdata_counter_place *place);

/* Return a handle that counts in `place`, in the memory that the publisher uses now. */
prfdata_handle prfdata_counter_handle(const prfdata_publisher *publisher,
                                      const prfdata_counter_place *place);

#endif
