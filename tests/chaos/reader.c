/* SPDX-License-Identifier: MIT */
/* Implements a process that reads all the time. In each of its threads:
 * - No total falls from one reading to the next.
 * - No counter of an instance falls from one reading to the next, if some process has kept the
 *   instance alive from before the first reading until after the second.
 * - An instance that some process has is shown, with all counts from before the reading.
 * - No counter shows more than was ever counted.
 * - An instance that no process can have is not shown.
 * - A gauge is CHAOS_GAUGE times a number of writers.
 * - Two readers that share no code with the provider find every reply valid.
 *
 * The rules about instances apply only some time after an instance was added or removed
 * (settling_ms()). At the end the totals are exact, except for the increments that killed processes
 * were making. */
#include "chaos/reader.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/atomic.h>

#ifdef _WIN32
#include <windows.h>
#include <winperf.h>
#endif

#include "collect/provider.h"
#include "support/must.h"
#include "support/provider/perf_reader.h"
#include "support/threads.h"
#include "system/os.h"
#include "validate/validate.h"

enum { ROOM = 256 * 1024, MOST_PRINTED = 12, MOST_THREADS = 16 };
enum { NUM_INSTANCES = 40 }; /* offset in PERF_OBJECT_TYPE */

#define FAULTS(X)                                                                                  \
    X(MALFORMED, "a reply is malformed")                                                           \
    X(FELL, "a counter of a living instance fell")                                                 \
    X(TOTAL_FELL, "a total fell")                                                                  \
    X(MISSING, "a living instance is not shown")                                                   \
    X(STALE, "a counter shows less than had been counted")                                         \
    X(TOO_MUCH, "a counter shows more than was ever counted")                                      \
    X(GHOST, "an instance is shown that no process has")                                           \
    X(GAUGE, "a gauge is not what living instances set")                                           \
    X(INEXACT, "in the end a total is not what was counted")

enum chaos_fault {
#define X(fault, text) fault,
    FAULTS(X)
#undef X
        FAULT_COUNT
};

static const char *const fault_texts[] = {
#define X(fault, text) text,
    FAULTS(X)
#undef X
};

/* ---- What writers report at a moment ---- */

typedef struct moment {
    uint64_t time_ms;
    uint64_t adds[CHAOS_KEYS];                 /* sum over all writers */
    bool is_possible[CHAOS_KEYS];              /* whether some process may have the instance */
    uint64_t lives[CHAOS_WRITERS][CHAOS_KEYS]; /* which life of the instance; 0: it is not alive */
    uint64_t here[CHAOS_WRITERS][CHAOS_KEYS];
} moment;

/* Values that are a total, or a counter without instances. */
enum { REQUESTS, HITS, JOBS, TAKEN, TOTALS };

typedef struct last_reading {
    bool has[CHAOS_KEYS];
    uint64_t value[CHAOS_KEYS];
    uint64_t began_ms[CHAOS_KEYS];
    bool has_total[TOTALS];
    uint64_t total[TOTALS];
} last_reading;

struct chaos_reading; /* The state of one thread. */

struct shared {
    chaos_log *log;
    const chaos_reader_options *options;
    prfdata_provider *provider;
    prfdata_os_lock lock; /* protects the fields below */
    unsigned threads;
    uint64_t faults[FAULT_COUNT];
    uint64_t readings, rows, witnessed, compared;
};

struct chaos_reading {
    struct shared *shared;
    unsigned thread;
    chaos_random random;
    unsigned char *room;
    perf_reply reply;
    prfdata_findings *findings;
    moment before, after;
    uint64_t since_ms[CHAOS_WRITERS][CHAOS_KEYS]; /* when this thread first saw the life */
    uint64_t lives[CHAOS_WRITERS][CHAOS_KEYS];
    uint64_t absent_ms[CHAOS_KEYS]; /* when this thread first saw that no process can have a key */
    uint64_t absent_adds[CHAOS_KEYS];
    last_reading last;
    uint64_t readings, rows, witnessed, compared;
};

static uint64_t load(const uint64_t *word)
{
    return prfdata_load64_acquire(word);
}

static void look_at_writer(const chaos_writer_log *writer, unsigned number, moment *now)
{
    const uint64_t incarnation = load(&writer->incarnation);
    const bool may_live = incarnation > load(&writer->reaped);
    const bool lives = incarnation > load(&writer->killed);

    for (int i = 0; i < CHAOS_KEYS; i++) {
        const chaos_key_log *key = &writer->keys[i];
        const uint64_t live = load(&key->live);

        now->lives[number][i] = lives && live ? incarnation << 32 | live : 0;
        now->here[number][i] = load(&key->here);
        if (may_live && load(&key->maybe))
            now->is_possible[i] = true;
        now->adds[i] += load(&key->adds);
    }
}

static void look_at_writers(const chaos_log *log, moment *now)
{
    memset(now->adds, 0, sizeof now->adds);
    memset(now->is_possible, 0, sizeof now->is_possible);
    for (unsigned i = 0; i < CHAOS_WRITERS; i++)
        look_at_writer(&log->writers[i], i, now);
    now->time_ms = prfdata_os_milliseconds();
}

/* ---- Faults ---- */

static void print_key(const struct chaos_reading *reading, int key)
{
    const chaos_log *log = reading->shared->log;

    for (unsigned i = 0; i < CHAOS_WRITERS; i++) {
        const chaos_writer_log *writer = &log->writers[i];
        const chaos_key_log *of = &writer->keys[key];

        if (load(&of->adds) == 0)
            continue;
        printf("    writer %u/%llu%s: adds %llu, maybe %llu, live %llu -> %llu, here %llu, "
               "intended %llu\n",
               i, (unsigned long long)load(&writer->incarnation),
               load(&writer->reaped) >= load(&writer->incarnation)   ? " (dead)"
               : load(&writer->killed) >= load(&writer->incarnation) ? " (dying)"
                                                                     : "",
               (unsigned long long)load(&of->adds), (unsigned long long)load(&of->maybe),
               (unsigned long long)(reading->before.lives[i][key] & UINT32_MAX),
               (unsigned long long)(reading->after.lives[i][key] & UINT32_MAX),
               (unsigned long long)load(&of->here), (unsigned long long)load(&of->count.intended));
    }
}

static void report(struct chaos_reading *reading, enum chaos_fault fault, int key, const char *what,
                   uint64_t shown, uint64_t limit)
{
    struct shared *shared = reading->shared;

    prfdata_os_lock_enter(&shared->lock);
    if (shared->faults[fault]++ < MOST_PRINTED) {
        printf("FAULT: %s: %s: %llu, limit %llu (thread %u, reading %llu, %llu to %llu ms)\n",
               fault_texts[fault], what, (unsigned long long)shown, (unsigned long long)limit,
               reading->thread, (unsigned long long)reading->readings,
               (unsigned long long)reading->before.time_ms,
               (unsigned long long)reading->after.time_ms);
        if (key >= 0)
            print_key(reading, key);
        fflush(stdout);
    }
    prfdata_os_lock_leave(&shared->lock);
}

static const char *key_text(int key)
{
    static const char *const queues[] = {"ada", "bob", "cyd", "dan", "eve"};
    static char texts[CHAOS_KEYS][16];

    if (!chaos_is_consumer(key))
        return queues[key];
    snprintf(texts[key], sizeof texts[key], "%s/%s", queues[chaos_queue_of(key)],
             queues[chaos_name_of(key)]);
    return texts[key];
}

/* ---- Collect ---- */

#ifdef _WIN32

static PM_COLLECT_PROC *collect_of_dll;
static PM_CLOSE_PROC *close_of_dll;

static void open_dll(const char *path)
{
    HMODULE module = LoadLibraryA(path);
    PM_OPEN_PROC *open_of_dll;

    MUST(module != NULL);
    open_of_dll = (PM_OPEN_PROC *)(void (*)(void))GetProcAddress(module, "PrfDataOpen");
    collect_of_dll = (PM_COLLECT_PROC *)(void (*)(void))GetProcAddress(module, "PrfDataCollect");
    close_of_dll = (PM_CLOSE_PROC *)(void (*)(void))GetProcAddress(module, "PrfDataClose");
    MUST(open_of_dll && collect_of_dll && close_of_dll);
    MUST(open_of_dll(NULL) == ERROR_SUCCESS);
}

static uint32_t collect_by_dll(const uint16_t *query, void **data, uint32_t *bytes,
                               uint32_t *objects)
{
    DWORD size = *bytes;
    DWORD count = 0;
    DWORD status = collect_of_dll((LPWSTR)query, data, &size, &count);

    *bytes = size;
    *objects = count;
    return status;
}

static void close_dll(void)
{
    MUST(close_of_dll() == ERROR_SUCCESS);
}

#else

static void open_dll(const char *path)
{
    MUST(!path);
}

static uint32_t collect_by_dll(const uint16_t *query, void **data, uint32_t *bytes,
                               uint32_t *objects)
{
    (void)query;
    (void)data;
    (void)bytes;
    (void)objects;
    MUST(false);
    return 0;
}

static void close_dll(void)
{
}

#endif

static bool is_sound(struct chaos_reading *reading)
{
    static const prfdata_validate_titles titles = {CHAOS_FIRST_COUNTER, CHAOS_LAST_COUNTER,
                                                   CHAOS_FIRST_COUNTER + 1, CHAOS_LAST_COUNTER + 1};
    const prfdata_validate_reply to_validate = {reading->reply.bytes, reading->reply.size,
                                                reading->reply.object_count};
    const char *mistake = perf_reader_mistake(&reading->reply);

    if (mistake) {
        report(reading, MALFORMED, -1, mistake, reading->reply.size, 0);
        return false;
    }
    prfdata_findings_init(reading->findings);
    MUST(!prfdata_validate_structure(&to_validate, &titles, false, reading->findings));
    for (size_t i = 0; i < reading->findings->count; i++) {
        const prfdata_findings_item *finding = &reading->findings->items[i];

        if (prfdata_rules_about(finding->rule)->severity == PRFDATA_RULE_SEVERITY_NOTE)
            continue;
        report(reading, MALFORMED, -1, finding->text, reading->reply.size, 0);
        return false;
    }
    return true;
}

static void ask(struct chaos_reading *reading, const char *text)
{
    uint16_t query[64] = {0};
    void *data = reading->room;
    uint32_t size = ROOM;
    uint32_t objects = 0;
    uint32_t status;

    for (size_t i = 0; text[i]; i++)
        query[i] = (unsigned char)text[i];
    status =
        reading->shared->options->dll
            ? collect_by_dll(query, &data, &size, &objects)
            : prfdata_provider_collect(reading->shared->provider, query, &data, &size, &objects);
    MUST(status == ERROR_SUCCESS);
    reading->reply.bytes = reading->room;
    reading->reply.size = size;
    reading->reply.object_count = objects;
}

/* ---- One key ---- */

static uint32_t key_title(int key)
{
    return chaos_is_consumer(key) ? CHAOS_CONSUMERS_TITLE : CHAOS_QUEUES_TITLE;
}

static bool key_value(const struct chaos_reading *reading, int key, uint32_t position,
                      uint64_t *value)
{
    static const char *const names[] = {"ada", "bob", "cyd", "dan", "eve"};

    return perf_reader_value(&reading->reply, key_title(key),
                             chaos_is_consumer(key) ? names[chaos_queue_of(key)] : NULL,
                             names[chaos_name_of(key)], position, value);
}

/* Returns how long the provider may still show the earlier state after an instance was added or
 * removed: until its next refresh, and some time more on a busy machine. */
static uint64_t settling_ms(const struct chaos_reading *reading)
{
    return reading->shared->options->refresh_ms + 2000;
}

/* Finds the instances that must be shown, because they were alive from before the reading until
 * after it, and for long enough. Returns how many there are. `least` gets the sum of their counts
 * from before the reading. `oldest_ms` gets the time at which this thread first saw any of them. */
static unsigned witnesses_of(const struct chaos_reading *reading, int key, uint64_t *least,
                             uint64_t *oldest_ms)
{
    unsigned count = 0;

    *least = 0;
    *oldest_ms = UINT64_MAX;
    for (unsigned i = 0; i < CHAOS_WRITERS; i++) {
        const uint64_t life = reading->before.lives[i][key];

        if (life == 0 || life != reading->after.lives[i][key] || life != reading->lives[i][key] ||
            reading->before.time_ms < reading->since_ms[i][key] + settling_ms(reading))
            continue;
        count++;
        *least += reading->before.here[i][key];
        if (reading->since_ms[i][key] < *oldest_ms)
            *oldest_ms = reading->since_ms[i][key];
    }
    return count;
}

static bool is_surely_absent(const struct chaos_reading *reading, int key)
{
    return !reading->before.is_possible[key] && !reading->after.is_possible[key] &&
           reading->before.adds[key] == reading->after.adds[key] &&
           reading->absent_adds[key] == reading->after.adds[key] && reading->absent_ms[key] &&
           reading->before.time_ms > reading->absent_ms[key] + settling_ms(reading);
}

static void validate_shown_key(struct chaos_reading *reading, int key, uint64_t value)
{
    uint64_t gauge = 0;
    uint64_t most = 0;

    for (unsigned i = 0; i < CHAOS_WRITERS; i++)
        most += load(&reading->shared->log->writers[i].keys[key].count.intended);
    if (value > most)
        report(reading, TOO_MUCH, key, key_text(key), value, most);
    if (is_surely_absent(reading, key))
        report(reading, GHOST, key, key_text(key), value, 0);
    MUST(key_value(reading, key, 1, &gauge));
    if (gauge % CHAOS_GAUGE != 0 || gauge > CHAOS_GAUGE * CHAOS_WRITERS)
        report(reading, GAUGE, key, key_text(key), gauge, CHAOS_GAUGE * CHAOS_WRITERS);
    reading->rows++;
}

static void validate_key(struct chaos_reading *reading, int key)
{
    last_reading *last = &reading->last;
    uint64_t least;
    uint64_t oldest_ms;
    const unsigned witnesses = witnesses_of(reading, key, &least, &oldest_ms);
    uint64_t value = 0;
    const bool is_shown = key_value(reading, key, 0, &value);

    if (is_shown)
        validate_shown_key(reading, key, value);
    else if (witnesses > 0)
        report(reading, MISSING, key, key_text(key), 0, least);
    if (is_shown && witnesses > 0) {
        reading->witnessed++;
        if (value < least)
            report(reading, STALE, key, key_text(key), value, least);
        /* Compare only if the instance was alive, and the provider knew its region, when the last
         * reading began. */
        if (last->has[key] && last->began_ms[key] > oldest_ms + settling_ms(reading)) {
            reading->compared++;
            if (value < last->value[key])
                report(reading, FELL, key, key_text(key), value, last->value[key]);
        }
    }
    last->has[key] = is_shown;
    last->value[key] = value;
    last->began_ms[key] = reading->before.time_ms;
}

/* Records when this thread first saw each life, and when it first saw that no process can have a
 * key. */
static void note_moments(struct chaos_reading *reading, const moment *now)
{
    for (int key = 0; key < CHAOS_KEYS; key++) {
        for (unsigned i = 0; i < CHAOS_WRITERS; i++)
            if (now->lives[i][key] != reading->lives[i][key]) {
                reading->lives[i][key] = now->lives[i][key];
                reading->since_ms[i][key] = now->time_ms;
            }
        if (now->is_possible[key] || now->adds[key] != reading->absent_adds[key]) {
            reading->absent_ms[key] = now->is_possible[key] ? 0 : now->time_ms;
            reading->absent_adds[key] = now->adds[key];
        } else if (reading->absent_ms[key] == 0) {
            reading->absent_ms[key] = now->time_ms;
        }
    }
}

/* ---- Totals ---- */

static bool total_value(const struct chaos_reading *reading, int total, uint64_t *value)
{
    switch (total) {
    case REQUESTS:
    case HITS:
        return perf_reader_value(&reading->reply, CHAOS_SERVER_TITLE, NULL, NULL,
                                 total == REQUESTS ? 0 : 1, value);
    default:
        return perf_reader_value(&reading->reply,
                                 total == JOBS ? CHAOS_QUEUES_TITLE : CHAOS_CONSUMERS_TITLE, NULL,
                                 "_Total", 0, value);
    }
}

static void total_bounds(const chaos_log *log, int total, uint64_t *least, uint64_t *most)
{
    *least = 0;
    *most = 0;
    if (total == REQUESTS || total == HITS) {
        chaos_log_sum(log,
                      total == REQUESTS ? offsetof(chaos_writer_log, requests)
                                        : offsetof(chaos_writer_log, hits),
                      least, most);
        return;
    }
    for (int i = 0; i < CHAOS_KEYS; i++) {
        uint64_t of_key[2];

        if (chaos_is_consumer(i) != (total == TAKEN))
            continue;
        chaos_log_sum(log, offsetof(chaos_writer_log, keys) + (size_t)i * sizeof(chaos_key_log),
                      &of_key[0], &of_key[1]);
        *least += of_key[0];
        *most += of_key[1];
    }
}

static const char *const total_texts[TOTALS] = {"requests", "hits", "jobs", "taken"};

static void validate_totals(struct chaos_reading *reading, bool is_final)
{
    last_reading *last = &reading->last;

    for (int i = 0; i < TOTALS; i++) {
        uint64_t value;
        uint64_t least;
        uint64_t most;

        if (!total_value(reading, i, &value)) {
            if (is_final)
                report(reading, INEXACT, -1, total_texts[i], 0, 0);
            continue;
        }
        total_bounds(reading->shared->log, i, &least, &most);
        if (last->has_total[i] && value < last->total[i])
            report(reading, TOTAL_FELL, -1, total_texts[i], value, last->total[i]);
        if (value > most)
            report(reading, TOO_MUCH, -1, total_texts[i], value, most);
        if (is_final && (value < least || value > most))
            report(reading, INEXACT, -1, total_texts[i], value, value < least ? least : most);
        if (is_final && reading->thread == 0)
            printf("total of %s: %llu, counted %llu to %llu\n", total_texts[i],
                   (unsigned long long)value, (unsigned long long)least, (unsigned long long)most);
        last->has_total[i] = true;
        last->total[i] = value;
    }
}

/* ---- Readings ---- */

static void read_once(struct chaos_reading *reading, bool is_final)
{
    static const char *const queries[] = {"Global", "Global", "Global",   "9312",
                                          "9300",   "9306",   "9300 9312"};
    const unsigned which =
        is_final ? 0 : chaos_random_below(&reading->random, sizeof queries / sizeof queries[0]);

    look_at_writers(reading->shared->log, &reading->before);
    note_moments(reading, &reading->before);
    ask(reading, queries[which]);
    look_at_writers(reading->shared->log, &reading->after);
    reading->readings++;
    if (!is_sound(reading))
        return;
    for (int i = 0; i < CHAOS_KEYS; i++)
        if (perf_reader_object(&reading->reply, key_title(i)) != SIZE_MAX)
            validate_key(reading, i);
    validate_totals(reading, is_final);
    note_moments(reading, &reading->after);
}

static void read_all_the_time(void *context)
{
    struct shared *shared = context;
    struct chaos_reading *reading = calloc(1, sizeof *reading);

    MUST(reading != NULL);
    reading->shared = shared;
    reading->room = malloc(ROOM);
    reading->findings = malloc(sizeof *reading->findings);
    MUST(reading->room && reading->findings);
    prfdata_os_lock_enter(&shared->lock);
    reading->thread = shared->threads++;
    prfdata_os_lock_leave(&shared->lock);
    reading->random.state = shared->options->seed + reading->thread;
    while (load(&shared->log->phase) != CHAOS_ENDED) {
        read_once(reading, false);
        chaos_sleep(chaos_random_below(&reading->random, 8000));
    }
    chaos_sleep((unsigned)(shared->options->refresh_ms + 500) * 1000);
    read_once(reading, false);
    chaos_sleep((unsigned)(shared->options->refresh_ms + 500) * 1000);
    read_once(reading, true);

    prfdata_os_lock_enter(&shared->lock);
    shared->readings += reading->readings;
    shared->rows += reading->rows;
    shared->witnessed += reading->witnessed;
    shared->compared += reading->compared;
    prfdata_os_lock_leave(&shared->lock);
    free(reading->findings);
    free(reading->room);
    free(reading);
}

static void open_reader(struct shared *shared)
{
    if (shared->options->dll) {
        open_dll(shared->options->dll);
        return;
    }
    MUST(!prfdata_provider_open(CHAOS_SERVICE, &shared->provider));
    prfdata_provider_set_refresh(shared->provider, shared->options->refresh_ms);
}

static void close_reader(struct shared *shared)
{
    const prfdata_provider *provider = shared->provider;

    if (shared->options->dll) {
        close_dll();
        return;
    }
    printf("torn %llu, tries %llu, broken %llu, dropped %llu\n",
           (unsigned long long)prfdata_provider_number(provider, PRFDATA_HEALTH_TORN),
           (unsigned long long)prfdata_provider_number(provider, PRFDATA_HEALTH_BRACKET_TRIES),
           (unsigned long long)prfdata_provider_number(provider, PRFDATA_HEALTH_BROKEN),
           (unsigned long long)prfdata_provider_number(provider, PRFDATA_HEALTH_TOO_MANY));
    prfdata_provider_close(shared->provider);
}

int chaos_reader_run(chaos_log *log, const chaos_reader_options *options)
{
    static struct shared shared;
    uint64_t faults = 0;

    MUST(options->threads >= 1 && options->threads <= MOST_THREADS);
    for (int i = 0; i < CHAOS_KEYS; i++)
        (void)key_text(i); /* makes all texts while there is only one thread */
    shared.log = log;
    shared.options = options;
    open_reader(&shared);
    prfdata_test_threads_run(options->threads, read_all_the_time, &shared);
    close_reader(&shared);
    printf("%llu readings, %llu rows, %llu of them must be shown, %llu compared with the reading "
           "before\n",
           (unsigned long long)shared.readings, (unsigned long long)shared.rows,
           (unsigned long long)shared.witnessed, (unsigned long long)shared.compared);
    for (int i = 0; i < FAULT_COUNT; i++) {
        faults += shared.faults[i];
        if (shared.faults[i] > 0)
            printf("%llu times: %s\n", (unsigned long long)shared.faults[i], fault_texts[i]);
    }
    return faults > 0;
}
