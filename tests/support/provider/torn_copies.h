/* SPDX-License-Identifier: MIT */
/* Counts the torn copies that a provider has shown. */
#ifndef PRFDATA_TESTS_TORN_COPIES_H
#define PRFDATA_TESTS_TORN_COPIES_H

#include "collect/provider.h"

static inline uint64_t torn_copies(const prfdata_provider *of)
{
    return prfdata_provider_number(of, PRFDATA_HEALTH_TORN);
}

#endif
