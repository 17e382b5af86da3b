/* SPDX-License-Identifier: MIT */
/* Moves the distributions of one slot, for former_memory.c. */
#ifndef PRFDATA_FORMER_DISTRIBUTION_H
#define PRFDATA_FORMER_DISTRIBUTION_H

#include "region/region.h"

/* The distributions of one slot, in four memories of the same layout. */
typedef struct prfdata_former_words {
    const prfdata_model_object *object;
    uint64_t *from;  /* in the private memory */
    uint64_t *moved; /* the counts that were already moved */
    uint64_t *read;  /* the counts that the current move has read */
    uint64_t *to;    /* in the region; NULL if the caller only reads */
} prfdata_former_words;

/* Copy the slot's distributions (`size` bytes) to the region. No thread may count there yet. */
void prfdata_former_distribution_copy(const prfdata_former_words *words, size_t size);

/* Read all counts. Returns whether any count has changed since the last copy or move. */
bool prfdata_former_distribution_read(const prfdata_former_words *words);

/* Add to the region the changes that the last read has found. They count in the current epoch. */
void prfdata_former_distribution_move(const prfdata_former_words *words);

#endif
