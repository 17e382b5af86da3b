/* SPDX-License-Identifier: MIT */
/* Opens publishers, adds instances, resolves counters and counts, as a program does. If a call
 * fails, the test fails. */
#ifndef PRFDATA_TESTS_COUNTING_H
#define PRFDATA_TESTS_COUNTING_H

#include <prfdata/prfdata.h>

#include "support/test.h"

static inline prfdata_publisher *counting_open(const prfdata_map *map)
{
    prfdata_publisher *publisher = NULL;

    assert_int_equal(prfdata_open(map, &publisher), ERROR_SUCCESS);
    return publisher;
}

static inline prfdata_instance counting_add(prfdata_publisher *publisher, uint32_t object_id,
                                            const wchar_t *name, const prfdata_instance *parent)
{
    prfdata_instance added;

    assert_int_equal(prfdata_instance_add(publisher, object_id, name, parent, &added),
                     ERROR_SUCCESS);
    return added;
}

static inline prfdata_handle counting_resolve(prfdata_publisher *publisher, uint32_t counter_id,
                                              const prfdata_instance *instance)
{
    prfdata_handle handle;

    assert_int_equal(prfdata_resolve(publisher, counter_id, instance, &handle), ERROR_SUCCESS);
    return handle;
}

static inline prfdata_exclusive counting_resolve_exclusive(prfdata_publisher *publisher,
                                                           uint32_t counter_id,
                                                           const prfdata_instance *instance)
{
    prfdata_exclusive handle;

    assert_int_equal(prfdata_resolve_exclusive(publisher, counter_id, instance, &handle),
                     ERROR_SUCCESS);
    return handle;
}

static inline void counting_count(prfdata_publisher *publisher, uint32_t counter_id,
                                  const prfdata_instance *instance, int64_t amount)
{
    prfdata_add(counting_resolve(publisher, counter_id, instance), amount);
}

#endif
