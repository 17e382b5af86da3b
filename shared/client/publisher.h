/* SPDX-License-Identifier: MIT */
/* The publisher, as the files of the client library share it. */
#ifndef PRFDATA_PUBLISHER_H
#define PRFDATA_PUBLISHER_H

#include <prfdata/prfdata.h>

#include "client/former_memory.h"
#include "region/slots.h"
#include "system/os.h"
#include "system/os_watch.h"
#include "system/program_events.h"

struct prfdata_publisher {
    prfdata_publisher *next; /* all publishers of the process, closed ones included */
    bool is_open;        /* changes under both locks; closed: instances and look-ups are refused */
    uint32_t process_id; /* which opened it: another one is a child that fork() made */
    bool is_private;     /* by request: it never has a region, and its memory is not used again */
    bool is_lost;        /* its file was deleted: not used again, mapped for old handles only */
    uint64_t seed;       /* of the look-ups of instances */
    prfdata_model *model;
    prfdata_region_layout *layout;
    prfdata_os_region region; /* none: it counts in private memory */
    prfdata_os_name name;     /* of the region's file */
    void *private_memory;     /* of a publisher that began, or still is, without a region */
    uint8_t *bytes;           /* atomic: the region or the private memory */
    uint64_t status;          /* atomic: reason and error, see status.c */
    uint64_t next_visit;      /* atomic: milliseconds; retry.c looks after it then */
    prfdata_os_watch *watch; /* under the lock of all: of one that is open and has private memory */
    uintptr_t watch_id;      /* its number, which no other watch of the process has */
    prfdata_os_lock lock;    /* of what follows; taken after the lock of all */
    prfdata_former former;   /* the private memory of a publisher that has a region by now */
    uint64_t freed;          /* last number of slots that became dormant */
    prfdata_slots *slots;    /* per object; without instances zeroed */
    uint32_t *taken_lanes;   /* per hot word: a bit per lane that a handle has; NULL: none yet */
};

/*
 * The lock of all publishers of the process, under which they are opened, attached and closed. Take
 * it before a publisher's own.
 */
void prfdata_publisher_enter_all(void);
bool prfdata_publisher_try_all(void);
void prfdata_publisher_leave_all(void);

/*
 * Make a publisher with model and layout, without bytes.
 * Returns what prfdata_open does. Owner: the caller; prfdata_publisher_free().
 */
uint32_t prfdata_publisher_make(const prfdata_map *map, const prfdata_capacity *capacities,
                                size_t count, prfdata_publisher **publisher);

/* Release a publisher that no list has; NULL is allowed. */
void prfdata_publisher_free(prfdata_publisher *publisher);

/* ---- Under the lock of all ---- */

/*
 * Give `*publisher`, which was made just now, a region, or replace it by a closed publisher of the
 * same map. On failure it has no region, and look-ups only if it has private memory.
 */
uint32_t prfdata_publisher_publish(prfdata_publisher **publisher);

/* The same with private memory; fails only if memory is exhausted. */
uint32_t prfdata_publisher_count_privately(prfdata_publisher **publisher);

/* Give it private memory of its own. The same error. */
uint32_t prfdata_publisher_use_private_memory(prfdata_publisher *publisher);

/* Open it, and add it to the list if it is not there. */
void prfdata_publisher_enlist(prfdata_publisher *publisher);

/* Take it from the list. */
void prfdata_publisher_forget(const prfdata_publisher *publisher);

/* Close it: its region is hidden from readers. */
void prfdata_publisher_hide(prfdata_publisher *publisher);

/* Whether a publisher has private memory, and its next visit is due. No lock is needed. */
bool prfdata_publisher_is_due(const prfdata_publisher *publisher, uint64_t milliseconds);

/*
 * Give a publisher that counts in private memory a region, which begins as a copy of that memory.
 * Of a closed publisher, what is live becomes dormant first. The caller holds the lock of all.
 * Returns what prfdata_open does.
 */
uint32_t prfdata_publisher_attach(prfdata_publisher *publisher);

/*
 * Look whether the file of a publisher that has a region still is in the folder; if not, is_lost is
 * set. Returns ERROR_SUCCESS, or why the folder cannot be opened.
 */
uint32_t prfdata_publisher_look_for_file(prfdata_publisher *publisher);

/*
 * A publisher that has private memory, and whose next visit is due; or NULL. The caller holds the
 * lock of all.
 */
prfdata_publisher *prfdata_publisher_find_due(uint64_t milliseconds);

/* The publisher whose watch has this number, or NULL. The caller holds the lock of all. */
prfdata_publisher *prfdata_publisher_find_watched(uintptr_t watch_id);

/*
 * The publisher whose region, private or former memory has this word, and the word's offset there.
 * NULL: none has it, because it was unmapped. The caller holds the lock of all.
 */
prfdata_publisher *prfdata_publisher_find_word(const uint64_t *word, uint64_t *offset);

/* The region or the private memory, whichever it counts in now. */
uint8_t *prfdata_publisher_bytes(const prfdata_publisher *publisher);

/* The slot of an instance of this library, live or not; NULL if the instance is zeroed. */
prfdata_region_slot *prfdata_publisher_slot(const prfdata_instance *instance);

/* Whether the instance still is what it was when it was added. The caller holds the lock. */
bool prfdata_publisher_is_live(const prfdata_instance *instance);

#endif
