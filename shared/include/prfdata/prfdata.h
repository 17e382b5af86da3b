/* SPDX-License-Identifier: MIT */
/*
 * Publishes the counters of a map and changes their values: PrfData's client library.
 *
 *     prfdata_publisher *publisher;
 *     prfdata_instance queue;
 *     prfdata_handle jobs;
 *
 *     prfdata_open(&prfdata_default_map, &publisher);
 *     prfdata_instance_add(publisher, QUEUES, L"mail", NULL, &queue);
 *     prfdata_resolve(publisher, QUEUES_JOBS, &queue, &jobs);
 *     prfdata_increment(jobs);
 *     ...
 *     prfdata_instance_remove(&queue);
 *     prfdata_close(publisher);
 *
 * You need not check any return code: if something fails, the program counts in private memory,
 * which no reader sees. The codes say why, and prfdata_status() says it in words. When the counters
 * are installed, and at later calls, PrfData tries again to publish (prfdata_retry). One failure
 * cannot be hidden, because counters are in a mapped file: if the disk cannot read back a page of
 * the file, the call that counts raises EXCEPTION_IN_PAGE_ERROR or SIGBUS.
 *
 * What to know before use:
 * - Opening takes one file in the service's regions folder. Opening waits, for at most a second, in
 *   two cases: the folder is almost full while other processes open publishers, or a scanner or a
 *   reader keeps the process from opening a file.
 * - A counter that accumulates (rates, deltas, timers, averages and PRFDATA_MAP_ACCUMULATING) only
 *   ever grows: the counts of a process stay in the totals when it ends. Use prfdata_subtract,
 *   prfdata_decrement and prfdata_set only on gauges (RAWCOUNT, HEX and RAW_FRACTION types),
 *   because readers would see a counter that accumulates go backwards.
 * - The application must not count for an instance while another thread removes it. At worst, the
 *   count shows in the totals only or, if the slot has been reused, under the new name.
 * - After prfdata_close() old handles and instances do no harm: PrfData refuses them, or they count
 *   in the memory that the process keeps. An accumulating counter still adds to the totals; gauges
 *   are not shown. The next prfdata_open() of the map uses that memory again. From then on an old
 *   handle counts under the name that has its slot, which may be another name. Decrement gauges
 *   before you close. After reopening they start at 0, so a decrement gives -1. Readers show -1 in
 *   a 4-byte counter as 4294967295.
 * - A library that will be unloaded calls prfdata_close_and_unmap().
 * - A unit test calls prfdata_set_private() first, so that no reader and no other publisher sees
 *   what it counts.
 * - If PRFDATA_DISABLED is defined, every call does nothing, and the library need not be linked.
 *
 * Threads: every function may be called from any thread at any time, unless it says otherwise.
 */
#ifndef PRFDATA_PRFDATA_H
#define PRFDATA_PRFDATA_H

#include <prfdata/distribution.h>
#include <prfdata/map.h>
#include <prfdata/sal.h>
#include <prfdata/version.h>

#ifndef PRFDATA_DISABLED
#include <prfdata/atomic.h>
#include <prfdata/lane.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Publishes the counters of one map, in one region. */
typedef struct prfdata_publisher prfdata_publisher;

/*
 * A program counts through a handle, of one of four kinds:
 *
 * prfdata_handle       prfdata_resolve               any counter, from any number of threads
 * prfdata_pair         prfdata_resolve_pair          a counter with its base or clock
 * prfdata_exclusive    prfdata_resolve_exclusive     a hot counter in one thread: the cheapest
 * prfdata_distribution prfdata_resolve_distribution  values: percentiles, means, sums
 *
 * All may be copied, but only one thread at a time may use a prfdata_exclusive and its copies. Only
 * prfdata_exclusive must be released.
 */

/*
 * A counter of one instance, resolved once. Zeroed memory is a valid handle, and so is the handle
 * of a failed look-up: both count into the scratch cell, which no reader sees.
 */
typedef struct prfdata_handle {
    uint64_t *cell;  /* NULL: a hot counter, or the scratch cell */
    uint64_t *lanes; /* a hot counter's first lane; otherwise NULL */
    /* the count at the time when the slot was reused; NULL: the counter does not accumulate, or its
     * object has no instances */
    const uint64_t *baseline;
} prfdata_handle;

#define PRFDATA_HANDLE_INIT                                                                        \
    {                                                                                              \
        PRFDATA_NONE_, PRFDATA_NONE_, PRFDATA_NONE_                                                \
    }

/* A counter together with its base and the clock of its type. */
typedef struct prfdata_pair {
    prfdata_handle value;
    prfdata_handle base;
    uint32_t base_use; /* how prfdata_timer_stop changes the base */
    uint32_t ticks;    /* the clock of prfdata_timer_start */
} prfdata_pair;

#define PRFDATA_PAIR_INIT                                                                          \
    {                                                                                              \
        PRFDATA_HANDLE_INIT, PRFDATA_HANDLE_INIT, 0, 0                                             \
    }

/* An instance of an object. Zeroed memory stands for no instance. */
typedef struct prfdata_instance {
    prfdata_publisher *publisher;
    uint32_t object_index;
    uint32_t slot_index;
    uint32_t generation; /* if the slot has another generation, the instance was removed */
} prfdata_instance;

#define PRFDATA_INSTANCE_INIT                                                                      \
    {                                                                                              \
        PRFDATA_NONE_, 0, 0, 0                                                                     \
    }

/*
 * A hot counter of one instance, with a lane that only this handle uses. Zeroed memory is a valid
 * handle; it counts into a cell that no reader sees.
 */
typedef struct prfdata_exclusive {
    /* the lane of this handle; NULL: it has none, and counts go to `cell` or `lanes`, as with a
     * prfdata_handle */
    uint64_t *lane;
    uint64_t *cell;
    uint64_t *lanes;
} prfdata_exclusive;

#define PRFDATA_EXCLUSIVE_INIT                                                                     \
    {                                                                                              \
        PRFDATA_NONE_, PRFDATA_NONE_, PRFDATA_NONE_                                                \
    }

/* A distribution of one instance, resolved once. Zeroed memory is valid, and records nothing. */
typedef struct prfdata_distribution {
    uint64_t *words; /* NULL: none */
    prfdata_distribution_shape shape;
    uint32_t unit; /* PRFDATA_UNIT_... */
} prfdata_distribution;

#define PRFDATA_DISTRIBUTION_INIT                                                                  \
    {                                                                                              \
        PRFDATA_NONE_, {0, 0, 0, 0, 0, 0}, 0                                                       \
    }

/* How many instances of an object one publisher needs. */
typedef struct prfdata_capacity {
    uint32_t object_id;
    uint32_t max_instances; /* 1 to the map's capacity */
} prfdata_capacity;

/* Room for every text of prfdata_status(). */
#define PRFDATA_STATUS_BYTES 1536

#ifndef PRFDATA_DISABLED

/*
 * Get the version of the linked or loaded library, such as "1.2.3". PRFDATA_VERSION is that of
 * the headers. Never NULL; the text is a constant. Threads: any.
 */
const char *prfdata_version(void);

/* ---- Opening and closing ---- */

/*
 * Publish the counters of `map` from this process.
 *
 * PrfData takes over a region that this process has closed, or that an ended process of the same
 * account left; otherwise it creates one. Opening always uses the process's account. On an
 * impersonating thread it starts a helper thread; threads cannot start while DllMain runs, so do
 * not open a publisher in DllMain. Two publishers of one map in one process have two regions;
 * readers see the merged values.
 *
 * map        Borrowed: must stay valid until the process ends. A map that the macros of map.h
 *            define is a constant.
 * publisher  Always set. NULL if the map is invalid or memory is exhausted; every other function
 *            accepts NULL. On any other failure, a publisher that counts in private memory.
 *
 * Returns ERROR_SUCCESS
 *         ERROR_INVALID_PARAMETER  the map is invalid; prfdata_status(NULL) says where
 *         ERROR_FILE_NOT_FOUND     the service is not installed
 *         ERROR_REVISION_MISMATCH  this version of the map is neither the installed one nor an
 *                                  earlier one that the installer kept, or the value `Maps` is
 *                                  damaged
 *         ERROR_SERVICE_DISABLED   the administrator switched publishing off (value `Publish` 0)
 *         ERROR_ACCESS_DENIED      this account may not write to the regions folder, or the
 *                                  folder is not where the registry says (redirection)
 *         ERROR_DISK_FULL          no room for the region
 *         ERROR_INVALID_DATA       the value `Regions` is not the absolute path of a real folder,
 *                                  the folder is encrypted, or the value `Maps` is not binary or
 *                                  is too large
 *         ERROR_NOT_ENOUGH_QUOTA   the folder holds 1,024 regions, the most that readers read, and
 *                                  this account has used up its share of them
 *         ERROR_TIMEOUT            called in DllMain by a thread that impersonates a client
 *         ERROR_NOT_READY          the time when the system started is not known yet
 *         ERROR_NOT_ENOUGH_MEMORY  or another system error
 */
uint32_t prfdata_open(PRFDATA_IN_ const prfdata_map *map,
                      PRFDATA_MADE_OR_NULL_ prfdata_publisher **publisher);

/*
 * Open as prfdata_open() does, but with fewer instances than the map allows, for a smaller region.
 *
 * capacities  `count` elements, borrowed during the call. Objects that they do not name get the
 *             map's capacity. A region that is taken over may have room for more.
 * Returns what prfdata_open() does. Also returns ERROR_INVALID_PARAMETER, with `*publisher` NULL,
 *         if an element names an object that the map lacks or that has no instances, or if its
 *         capacity is 0 or above that of the map.
 */
uint32_t prfdata_open_with(PRFDATA_IN_ const prfdata_map *map,
                           PRFDATA_IN_READS_OPT_(count) const prfdata_capacity *capacities,
                           size_t count, PRFDATA_MADE_OR_NULL_ prfdata_publisher **publisher);

/*
 * For unit tests: choose whether the publishers that this process opens from now on are private.
 *
 * A private publisher begins without instances and with all values 0, and counts in its own memory,
 * on computers with and without the service. It reads no settings, makes no file, and never
 * publishes. An event is written only if the map is invalid or memory is exhausted. All calls work
 * as if the publisher published: prfdata_open, prfdata_status and prfdata_retry return
 * ERROR_SUCCESS, and the text of prfdata_status says that it is private. It shares nothing with
 * other publishers, not even with an earlier publisher of the same map in this process.
 * prfdata_close keeps its memory, for old handles; prfdata_close_and_unmap frees it.
 *
 * prfdata_get reads a counter, or the `value` or `base` of a pair. prfdata_recorded_count and
 * similar functions read a distribution. docs/testing-your-counters.md has examples.
 *
 * is_private  Not 0: private. 0, the default: publishers publish. Open publishers do not change.
 *
 * Each module (program or DLL) that links the client library statically has its own choice.
 */
void prfdata_set_private(int is_private);

/*
 * Hide the instances of a publisher and keep its totals. The memory stays mapped, so that old
 * handles do no harm. The next prfdata_open of the same map in this process uses that memory again,
 * unless it has too few slots, its file was deleted, or the publisher is private. NULL is allowed.
 * In a child process that fork() made, this does nothing, because the publisher belongs to the
 * parent.
 */
void prfdata_close(PRFDATA_INOUT_OPT_ prfdata_publisher *publisher);

/*
 * Close a publisher and unmap it, for a library that will be unloaded. From then on no thread may
 * use the publisher, its instances or its handles, nor those of an earlier prfdata_open of the map,
 * because this publisher may use their memory. NULL is allowed. Do not pass an unmapped publisher
 * to any function, not even to this one, because another publisher may have its address by then.
 */
void prfdata_close_and_unmap(PRFDATA_FREED_OPT_ prfdata_publisher *publisher);

/*
 * Say whether readers see what a publisher counts, and if not, why.
 *
 * publisher  NULL: about the last failed prfdata_open or prfdata_open_file of this process.
 * text       Gets one or two sentences for people: the program, the service, what is wrong and what
 *            to do. UTF-8 with NUL, at most `capacity` bytes; a longer text is cut between
 *            characters. May be NULL if `capacity` is 0. If look-ups of counters or distributions
 *            failed since prfdata_open, the text also says which one failed last, and why. The
 *            debugger gets the first 32 of these messages.
 *
 * Returns the code of the last attempt to publish, by prfdata_open or later: ERROR_SUCCESS if the
 *         publisher publishes. Also ERROR_FILE_NOT_FOUND if prfdata_retry() found that the
 *         publisher's file is no longer in the folder, and ERROR_INVALID_HANDLE if the publisher is
 *         closed.
 *
 * The same text goes to the debugger (OutputDebugString) when prfdata_open fails. If the service
 * was installed, it also goes to the event log, once for each reason and process (docs/events.md);
 * prfdata_open waits up to a tenth of a second for that.
 */
uint32_t prfdata_status(PRFDATA_IN_OPT_ const prfdata_publisher *publisher,
                        PRFDATA_OUT_TEXT_OPT_(capacity) char *text, size_t capacity);

/*
 * Try now to publish the counts that a publisher has in private memory, for instance because the
 * publisher was opened before the counters were installed, or while the disk was full. Afterwards
 * its region has all counts. Handles and instances stay valid. Handles that were resolved before
 * publishing still count in private memory, and their counts are moved into the region. Handles
 * that are resolved after publishing count in the region itself.
 *
 * Since Windows 8, a thread of the system tries to publish when -Install, -Repair or -Reset has
 * changed something. On all systems, calls that open or close a publisher, resolve counters, or
 * add, find or remove instances also try to publish, at most every 10 seconds (closing: always).
 * After ERROR_TIMEOUT, only prfdata_retry tries to publish. On Linux and Windows 7, a program that
 * makes no such calls should call prfdata_retry from time to time until it publishes.
 *
 * After publishing, on every Windows, a thread of the system moves counts once a second. The calls
 * listed above move counts, too, at most once a second; prfdata_retry moves them at each call. On
 * Linux, and on Windows if prfdata_open returned ERROR_TIMEOUT, no thread moves counts. In both
 * cases, a program that makes no such calls should call prfdata_retry from time to time.
 *
 * With a handle that was resolved before publishing, prfdata_get() returns only what was counted
 * through such handles. Do not set a gauge both through these handles and through handles that were
 * resolved later, because readers would see the sum of the changes (with PRFDATA_MAP_MERGE_MAX, the
 * larger value). Resolve all handles of a gauge again, or none.
 *
 * Returns ERROR_SUCCESS if readers see the counters, as far as this process can tell, or if
 *         `publisher` is private and open; ERROR_INVALID_HANDLE if `publisher` is NULL or closed;
 *         ERROR_FILE_NOT_FOUND, too, if the publisher's file is no longer in the folder (restart
 *         the program); otherwise what prfdata_open returns.
 */
uint32_t prfdata_retry(PRFDATA_INOUT_OPT_ prfdata_publisher *publisher);

/*
 * The number of instances that this process could not add because the publisher was full or their
 * names were too long. 0 for NULL.
 */
uint64_t prfdata_dropped(PRFDATA_IN_OPT_ const prfdata_publisher *publisher);

/* ---- Instances ---- */

/*
 * Add an instance by name. The name may have been in use before, in this process or in an ended
 * process whose region was taken over. If its slot has not been given to another name since, its
 * accumulating counters continue from their old values, and the name keeps its old spelling.
 *
 * name      NUL-terminated, 1 to max_name_chars UTF-16 code units. ( ) # / \ * are stored as
 *           [ ] _ _ _ _, control characters as _; otherwise the name is kept as written.
 * parent    An instance of the map's parent object, or NULL for none.
 * instance  Set to the instance; zeroed on failure. May be the parent's variable.
 *
 * Returns ERROR_SUCCESS
 *         ERROR_ALREADY_EXISTS       the cleaned name is in use under this parent (ignoring case)
 *         ERROR_INVALID_NAME         empty, a lone surrogate, or `_Total` if the object has
 *                                    PRFDATA_MAP_TOTAL
 *         ERROR_FILENAME_EXCED_RANGE too long; the region counts it as dropped
 *         ERROR_NOT_ENOUGH_QUOTA     full; the region counts the instance as dropped
 *         ERROR_NOT_FOUND            no such object, or it has no instances
 *         ERROR_INVALID_PARAMETER    the parent was removed, is zeroed, is of another publisher or
 *                                    of an object that is not the map's parent object
 *         ERROR_INVALID_HANDLE       `publisher` is NULL or closed
 */
uint32_t prfdata_instance_add(PRFDATA_INOUT_OPT_ prfdata_publisher *publisher, uint32_t object_id,
                              PRFDATA_IN_Z_ const wchar_t *name,
                              PRFDATA_IN_OPT_ const prfdata_instance *parent,
                              PRFDATA_OUT_ prfdata_instance *instance);

/*
 * Do what prfdata_instance_add does, for an instance with a number instead of a name. Also returns
 * ERROR_INVALID_NAME for -1, and ERROR_NOT_SUPPORTED if the map says PRFDATA_MAP_PER_PROCESS.
 */
uint32_t prfdata_instance_add_id(PRFDATA_INOUT_OPT_ prfdata_publisher *publisher,
                                 uint32_t object_id, int32_t unique_id,
                                 PRFDATA_IN_OPT_ const prfdata_instance *parent,
                                 PRFDATA_OUT_ prfdata_instance *instance);

/*
 * Find an instance of this publisher. The name is cleaned and compared as in prfdata_instance_add.
 * Returns ERROR_SUCCESS, ERROR_NOT_FOUND, or what prfdata_instance_add returns for an invalid
 *         argument.
 */
uint32_t prfdata_instance_find(PRFDATA_INOUT_OPT_ prfdata_publisher *publisher, uint32_t object_id,
                               PRFDATA_IN_Z_ const wchar_t *name,
                               PRFDATA_IN_OPT_ const prfdata_instance *parent,
                               PRFDATA_OUT_ prfdata_instance *instance);
uint32_t prfdata_instance_find_id(PRFDATA_INOUT_OPT_ prfdata_publisher *publisher,
                                  uint32_t object_id, int32_t unique_id,
                                  PRFDATA_IN_OPT_ const prfdata_instance *parent,
                                  PRFDATA_OUT_ prfdata_instance *instance);

/*
 * Remove an instance. Its accumulating counters stay in the totals.
 * Returns ERROR_SUCCESS, ERROR_NOT_FOUND (already removed, zeroed, or of a closed publisher) or
 *         ERROR_DEPENDENT_RESOURCE_EXISTS (other instances have it as parent; remove those first).
 */
uint32_t prfdata_instance_remove(PRFDATA_IN_OPT_ const prfdata_instance *instance);

/* ---- Looking up counters ---- */

/*
 * Resolve a counter, once, to a handle.
 *
 * instance  NULL for a counter of an object without instances.
 * handle    Always set; on failure it counts into the scratch cell.
 *
 * Returns ERROR_SUCCESS, ERROR_NOT_FOUND (no such counter, it has no data, or the instance was
 *         removed or is zeroed), ERROR_INVALID_PARAMETER (the instance is NULL, of another object
 *         or publisher, or given for an object without instances), ERROR_INVALID_HANDLE
 *         (`publisher` is NULL or closed), or ERROR_NOT_SUPPORTED (the counter shows the service's
 *         health or a distribution; use prfdata_resolve_distribution for a distribution).
 */
uint32_t prfdata_resolve(PRFDATA_INOUT_OPT_ prfdata_publisher *publisher, uint32_t counter_id,
                         PRFDATA_IN_OPT_ const prfdata_instance *instance,
                         PRFDATA_OUT_ prfdata_handle *handle);

/*
 * Resolve a counter together with its base, for instance an average or a fraction. A timer without
 * a base is resolved in this way, too, because prfdata_timer_start and _stop need a pair.
 * Arguments and codes as for prfdata_resolve, and ERROR_NOT_SUPPORTED for a counter that has
 * neither a base nor a clock.
 */
uint32_t prfdata_resolve_pair(PRFDATA_INOUT_OPT_ prfdata_publisher *publisher, uint32_t counter_id,
                              PRFDATA_IN_OPT_ const prfdata_instance *instance,
                              PRFDATA_OUT_ prfdata_pair *pair);

/*
 * Resolve a distribution, once (PRFDATA_MAP_DISTRIBUTION).
 *
 * instance      NULL for an object without instances.
 * distribution  Always set; on failure it records nothing.
 *
 * Returns what prfdata_resolve does; ERROR_NOT_FOUND, too, if there is no such distribution.
 */
uint32_t prfdata_resolve_distribution(PRFDATA_INOUT_OPT_ prfdata_publisher *publisher,
                                      uint32_t distribution_id,
                                      PRFDATA_IN_OPT_ const prfdata_instance *instance,
                                      PRFDATA_OUT_ prfdata_distribution *distribution);

/*
 * Resolve a hot counter (PRFDATA_MAP_HOT) for one thread at a time. This thread counts without
 * atomic additions, in a word that no other thread changes. If the program used the handle or a
 * copy of it in a second thread at the same time, counts would be lost. A signal handler or an APC
 * that counts is a second thread, too.
 *
 * Such a word is a lane. A hot counter has 17 of these lanes in each instance. When all 17 are
 * taken, and for a counter that is not hot, the handle counts like those of prfdata_resolve, by
 * atomic additions. prfdata_is_exclusive tells whether the handle has a lane. On 32-bit x86,
 * counting in a lane takes two or three times as long as on x64. If MSVC compiles the 32-bit
 * program, counting in a lane takes as long as an atomic addition.
 *
 * handle  Always set; on failure it counts into the scratch cell. Release it with
 *         prfdata_release_exclusive.
 *
 * Returns what prfdata_resolve does.
 */
uint32_t prfdata_resolve_exclusive(PRFDATA_INOUT_OPT_ prfdata_publisher *publisher,
                                   uint32_t counter_id,
                                   PRFDATA_IN_OPT_ const prfdata_instance *instance,
                                   PRFDATA_OUT_ prfdata_exclusive *handle);

/*
 * Release a lane; its counts stay. From then on the handle counts like one of prfdata_resolve. Call
 * this once, in any thread, after the thread that used the handle has counted for the last time. If
 * the program uses a copy of the handle later, counts of another thread may be lost. When the
 * process ends, its lanes are free. A handle without a lane and NULL are allowed, even after
 * prfdata_close_and_unmap.
 */
void prfdata_release_exclusive(PRFDATA_INOUT_OPT_ prfdata_exclusive *handle);

/* ---- Counting: in-line, atomic between threads, never failing ---- */

/* The cell into which zeroed handles and those of failed look-ups count. */
extern uint64_t prfdata_scratch_cell;

/*
 * The in-line functions below use functions named prfdata_inner_.... Programs must not call those,
 * because they may change.
 */

static inline uint64_t *prfdata_inner_cell(prfdata_handle handle)
{
    return handle.cell ? handle.cell : &prfdata_scratch_cell;
}

/* The calling thread's lane of a hot counter, or the scratch cell. */
static inline uint64_t *prfdata_inner_lane(uint64_t *lanes)
{
    return lanes ? lanes + prfdata_lane_words() : &prfdata_scratch_cell;
}

/* The word to which a call adds. */
static inline uint64_t *prfdata_inner_word(prfdata_handle handle)
{
    return handle.cell ? handle.cell : prfdata_inner_lane(handle.lanes);
}

static inline uint64_t prfdata_inner_baseline(prfdata_handle handle)
{
    return handle.baseline ? prfdata_load64_relaxed(handle.baseline) : 0;
}

/*
 * Add `amount`. For a counter that accumulates, hot or not, it must not be negative; a negative
 * amount lowers a gauge.
 */
static inline void prfdata_add(prfdata_handle handle, int64_t amount)
{
    prfdata_add64_relaxed(prfdata_inner_word(handle), PRFDATA_TO_(uint64_t, amount));
}

/* Add 1. */
static inline void prfdata_increment(prfdata_handle handle)
{
    prfdata_add64_relaxed(prfdata_inner_word(handle), 1);
}

/* Gauges only. */
static inline void prfdata_subtract(prfdata_handle handle, int64_t amount)
{
    prfdata_add64_relaxed(prfdata_inner_word(handle), 0 - PRFDATA_TO_(uint64_t, amount));
}

/* Gauges only. */
static inline void prfdata_decrement(prfdata_handle handle)
{
    prfdata_add64_relaxed(prfdata_inner_word(handle), UINT64_MAX);
}

/* Tell the debugger, once per process, that the program tried to set or raise a hot counter. */
void prfdata_inner_refuse_hot(void);

/*
 * Set a gauge to `value`. Do not call this for other counters. For a hot counter, which has no
 * single cell to set, the call only sends a message to the debugger.
 */
static inline void prfdata_set(prfdata_handle handle, int64_t value)
{
    if (!handle.cell && handle.lanes) {
        prfdata_inner_refuse_hot();
        return;
    }
    prfdata_store64_relaxed(prfdata_inner_cell(handle),
                            prfdata_inner_baseline(handle) + PRFDATA_TO_(uint64_t, value));
}

/*
 * Raise a counter that is not hot to `value` if the counter is below `value`: a signed 64-bit
 * maximum. For a hot counter the call only sends a message to the debugger, as prfdata_set does.
 */
static inline void prfdata_raise(prfdata_handle handle, int64_t value)
{
    uint64_t *cell = prfdata_inner_cell(handle);
    uint64_t baseline = prfdata_inner_baseline(handle);
    uint64_t seen = prfdata_load64_relaxed(cell);

    if (!handle.cell && handle.lanes) {
        prfdata_inner_refuse_hot();
        return;
    }
    while (PRFDATA_TO_(int64_t, seen - baseline) < value &&
           !prfdata_swap64_relaxed(cell, &seen, baseline + PRFDATA_TO_(uint64_t, value))) {
    }
}

/* prfdata_get() of a hot counter. */
int64_t prfdata_get_hot(prfdata_handle handle);

/*
 * The value that this publisher shows; 4-byte counters are counted in 64 bits. A counter that
 * accumulates includes the counts from before the region was taken over or the name was added
 * again.
 */
static inline int64_t prfdata_get(prfdata_handle handle)
{
    if (!handle.cell && handle.lanes)
        return prfdata_get_hot(handle);
    return PRFDATA_TO_(int64_t, prfdata_load64_relaxed(prfdata_inner_cell(handle)) -
                                    prfdata_inner_baseline(handle));
}

/* ---- Counting by exclusive handles ---- */

/* Whether the handle has a lane to itself. */
static inline int prfdata_is_exclusive(const prfdata_exclusive *handle)
{
    return handle->lane ? 1 : 0;
}

static inline void prfdata_exclusive_add(const prfdata_exclusive *handle, int64_t amount)
{
    if (handle->lane) /* two plain moves on x64; readers see either the old or the new value */
        prfdata_store64_relaxed(handle->lane, prfdata_load64_relaxed(handle->lane) +
                                                  PRFDATA_TO_(uint64_t, amount));
    else if (handle->cell)
        prfdata_add64_relaxed(handle->cell, PRFDATA_TO_(uint64_t, amount));
    else
        prfdata_add64_relaxed(prfdata_inner_lane(handle->lanes), PRFDATA_TO_(uint64_t, amount));
}

static inline void prfdata_exclusive_increment(const prfdata_exclusive *handle)
{
    prfdata_exclusive_add(handle, 1);
}

/* ---- Distributions ---- */

/*
 * Record one value, in the distribution's unit. It costs two atomic additions; once per quarter of
 * the window, the thread that comes first also copies the buckets.
 */
static inline void prfdata_record(prfdata_distribution distribution, uint64_t value)
{
    if (distribution.words)
        prfdata_distribution_add(
            distribution.words, &distribution.shape,
            prfdata_distribution_epoch(&distribution.shape, prfdata_distribution_time()), value);
}

/* The time, for prfdata_record_since. */
uint64_t prfdata_record_start(void);

/*
 * Record the time since `started` in a distribution of PRFDATA_UNIT_100NS; do nothing in other
 * distributions.
 */
void prfdata_record_since(prfdata_distribution distribution, uint64_t started);

/*
 * Read all values that this publisher has recorded in a distribution of an instance, not only those
 * in the window. Values and results have the distribution's unit. As in prfdata_get, values from
 * before the name was added again are included. All functions return 0 if nothing was recorded.
 * They load every bucket, so they are for tests and diagnosis.
 *
 * count       The number of values. The count of each bucket is modulo 2^32.
 * sum         The sum of the values. A value beyond the range counts as the nearer end.
 * mean        The sum divided by the count, rounded.
 * percentile  `share` / 10,000 of the values are not larger than the result (`share` is 1 to
 *             10,000; 5000: the median). The result is the middle of a bucket, so it may differ
 *             from the recorded value by as much as the map's precision allows.
 * maximum     The percentile of 10,000.
 */
uint64_t prfdata_recorded_count(prfdata_distribution distribution);
uint64_t prfdata_recorded_sum(prfdata_distribution distribution);
uint64_t prfdata_recorded_mean(prfdata_distribution distribution);
uint64_t prfdata_recorded_percentile(prfdata_distribution distribution, uint32_t share);
uint64_t prfdata_recorded_maximum(prfdata_distribution distribution);

/* ---- Averages, timers, elapsed time ---- */

/*
 * Add to a value and to its base in one call. Between the two additions a reader may see the value
 * without its base. Then one sample shows an average that is wrong by one operation (prfdata_begin
 * prevents that).
 */
static inline void prfdata_pair_add(prfdata_pair pair, int64_t amount, int64_t base_amount)
{
    prfdata_add(pair.value, amount);
    prfdata_add(pair.base, base_amount);
}

/*
 * Count one operation of an average: `amount` is the amount of the operation (AVERAGE_BULK) or its
 * ticks (AVERAGE_TIMER).
 */
static inline void prfdata_average_add(prfdata_pair pair, int64_t amount)
{
    prfdata_pair_add(pair, amount, 1);
}

/* Read the clock of the pair's type, in its own ticks. */
uint64_t prfdata_timer_start(prfdata_pair pair);

/*
 * Count the time since `started`: add it to the value, in the type's own ticks. The base of an
 * AVERAGE_TIMER grows by one operation, and the base of a precision timer becomes the current time
 * stamp.
 */
void prfdata_timer_stop(prfdata_pair pair, uint64_t started);

/* Count a time in nanoseconds that was measured elsewhere, as prfdata_timer_stop does. */
void prfdata_timer_add_ns(prfdata_pair pair, uint64_t elapsed_ns);

/*
 * Set the start stamp of a PERF_ELAPSED_TIME counter: prfdata_elapsed_start() to the current time,
 * prfdata_elapsed_stop() to 0, which means "not started".
 */
void prfdata_elapsed_start(prfdata_handle handle);
void prfdata_elapsed_stop(prfdata_handle handle);

/* ---- Several updates that readers see together ---- */

/*
 * Begin and end a bracket around updates of one instance, or, with ..._all, around updates of
 * everything that a publisher has. Any number of threads may be inside brackets, and none waits. A
 * reader waits a little until no thread is inside, so keep the brackets short. Every begin needs
 * its end in the same process; brackets may nest. Removed instances, closed publishers, and NULL
 * are allowed.
 */
void prfdata_begin(PRFDATA_IN_OPT_ const prfdata_instance *instance);
void prfdata_end(PRFDATA_IN_OPT_ const prfdata_instance *instance);
void prfdata_begin_all(PRFDATA_INOUT_OPT_ prfdata_publisher *publisher);
void prfdata_end_all(PRFDATA_INOUT_OPT_ prfdata_publisher *publisher);

#else
#include <prfdata/disabled.h>
#endif

#ifdef __cplusplus
}
#endif

#endif
