/* SPDX-License-Identifier: MIT */
/* Tests the remote-access sample on every system. Compares its map with the counters that Windows
 * had, and a provider's replies with the simulation. Checks that the simulation is the same on
 * every system and that its sums are correct. The titles of the objects are 9300 (RAS Port), 9336
 * (RAS Total) and 9374 (RAS Frames). */
#include "support/test.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/prfdata.h>

#include "frame_times.h"
#include "ras_counters.h"
#include "report/check.h"
#include "support/provider/collecting.h"
#include "support/service.h"
#include "support/threads.h"
#include "titles/title_text.h"

enum {
    FIRST_COUNTER = 9300,
    PORT_TITLE = 9300,
    TOTAL_TITLE = 9336,
    FRAMES_TITLE = 9374,
    PORTS = 4,
    SEED = 1
};
enum { NUM_COUNTERS_FIELD = 32, COUNTER_TYPE_FIELD = 28 };

static prfdata_test_service service;

/* ---- The map ---- */

/* Values that the simulation shows but does not count. */
enum { SAVED_OUT = SIMULATION_COUNTS, SAVED_IN, CONNECTED };

/* The counters that Windows had, in its order, and what they are here. */
static const struct {
    const wchar_t *name;
    uint32_t type;
    int meaning;
} original[RAS_TOTAL_COUNTERS] = {
    {L"Bytes Transmitted", PERF_COUNTER_RAWCOUNT, SIMULATION_BYTES_OUT},
    {L"Bytes Received", PERF_COUNTER_RAWCOUNT, SIMULATION_BYTES_IN},
    {L"Frames Transmitted", PERF_COUNTER_RAWCOUNT, SIMULATION_FRAMES_OUT},
    {L"Frames Received", PERF_COUNTER_RAWCOUNT, SIMULATION_FRAMES_IN},
    {L"Percent Compression Out", PERF_COUNTER_RAWCOUNT, SAVED_OUT},
    {L"Percent Compression In", PERF_COUNTER_RAWCOUNT, SAVED_IN},
    {L"CRC Errors", PERF_COUNTER_RAWCOUNT, SIMULATION_CRC_ERRORS},
    {L"Timeout Errors", PERF_COUNTER_RAWCOUNT, SIMULATION_TIMEOUT_ERRORS},
    {L"Serial Overrun Errors", PERF_COUNTER_RAWCOUNT, SIMULATION_SERIAL_OVERRUN_ERRORS},
    {L"Alignment Errors", PERF_COUNTER_RAWCOUNT, SIMULATION_ALIGNMENT_ERRORS},
    {L"Buffer Overrun Errors", PERF_COUNTER_RAWCOUNT, SIMULATION_BUFFER_OVERRUN_ERRORS},
    {L"Total Errors", PERF_COUNTER_RAWCOUNT, SIMULATION_ERRORS},
    {L"Bytes Transmitted/Sec", PERF_COUNTER_COUNTER, SIMULATION_BYTES_OUT},
    {L"Bytes Received/Sec", PERF_COUNTER_COUNTER, SIMULATION_BYTES_IN},
    {L"Frames Transmitted/Sec", PERF_COUNTER_COUNTER, SIMULATION_FRAMES_OUT},
    {L"Frames Received/Sec", PERF_COUNTER_COUNTER, SIMULATION_FRAMES_IN},
    {L"Total Errors/Sec", PERF_COUNTER_COUNTER, SIMULATION_ERRORS},
    {L"Total Connections", PERF_COUNTER_RAWCOUNT, CONNECTED}};

/* Find an object of the map and check that it is followed by the counters of the original. */
static void expect_object(uint32_t id, const wchar_t *name, uint32_t counters)
{
    const prfdata_map_entry *entry = ras_map.entries;
    const prfdata_map_entry *end = entry + ras_map.entry_count;
    uint32_t found = 0;

    while (entry < end && entry->id != id)
        entry++;
    assert_true(entry < end && wcscmp(entry->name, name) == 0);
    for (entry++; entry < end && entry->kind != PRFDATA_ENTRY_OBJECT; entry++) {
        if (entry->kind != PRFDATA_ENTRY_COUNTER)
            continue;
        assert_true(found < counters);
        assert_int_equal(entry->id, id + 1 + found);
        assert_true(wcscmp(entry->name, original[found].name) == 0);
        assert_int_equal(entry->type, original[found].type);
        found++;
    }
    assert_int_equal(found, counters);
}

static void test_ras_map_has_the_counters_of_windows(void **state)
{
    (void)state;
    assert_int_equal(prfdata_map_check(&ras_map, NULL, 0), 0);
    expect_object(RAS_PORT, L"RAS Port", 17);
    expect_object(RAS_TOTAL, L"RAS Total", 18);
}

static void expect_file(const char *name, void *bytes, size_t size)
{
    const char *source = getenv("PRFDATA_SOURCE_DIR");
    static unsigned char found[65536];
    char path[1024];
    FILE *file;

    assert_non_null(source);
    snprintf(path, sizeof path, "%s/ini/%s", source, name);
    file = fopen(path, "rb");
    if (!file)
        fail_msg("no %s", path);
    assert_int_equal(fread(found, 1, sizeof found, file), size);
    fclose(file);
    assert_memory_equal(found, bytes, size);
    free(bytes);
}

static void fail_at_note(void *context, bool is_mistake, const char *text)
{
    (void)context;
    (void)is_mistake;
    fail_msg("%s", text);
}

/* Developers who build the sample see the notes about its map, so there must be none. */
static void test_ras_map_gives_no_reason_for_a_note(void **state)
{
    (void)state;
    assert_int_equal(prfdata_check_map(&ras_map, fail_at_note, NULL), 0);
}

static void test_ras_map_gives_the_checked_in_title_files(void **state)
{
    static const prfdata_title_languages english_only;
    prfdata_model *model = NULL;
    void *bytes = NULL;
    size_t size = 0;

    (void)state;
    assert_int_equal(prfdata_model_make(&ras_map, &model), ERROR_SUCCESS);
    assert_int_equal(prfdata_title_text_ini(model, &english_only, &bytes, &size), ERROR_SUCCESS);
    expect_file(RAS_SERVICE ".ini", bytes, size);
    assert_int_equal(prfdata_title_text_header(model, &bytes, &size), ERROR_SUCCESS);
    expect_file(RAS_SERVICE ".h", bytes, size);
    prfdata_model_free(model);
}

/* ---- The simulation ---- */

static void run_ras(simulation *made, uint32_t steps)
{
    while (steps-- > 0)
        simulation_step(made);
}

/* A Python program computed these numbers. */
static void test_ras_simulation_is_the_same_on_every_system(void **state)
{
    static const uint64_t wanted[SIMULATION_COUNTS] = {
        6733732, 6576980, 13494, 13116, 93, 84, 38, 24, 16, 255, 10400002, 10103999};
    simulation made;

    (void)state;
    simulation_init(&made, PORTS, SEED);
    run_ras(&made, 1000);
    for (int i = 0; i < SIMULATION_COUNTS; i++)
        assert_int_equal(made.all.counts[i], wanted[i]);
}

static void test_ras_simulation_other_seeds_make_other_events(void **state)
{
    simulation one, other;

    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        simulation_init(&one, PORTS, seed);
        simulation_init(&other, PORTS, seed + 1);
        run_ras(&one, 100);
        run_ras(&other, 100);
        assert_memory_not_equal(&one.all, &other.all, sizeof one.all);
    }
}

static void expect_sums(const simulation *made)
{
    uint32_t connections = 0;

    for (int i = 0; i < SIMULATION_COUNTS; i++) {
        uint64_t sum = 0;

        for (uint32_t port = 0; port < made->port_count; port++)
            sum += made->ports[port].counts[i];
        assert_int_equal(made->all.counts[i], sum);
    }
    for (uint32_t port = 0; port < made->port_count; port++)
        connections += made->connected[port];
    assert_int_equal(made->connections, connections);
}

static void expect_sound_totals(const simulation_totals *totals)
{
    const uint64_t *counts = totals->counts;

    assert_int_equal(counts[SIMULATION_ERRORS], counts[SIMULATION_CRC_ERRORS] +
                                                    counts[SIMULATION_TIMEOUT_ERRORS] +
                                                    counts[SIMULATION_SERIAL_OVERRUN_ERRORS] +
                                                    counts[SIMULATION_ALIGNMENT_ERRORS] +
                                                    counts[SIMULATION_BUFFER_OVERRUN_ERRORS]);
    assert_true(counts[SIMULATION_BYTES_OUT] <= counts[SIMULATION_PLAIN_OUT]);
    assert_true(counts[SIMULATION_BYTES_IN] <= counts[SIMULATION_PLAIN_IN]);
    assert_true(counts[SIMULATION_PLAIN_OUT] >= 40 * counts[SIMULATION_FRAMES_OUT]);
    assert_true(counts[SIMULATION_PLAIN_IN] <= 1500 * counts[SIMULATION_FRAMES_IN]);
}

static void test_ras_simulation_totals_are_the_sums_after_every_step(void **state)
{
    simulation made, before;

    (void)state;
    simulation_init(&made, SIMULATION_MAX_PORTS, SEED);
    for (int step = 0; step < 300; step++) {
        before = made;
        simulation_step(&made);
        expect_sums(&made);
        for (uint32_t port = 0; port < made.port_count; port++) {
            expect_sound_totals(&made.ports[port]);
            for (int i = 0; i < SIMULATION_COUNTS; i++)
                assert_true(made.ports[port].counts[i] >= before.ports[port].counts[i]);
            if (!made.connected[port])
                assert_memory_equal(&made.ports[port], &before.ports[port], sizeof made.ports[0]);
        }
    }
}

/* Every kind of event happens soon enough for tests to see it. */
static void test_ras_simulation_ports_connect_err_and_disconnect(void **state)
{
    uint32_t connected = 0, disconnected = 0;
    simulation made, before;

    (void)state;
    simulation_init(&made, PORTS, SEED);
    for (int step = 0; step < 1000; step++) {
        before = made;
        simulation_step(&made);
        for (uint32_t port = 0; port < PORTS; port++) {
            connected += made.connected[port] && !before.connected[port];
            disconnected += !made.connected[port] && before.connected[port];
        }
    }
    assert_true(connected > PORTS && disconnected > PORTS);
    for (uint32_t port = 0; port < PORTS; port++)
        for (int i = 0; i < SIMULATION_COUNTS; i++)
            assert_true(made.ports[port].counts[i] > 0);
}

static void test_ras_simulation_percent_saved_rounds_down(void **state)
{
    (void)state;
    assert_int_equal(simulation_percent_saved(0, 0), 0);
    assert_int_equal(simulation_percent_saved(1000, 1000), 0);
    assert_int_equal(simulation_percent_saved(1000, 501), 49);
    assert_int_equal(simulation_percent_saved(1000, 500), 50);
    assert_int_equal(simulation_percent_saved(1000, 0), 100);
}

/* ---- The readers' view ---- */

static prfdata_provider *open_provider(void)
{
    prfdata_provider *provider = NULL;

    assert_int_equal(prfdata_provider_open(RAS_SERVICE, &provider), ERROR_SUCCESS);
    prfdata_provider_set_refresh(provider, 0);
    return provider;
}

static const char *port_name(uint32_t port)
{
    static char name[16];

    snprintf(name, sizeof name, "COM%u", (unsigned)port + 1);
    return name;
}

static uint64_t read_port(const collected *taken, uint32_t port, uint32_t position)
{
    return collected_value(taken, PORT_TITLE, NULL, port_name(port), position);
}

static uint64_t read_total(const collected *taken, uint32_t position)
{
    return collected_value(taken, TOTAL_TITLE, NULL, NULL, position);
}

static uint64_t percent(uint64_t plain, uint64_t bytes)
{
    return plain == 0 ? 0 : 100 * (plain - bytes) / plain;
}

static uint64_t known(const simulation *made, const simulation_totals *totals, uint32_t position)
{
    const uint64_t *counts = totals->counts;

    switch (original[position].meaning) {
    case SAVED_OUT:
        return percent(counts[SIMULATION_PLAIN_OUT], counts[SIMULATION_BYTES_OUT]);
    case SAVED_IN:
        return percent(counts[SIMULATION_PLAIN_IN], counts[SIMULATION_BYTES_IN]);
    case CONNECTED:
        return made->connections;
    }
    return counts[original[position].meaning];
}

static void expect_made(const collected *taken, const simulation *made)
{
    assert_int_equal(collected_instances(taken, PORT_TITLE), made->port_count);
    for (uint32_t port = 0; port < made->port_count; port++)
        for (uint32_t i = 0; i < RAS_PORT_COUNTERS; i++)
            assert_int_equal(read_port(taken, port, i), known(made, &made->ports[port], i));
    for (uint32_t i = 0; i < RAS_TOTAL_COUNTERS; i++)
        assert_int_equal(read_total(taken, i), known(made, &made->all, i));
}

static void read_and_expect(prfdata_provider *provider, const simulation *made)
{
    collected taken;

    collected_take(&taken, provider, "9300 9336");
    expect_made(&taken, made);
    collected_free(&taken);
}

static int install(void **state)
{
    (void)state;
    prfdata_test_service_make(&service, RAS_SERVICE, &ras_map, FIRST_COUNTER);
    return 0;
}

static int uninstall(void **state)
{
    (void)state;
    ras_counters_close();
    prfdata_test_service_remove(&service);
    return 0;
}

static void test_ras_reply_has_17_counters_of_each_port_and_18_of_all(void **state)
{
    prfdata_provider *provider = open_provider();
    collected taken;

    (void)state;
    assert_int_equal(ras_counters_open(PORTS), ERROR_SUCCESS);
    collected_take(&taken, provider, "9300 9336");
    assert_int_equal(taken.reply.object_count, 2);
    assert_int_equal(perf_reader_object_field(&taken.reply, PORT_TITLE, NUM_COUNTERS_FIELD), 17);
    assert_int_equal(perf_reader_object_field(&taken.reply, TOTAL_TITLE, NUM_COUNTERS_FIELD), 18);
    assert_int_equal(collected_instances(&taken, PORT_TITLE), PORTS);
    assert_int_equal(collected_instances(&taken, TOTAL_TITLE), PERF_NO_INSTANCES);
    for (uint32_t i = 0; i < RAS_TOTAL_COUNTERS; i++)
        assert_int_equal(
            perf_reader_counter_field(&taken.reply, TOTAL_TITLE, i, COUNTER_TYPE_FIELD),
            original[i].type);
    collected_free(&taken);
    prfdata_provider_close(provider);
}

static void test_ras_readers_see_what_was_made_after_every_step(void **state)
{
    prfdata_provider *provider = open_provider();
    simulation made;

    (void)state;
    simulation_init(&made, PORTS, SEED);
    assert_int_equal(ras_counters_open(PORTS), ERROR_SUCCESS);
    read_and_expect(provider, &made);
    for (int step = 0; step < 200; step++) {
        simulation_step(&made);
        ras_counters_publish(&made);
        read_and_expect(provider, &made);
    }
    prfdata_provider_close(provider);
}

static void test_ras_every_port_that_there_can_be_is_seen(void **state)
{
    prfdata_provider *provider = open_provider();
    simulation made;

    (void)state;
    simulation_init(&made, RAS_MAX_PORTS, SEED);
    assert_int_equal(ras_counters_open(RAS_MAX_PORTS), ERROR_SUCCESS);
    run_ras(&made, 100);
    ras_counters_publish(&made);
    read_and_expect(provider, &made);
    prfdata_provider_close(provider);
}

/* The counters have 4 bytes, as in the original, so readers get the low half. */
static void test_ras_byte_counts_wrap_after_4_gib(void **state)
{
    prfdata_provider *provider = open_provider();
    simulation made;
    collected taken;

    (void)state;
    simulation_init(&made, 1, SEED);
    assert_int_equal(ras_counters_open(1), ERROR_SUCCESS);
    made.ports[0].counts[SIMULATION_BYTES_IN] = made.all.counts[SIMULATION_BYTES_IN] = 0x1FFFFFFF0u;
    ras_counters_publish(&made);
    made.ports[0].counts[SIMULATION_BYTES_IN] += 0x20;
    ras_counters_publish(&made);
    collected_take(&taken, provider, "9300 9336");
    assert_int_equal(read_port(&taken, 0, 1), 0x10);
    assert_int_equal(read_port(&taken, 0, 13), 0x10);
    assert_int_equal(read_total(&taken, 1), 0xFFFFFFF0u);
    collected_free(&taken);
    prfdata_provider_close(provider);
}

static void test_ras_counts_stay_and_gauges_go_when_the_program_ends(void **state)
{
    prfdata_provider *provider = open_provider();
    simulation made;
    collected taken;

    (void)state;
    simulation_init(&made, PORTS, SEED);
    assert_int_equal(ras_counters_open(PORTS), ERROR_SUCCESS);
    run_ras(&made, 1000);
    while (made.connections == 0)
        simulation_step(&made);
    ras_counters_publish(&made);
    ras_counters_close();
    collected_take(&taken, provider, "9300 9336");
    assert_int_equal(collected_instances(&taken, PORT_TITLE), 0);
    for (uint32_t i = 0; i < RAS_TOTAL_COUNTERS; i++) {
        const bool is_gauge = i == 4 || i == 5 || i == 17;

        assert_true(known(&made, &made.all, i) > 0);
        assert_int_equal(read_total(&taken, i), is_gauge ? 0 : known(&made, &made.all, i));
    }
    collected_free(&taken);
    prfdata_provider_close(provider);
}

/* The second run shows the counts of the first one plus its own. Gauges are only its own. */
static void test_ras_counts_of_the_next_run_are_added(void **state)
{
    prfdata_provider *provider = open_provider();
    simulation first, second;
    collected taken;

    (void)state;
    simulation_init(&first, PORTS, SEED);
    run_ras(&first, 500);
    assert_int_equal(ras_counters_open(PORTS), ERROR_SUCCESS);
    ras_counters_publish(&first);
    ras_counters_close();
    simulation_init(&second, PORTS, SEED + 1);
    run_ras(&second, 300);
    assert_int_equal(ras_counters_open(PORTS), ERROR_SUCCESS);
    ras_counters_publish(&second);
    collected_take(&taken, provider, "9300 9336");
    assert_int_equal(read_port(&taken, 2, 0),
                     known(&first, &first.ports[2], 0) + known(&second, &second.ports[2], 0));
    assert_int_equal(read_port(&taken, 2, 4), known(&second, &second.ports[2], 4));
    assert_int_equal(read_total(&taken, 11),
                     known(&first, &first.all, 11) + known(&second, &second.all, 11));
    assert_int_equal(read_total(&taken, 17), second.connections);
    collected_free(&taken);
    prfdata_provider_close(provider);
}

/* ---- The times of frames ---- */

/* The counters of RAS Frames, with the base. */
enum { P50, P95, P99, MAXIMUM, MEAN, MEAN_BASE, FRAMES, TIME, IN_10_MS, IN_1000_MS = IN_10_MS + 6 };

static frame_times times;
static uint64_t time_sums[RAS_MAX_PORTS]; /* sums in units of 100 ns */

static void add_and_record_frame(uint32_t port, uint32_t bytes)
{
    frame_times_add(&times, port, bytes);
    time_sums[port] += simulation_frame_100ns(port, bytes);
    ras_counters_record_frame(port, bytes);
}

static uint64_t read_frames(const collected *taken, uint32_t port, uint32_t position)
{
    return collected_value(taken, FRAMES_TITLE, NULL,
                           port == RAS_ALL_PORTS ? "_Total" : port_name(port), position);
}

/* Expect a percentile within 6.25 % of the true value, plus a microsecond. */
static void expect_percentile(const collected *taken, uint32_t port, uint32_t position,
                              uint32_t share)
{
    const uint64_t truth = frame_times_percentile(&times, port, share) / 10;
    const uint64_t value = read_frames(taken, port, position);
    const uint64_t error = value > truth ? value - truth : truth - value;

    assert_true(truth > 1000);
    if (error > truth / 16 + 1)
        fail_msg("port %u: %u instead of %u us", (unsigned)port, (unsigned)value, (unsigned)truth);
}

/* Every bound is the end of a bucket, so its count is exact. */
static void expect_bounds(const collected *taken, uint32_t port)
{
    static const uint32_t bounds_100ns[] = {98303,   196607,  491519,  983039,
                                            1966079, 5242879, 10485759};

    for (uint32_t i = 0; i <= IN_1000_MS - IN_10_MS; i++)
        assert_int_equal(read_frames(taken, port, IN_10_MS + i),
                         frame_times_count(&times, port, bounds_100ns[i]));
}

static void expect_times(const collected *taken, uint32_t port, uint64_t sum_100ns)
{
    const uint64_t count = frame_times_count(&times, port, UINT64_MAX);

    expect_percentile(taken, port, P50, 5000);
    expect_percentile(taken, port, P95, 9500);
    expect_percentile(taken, port, P99, 9900);
    expect_percentile(taken, port, MAXIMUM, 10000);
    assert_int_equal(read_frames(taken, port, MEAN_BASE), count);
    assert_int_equal(read_frames(taken, port, FRAMES), count);
    assert_int_equal(read_frames(taken, port, MEAN), (sum_100ns + 5) / 10); /* rounded */
    assert_int_equal(read_frames(taken, port, TIME), (sum_100ns + 5) / 10);
    expect_bounds(taken, port);
}

static void test_ras_frame_times_are_those_that_were_made(void **state)
{
    prfdata_provider *provider = open_provider();
    uint64_t sum = 0;
    simulation made;
    collected taken;

    (void)state;
    memset(&times, 0, sizeof times);
    memset(time_sums, 0, sizeof time_sums);
    simulation_init(&made, PORTS, SEED);
    made.frame_done = add_and_record_frame;
    assert_int_equal(ras_counters_open(PORTS), ERROR_SUCCESS);
    run_ras(&made, 1000);
    assert_int_equal(frame_times_count(&times, RAS_ALL_PORTS, UINT64_MAX),
                     made.all.counts[SIMULATION_FRAMES_OUT] +
                         made.all.counts[SIMULATION_FRAMES_IN]);
    collected_take(&taken, provider, "9374");
    assert_int_equal(collected_instances(&taken, FRAMES_TITLE), PORTS + 1);
    for (uint32_t port = 0; port < PORTS; port++) {
        expect_times(&taken, port, time_sums[port]);
        sum += time_sums[port];
    }
    expect_times(&taken, RAS_ALL_PORTS, sum);
    collected_free(&taken);
    prfdata_provider_close(provider);
}

/* Compares with true values that were computed by hand. */
static void test_ras_frame_times_percentiles_are_exact(void **state)
{
    (void)state;
    memset(&times, 0, sizeof times);
    assert_int_equal(frame_times_percentile(&times, 0, 5000), 0);
    for (uint32_t bytes = 70; bytes <= 700; bytes += 70) /* 10 to 100 ms at 56,000 bits/s */
        frame_times_add(&times, 0, bytes);
    assert_int_equal(frame_times_percentile(&times, 0, 1), 100000);
    assert_int_equal(frame_times_percentile(&times, 0, 5000), 500000);
    assert_int_equal(frame_times_percentile(&times, 0, 5001), 600000);
    assert_int_equal(frame_times_percentile(&times, 0, 10000), 1000000);
    assert_int_equal(frame_times_percentile(&times, 1, 10000), 0);
    frame_times_add(&times, 3, 1500); /* 833 ms at 14,400 bits/s */
    assert_int_equal(frame_times_percentile(&times, RAS_ALL_PORTS, 10000), 8333333);
    assert_int_equal(frame_times_count(&times, RAS_ALL_PORTS, 8333332), 10);
}

/* ---- While it publishes ---- */

typedef struct ras_meeting {
    prfdata_provider *provider;
    uint64_t claimed; /* number of threads that have begun */
    uint64_t ended;   /* whether the reader has ended */
    const char *mistake;
} ras_meeting;

static void publish_steps(ras_meeting *m)
{
    simulation made;

    simulation_init(&made, PORTS, SEED);
    while (!prfdata_load64_acquire(&m->ended)) {
        simulation_step(&made);
        ras_counters_publish(&made);
    }
}

/* Does not assert, because it does not run in cmocka's thread. */
static const char *validate_reading(prfdata_provider *provider)
{
    static unsigned char bytes[65536];
    static uint16_t query[] = {'9', '3', '0', '0', ' ', '9', '3', '3', '6', 0};
    perf_reply reply = {bytes, 0, 0};
    uint32_t size = sizeof bytes;
    void *data = bytes;

    if (prfdata_provider_collect(provider, query, &data, &size, &reply.object_count) != 0)
        return "no reply";
    reply.size = size;
    if (reply.object_count != 2)
        return "not two objects";
    for (uint32_t i = 0; i < RAS_PORT_COUNTERS; i++) {
        uint64_t sum = 0, value = 0;

        if (i == 4 || i == 5)
            continue;
        for (uint32_t port = 0; port < PORTS; port++) {
            if (!perf_reader_value(&reply, PORT_TITLE, NULL, port_name(port), i, &value))
                return "a port is missing";
            sum += value;
        }
        if (!perf_reader_value(&reply, TOTAL_TITLE, NULL, NULL, i, &value) ||
            value != (uint32_t)sum)
            return "the total is not the sum of the ports";
    }
    return NULL;
}

static void publish_or_read(void *context)
{
    ras_meeting *m = context;
    uint64_t role = 0;

    while (!prfdata_swap64_relaxed(&m->claimed, &role, role + 1)) {
    }
    if (role == 0) {
        publish_steps(m);
        return;
    }
    for (int i = 0; i < 300 && !m->mistake; i++)
        m->mistake = validate_reading(m->provider);
    prfdata_store64_release(&m->ended, 1);
}

static void test_ras_every_reading_has_the_ports_and_their_total_of_one_moment(void **state)
{
    ras_meeting m = {.provider = open_provider()};

    (void)state;
    assert_int_equal(ras_counters_open(PORTS), ERROR_SUCCESS);
    prfdata_test_threads_run(2, publish_or_read, &m);
    if (m.mistake && prfdata_provider_number(m.provider, PRFDATA_HEALTH_TORN) == 0)
        fail_msg("%s", m.mistake);
    prfdata_provider_close(m.provider);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ras_map_has_the_counters_of_windows),
        cmocka_unit_test(test_ras_map_gives_no_reason_for_a_note),
        cmocka_unit_test(test_ras_map_gives_the_checked_in_title_files),
        cmocka_unit_test(test_ras_simulation_is_the_same_on_every_system),
        cmocka_unit_test(test_ras_simulation_other_seeds_make_other_events),
        cmocka_unit_test(test_ras_simulation_totals_are_the_sums_after_every_step),
        cmocka_unit_test(test_ras_simulation_ports_connect_err_and_disconnect),
        cmocka_unit_test(test_ras_simulation_percent_saved_rounds_down),
        cmocka_unit_test_setup_teardown(test_ras_reply_has_17_counters_of_each_port_and_18_of_all,
                                        install, uninstall),
        cmocka_unit_test_setup_teardown(test_ras_readers_see_what_was_made_after_every_step,
                                        install, uninstall),
        cmocka_unit_test_setup_teardown(test_ras_every_port_that_there_can_be_is_seen, install,
                                        uninstall),
        cmocka_unit_test_setup_teardown(test_ras_byte_counts_wrap_after_4_gib, install, uninstall),
        cmocka_unit_test_setup_teardown(test_ras_counts_stay_and_gauges_go_when_the_program_ends,
                                        install, uninstall),
        cmocka_unit_test_setup_teardown(test_ras_counts_of_the_next_run_are_added, install,
                                        uninstall),
        cmocka_unit_test(test_ras_frame_times_percentiles_are_exact),
        cmocka_unit_test_setup_teardown(test_ras_frame_times_are_those_that_were_made, install,
                                        uninstall),
        cmocka_unit_test_setup_teardown(
            test_ras_every_reading_has_the_ports_and_their_total_of_one_moment, install, uninstall),
    };

    return cmocka_run_group_tests_name("ras", tests, NULL, NULL);
}
