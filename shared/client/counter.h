/* SPDX-License-Identifier: MIT */
/* Looking up counters, for the files of the client library. */
#ifndef PRFDATA_COUNTER_H
#define PRFDATA_COUNTER_H

#include "client/publisher.h"

/* Find counter, object and slot; returns what prfdata_resolve does. The caller holds no lock. */
uint32_t prfdata_counter_find(prfdata_publisher *publisher, uint32_t counter_id,
                              const prfdata_instance *instance,
                              const prfdata_model_counter **counter, uint32_t *object_index,
                              uint32_t *slot_index);

/* The handle of what was found, into the memory of this moment. */
prfdata_handle prfdata_counter_handle(const prfdata_publisher *publisher, uint32_t object_index,
                                      uint32_t slot_index, const prfdata_model_counter *counter);

#endif
