/* SPDX-License-Identifier: MIT */
/*
 * Declares PrfData for other languages: functions that prfdata.dll (libprfdata.so elsewhere)
 * exports. The library also exports prfdata_map_check() and functions of <prfdata/prfdata.h> and
 * <prfdata/map_file.h>. See docs/languages.md.
 *
 * Most functions of <prfdata/prfdata.h> that are in-line or take structures have counterparts here.
 * The counterparts take addresses of structures. The caller provides zeroed memory for handles,
 * pairs, instances and distributions, as large as prfdata_call_get_sizes() says. The caller may
 * copy these structures, but only PrfData reads and writes their fields. The calls have the C
 * calling convention, and undecorated names even on 32-bit x86.
 *
 * Calls without a return code cannot fail. A handle or pair that is NULL counts into a cell that no
 * reader sees, and a distribution that is NULL records nothing.
 *
 * Threads: any, at any time, but only one thread at a time may use a prfdata_exclusive.
 */
#ifndef PRFDATA_CALLS_H
#define PRFDATA_CALLS_H

#include <prfdata/map_file.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The version of this interface. It is raised when something changes that callers rely on, but not
 * for new functions.
 */
#define PRFDATA_CALLS_VERSION 1

uint32_t prfdata_call_version(void);

/*
 * Find the id of the object or counter that has this symbol. Case matters.
 *
 * id  Set on success only.
 *
 * Returns ERROR_SUCCESS, ERROR_NOT_FOUND, or ERROR_INVALID_HANDLE if `publisher` is NULL.
 */
uint32_t prfdata_call_find_id(const prfdata_publisher *publisher, const char *symbol, uint32_t *id);

/*
 * The sizes of the structures in bytes, at most 128. They may grow, so allocate what the DLL says,
 * or 128.
 */
typedef struct prfdata_call_sizes {
    uint32_t handle;
    uint32_t pair;
    uint32_t instance;
    uint32_t exclusive;
    uint32_t distribution;
} prfdata_call_sizes;

void prfdata_call_get_sizes(prfdata_call_sizes *sizes);

void prfdata_call_increment(const prfdata_handle *handle);
void prfdata_call_decrement(const prfdata_handle *handle); /* gauges only */
void prfdata_call_add(const prfdata_handle *handle, int64_t amount);
void prfdata_call_subtract(const prfdata_handle *handle, int64_t amount); /* gauges only */
void prfdata_call_set(const prfdata_handle *handle, int64_t value);       /* gauges only */
void prfdata_call_raise(const prfdata_handle *handle, int64_t value);
int64_t prfdata_call_get(const prfdata_handle *handle);

/*
 * Get the address of the counter's cell, an aligned 64-bit integer, for languages that can add to
 * memory atomically. Any memory order is sufficient. A program may also store to the cell of a
 * gauge. The address is valid for as long as the handle.
 *
 * Returns NULL for a hot counter, because threads count it in different lanes. Count it with the
 *         other calls, such as prfdata_call_add().
 */
uint64_t *prfdata_call_cell(const prfdata_handle *handle);

void prfdata_call_exclusive_add(const prfdata_exclusive *handle, int64_t amount);

void prfdata_call_pair_add(const prfdata_pair *pair, int64_t amount, int64_t base_amount);
int64_t prfdata_call_get_value(const prfdata_pair *pair); /* prfdata_get() of the value */
int64_t prfdata_call_get_base(const prfdata_pair *pair);  /* prfdata_get() of the base */
void prfdata_call_average_add(const prfdata_pair *pair, int64_t amount);
uint64_t prfdata_call_timer_start(const prfdata_pair *pair);
void prfdata_call_timer_stop(const prfdata_pair *pair, uint64_t started);
void prfdata_call_elapsed_start(const prfdata_handle *handle);
void prfdata_call_elapsed_stop(const prfdata_handle *handle);

/*
 * Record in a distribution from prfdata_resolve_distribution(). `value` is in the distribution's
 * unit.
 */
void prfdata_call_record(const prfdata_distribution *distribution, uint64_t value);
uint64_t prfdata_call_record_start(void);
void prfdata_call_record_since(const prfdata_distribution *distribution, uint64_t started);
uint64_t prfdata_call_recorded_count(const prfdata_distribution *distribution);
uint64_t prfdata_call_recorded_sum(const prfdata_distribution *distribution);
uint64_t prfdata_call_recorded_mean(const prfdata_distribution *distribution);
uint64_t prfdata_call_recorded_percentile(const prfdata_distribution *distribution, uint32_t share);
uint64_t prfdata_call_recorded_maximum(const prfdata_distribution *distribution);

#ifdef __cplusplus
}
#endif

#endif
