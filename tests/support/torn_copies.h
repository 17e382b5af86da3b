/* SPDX-License-Identifier: MIT */
/* How many copies of a provider were torn. */
#ifndef PRFDATA_TESTS_TORN_COPIES_H
#define PRFDATA_TESTS_TORN_COPIES_H

#include "collect/provider.h"

static inline uint64_t torn_copies(prfdata_provider *of)
{
    prfdata_provider_counts counts;

    prfdata_provider_get_counts(of, &counts);
    return counts.torn_copies;
}

#endif
