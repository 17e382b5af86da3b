/* SPDX-License-Identifier: MIT */
/*
 * Writes the messages that say whether readers see a program, and why not. The texts are in this
 * file and in program_events.h.
 */
#include "client/status.h"

#include <stdio.h>
#include <string.h>

#include <prfdata/atomic.h>

#include "base/utf8.h"
#include "system/os_report.h"

enum { PROGRAM_BYTES = 512, DETAIL_BYTES = PRFDATA_STATUS_BYTES };

typedef struct reason_text {
    prfdata_reason reason;
    bool is_event;
    bool is_warning;
    const char *text; /* %1 the service or map file, %2 the detail, %3 the error */
} reason_text;

enum { SEVERITY_INFORMATION, SEVERITY_WARNING };

static const reason_text reason_texts[] = {
    {PRFDATA_REASON_PUBLISHED, false, false, "The performance counters of %1 are published: %2."},
    {PRFDATA_REASON_CLOSED, false, false,
     "The program closed its performance counters of %1: %2. Open them again to publish them."},
    {PRFDATA_REASON_CAPACITY, false, true,
     "A program does not count the performance counters of %1, because a capacity that it passed "
     "to prfdata_open_with is 0, exceeds the maximum in the map, or is for an object without "
     "instances: %2. Correct the call."},
    {PRFDATA_REASON_MAP_FILE, false, true,
     "A program does not count the performance counters of the map file %1, because of its %2. "
     "Correct the file."},
    {PRFDATA_REASON_MAP_FILE_UNREADABLE, false, true,
     "A program does not count the performance counters of the map file %1, because it cannot read "
     "the file (error %3): %2."},
    {PRFDATA_REASON_PRIVATE, false, false,
     "A program counts the performance counters of %1 in private memory, because it called "
     "prfdata_set_private: %2."},
#define ROW(name, number, severity, detail, statement, advice)                                     \
    {PRFDATA_REASON_##name, true, SEVERITY_##severity == SEVERITY_WARNING, statement " " advice},
    PRFDATA_PROGRAM_EVENTS(ROW)
#undef ROW
};

static struct {
    prfdata_os_lock lock; /* protects the fields below */
    uint32_t error;
    char text[PRFDATA_STATUS_BYTES];
} last_failure;

prfdata_reason prfdata_status_reason(uint32_t error)
{
    switch (error) {
    case ERROR_SUCCESS:
        return PRFDATA_REASON_PUBLISHED;
    case ERROR_FILE_NOT_FOUND:
        return PRFDATA_REASON_PROGRAM_NOT_INSTALLED;
    case ERROR_REVISION_MISMATCH:
        return PRFDATA_REASON_PROGRAM_MAP_OTHER;
    case ERROR_SERVICE_DISABLED:
        return PRFDATA_REASON_PROGRAM_SWITCHED_OFF;
    case ERROR_ACCESS_DENIED:
        return PRFDATA_REASON_PROGRAM_DENIED;
    case ERROR_DISK_FULL:
        return PRFDATA_REASON_PROGRAM_DISK_FULL;
    case ERROR_INVALID_DATA:
        return PRFDATA_REASON_PROGRAM_FOLDER_WRONG;
    case ERROR_NOT_ENOUGH_QUOTA:
        return PRFDATA_REASON_PROGRAM_TOO_MANY;
    case ERROR_TIMEOUT:
        return PRFDATA_REASON_PROGRAM_IN_DLLMAIN;
    case ERROR_NOT_READY:
        return PRFDATA_REASON_PROGRAM_BOOT_UNKNOWN;
    case ERROR_NOT_ENOUGH_MEMORY:
        return PRFDATA_REASON_PROGRAM_NO_MEMORY;
    default:
        return PRFDATA_REASON_PROGRAM_FAILED;
    }
}

static const reason_text *find_reason(prfdata_reason reason)
{
    size_t i = 0;

    while (reason_texts[i].reason != reason)
        i++;
    return &reason_texts[i];
}

typedef struct sentence_text {
    char *bytes;
    size_t capacity;
    size_t used; /* less than the capacity, unless the capacity is 0 */
} sentence_text;

static void append_sentence(sentence_text *out, const char *text)
{
    const size_t room = out->capacity > out->used ? out->capacity - out->used - 1 : 0;
    const size_t taken = prfdata_utf8_fit(text, strlen(text), room);

    if (out->capacity == 0)
        return;
    memcpy(out->bytes + out->used, text, taken);
    out->used += taken;
    out->bytes[out->used] = 0;
    if (text[taken])
        out->capacity = out->used + 1; /* the text is cut here, and nothing may follow */
}

static void make_sentence(prfdata_reason reason, const char *service, const char *detail,
                          uint32_t error, char *text, size_t capacity)
{
    const char *const template = find_reason(reason)->text;
    sentence_text out = {text, capacity, 0};
    char code[16];

    snprintf(code, sizeof code, "%u", (unsigned)error);
    append_sentence(&out, "");
    for (const char *c = template; *c; c++) {
        const char plain[2] = {*c, 0};

        if (*c != '%') {
            append_sentence(&out, plain);
            continue;
        }
        c++;
        append_sentence(&out, *c == '1' ? service : *c == '2' ? detail : code);
    }
}

/*
 * Writes the path of this program and its process id, then `between`, then `more`, which is the
 * name of the region's file, or the mistake in the map.
 */
static void make_detail(const char *between, const char *more, char *detail)
{
    char path[PROGRAM_BYTES];
    char process[32];
    sentence_text out = {detail, DETAIL_BYTES, 0};

    prfdata_os_program_path(path, sizeof path);
    snprintf(process, sizeof process, " (process %u)", (unsigned)prfdata_os_process_id());
    append_sentence(&out, path[0] ? path : "a program");
    append_sentence(&out, process);
    append_sentence(&out, between);
    append_sentence(&out, more);
}

static void write_reason_event(const char *service, prfdata_reason reason, const char *detail,
                               uint32_t error)
{
    const reason_text *found = find_reason(reason);
    const prfdata_os_event event = {(uint32_t)reason, found->is_warning, service, detail, error};

    if (found->is_event)
        prfdata_os_event_write(&event);
}

void prfdata_status_report_event(const char *service, prfdata_reason reason, uint32_t error)
{
    char detail[DETAIL_BYTES];

    make_detail("", "", detail);
    write_reason_event(service, reason, detail, error);
}

/*
 * Find the reason why the map or an argument is invalid; `mistake` gets the first mistake, without
 * the full stop.
 */
static prfdata_reason look_for_mistake(const prfdata_map *map, char *mistake, size_t capacity)
{
    prfdata_map_mistake first;

    if (prfdata_map_check(map, &first, 1) == 0)
        return PRFDATA_REASON_CAPACITY;
    prfdata_map_mistake_text(&first, mistake, capacity);
    if (mistake[0] && mistake[strlen(mistake) - 1] == '.')
        mistake[strlen(mistake) - 1] = 0;
    return first.rule == PRFDATA_MAP_RULE_NO_MEMORY ? PRFDATA_REASON_PROGRAM_NO_MEMORY
                                                    : PRFDATA_REASON_PROGRAM_MAP_WRONG;
}

/* The service of a map that may be invalid; "" if it has none. */
static const char *service_of(const prfdata_map *map)
{
    return map && map->entry_bytes == sizeof(prfdata_map_entry) && map->service ? map->service : "";
}

/* Stores the failure for prfdata_status(NULL), and reports it to the debugger. */
static void keep_failure(prfdata_reason reason, const char *subject, const char *detail,
                         uint32_t error)
{
    char text[PRFDATA_STATUS_BYTES] = "";

    make_sentence(reason, subject, detail, error, text, sizeof text - 1);
    prfdata_os_lock_enter(&last_failure.lock);
    last_failure.error = error;
    memcpy(last_failure.text, text, sizeof text);
    prfdata_os_lock_leave(&last_failure.lock);
    text[strlen(text) + 1] = 0;
    text[strlen(text)] = '\n';
    prfdata_os_debug_output(text);
}

void prfdata_status_report_failure(const prfdata_map *map, uint32_t error)
{
    prfdata_reason reason = prfdata_status_reason(error);
    char mistake[PRFDATA_STATUS_BYTES - PROGRAM_BYTES] = "";
    char detail[DETAIL_BYTES];

    if (error == ERROR_INVALID_PARAMETER)
        reason = look_for_mistake(map, mistake, sizeof mistake);
    make_detail(mistake[0] ? ": " : "", mistake, detail);
    keep_failure(reason, service_of(map), detail, error);
    write_reason_event(service_of(map), reason, detail, error);
}

void prfdata_status_report_file(const char *path, const char *mistake, uint32_t error)
{
    char detail[DETAIL_BYTES];

    if (mistake[0]) {
        keep_failure(PRFDATA_REASON_MAP_FILE, path, mistake, error);
        return;
    }
    make_detail("", "", detail);
    keep_failure(PRFDATA_REASON_MAP_FILE_UNREADABLE, path, detail, error);
}

enum { MOST_LOOKUP_REPORTS = 32 };

/*
 * The object of the counter or distribution with this id; NULL if there is none. `symbol` gets the
 * counter's symbol; "" if no counter has this id.
 */
static const prfdata_model_object *find_looked_up(const prfdata_model *model, uint32_t id,
                                                  const char **symbol)
{
    const prfdata_model_object *object = NULL;
    const prfdata_model_counter *counter = prfdata_model_find_counter(model, id, &object);

    *symbol = counter ? counter->entry->symbol : "";
    if (!counter && !prfdata_model_find_distribution(model, id, &object))
        return NULL;
    return object;
}

static const char *lookup_cause(const prfdata_model_object *object, uint32_t error)
{
    if (!object)
        return "the map has no counter and no distribution with this id";
    if (error == ERROR_NOT_SUPPORTED)
        return "programs do not count it, because it shows a distribution or the service's health, "
               "or it has neither a base nor a clock";
    if (error == ERROR_INVALID_PARAMETER)
        return object->has_instances ? "it needs an instance of its object and of this publisher"
                                     : "its object has no instances, so pass none";
    return "its instance was removed or could not be added, or it has no data";
}

/* Append " The look-up of QUEUES_JOBS (id 101) failed ...". */
static void append_lookup(sentence_text *out, const prfdata_publisher *publisher, uint64_t lookup)
{
    const uint32_t id = (uint32_t)(lookup >> 32);
    const uint32_t error = (uint32_t)lookup;
    const char *symbol;
    const prfdata_model_object *object = find_looked_up(publisher->model, id, &symbol);
    char numbers[64];

    append_sentence(out, " The look-up of ");
    append_sentence(out, symbol[0] ? symbol : "a counter or distribution");
    snprintf(numbers, sizeof numbers, " (id %u) failed with error %u, because ", (unsigned)id,
             (unsigned)error);
    append_sentence(out, numbers);
    append_sentence(out, lookup_cause(object, error));
    append_sentence(out, ". Readers do not see what the program counts with it.");
}

void prfdata_status_report_lookup(prfdata_publisher *publisher, uint32_t id, uint32_t error)
{
    const uint64_t lookup = (uint64_t)id << 32 | error;
    char text[PRFDATA_STATUS_BYTES] = "";
    sentence_text out = {text, sizeof text, 0};

    if (prfdata_load64_acquire(&publisher->failed_lookup) == lookup)
        return;
    prfdata_store64_release(&publisher->failed_lookup, lookup);
    if (prfdata_load64_relaxed(&publisher->lookup_reports) >= MOST_LOOKUP_REPORTS)
        return;
    prfdata_add64_relaxed(&publisher->lookup_reports, 1);
    append_sentence(&out, "The performance counters of ");
    append_sentence(&out, publisher->model->map->service);
    append_sentence(&out, ":");
    append_lookup(&out, publisher, lookup);
    append_sentence(&out, "\n");
    prfdata_os_debug_output(text);
}

void prfdata_status_set(prfdata_publisher *publisher, prfdata_reason reason, uint32_t error)
{
    prfdata_store64_release(&publisher->status, (uint64_t)reason << 32 | error);
}

static uint32_t copy_last_failure(char *text, size_t capacity)
{
    sentence_text out = {text, capacity, 0};
    uint32_t error;

    prfdata_os_lock_enter(&last_failure.lock);
    error = last_failure.error;
    append_sentence(&out, error ? last_failure.text : "No prfdata_open of this process failed.");
    prfdata_os_lock_leave(&last_failure.lock);
    return error;
}

uint32_t prfdata_status(const prfdata_publisher *publisher, char *text, size_t capacity)
{
    char detail[DETAIL_BYTES];
    uint64_t status, lookup;
    uint32_t error;
    prfdata_reason reason;

    if (!publisher)
        return copy_last_failure(text, capacity);
    status = prfdata_load64_acquire(&publisher->status);
    reason = (prfdata_reason)(status >> 32);
    error = (uint32_t)status;
    if (capacity == 0)
        return error;
    make_detail(reason == PRFDATA_REASON_PUBLISHED ? ", file " : "",
                reason == PRFDATA_REASON_PUBLISHED ? publisher->name.text : "", detail);
    make_sentence(reason, publisher->model->map->service, detail, error, text, capacity);
    lookup = prfdata_load64_acquire(&publisher->failed_lookup);
    if (lookup != 0 && reason != PRFDATA_REASON_CLOSED) {
        sentence_text out = {text, capacity, strlen(text)};

        append_lookup(&out, publisher, lookup);
    }
    return error;
}
