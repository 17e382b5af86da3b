/* SPDX-License-Identifier: MIT */
/*
 * What is shown at present: an installation, a set of regions, and the plans made of both. It is
 * immutable, and published by one pointer: between two refreshes a Collect takes all of it by one
 * atomic operation.
 */
#ifndef PRFDATA_PRESENT_H
#define PRFDATA_PRESENT_H

#include "provider/prepared.h"

typedef struct prfdata_present {
    prfdata_installation *installation;
    prfdata_region_set *set; /* NULL: none could be had */
    uint64_t plans_changes;  /* of the plans, when these were taken */
    prfdata_plan **plans;    /* per object; NULL: none */
    uint64_t until_ms;       /* atomic: valid before that time */
    uint64_t references;     /* under the lock: users that no lane knows */
    struct prfdata_present *next_retired;
    prfdata_prepared_table queries; /* for this installation and these plans */
} prfdata_present;

/*
 * Processors fetch lines of 64 bytes in pairs. What is so far apart never shares any, wherever it
 * begins.
 */
#define PRFDATA_PRESENT_APART 128

/* Where a Collect notes which present it uses. Only the thread that has it writes it. */
typedef struct prfdata_present_lane {
    uint64_t present; /* atomic: its address; 0: free */
    uint64_t planned; /* atomic: Collects that were answered by plans */
    uint8_t unused[PRFDATA_PRESENT_APART - 2 * sizeof(uint64_t)];
} prfdata_present_lane;

enum { PRFDATA_PRESENT_LANES = 16 };

/* Of a provider; zeroed but for `store`. What each Collect reads is apart from what it writes. */
typedef struct prfdata_presents {
    prfdata_installation_store *store;
    uint64_t current;         /* atomic: the address of what is published; 0: nothing */
    uint32_t has_retired;     /* atomic */
    prfdata_os_lock lock;     /* of publishing, and of what follows */
    prfdata_present *retired; /* no longer published, and perhaps in use */
    uint64_t planned;         /* Collects that were answered by plans, and had no lane */
    uint8_t unused[PRFDATA_PRESENT_APART];
    prfdata_present_lane lanes[PRFDATA_PRESENT_LANES];
} prfdata_presents;

/* What one Collect holds. */
typedef struct prfdata_present_use {
    prfdata_present *present;
    prfdata_present_lane *lane; /* NULL: by a reference */
} prfdata_present_use;

/* What prfdata_presents_release() and prfdata_presents_count_planned() do without a lane. */
void prfdata_presents_release_reference(prfdata_presents *presents, prfdata_present *present);
void prfdata_presents_count_planned_apart(prfdata_presents *presents);

/* Free what is no longer published and no longer used. */
void prfdata_presents_reclaim(prfdata_presents *presents);

/*
 * Take the present, after the installation and the set of regions were refreshed if they are due.
 *
 * renews  Whether to look at what is known by now, even if nothing is due.
 *
 * Returns false if nothing is installed, or memory is exhausted.
 * Give it back with prfdata_presents_release(). Threads: any.
 */
bool prfdata_presents_acquire(prfdata_presents *presents, bool renews, prfdata_present_use *use);
static inline void prfdata_presents_release(prfdata_presents *presents,
                                            const prfdata_present_use *use)
{
    if (use->lane)
        prfdata_store64_release(&use->lane->present, 0);
    else
        prfdata_presents_release_reference(presents, use->present);
    if (prfdata_load32_relaxed(&presents->has_retired))
        prfdata_presents_reclaim(presents);
}

/* Count a Collect that was answered by plans. */
static inline void prfdata_presents_count_planned(prfdata_presents *presents,
                                                  const prfdata_present_use *use)
{
    if (use->lane)
        prfdata_store64_relaxed(&use->lane->planned,
                                prfdata_load64_relaxed(&use->lane->planned) + 1);
    else
        prfdata_presents_count_planned_apart(presents);
}

/* How many were counted. */
uint64_t prfdata_presents_planned(prfdata_presents *presents);

/* Renew at the next acquisition, whatever is due. */
void prfdata_presents_expire(prfdata_presents *presents);

/* Publish plans that were made since. */
void prfdata_presents_learn(prfdata_presents *presents, const prfdata_present *present);

/* No Collect may be running. */
void prfdata_presents_done(prfdata_presents *presents);

#endif
