/* SPDX-License-Identifier: MIT */
/* The publisher, as the files of the client library share it. */
#ifndef PRFDATA_PUBLISHER_H
#define PRFDATA_PUBLISHER_H

#include <prfdata/prfdata.h>

#include "core/os.h"
#include "core/slots.h"

struct prfdata_publisher {
    prfdata_publisher *next; /* all publishers of the process, closed ones included */
    bool is_open; /* changes under both locks; closed: instances and look-ups are refused */
    bool is_lost; /* its file was deleted: not used again, mapped for old handles only */
    prfdata_model *model;
    prfdata_region_layout *layout;
    prfdata_os_region region; /* none: it counts in private memory */
    prfdata_os_name name;     /* of the region's file */
    void *private_memory;     /* instead of a region */
    uint8_t *bytes;           /* the region or the private memory */
    prfdata_os_lock lock;     /* of what follows */
    uint64_t freed;           /* last number of slots that became dormant */
    prfdata_slots *slots;     /* per object; without instances zeroed */
};

/* The slot of an instance of this library, live or not; NULL if the instance is zeroed. */
prfdata_region_slot *prfdata_publisher_slot(const prfdata_instance *instance);

/* Whether the instance still is what it was when it was added. The caller holds the lock. */
bool prfdata_publisher_is_live(const prfdata_instance *instance);

#endif
