/* SPDX-License-Identifier: MIT */
/* Tests what anyone may put into the regions folder: regions that each break one rule of
 * docs/region-format.md, files of other kinds, and files that change during Collect. A healthy
 * publisher runs at the same time. The replies must be valid, and must show that publisher's
 * numbers as if nothing had happened. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/prfdata.h>

#include "region/region.h"
#include "regions/folder_check.h"
#include "support/process.h"
#include "support/provider/collecting.h"
#include "support/provider/hostile_files.h"
#include "support/provider/hostile_validate.h"
#include "support/provider/one_version.h"
#include "support/provider/provided.h"
#include "support/sample_map.h"
#include "support/sampled.h"
#include "support/threads.h"
#include "system/os_name.h"

/* test_hostile_hot has hot consumers, whose lanes are the last part of a region. */
#ifdef PRFDATA_TEST_HOT
#define SERVICE "PrfDataTestHostileHot"
enum { IS_HOT = 1 };
#else
#define SERVICE "PrfDataTestHostile"
enum { IS_HOT = 0 };
#endif
#define OTHER SERVICE "Other"

enum { FIRST_COUNTER = 9500, QUEUE_TITLE = 9500, WORKER_TITLE = 9508, CONSUMER_TITLE = 9512 };
enum { JOBS_AT = 1, BUSY_AT = 0, TAKEN_AT = 0 };
enum { QUEUE_ID = 100, JOBS_ID = 102, BUSY_ID = 201, CONSUMER_ID = 300, TAKEN_ID };
enum { COLLECTS = 1000, FEWER_COLLECTS = 250, EVERYTHING = 2, MOST_BYTES = 65536 };
enum { HEALTHY_JOBS = 7, HOSTILE_JOBS = 1100, HEALTHY_BUSY = 3, HOSTILE_BUSY = 50 };

static prfdata_os_name name, new_name; /* names of regions made after the last restart */
static const char query[] = "9500 9508 9512";

static sample_map sample;
static prfdata_publisher *healthy;
static prfdata_os_directory *folder;

/* ---- The events reported ---- */

static struct {
    uint32_t count;
    prfdata_event first;
} reported;

static void record(void *context, const char *its_service, const prfdata_event *event)
{
    (void)context;
    (void)its_service;
    if (reported.count++ == 0)
        reported.first = *event;
}

static void open_provider(void)
{
    prfdata_provider_close(provider);
    provider = provided_open();
    memset(&reported, 0, sizeof reported);
    prfdata_provider_set_event_writer(provider, EVERYTHING, record, NULL);
}

/* ---- Regions ---- */

/* The bytes of a region while its publisher runs, and room for more bytes. */
typedef struct hostile_image {
    unsigned char bytes[MOST_BYTES];
    size_t size;
} hostile_image;

static hostile_image
    /* The queue "mail" has 1000 jobs, "news" 100; "eve" below "mail" has taken 10; the worker is
     * busy 50. */
    original;

static prfdata_publisher *publish(const prfdata_map *map, uint32_t queues, uint32_t consumers)
{
    const prfdata_capacity capacities[] = {{QUEUE_ID, queues}, {CONSUMER_ID, consumers}};
    prfdata_publisher *publisher;

    assert_int_equal(prfdata_open_with(map, capacities, 2, &publisher), ERROR_SUCCESS);
    return publisher;
}

static prfdata_instance add(prfdata_publisher *publisher, uint32_t object_id, const wchar_t *text,
                            const prfdata_instance *parent, uint32_t counter_id, int64_t amount)
{
    prfdata_instance added;
    prfdata_handle handle;

    assert_int_equal(prfdata_instance_add(publisher, object_id, text, parent, &added), 0);
    assert_int_equal(prfdata_resolve(publisher, counter_id, &added, &handle), 0);
    prfdata_add(handle, amount);
    return added;
}

static void add_busy(prfdata_publisher *publisher, int64_t amount)
{
    prfdata_handle handle;

    assert_int_equal(prfdata_resolve(publisher, BUSY_ID, NULL, &handle), 0);
    prfdata_add(handle, amount);
}

/* Reads the current bytes of the service's only region. */
static void read_region(const prfdata_test_service *whose, hostile_image *into)
{
    prfdata_test_file file;
    size_t size;
    void *bytes;

    assert_int_equal(prfdata_test_service_files(whose, &file, 1), 1);
    bytes = prfdata_test_service_read_file(whose, file.name, &size);
    assert_non_null(bytes);
    assert_true(size <= MOST_BYTES);
    memset(into, 0, sizeof *into);
    memcpy(into->bytes, bytes, size);
    into->size = size;
    free(bytes);
}

static void remove_region(const prfdata_test_service *whose)
{
    prfdata_test_file file;

    assert_int_equal(prfdata_test_service_files(whose, &file, 1), 1);
    assert_true(prfdata_test_service_delete_file(whose, file.name));
}

/* Makes a region with the real client library, and ends the client. */
static void make_original(void)
{
    prfdata_publisher *publisher = publish(&sample.map, 4, 2);
    prfdata_instance mail = add(publisher, QUEUE_ID, L"mail", NULL, JOBS_ID, 1000);

    add(publisher, QUEUE_ID, L"news", NULL, JOBS_ID, 100);
    add(publisher, CONSUMER_ID, L"eve", &mail, TAKEN_ID, 10);
    add_busy(publisher, HOSTILE_BUSY);
    read_region(&service, &original);
    prfdata_close_and_unmap(publisher);
    remove_region(&service);
}

static void heat_consumers(sample_map *of)
{
    if (IS_HOT)
        sample_map_insert_option(of, TAKEN + 1, PRFDATA_OPTION_HOT, 0);
}

static int install(void **state)
{
    (void)state;
    sample_map_init_as(&sample, SERVICE);
    heat_consumers(&sample);
    prfdata_test_service_make(&service, SERVICE, &sample.map, FIRST_COUNTER);
    assert_int_equal(prfdata_os_directory_open(SERVICE, &folder), ERROR_SUCCESS);
    make_original();
    healthy = publish(&sample.map, 16, 8);
    add(healthy, QUEUE_ID, L"mail", NULL, JOBS_ID, 5);
    add(healthy, QUEUE_ID, L"own", NULL, JOBS_ID, 2);
    add_busy(healthy, HEALTHY_BUSY);
    open_provider();
    return 0;
}

static int uninstall(void **state)
{
    prfdata_close_and_unmap(healthy);
    prfdata_os_directory_close(folder);
    return provided_end(state);
}

/* Puts a file into the folder and keeps it open like a running writer. */
static prfdata_os_region put(const prfdata_os_name *whose, const hostile_image *what)
{
    prfdata_os_region region = PRFDATA_OS_REGION_NONE;

    assert_true(prfdata_test_service_write_file(&service, whose->text, what->bytes, what->size));
    assert_int_equal(prfdata_os_region_take(folder, whose, &region), ERROR_SUCCESS);
    return region;
}

/* ---- Shown values ---- */

static void look_once(collected *taken)
{
    const char *mistake;
    char text[200];

    collected_take(taken, provider, query);
    mistake = hostile_mistake(&taken->reply, FIRST_COUNTER, text, sizeof text);
    if (mistake)
        fail_msg("%s", mistake);
}

/* Collects three times, so that the last reply comes from a plan if there can be one. */
static void look(collected *taken)
{
    for (int i = 0; i < 2; i++) {
        look_once(taken);
        collected_free(taken);
    }
    look_once(taken);
}

typedef struct hostile_shown {
    uint64_t mail; /* jobs of the queue "mail" */
    bool news;
    bool eve;
    uint64_t total; /* jobs of _Total */
    uint64_t busy;
} hostile_shown;

static const hostile_shown healthy_alone = {5, false, false, HEALTHY_JOBS, HEALTHY_BUSY};
static const hostile_shown both = {1005, true, true, HEALTHY_JOBS + HOSTILE_JOBS,
                                   HEALTHY_BUSY + HOSTILE_BUSY};

static void expect(const char *what, const hostile_shown *expected)
{
    collected taken;
    hostile_shown found;

    look(&taken);
    found.mail = collected_value(&taken, QUEUE_TITLE, "", "mail", JOBS_AT);
    found.news = collected_has(&taken, QUEUE_TITLE, "", "news");
    found.eve = collected_has(&taken, CONSUMER_TITLE, "mail", "eve");
    found.total = collected_value(&taken, QUEUE_TITLE, "", "_Total", JOBS_AT);
    found.busy = collected_value(&taken, WORKER_TITLE, NULL, NULL, BUSY_AT);
    assert_int_equal(collected_value(&taken, QUEUE_TITLE, "", "own", JOBS_AT), 2);
    if (collected_instances(&taken, QUEUE_TITLE) != 3 + expected->news ||
        collected_instances(&taken, CONSUMER_TITLE) != expected->eve)
        fail_msg("%s: other instances are shown", what);
    collected_free(&taken);
    if (found.mail != expected->mail || found.news != expected->news ||
        found.eve != expected->eve || found.total != expected->total ||
        found.busy != expected->busy)
        fail_msg("%s: mail %u, news %d, eve %d, total %u, busy %u", what, (unsigned)found.mail,
                 found.news, found.eve, (unsigned)found.total, (unsigned)found.busy);
}

/* Collects several times. Some events are reported only by the second refresh, and no event may be
 * reported twice. */
static void expect_often(const char *what, const hostile_shown *expected, uint32_t event)
{
    for (int i = 0; i < 4; i++)
        expect(what, expected);
    if (reported.count != (event != 0) || (event && reported.first.id != (prfdata_event_id)event))
        fail_msg("%s: %u events, the first is %u", what, (unsigned)reported.count,
                 (unsigned)reported.first.id);
}

/* ---- Rules R1 to R10: the region is ignored ---- */

static size_t round_up(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

/* Computes where the cells end, by docs/region-format.md, for the sample map without lanes. */
static size_t end_of_cells(size_t queues, size_t consumers)
{
    return 128 + 64 + 64 * queues + round_up(80 * queues) + 2 * 64 * queues + 64 + 64 * consumers +
           round_up(40 * consumers) + 2 * 64 * consumers;
}

static size_t size_with(size_t queues, size_t consumers)
{
    const size_t cells = end_of_cells(queues, consumers);

    return IS_HOT ? (cells + 127) / 128 * 128 + (consumers + 15) / 16 * 4224 : cells;
}

typedef struct damage {
    const char *what;
    size_t offset; /* offset of the changed word */
    uint32_t bytes;
    uint32_t value;
    uint32_t event; /* the event that the region causes if it has a writer; 0: none */
    bool is_shown;
    /* The size of the file. If queues or consumers is not 0, it is the size of a region with these
     * slots, plus more_bytes. Otherwise, a positive more_bytes is the size, and a more_bytes of 0
     * or below is added to the original size. */
    size_t queues, consumers;
    int more_bytes;
} damage;

static const damage damages[] = {
    {"nothing", 0, 0, 0, 0, true, 0, 0, 0},
    {"R1: too short for a header", 0, 0, 0, 0, false, 0, 0, 127},
    {"R1: no slot counts", 0, 0, 0, PRFDATA_EVENT_REGION_DAMAGED, false, 0, 0, 128},
    {"R1: too few slot counts", 0, 0, 0, PRFDATA_EVENT_REGION_DAMAGED, false, 0, 0, 151},
    {"R2: magic", 0, 4, 0x52465251, 0, false, 0, 0, 0},
    {"R3: major 0", 4, 2, 0, PRFDATA_EVENT_REGION_VERSION, false, 0, 0, 0},
    {"R3: major 2", 4, 2, 2, PRFDATA_EVENT_REGION_VERSION, false, 0, 0, 0},
    {"R3: any minor", 6, 2, 0xFFFF, 0, true, 0, 0, 0},
    {"R4: first feature", 8, 4, 1, PRFDATA_EVENT_REGION_VERSION, false, 0, 0, 0},
    {"R4: last feature", 8, 4, 1u << 31, PRFDATA_EVENT_REGION_VERSION, false, 0, 0, 0},
    {"R4: any hints", 12, 4, UINT32_MAX, 0, true, 0, 0, 0},
    {"R5: low half of the map's hash", 16, 4, 1, PRFDATA_EVENT_REGION_MAP, false, 0, 0, 0},
    {"R5: high half of the map's hash", 20, 4, 1, PRFDATA_EVENT_REGION_MAP, false, 0, 0, 0},
    {"R6: no objects", 40, 4, 0, PRFDATA_EVENT_REGION_DAMAGED, false, 0, 0, 0},
    {"R6: one object less", 40, 4, 2, PRFDATA_EVENT_REGION_DAMAGED, false, 0, 0, 0},
    {"R6: one object more", 40, 4, 4, PRFDATA_EVENT_REGION_DAMAGED, false, 0, 0, 0},
    {"R6: objects without end", 40, 4, UINT32_MAX, PRFDATA_EVENT_REGION_DAMAGED, false, 0, 0, 0},
    {"R7: no slots", 128, 4, 0, PRFDATA_EVENT_REGION_DAMAGED, false, 0, 2, 0},
    {"R7: too many slots", 128, 4, 65536, PRFDATA_EVENT_REGION_DAMAGED, false, 0, 0, 0},
    {"R7: slots without end", 128, 4, UINT32_MAX, PRFDATA_EVENT_REGION_DAMAGED, false, 0, 0, 0},
    {"R7: two slots without instances", 136, 4, 2, PRFDATA_EVENT_REGION_DAMAGED, false, 0, 0, 0},
    {"R7: no slot without instances", 136, 4, 0, PRFDATA_EVENT_REGION_DAMAGED, false, 0, 0, 0},
    {"R8: a slot less", 128, 4, 3, PRFDATA_EVENT_REGION_DAMAGED, false, 0, 0, 0},
    {"R8: a slot more", 128, 4, 5, PRFDATA_EVENT_REGION_DAMAGED, false, 0, 0, 0},
    {"R8: a line less", 0, 0, 0, PRFDATA_EVENT_REGION_DAMAGED, false, 0, 0, -64},
    {"R8: a line more", 0, 0, 0, PRFDATA_EVENT_REGION_DAMAGED, false, 4, 2, 64},
    {"R8: a byte less", 0, 0, 0, PRFDATA_EVENT_REGION_DAMAGED, false, 0, 0, -1},
    {"R8: a byte more", 0, 0, 0, PRFDATA_EVENT_REGION_DAMAGED, false, 4, 2, 1},
    {"R8: more than any region", 0, 0, 0, PRFDATA_EVENT_REGION_DAMAGED, false, 16, 8, 64},
    {"R9: unfinished", 32, 4, 0, 0, false, 0, 0, 0},
    {"R9: state 4", 32, 4, 4, PRFDATA_EVENT_REGION_DAMAGED, false, 0, 0, 0},
    {"R9: state without end", 32, 4, UINT32_MAX, PRFDATA_EVENT_REGION_DAMAGED, false, 0, 0, 0},
    {"R10: another boot", 24, 4, 1, 0, false, 0, 0, 0},
    {"any process id", 44, 4, UINT32_MAX, 0, true, 0, 0, 0},
};

static size_t damaged_size(const damage *d)
{
    if (d->queues + d->consumers > 0)
        return size_with(d->queues, d->consumers) + (size_t)d->more_bytes;
    if (d->more_bytes > 0)
        return (size_t)d->more_bytes;
    return original.size - (size_t)-d->more_bytes;
}

static void test_hostile_region_that_breaks_a_rule_is_ignored_and_told_once(void **state)
{
    (void)state;
    assert_int_equal(original.size, size_with(4, 2));
    expect_often("healthy", &healthy_alone, 0);
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        const damage *d = &damages[i];
        hostile_image changed = original;
        prfdata_os_region region;

        memcpy(changed.bytes + d->offset, &d->value, d->bytes);
        changed.size = damaged_size(d);
        open_provider();
        region = put(&name, &changed);
        expect_often(d->what, d->is_shown ? &both : &healthy_alone, d->event);
        prfdata_provider_close(provider); /* Windows does not delete files that are mapped */
        provider = NULL;
        prfdata_os_region_delete(folder, &name, &region);
    }
    open_provider();
}

/* The reader keeps the counts of the region, so no value falls. */
static const hostile_shown gone = {1005, false, false, HEALTHY_JOBS + HOSTILE_JOBS, HEALTHY_BUSY};

/* The region is attached already. The header is checked before every copy. */
static void test_hostile_header_that_becomes_wrong_hides_the_region_for_good(void **state)
{
    prfdata_os_region region = put(&name, &original);

    (void)state;
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        const damage *d = &damages[i];

        if (d->bytes == 0 || d->offset >= 128)
            continue;
        open_provider();
        expect(d->what, &both);
        memcpy(region.bytes + d->offset, &d->value, d->bytes);
        expect(d->what, d->is_shown ? &both : &gone);
        memcpy(region.bytes, original.bytes, 128);
        expect(d->what, d->is_shown ? &both : &gone);
    }
    prfdata_os_region_close(&region);
}

/* The number of slots is fixed when the region is attached. Later changes of it are ignored. */
static void test_hostile_slot_counts_that_change_later_are_not_believed(void **state)
{
    static const uint32_t counts[] = {0, 1, 5, 16, 17, UINT32_MAX};
    prfdata_os_region region = put(&name, &original);

    (void)state;
    expect("attached", &both);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        for (size_t object = 0; object < 3; object++)
            memcpy(region.bytes + 128 + 8 * object, &counts[i], sizeof counts[i]);
        expect("slot counts changed", &both);
    }
    prfdata_os_region_close(&region);
}

/* ---- Rules R11 to R15: the slot has no instance ---- */

enum { MAIL, NEWS, EVE };
enum { TAG = 0, FLAGS = 4, PARENT_SLOT = 12, PARENT_IDENTITY = 16, UNIQUE_ID = 20, UNITS = 24 };

static unsigned char *slot_of(unsigned char *bytes, int which)
{
    const size_t queues = 128 + 64;
    const size_t consumers = end_of_cells(4, 0);

    return bytes + (which == EVE ? consumers : queues + 64 * (size_t)which);
}

typedef struct slot_damage {
    const char *what;
    int which;
    size_t offset;
    uint32_t value;
    size_t second_offset;
    uint32_t second_value;
    uint64_t mail;
    bool news, eve;
} slot_damage;

static const slot_damage slot_damages[] = {
    {"nothing", NEWS, 28, 1, 28, 1, 1005, true, true},
    {"R11: free", NEWS, TAG, 4, TAG, 4, 1005, false, true},
    {"R11: building", NEWS, TAG, 5, TAG, 5, 1005, false, true},
    {"dormant", NEWS, TAG, 7, TAG, 7, 1005, false, true},
    {"R12: no name", NEWS, UNITS, 0, UNITS, 0, 1005, false, true},
    {"R12: name too long", NEWS, UNITS, 41, UNITS, 41, 1005, false, true},
    {"R12: name without end", NEWS, UNITS, UINT32_MAX, UNITS, UINT32_MAX, 1005, false, true},
    {"R12: half the words", NEWS, UNITS, 1u << 31, UNITS, 1u << 31, 1005, false, true},
    {"R12: the number -1", NEWS, FLAGS, 2, UNIQUE_ID, UINT32_MAX, 1005, false, true},
    {"R13: no object for parents", NEWS, PARENT_SLOT, 0, PARENT_IDENTITY, 1, 1005, false, true},
    {"R13: the first slot beyond", EVE, PARENT_SLOT, 4, PARENT_IDENTITY, 1, 1005, true, false},
    {"R13: a slot far beyond", EVE, PARENT_SLOT, UINT32_MAX - 1, PARENT_IDENTITY, 1, 1005, true,
     false},
    {"R13: a slot never used", EVE, PARENT_SLOT, 3, PARENT_IDENTITY, 0, 1005, true, false},
    {"R13: another identity", EVE, PARENT_IDENTITY, 2, PARENT_IDENTITY, 2, 1005, true, false},
    {"R13: a parent that is not live", MAIL, TAG, 7, TAG, 7, 1005, true, false},
};

static void test_hostile_slot_that_breaks_a_rule_has_no_instance_and_counts_in_totals(void **state)
{
    prfdata_os_region region = put(&name, &original);

    (void)state;
    for (size_t i = 0; i < sizeof slot_damages / sizeof slot_damages[0]; i++) {
        const slot_damage *d = &slot_damages[i];
        const hostile_shown expected = {d->mail, d->news, d->eve, both.total, both.busy};
        unsigned char *slot = slot_of(region.bytes, d->which);

        memcpy(slot + d->offset, &d->value, sizeof d->value);
        memcpy(slot + d->second_offset, &d->second_value, sizeof d->second_value);
        expect_often(d->what, &expected, 0);
        memcpy(region.bytes, original.bytes, original.size);
    }
    prfdata_os_region_close(&region);
}

static uint16_t *name_of(unsigned char *bytes, int which)
{
    return (uint16_t *)(void *)(slot_of(bytes, MAIL) + 4 * 64 + 80 * (size_t)which);
}

static void test_hostile_second_slot_of_a_name_counts_and_is_not_shown(void **state)
{
    static const hostile_shown expected = {1105, false, true, HEALTHY_JOBS + HOSTILE_JOBS,
                                           HEALTHY_BUSY + HOSTILE_BUSY};
    prfdata_os_region region = put(&name, &original);

    (void)state;
    memcpy(name_of(region.bytes, NEWS), name_of(region.bytes, MAIL), 8);
    expect_often("R15", &expected, 0);
    prfdata_os_region_close(&region);
}

static void test_hostile_names_are_cleaned(void **state)
{
    static const uint16_t names[][4] = {{'n', '(', ')', '/'},       {'\\', '#', '*', 'n'},
                                        {1, 31, 127, 'n'},          {0xD800, 'n', 0xDC00, 'n'},
                                        {'n', 0, 'n', 0},           {0xFFFF, 0xFFFE, 0xFEFF, ' '},
                                        {0xDC00, 0xD800, ' ', '"'}, {0, 0, 0, 0}};
    prfdata_os_region region = put(&name, &original);

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        collected taken;

        memcpy(name_of(region.bytes, NEWS), names[i], sizeof names[i]);
        look(&taken);
        assert_int_equal(collected_instances(&taken, QUEUE_TITLE), 4);
        assert_int_equal(collected_value(&taken, QUEUE_TITLE, "", "mail", JOBS_AT), 1005);
        collected_free(&taken);
    }
    prfdata_os_region_close(&region);
}

/* ---- Files that are not regions ---- */

static void expect_healthy_beside(const char *what, bool is_made)
{
    if (!is_made) {
        print_message("not on this system: %s\n", what);
        return;
    }
    open_provider();
    expect_often(what, &healthy_alone, 0);
    assert_true(prfdata_test_service_delete_file(&service, name.text));
}

/* Writes the region to a file that has no writer. */
static void write_original(const char *whose)
{
    assert_true(prfdata_test_service_write_file(&service, whose, original.bytes, original.size));
}

static void test_hostile_things_that_are_no_files_are_ignored(void **state)
{
    char path[520];

    (void)state;
    write_original("elsewhere");
    prfdata_test_service_path(&service, "elsewhere", path, sizeof path);
    expect_healthy_beside("a folder", hostile_make_folder(&service, name.text));
    expect_healthy_beside("a link", hostile_make_link(&service, "elsewhere", name.text));
    expect_healthy_beside("a link by path", hostile_make_link(&service, path, name.text));
    expect_healthy_beside("a link to itself", hostile_make_link(&service, name.text, name.text));
    expect_healthy_beside("a link to a folder", hostile_make_link(&service, ".", name.text));
    expect_healthy_beside("a FIFO", hostile_make_fifo(&service, name.text));
    expect_healthy_beside("a socket", hostile_make_socket(&service, name.text));
    expect_healthy_beside("an empty file",
                          prfdata_test_service_write_file(&service, name.text, "", 0));
    expect_healthy_beside("1 TB of holes",
                          hostile_make_sparse(&service, name.text, (uint64_t)1 << 40));
}

/* Makes a region of the largest possible size with the queue "mail". All of its counts are in the
 * first 4,096 bytes. */
static void make_large(hostile_image *large)
{
    static const uint32_t counts[] = {16, 1, 1, 0, 8, 0};
    static const uint16_t mail[] = {'m', 'a', 'i', 'l'};
    const size_t names = 192 + 16 * 64, cells = names + 16 * 80 + 16 * 64;

    memset(large, 0, sizeof *large);
    memcpy(large->bytes, original.bytes, 128);
    memcpy(large->bytes + 128, counts, sizeof counts);
    memcpy(large->bytes + 192, original.bytes + 192, 64);
    memcpy(large->bytes + names, mail, sizeof mail);
    large->bytes[cells + 8] = 100; /* jobs */
    large->size = size_with(16, 8);
}

/* A part of the region is in a hole of the file, so writing to it may fail. */
static void test_hostile_region_with_a_hole_is_ignored(void **state)
{
    static const hostile_shown whole = {105, false, false, HEALTHY_JOBS + 100, HEALTHY_BUSY};
    hostile_image large;

    (void)state;
    make_large(&large);
    assert_true(prfdata_test_service_write_file(&service, name.text, large.bytes, large.size));
    expect("no hole", &whole);
    prfdata_provider_close(provider); /* Windows does not delete files that are mapped */
    provider = NULL;
    assert_true(prfdata_test_service_write_file(&service, name.text, large.bytes, 4096));
    if (!hostile_make_sparse(&service, name.text, large.size))
        skip();
    open_provider();
    expect("a hole", &healthy_alone);
}

/* A running writer makes its file a terabyte large. Without a writer, such a file is not
 * reported. */
static void test_hostile_terabyte_with_a_writer_is_told_once(void **state)
{
    prfdata_os_region region = PRFDATA_OS_REGION_NONE;

    (void)state;
#ifdef _WIN32
    skip(); /* only the owner may extend the file, and os.h has no function for it */
#endif
    assert_true(prfdata_test_service_write_file(&service, name.text, "", 0));
    assert_int_equal(prfdata_os_region_take(folder, &name, &region), ERROR_SUCCESS);
    assert_true(hostile_make_sparse(&service, name.text, (uint64_t)1 << 40));
    open_provider();
    expect_often("1 TB with a writer", &healthy_alone, PRFDATA_EVENT_REGION_UNUSABLE);
    prfdata_os_region_close(&region);
}

static void test_hostile_region_of_another_service_is_ignored_and_reported(void **state)
{
    prfdata_test_service other;
    prfdata_publisher *publisher;
    prfdata_os_region region;
    sample_map *other_sample = malloc(sizeof *other_sample);
    hostile_image foreign;

    (void)state;
    assert_non_null(other_sample);
    sample_map_init_as(other_sample, OTHER);
    heat_consumers(other_sample);
    prfdata_test_service_make(&other, OTHER, &other_sample->map, FIRST_COUNTER + 100);
    publisher = publish(&other_sample->map, 4, 2);
    add(publisher, QUEUE_ID, L"mail", NULL, JOBS_ID, 1000);
    read_region(&other, &foreign);
    prfdata_close_and_unmap(publisher);
    prfdata_test_service_remove(&other);
    free(other_sample);
    assert_int_equal(foreign.size, original.size);
    open_provider();
    region = put(&name, &foreign);
    expect_often("another service's", &healthy_alone, PRFDATA_EVENT_REGION_MAP);
    prfdata_os_region_close(&region);
}

static void test_hostile_region_that_may_not_be_read_is_ignored_and_reported(void **state)
{
    (void)state;
    write_original(name.text);
    assert_int_equal(reported.count, 0);
    assert_true(hostile_refuse(&service, name.text));
    expect_often("unreadable", &healthy_alone, PRFDATA_EVENT_REGION_DENIED);
    hostile_refuse_no_more(&service, name.text);
}

/* ---- Files that are replaced under the same name ---- */

/* The file of an ended program is attached. It is replaced by a file with a writer and 3 more
 * jobs. */
static void test_hostile_replaced_region_is_detached_and_the_new_one_shown(void **state)
{
    const hostile_shown expected = {1008, true, true, both.total + 3, both.busy};
    hostile_image changed = original;
    prfdata_os_region region = PRFDATA_OS_REGION_NONE;
    uint64_t *jobs = (uint64_t *)(void *)(changed.bytes + end_of_cells(4, 0) - 64 - 4 * 64 + 8);

    (void)state;
    write_original(name.text);
    expect("dead", &gone);
    assert_int_equal(*jobs, 1000);
    *jobs += 3;
    assert_true(
        prfdata_test_service_write_file(&service, new_name.text, changed.bytes, changed.size));
    assert_true(hostile_rename(&service, name.text, "away"));
    assert_true(hostile_rename(&service, new_name.text, name.text));
    assert_int_equal(prfdata_os_region_take(folder, &name, &region), ERROR_SUCCESS);
    for (int i = 0; i < 3; i++)
        expect("replaced", &expected);
    prfdata_os_region_close(&region);
}

/* hostile_refuse() makes opening the file fail. On Windows it fails with the error that a virus
 * scanner causes, so the reader keeps its last answer about the file. */
#ifdef _WIN32
#define IS_LIKE_A_SCAN true
#else
#define IS_LIKE_A_SCAN false
#endif

/* The region's name now belongs to a folder, a link, an empty file or a file that cannot be opened.
 * So the region is gone. But if IS_LIKE_A_SCAN is true and the file cannot be opened, the region
 * stays. */
static void test_hostile_region_replaced_by_no_region_is_detached(void **state)
{
    (void)state;
    for (int what = 0; what < 4; what++) {
        prfdata_os_region region = put(&name, &original);
        bool is_made = true;

        expect("alive", &both);
        if (!hostile_rename(&service, name.text, "away")) {
            print_message("a file with a writer keeps its name\n");
            prfdata_os_region_close(&region);
            assert_true(hostile_rename(&service, name.text, "away"));
        }
        if (what == 0)
            is_made = hostile_make_folder(&service, name.text);
        if (what == 1)
            is_made = hostile_make_link(&service, "away", name.text);
        if (what == 2)
            is_made = prfdata_test_service_write_file(&service, name.text, "", 0);
        if (what == 3) {
            write_original(name.text);
            assert_true(hostile_refuse(&service, name.text));
        }
        for (int i = 0; i < 2; i++)
            expect("replaced by no region", what == 3 && IS_LIKE_A_SCAN ? &both : &gone);
        if (what == 3)
            hostile_refuse_no_more(&service, name.text);
        prfdata_os_region_close(&region);
        if (is_made)
            assert_true(prfdata_test_service_delete_file(&service, name.text));
        prfdata_provider_close(provider);
        provider = NULL;
        assert_true(prfdata_test_service_delete_file(&service, "away"));
        open_provider();
    }
}

/* ---- Changes during Collect ---- */

static struct {
    void (*disturb)(uint32_t *seed);
    /* Whether disturb() is repeated until all Collects are done. Otherwise, disturb() is called
     * once, and Collects are repeated at least until it returns. */
    bool is_repeated;
    uint32_t collects;
    prfdata_os_region region;
    uint64_t roles;
    uint32_t has_begun;
    uint32_t has_ended;
    uint32_t is_done;
    bool is_shaken;
    const char *mistake;
    char text[200];
} run;

static bool is_first_role(void)
{
    uint64_t seen = 0;

    return prfdata_swap64_relaxed(&run.roles, &seen, 1);
}

/* Collects once without assertions. Returns what is wrong with the reply, or NULL. */
static const char *collect_once(unsigned char *bytes, const uint16_t *text)
{
    uint32_t size = 4 * MOST_BYTES, objects;
    void *data = bytes;
    const char *mistake;
    perf_reply reply;
    uint64_t jobs;

    if (prfdata_provider_collect(provider, text, &data, &size, &objects) != ERROR_SUCCESS)
        return "Collect did not succeed";
    reply.bytes = bytes;
    reply.size = size;
    reply.object_count = objects;
    mistake = hostile_mistake(&reply, FIRST_COUNTER, run.text, sizeof run.text);
    if (mistake)
        return mistake;
    if (!perf_reader_value(&reply, QUEUE_TITLE, "", "own", JOBS_AT, &jobs) || jobs != 2)
        return "the healthy publisher's instance is not shown as it is";
    return NULL;
}

static void collect_all_the_time(void)
{
    unsigned char *bytes = malloc(4 * MOST_BYTES);
    uint16_t text[sizeof query];

    for (size_t i = 0; i < sizeof query; i++)
        text[i] = (unsigned char)query[i];
    while (!prfdata_load32_acquire(&run.has_begun))
        prfdata_pause();
    for (uint32_t i = 0;
         !run.mistake && (i < run.collects || !prfdata_load32_acquire(&run.has_ended)); i++)
        run.mistake = collect_once(bytes, text);
    prfdata_store32_release(&run.is_done, 1);
    free(bytes);
}

static void take_a_role(void *context)
{
    uint32_t seed = 4711;

    (void)context;
    if (is_first_role()) {
        collect_all_the_time();
        return;
    }
    if (run.is_repeated)
        prfdata_store32_release(&run.has_ended, 1);
    prfdata_store32_release(&run.has_begun, 1);
    do
        run.disturb(&seed);
    while (run.is_repeated && !prfdata_load32_acquire(&run.is_done));
    prfdata_store32_release(&run.has_ended, 1);
}

static void collect_while(void (*disturb)(uint32_t *seed), bool is_repeated, uint32_t collects)
{
    run.collects = collects / sampled_one_of();
    run.roles = 0;
    run.has_begun = run.has_ended = run.is_done = 0;
    run.mistake = NULL;
    run.disturb = disturb;
    run.is_repeated = is_repeated;
    prfdata_test_threads_run(2, take_a_role, NULL);
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static void put_word(size_t offset, uint32_t value)
{
    prfdata_store32_relaxed((uint32_t *)(void *)(run.region.bytes + offset), value);
}

static uint32_t original_word(size_t offset)
{
    uint32_t value;

    memcpy(&value, original.bytes + offset, sizeof value);
    return value;
}

/* Writes a plausible or a random word at a random place, or restores the valid header, so that the
 * region is attached again. */
static void write_anything(uint32_t *seed)
{
    static const uint32_t likely[] = {0, 1, 2, 4, 6, 7, 40, 41, UINT32_MAX};
    const uint32_t what = next_random(seed) % 8;
    size_t offset = next_random(seed) % (uint32_t)(original.size / 4) * 4;

    if (what == 0)
        offset %= 192;
    else if (what < 4)
        offset = 192 + offset % (4 * 64); /* an offset in the slots of queues */
    if (what == 7)
        for (size_t at = 0; at < 192; at += 4)
            put_word(at, original_word(at));
    else
        put_word(offset, what % 2 ? likely[next_random(seed) % 9] : next_random(seed) << 8);
}

static void test_hostile_writer_of_random_words_leaves_replies_right(void **state)
{
    (void)state;
    run.region = put(&name, &original);
    collect_while(write_anything, true, COLLECTS);
    prfdata_os_region_close(&run.region);
    if (run.mistake)
        fail_msg("%s", run.mistake);
}

/* Gives the slot another generation, as if the slot got another name while a reader copies it (rule
 * R14). */
static void change_tag(uint32_t *seed)
{
    put_word(192 + 64, PRFDATA_SLOT_TAG(++*seed, PRFDATA_SLOT_LIVE));
}

static void test_hostile_tag_that_never_rests_leaves_replies_right(void **state)
{
    (void)state;
    run.region = put(&name, &original);
    collect_while(change_tag, true, COLLECTS);
    if (run.mistake)
        fail_msg("%s", run.mistake);
    put_word(192 + 64, PRFDATA_SLOT_TAG(1, PRFDATA_SLOT_LIVE));
    expect("at rest", &both);
    prfdata_os_region_close(&run.region);
}

/* Lets two files have one name in turn. Windows refuses this while a program has the files open. */
static void change_places(uint32_t *seed)
{
    (void)seed;
    if (hostile_rename(&service, name.text, "away"))
        (void)hostile_rename(&service, new_name.text, name.text);
    (void)hostile_rename(&service, "away", new_name.text);
}

static void test_hostile_files_that_change_places_leave_replies_right(void **state)
{
    (void)state;
    write_original(name.text);
    write_original(new_name.text);
    collect_while(change_places, true, FEWER_COLLECTS);
    if (run.mistake)
        fail_msg("%s", run.mistake);
}

static void shake_size(uint32_t *seed)
{
    (void)seed;
    run.is_shaken = hostile_shake_size(&service, name.text);
}

static int child_main(void)
{
    prfdata_test_service_join(&service, SERVICE);
    open_provider();
    collect_while(shake_size, false, FEWER_COLLECTS);
    if (run.mistake)
        prfdata_test_process_say(run.mistake);
    else
        prfdata_test_process_say(run.is_shaken ? "right" : "not here");
    prfdata_provider_close(provider);
    return 0;
}

/* Runs in another process, because cmocka replaces our fault handlers on Linux. */
static void test_hostile_file_that_shrinks_and_grows_leaves_replies_right(void **state)
{
    const char *arguments[] = {"shake", NULL};
    prfdata_test_process *child;
    char line[200];

    (void)state;
    write_original(name.text);
    child = prfdata_test_process_start(arguments);
    assert_true(prfdata_test_process_read_line(child, line, sizeof line));
    assert_int_equal(prfdata_test_process_wait(child), 0);
#ifdef _WIN32
    if (strcmp(line, "not here") == 0)
        skip(); /* Windows does not truncate mapped files, but Wine does */
#endif
    assert_string_equal(line, "right");
}

/* ---- Limits ---- */

#ifndef PRFDATA_TEST_HOT /* lanes make no difference to the folder */
static void name_number(prfdata_os_name *into, unsigned number)
{
    prfdata_os_name_make(into, prfdata_os_boot(), number);
}

#ifdef _WIN32
enum { FILES = 1100 }; /* Wine searches the whole folder for each new name */
#else
enum { FILES = 10000 };
#endif

/* The files are hard links to a few files. NTFS allows 1,023 links to a file, so each of these
 * files has fewer. */
static void test_hostile_thousands_of_files_are_1024_regions(void **state)
{
    enum { OF_ONE = 500 };
    prfdata_os_name first, file;
    prfdata_regions regions;
    prfdata_events events = {0};
    prfdata_health health = {0};
    prfdata_region_set *set;
    prfdata_model *model;
    collected taken;
    uint64_t total;

    (void)state;
    for (unsigned i = 0; i < FILES; i++) {
        name_number(&file, i);
        if (i % OF_ONE == 0) {
            first = file;
            write_original(file.text);
        } else {
            assert_true(hostile_make_hard_link(&service, first.text, file.text));
        }
    }
    assert_int_equal(prfdata_model_make(&sample.map, &model), ERROR_SUCCESS);
    prfdata_regions_init(&regions, SERVICE, &events, &health);
    set = prfdata_folder_check(&regions, one_version(model), NULL);
    assert_non_null(set);
    prfdata_regions_hold(&regions, set);
    assert_int_equal(set->count, PRFDATA_MAX_REGIONS);
    prfdata_regions_release(&regions, set);
    prfdata_model_free(model);

    open_provider();
    for (int i = 0; i < 2; i++) {
        look(&taken);
        total = collected_value(&taken, QUEUE_TITLE, "", "_Total", JOBS_AT);
        if (collected_has(&taken, QUEUE_TITLE, "", "own"))
            assert_int_equal(total, HEALTHY_JOBS + 1023 * HOSTILE_JOBS);
        else
            assert_int_equal(total, 1024 * HOSTILE_JOBS);
        collected_free(&taken);
    }
    assert_int_equal(reported.count, 1);
    assert_int_equal(reported.first.id, PRFDATA_EVENT_TOO_MANY_REGIONS);
    prfdata_provider_close(provider);
    provider = NULL;
    /* removing the service would read the whole folder for each file */
    for (unsigned i = 0; i < FILES; i++) {
        name_number(&file, i);
        assert_true(prfdata_test_service_delete_file(&service, file.text));
    }
    open_provider();
    expect("they are gone", &healthy_alone);
}
#endif

static void make_names(void)
{
    prfdata_os_name_make(&name, prfdata_os_boot(), 0xaa);
    prfdata_os_name_make(&new_name, prfdata_os_boot(), 0xbb);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
#define CASE(test) cmocka_unit_test_setup_teardown(test, install, uninstall)
        CASE(test_hostile_region_that_breaks_a_rule_is_ignored_and_told_once),
        CASE(test_hostile_header_that_becomes_wrong_hides_the_region_for_good),
        CASE(test_hostile_slot_counts_that_change_later_are_not_believed),
        CASE(test_hostile_slot_that_breaks_a_rule_has_no_instance_and_counts_in_totals),
        CASE(test_hostile_second_slot_of_a_name_counts_and_is_not_shown),
        CASE(test_hostile_names_are_cleaned),
        CASE(test_hostile_things_that_are_no_files_are_ignored),
        CASE(test_hostile_region_with_a_hole_is_ignored),
        CASE(test_hostile_terabyte_with_a_writer_is_told_once),
        CASE(test_hostile_region_of_another_service_is_ignored_and_reported),
        CASE(test_hostile_region_that_may_not_be_read_is_ignored_and_reported),
        CASE(test_hostile_replaced_region_is_detached_and_the_new_one_shown),
        CASE(test_hostile_region_replaced_by_no_region_is_detached),
        CASE(test_hostile_writer_of_random_words_leaves_replies_right),
        CASE(test_hostile_tag_that_never_rests_leaves_replies_right),
        CASE(test_hostile_files_that_change_places_leave_replies_right),
        CASE(test_hostile_file_that_shrinks_and_grows_leaves_replies_right),
#ifndef PRFDATA_TEST_HOT
        CASE(test_hostile_thousands_of_files_are_1024_regions),
#endif
#undef CASE
    };

    (void)argv;
    make_names();
    if (argc > 1)
        return child_main();
    return cmocka_run_group_tests_name("hostile", tests, NULL, NULL);
}
