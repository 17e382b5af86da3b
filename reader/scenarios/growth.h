/* SPDX-License-Identifier: MIT */
/*
 * Checks whether the amount that a process has of something grows for ever. The sum over many steps
 * counts, not what each step leaves. Portable.
 */
#ifndef PRFDATA_READER_GROWTH_H
#define PRFDATA_READER_GROWTH_H

#include <stdbool.h>

#include "validate/findings.h"

typedef enum prfdata_growth_kind {
    PRFDATA_GROWTH_HANDLES,
    PRFDATA_GROWTH_THREADS,
    PRFDATA_GROWTH_DRAWING, /* pens, bitmaps and the like: GDI */
    PRFDATA_GROWTH_WINDOWS, /* windows, icons and the like: USER */
    PRFDATA_GROWTH_VIEWS,   /* views of sections, except those of programs and libraries */
    PRFDATA_GROWTH_SLOTS,   /* slots of thread-local storage: all below the first free one */
    PRFDATA_GROWTH_HEAPS,   /* bytes in use, in all heaps */
    PRFDATA_GROWTH_MEMORY,  /* bytes committed by the process alone */
    PRFDATA_GROWTH_ADDRESS, /* bytes reserved and not committed */
    PRFDATA_GROWTH_KINDS
} prfdata_growth_kind;

typedef struct prfdata_growth_usage {
    uint64_t of[PRFDATA_GROWTH_KINDS];
} prfdata_growth_usage;

#define PRFDATA_GROWTH_MOMENTS 3 /* at which the usage is known, as many steps apart */

/*
 * How many steps there is time for. A busy system makes single steps long, so the shortest one of a
 * few counts. All zeros but most_ms and most_steps: none was tried.
 */
typedef struct prfdata_growth_pace {
    uint64_t most_ms;    /* longest time that all steps together may take */
    uint32_t most_steps; /* the most steps that are wanted */
    uint32_t tried;
    uint64_t shortest_ms; /* shortest time of the steps that were tried */
} prfdata_growth_pace;

/*
 * Whether the steps took more of the processor in each third than in the one before, by a fifth
 * and by what no clock gets wrong.
 */
bool prfdata_growth_is_slower(const uint64_t *took_ms);

/* One more step took so long. Returns whether another one should be tried. */
bool prfdata_growth_pace_add(prfdata_growth_pace *pace, uint64_t took_ms);

/* How many steps fit, after one was tried. */
uint32_t prfdata_growth_pace_steps(const prfdata_growth_pace *pace);

/*
 * Whether anything has grown from each moment to the next by what a leak leaves.
 * steps  From one moment to the next.
 */
bool prfdata_growth_is_doubtful(const prfdata_growth_usage *at, uint32_t steps);

/* Check it: `step` is what one step is called, "Collect". */
void prfdata_growth_validate(const prfdata_growth_usage *at, uint32_t steps, const char *step,
                             prfdata_findings *findings);

#endif
