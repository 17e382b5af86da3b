/* SPDX-License-Identifier: MIT */
/*
 * prfread: performance counters on the command line, in typeperf's manner. Knows Windows.
 * Standard output carries data and nothing else; everything that is said about it goes to
 * standard error. Both are UTF-8, or whatever a console shows.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <windows.h>
#include <winperf.h>

#include "columns.h"
#include "csv.h"
#include "dump.h"
#include "list.h"
#include "names.h"
#include "options.h"
#include "query.h"

/* What the program returns, the gravest first. */
enum {
    EXIT_OK = 0,
    EXIT_USAGE = 1,   /* the command line is wrong */
    EXIT_NOTHING = 2, /* no path or object was found */
    EXIT_SOME = 3,    /* some were not found */
    EXIT_SYSTEM = 4,  /* the system refused something: data, memory, a file */
    EXIT_DAMAGED = 5  /* a provider's data is damaged; what could be read was shown */
};

static const char help[] =
    "prfread: read performance counters, as typeperf does\r\n"
    "\r\n"
    "  prfread \"\\Memory\\Available Bytes\"               a value each second, until Ctrl+C\r\n"
    "  prfread \"\\My Queues(*)\\*\" -sc 3 -si 5           all instances, 3 samples, 5 seconds "
    "apart\r\n"
    "  prfread \"\\Thread(app/0)\\ID Thread\" -o log.csv   instance 0 of parent app, into a "
    "file\r\n"
    "  prfread -q                                       list objects and counters\r\n"
    "  prfread -qx \"My Queues\"                          list one object with its instances\r\n"
    "  prfread -dump \"My Queues\"                        every field of the provider's answer\r\n"
    "\r\n"
    "Options, with - or /, in any case:\r\n"
    "  -si [[hh:]mm:]ss   time between samples, 1 second; also 0.5\r\n"
    "  -sc n              number of samples; else until Ctrl+C\r\n"
    "  -o file            write the CSV there, with the time zone in its heading\r\n"
    "  -y                 overwrite the file if it exists\r\n"
    "  -q [object...]     list counters, with * for instances\r\n"
    "  -qx [object...]    list counters with the instances that exist now\r\n"
    "  -dump [object...]  print the performance data block\r\n"
    "  -?                 print this\r\n"
    "\r\n"
    "Paths: [\\\\ThisComputer]\\Object[(Instance)]\\Counter. An instance is shown as\r\n"
    "Parent/Name#Index; * stands for any part of it, and of the counter's name. Names are\r\n"
    "English; case does not matter; \\230\\6 asks by title index.\r\n"
    "\r\n"
    "Values: raw values, differences, rates, averages, fractions, simple timers and elapsed\r\n"
    "time. A sample without a value is -1 on standard output and a blank in a file; why is said\r\n"
    "on standard error. Columns are found at the start; instances that come later are not "
    "shown.\r\n"
    "\r\n"
    "Exit codes: 0 all right, 1 wrong command line, 2 no counter found, 3 some not found,\r\n"
    "4 the system refused something, 5 a provider's data is damaged.\r\n";

/* Set by Ctrl+C. */
static HANDLE stop_event;

static BOOL WINAPI on_control(DWORD control)
{
    SetEvent(stop_event);
    /* Rows are written whole, so the other reasons (logoff, ...) may end us at once. */
    return control == CTRL_C_EVENT || control == CTRL_BREAK_EVENT;
}

/* ---- Output ---- */

/* A console takes UTF-16, whatever its code page; anything else gets the UTF-8 bytes. */
static bool write_console(HANDLE console, const char *bytes, size_t size)
{
    wchar_t *text = malloc((size + 1) * sizeof *text);
    DWORD written = 0;
    size_t count;
    bool done = false;

    if (!text)
        return false;
    count = prfdata_names_wide_from_utf8(bytes, size, text);
    if (count != SIZE_MAX) {
        done = true;
        for (size_t at = 0; done && at < count; at += written)
            done = WriteConsoleW(console, text + at, (DWORD)(count - at < 8192 ? count - at : 8192),
                                 &written, NULL) &&
                   written > 0;
    }
    free(text);
    return done;
}

static bool write_bytes(HANDLE file, const char *bytes, size_t size)
{
    DWORD mode;
    DWORD written = 0;

    if (GetConsoleMode(file, &mode))
        return write_console(file, bytes, size);
    for (size_t at = 0; at < size; at += written) {
        DWORD part = size - at < 0x100000 ? (DWORD)(size - at) : 0x100000;

        if (!WriteFile(file, bytes + at, part, &written, NULL) || written == 0)
            return false;
    }
    return true;
}

/* Write what was collected and forget it. */
static bool flush(HANDLE file, prfdata_output *output)
{
    bool done = !output->failed && write_bytes(file, output->bytes, output->used);

    prfdata_output_clear(output);
    return done;
}

/* "Error: <subject>: <text>", or without subject. */
static void say(const char *kind, prfdata_text subject, const char *text)
{
    prfdata_output line;

    prfdata_output_init(&line);
    prfdata_output_format(&line, "%s: ", kind);
    if (subject.count > 0) {
        prfdata_output_put_text(&line, subject);
        prfdata_output_put(&line, ": ", 2);
    }
    prfdata_output_put(&line, text, strlen(text));
    prfdata_output_put(&line, "\r\n", 2);
    (void)flush(GetStdHandle(STD_ERROR_HANDLE), &line);
    prfdata_output_free(&line);
}

static const prfdata_text no_subject = {NULL, 0};

static void say_error(prfdata_text subject, const char *text)
{
    say("Error", subject, text);
}

/* An error of the system, with its number and its words. */
static void say_system_error(prfdata_text subject, const char *what, uint32_t status)
{
    wchar_t words[256];
    DWORD count = FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, NULL,
                                 status, 0, words, 256, NULL);
    prfdata_text text = {words, count};
    prfdata_output line;

    while (text.count > 0 && text.units[text.count - 1] <= ' ')
        text.count--;
    prfdata_output_init(&line);
    prfdata_output_format(&line, "%s: error %u ", what, (unsigned)status);
    prfdata_output_put_text(&line, text);
    prfdata_output_put(&line, "", 1);
    if (!line.failed)
        say_error(subject, line.bytes);
    prfdata_output_free(&line);
}

static void say_damage(const prfdata_sample *sample)
{
    char what[200];
    char text[280];

    prfdata_decode_error_text(&sample->damage, what, sizeof what);
    snprintf(text, sizeof text, "a provider's data is damaged in %u places, first at %s",
             (unsigned)sample->damage_count, what);
    say("Warning", no_subject, text);
}

/* ---- The session: what all tasks share ---- */

typedef struct session {
    prfdata_options options;
    prfdata_name_table titles;
    prfdata_query query;
    wchar_t computer_units[MAX_COMPUTERNAME_LENGTH + 1];
    prfdata_text computer;
    HANDLE out;
    uint32_t wanted;    /* paths or objects asked for */
    uint32_t not_found; /* of these */
    bool system_failed;
    bool damaged;
} session;

/* The title indexes to ask for, in decimal. */
typedef struct index_set {
    uint32_t *items;
    size_t count;
    size_t capacity;
} index_set;

static bool set_has(const index_set *set, uint32_t index)
{
    for (size_t i = 0; i < set->count; i++) {
        if (set->items[i] == index)
            return true;
    }
    return false;
}

static bool set_add(index_set *set, uint32_t index)
{
    if (set_has(set, index))
        return true;
    if (set->count == set->capacity) {
        size_t capacity = set->capacity * 2 + 16;
        uint32_t *items = realloc(set->items, capacity * sizeof *items);

        if (!items)
            return false;
        set->items = items;
        set->capacity = capacity;
    }
    set->items[set->count++] = index;
    return true;
}

/* Add every index that `name` may mean; false if there is none. */
static bool set_add_object(index_set *set, const prfdata_name_table *titles, prfdata_text name)
{
    size_t position = 0;
    uint32_t index = 0;
    bool known = false;

    while (prfdata_name_table_find(titles, name, &position, &index))
        known = set_add(set, index) || known;
    if (!known && prfdata_text_number(name, &index))
        known = set_add(set, index);
    return known;
}

/* "i j k"; "Global" if the set is empty. The caller frees it. */
static wchar_t *query_text(const index_set *set)
{
    static const wchar_t global[] = L"Global";
    size_t capacity = set->count * 11 + 7; /* ten digits and a blank each */
    wchar_t *text = malloc(capacity * sizeof *text);
    size_t used = 0;

    if (!text)
        return NULL;
    memcpy(text, global, sizeof global);
    for (size_t i = 0; i < set->count; i++) {
        int count = swprintf(text + used, capacity - used, i == 0 ? L"%u" : L" %u",
                             (unsigned)set->items[i]);

        if (count > 0)
            used += (size_t)count;
    }
    return text;
}

/* Ask once; the failure was told. */
static prfdata_sample *take_sample(session *s, const wchar_t *text)
{
    prfdata_sample *sample = NULL;
    void *bytes = NULL;
    size_t size = 0;
    uint32_t status = prfdata_query_data(&s->query, text, &bytes, &size);

    if (status == ERROR_SUCCESS) {
        status = prfdata_sample_make(bytes, size, &sample);
        if (status != ERROR_SUCCESS)
            free(bytes);
    }
    if (status != ERROR_SUCCESS) {
        if (!s->system_failed)
            say_system_error(no_subject, "cannot read performance data", status);
        s->system_failed = true;
        return NULL;
    }
    if (sample->damage_count > 0) {
        if (!s->damaged)
            say_damage(sample);
        s->damaged = true;
    }
    return sample;
}

/* Add the objects that instances name as parents and that were not asked for yet. */
static bool add_missing_parents(const prfdata_sample *sample, index_set *set)
{
    size_t before = set->count;

    for (uint32_t o = 0; o < sample->object_count; o++) {
        const prfdata_sample_object *object = &sample->objects[o];

        for (uint32_t i = 0; i < object->instance_count; i++) {
            if (object->instances[i].lacks_parent)
                (void)set_add(set, object->instances[i].wire.definition.parent_object_title_index);
        }
    }
    return set->count > before;
}

/*
 * Ask for the objects of the set, and again as long as that brings new parents to light. On
 * success *text is what to ask from now on, to be freed.
 */
static prfdata_sample *take_first_sample(session *s, index_set *set, wchar_t **text)
{
    bool global = set->count == 0;

    for (;;) {
        prfdata_sample *sample;

        *text = query_text(set);
        if (!*text)
            return NULL;
        sample = take_sample(s, *text);
        if (!sample || global || set->count > 1000 || !add_missing_parents(sample, set)) {
            if (!sample) {
                free(*text);
                *text = NULL;
            }
            return sample;
        }
        prfdata_sample_free(sample);
        free(*text);
    }
}

/* ---- -q, -qx, -dump ---- */

/* The objects asked for by name. Unknown ones are told. */
static void add_named_objects(session *s, index_set *set)
{
    for (size_t i = 0; i < s->options.name_count; i++) {
        s->wanted++;
        if (!set_add_object(set, &s->titles, s->options.names[i])) {
            say_error(s->options.names[i], "no object has this name");
            s->not_found++;
        }
    }
}

static bool is_named(const session *s, const prfdata_sample_object *object)
{
    if (s->options.name_count == 0)
        return true;
    for (size_t i = 0; i < s->options.name_count; i++) {
        if (prfdata_columns_means_title(s->options.names[i], &s->titles,
                                        object->wire.header.object_name_title_index))
            return true;
    }
    return false;
}

/* An object may have a title and yet no provider that answers now. */
static void tell_absent_objects(session *s, const prfdata_sample *sample)
{
    for (size_t i = 0; i < s->options.name_count; i++) {
        bool known = false;
        bool there = false;
        index_set set = {NULL, 0, 0};

        known = set_add_object(&set, &s->titles, s->options.names[i]);
        for (size_t j = 0; j < set.count; j++)
            there = there || prfdata_sample_find_object(sample, set.items[j]);
        free(set.items);
        if (known && !there) {
            say_error(s->options.names[i], "no provider has this object now");
            s->not_found++;
        }
    }
}

static void list(session *s)
{
    index_set set = {NULL, 0, 0};
    prfdata_sample *sample = NULL;
    wchar_t *text = NULL;
    prfdata_output output;

    prfdata_output_init(&output);
    add_named_objects(s, &set);
    if (s->wanted > 0 && set.count == 0)
        goto free_set;
    sample = take_first_sample(s, &set, &text);
    if (!sample)
        goto free_set;
    tell_absent_objects(s, sample);
    for (uint32_t i = 0; i < sample->object_count; i++) {
        if (is_named(s, &sample->objects[i]))
            prfdata_list_put(&output, &sample->objects[i], &s->titles,
                             s->options.task == PRFDATA_TASK_LIST_INSTANCES);
    }
    if (!flush(s->out, &output))
        s->system_failed = true;
    prfdata_sample_free(sample);
    free(text);
free_set:
    prfdata_output_free(&output);
    free(set.items);
}

static void dump(session *s)
{
    index_set set = {NULL, 0, 0};
    prfdata_sample *sample = NULL;
    wchar_t *text = NULL;
    prfdata_output output;

    prfdata_output_init(&output);
    add_named_objects(s, &set);
    if (s->not_found > 0)
        set.count = 0; /* perhaps it is in there without a name */
    sample = take_first_sample(s, &set, &text);
    if (!sample)
        goto free_set;
    if (s->not_found == 0)
        tell_absent_objects(s, sample);
    (void)prfdata_dump_put(&output, sample->bytes, sample->size, &s->titles);
    if (!flush(s->out, &output))
        s->system_failed = true;
    prfdata_sample_free(sample);
    free(text);
free_set:
    prfdata_output_free(&output);
    free(set.items);
}

/* ---- Watching ---- */

static bool is_this_computer(const session *s, prfdata_text name)
{
    static const wchar_t local[] = L"localhost";
    prfdata_text localhost = {local, 9};
    prfdata_text dot = {L".", 1};

    return name.count == 0 || prfdata_text_equal(name, s->computer) ||
           prfdata_text_equal(name, localhost) || prfdata_text_equal(name, dot);
}

/* Parse the path; a wrong one is told. */
static bool parse_path(session *s, prfdata_text text, prfdata_path *path)
{
    prfdata_path_error error;
    char reason[200];

    if (!prfdata_path_parse(text, path, &error)) {
        snprintf(reason, sizeof reason, "character %u: %s", (unsigned)error.position + 1,
                 error.reason);
        say_error(text, reason);
        return false;
    }
    if (!is_this_computer(s, path->computer)) {
        say_error(text, "counters of other computers cannot be read");
        return false;
    }
    return true;
}

/* Read the paths again: they are few, and it keeps them out of the heap. */
static void add_paths(session *s, index_set *set)
{
    for (size_t i = 0; i < s->options.name_count; i++) {
        prfdata_path path;

        s->wanted++;
        if (!parse_path(s, s->options.names[i], &path)) {
            s->not_found++;
        } else if (!set_add_object(set, &s->titles, path.object)) {
            say_error(s->options.names[i], "no object has this name");
            s->not_found++;
        }
    }
}

static const char *not_found_text(uint32_t status, const prfdata_path *path,
                                  const prfdata_sample *sample, const index_set *objects)
{
    bool has_instances = true;

    if (status == PRFDATA_STATUS_NO_OBJECT)
        return "no provider has this object now";
    if (status == PRFDATA_STATUS_NO_COUNTER)
        return "the object has no such counter";
    for (size_t i = 0; i < objects->count; i++) {
        const prfdata_sample_object *object = prfdata_sample_find_object(sample, objects->items[i]);

        if (object)
            has_instances = object->has_instances;
    }
    if (!has_instances)
        return "the object has no instances: write \\Object\\Counter";
    return path->has_instance
               ? "the object has no such instance now"
               : "the object has instances: name one or *, as in \\Object(*)\\Counter";
}

static bool add_columns(session *s, const prfdata_sample *sample, prfdata_columns *columns)
{
    bool enough_memory = true;

    for (size_t i = 0; enough_memory && i < s->options.name_count; i++) {
        index_set known = {NULL, 0, 0};
        prfdata_path path;
        prfdata_path_error error;
        uint32_t status = PRFDATA_STATUS_OK;
        bool skip = !prfdata_path_parse(s->options.names[i], &path, &error) ||
                    !is_this_computer(s, path.computer) ||
                    !set_add_object(&known, &s->titles, path.object);

        if (!skip && prfdata_columns_add(columns, &path, sample, &s->titles, s->computer,
                                         &status) != ERROR_SUCCESS)
            enough_memory = false;
        if (status != PRFDATA_STATUS_OK) {
            say_error(s->options.names[i], not_found_text(status, &path, sample, &known));
            s->not_found++;
        }
        free(known.items); /* a path to skip was told before */
    }
    return enough_memory;
}

/* Tell why columns have no value, once for each reason. */
static void tell_statuses(prfdata_columns *columns)
{
    for (size_t i = 0; i < columns->count; i++) {
        prfdata_column *column = &columns->items[i];
        prfdata_output line;

        if (column->status == column->told)
            continue;
        column->told = column->status;
        if (column->status == PRFDATA_STATUS_OK)
            continue;
        prfdata_output_init(&line);
        prfdata_output_put(&line, column->heading, strlen(column->heading));
        prfdata_output_format(
            &line, ": %s (%s 0x%08X)", prfdata_compute_status_text(column->status),
            prfdata_compute_status_name(column->status), (unsigned)column->status);
        prfdata_output_put(&line, "", 1);
        if (!line.failed)
            say("Warning", no_subject, line.bytes);
        prfdata_output_free(&line);
    }
}

/* The sample's time of day here; now, if there is no sample or its time is none. */
static void local_time_of(const prfdata_sample *sample, uint16_t time[8])
{
    SYSTEMTIME utc;
    SYSTEMTIME local;

    GetLocalTime(&local);
    if (sample) {
        memcpy(&utc, sample->block.header.system_time, sizeof utc);
        if (!SystemTimeToTzSpecificLocalTime(NULL, &utc, &local))
            GetLocalTime(&local);
    }
    memcpy(time, &local, sizeof local);
}

static void put_header(const session *s, const prfdata_columns *columns, prfdata_output *output)
{
    TIME_ZONE_INFORMATION zone;
    DWORD season = GetTimeZoneInformation(&zone);
    bool daylight = season == TIME_ZONE_ID_DAYLIGHT;
    prfdata_text name = no_subject;

    if (s->options.file.count == 0) {
        prfdata_output_put(output, "\r\n", 2);
        prfdata_csv_put_header(output, columns, name, 0);
        return;
    }
    name.units = daylight ? zone.DaylightName : zone.StandardName;
    while (name.count < 32 && name.units[name.count] != 0)
        name.count++;
    prfdata_csv_put_header(
        output, columns, name,
        (int32_t)(zone.Bias + (daylight ? zone.DaylightBias : zone.StandardBias)));
}

/* Wait until `due`, a value of GetTickCount64; false if somebody stopped us. */
static bool wait_until(uint64_t due)
{
    uint64_t now = GetTickCount64();

    return WaitForSingleObject(stop_event, due > now ? (DWORD)(due - now) : 0) == WAIT_TIMEOUT;
}

/* Print rows until enough, or until somebody stops us. `older` is the silent first sample. */
static void print_rows(session *s, const wchar_t *text, prfdata_sample *older,
                       prfdata_columns *columns, prfdata_output *output)
{
    const char *no_value = s->options.file.count > 0 ? " " : "-1";
    uint64_t due = GetTickCount64();

    for (uint32_t row = 0; s->options.sample_count == 0 || row < s->options.sample_count; row++) {
        prfdata_sample *newer;
        uint16_t time[8];

        due += s->options.interval_ms;
        if (!wait_until(due))
            break;
        if (GetTickCount64() > due + s->options.interval_ms)
            due = GetTickCount64(); /* too slow for this rhythm: do not hurry after it */
        newer = take_sample(s, text);
        if (newer) {
            prfdata_columns_compute(columns, older, newer);
        } else {
            for (size_t i = 0; i < columns->count; i++)
                columns->items[i].status = PRFDATA_STATUS_NO_DATA;
        }
        local_time_of(newer, time);
        prfdata_csv_put_row(output, columns, time, no_value);
        tell_statuses(columns);
        prfdata_sample_free(older);
        older = newer;
        if (!flush(s->out, output)) {
            say_system_error(s->options.file, "cannot write", GetLastError());
            s->system_failed = true;
            break;
        }
    }
    prfdata_sample_free(older);
}

/* Open the file of -o; a failure was told. */
static bool open_file(session *s)
{
    HANDLE file;

    if (s->options.file.count == 0)
        return true;
    file =
        CreateFileW(s->options.file.units, GENERIC_WRITE, FILE_SHARE_READ, NULL,
                    s->options.overwrite ? CREATE_ALWAYS : CREATE_NEW, FILE_ATTRIBUTE_NORMAL, NULL);
    if (file == INVALID_HANDLE_VALUE) {
        uint32_t status = GetLastError();

        if (status == ERROR_FILE_EXISTS)
            say_error(s->options.file, "the file exists; -y overwrites it");
        else
            say_system_error(s->options.file, "cannot create the file", status);
        s->system_failed = true;
        return false;
    }
    s->out = file;
    return true;
}

static void watch(session *s)
{
    index_set set = {NULL, 0, 0};
    prfdata_sample *sample = NULL;
    wchar_t *text = NULL;
    prfdata_columns columns;
    prfdata_output output;

    prfdata_columns_init(&columns);
    prfdata_output_init(&output);
    add_paths(s, &set);
    if (set.count == 0)
        goto free_all;
    sample = take_first_sample(s, &set, &text);
    if (!sample)
        goto free_all;
    if (!add_columns(s, sample, &columns)) {
        say_system_error(no_subject, "too many counters", ERROR_NOT_ENOUGH_MEMORY);
        s->system_failed = true;
        goto free_all;
    }
    if (columns.count == 0 || !open_file(s))
        goto free_all;

    put_header(s, &columns, &output);
    if (flush(s->out, &output)) {
        print_rows(s, text, sample, &columns, &output);
        sample = NULL;
    } else {
        say_system_error(s->options.file, "cannot write", GetLastError());
        s->system_failed = true;
    }
    if (s->options.file.count > 0)
        CloseHandle(s->out);
free_all:
    prfdata_sample_free(sample);
    free(text);
    prfdata_output_free(&output);
    prfdata_columns_free(&columns);
    free(set.items);
}

/* ---- The program ---- */

static void init_session(session *s)
{
    DWORD chars = sizeof s->computer_units / sizeof s->computer_units[0];
    uint32_t status;

    s->out = GetStdHandle(STD_OUTPUT_HANDLE);
    if (!GetComputerNameW(s->computer_units, &chars))
        chars = 0;
    s->computer.units = s->computer_units;
    s->computer.count = chars;
    status = prfdata_name_table_load(&s->titles);
    if (status != ERROR_SUCCESS)
        say_system_error(no_subject, "cannot read the names of counters", status);
}

static int run(session *s)
{
    init_session(s);
    switch (s->options.task) {
    case PRFDATA_TASK_LIST:
    case PRFDATA_TASK_LIST_INSTANCES:
        list(s);
        break;
    case PRFDATA_TASK_DUMP:
        dump(s);
        break;
    default:
        watch(s);
        break;
    }
    prfdata_query_close();
    prfdata_name_table_free(&s->titles);

    if (s->system_failed)
        return EXIT_SYSTEM;
    if (s->wanted > 0 && s->not_found == s->wanted) {
        if (s->options.task != PRFDATA_TASK_DUMP)
            say_error(no_subject, "No valid counters.");
        return EXIT_NOTHING;
    }
    if (s->not_found > 0)
        return EXIT_SOME;
    return s->damaged ? EXIT_DAMAGED : EXIT_OK;
}

int wmain(int argc, wchar_t **argv);

int wmain(int argc, wchar_t **argv)
{
    session s;
    prfdata_options_error error;
    prfdata_text *names;
    int exit_code;

    memset(&s, 0, sizeof s);
    names = calloc((size_t)argc + 1, sizeof *names);
    stop_event = CreateEventW(NULL, TRUE, FALSE, NULL);
    if (!names || !stop_event || argc < 1) {
        say_system_error(no_subject, "cannot start", ERROR_NOT_ENOUGH_MEMORY);
        return EXIT_SYSTEM;
    }
    SetConsoleCtrlHandler(on_control, TRUE);

    if (!prfdata_options_parse((size_t)argc - 1, (const uint16_t *const *)(argv + 1), names,
                               &s.options, &error)) {
        say_error(error.argument, error.reason);
        say("Try", no_subject, "prfread -?");
        exit_code = EXIT_USAGE;
    } else if (s.options.task == PRFDATA_TASK_HELP) {
        exit_code = write_bytes(GetStdHandle(STD_OUTPUT_HANDLE), help, sizeof help - 1)
                        ? EXIT_OK
                        : EXIT_SYSTEM;
    } else {
        exit_code = run(&s);
    }
    free(names);
    return exit_code;
}
