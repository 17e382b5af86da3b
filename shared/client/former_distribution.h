/* SPDX-License-Identifier: MIT */
/* The part of former_memory.c for the distributions of one slot. */
#ifndef PRFDATA_FORMER_DISTRIBUTION_H
#define PRFDATA_FORMER_DISTRIBUTION_H

#include "region/region.h"

/* A slot in memories of one layout: the private one, what was moved and read of it, the region. */
typedef struct prfdata_former_words {
    const prfdata_model_object *object;
    uint64_t *from;
    uint64_t *moved;
    uint64_t *read;
    uint64_t *to; /* NULL if the words are only read */
} prfdata_former_words;

/* Copy all, copies of epochs included; nothing counts in the region yet. */
void prfdata_former_distribution_copy(const prfdata_former_words *words, size_t size);

/* Read all counts; returns whether something was recorded since the last copy or move. */
bool prfdata_former_distribution_read(const prfdata_former_words *words);

/* Add the differences that were read. They count in the present epoch. */
void prfdata_former_distribution_move(const prfdata_former_words *words);

#endif
