/* SPDX-License-Identifier: MIT */
/*
 * What a provider knows of its service's health, in the process of one reader: numbers that are
 * kept where they are learned. Those of <prfdata/map.h> are put into the object that
 * PRFDATA_MAP_HEALTH declares; tests ask for the others. Zeroed memory is healthy.
 */
#ifndef PRFDATA_HEALTH_H
#define PRFDATA_HEALTH_H

#include <prfdata/atomic.h>

#include "map/model.h"

/* The numbers that no map shows, which only grow: prfdata_provider_number(). */
enum {
    PRFDATA_HEALTH_PLANNED = PRFDATA_HEALTH_LAST + 1, /* attempts that plans ended */
    PRFDATA_HEALTH_TOO_MANY, /* instances beyond 65,535 or 32 MiB of one object, in each merge */
    PRFDATA_HEALTH_BROKEN,   /* regions that faulted or became invalid */
    PRFDATA_HEALTH_TRIES,    /* for a moment with no thread inside a bracket, beyond the first */
    PRFDATA_HEALTH_COUNT
};

/* What each Collect reads is not on the cache line that some Collect writes. */
typedef struct prfdata_health {
    uint32_t is_wanted; /* atomic: the installed map has the object */
    uint32_t unused[15];
    uint64_t numbers[PRFDATA_HEALTH_COUNT]; /* atomic, by PRFDATA_HEALTH_... */
    uint64_t unused_too[8];
} prfdata_health;

/* Note whether the installed map shows the numbers: only then are they looked for. */
void prfdata_health_want(prfdata_health *health, const prfdata_model *model);
static inline bool prfdata_health_is_wanted(const prfdata_health *health)
{
    return health && prfdata_load32_relaxed(&health->is_wanted) != 0;
}

/* `health` may be NULL here and below. */
void prfdata_health_set(prfdata_health *health, uint32_t number, uint64_t value);
static inline void prfdata_health_add(prfdata_health *health, uint32_t number, uint64_t amount)
{
    if (health && amount > 0)
        prfdata_add64_relaxed(&health->numbers[number], amount);
}

/*
 * Fill in the health object of a reply. A number of a later version is shown as 0.
 *
 * object  Of the model, with counters that are all of health.
 * at      The object's PERF_COUNTER_BLOCK; any alignment.
 */
void prfdata_health_put(const prfdata_health *health, const prfdata_model_object *object,
                        uint8_t *at);

#endif
