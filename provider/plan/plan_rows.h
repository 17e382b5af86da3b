/* SPDX-License-Identifier: MIT */
/*
 * The rows of a source: between plan_gather.c, which knows when they may be read, and plan_rows.c,
 * which reads them.
 */
#ifndef PRFDATA_PLAN_ROWS_H
#define PRFDATA_PLAN_ROWS_H

#include <string.h>

#include <prfdata/atomic.h>

#include "plan/plan_parts.h"

/*
 * What a gather works on. Nothing is cleared before it is used: to clear it all takes as long as to
 * gather a row.
 */
typedef struct prfdata_plan_gathering {
    const prfdata_plan *plan;
    const prfdata_regions *regions;    /* of the service */
    const prfdata_plan_source *source; /* the current one */
    const prfdata_plan_source *end;    /* of those that are gathered at a time */
    uint8_t *at;                       /* where the next row goes */
    uint64_t *sums;                    /* of the source */
    prfdata_os_region window;          /* the view that is read: the guard's */
    uint32_t *tries_left;              /* of the answer; 0: a moment without brackets was not met */
    uint64_t entered;  /* of the source: brackets around all instances, before it is gathered */
    uint64_t *words;   /* three times the plan's slot_words: what is made of one slot */
    uint32_t time;     /* with windows only: in which they end */
    uint64_t recorded; /* of the carry before anything was gathered */
    bool is_steady;
} prfdata_plan_gathering;

/*
 * Put a part of a plan's image. Most are short, and their sizes are multiples of 8: no call of
 * memcpy, which looks at both first. Returns the address after it.
 */
static inline uint8_t *prfdata_plan_put_image(uint8_t *at, const uint8_t *image, size_t bytes)
{
    for (; bytes >= 64; bytes -= 64, image += 64, at += 64) {
        memcpy(at, image, 16);
        memcpy(at + 16, image + 16, 16);
        memcpy(at + 32, image + 32, 16);
        memcpy(at + 48, image + 48, 16);
    }
    if (bytes & 32) {
        memcpy(at, image, 16);
        memcpy(at + 16, image + 16, 16);
        image += 32;
        at += 32;
    }
    if (bytes & 16) {
        memcpy(at, image, 16);
        image += 16;
        at += 16;
    }
    if (bytes & 8) {
        memcpy(at, image, 8);
        at += 8;
    }
    return at;
}

/* Between two looks for a moment without brackets. */
static inline void prfdata_plan_pause(void)
{
    for (int i = 0; i < 16; i++)
        prfdata_pause();
}

/*
 * Put the rows of the current source, and add them to its sums. Under the guard.
 *
 * Returns false if one was met inside its bracket as long as there were tries.
 */
bool prfdata_plan_put_rows(prfdata_plan_gathering *gathering);

/* The same of slots without a row, which count in the sums only. */
bool prfdata_plan_add_rests(prfdata_plan_gathering *gathering);

#endif
