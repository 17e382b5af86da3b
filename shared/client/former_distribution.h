/* SPDX-License-Identifier: MIT */
/* The part of former_memory.c for the distributions of one slot. */
#ifndef PRFDATA_FORMER_DISTRIBUTION_H
#define PRFDATA_FORMER_DISTRIBUTION_H

#include "region/region.h"

/* A slot in three memories of one layout: the private one, what was moved of it, the region. */
typedef struct prfdata_former_words {
    const prfdata_model_object *object;
    uint64_t *from;
    uint64_t *moved;
    uint64_t *to; /* NULL where only a look is needed */
} prfdata_former_words;

/* Copy all, copies of epochs included; nothing counts in the region yet. */
void prfdata_former_distribution_copy(const prfdata_former_words *words, size_t size);

/* Whether something was recorded since it was copied or moved. */
bool prfdata_former_distribution_changed(const prfdata_former_words *words);

/* Add what was. It counts in the present epoch. */
void prfdata_former_distribution_move(const prfdata_former_words *words);

#endif
