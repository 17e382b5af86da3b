/* SPDX-License-Identifier: MIT */
/*
 * Checks whether a process holds more and more of something, such as handles or memory. The growth
 * over many steps decides, not the growth in a single step. Portable.
 */
#ifndef PRFDATA_READER_GROWTH_H
#define PRFDATA_READER_GROWTH_H

#include <stdbool.h>

#include "validate/findings.h"

typedef enum prfdata_growth_kind {
    PRFDATA_GROWTH_HANDLES,
    PRFDATA_GROWTH_THREADS,
    PRFDATA_GROWTH_DRAWING, /* GDI objects: pens, bitmaps and similar ones */
    PRFDATA_GROWTH_WINDOWS, /* USER objects: windows, icons and similar ones */
    PRFDATA_GROWTH_VIEWS,   /* views of sections, except those of programs and libraries */
    PRFDATA_GROWTH_SLOTS,   /* slots of thread-local storage: all below the first free one */
    PRFDATA_GROWTH_ATOMS,   /* atoms of this process, and global ones that the library added */
    PRFDATA_GROWTH_HEAPS,   /* bytes in use, in all heaps */
    PRFDATA_GROWTH_MEMORY,  /* bytes that only this process has committed */
    PRFDATA_GROWTH_ADDRESS, /* bytes reserved and not committed */
    PRFDATA_GROWTH_KINDS
} prfdata_growth_kind;

typedef struct prfdata_growth_usage {
    uint64_t of[PRFDATA_GROWTH_KINDS];
} prfdata_growth_usage;

/* Number of moments at which the amounts are known, with equally many steps between them. */
#define PRFDATA_GROWTH_MOMENTS 3

/*
 * Finds out for how many steps there is time. A busy system makes single steps long, so the
 * shortest of a few steps counts. Begins as zeros, except for most_ms and most_steps.
 */
typedef struct prfdata_growth_pace {
    uint64_t most_ms; /* longest time that all steps together may take */
    uint32_t most_steps;
    uint32_t tried;
    uint64_t shortest_ms;
} prfdata_growth_pace;

/*
 * Returns whether the steps took more processor time than equally many steps before: at least a
 * fifth more, and at least 50 ms more, because the clock of processor time is coarse.
 */
bool prfdata_growth_is_slower(uint64_t before_ms, uint64_t now_ms);

/* Record that one more step took this long. Returns whether another step should be tried. */
bool prfdata_growth_pace_add(prfdata_growth_pace *pace, uint64_t took_ms);

/* Return for how many steps there is time. At least one step must have been tried before. */
uint32_t prfdata_growth_pace_steps(const prfdata_growth_pace *pace);

/*
 * Returns whether an amount has grown from each moment to the next by enough to count as a leak.
 *
 * steps  Number of steps from one moment to the next.
 */
bool prfdata_growth_is_doubtful(const prfdata_growth_usage *at, uint32_t steps);

/* Report the amounts that have grown. If the heaps have grown, memory and address space are not
 * reported. `step` is the name of one step, such as "Collect". */
void prfdata_growth_validate(const prfdata_growth_usage *at, uint32_t steps, const char *step,
                             prfdata_findings *findings);

#endif
