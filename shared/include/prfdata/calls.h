/* SPDX-License-Identifier: MIT */
/*
 * PrfData for other languages: what prfdata.dll (libprfdata.so elsewhere) exports besides the
 * functions of <prfdata/prfdata.h>, <prfdata/map_file.h> and prfdata_map_check(). See
 * docs/languages.md.
 *
 * The in-line functions of <prfdata/prfdata.h> are calls here, and take addresses where those take
 * structures. The caller provides the memory of handles, pairs, instances and distributions, as
 * large as prfdata_call_get_sizes() says and zeroed; what is in them is PrfData's alone. They may
 * be copied. The calls have the C calling convention, and names without decoration, also on 32-bit
 * x86.
 *
 * Threads: any, at any time. Calls without a return code cannot fail; a handle or pair that is NULL
 * counts into a cell that no reader sees, a distribution that is NULL records nothing.
 */
#ifndef PRFDATA_CALLS_H
#define PRFDATA_CALLS_H

#include <prfdata/map_file.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised when something that a caller relies on changes; new functions do not raise it. */
#define PRFDATA_CALLS_VERSION 1

uint32_t prfdata_call_version(void);

/*
 * Find the id of an object or counter by its symbol, as the map file has it.
 *
 * id  Set on success.
 *
 * Returns ERROR_SUCCESS, ERROR_NOT_FOUND, or ERROR_INVALID_HANDLE if `publisher` is NULL.
 */
uint32_t prfdata_call_find_id(const prfdata_publisher *publisher, const char *symbol, uint32_t *id);

/* In bytes, never more than 128. They may grow: allocate what the DLL says, or 128. */
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
 * The address of the counter's cell, for languages that can add to memory atomically: an aligned
 * 64-bit integer. Adding with any memory order counts, and a gauge may be stored to. It stays valid
 * for as long as the handle.
 *
 * Returns NULL for a hot counter, whose threads count in cells of their own: use the calls.
 */
uint64_t *prfdata_call_cell(const prfdata_handle *handle);

void prfdata_call_exclusive_add(const prfdata_exclusive *handle, int64_t amount);

void prfdata_call_pair_add(const prfdata_pair *pair, int64_t amount, int64_t base_amount);
int64_t prfdata_call_get_value(const prfdata_pair *pair); /* prfdata_get() of each of the two */
int64_t prfdata_call_get_base(const prfdata_pair *pair);
void prfdata_call_average_add(const prfdata_pair *pair, int64_t amount);
uint64_t prfdata_call_timer_start(const prfdata_pair *pair);
void prfdata_call_timer_stop(const prfdata_pair *pair, uint64_t started);
void prfdata_call_elapsed_start(const prfdata_handle *handle);
void prfdata_call_elapsed_stop(const prfdata_handle *handle);

/* Of prfdata_resolve_distribution(). `value` is in the distribution's unit. */
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
