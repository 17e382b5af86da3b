/* SPDX-License-Identifier: MIT */
/*
 * Declares the health numbers of a service, as the provider in one reader's process sees them. The
 * numbers of <prfdata/map.h> are shown by the object that PRFDATA_MAP_HEALTH declares; the other
 * numbers are for tests. All numbers begin with 0.
 */
#ifndef PRFDATA_HEALTH_H
#define PRFDATA_HEALTH_H

#include <prfdata/atomic.h>

#include "map/model.h"

/* Numbers that no map shows, and that only grow. prfdata_provider_number() returns them. */
enum {
    /* attempts of Collects in which plans gave the answer, or found the buffer too small */
    PRFDATA_HEALTH_PLANS_USED = PRFDATA_HEALTH_LAST + 1,
    /* instances beyond a limit (docs/security-and-limits.md), counted in each merge */
    PRFDATA_HEALTH_TOO_MANY,
    PRFDATA_HEALTH_BROKEN, /* regions that faulted or became invalid in a merge */
    /* tries of merges to find a moment with no thread inside a bracket; the first try for each slot
     * and region is not counted */
    PRFDATA_HEALTH_BRACKET_TRIES,
    PRFDATA_HEALTH_COUNT
};

/*
 * is_wanted shares no cache line with the numbers, because each Collect reads it and the numbers
 * change.
 */
typedef struct prfdata_health {
    uint32_t is_wanted; /* atomic: the installed map has the health object */
    uint32_t unused[15];
    uint64_t numbers[PRFDATA_HEALTH_COUNT]; /* atomic, indexed by PRFDATA_HEALTH_... */
    uint64_t unused_too[8];
} prfdata_health;

/*
 * Records whether the installed map shows the numbers. Numbers that take time to determine are
 * determined only if the map shows them.
 */
void prfdata_health_want(prfdata_health *health, const prfdata_model *model);
static inline bool prfdata_health_is_wanted(const prfdata_health *health)
{
    return prfdata_load32_relaxed(&health->is_wanted) != 0;
}

void prfdata_health_set(prfdata_health *health, uint32_t number, uint64_t value);
/* Sets the number to `value` if that is more. */
void prfdata_health_raise(prfdata_health *health, uint32_t number, uint64_t value);
static inline void prfdata_health_add(prfdata_health *health, uint32_t number, uint64_t amount)
{
    if (amount > 0)
        prfdata_add64_relaxed(&health->numbers[number], amount);
}

/*
 * Fills in the health object of a reply. A number that this version does not know is shown as 0.
 *
 * object  The health object of the model. All its counters are health numbers.
 * at      The object's PERF_COUNTER_BLOCK; any alignment.
 */
void prfdata_health_put(const prfdata_health *health, const prfdata_model_object *object,
                        uint8_t *at);

#endif
