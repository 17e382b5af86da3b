/* SPDX-License-Identifier: MIT */
/* The objects of a reply, by their title indexes. Portable. */
#ifndef PRFDATA_READER_TITLES_H
#define PRFDATA_READER_TITLES_H

#include "prfcheck/judge.h"

#define PRFDATA_TITLES_MAX 1024u

typedef struct prfdata_titles {
    uint32_t items[PRFDATA_TITLES_MAX];
    uint32_t parents[PRFDATA_TITLES_MAX];  /* as of prfdata_judge_next_object() */
    uint32_t ends[PRFDATA_TITLES_MAX];     /* of the objects, in the reply */
    int32_t instances[PRFDATA_TITLES_MAX]; /* NumInstances */
    size_t count;
} prfdata_titles;

/* Read the objects of a reply, as far as its chain of lengths holds and the set has room. */
void prfdata_titles_read(const prfdata_judge_reply *reply, prfdata_titles *set);

bool prfdata_titles_has(const prfdata_titles *set, uint32_t title);

/* The first title of `some` that `all` lacks; 0: none. */
uint32_t prfdata_titles_first_missing(const prfdata_titles *some, const prfdata_titles *all);

/* The first title of `few` that has more instances in `many`; 0: none. */
uint32_t prfdata_titles_first_cut(const prfdata_titles *few, const prfdata_titles *many);

bool prfdata_titles_are_same(const prfdata_titles *a, const prfdata_titles *b);

#endif
