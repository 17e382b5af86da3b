/* SPDX-License-Identifier: MIT */
/* Moves the distributions of one slot, for former_memory.c. */
#ifndef PRFDATA_FORMER_DISTRIBUTION_H
#define PRFDATA_FORMER_DISTRIBUTION_H

#include "region/region.h"

/*
 * One slot in several memories of the same layout: `from` is in the private memory, `moved` has the
 * counts that were already moved, `read` those that the current move has read, and `to` is in the
 * region.
 */
typedef struct prfdata_former_words {
    const prfdata_model_object *object;
    uint64_t *from;
    uint64_t *moved;
    uint64_t *read;
    uint64_t *to; /* NULL if the caller only reads */
} prfdata_former_words;

/* Copy everything, including the copies of epochs. No thread may count in the region yet. */
void prfdata_former_distribution_copy(const prfdata_former_words *words, size_t size);

/* Read all counts. Returns whether there are new records since the last copy or move. */
bool prfdata_former_distribution_read(const prfdata_former_words *words);

/* Add the differences that were read to the region, in the current epoch. */
void prfdata_former_distribution_move(const prfdata_former_words *words);

#endif
