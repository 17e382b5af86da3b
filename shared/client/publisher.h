/* SPDX-License-Identifier: MIT */
/* Declares the publisher, which the files of the client library share. */
#ifndef PRFDATA_PUBLISHER_H
#define PRFDATA_PUBLISHER_H

#include <prfdata/prfdata.h>

#include "client/former_memory.h"
#include "region/slots.h"
#include "system/os.h"
#include "system/os_watch.h"
#include "system/program_events.h"

struct prfdata_publisher {
    prfdata_publisher *next; /* in the list of the process, which includes closed publishers */
    /*
     * false: instances and look-ups are refused; changed under `lock` and the lock of all
     * publishers
     */
    bool is_open;
    /* the process that opened it; any other process is a child that fork() made */
    uint32_t process_id;
    bool is_private; /* by request of the program: never gets a region, and is not used again */
    bool is_lost;    /* its file was gone at the last check: not used again once it is closed */
    uint64_t seed;   /* seed of the slot tables */
    prfdata_model *model;
    prfdata_region_layout *layout;
    prfdata_os_region region; /* empty: it counts in private memory */
    prfdata_os_name name;     /* name of the region's file */
    void *private_memory;     /* memory of a publisher that began without a region */
    uint8_t *bytes;           /* atomic: the region or the private memory */
    uint64_t status;          /* atomic: reason and error, see status.c */
    uint64_t failed_lookup;   /* atomic: id and error of the newest failed look-up, or 0 */
    uint64_t lookup_reports;  /* atomic: how many failed look-ups the debugger was told about */
    uint64_t next_visit;      /* atomic: milliseconds; the time of retry.c's next visit */
    /*
     * Only an open publisher that has private memory uses this watch. The lock of all publishers
     * protects it.
     */
    prfdata_os_watch *watch;
    uintptr_t watch_id;    /* number of the watch, unique in the process */
    prfdata_os_lock lock;  /* protects the fields below; taken after the lock of all publishers */
    prfdata_former former; /* the private memory of a publisher that got its region later */
    /*
     * slots get increasing numbers in the order in which they become dormant; this is the last
     * number that was given
     */
    uint64_t freed;
    prfdata_slots *slots;  /* one table per object; zeroed if the object has no instances */
    uint32_t *taken_lanes; /* see exclusive.c; NULL: no handle has asked for a lane yet */
};

/*
 * The lock of all publishers of the process, for opening, attaching and closing them. Take it
 * before a publisher's own lock.
 */
void prfdata_publisher_enter_all(void);
bool prfdata_publisher_try_all(void);
void prfdata_publisher_leave_all(void);

/*
 * Make a publisher with model and layout, but with neither a region nor private memory.
 * Returns what prfdata_open does. Owner: the caller; prfdata_publisher_free().
 */
uint32_t prfdata_publisher_make(const prfdata_map *map, const prfdata_capacity *capacities,
                                size_t count, prfdata_publisher **publisher);

/* Release a publisher that is not in the list; NULL is allowed. */
void prfdata_publisher_free(prfdata_publisher *publisher);

/*
 * Give `*publisher`, which was just made, a region, or replace it by a closed publisher of the same
 * map. On failure `*publisher` has no region, and it has slot tables only if it has private memory.
 * The caller holds the lock of all publishers.
 */
uint32_t prfdata_publisher_publish(prfdata_publisher **publisher);

/*
 * Let `*publisher` count in private memory. If a closed publisher of the same map counts in private
 * memory, that publisher replaces `*publisher`. Fails only if memory is exhausted. The caller holds
 * the lock of all publishers.
 */
uint32_t prfdata_publisher_count_privately(prfdata_publisher **publisher);

/* Give a publisher its own private memory. Fails only if memory is exhausted. */
uint32_t prfdata_publisher_use_private_memory(prfdata_publisher *publisher);

/*
 * Open a publisher, and add it to the list unless the list has it. The caller holds the lock of all
 * publishers.
 */
void prfdata_publisher_enlist(prfdata_publisher *publisher);

/* Remove a publisher from the list. The caller holds the lock of all publishers. */
void prfdata_publisher_forget(const prfdata_publisher *publisher);

/*
 * Close a publisher, and hide its region from readers. The caller holds the lock of all publishers.
 */
void prfdata_publisher_hide(prfdata_publisher *publisher);

/* Whether a publisher has private memory and its next visit is due. Needs no lock. */
bool prfdata_publisher_is_due(const prfdata_publisher *publisher, uint64_t milliseconds);

/*
 * Give a publisher that counts in private memory a region, which begins as a copy of that memory.
 * If the publisher is closed, its live instances become dormant first. The caller holds the lock of
 * all publishers. Returns what prfdata_open returns.
 */
uint32_t prfdata_publisher_attach(prfdata_publisher *publisher);

/*
 * Check whether the file of a publisher that has a region is still in the folder; if not, set
 * is_lost. Returns ERROR_SUCCESS, or the reason why the folder cannot be opened.
 */
uint32_t prfdata_publisher_look_for_file(prfdata_publisher *publisher);

/*
 * A publisher that has private memory and whose next visit is due; NULL if there is none. The
 * caller holds the lock of all publishers.
 */
prfdata_publisher *prfdata_publisher_find_due(uint64_t milliseconds);

/*
 * The publisher whose watch has this number, or NULL. The caller holds the lock of all publishers.
 */
prfdata_publisher *prfdata_publisher_find_watched(uintptr_t watch_id);

/*
 * The publisher whose memory (its region, private or former memory) contains this word. `offset`
 * gets the word's offset in that memory. NULL if the word's memory was unmapped. The caller holds
 * the lock of all publishers.
 */
prfdata_publisher *prfdata_publisher_find_word(const uint64_t *word, uint64_t *offset);

/* The region or the private memory in which a publisher counts now. Needs no lock. */
uint8_t *prfdata_publisher_bytes(const prfdata_publisher *publisher);

/* The slot of an instance, live or not; NULL if the instance is NULL or zeroed. Needs no lock. */
prfdata_region_slot *prfdata_publisher_slot(const prfdata_instance *instance);

/*
 * Whether the instance still exists and its publisher is open. `instance` must have a publisher.
 * The caller holds the publisher's lock.
 */
bool prfdata_publisher_is_live(const prfdata_instance *instance);

#endif
