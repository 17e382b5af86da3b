/* SPDX-License-Identifier: MIT */
/* Tests installing another version of a map over an earlier one: which counts continue, what is
 * kept, and what is refused. The DLL is the real provider. Readers are processes that have loaded
 * the registered DLL. Windows only. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <windows.h>
#include <winperf.h>

#include <prfdata/atomic.h>
#include <prfdata/prfdata.h>

#include "map/maps.h"
#include "support/installer/install_scene.h"
#include "support/installer/title_indexes.h"
#include "support/process.h"
#include "support/provider/collecting.h"
#include "windows/directory.h"
#include "windows/wine.h"

enum { QUEUE_ID = 100, DEPTH_ID = 101, JOBS_ID = 102 };
enum { NUM_COUNTERS = 32 }; /* in PERF_OBJECT_TYPE */
enum { ROOM = 65536, WAIT_MS = 60000, WAIT_STEP_MS = 20 };

static wchar_t folder[MAX_PATH]; /* the folder of the DLL */

/* Use a version of the map. Version 1 is the sample. Each later version n is the sample with
 * counter 900 + n before Jobs. */
static void use_version(int version)
{
    prfdata_map_entry counter = sample_map_counter(900 + (uint32_t)version, PERF_COUNTER_RAWCOUNT);

    sample_map_init(&sample);
    sample.map.service = SERVICE;
    if (version > 1)
        sample_map_insert(&sample, JOBS, &counter);
}

/* Put a DLL into the folder, as a setup program does. Each version has a different content. */
static void ship_dll(int version)
{
    wchar_t built[MAX_PATH];
    DWORD done;
    HANDLE file;

    GetModuleFileNameW(NULL, built, MAX_PATH);
    wcscpy(wcsrchr(built, L'\\') + 1, WSERVICE L"Prf.dll");
    assert_true(CopyFileW(built, provider, FALSE));
    file = CreateFileW(provider, FILE_APPEND_DATA, 0, NULL, OPEN_EXISTING, 0, NULL);
    assert_true(file != INVALID_HANDLE_VALUE);
    assert_true(WriteFile(file, "12345678", (DWORD)version, &done, NULL));
    CloseHandle(file);
}

static int set_up_upgrade(void **state)
{
    set_up(state);
    assert_int_equal(prfdata_directory_program_data(folder), ERROR_SUCCESS);
    wcscat(folder, L"\\PrfData upgrade test dll");
    remove_tree(folder);
    assert_true(CreateDirectoryW(folder, NULL));
    path_in(provider, folder, WSERVICE L"Prf.dll");
    ship_dll(1);
    return 0;
}

static int tear_down_upgrade(void **state)
{
    tear_down(state);
    remove_tree(folder);
    return 0;
}

/* ---- Counting and reading ---- */

static prfdata_publisher *publish(prfdata_handle *jobs)
{
    prfdata_publisher *publisher;
    prfdata_instance mail;

    assert_int_equal(prfdata_open(&sample.map, &publisher), ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_add(publisher, QUEUE_ID, L"mail", NULL, &mail), 0);
    assert_int_equal(prfdata_resolve(publisher, JOBS_ID, &mail, jobs), ERROR_SUCCESS);
    return publisher;
}

static uint32_t jobs_position(const prfdata_model *model)
{
    const prfdata_model_object *object = NULL;
    const prfdata_model_counter *counter = prfdata_model_find_counter(model, JOBS_ID, &object);

    return counter ? (uint32_t)(counter - object->counters) : 0;
}

/* Read the registered maps. `maps` points into `bytes`. */
static prfdata_model *registered_maps(prfdata_maps *maps)
{
    static unsigned char bytes[65536];
    DWORD size = sizeof bytes;
    prfdata_model *model = NULL;

    if (RegGetValueW(HKEY_LOCAL_MACHINE, PERFKEY, L"Maps", RRF_RT_REG_BINARY, NULL, bytes, &size) !=
            0 ||
        prfdata_maps_parse(bytes, size, maps) != 0 ||
        prfdata_maps_decode_current(maps, prfdata_model_from_bytes, &model) != 0)
        return NULL;
    return model;
}

/* Return the jobs of all queues, or -1 if the reply does not have them. */
static long jobs_in(const perf_reply *reply, DWORD title, uint32_t position)
{
    uint64_t value;

    if (perf_reader_mistake(reply) ||
        !perf_reader_value(reply, title, "", "_Total", position, &value))
        return -1;
    return (long)value;
}

/* ---- Child processes: a reader that loads the registered DLL, and programs that count ---- */

static FARPROC export_of(HMODULE module, const char *name)
{
    FARPROC function = GetProcAddress(module, name);

    if (!function)
        exit(2);
    return function;
}

static long collect_jobs(PM_COLLECT_PROC *collect)
{
    static unsigned char bytes[ROOM];
    const DWORD title = number_of(PERFKEY, L"First Counter");
    prfdata_maps maps;
    prfdata_model *model = registered_maps(&maps);
    wchar_t query[16];
    void *at = bytes;
    DWORD size = ROOM, objects = 0;
    perf_reply reply;
    long jobs;

    if (!model)
        return -1;
    swprintf(query, 16, L"%lu", (unsigned long)title);
    if (collect(query, &at, &size, &objects) != 0 || objects == 0)
        size = 0;
    reply.bytes = bytes;
    reply.size = size;
    reply.object_count = objects;
    jobs = size ? jobs_in(&reply, title, jobs_position(model)) : -1;
    prfdata_model_free(model);
    return jobs;
}

/* Run as a reader. It first prints the name of the DLL that it has loaded. Each line from the
 * parent is a number of jobs. The reader waits at most WAIT_MS until the DLL shows this number, and
 * prints the number that the DLL shows. */
static int be_a_reader(void)
{
    wchar_t library[MAX_PATH];
    DWORD library_bytes = sizeof library;
    char line[256];
    HMODULE module;
    PM_COLLECT_PROC *collect;

    if (RegGetValueW(HKEY_LOCAL_MACHINE, PERFKEY, L"Library", RRF_RT_REG_SZ, NULL, library,
                     &library_bytes) != 0)
        return 2;
    module = LoadLibraryW(library);
    if (!module)
        return 2;
    collect = (PM_COLLECT_PROC *)(void (*)(void))export_of(module, "PrfDataCollect");
    if (((PM_OPEN_PROC *)(void (*)(void))export_of(module, "PrfDataOpen"))(NULL) != 0)
        return 2;
    snprintf(line, sizeof line, "%ls", wcsrchr(library, L'\\') + 1);
    prfdata_test_process_say(line);
    while (prfdata_test_process_hear(line, sizeof line)) {
        const long wanted = atol(line);
        long jobs = collect_jobs(collect);

        for (int waited = 0; jobs != wanted && waited < WAIT_MS; waited += WAIT_STEP_MS) {
            Sleep(WAIT_STEP_MS);
            jobs = collect_jobs(collect);
        }
        snprintf(line, sizeof line, "%ld", jobs);
        prfdata_test_process_say(line);
    }
    return 0;
}

static int be_a_program(int version, int64_t jobs)
{
    prfdata_handle handle;
    char line[16];

    use_version(version);
    publish(&handle);
    prfdata_add(handle, jobs);
    prfdata_test_process_say("counted");
    prfdata_test_process_hear(line, sizeof line);
    return 0;
}

static prfdata_test_process *start_reader(char *library, size_t capacity)
{
    static const char *const arguments[] = {"read", NULL};
    prfdata_test_process *reader = prfdata_test_process_start(arguments);

    assert_true(prfdata_test_process_read_line(reader, library, capacity));
    return reader;
}

static void expect_jobs(prfdata_test_process *reader, const char *jobs)
{
    prfdata_test_process_tell(reader, jobs);
    prfdata_test_process_expect(reader, jobs);
}

static prfdata_test_process *start_program(int version, int jobs)
{
    char texts[2][16];
    const char *arguments[] = {"count", texts[0], texts[1], NULL};
    prfdata_test_process *program;

    snprintf(texts[0], sizeof texts[0], "%d", version);
    snprintf(texts[1], sizeof texts[1], "%d", jobs);
    program = prfdata_test_process_start(arguments);
    prfdata_test_process_expect(program, "counted");
    return program;
}

/* ---- The DLL ---- */

static void test_upgrade_replaces_a_dll_that_readers_hold(void **state)
{
    char names[2][256], copy_name[256];
    wchar_t copy[MAX_PATH];
    prfdata_test_process *readers[2];
    prfdata_publisher *publisher;
    prfdata_handle jobs;

    (void)state;
    assert_done(install());
    wcscpy(copy, registered_copy(provider));
    publisher = publish(&jobs);
    prfdata_add(jobs, 5);
    readers[0] = start_reader(names[0], sizeof names[0]);
    expect_jobs(readers[0], "5");

    ship_dll(2); /* replaces the DLL of version 1 while a reader runs */
    use_version(2);
    assert_done(install());
    assert_reported(L"DLL in use: ");
    assert_string_equal(
        (snprintf(copy_name, sizeof copy_name, "%ls", wcsrchr(copy, L'\\') + 1), copy_name),
        names[0]);
    assert_int_not_equal(wcscmp(registered_copy(provider), copy), 0);
    assert_true(text_is(SOURCE, L"EventMessageFile", registered_copy(provider)));
    assert_false(exists(copy)); /* the installer has renamed it */
    assert_int_equal(count_dll_copies(), 2);

    /* The first reader still has the old DLL, which shows the new map. A second reader loads the
     * new DLL. */
    prfdata_add(jobs, 2);
    expect_jobs(readers[0], "7");
    readers[1] = start_reader(names[1], sizeof names[1]);
    assert_string_not_equal(names[1], names[0]);
    expect_jobs(readers[1], "7");

    assert_int_equal(prfdata_test_process_wait(readers[0]), 0);
    assert_done(install());
    assert_reported(L"DLL removed: ");
    assert_int_equal(count_dll_copies(), 1);
    expect_jobs(readers[1], "7");
    assert_int_equal(prfdata_test_process_wait(readers[1]), 0);
    prfdata_close_and_unmap(publisher);
    assert_done(uninstall());
    assert_nothing_left();
}

/* Going back to the earlier version registers its copy again, because the name of a copy depends
 * only on its content. */
static void test_upgrade_and_back_registers_the_same_copy(void **state)
{
    wchar_t copy[MAX_PATH];

    (void)state;
    assert_done(install());
    wcscpy(copy, registered_copy(provider));
    ship_dll(2);
    assert_done(install());
    assert_int_not_equal(wcscmp(registered_copy(provider), copy), 0);
    assert_int_equal(count_dll_copies(), 1);
    ship_dll(1);
    assert_done(install());
    assert_same_text(registered_copy(provider), copy);
    assert_int_equal(count_dll_copies(), 1);
}

/* The registered copy was damaged and is repaired. It stays repaired even if a later step fails. */
static void test_upgrade_that_fails_leaves_the_registered_copy(void **state)
{
    wchar_t path[MAX_PATH], copy[MAX_PATH];

    (void)state;
    assert_done(install());
    wcscpy(copy, registered_copy(provider));
    write_file(copy, "MZ", 2);
    path_in(path, data, WSERVICE L".ini");
    assert_true(DeleteFileW(path));
    assert_true(CreateDirectoryW(path, NULL));
    assert_int_equal(install(), ERROR_ACCESS_DENIED);
    assert_same_text(registered_copy(provider), copy);
    assert_true(RemoveDirectoryW(path));
}

static void test_upgrade_that_fails_takes_its_copy_back(void **state)
{
    wchar_t path[MAX_PATH], copy[MAX_PATH];

    (void)state;
    assert_done(install());
    wcscpy(copy, registered_copy(provider));
    ship_dll(2);
    use_version(2);
    path_in(path, data, WSERVICE L".ini");
    assert_true(DeleteFileW(path));
    assert_true(CreateDirectoryW(path, NULL));
    assert_int_equal(install(), ERROR_ACCESS_DENIED);
    assert_true(text_is(PERFKEY, L"Library", copy));
    assert_true(exists(copy));
    assert_int_equal(count_dll_copies(), 1);
    assert_true(RemoveDirectoryW(path));
}

/* ---- Counts ---- */

/* A reader that reads all the time, in its own thread. */
static struct {
    prfdata_provider *asked;
    HANDLE thread;
    uint32_t is_over;
    uint32_t readings;
    uint32_t falls;
} watch;

static DWORD WINAPI watch_the_total(void *context)
{
    long last = 0;

    (void)context;
    while (!prfdata_load32_acquire(&watch.is_over)) {
        const DWORD title = number_of(PERFKEY, L"First Counter");
        static unsigned char bytes[ROOM];
        uint16_t query[16] = {0};
        char digits[16];
        void *at = bytes;
        uint32_t size = ROOM, objects = 0;
        perf_reply reply;
        long jobs = -1;

        snprintf(digits, sizeof digits, "%lu", (unsigned long)title);
        for (size_t i = 0; digits[i]; i++)
            query[i] = (unsigned char)digits[i];
        prfdata_provider_collect(watch.asked, query, &at, &size, &objects);
        reply.bytes = bytes;
        reply.size = size;
        reply.object_count = objects;
        /* Jobs is the second counter in version 1, and the third in version 2. */
        if (size && !perf_reader_mistake(&reply)) {
            const bool is_first = perf_reader_object_field(&reply, title, NUM_COUNTERS) == 4;

            jobs = jobs_in(&reply, title, is_first ? 1 : 2);
        }
        if (jobs < 0)
            continue; /* the titles are being loaded at the moment */
        watch.readings++;
        watch.falls += jobs < last;
        last = jobs;
    }
    return 0;
}

static void begin_to_watch(void)
{
    memset(&watch, 0, sizeof watch);
    assert_int_equal(prfdata_provider_open(SERVICE, &watch.asked), ERROR_SUCCESS);
    prfdata_provider_set_refresh(watch.asked, 0);
    watch.thread = CreateThread(NULL, 0, watch_the_total, NULL, 0, NULL);
    assert_non_null(watch.thread);
}

static void end_to_watch(void)
{
    if (!watch.thread)
        return;
    prfdata_store32_release(&watch.is_over, 1);
    WaitForSingleObject(watch.thread, INFINITE);
    CloseHandle(watch.thread);
    prfdata_provider_close(watch.asked);
    watch.thread = NULL;
}

static int tear_down_watch(void **state)
{
    end_to_watch();
    return tear_down_upgrade(state);
}

static long total_shown(void)
{
    const DWORD title = number_of(PERFKEY, L"First Counter");
    prfdata_maps maps;
    prfdata_model *model = registered_maps(&maps);
    collected taken;
    char query[16];
    long jobs;

    assert_non_null(model);
    snprintf(query, sizeof query, "%lu", (unsigned long)title);
    collected_take(&taken, watch.asked, query);
    jobs = jobs_in(&taken.reply, title, jobs_position(model));
    collected_free(&taken);
    prfdata_model_free(model);
    return jobs;
}

/* Wait until readings show the total `expected`. While the other thread checks for changes, a
 * reading shows the earlier state. */
static void wait_for_total(long expected)
{
    for (int waited = 0; total_shown() != expected && waited < WAIT_MS; waited += WAIT_STEP_MS)
        Sleep(WAIT_STEP_MS);
    assert_int_equal(total_shown(), expected);
}

/* Two versions are installed alternately. Programs of both run, and some are killed. */
static void test_upgrade_to_and_fro_loses_no_count(void **state)
{
    enum { TIMES = 10 };
    prfdata_test_process *programs[TIMES];
    long expected = 0;

    (void)state;
    assert_done(install());
    begin_to_watch();
    for (int i = 0; i < TIMES; i++) {
        use_version(1 + (i + 1) % 2);
        assert_done(install());
        /* Programs of both versions publish, whichever version is installed. */
        programs[i] = start_program(1 + i / 2 % 2, 1 << i);
        expected += 1L << i;
        wait_for_total(expected);
        if (i % 3 == 2) {
            prfdata_test_process_kill(programs[i]);
            prfdata_test_process_kill(programs[i - 2]);
            programs[i] = programs[i - 2] = NULL;
        }
    }
    for (int i = 0; i < TIMES; i++)
        if (programs[i])
            prfdata_test_process_kill(programs[i]);
    wait_for_total(expected);
    end_to_watch();
    assert_true(watch.readings > 0);
    assert_int_equal(watch.falls, 0);
}

/* ---- Maps that are kept ---- */

static uint32_t kept_maps(void)
{
    prfdata_maps maps;
    prfdata_model *model = registered_maps(&maps);

    assert_non_null(model);
    prfdata_model_free(model);
    return maps.count;
}

static void test_upgrade_keeps_eight_earlier_maps_and_says_which_go(void **state)
{
    (void)state;
    for (int version = 1; version <= 9; version++) {
        use_version(version);
        assert_done(install());
        assert_null(wcsstr(report, L"Earlier maps dropped"));
        assert_int_equal(kept_maps(), version);
    }
    use_version(3);
    assert_done(install()); /* this map is kept already */
    assert_int_equal(kept_maps(), 9);
    assert_null(wcsstr(report, L"Earlier maps dropped"));
    use_version(10);
    assert_done(install());
    assert_int_equal(kept_maps(), 9);
    assert_reported(L"Earlier maps dropped: 1, because at most 8 are kept, and none that is "
                    L"damaged or of a later format");
    assert_done(install());
    assert_reported(L"Already installed, nothing to change");
}

/* ---- What is refused ---- */

static void test_upgrade_that_changes_a_meaning_is_refused_with_a_sentence(void **state)
{
    (void)state;
    assert_done(install());
    sample.entries[JOBS].type = PERF_COUNTER_RAWCOUNT;
    assert_unchanged_by(install, ERROR_REVISION_MISMATCH);
    assert_reported(L"Map: JOBS (102, \"Jobs/sec\") was a count that only grows, and now is a "
                    L"present value\n");
    assert_reported(L"Give new counters new ids");
    assert_int_equal(step_count[PRFDATA_STEP_FAILED], 2);

    options.force = true;
    assert_done(install());
    assert_reported(L"and now is a present value, so what was counted before is no longer shown");
    options.force = false;
    assert_done(install()); /* a change that was forced once is accepted afterwards */
    use_version(1);
    /* Going back to version 1 is also a change of meaning. */
    assert_unchanged_by(install, ERROR_REVISION_MISMATCH);
    options.force = true;
    assert_done(install());
    assert_installed();
}

/* The new map is also compared with earlier maps that are kept. If an id has another meaning in the
 * new map than in several of these maps, only one line reports that. */
static void test_upgrade_is_compared_with_all_kept_maps(void **state)
{
    (void)state;
    for (int version = 1; version <= 3; version++) {
        use_version(version);
        assert_done(install());
    }
    use_version(1);
    sample_map_remove(&sample, JOBS); /* a version without JOBS */
    sample.entries[QUEUES].default_counter = DEPTH_ID;
    assert_done(install());
    use_version(1);
    sample.entries[JOBS].type = PERF_COUNTER_RAWCOUNT;
    assert_unchanged_by(install, ERROR_REVISION_MISMATCH);
    assert_reported(L"Map: JOBS (102, ");
    assert_int_equal(step_count[PRFDATA_STEP_FAILED], 2);
}

enum { MAJOR_AT = 4, MAP_COUNT_AT = 12 }; /* map-bytes.md, "The value Maps" */

static void change_maps(size_t at, unsigned char byte)
{
    static unsigned char bytes[65536];
    DWORD size = sizeof bytes;
    HKEY key;

    assert_int_equal(
        RegGetValueW(HKEY_LOCAL_MACHINE, PERFKEY, L"Maps", RRF_RT_REG_BINARY, NULL, bytes, &size),
        0);
    bytes[at] = byte;
    key = make_key(PERFKEY, 0);
    assert_int_equal(RegSetValueExW(key, L"Maps", 0, REG_BINARY, bytes, size), 0);
    RegCloseKey(key);
}

static void test_upgrade_over_a_later_format_is_refused(void **state)
{
    (void)state;
    assert_done(install());
    change_maps(MAJOR_AT, PRFDATA_MAPS_MAJOR + 1);
    assert_unchanged_by(install, ERROR_REVISION_MISMATCH);
    assert_reported(L"A later version of PrfData has registered this service");
    assert_done(uninstall());
    assert_reported(L"Left: another version of the map is registered");
    assert_reported(L"with a map of a later format");
    assert_true(has_key(PERFKEY));
    options.force = true;
    assert_done(install());
    assert_reported(L"what its programs counted is no longer shown");
    assert_int_equal(kept_maps(), 1);
    assert_installed();
}

/* Use the map of another product. It has other names and symbols, and by chance some of the same
 * ids. */
static void use_other_product(void)
{
    static const wchar_t *const names[] = {L"Their Doors", L"Open", L"Closed"};
    static const char *const symbols[] = {"DOORS", "OPEN", "CLOSED"};

    sample_map_init(&sample);
    sample.map.service = SERVICE;
    sample.map.entry_count = 0;
    sample_map_insert(&sample, 0, &sample.entries[QUEUES]);
    for (uint32_t i = 0; i < 2; i++) {
        prfdata_map_entry counter = sample_map_counter(DEPTH_ID + i, PERF_COUNTER_BULK_COUNT);

        sample_map_insert(&sample, i + 1, &counter);
    }
    for (uint32_t i = 0; i < 3; i++) {
        sample.entries[i].name = names[i];
        sample.entries[i].symbol = symbols[i];
    }
}

static void test_upgrade_by_another_product_is_refused_and_says_whose_it_is(void **state)
{
    (void)state;
    assert_done(install());
    use_other_product();
    assert_unchanged_by(install, ERROR_ALREADY_EXISTS);
    assert_reported(L"Another product has registered this service. Its DLL is ");
    assert_reported(registered_copy(provider));
    assert_reported(L"My Queues (100), My Workers (200), My Consumers (300)");
    assert_reported(L"Give the service of this map another name");

    options.force = true;
    assert_done(install());
    assert_reported(L"what its programs count is no longer shown");
    assert_int_equal(kept_maps(),
                     1); /* although some ids are the same, their counts do not continue */
    assert_installed();
}

/* The refusal lists as many objects of the other product as it has room for, each with its id. */
static void test_upgrade_by_another_product_lists_only_whole_objects(void **state)
{
    static wchar_t names[8][PRFDATA_MAX_NAME_CHARS];
    static const char *const symbols[] = {"Q0", "Q1", "Q2", "Q3", "Q4", "Q5", "Q6", "Q7"};
    const wchar_t *last;

    (void)state;
    for (uint32_t i = 0; i < 8; i++) {
        const prfdata_map_entry counter = sample_map_counter(2000 + i, PERF_COUNTER_BULK_COUNT);
        prfdata_map_entry object;

        (void)swprintf(names[i], PRFDATA_MAX_NAME_CHARS, L"Queue %0100u", (unsigned)i);
        object = sample_map_object(1000 + i, names[i], counter.id, PERF_NO_INSTANCES, 0);
        object.symbol = symbols[i];
        sample_map_append(&sample, object);
        sample_map_append(&sample, counter);
    }
    assert_done(install());
    use_other_product();
    assert_unchanged_by(install, ERROR_ALREADY_EXISTS);
    last = wcsstr(report, L". None of its ids");
    assert_non_null(last);
    assert_true(last[-1] == L')');
}

static void test_upgrade_with_one_name_or_symbol_left_is_the_same_product(void **state)
{
    (void)state;
    assert_done(install());
    use_other_product();
    sample.entries[1].symbol = "DEPTH";
    sample.entries[1].type = PERF_COUNTER_RAWCOUNT;
    assert_done(install());
    assert_int_equal(kept_maps(), 2);
    sample.entries[0].name = L"Another name";
    sample.entries[0].symbol = "OTHER";
    sample.entries[1].symbol = "ANOTHER";
    sample.entries[1].name = L"Third name";
    sample.entries[2].symbol = "NEXT"; /* the symbol changes, but the name stays */
    assert_done(install());
    assert_int_equal(kept_maps(), 2);
}

/* ---- Titles ---- */

static void test_upgrade_does_not_load_the_same_titles_again(void **state)
{
    DWORD first, last;

    (void)state;
    assert_done(install());
    first = number_of(PERFKEY, L"First Counter");
    last = number_of(PERFLIB, L"Last Counter");
    sample.entries[QUEUES].max_instances = 40;
    sample.entries[JOBS].detail_level = PERF_DETAIL_WIZARD;
    assert_done(install());
    assert_reported(L"Titles unchanged");
    assert_null(wcsstr(report, L"Earlier titles unloaded"));
    assert_int_equal(number_of(PERFKEY, L"First Counter"), first);
    assert_int_equal(number_of(PERFLIB, L"Last Counter"), last);
    assert_installed();
    sample.entries[DEPTH].name = L"Waiting";
    assert_done(install());
    assert_reported(L"Earlier titles unloaded");
    assert_installed();
}

/* ---- Numbers ---- */

static DWORD index_of(uint32_t id)
{
    prfdata_model *model = registered_model();
    const prfdata_model_object *object;
    const prfdata_model_counter *counter;
    uint32_t offset;

    assert_non_null(model);
    object = prfdata_model_find_object(model, id);
    counter = prfdata_model_find_counter(model, id, NULL);
    offset = object ? object->title_offset : counter->title_offset;
    prfdata_model_free(model);
    return number_of(PERFKEY, L"First Counter") + offset;
}

static void install_version(int version)
{
    use_version(version);
    assert_done(install());
    assert_installed();
}

/* Readers keep the titles that they have loaded, so these must stay valid. */
static void test_upgrade_titles_keep_their_indexes(void **state)
{
    DWORD first, queues, jobs, second;

    (void)state;
    install_version(1);
    first = number_of(PERFKEY, L"First Counter");
    queues = index_of(QUEUE_ID);
    jobs = index_of(JOBS_ID);
    install_version(2);
    second = index_of(902);
    assert_int_equal(number_of(PERFKEY, L"First Counter"), first);
    assert_int_equal(second, number_of(PERFKEY, L"Last Counter"));
    install_version(1);
    /* version 1 has no counter 902, but its title keeps this index */
    assert_int_equal(second, number_of(PERFKEY, L"Last Counter"));
    install_version(3);
    assert_int_equal(index_of(903), second + 2);
    install_version(2);
    assert_int_equal(index_of(902), second);
    assert_int_equal(index_of(QUEUE_ID), queues);
    assert_int_equal(index_of(JOBS_ID), jobs);
}

static void test_upgrade_forced_meaning_gets_another_index(void **state)
{
    DWORD jobs, last;

    (void)state;
    install_version(1);
    jobs = index_of(JOBS_ID);
    last = number_of(PERFKEY, L"Last Counter");
    sample.entries[JOBS].type = PERF_COUNTER_LARGE_RAWCOUNT;
    options.force = true;
    assert_done(install());
    assert_installed();
    assert_int_equal(index_of(JOBS_ID), last + 2);
    install_version(1);
    assert_int_equal(index_of(JOBS_ID), jobs);
}

static void test_upgrade_of_damaged_maps_keeps_those_that_can_be_read(void **state)
{
    (void)state;
    install_version(1);
    install_version(2);
    install_version(3);
    change_maps(MAP_COUNT_AT, 7); /* more maps than the value has */
    assert_int_not_equal(status(), ERROR_SUCCESS);
    assert_done(install());
    assert_reported(L"Maps in it that can be read: 3");
    assert_int_equal(kept_maps(), 3);
    assert_installed();
}

static void test_upgrade_of_damaged_maps_refuses_another_product(void **state)
{
    (void)state;
    install_version(1);
    change_maps(MAP_COUNT_AT, 7);
    use_other_product();
    assert_unchanged_by(install, ERROR_ALREADY_EXISTS);
    assert_reported(L"My Queues (100), My Workers (200), My Consumers (300)");
    options.force = true;
    assert_done(install());
    assert_int_equal(kept_maps(), 1); /* the maps of the other product are not kept */
    assert_installed();
}

static void test_upgrade_of_damaged_maps_refuses_a_changed_meaning(void **state)
{
    (void)state;
    install_version(1);
    change_maps(MAP_COUNT_AT, 7);
    sample.entries[JOBS].type = PERF_COUNTER_RAWCOUNT;
    assert_unchanged_by(install, ERROR_REVISION_MISMATCH);
    assert_reported(L"Map: JOBS (102, \"Jobs/sec\") was a count that only grows");
}

/* -Repair does not upgrade, because it uses only the installed version. */
static void test_upgrade_of_damaged_maps_is_none_by_repair(void **state)
{
    (void)state;
    install_version(1);
    install_version(2);
    change_maps(MAP_COUNT_AT, 7);
    use_version(1);
    assert_unchanged_by(repair, ERROR_INVALID_DATA);
    assert_reported(L"Still wrong: the registered map is damaged");
    assert_reported(L"Still wrong: the map of this program is another version");
    use_version(2);
    assert_done(repair());
    assert_installed();
    assert_int_equal(kept_maps(), 2);
}

static void test_upgrade_of_an_earlier_format_keeps_its_maps(void **state)
{
    (void)state;
    install_version(1);
    change_maps(MAJOR_AT, PRFDATA_MAPS_MAJOR - 1);
    assert_int_not_equal(status(), ERROR_SUCCESS);
    use_version(2);
    assert_done(install());
    assert_reported(L"has an earlier format. Maps in it that can be read: 1");
    assert_int_equal(kept_maps(), 2);
    assert_installed();
}

static void test_upgrade_another_product_gets_other_indexes(void **state)
{
    DWORD last;

    (void)state;
    install_version(1);
    last = number_of(PERFKEY, L"Last Counter");
    use_other_product();
    options.force = true;
    assert_done(install());
    assert_reported(L"Another product");
    assert_installed();
    assert_true(index_of(QUEUE_ID) > last);
    assert_true(index_of(DEPTH_ID) > last);
}

/* The titles get the indexes that they had before. A volatile key keeps the indexes until Windows
 * restarts. */
static void test_upgrade_installed_again_titles_have_the_indexes_of_before(void **state)
{
    DWORD jobs, second, last;

    (void)state;
    install_version(1);
    jobs = index_of(JOBS_ID);
    install_version(2);
    second = index_of(902);
    install_version(1);
    assert_done(uninstall());
    install_version(3);
    assert_int_equal(index_of(JOBS_ID), jobs);
    assert_int_equal(index_of(903), second + 2);
    assert_done(uninstall());
    install_version(2);
    assert_int_equal(index_of(902), second);
    last = number_of(PERFKEY, L"Last Counter");
    assert_done(uninstall());
    if (!prfdata_wine_is_here())
        return; /* on Windows the title database belongs to the system */
    /* Another product has loaded titles meanwhile. */
    set_number(PERFLIB, L"Last Counter", number_of(PERFLIB, L"Last Counter") + 4);
    install_version(2);
    assert_true(index_of(QUEUE_ID) > last);
    assert_true(index_of(902) > last);
}

/* The installer finds the titles where they are, whatever Last Counter says, and does not
 * move them. */
static void test_upgrade_wrong_last_counter_moves_no_title(void **state)
{
    static const DWORD differences[] = {2, 10, 99999};
    title_indexes before, now;

    (void)state;
    install_version(1);
    install_version(2);
    install_version(1); /* now the titles have a gap */
    title_indexes_read(&before, PERFKEY);
    for (int i = 0; i < 6; i++) {
        const DWORD last = number_of(PERFKEY, L"Last Counter");

        set_number(PERFKEY, L"Last Counter", last + differences[i / 2]);
        assert_done(i % 2 ? repair() : install());
        assert_installed();
        title_indexes_read(&now, PERFKEY);
        title_indexes_assert_same(&before, &now);
        assert_int_equal(number_of(PERFKEY, L"Last Counter"), last);
    }
}

/* Remove the numbers of the titles, as a program that unloads titles does, then repair. */
static uint32_t lose_titles_and_repair(void)
{
    static const wchar_t *const names[] = {L"First Counter", L"Last Counter", L"First Help",
                                           L"Last Help"};

    for (int i = 0; i < 4; i++)
        delete_value(PERFKEY, names[i]);
    return repair();
}

static uint32_t uninstall_and_install(void)
{
    const uint32_t answer = uninstall();

    return answer ? answer : install();
}

/* The title database was rebuilt, and its end is now within our titles. So our titles get indexes
 * that no reader knows. */
static void test_upgrade_titles_beyond_the_end_move_beyond_the_former(void **state)
{
    uint32_t (*const ways[])(void) = {repair, install, uninstall_and_install,
                                      lose_titles_and_repair};

    (void)state;
    if (!prfdata_wine_is_here())
        return; /* on Windows the title database belongs to the system */
    install_version(1);
    for (int i = 0; i < 4; i++) {
        title_indexes before, now;

        title_indexes_read(&before, PERFKEY);
        /* Delete the remembered numbers, as a restart of Windows does. */
        if (ways[i] != lose_titles_and_repair)
            RegDeleteKeyExW(HKEY_LOCAL_MACHINE, REMEMBERED, KEY_WOW64_64KEY, 0);
        set_number(PERFLIB, L"Last Counter", number_of(PERFKEY, L"First Counter") + 2);
        assert_done(ways[i]());
        assert_installed();
        title_indexes_read(&now, PERFKEY);
        title_indexes_assert_none_changed_hands(&before, &now);
    }
}

/* ---- Options of the last installation ---- */

static void test_upgrade_keeps_the_options_that_are_left_out(void **state)
{
    static const wchar_t writers[] = L"S-1-5-19,Users";

    (void)state;
    options.writers = writers;
    assert_done(install());
    assert_true(text_is(PERFKEY, L"Writers", writers));
    assert_true(text_is(PERFKEY, L"Arch", sizeof(void *) == 4 ? L"x86" : L"native"));
    options.writers = NULL;
    options.data_path = NULL;
    options.arch = PRFDATA_ARCH_DEFAULT;
    assert_done(install());
    assert_reported(L"Already installed, nothing to change");
    use_version(2);
    assert_done(install());
    assert_true(text_is(PERFKEY, L"Writers", writers));
    assert_true(text_is(PERFKEY, L"Regions", regions));
    assert_true(exists_in(data, WSERVICE L".ini"));

    options.writers = L"Services"; /* only the given option changes */
    assert_done(install());
    assert_true(text_is(PERFKEY, L"Writers", L"Services"));
    assert_true(text_is(PERFKEY, L"Regions", regions));
    assert_reported(L"Values written: Writers\n");
}

static void test_upgrade_keeps_the_architecture(void **state)
{
    const bool is_64 = sizeof(void *) == 8;

    (void)state;
    assert_done(install());
    set_text(PERFKEY, L"Arch", is_64 ? L"x86" : L"native");
    options.arch = PRFDATA_ARCH_DEFAULT;
    /* The remembered option asks for a DLL for another processor. */
    assert_unchanged_by(install, ERROR_BAD_EXE_FORMAT);
    assert_reported(L"Wrong provider");
    options.arch = is_64 ? PRFDATA_ARCH_NATIVE : PRFDATA_ARCH_X86;
    assert_done(install());
    assert_true(text_is(PERFKEY, L"Arch", is_64 ? L"native" : L"x86"));
}

/* Without an earlier installation the defaults are used. They are remembered, too. */
static void test_upgrade_defaults_are_those_of_the_first_time(void **state)
{
    (void)state;
    assert_done(install());
    assert_true(text_is(PERFKEY, L"Writers", L"Services"));
    delete_value(PERFKEY, L"Writers");
    set_text(PERFKEY, L"Regions",
             L"C:\\somewhere\\else"); /* this is not our folder, so it is not kept */
    assert_done(install());
    assert_true(text_is(PERFKEY, L"Writers", L"Services"));
    assert_true(text_is(PERFKEY, L"Regions", regions));
    set_text(PERFKEY, L"Writers", L"Nobody"); /* an invalid value counts as missing */
    set_text(PERFKEY, L"Arch", L"pdp-11");
    options.arch = PRFDATA_ARCH_DEFAULT;
    if (sizeof(void *) == 8) {
        assert_done(install());
        assert_true(text_is(PERFKEY, L"Writers", L"Services"));
        assert_true(text_is(PERFKEY, L"Arch", L"native"));
    }
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up_upgrade, tear_down_upgrade)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(test_upgrade_replaces_a_dll_that_readers_hold),
        TEST(test_upgrade_and_back_registers_the_same_copy),
        TEST(test_upgrade_that_fails_takes_its_copy_back),
        TEST(test_upgrade_that_fails_leaves_the_registered_copy),
        cmocka_unit_test_setup_teardown(test_upgrade_to_and_fro_loses_no_count, set_up_upgrade,
                                        tear_down_watch),
        TEST(test_upgrade_keeps_eight_earlier_maps_and_says_which_go),
        TEST(test_upgrade_that_changes_a_meaning_is_refused_with_a_sentence),
        TEST(test_upgrade_is_compared_with_all_kept_maps),
        TEST(test_upgrade_over_a_later_format_is_refused),
        TEST(test_upgrade_by_another_product_is_refused_and_says_whose_it_is),
        TEST(test_upgrade_by_another_product_lists_only_whole_objects),
        TEST(test_upgrade_with_one_name_or_symbol_left_is_the_same_product),
        TEST(test_upgrade_does_not_load_the_same_titles_again),
        TEST(test_upgrade_titles_keep_their_indexes),
        TEST(test_upgrade_forced_meaning_gets_another_index),
        TEST(test_upgrade_of_damaged_maps_keeps_those_that_can_be_read),
        TEST(test_upgrade_of_damaged_maps_refuses_another_product),
        TEST(test_upgrade_of_damaged_maps_refuses_a_changed_meaning),
        TEST(test_upgrade_of_damaged_maps_is_none_by_repair),
        TEST(test_upgrade_of_an_earlier_format_keeps_its_maps),
        TEST(test_upgrade_another_product_gets_other_indexes),
        TEST(test_upgrade_installed_again_titles_have_the_indexes_of_before),
        TEST(test_upgrade_wrong_last_counter_moves_no_title),
        TEST(test_upgrade_titles_beyond_the_end_move_beyond_the_former),
        TEST(test_upgrade_keeps_the_options_that_are_left_out),
        TEST(test_upgrade_keeps_the_architecture),
        TEST(test_upgrade_defaults_are_those_of_the_first_time),
    };

    if (argc == 2)
        return be_a_reader();
    if (argc == 4)
        return be_a_program(atoi(argv[2]), atol(argv[3]));
    return cmocka_run_group_tests_name("install upgrade", tests, NULL, NULL);
}
