/* SPDX-License-Identifier: MIT */
/*
 * Replaces the client library in a program that is compiled with PRFDATA_DISABLED: every call
 * succeeds and does nothing. <prfdata/prfdata.h> includes this file and documents the functions.
 */
#ifndef PRFDATA_DISABLED_H
#define PRFDATA_DISABLED_H

#ifndef PRFDATA_PRFDATA_H
#error "Define PRFDATA_DISABLED and include <prfdata/prfdata.h>."
#endif

static inline const char *prfdata_version(void)
{
    return PRFDATA_VERSION;
}

static inline uint32_t prfdata_open(const prfdata_map *map, prfdata_publisher **publisher)
{
    (void)map;
    *publisher = PRFDATA_NONE_;
    return ERROR_SUCCESS;
}

static inline uint32_t prfdata_open_with(const prfdata_map *map, const prfdata_capacity *capacities,
                                         size_t count, prfdata_publisher **publisher)
{
    (void)capacities;
    (void)count;
    return prfdata_open(map, publisher);
}

static inline void prfdata_set_private(int is_private)
{
    (void)is_private;
}

static inline void prfdata_close(prfdata_publisher *publisher)
{
    (void)publisher;
}

static inline void prfdata_close_and_unmap(prfdata_publisher *publisher)
{
    (void)publisher;
}

static inline uint32_t prfdata_status(const prfdata_publisher *publisher, char *text,
                                      size_t capacity)
{
    (void)publisher;
    if (capacity > 0)
        text[0] = 0;
    return ERROR_SUCCESS;
}

static inline uint32_t prfdata_retry(prfdata_publisher *publisher)
{
    (void)publisher;
    return ERROR_SUCCESS;
}

static inline uint64_t prfdata_dropped(const prfdata_publisher *publisher)
{
    (void)publisher;
    return 0;
}

static inline uint32_t prfdata_instance_add(prfdata_publisher *publisher, uint32_t object_id,
                                            const wchar_t *name, const prfdata_instance *parent,
                                            prfdata_instance *instance)
{
    static const prfdata_instance none = PRFDATA_INSTANCE_INIT;

    (void)publisher;
    (void)object_id;
    (void)name;
    (void)parent;
    *instance = none;
    return ERROR_SUCCESS;
}

static inline uint32_t prfdata_instance_add_id(prfdata_publisher *publisher, uint32_t object_id,
                                               int32_t unique_id, const prfdata_instance *parent,
                                               prfdata_instance *instance)
{
    (void)unique_id;
    return prfdata_instance_add(publisher, object_id, PRFDATA_NONE_, parent, instance);
}

static inline uint32_t prfdata_instance_find(prfdata_publisher *publisher, uint32_t object_id,
                                             const wchar_t *name, const prfdata_instance *parent,
                                             prfdata_instance *instance)
{
    return prfdata_instance_add(publisher, object_id, name, parent, instance);
}

static inline uint32_t prfdata_instance_find_id(prfdata_publisher *publisher, uint32_t object_id,
                                                int32_t unique_id, const prfdata_instance *parent,
                                                prfdata_instance *instance)
{
    return prfdata_instance_add_id(publisher, object_id, unique_id, parent, instance);
}

static inline uint32_t prfdata_instance_remove(const prfdata_instance *instance)
{
    (void)instance;
    return ERROR_SUCCESS;
}

static inline uint32_t prfdata_resolve(prfdata_publisher *publisher, uint32_t counter_id,
                                       const prfdata_instance *instance, prfdata_handle *handle)
{
    static const prfdata_handle none = PRFDATA_HANDLE_INIT;

    (void)publisher;
    (void)counter_id;
    (void)instance;
    *handle = none;
    return ERROR_SUCCESS;
}

static inline uint32_t prfdata_resolve_pair(prfdata_publisher *publisher, uint32_t counter_id,
                                            const prfdata_instance *instance, prfdata_pair *pair)
{
    static const prfdata_pair none = PRFDATA_PAIR_INIT;

    (void)publisher;
    (void)counter_id;
    (void)instance;
    *pair = none;
    return ERROR_SUCCESS;
}

static inline uint32_t prfdata_resolve_exclusive(prfdata_publisher *publisher, uint32_t counter_id,
                                                 const prfdata_instance *instance,
                                                 prfdata_exclusive *handle)
{
    static const prfdata_exclusive none = PRFDATA_EXCLUSIVE_INIT;

    (void)publisher;
    (void)counter_id;
    (void)instance;
    *handle = none;
    return ERROR_SUCCESS;
}

static inline void prfdata_release_exclusive(prfdata_exclusive *handle)
{
    (void)handle;
}

static inline int prfdata_is_exclusive(const prfdata_exclusive *handle)
{
    (void)handle;
    return 0;
}

static inline void prfdata_exclusive_add(const prfdata_exclusive *handle, int64_t amount)
{
    (void)handle;
    (void)amount;
}

static inline void prfdata_exclusive_increment(const prfdata_exclusive *handle)
{
    (void)handle;
}

static inline void prfdata_add(prfdata_handle handle, int64_t amount)
{
    (void)handle;
    (void)amount;
}

static inline void prfdata_increment(prfdata_handle handle)
{
    (void)handle;
}

static inline void prfdata_subtract(prfdata_handle handle, int64_t amount)
{
    (void)handle;
    (void)amount;
}

static inline void prfdata_decrement(prfdata_handle handle)
{
    (void)handle;
}

static inline void prfdata_set(prfdata_handle handle, int64_t value)
{
    (void)handle;
    (void)value;
}

static inline void prfdata_raise(prfdata_handle handle, int64_t value)
{
    (void)handle;
    (void)value;
}

static inline int64_t prfdata_get(prfdata_handle handle)
{
    (void)handle;
    return 0;
}

static inline void prfdata_pair_add(prfdata_pair pair, int64_t amount, int64_t base_amount)
{
    (void)pair;
    (void)amount;
    (void)base_amount;
}

static inline void prfdata_average_add(prfdata_pair pair, int64_t amount)
{
    (void)pair;
    (void)amount;
}

static inline uint64_t prfdata_timer_start(prfdata_pair pair)
{
    (void)pair;
    return 0;
}

static inline void prfdata_timer_stop(prfdata_pair pair, uint64_t started)
{
    (void)pair;
    (void)started;
}

static inline void prfdata_timer_add_ns(prfdata_pair pair, uint64_t elapsed_ns)
{
    (void)pair;
    (void)elapsed_ns;
}

static inline void prfdata_elapsed_start(prfdata_handle handle)
{
    (void)handle;
}

static inline void prfdata_elapsed_stop(prfdata_handle handle)
{
    (void)handle;
}

static inline uint32_t prfdata_resolve_distribution(prfdata_publisher *publisher,
                                                    uint32_t distribution_id,
                                                    const prfdata_instance *instance,
                                                    prfdata_distribution *distribution)
{
    static const prfdata_distribution none = PRFDATA_DISTRIBUTION_INIT;

    (void)publisher;
    (void)distribution_id;
    (void)instance;
    *distribution = none;
    return ERROR_SUCCESS;
}

static inline void prfdata_record(prfdata_distribution distribution, uint64_t value)
{
    (void)distribution;
    (void)value;
}

static inline uint64_t prfdata_record_start(void)
{
    return 0;
}

static inline void prfdata_record_since(prfdata_distribution distribution, uint64_t started)
{
    (void)distribution;
    (void)started;
}

static inline uint64_t prfdata_recorded_count(prfdata_distribution distribution)
{
    (void)distribution;
    return 0;
}

static inline uint64_t prfdata_recorded_sum(prfdata_distribution distribution)
{
    (void)distribution;
    return 0;
}

static inline uint64_t prfdata_recorded_mean(prfdata_distribution distribution)
{
    (void)distribution;
    return 0;
}

static inline uint64_t prfdata_recorded_maximum(prfdata_distribution distribution)
{
    (void)distribution;
    return 0;
}

static inline uint64_t prfdata_recorded_percentile(prfdata_distribution distribution,
                                                   uint32_t share)
{
    (void)distribution;
    (void)share;
    return 0;
}

static inline void prfdata_begin(const prfdata_instance *instance)
{
    (void)instance;
}

static inline void prfdata_end(const prfdata_instance *instance)
{
    (void)instance;
}

static inline void prfdata_begin_all(prfdata_publisher *publisher)
{
    (void)publisher;
}

static inline void prfdata_end_all(prfdata_publisher *publisher)
{
    (void)publisher;
}

#endif
