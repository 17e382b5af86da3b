/* SPDX-License-Identifier: MIT */
/* Returns the header of the region that a publisher writes. */
#ifndef PRFDATA_TESTS_PUBLISHER_HEADER_H
#define PRFDATA_TESTS_PUBLISHER_HEADER_H

#include "client/publisher.h"

static inline prfdata_region_header *publisher_header(const prfdata_publisher *publisher)
{
    return (prfdata_region_header *)(void *)publisher->bytes;
}

#endif
