/* SPDX-License-Identifier: MIT */
/* Reads the counters of remote access by hand (samples/ras/raw_reader.h), through the registry and
 * through the DLL. Compares values and rates with the simulation. Also tests titles, the query
 * "i j" and damaged replies.
 *
 * Wine's title database cannot be written, so the test has its own database, in a key that replaces
 * HKEY_LOCAL_MACHINE while titles are read. Windows only. */
#include "support/test.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <windows.h>

#include "ras_counters.h"
#include "raw_reader.h"
#include "support/ras_rates.h"
#include "support/service.h"

#define STAND_IN L"Software\\PrfDataTestRasReader"
#define TITLES   L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib\\009"

enum { FIRST_COUNTER = 9300, LAST_COUNTER = 9422, PORT_TITLE = 9300, TOTAL_TITLE = 9336 };
/* Indexes at which other services have objects with the names of ours: one service before our
 * titles, and one after them. */
enum { EARLIER_PORT = 870, EARLIER_TOTAL = 906, LATER_PORT = 9900, LATER_TOTAL = 9936 };
enum { PORTS = 4, SEED = 1, ALL_VALUES = PORTS * RAS_PORT_COUNTERS + RAS_TOTAL_COUNTERS };

static prfdata_test_service service;
static wchar_t library[MAX_PATH];
static simulation made;

/* ---- A title database ---- */

typedef struct list {
    wchar_t text[16384];
    size_t chars;
} list;

static void add_title(list *to, unsigned index, const wchar_t *name)
{
    wchar_t number[16];

    swprintf(number, 16, L"%u", index);
    wcscpy(to->text + to->chars, number);
    to->chars += wcslen(number) + 1;
    wcscpy(to->text + to->chars, name);
    to->chars += wcslen(name) + 1;
}

static bool has_title(const prfdata_map_entry *entry)
{
    return entry->kind != PRFDATA_ENTRY_OPTION && entry->type != PERF_AVERAGE_BASE;
}

/* Make the list that loadperf would make, with our titles between those of two other services. */
static void make_list(list *to)
{
    unsigned index = FIRST_COUNTER;

    to->chars = 0;
    add_title(to, 1, L"1847");
    add_title(to, 2, L"System");
    add_title(to, EARLIER_PORT, L"RAS Port");
    add_title(to, EARLIER_TOTAL, L"RAS Total");
    for (uint32_t i = 0; i < ras_map.entry_count; i++) {
        if (!has_title(&ras_map.entries[i]))
            continue;
        add_title(to, index, ras_map.entries[i].name);
        index += 2;
    }
    assert_int_equal(index, LAST_COUNTER + 2);
    add_title(to, LATER_PORT, L"RAS Port");
    add_title(to, LATER_TOTAL, L"RAS Total");
    to->text[to->chars++] = 0;
}

/* Read titles from a database with these bytes. */
static DWORD read_titles(const void *bytes, size_t size, raw_titles *titles)
{
    HKEY stand_in, key;
    DWORD status;

    assert_int_equal(RegCreateKeyExW(HKEY_CURRENT_USER, STAND_IN, 0, NULL, 0, KEY_ALL_ACCESS, NULL,
                                     &stand_in, NULL),
                     ERROR_SUCCESS);
    assert_int_equal(
        RegCreateKeyExW(stand_in, TITLES, 0, NULL, 0, KEY_ALL_ACCESS, NULL, &key, NULL),
        ERROR_SUCCESS);
    assert_int_equal(RegSetValueExW(key, L"Counter", 0, REG_MULTI_SZ, bytes, (DWORD)size),
                     ERROR_SUCCESS);
    RegCloseKey(key);
    assert_int_equal(RegOverridePredefKey(HKEY_LOCAL_MACHINE, stand_in), ERROR_SUCCESS);
    status = raw_titles_read(titles);
    assert_int_equal(RegOverridePredefKey(HKEY_LOCAL_MACHINE, NULL), ERROR_SUCCESS);
    RegDeleteTreeW(stand_in, NULL);
    RegCloseKey(stand_in);
    RegDeleteKeyW(HKEY_CURRENT_USER, STAND_IN);
    return status;
}

static void read_our_titles(raw_titles *titles)
{
    static list whole;

    make_list(&whole);
    assert_int_equal(read_titles(whole.text, whole.chars * sizeof(wchar_t), titles), ERROR_SUCCESS);
}

/* ---- Titles ---- */

static void test_ras_reader_finds_its_own_of_several_titles(void **state)
{
    DWORD first = 0, last = 0;
    raw_titles titles;

    (void)state;
    read_our_titles(&titles);
    assert_int_equal(raw_titles_of_service(L"RasSample", &first, &last), ERROR_SUCCESS);
    assert_int_equal(first, FIRST_COUNTER);
    assert_int_equal(last, LAST_COUNTER);
    assert_int_equal(raw_titles_index(&titles, L"RAS Port", first, last), PORT_TITLE);
    assert_int_equal(raw_titles_index(&titles, L"RAS Total", first, last), TOTAL_TITLE);
    assert_int_equal(raw_titles_index(&titles, L"RAS", first, last), 0);
    assert_int_equal(raw_titles_index(&titles, L"System", first, last), 0);
    assert_int_equal(raw_titles_index(&titles, L"RAS Port", 1, 9299), EARLIER_PORT);
    assert_int_equal(raw_titles_index(&titles, L"RAS Port", LAST_COUNTER + 2, 10000), LATER_PORT);
    raw_titles_free(&titles);
}

static void test_ras_reader_names_every_index_and_no_other(void **state)
{
    DWORD index = FIRST_COUNTER;
    raw_titles titles;

    (void)state;
    read_our_titles(&titles);
    for (uint32_t i = 0; i < ras_map.entry_count; i++) {
        if (!has_title(&ras_map.entries[i]))
            continue;
        assert_non_null(raw_titles_name(&titles, index));
        assert_true(wcscmp(raw_titles_name(&titles, index), ras_map.entries[i].name) == 0);
        index += 2;
    }
    assert_null(raw_titles_name(&titles, 9301));
    assert_null(raw_titles_name(&titles, 0));
    raw_titles_free(&titles);
}

static void test_ras_reader_of_a_service_that_is_not_there_says_so(void **state)
{
    DWORD first, last;
    wchar_t name[400];

    (void)state;
    assert_int_equal(raw_titles_of_service(L"PrfDataTestNobody", &first, &last),
                     ERROR_FILE_NOT_FOUND);
    wmemset(name, L'x', 399);
    name[399] = 0;
    assert_int_equal(raw_titles_of_service(name, &first, &last), ERROR_INVALID_NAME);
}

/* Lets the next allocation return memory that is not zero. */
static void soil_the_heap(void)
{
    void *bytes = malloc(65536 + 4);

    assert_non_null(bytes);
    memset(bytes, 'x', 65536 + 4);
    free(bytes);
}

/* The list is cut at every byte: complete titles are found, and nothing is read after the end. */
static void test_ras_reader_a_title_list_cut_anywhere_ends_there(void **state)
{
    static const wchar_t whole[] = L"1\0001847\0002\000System\0004\000Memory\000";

    (void)state;
    for (size_t size = 0; size <= sizeof whole; size++) {
        raw_titles titles;

        soil_the_heap();
        assert_int_equal(read_titles(whole, size, &titles), ERROR_SUCCESS);
        if (size >= 15 * sizeof *whole) {
            assert_non_null(raw_titles_name(&titles, 2));
            assert_true(wcscmp(raw_titles_name(&titles, 2), L"System") == 0);
        }
        if (size < 19 * sizeof *whole)
            assert_null(raw_titles_name(&titles, 4));
        assert_null(raw_titles_name(&titles, 6));
        assert_null(raw_titles_name(&titles, 0));
        assert_int_equal(raw_titles_index(&titles, L"Disk", 0, MAXDWORD), 0);
        raw_titles_free(&titles);
    }
}

/* ---- Values ---- */

/* The values that a walk has visited. */
typedef struct readings {
    uint32_t count;
    bool is_wrong;
    bool seen[ALL_VALUES];
} readings;

/* Return the simulation's port, or RAS_ALL_PORTS for an object without instances. */
static uint32_t port_of(const raw_value *value)
{
    return value->instance[0] ? (uint32_t)wcstoul(value->instance + 3, NULL, 10) - 1
                              : RAS_ALL_PORTS;
}

static void compare(void *context, const raw_value *value)
{
    readings *t = context;
    const bool is_total = value->object == TOTAL_TITLE;
    const uint32_t position = (value->counter - value->object) / 2 - 1;
    const uint32_t counters = is_total ? RAS_TOTAL_COUNTERS : RAS_PORT_COUNTERS;
    const uint32_t port = port_of(value);
    const bool is_rate = position >= 12 && position <= 16;
    uint32_t place;

    t->count++;
    t->is_wrong = t->is_wrong || (!is_total && value->object != PORT_TITLE) ||
                  position >= counters || (is_total ? port != RAS_ALL_PORTS : port >= PORTS);
    if (t->is_wrong)
        return;
    place = is_total ? PORTS * RAS_PORT_COUNTERS + position : port * RAS_PORT_COUNTERS + position;
    t->is_wrong = t->seen[place] || value->value != ras_counters_known(&made, port, position) ||
                  value->type != (is_rate ? PERF_COUNTER_COUNTER : PERF_COUNTER_RAWCOUNT) ||
                  (!is_total && wcsncmp(value->instance, L"COM", 3) != 0);
    t->seen[place] = true;
}

/* Expect every value of every port and of the total exactly once. Values of 64 bits, which other
 * objects have, are not visited. */
static void expect_made(const raw_sample *sample, uint32_t objects)
{
    readings t = {0};

    assert_int_equal(sample->object_count, objects);
    assert_int_equal(raw_sample_walk(sample, compare, &t), ERROR_SUCCESS);
    assert_false(t.is_wrong);
    assert_int_equal(t.count, ALL_VALUES);
}

static void go_on(uint32_t steps)
{
    while (steps-- > 0)
        simulation_step(&made);
    ras_counters_publish(&made);
}

static int publish(void **state)
{
    (void)state;
    simulation_init(&made, PORTS, SEED);
    if (ras_counters_open(PORTS) != ERROR_SUCCESS)
        return 1;
    go_on(1000);
    return 0;
}

static int end_publishing(void **state)
{
    prfdata_test_file file;

    (void)state;
    RegCloseKey(HKEY_PERFORMANCE_DATA); /* makes the provider unmap its views */
    ras_counters_close();
    /* A file that a failed test still maps cannot be deleted, which fails this cleanup. The limit
     * only prevents an endless loop. */
    for (int i = 0; i < 16 && prfdata_test_service_files(&service, &file, 1) > 0; i++)
        if (!prfdata_test_service_delete_file(&service, file.name))
            return 1;
    return prfdata_test_service_files(&service, &file, 1) == 0 ? 0 : 1;
}

/* Makes the query "i j" from the names of the objects. */
static void find_query(wchar_t query[64])
{
    DWORD first, last;
    raw_titles titles;

    read_our_titles(&titles);
    assert_int_equal(raw_titles_of_service(L"RasSample", &first, &last), ERROR_SUCCESS);
    swprintf(query, 64, L"%lu %lu", raw_titles_index(&titles, L"RAS Port", first, last),
             raw_titles_index(&titles, L"RAS Total", first, last));
    raw_titles_free(&titles);
}

static void test_ras_reader_through_the_registry_reads_exactly_what_was_made(void **state)
{
    wchar_t query[64];
    raw_sample sample;

    (void)state;
    find_query(query);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(raw_sample_query(query, &sample), ERROR_SUCCESS);
        expect_made(&sample, 2);
        raw_sample_free(&sample);
        go_on(10);
    }
}

static void test_ras_reader_one_index_reads_one_object(void **state)
{
    raw_sample sample;
    readings t = {0};

    (void)state;
    assert_int_equal(raw_sample_query(L"9336", &sample), ERROR_SUCCESS);
    assert_int_equal(sample.object_count, 1);
    assert_int_equal(raw_sample_walk(&sample, compare, &t), ERROR_SUCCESS);
    assert_false(t.is_wrong);
    assert_int_equal(t.count, RAS_TOTAL_COUNTERS);
    raw_sample_free(&sample);
}

static void open_dll(raw_dll *dll)
{
    assert_int_equal(raw_dll_open(library, L"RasSample", dll), ERROR_SUCCESS);
}

static void test_ras_reader_through_the_dll_reads_exactly_what_was_made(void **state)
{
    raw_sample sample;
    raw_dll dll;

    (void)state;
    open_dll(&dll);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(raw_sample_collect(&dll, &sample), ERROR_SUCCESS);
        expect_made(&sample, 4);
        raw_sample_free(&sample);
        go_on(10);
    }
    raw_dll_close(&dll);
}

static void test_ras_reader_a_dll_that_is_no_provider_is_refused(void **state)
{
    raw_dll dll;

    (void)state;
    assert_int_equal(raw_dll_open(L"no-such.dll", L"RasSample", &dll), ERROR_MOD_NOT_FOUND);
    assert_int_equal(raw_dll_open(L"version.dll", L"RasSample", &dll), ERROR_PROC_NOT_FOUND);
    assert_int_equal(raw_dll_open(library, L"PrfDataTestNobody", &dll), ERROR_PROC_NOT_FOUND);
}

/* ---- Rates ---- */

/* Two samples, and the simulation at the time of the first. */
typedef struct ras_reader_pair {
    raw_sample older;
    raw_sample newer;
    simulation before;
    uint32_t rates;
    bool is_wrong;
} ras_reader_pair;

/* Check that a rate is the difference of the simulation's values divided by the time between the
 * samples. */
static void validate_rate(void *context, const raw_value *value)
{
    ras_reader_pair *p = context;
    const uint32_t port = port_of(value);
    const uint32_t position = (value->counter - value->object) / 2 - 1;
    const uint64_t before = ras_counters_known(&p->before, port, position);
    const uint64_t difference = ras_counters_known(&made, port, position) - before;
    const double seconds =
        (double)(p->newer.ticks - p->older.ticks) / (double)p->newer.ticks_per_second;
    double off;

    if (value->type != PERF_COUNTER_COUNTER)
        return;
    /* The x87 registers have more digits than doubles in memory, so the rate has a tolerance. */
    off =
        raw_rate(&p->older, (DWORD)before, &p->newer, value->value) * seconds - (double)difference;
    p->rates++;
    p->is_wrong = p->is_wrong || off > 1e-6 || off < -1e-6;
}

static void expect_rates(ras_reader_pair *p)
{
    assert_true(p->newer.ticks > p->older.ticks);
    assert_int_equal(raw_sample_walk(&p->newer, validate_rate, p), ERROR_SUCCESS);
    assert_int_equal(p->rates, 5 * (PORTS + 1));
    assert_false(p->is_wrong);
    assert_true(made.all.counts[SIMULATION_ERRORS] > p->before.all.counts[SIMULATION_ERRORS]);
    raw_sample_free(&p->older);
    raw_sample_free(&p->newer);
}

static void test_ras_reader_rates_are_differences_over_the_time_between_the_samples(void **state)
{
    PERF_DATA_BLOCK header;
    LARGE_INTEGER frequency;
    wchar_t query[64];
    ras_reader_pair p = {.rates = 0};

    (void)state;
    find_query(query);
    assert_int_equal(raw_sample_query(query, &p.older), ERROR_SUCCESS);
    p.before = made;
    go_on(500);
    assert_int_equal(raw_sample_query(query, &p.newer), ERROR_SUCCESS);
    memcpy(&header, p.newer.bytes, sizeof header);
    assert_int_equal(p.newer.ticks, header.PerfTime.QuadPart);
    QueryPerformanceFrequency(&frequency);
    assert_int_equal(p.newer.ticks_per_second, frequency.QuadPart);
    expect_rates(&p);
}

static void test_ras_reader_rates_through_the_dll_are_the_like(void **state)
{
    LARGE_INTEGER earlier, later;
    ras_reader_pair p = {.rates = 0};
    raw_dll dll;

    (void)state;
    open_dll(&dll);
    QueryPerformanceCounter(&earlier);
    assert_int_equal(raw_sample_collect(&dll, &p.older), ERROR_SUCCESS);
    p.before = made;
    go_on(500);
    assert_int_equal(raw_sample_collect(&dll, &p.newer), ERROR_SUCCESS);
    QueryPerformanceCounter(&later);
    raw_dll_close(&dll);
    assert_true(p.older.ticks >= earlier.QuadPart && p.newer.ticks <= later.QuadPart);
    expect_rates(&p);
}

static void test_ras_reader_a_rate_survives_the_wrap_and_needs_time(void **state)
{
    const raw_sample older = {.ticks = 1000, .ticks_per_second = 100};
    const raw_sample newer = {.ticks = 1200, .ticks_per_second = 100};

    (void)state;
    assert_true(raw_rate(&older, 100, &newer, 150) == 25);
    assert_true(raw_rate(&older, 0xFFFFFFF0u, &newer, 0x10) == 16);
    assert_true(raw_rate(&older, 100, &older, 150) == 0);
    assert_true(raw_rate(&newer, 100, &older, 150) == 0);
}

static void test_ras_reader_a_value_of_another_counter_or_instance_is_not_found(void **state)
{
    raw_value like = {PORT_TITLE, L"COM2", PORT_TITLE + 4, PERF_COUNTER_RAWCOUNT, 0};
    raw_sample sample;
    DWORD value = 0;

    (void)state;
    assert_int_equal(raw_sample_query(L"9300 9336", &sample), ERROR_SUCCESS);
    assert_int_equal(raw_sample_value(&sample, &like, &value), ERROR_SUCCESS);
    assert_int_equal(value, ras_counters_known(&made, 1, 1));
    value = 7;
    like.instance = L"COM9";
    assert_int_equal(raw_sample_value(&sample, &like, &value), ERROR_NOT_FOUND);
    like.instance = L"COM2";
    like.object = TOTAL_TITLE;
    assert_int_equal(raw_sample_value(&sample, &like, &value), ERROR_NOT_FOUND);
    like.object = PORT_TITLE;
    like.counter = TOTAL_TITLE + 4;
    assert_int_equal(raw_sample_value(&sample, &like, &value), ERROR_NOT_FOUND);
    assert_int_equal(value, 7);
    raw_sample_free(&sample);
}

/* ---- The example ---- */

static char printed[8192];
static size_t printed_chars;

DWORD ras_rates_titles(raw_titles *titles)
{
    read_our_titles(titles);
    return ERROR_SUCCESS;
}

void ras_rates_sleep(DWORD milliseconds)
{
    assert_int_equal(milliseconds, 1000);
    go_on(500);
}

int ras_rates_print(const char *format, ...)
{
    va_list arguments;
    int chars;

    va_start(arguments, format);
    chars = vsnprintf(printed + printed_chars, sizeof printed - printed_chars, format, arguments);
    va_end(arguments);
    assert_true(chars > 0 && printed_chars + (size_t)chars < sizeof printed);
    printed_chars += (size_t)chars;
    return chars;
}

static double printed_rate(const char *name, const char *instance)
{
    char wanted[64];
    double rate = -1;

    snprintf(wanted, sizeof wanted, "%s %s", name, instance);
    for (char *line = printed; line && *line; line = strchr(line, '\n') + 1) {
        char *end;
        const double found = strtod(line, &end);

        if (*end == ' ' && strncmp(end + 1, wanted, strlen(wanted)) == 0 &&
            end[1 + strlen(wanted)] == '\n')
            rate = found;
    }
    if (rate < 0)
        fail_msg("no %s in\n%s", wanted, printed);
    return rate;
}

/* Only the example knows the time between its samples, but this time is the same for all counters.
 * So two rates have the same ratio as the differences of the two counters' values. */
static void expect_ratio(const simulation *before, uint32_t port, const char *instance)
{
    static const char *const names[] = {"Bytes Transmitted/Sec", "Bytes Received/Sec",
                                        "Frames Transmitted/Sec", "Frames Received/Sec"};
    const double of_total = printed_rate(names[0], "");
    const double total =
        (double)(made.all.counts[SIMULATION_BYTES_OUT] - before->all.counts[SIMULATION_BYTES_OUT]);

    for (uint32_t i = 0; i < 4; i++) {
        const double difference = (double)(ras_counters_known(&made, port, 12 + i) -
                                           ras_counters_known(before, port, 12 + i));
        const double off = printed_rate(names[i], instance) - of_total * difference / total;

        assert_true(of_total > 0 && off > -0.2 && off < 0.2);
    }
}

static void test_ras_example_of_the_readme_prints_every_rate(void **state)
{
    const simulation before = made;
    size_t lines = 0;

    (void)state;
    assert_int_equal(ras_rates(), 0);
    for (size_t i = 0; i < printed_chars; i++)
        lines += printed[i] == '\n';
    assert_int_equal(lines, 5 * (PORTS + 1));
    expect_ratio(&before, RAS_ALL_PORTS, "");
    for (uint32_t port = 0; port < PORTS; port++) {
        char instance[8];

        snprintf(instance, sizeof instance, "COM%u", (unsigned)port + 1);
        expect_ratio(&before, port, instance);
    }
}

/* ---- Damage ---- */

/* A reply in its own memory. A read of any byte after it faults. */
typedef struct guarded {
    BYTE *pages;
    raw_sample sample;
} guarded;

static guarded guard(const raw_sample *whole, DWORD size)
{
    SYSTEM_INFO info;
    guarded g = {.sample = *whole};
    DWORD page, room, former;

    GetSystemInfo(&info);
    page = info.dwPageSize;
    room = (size + page - 1) / page * page;
    g.pages = VirtualAlloc(NULL, room + page, MEM_COMMIT | MEM_RESERVE, PAGE_READWRITE);
    assert_non_null(g.pages);
    assert_true(VirtualProtect(g.pages + room, page, PAGE_NOACCESS, &former));
    g.sample.bytes = g.pages + room - size;
    g.sample.objects_offset = 0;
    g.sample.objects_bytes = size;
    memcpy(g.sample.bytes, whole->bytes + whole->objects_offset, size);
    return g;
}

static void unguard(guarded *g)
{
    VirtualFree(g->pages, 0, MEM_RELEASE);
}

static void count_values(void *context, const raw_value *value)
{
    uint32_t *count = context;

    /* Every name must end, whatever it is. */
    if (wcslen(value->instance) <= 255)
        ++*count;
}

static void take_ours(raw_sample *sample)
{
    assert_int_equal(raw_sample_query(L"9300 9336", sample), ERROR_SUCCESS);
    expect_made(sample, 2);
}

static void test_ras_reader_a_reply_cut_anywhere_is_damaged(void **state)
{
    raw_sample whole;

    (void)state;
    take_ours(&whole);
    for (DWORD size = 0; size <= whole.objects_bytes; size++) {
        guarded g = guard(&whole, size);
        uint32_t count = 0;
        DWORD status = raw_sample_walk(&g.sample, count_values, &count);

        assert_int_equal(status, size < whole.objects_bytes ? ERROR_INVALID_DATA : ERROR_SUCCESS);
        assert_true(count <= ALL_VALUES);
        unguard(&g);
    }
    raw_sample_free(&whole);
}

/* Moves a reply as Wine's registry does, by the size of a PERF_DATA_BLOCK. */
static void test_ras_reader_objects_where_wine_puts_them_are_recognised(void **state)
{
    const DWORD late = sizeof(PERF_DATA_BLOCK);
    raw_sample whole, moved;
    uint32_t count = 0;

    (void)state;
    take_ours(&whole);
    assert_false(raw_sample_is_misplaced(&whole));
    moved = whole;
    moved.objects_offset = 0;
    moved.bytes = calloc(1, late + whole.objects_bytes);
    assert_non_null(moved.bytes);
    memcpy(moved.bytes + late, whole.bytes + whole.objects_offset, whole.objects_bytes);
    assert_int_equal(raw_sample_walk(&moved, count_values, &count), ERROR_INVALID_DATA);
    assert_true(raw_sample_is_misplaced(&moved));
    memcpy(moved.bytes, moved.bytes + late, sizeof(PERF_OBJECT_TYPE));
    assert_false(raw_sample_is_misplaced(&moved)); /* the object is where the header says */
    memset(moved.bytes, 0, late);
    for (moved.objects_bytes = 0; moved.objects_bytes < late + sizeof(PERF_OBJECT_TYPE);
         moved.objects_bytes++)
        assert_false(raw_sample_is_misplaced(&moved));
    moved.objects_bytes = whole.objects_bytes;
    memset(moved.bytes + late, 0, sizeof(PERF_OBJECT_TYPE)); /* another kind of damage */
    assert_false(raw_sample_is_misplaced(&moved));
    raw_sample_free(&moved);
    raw_sample_free(&whole);
}

/* Every byte gets several values. The walk must end, and never leave the reply. */
static void test_ras_reader_no_wrong_byte_leads_out_of_the_reply(void **state)
{
    static const BYTE wrong[] = {0x00, 0x01, 0x7F, 0x80, 0xFF};
    raw_sample whole;
    guarded g;

    (void)state;
    take_ours(&whole);
    g = guard(&whole, whole.objects_bytes);
    for (DWORD at = 0; at < whole.objects_bytes; at++) {
        const BYTE right = g.sample.bytes[at];

        for (size_t i = 0; i < sizeof wrong; i++) {
            uint32_t count = 0;

            g.sample.bytes[at] = wrong[i];
            raw_sample_walk(&g.sample, count_values, &count);
            /* A value needs a counter of 40 bytes and an instance of at least 28 in the reply. */
            assert_true(count <= whole.objects_bytes / 40 * (whole.objects_bytes / 28));
        }
        g.sample.bytes[at] = right;
    }
    unguard(&g);
    raw_sample_free(&whole);
}

/* A reader that trusts these values would never end, or would read outside the reply. */
static void test_ras_reader_wrong_lengths_are_damage(void **state)
{
    enum { TOTAL_BYTES = 0, DEFINITION_BYTES = 4, HEADER_BYTES = 8, NUM_COUNTERS = 32 };
    enum { NUM_INSTANCES = 40, COUNTER = 64, COUNTER_OFFSET = 36, INSTANCE = 64 + 17 * 40 };
    enum { NAME_OFFSET = 16, NAME_BYTES = 20 };
    static const struct {
        DWORD offset;
        DWORD value;
    } wrong[] = {{TOTAL_BYTES, 0},
                 {TOTAL_BYTES, 63},
                 {TOTAL_BYTES, MAXDWORD},
                 {DEFINITION_BYTES, 0},
                 {DEFINITION_BYTES, MAXDWORD},
                 {HEADER_BYTES, MAXDWORD},
                 {HEADER_BYTES, 64 + 17 * 40},
                 {NUM_COUNTERS, 18},
                 {NUM_COUNTERS, MAXDWORD},
                 {NUM_INSTANCES, 5},
                 {NUM_INSTANCES, 0x7FFFFFFF},
                 {COUNTER, 0},
                 {COUNTER, 39},
                 {COUNTER, MAXDWORD},
                 {COUNTER + COUNTER_OFFSET, MAXDWORD},
                 {COUNTER + COUNTER_OFFSET, MAXDWORD - 3},
                 {INSTANCE, 0},
                 {INSTANCE, MAXDWORD},
                 {INSTANCE + NAME_OFFSET, MAXDWORD},
                 {INSTANCE + NAME_BYTES, MAXDWORD},
                 {INSTANCE + NAME_BYTES, 0x7FFFFFFF}};
    raw_sample whole;
    guarded g;

    (void)state;
    take_ours(&whole);
    g = guard(&whole, whole.objects_bytes);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        uint32_t count = 0;
        DWORD right;

        memcpy(&right, g.sample.bytes + wrong[i].offset, sizeof right);
        memcpy(g.sample.bytes + wrong[i].offset, &wrong[i].value, sizeof right);
        if (raw_sample_walk(&g.sample, count_values, &count) != ERROR_INVALID_DATA)
            fail_msg("byte %lu: %lu was accepted", (unsigned long)wrong[i].offset,
                     (unsigned long)wrong[i].value);
        memcpy(g.sample.bytes + wrong[i].offset, &right, sizeof right);
    }
    expect_made(&g.sample, 2);
    unguard(&g);
    raw_sample_free(&whole);
}

/* ---- Replies made by hand ---- */

/* One object without instances and with three counters, of 4, 8 and no bytes. */
typedef struct small_reply {
    PERF_OBJECT_TYPE object;
    PERF_COUNTER_DEFINITION counters[3];
    DWORD block_bytes;
    DWORD value;
    DWORD wide[2];
} small_reply;

static small_reply make_small_reply(void)
{
    static const DWORD sizes[] = {4, 8, 0};
    small_reply r = {.block_bytes = 16, .value = 42, .wide = {1, 2}};

    r.object.TotalByteLength = sizeof r;
    r.object.DefinitionLength = sizeof r.object + sizeof r.counters;
    r.object.HeaderLength = sizeof r.object;
    r.object.ObjectNameTitleIndex = 2;
    r.object.NumCounters = 3;
    r.object.NumInstances = PERF_NO_INSTANCES;
    for (DWORD i = 0; i < 3; i++) {
        r.counters[i].ByteLength = sizeof r.counters[i];
        r.counters[i].CounterNameTitleIndex = 4 + 2 * i;
        r.counters[i].CounterSize = sizes[i];
        r.counters[i].CounterOffset = i == 1 ? 8 : 4;
    }
    return r;
}

static DWORD walk_bytes(const void *bytes, DWORD size, DWORD objects,
                        void (*each)(void *context, const raw_value *value), void *context)
{
    const raw_sample whole = {.bytes = (BYTE *)(uintptr_t)bytes, .object_count = objects};
    guarded g = guard(&whole, size);
    DWORD status = raw_sample_walk(&g.sample, each, context);

    unguard(&g);
    return status;
}

static void expect_the_one(void *context, const raw_value *value)
{
    assert_int_equal(value->object, 2);
    assert_int_equal(value->counter, 4);
    assert_int_equal(value->value, 42);
    assert_true(value->instance[0] == 0);
    ++*(uint32_t *)context;
}

static void test_ras_reader_values_of_other_sizes_are_not_told(void **state)
{
    small_reply r = make_small_reply();
    uint32_t count = 0;

    (void)state;
    assert_int_equal(walk_bytes(&r, sizeof r, 1, expect_the_one, &count), ERROR_SUCCESS);
    assert_int_equal(count, 1);
}

static void test_ras_reader_a_definition_behind_the_end_is_damage(void **state)
{
    small_reply r = make_small_reply();
    uint32_t count = 0;

    (void)state;
    /* The object states a number of counters but has neither definitions nor values. */
    r.object.TotalByteLength = sizeof r.object + 4;
    r.object.DefinitionLength = sizeof r.object;
    r.counters[0].ByteLength = 4; /* these bytes are read as the ByteLength of the counter block */
    assert_int_equal(walk_bytes(&r, sizeof r.object + 4, 1, count_values, &count),
                     ERROR_INVALID_DATA);
    assert_int_equal(count, 0);
}

static void test_ras_reader_a_block_shorter_than_its_length_is_damage(void **state)
{
    small_reply r = make_small_reply();
    uint32_t count = 0;

    (void)state;
    r.counters[0].CounterSize = 8; /* the walk visits no counter of 8 bytes */
    r.block_bytes = 3;
    assert_int_equal(walk_bytes(&r, sizeof r, 1, count_values, &count), ERROR_INVALID_DATA);
}

/* The walk must not visit the same object four billion times. */
static void test_ras_reader_an_object_without_length_ends_the_walk(void **state)
{
    static const PERF_OBJECT_TYPE nothing;
    uint32_t count = 0;

    (void)state;
    assert_int_equal(walk_bytes(&nothing, sizeof nothing, MAXDWORD, count_values, &count),
                     ERROR_INVALID_DATA);
}

typedef struct long_name_reply {
    PERF_OBJECT_TYPE object;
    PERF_COUNTER_DEFINITION counter;
    PERF_INSTANCE_DEFINITION instance;
    wchar_t name[300];
    DWORD block_bytes;
    DWORD value;
} long_name_reply;

static void expect_cut_name(void *context, const raw_value *value)
{
    assert_int_equal(wcslen(value->instance), 255);
    assert_int_equal(value->value, 42);
    ++*(uint32_t *)context;
}

static void test_ras_reader_a_name_without_end_is_cut(void **state)
{
    static long_name_reply r;
    uint32_t count = 0;

    (void)state;
    r.object.TotalByteLength = sizeof r;
    r.object.DefinitionLength = sizeof r.object + sizeof r.counter;
    r.object.HeaderLength = sizeof r.object;
    r.object.NumCounters = 1;
    r.object.NumInstances = 1;
    r.counter.ByteLength = sizeof r.counter;
    r.counter.CounterSize = 4;
    r.counter.CounterOffset = 4;
    r.instance.ByteLength = sizeof r.instance + sizeof r.name;
    r.instance.NameOffset = sizeof r.instance;
    r.instance.NameLength = sizeof r.name;
    wmemset(r.name, L'x', 300);
    r.block_bytes = 8;
    r.value = 42;
    assert_int_equal(walk_bytes(&r, sizeof r, 1, expect_cut_name, &count), ERROR_SUCCESS);
    assert_int_equal(count, 1);
}

/* ---- Unusual providers ---- */

enum { NEEDED_BYTES = 300000 };

static DWORD APIENTRY need_much(LPWSTR query, LPVOID *data, LPDWORD bytes, LPDWORD objects)
{
    const bool fits = *bytes >= NEEDED_BYTES;

    (void)query;
    *data = (BYTE *)*data + (fits ? NEEDED_BYTES : 0);
    *bytes = fits ? NEEDED_BYTES : 0;
    *objects = 0;
    return fits ? ERROR_SUCCESS : ERROR_MORE_DATA;
}

static DWORD APIENTRY claim_much(LPWSTR query, LPVOID *data, LPDWORD bytes, LPDWORD objects)
{
    (void)query;
    (void)data;
    ++*bytes;
    *objects = 1;
    return ERROR_SUCCESS;
}

static DWORD APIENTRY give_up(LPWSTR query, LPVOID *data, LPDWORD bytes, LPDWORD objects)
{
    (void)query;
    (void)data;
    *bytes = *objects = 0;
    return ERROR_BUSY;
}

static void test_ras_reader_asks_again_with_more_room_and_believes_no_more_than_that(void **state)
{
    raw_dll dll = {.collect = need_much};
    raw_sample sample = {.bytes = NULL};

    (void)state;
    assert_int_equal(raw_sample_collect(&dll, &sample), ERROR_SUCCESS);
    assert_int_equal(sample.objects_bytes, NEEDED_BYTES);
    raw_sample_free(&sample);
    dll.collect = claim_much;
    assert_int_equal(raw_sample_collect(&dll, &sample), ERROR_INVALID_DATA);
    dll.collect = give_up;
    assert_int_equal(raw_sample_collect(&dll, &sample), ERROR_BUSY);
    assert_null(sample.bytes);
}

/* ---- The service ---- */

static int install(void **state)
{
    char path[MAX_PATH];

    (void)state;
    if (!GetModuleFileNameW(NULL, library, MAX_PATH - 32))
        return 1;
    wcscpy(wcsrchr(library, L'\\') + 1, L"RasSamplePrf.dll");
    if (!WideCharToMultiByte(CP_UTF8, 0, library, -1, path, sizeof path, NULL, NULL))
        return 1;
    prfdata_test_service_make(&service, RAS_SERVICE, &ras_map, FIRST_COUNTER);
    prfdata_test_service_set_number(&service, "Last Counter", LAST_COUNTER);
    prfdata_test_service_set_text(&service, "Library", path);
    prfdata_test_service_set_text(&service, "Open", "PrfDataOpen");
    prfdata_test_service_set_text(&service, "Collect", "PrfDataCollect");
    prfdata_test_service_set_text(&service, "Close", "PrfDataClose");
    return 0;
}

static int uninstall(void **state)
{
    (void)state;
    RegCloseKey(HKEY_PERFORMANCE_DATA);
    ras_counters_close();
    prfdata_test_service_remove(&service);
    return 0;
}

#define WITH_PUBLISHER(test) cmocka_unit_test_setup_teardown(test, publish, end_publishing)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ras_reader_finds_its_own_of_several_titles),
        cmocka_unit_test(test_ras_reader_names_every_index_and_no_other),
        cmocka_unit_test(test_ras_reader_of_a_service_that_is_not_there_says_so),
        cmocka_unit_test(test_ras_reader_a_title_list_cut_anywhere_ends_there),
        WITH_PUBLISHER(test_ras_reader_through_the_registry_reads_exactly_what_was_made),
        WITH_PUBLISHER(test_ras_reader_one_index_reads_one_object),
        WITH_PUBLISHER(test_ras_reader_through_the_dll_reads_exactly_what_was_made),
        cmocka_unit_test(test_ras_reader_a_dll_that_is_no_provider_is_refused),
        WITH_PUBLISHER(test_ras_reader_rates_are_differences_over_the_time_between_the_samples),
        WITH_PUBLISHER(test_ras_reader_rates_through_the_dll_are_the_like),
        cmocka_unit_test(test_ras_reader_a_rate_survives_the_wrap_and_needs_time),
        WITH_PUBLISHER(test_ras_reader_a_value_of_another_counter_or_instance_is_not_found),
        WITH_PUBLISHER(test_ras_example_of_the_readme_prints_every_rate),
        WITH_PUBLISHER(test_ras_reader_a_reply_cut_anywhere_is_damaged),
        WITH_PUBLISHER(test_ras_reader_objects_where_wine_puts_them_are_recognised),
        WITH_PUBLISHER(test_ras_reader_no_wrong_byte_leads_out_of_the_reply),
        WITH_PUBLISHER(test_ras_reader_wrong_lengths_are_damage),
        cmocka_unit_test(test_ras_reader_values_of_other_sizes_are_not_told),
        cmocka_unit_test(test_ras_reader_a_definition_behind_the_end_is_damage),
        cmocka_unit_test(test_ras_reader_a_block_shorter_than_its_length_is_damage),
        cmocka_unit_test(test_ras_reader_an_object_without_length_ends_the_walk),
        cmocka_unit_test(test_ras_reader_a_name_without_end_is_cut),
        cmocka_unit_test(test_ras_reader_asks_again_with_more_room_and_believes_no_more_than_that),
    };

    return cmocka_run_group_tests_name("ras_reader", tests, install, uninstall);
}
