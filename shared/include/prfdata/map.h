/* SPDX-License-Identifier: MIT */
/*
 * Declares the map: one table of a program's performance objects and counters.
 *
 *     PRFDATA_DEFINE_OBJECT(QUEUES, 100);
 *     PRFDATA_DEFINE_COUNTER(QUEUES_JOBS, 101);
 *     PRFDATA_DEFINE_COUNTER(QUEUES_RATE, 102);
 *
 *     PRFDATA_MAP_BEGIN()
 *         PRFDATA_MAP_OBJ(QUEUES, L"My Queues", L"The queues of my service.",
 *                         PERF_DETAIL_NOVICE, QUEUES_JOBS, 16, 40)
 *             PRFDATA_MAP_TOTAL()
 *         PRFDATA_MAP_CTR(QUEUES_JOBS, L"Jobs", L"Jobs finished so far.",
 *                         PERF_DETAIL_NOVICE, 0, PERF_COUNTER_LARGE_RAWCOUNT)
 *             PRFDATA_MAP_ACCUMULATING()
 *         PRFDATA_MAP_CTR(QUEUES_RATE, L"Jobs/sec", L"Jobs finished per second.",
 *                         PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)
 *     PRFDATA_MAP_END("MyService")
 *
 * The macros and their arguments are those of Jeffrey Richter (Microsoft Systems Journal, August
 * 1998). Options that his map lacked are further macros after the object or counter to which they
 * apply (PRFDATA_MAP_TOTAL and the others below). The program chooses the ids. Title indexes,
 * region layout and PERF structures follow from the order of the table.
 *
 * The header compiles as C11 and as C++. No header of PrfData includes <windows.h>.
 */
#ifndef PRFDATA_MAP_H
#define PRFDATA_MAP_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#include <prfdata/atomic.h>
#include <prfdata/error.h>
#include <prfdata/health_numbers.h>
#include <prfdata/perf_types.h>
#include <prfdata/sal.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The limits of a map (prfdata_map_check enforces them) ---- */

#define PRFDATA_MAX_SERVICE_CHARS       80    /* length of a service's name */
#define PRFDATA_MAX_SYMBOL_CHARS        63    /* a C identifier; it becomes a key of the .ini */
#define PRFDATA_MAX_NAME_CHARS          127   /* the strictest known reader cuts longer names */
#define PRFDATA_MAX_HELP_CHARS          900   /* a line of the .ini stays below 1,024 characters */
#define PRFDATA_MAX_METRIC_CHARS        100   /* a metric's declared name, without unit */
#define PRFDATA_MAX_INSTANCES           65535 /* instances of one object */
#define PRFDATA_MAX_INSTANCE_NAME_CHARS 255   /* Microsoft's sample reader cuts longer names */
#define PRFDATA_MAX_OBJECT_BYTES        (32u * 1024 * 1024) /* an object's reply at full capacity */
#define PRFDATA_MAX_OBJECTS             256
#define PRFDATA_MAX_COUNTERS            1024           /* counters of one object */
#define PRFDATA_MAX_MAP_BYTES           (64u * 1024)   /* the encoded map in the registry */
#define PRFDATA_MAX_LANES_BYTES         (1024u * 1024) /* lanes of all hot counters in a region */
#define PRFDATA_MAX_DISTRIBUTIONS       16             /* distributions of one object */
#define PRFDATA_MAX_DISTRIBUTIONS_BYTES                                                            \
    (16u * 1024 * 1024) /* distributions of one object at full capacity */

/* The kinds of entries of the table. */
enum {
    PRFDATA_ENTRY_OBJECT = 1,
    PRFDATA_ENTRY_COUNTER = 2,
    PRFDATA_ENTRY_OPTION = 3 /* applies to the object or counter before it */
};

/* The map options. They are bits, so that a set of options fits into one word. */
enum {
    PRFDATA_OPTION_ACCUMULATING = 0x0001, /* counter: PRFDATA_MAP_ACCUMULATING */
    PRFDATA_OPTION_MERGE_MAX = 0x0002,    /* counter: PRFDATA_MAP_MERGE_MAX */
    PRFDATA_OPTION_TOTAL_MEAN = 0x0004,   /* counter: PRFDATA_MAP_TOTAL_MEAN */
    PRFDATA_OPTION_HOT = 0x0008,          /* counter: PRFDATA_MAP_HOT */
    PRFDATA_OPTION_METRIC = 0x0010,       /* counter: PRFDATA_MAP_METRIC, in `name` and `help` */
    PRFDATA_OPTION_PER_PROCESS = 0x0100,  /* object: PRFDATA_MAP_PER_PROCESS */
    PRFDATA_OPTION_TOTAL = 0x0200,        /* object: PRFDATA_MAP_TOTAL */
    PRFDATA_OPTION_COSTLY = 0x0400,       /* object: PRFDATA_MAP_COSTLY */
    PRFDATA_OPTION_PARENT = 0x0800, /* object: PRFDATA_MAP_PARENT; `id` is the id of the parent */
    PRFDATA_OPTION_DISTRIBUTION = 0x1000, /* object: PRFDATA_MAP_DISTRIBUTION; `id` is the id of the
                                             distribution */
    PRFDATA_OPTION_PERCENTILE = 0x10000,  /* counter: PRFDATA_MAP_PERCENTILE,
                                             PRFDATA_MAP_MAXIMUM; for this and the next three,
                                             `id` is the id of the distribution */
    PRFDATA_OPTION_MEAN = 0x20000,        /* counter: PRFDATA_MAP_MEAN */
    PRFDATA_OPTION_SUM = 0x40000,         /* counter: PRFDATA_MAP_SUM */
    PRFDATA_OPTION_AT_MOST = 0x80000,     /* counter: PRFDATA_MAP_AT_MOST, PRFDATA_MAP_COUNT */
    PRFDATA_OPTION_HEALTH = 0x100000      /* counter: PRFDATA_MAP_HEALTH_OF; `id` is
                                            PRFDATA_HEALTH_... */
};

/* The units of a distribution's values. */
enum {
    PRFDATA_UNIT_NUMBER = 1, /* shown as they were recorded */
    PRFDATA_UNIT_BYTES = 2,  /* shown as they were recorded */
    PRFDATA_UNIT_100NS = 3   /* times in units of 100 ns, shown in microseconds */
};

/*
 * The numbers of a service's health: PRFDATA_HEALTH_PUBLISHERS and so on, for
 * PRFDATA_MAP_HEALTH_OF. health_numbers.h says what each means.
 */
#define PRFDATA_HEALTH_CONSTANT_(id, symbol, metric, name, number, ...)                            \
    PRFDATA_HEALTH_##name = number,
/* NOLINTNEXTLINE(bugprone-macro-parentheses): PRFDATA_HEALTH_LAST is a sum of these */
#define PRFDATA_HEALTH_ONE_MORE_(...) +1
enum {
    PRFDATA_HEALTH_LAST = PRFDATA_HEALTH_NUMBERS(PRFDATA_HEALTH_ONE_MORE_, 0, 0, 0),
    PRFDATA_HEALTH_RESERVED = 15, /* later versions may have numbers up to this one */
    PRFDATA_HEALTH_NUMBERS(PRFDATA_HEALTH_CONSTANT_, 0, 0, 0)
};

/* One line of the table. The macros write it; fields that a kind does not use are 0. */
typedef struct prfdata_map_entry {
    uint32_t kind;            /* PRFDATA_ENTRY_... */
    uint32_t id;              /* of the object or counter; option: the id or number that it names */
    const char *symbol;       /* the id as the program writes it; option: the macro's name */
    const wchar_t *name;      /* English; PRFDATA_OPTION_METRIC: the metric's name */
    const wchar_t *help;      /* English; PRFDATA_OPTION_METRIC: the unit */
    uint32_t detail_level;    /* PERF_DETAIL_... */
    uint32_t default_counter; /* object: id of one of its counters */
    int32_t max_instances;    /* object: PERF_NO_INSTANCES, or 1..PRFDATA_MAX_INSTANCES */
    uint32_t max_name_chars;  /* object: longest instance name in UTF-16 code units, without NUL */
    int32_t default_scale;    /* counter: power of ten, -7..7 */
    uint32_t type;            /* counter: one of winperf.h's predefined types */
    uint32_t option;          /* option: PRFDATA_OPTION_... */
    uint64_t lowest;          /* distribution: the start of its range */
    uint64_t highest;         /* distribution: the end of its range; PRFDATA_OPTION_PERCENTILE: the
                                 share out of 10,000; PRFDATA_OPTION_AT_MOST: the bound */
    uint32_t unit;            /* distribution: PRFDATA_UNIT_... */
    uint32_t buckets_per_octave; /* distribution: 4, 8, 16 or 32 */
    uint32_t window_s;           /* distribution: 1..3,600 */
} prfdata_map_entry;

typedef struct prfdata_map {
    uint32_t entry_bytes; /* sizeof(prfdata_map_entry) when the table was compiled */
    uint32_t entry_count;
    const prfdata_map_entry *entries;
    const char *service; /* the service key's name */
} prfdata_map;

/*
 * Name an id, from 0 to 4,294,967,295. In C, gcc and clang warn with -Wpedantic about an id above
 * 2,147,483,647, because it does not fit an int.
 */
#define PRFDATA_DEFINE_OBJECT(symbol, id)       enum { symbol = (id) }
#define PRFDATA_DEFINE_COUNTER(symbol, id)      enum { symbol = (id) }
#define PRFDATA_DEFINE_DISTRIBUTION(symbol, id) enum { symbol = (id) }

/* Declares a map that PRFDATA_MAP_END_AS defines elsewhere. */
#ifdef __cplusplus
#define PRFDATA_DECLARE_MAP(map) extern "C" const prfdata_map map
#define PRFDATA_DEFINE_MAP_(map) extern "C" const prfdata_map map
#else
#define PRFDATA_DECLARE_MAP(map) extern const prfdata_map map
#define PRFDATA_DEFINE_MAP_(map) const prfdata_map map
#endif

/* The map object that PRFDATA_MAP_END defines, in a program with only one map. */
extern const prfdata_map prfdata_default_map;

#define PRFDATA_MAP_BEGIN()      PRFDATA_MAP_BEGIN_AS(prfdata_default_map)
#define PRFDATA_MAP_END(service) PRFDATA_MAP_END_AS(prfdata_default_map, service)

/* The start of a map in a program with several maps: `map` is the name of the map object. */
#define PRFDATA_MAP_BEGIN_AS(map) static const prfdata_map_entry map##_entries[] = {
#define PRFDATA_MAP_END_AS(map, service)                                                           \
    }                                                                                              \
    ;                                                                                              \
    PRFDATA_DEFINE_MAP_(map) = {sizeof(prfdata_map_entry),                                         \
                                sizeof(map##_entries) / sizeof(map##_entries[0]), map##_entries,   \
                                service};

/* One line of the table: all fields of prfdata_map_entry, in their order. */
#define PRFDATA_MAP_ENTRY_(kind, id, symbol, name, help, detail, default_counter, max_instances,   \
                           max_name_chars, scale, type, option, lowest, highest, unit, buckets,    \
                           window)                                                                 \
    {kind,  id,   symbol, name,   help,    detail, default_counter, max_instances, max_name_chars, \
     scale, type, option, lowest, highest, unit,   buckets,         window},
#define PRFDATA_MAP_OBJECT_(id, symbol, name, help, detail, counter, instances, chars)             \
    PRFDATA_MAP_ENTRY_(PRFDATA_ENTRY_OBJECT, id, symbol, name, help, detail, counter, instances,   \
                       chars, 0, 0, 0, 0, 0, 0, 0, 0)
#define PRFDATA_MAP_COUNTER_(id, symbol, name, help, detail, scale, type)                          \
    PRFDATA_MAP_ENTRY_(PRFDATA_ENTRY_COUNTER, id, symbol, name, help, detail, 0, 0, 0, scale,      \
                       type, 0, 0, 0, 0, 0, 0)
#define PRFDATA_MAP_OPTION_WITH_(option, id, symbol, name, help, argument)                         \
    PRFDATA_MAP_ENTRY_(PRFDATA_ENTRY_OPTION, id, symbol, name, help, 0, 0, 0, 0, 0, 0, option, 0,  \
                       argument, 0, 0, 0)
#define PRFDATA_MAP_OPTION_(option, id, symbol)                                                    \
    PRFDATA_MAP_OPTION_WITH_(option, id, symbol, PRFDATA_NONE_, PRFDATA_NONE_, 0)

/*
 * An object. Its options follow it, then its counters.
 *
 * id               The name that PRFDATA_DEFINE_OBJECT defined; it is also the line's symbol.
 * name, help       L"..." in English; PRFDATA_MAP_RULE_... lists the rules.
 * detail           PERF_DETAIL_NOVICE, _ADVANCED, _EXPERT or _WIZARD.
 * default_counter  The id of this object's counter that readers show first.
 * max_instances    The most instances that one program may have, 1 to PRFDATA_MAX_INSTANCES; a
 *                  region has room for all. PERF_NO_INSTANCES: the object has no instances.
 * max_name_chars   The longest instance name, 1 to PRFDATA_MAX_INSTANCE_NAME_CHARS; 0 without
 *                  instances.
 */
#define PRFDATA_MAP_OBJ(id, name, help, detail, default_counter, max_instances, max_name_chars)    \
    PRFDATA_MAP_OBJECT_((id), #id, name, help, detail, default_counter, max_instances,             \
                        max_name_chars)

/*
 * A counter of the object before it. Its options follow it.
 *
 * id             The name that PRFDATA_DEFINE_COUNTER defined. All objects, counters and
 *                distributions of a map have different ids. Never give a published counter another
 *                id.
 * name, help     As for an object. A base has them, too, but no reader shows them.
 * detail         As for an object.
 * default_scale  A power of ten, -7 to 7, by which graphs multiply the value.
 * type           A PERF_... type of winperf.h. Fractions, averages, multi timers and precision
 *                timers need their base as the next counter.
 */
#define PRFDATA_MAP_CTR(id, name, help, detail, default_scale, type)                               \
    PRFDATA_MAP_COUNTER_((id), #id, name, help, detail, default_scale, type)

/*
 * A counter of the object before it, and its base: two lines of the table.
 *
 * id       As for PRFDATA_MAP_CTR. The base has the symbol <id>_BASE and the next id, so do not use
 *          that id for anything else.
 * name     A wide string literal. The base has this name with " Base" at its end.
 * type     A fraction, an average, or another type with a base. The type of the base follows from
 *          it.
 * options  The macros of the counter's options, without commas between them. An option after this
 *          macro would apply to the base.
 *
 *     PRFDATA_MAP_CTR_AND_BASE_WITH(QUEUES_SIZE, L"Avg. Bytes/Job", L"Bytes of a job.",
 *                                   PERF_DETAIL_NOVICE, 0, PERF_AVERAGE_BULK,
 *                                   PRFDATA_MAP_HOT() PRFDATA_MAP_METRIC("job_size", "bytes"))
 */
#define PRFDATA_MAP_CTR_AND_BASE(id, name, help, detail, default_scale, type)                      \
    PRFDATA_MAP_COUNTER_((id), #id, name, help, detail, default_scale, type)                       \
    PRFDATA_MAP_BASE_(+(id) + 1, #id "_BASE", name, type)
#define PRFDATA_MAP_CTR_AND_BASE_WITH(id, name, help, detail, default_scale, type, options)        \
    PRFDATA_MAP_COUNTER_((id), #id, name, help, detail, default_scale, type)                       \
    options PRFDATA_MAP_BASE_(+(id) + 1, #id "_BASE", name, type)
#define PRFDATA_MAP_BASE_(id, symbol, name, type)                                                  \
    PRFDATA_MAP_COUNTER_(id, symbol, name L" Base", L"The base of the counter before it.",         \
                         PERF_DETAIL_NOVICE, 0, PRFDATA_MAP_BASE_TYPE_(type))
/* The base's type. For a `type` without a base: PERF_AVERAGE_BASE, which the check refuses. */
#define PRFDATA_MAP_BASE_TYPE_(type)                                                               \
    ((type) == PERF_RAW_FRACTION ? PERF_RAW_BASE                                                   \
     : (type) == PERF_LARGE_RAW_FRACTION || (type) == PERF_PRECISION_SYSTEM_TIMER ||               \
             (type) == PERF_PRECISION_100NS_TIMER || (type) == PERF_PRECISION_OBJECT_TIMER         \
         ? PERF_LARGE_RAW_BASE                                                                     \
     : (type) == PERF_SAMPLE_FRACTION || (type) == PERF_SAMPLE_COUNTER ? PERF_SAMPLE_BASE          \
     : (type) == PERF_COUNTER_MULTI_TIMER || (type) == PERF_COUNTER_MULTI_TIMER_INV ||             \
             (type) == PERF_100NSEC_MULTI_TIMER || (type) == PERF_100NSEC_MULTI_TIMER_INV          \
         ? PERF_COUNTER_MULTI_BASE                                                                 \
         : PERF_AVERAGE_BASE)

/*
 * After a counter of a RAWCOUNT, HEX or RAW_FRACTION type: its value only grows, and the counts of
 * ended processes stay in it. For a fraction, the option applies to the base as well.
 */
#define PRFDATA_MAP_ACCUMULATING()                                                                 \
    PRFDATA_MAP_OPTION_(PRFDATA_OPTION_ACCUMULATING, 0, "PRFDATA_MAP_ACCUMULATING")
/*
 * After a RAWCOUNT or HEX counter: readers see the largest value of all processes instead of the
 * sum.
 */
#define PRFDATA_MAP_MERGE_MAX()                                                                    \
    PRFDATA_MAP_OPTION_(PRFDATA_OPTION_MERGE_MAX, 0, "PRFDATA_MAP_MERGE_MAX")
/*
 * After a RAWCOUNT or HEX counter of an object with PRFDATA_MAP_TOTAL: `_Total` shows the rounded
 * mean of the instances, not their sum. For gauges whose sum means nothing, such as percentages.
 */
#define PRFDATA_MAP_TOTAL_MEAN()                                                                   \
    PRFDATA_MAP_OPTION_(PRFDATA_OPTION_TOTAL_MEAN, 0, "PRFDATA_MAP_TOTAL_MEAN")
/*
 * After a counter: its name in Prometheus, OpenTelemetry and similar systems, and the unit of its
 * values. Both are plain string literals:
 *
 *     PRFDATA_MAP_CTR(QUEUES_JOBS, L"Jobs/sec", ...)
 *         PRFDATA_MAP_METRIC("queue_jobs_finished", "")
 *
 * metric  Lower-case letters, digits and underscores, at most PRFDATA_MAX_METRIC_CHARS. The unit is
 *         appended, and "_total" if the counter only grows.
 * unit    "seconds", "bytes", "ratio", "celsius", "volts", "amperes", "watts", "joules", "hertz",
 *         "meters", "grams" or "". Or "milliseconds", "microseconds", "nanoseconds", "kibibytes",
 *         "mebibytes" or "percent": those systems get such values as seconds, bytes or ratios. For
 *         a timer only "seconds" and "" are valid, for a fraction only "ratio" and "".
 *
 * Without this macro, the name comes from the service and the counter's symbol. The map's hash does
 * not include the names of metrics, so a metric may be renamed at any time.
 */
#define PRFDATA_MAP_METRIC(metric, unit)                                                           \
    PRFDATA_MAP_OPTION_WITH_(PRFDATA_OPTION_METRIC, 0, "PRFDATA_MAP_METRIC",                       \
                             PRFDATA_WIDE_(metric), PRFDATA_WIDE_(unit), 0)
#define PRFDATA_WIDE_(literal)         PRFDATA_WIDE_LITERAL_(literal)
#define PRFDATA_WIDE_LITERAL_(literal) L##literal
/*
 * After a counter that accumulates: many threads can count it at the same time without slowing each
 * other down. Each adds to one of several lanes, and readers sum the lanes. A hot counter takes 264
 * bytes per instance. From two on, their number in an object is rounded up to an even number. They
 * take at least 4,224 bytes per object, and at most PRFDATA_MAX_LANES_BYTES in all objects of a
 * map. A base that accumulates is hot if its counter is. Do not mark counters that a single thread
 * counts, or that few threads count rarely, because readers need longer for a hot one.
 */
#define PRFDATA_MAP_HOT() PRFDATA_MAP_OPTION_(PRFDATA_OPTION_HOT, 0, "PRFDATA_MAP_HOT")
/* After an object with instances: every instance name gets `_<process id>`. */
#define PRFDATA_MAP_PER_PROCESS()                                                                  \
    PRFDATA_MAP_OPTION_(PRFDATA_OPTION_PER_PROCESS, 0, "PRFDATA_MAP_PER_PROCESS")
/*
 * After an object with instances: the provider adds `_Total`. While a reader runs, accumulating
 * counters of `_Total` do not fall, unless -Reset sets counts to zero.
 */
#define PRFDATA_MAP_TOTAL() PRFDATA_MAP_OPTION_(PRFDATA_OPTION_TOTAL, 0, "PRFDATA_MAP_TOTAL")
/*
 * After an object: the object is costly. Readers get it if they ask for its index or for "Costly",
 * but not if they ask for "Global". Its child objects must be costly, too, because a reply with
 * children includes their parents.
 */
#define PRFDATA_MAP_COSTLY() PRFDATA_MAP_OPTION_(PRFDATA_OPTION_COSTLY, 0, "PRFDATA_MAP_COSTLY")
/*
 * After an object with instances: its instances may have parents, which are instances of `object`,
 * an earlier object of the map.
 */
#define PRFDATA_MAP_PARENT(object)                                                                 \
    PRFDATA_MAP_OPTION_(PRFDATA_OPTION_PARENT, (object), "PRFDATA_MAP_PARENT")

/*
 * ---- Distributions: percentiles and other statistics of recent values ----
 *
 *     PRFDATA_MAP_OBJ(QUEUES, ...)
 *         PRFDATA_MAP_DISTRIBUTION(QUEUES_LATENCY, PRFDATA_UNIT_100NS, 10, 600000000)
 *     PRFDATA_MAP_CTR(QUEUES_P99, L"Latency p99", L"99 % of the jobs of the last minute took at "
 *                     L"most this many microseconds.", PERF_DETAIL_NOVICE, 0,
 *                     PERF_COUNTER_LARGE_RAWCOUNT)
 *         PRFDATA_MAP_PERCENTILE(QUEUES_LATENCY, 9900)
 *
 * The program records values (prfdata_record); counters show their statistics. See
 * docs/distributions.md.
 */

/*
 * After an object, before its counters: each of its instances keeps a distribution; an object
 * without instances keeps one itself.
 *
 * id                  Defined with PRFDATA_DEFINE_DISTRIBUTION; no object or counter may have the
 *                     same id.
 * unit                PRFDATA_UNIT_...
 * lowest, highest     The range, up to 2^63 - 1. A value beyond the range counts as its nearer end.
 * buckets_per_octave  4, 8, 16 or 32: values are shown within 12.5, 6.25, 3.2 or 1.6 %.
 * window_s            The length in seconds of the window that counters show: 1 to 3,600.
 */
#define PRFDATA_MAP_DISTRIBUTION_WITH(id, unit, lowest, highest, buckets_per_octave, window_s)     \
    PRFDATA_MAP_ENTRY_(PRFDATA_ENTRY_OPTION, (id), "PRFDATA_MAP_DISTRIBUTION", PRFDATA_NONE_,      \
                       PRFDATA_NONE_, 0, 0, 0, 0, 0, 0, PRFDATA_OPTION_DISTRIBUTION, lowest,       \
                       highest, unit, buckets_per_octave, window_s)
/* Declare a distribution whose values are shown within 6.25 %, for the last minute. */
#define PRFDATA_MAP_DISTRIBUTION(id, unit, lowest, highest)                                        \
    PRFDATA_MAP_DISTRIBUTION_WITH(id, unit, lowest, highest, 8, 60)

#define PRFDATA_MAP_SHOW_(option, distribution, argument, symbol)                                  \
    PRFDATA_MAP_OPTION_WITH_(option, (distribution), symbol, PRFDATA_NONE_, PRFDATA_NONE_, argument)

/*
 * After a RAWCOUNT counter: it shows a percentile of the values in the distribution's window (one
 * minute by default). `share` is in units of 1/10,000, from 1 to 10,000: 5000 is the median, 9990
 * is p99.9. The percentile of no values is 0.
 */
#define PRFDATA_MAP_PERCENTILE(distribution, share)                                                \
    PRFDATA_MAP_SHOW_(PRFDATA_OPTION_PERCENTILE, distribution, share, "PRFDATA_MAP_PERCENTILE")
/* After a RAWCOUNT counter: it shows the largest value in the distribution's window. */
#define PRFDATA_MAP_MAXIMUM(distribution)                                                          \
    PRFDATA_MAP_SHOW_(PRFDATA_OPTION_PERCENTILE, distribution, 10000, "PRFDATA_MAP_MAXIMUM")
/*
 * After a PERF_AVERAGE_BULK counter, before its base: the counter shows the mean over the reader's
 * interval. After a RAWCOUNT counter: it shows the mean of the values in the distribution's window.
 */
#define PRFDATA_MAP_MEAN(distribution)                                                             \
    PRFDATA_MAP_SHOW_(PRFDATA_OPTION_MEAN, distribution, 0, "PRFDATA_MAP_MEAN")
/*
 * PRFDATA_MAP_COUNT shows the number of values, _AT_MOST the number of values up to `bound`, and
 * _SUM the sum of the values. After a RAWCOUNT counter, they cover the values in the distribution's
 * window. After a rate or difference, or with PRFDATA_MAP_ACCUMULATING, they cover all recorded
 * values.
 */
#define PRFDATA_MAP_COUNT(distribution)                                                            \
    PRFDATA_MAP_SHOW_(PRFDATA_OPTION_AT_MOST, distribution, UINT64_MAX, "PRFDATA_MAP_COUNT")
#define PRFDATA_MAP_AT_MOST(distribution, bound)                                                   \
    PRFDATA_MAP_SHOW_(PRFDATA_OPTION_AT_MOST, distribution, bound, "PRFDATA_MAP_AT_MOST")
#define PRFDATA_MAP_SUM(distribution)                                                              \
    PRFDATA_MAP_SHOW_(PRFDATA_OPTION_SUM, distribution, 0, "PRFDATA_MAP_SUM")

/*
 * The usual counters of a distribution: median, 95th and 99th percentile, largest value, mean of
 * the reader's interval with its base, and values per second.
 *
 * id            The id of the median. The other counters have the next six ids, so do not use id +
 *               1 to id + 6 for anything else. The symbols of all seven are <id>_P50, _P95, _P99,
 *               _MAX, _MEAN, _MEAN_BASE and _RATE.
 * distribution  The id of a distribution of the object.
 * title         A wide string literal: the beginning of the counters' names. It says the unit:
 *               L"Time us".
 * detail        As for an object.
 */
#define PRFDATA_MAP_DISTRIBUTION_CTRS(id, distribution, title, detail)                             \
    PRFDATA_MAP_COUNTER_((id), #id "_P50", title L" p50",                                          \
                         L"Half of the most recent values are at most this.", detail, 0,           \
                         PERF_COUNTER_LARGE_RAWCOUNT)                                              \
    PRFDATA_MAP_PERCENTILE(distribution, 5000)                                                     \
    PRFDATA_MAP_COUNTER_(+(id) + 1, #id "_P95", title L" p95",                                     \
                         L"95 % of the most recent values are at most this.", detail, 0,           \
                         PERF_COUNTER_LARGE_RAWCOUNT)                                              \
    PRFDATA_MAP_PERCENTILE(distribution, 9500)                                                     \
    PRFDATA_MAP_COUNTER_(+(id) + 2, #id "_P99", title L" p99",                                     \
                         L"99 % of the most recent values are at most this.", detail, 0,           \
                         PERF_COUNTER_LARGE_RAWCOUNT)                                              \
    PRFDATA_MAP_PERCENTILE(distribution, 9900)                                                     \
    PRFDATA_MAP_COUNTER_(+(id) + 3, #id "_MAX", title L" Max",                                     \
                         L"The largest of the most recent values.", detail, 0,                     \
                         PERF_COUNTER_LARGE_RAWCOUNT)                                              \
    PRFDATA_MAP_MAXIMUM(distribution)                                                              \
    PRFDATA_MAP_COUNTER_(+(id) + 4, #id "_MEAN", title L" Mean",                                   \
                         L"The mean of the values since the last sample.", detail, 0,              \
                         PERF_AVERAGE_BULK)                                                        \
    PRFDATA_MAP_MEAN(distribution)                                                                 \
    PRFDATA_MAP_BASE_(+(id) + 5, #id "_MEAN_BASE", title L" Mean", PERF_AVERAGE_BULK)              \
    PRFDATA_MAP_COUNTER_(+(id) + 6, #id "_RATE", title L" Values/sec", L"Values per second.",      \
                         detail, 0, PERF_COUNTER_BULK_COUNT)                                       \
    PRFDATA_MAP_COUNT(distribution)

/*
 * ---- The service's health: counters for an operator's alerts ----
 *
 *     PRFDATA_DEFINE_OBJECT(QUEUES_HEALTH, 900);
 *
 *     PRFDATA_MAP_HEALTH(QUEUES_HEALTH, L"My Queues", "queues")
 *
 * adds an object, "My Queues Health", with the counters of health_numbers.h. No program counts
 * them. The provider fills them in, in the process of each reader. docs/events.md has their list.
 */

/*
 * An object without instances, with all numbers of health. Use it once in a map.
 *
 * id      Its counters have the next ids. Do not use id + 1 to id + 15 for anything else, because
 *         those beyond id + PRFDATA_HEALTH_LAST are reserved for later versions.
 * title   A wide string literal: the beginning of the object's name.
 * metric  A string literal: the beginning of the counters' names in other systems; see
 *         PRFDATA_MAP_METRIC.
 */
#define PRFDATA_MAP_HEALTH(id, title, metric)                                                      \
    PRFDATA_MAP_OBJ(id, title L" Health",                                                          \
                    L"What readers know of the programs that publish the counters of this "        \
                    L"service, and of their own reading.",                                         \
                    PERF_DETAIL_NOVICE, +(id) + PRFDATA_HEALTH_PUBLISHERS, PERF_NO_INSTANCES, 0)   \
    PRFDATA_HEALTH_NUMBERS(PRFDATA_MAP_HEALTH_COUNTER_, id, #id, metric)

#define PRFDATA_MAP_HEALTH_COUNTER_(id, symbol, metric, name, number, word, title, ending, unit,   \
                                    kind, whose, help, ...)                                        \
    PRFDATA_MAP_COUNTER_(+(id) + (number), symbol "_" #name, title, help, PERF_DETAIL_NOVICE, 0,   \
                         PERF_COUNTER_LARGE_RAWCOUNT)                                              \
    PRFDATA_MAP_HEALTH_OF(number)                                                                  \
    PRFDATA_MAP_HEALTH_##kind##_ PRFDATA_MAP_METRIC(metric "_health_" ending, unit)
#define PRFDATA_MAP_HEALTH_GROWS_ PRFDATA_MAP_ACCUMULATING()
#define PRFDATA_MAP_HEALTH_VARIES_

/*
 * After a RAWCOUNT counter: it shows one number of the service's health, such as
 * PRFDATA_HEALTH_PUBLISHERS. Use this macro instead of PRFDATA_MAP_HEALTH to choose and name the
 * counters yourself. All counters of the object must have this option, and the object must have no
 * instances.
 */
#define PRFDATA_MAP_HEALTH_OF(number)                                                              \
    PRFDATA_MAP_OPTION_(PRFDATA_OPTION_HEALTH, number, "PRFDATA_MAP_HEALTH_OF")

/* The rules of a map. Each comment says what breaks the rule. */
typedef enum prfdata_map_rule {
    PRFDATA_MAP_RULE_NONE = 0,
    PRFDATA_MAP_RULE_MAP,           /* NULL, other entry size, unknown entry kind; NULL symbol,
                                   name or help */
    PRFDATA_MAP_RULE_SERVICE_NAME,  /* not [A-Za-z0-9][A-Za-z0-9 ._-]{0,79}; ends with . or blank,
                                   .ini or .h; or is a device name */
    PRFDATA_MAP_RULE_NO_OBJECT,     /* the map has no object */
    PRFDATA_MAP_RULE_TOO_MANY,      /* more than PRFDATA_MAX_OBJECTS or _COUNTERS */
    PRFDATA_MAP_RULE_COUNTER_FIRST, /* a counter before any object */
    PRFDATA_MAP_RULE_NO_COUNTER,    /* an object without counters */
    PRFDATA_MAP_RULE_SYMBOL, /* not a C identifier of 1..63 characters; a keyword of C or C++, or a
                                name that one of them reserves (_x, x__y); a name that begins with
                                PRFDATA_, ignoring case; or equal to another ignoring case, because
                                the .ini's keys are made from symbols */
    PRFDATA_MAP_RULE_DUPLICATE_ID,    /* the id was used before */
    PRFDATA_MAP_RULE_NAME_LENGTH,     /* empty, or over PRFDATA_MAX_NAME_CHARS */
    PRFDATA_MAP_RULE_NAME_CHARACTERS, /* objects: \ ( ) / # *; counters: \ ( ) # *; both: control
                                     characters, lone surrogates, blank or quote at an end */
    PRFDATA_MAP_RULE_DUPLICATE_NAME,  /* two objects, or two counters of one object, have the same
                                         name, ignoring case; the names of bases are free, because
                                         no reader shows them */
    PRFDATA_MAP_RULE_WMI_NAME,        /* the name that WMI derives is empty or taken: by another
                                         name, by <name>_Base of another counter or, for a counter,
                                         by a property that every class has (Name, Caption ...) */
    PRFDATA_MAP_RULE_HELP_LENGTH,     /* empty, or over PRFDATA_MAX_HELP_CHARS */
    PRFDATA_MAP_RULE_HELP_CHARACTERS, /* control characters, lone surrogates, blank or quote at an
                                     end */
    PRFDATA_MAP_RULE_DETAIL_LEVEL,    /* not one of PERF_DETAIL_... */
    PRFDATA_MAP_RULE_SCALE,           /* not -7..7 */
    PRFDATA_MAP_RULE_DEFAULT_COUNTER, /* not in this object, a base, or PERF_COUNTER_NODATA */
    PRFDATA_MAP_RULE_CAPACITY,        /* 0, below -1, over PRFDATA_MAX_INSTANCES, or the reply
                                     would exceed PRFDATA_MAX_OBJECT_BYTES */
    PRFDATA_MAP_RULE_INSTANCE_NAME,   /* with instances: max_name_chars is 0 or over 255; over 244
                                     with PRFDATA_MAP_PER_PROCESS, which appends up to 11 */
    PRFDATA_MAP_RULE_UNKNOWN_TYPE,    /* not a predefined type */
    PRFDATA_MAP_RULE_TYPE_NOT_YET,    /* PERF_COUNTER_TEXT, PERF_COUNTER_HISTOGRAM_TYPE */
    PRFDATA_MAP_RULE_BASE_MISSING,    /* a counter's base does not follow it directly */
    PRFDATA_MAP_RULE_BASE_ALONE,      /* a base that does not follow its counter */
    PRFDATA_MAP_RULE_SINGLE_INVERSE,  /* a single inverse timer without PRFDATA_MAP_PER_PROCESS, or
                                     with PRFDATA_MAP_TOTAL: it cannot be merged */
    PRFDATA_MAP_RULE_OPTION, /* an option in a place where it has no meaning, twice, or next to an
                                option that excludes it */
    PRFDATA_MAP_RULE_METRIC_NAME,  /* of PRFDATA_MAP_METRIC: not [a-z][a-z0-9_]{0,99}, has `__`,
                                      begins with prfread_, or ends with `_`, total, count, sum,
                                      bucket, created, info, gcount or gsum */
    PRFDATA_MAP_RULE_METRIC_UNIT,  /* of PRFDATA_MAP_METRIC: unknown, or not the unit of the type */
    PRFDATA_MAP_RULE_METRIC_TAKEN, /* an earlier counter's metric already has this name, declared or
                                      made from its symbol */
    PRFDATA_MAP_RULE_PARENT,       /* not an earlier object with instances */
    PRFDATA_MAP_RULE_COSTLY_PARENT, /* the parent is costly, and the object is not */
    PRFDATA_MAP_RULE_LANES,         /* with this object, hot counters take more than
                                   PRFDATA_MAX_LANES_BYTES */
    PRFDATA_MAP_RULE_DISTRIBUTION,  /* its unit, range, precision or window is invalid; or there are
                                       more than PRFDATA_MAX_DISTRIBUTIONS */
    PRFDATA_MAP_RULE_DISTRIBUTION_BYTES, /* the object's distributions up to this one take more
                                            than PRFDATA_MAX_DISTRIBUTIONS_BYTES */
    PRFDATA_MAP_RULE_SHOWN,              /* the object has no such distribution, or the share is not
                                     1..10,000 */
    PRFDATA_MAP_RULE_HEALTH,    /* not a PRFDATA_HEALTH_... number; or the object has other counters
                                or instances; or an earlier object shows health */
    PRFDATA_MAP_RULE_TOO_LARGE, /* encoded, the map exceeds PRFDATA_MAX_MAP_BYTES */
    PRFDATA_MAP_RULE_NO_MEMORY  /* memory is exhausted, so the map was not checked */
} prfdata_map_rule;

typedef struct prfdata_map_mistake {
    prfdata_map_rule rule;
    uint32_t entry_index; /* the line of the table, from 0; entry_count: the whole map */
    uint32_t other_index; /* the earlier line that it conflicts with; entry_count: none */
    uint32_t id; /* id of the object or counter (for an option: the one that it follows); 0 for the
                    whole map */
    const char *symbol;     /* borrowed from the map; "" for the whole map */
    const wchar_t *name;    /* borrowed from the map; L"" if it has none */
    const prfdata_map *map; /* the checked map, borrowed */
} prfdata_map_mistake;

/*
 * Find every mistake in `map`.
 *
 * mistakes  Gets the first `capacity` mistakes in the order of the table; may be NULL if capacity
 *           is 0. Borrows from the map.
 *
 * Returns the number of mistakes, which may exceed `capacity`; 0 means that the map is valid.
 * Threads: any.
 */
size_t prfdata_map_check(PRFDATA_IN_ const prfdata_map *map,
                         PRFDATA_OUT_WRITES_OPT_(capacity) prfdata_map_mistake *mistakes,
                         size_t capacity);

/*
 * Describe a mistake in one sentence: symbol, id, name, what is wrong, often what to do. UTF-8.
 *
 * text  Gets at most `capacity` bytes with the NUL. A longer sentence is cut between characters.
 * Returns the length in bytes of the whole sentence, without the NUL.
 */
size_t prfdata_map_mistake_text(PRFDATA_IN_ const prfdata_map_mistake *mistake,
                                PRFDATA_OUT_TEXT_OPT_(capacity) char *text, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
