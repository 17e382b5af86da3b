/* SPDX-License-Identifier: MIT */
#include "support/test.h"

#include "interleavings/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/crash_points.h"
#include "client/publisher.h"
#include "collect/provider.h"
#include "fuzz/os_memory.h"
#include "map/maps.h"
#include "support/must.h"
#include "support/provider/perf_reader.h"
#include "support/sample_map.h"

enum { MAX_IMAGES = 400, MAX_READER_STEPS = 2000, MAX_STOPS = 4, ROOM = 64 * 1024 };
enum { MOST_PAUSES = 2 }; /* only this many waits of a reader count as steps */

typedef struct world_image {
    uint8_t *bytes;
    const char *step;
} world_image;

static struct {
    world_image images[MAX_IMAGES];
    uint32_t count;
    uint64_t size;
    const world *recording; /* NULL: no writer's operation is running */
} writer;

static struct reader {
    /* NULL: no reader is running, or an intrusion is running and has not begun a Collect. */
    const world *in;
    const char *names[MAX_READER_STEPS];
    uint32_t count;
    uint32_t pauses;
    const world_stop *stops;
    uint32_t stop_count;
    uint32_t stops_met;
    uint32_t intrusion_step;
    const char *intrusion_name; /* if set, the intrusion is called at every step with this name */
    world_intrusion *intrusion;
    void *context;
    bool has_intruded;
} reader;

/* ---- Steps ---- */

static bool is_reader_step(const char *step)
{
    return !strncmp(step, "R: ", 3) || !strncmp(step, "refresh: ", 9) ||
           !strncmp(step, "carry: ", 7);
}

static uint8_t *file_of(const world *in, uint64_t *size)
{
    uint8_t *bytes = os_memory_file(in->a_file, size);

    MUST(bytes != NULL);
    return bytes;
}

static void take_image(const world *in, const char *step)
{
    uint64_t size;
    const uint8_t *bytes = file_of(in, &size);
    world_image *taken = &writer.images[writer.count++];

    MUST(writer.count <= MAX_IMAGES && (writer.count == 1 || size == writer.size));
    writer.size = size;
    taken->step = step;
    taken->bytes = malloc((size_t)size);
    MUST(taken->bytes != NULL);
    memcpy(taken->bytes, bytes, (size_t)size);
}

/* Calls the intrusion, in which another Collect may run. The steps of the two Collects are counted
 * apart. */
static void intrude(void)
{
    struct reader *outer = malloc(sizeof *outer);

    MUST(outer != NULL);
    *outer = reader;
    reader.in = NULL;
    outer->intrusion(outer->context);
    reader = *outer;
    reader.has_intruded = true;
    free(outer);
}

static bool is_intruded_at(const char *step)
{
    return reader.intrusion_step == reader.count ||
           (reader.intrusion_name && !strcmp(reader.intrusion_name, step));
}

static void stop_reader(const char *step)
{
    if (!strcmp(step, "R: pause") && reader.pauses++ >= MOST_PAUSES)
        return;
    MUST(reader.count < MAX_READER_STEPS);
    reader.names[reader.count++] = step;
    for (uint32_t i = 0; i < reader.stop_count; i++)
        if (reader.stops[i].reader_step == reader.count) {
            world_put_image(reader.in, reader.stops[i].image, reader.stops[i].is_owned);
            reader.stops_met++;
        }
    /* At these steps this thread holds the carry's lock, so no other thread could continue. */
    if (is_intruded_at(step) && strncmp(step, "carry: ", 7) != 0)
        intrude();
}

void prfdata_crash_point(const char *step)
{
    if (is_reader_step(step)) {
        if (reader.in)
            stop_reader(step);
    } else if (writer.recording) {
        take_image(writer.recording, step);
    }
}

/* ---- Writers ---- */

/* The chaos map with one more counter at its end. */
static const prfdata_map *second_map(void)
{
    static prfdata_map_entry entries[64];
    static prfdata_map map;

    if (map.entries)
        return &map;
    MUST(chaos_map.entry_count < 64);
    map = chaos_map;
    memcpy(entries, chaos_map.entries, map.entry_count * sizeof entries[0]);
    entries[map.entry_count] = sample_map_counter(399, PERF_COUNTER_BULK_COUNT);
    map.entry_count++;
    map.entries = entries;
    return &map;
}

void world_upgrade(bool to_second)
{
    static void *registered;
    static size_t registered_bytes;
    prfdata_model *model;
    uint32_t dropped;
    void *bytes;

    MUST(!prfdata_model_make(to_second ? second_map() : &chaos_map, &model));
    MUST(!prfdata_maps_update(model, registered, registered_bytes, NULL, &bytes, &registered_bytes,
                              &dropped));
    prfdata_model_free(model);
    free(registered);
    registered = bytes;
    os_memory_set_bytes("Maps", bytes, registered_bytes);
}

static void install_service(void)
{
    static bool is_installed;

    if (is_installed)
        return;
    is_installed = true;
    world_upgrade(false);
    os_memory_set_number("First Counter", CHAOS_FIRST_COUNTER);
    os_memory_set_number("First Help", CHAOS_FIRST_COUNTER + 1);
    os_memory_set_boot(77);
}

static void forget_images(void)
{
    for (uint32_t i = 0; i < writer.count; i++)
        free(writer.images[i].bytes);
    writer.count = 0;
}

/* Every publisher of world_open(), without those that world_forget() has removed. close_all()
 * closes all of them, also after a test that failed. */
static prfdata_publisher *opened[40];
static size_t opened_count;

static void close_all(void)
{
    while (opened_count > 0)
        prfdata_close_and_unmap(opened[--opened_count]);
    os_memory_empty_folder();
    forget_images();
}

void world_begin(world *made)
{
    writer.recording = NULL;
    memset(&reader, 0, sizeof reader);
    memset(made, 0, sizeof *made);
    close_all();
    install_service();
}

void world_end(world *made)
{
    memset(made, 0, sizeof *made);
    close_all();
}

prfdata_publisher *world_open(uint32_t queues, uint32_t consumers)
{
    const prfdata_capacity capacities[] = {{CHAOS_QUEUES, queues}, {CHAOS_CONSUMERS, consumers}};
    prfdata_publisher *made;

    MUST(!prfdata_open_with(&chaos_map, capacities, 2, &made));
    for (size_t i = 0; i < opened_count; i++)
        if (opened[i] == made) /* the call opened a closed publisher again */
            return made;
    MUST(opened_count < sizeof opened / sizeof opened[0]);
    opened[opened_count++] = made;
    return made;
}

void world_open_a(world *in, uint32_t queues, uint32_t consumers)
{
    in->a = world_open(queues, consumers);
    memcpy(in->a_file, in->a->name.text, sizeof in->a->name.text);
}

void world_count(prfdata_publisher *in, uint32_t counter, const prfdata_instance *instance,
                 int64_t amount)
{
    prfdata_handle handle;

    MUST(!prfdata_resolve(in, counter, instance, &handle));
    prfdata_add(handle, amount);
}

void world_add(prfdata_publisher *to, const wchar_t *name, const prfdata_instance *queue,
               int64_t amount, prfdata_instance *instance)
{
    prfdata_handle gauge;

    MUST(!prfdata_instance_add(to, queue ? CHAOS_CONSUMERS : CHAOS_QUEUES, name, queue, instance));
    world_count(to, queue ? CHAOS_TAKEN : CHAOS_JOBS, instance, amount);
    MUST(!prfdata_resolve(to, queue ? CHAOS_OPEN : CHAOS_DEPTH, instance, &gauge));
    prfdata_set(gauge, CHAOS_GAUGE);
}

/* ---- Images ---- */

void world_record(world *in, world_operation *operation)
{
    forget_images();
    take_image(in, "before");
    writer.recording = in;
    operation(in);
    writer.recording = NULL;
    take_image(in, "after");
}

uint32_t world_image_count(void)
{
    return writer.count;
}

const char *world_image_step(uint32_t number)
{
    return writer.images[number].step;
}

void world_put_image(const world *in, uint32_t number, bool is_owned)
{
    uint64_t size;
    uint8_t *bytes = file_of(in, &size);

    MUST(number < writer.count && size == writer.size);
    memcpy(bytes, writer.images[number].bytes, (size_t)size);
    os_memory_set_owned(in->a_file, is_owned);
}

prfdata_publisher *world_forget(world *in)
{
    prfdata_publisher *forgotten = in->a;

    for (size_t i = 0; i < opened_count; i++)
        if (opened[i] == forgotten) {
            opened[i] = opened[--opened_count];
            break;
        }
    in->a = NULL;
    return forgotten;
}

void world_kill(world *in, uint32_t number)
{
    uint8_t *left_by_it = malloc((size_t)writer.size);
    uint64_t size;

    MUST(left_by_it != NULL && number < writer.count);
    memcpy(left_by_it, writer.images[number].bytes, (size_t)writer.size);
    prfdata_close_and_unmap(world_forget(in));
    memcpy(file_of(in, &size), left_by_it, (size_t)writer.size);
    MUST(size == writer.size);
    os_memory_set_owned(in->a_file, false);
    free(left_by_it);
}

/* ---- Readers ---- */

prfdata_provider *world_open_provider(bool uses_plans)
{
    prfdata_provider *made;

    MUST(!prfdata_provider_open(CHAOS_SERVICE, &made));
    prfdata_provider_set_refresh(made, 0);
    prfdata_provider_set_plans(made, uses_plans);
    return made;
}

static void store_instance(const perf_reply *reply, const char *queue, const char *consumer,
                           char *token)
{
    const uint32_t title = consumer ? CHAOS_CONSUMERS_TITLE : CHAOS_QUEUES_TITLE;
    const char *parent = consumer ? queue : NULL;
    const char *name = consumer ? consumer : queue;
    uint64_t counter;
    uint64_t gauge;

    if (perf_reader_value(reply, title, parent, name, 0, &counter) &&
        perf_reader_value(reply, title, parent, name, 1, &gauge))
        snprintf(token, TOKEN_CHARS, "%llu:%llu", (unsigned long long)counter,
                 (unsigned long long)gauge);
    else
        snprintf(token, TOKEN_CHARS, "-");
}

static void store_total(const perf_reply *reply, uint32_t title, const char *instance,
                        uint32_t position, char *token)
{
    uint64_t counter;

    MUST(perf_reader_value(reply, title, NULL, instance, position, &counter));
    snprintf(token, TOKEN_CHARS, "%llu", (unsigned long long)counter);
}

static bool asks_for_queues;

void world_ask_for_queues(bool alone)
{
    asks_for_queues = alone;
}

static void collect_reading(prfdata_provider *provider, world_reading *reading)
{
    static const uint16_t all[] = {'G', 'l', 'o', 'b', 'a', 'l', 0};
    static const uint16_t queues[] = {'9', '3', '0', '0', 0};
    unsigned char *room = malloc(ROOM);
    uint32_t size = ROOM;
    void *data = room;
    perf_reply reply = {room, 0, 0};
    const char *mistake;

    MUST(room != NULL);
    MUST(!prfdata_provider_collect(provider, asks_for_queues ? queues : all, &data, &size,
                                   &reply.object_count));
    reply.size = size;
    mistake = perf_reader_mistake(&reply);
    if (mistake)
        fprintf(stderr, "%s\n", mistake);
    MUST(!mistake && reply.object_count == (asks_for_queues ? 1 : 3));
    store_instance(&reply, "x", NULL, reading->tokens[KEY_X]);
    store_instance(&reply, "y", NULL, reading->tokens[KEY_Y]);
    store_instance(&reply, "x", "c", reading->tokens[KEY_XC]);
    store_instance(&reply, "y", "c", reading->tokens[KEY_YC]);
    store_total(&reply, CHAOS_QUEUES_TITLE, "_Total", 0, reading->tokens[TOTAL_JOBS]);
    strcpy(reading->tokens[TOTAL_TAKEN], "0");
    strcpy(reading->tokens[TOTAL_REQUESTS], "0");
    strcpy(reading->tokens[CLIENTS], "0");
    if (!asks_for_queues) {
        store_total(&reply, CHAOS_CONSUMERS_TITLE, "_Total", 0, reading->tokens[TOTAL_TAKEN]);
        store_total(&reply, CHAOS_SERVER_TITLE, NULL, 0, reading->tokens[TOTAL_REQUESTS]);
        store_total(&reply, CHAOS_SERVER_TITLE, NULL, 2, reading->tokens[CLIENTS]);
    }
    free(room);
}

static void begin_reading(const world *in)
{
    memset(&reader, 0, sizeof reader);
    reader.in = in;
}

void world_read(const world *in, prfdata_provider *provider, const world_stop *stops,
                uint32_t stop_count, world_reading *reading)
{
    begin_reading(in);
    reader.stops = stops;
    reader.stop_count = stop_count;
    collect_reading(provider, reading);
    reader.in = NULL;
}

void world_read_with(const world *in, prfdata_provider *provider, uint32_t reader_step,
                     world_intrusion *intrusion, void *context, world_reading *reading)
{
    begin_reading(in);
    reader.intrusion_step = reader_step;
    reader.intrusion = intrusion;
    reader.context = context;
    collect_reading(provider, reading);
    reader.in = NULL;
}

static void begin_disturbance(const world *in, const char *step, world_intrusion *intrusion,
                              void *context)
{
    begin_reading(in);
    reader.intrusion_name = step;
    reader.intrusion = intrusion;
    reader.context = context;
}

void world_read_disturbed(const world *in, prfdata_provider *provider, const char *step,
                          world_intrusion *intrusion, void *context, world_reading *reading)
{
    begin_disturbance(in, step, intrusion, context);
    collect_reading(provider, reading);
    reader.in = NULL;
}

void world_ask_foreign(const world *in, prfdata_provider *provider, const char *step,
                       world_intrusion *intrusion, void *context)
{
    static const uint16_t foreign[] = {'2', 0};
    unsigned char room[64];
    uint32_t size = sizeof room;
    void *data = room;
    uint32_t objects;

    begin_disturbance(in, step, intrusion, context);
    MUST(!prfdata_provider_collect(provider, foreign, &data, &size, &objects) && objects == 0);
    reader.in = NULL;
}

/* Asks for the object that has one more counter in the second version. */
bool world_shows_second(prfdata_provider *provider)
{
    enum { SECOND_COUNTER_AT = 3 };
    static const uint16_t server[] = {'9', '3', '1', '2', 0};
    unsigned char room[4096];
    uint32_t size = sizeof room;
    void *data = room;
    perf_reply reply = {room, 0, 0};
    uint64_t value;

    MUST(!prfdata_provider_collect(provider, server, &data, &size, &reply.object_count));
    reply.size = size;
    return perf_reader_value(&reply, CHAOS_SERVER_TITLE, NULL, NULL, SECOND_COUNTER_AT, &value);
}

bool world_intruded(void)
{
    return reader.has_intruded;
}

bool world_met_all_stops(void)
{
    return reader.stops_met == reader.stop_count;
}

uint32_t world_reader_steps(void)
{
    return reader.count;
}

const char *world_reader_step(uint32_t step)
{
    return step > 0 && step <= reader.count ? reader.names[step - 1] : "none";
}

/* ---- Comparing ---- */

static const char *const token_names[TOKENS] = {"x",    "y",     "x/c",      "y/c",
                                                "jobs", "taken", "requests", "clients"};

const char *world_text(const world_reading *reading)
{
    static char texts[8][TOKENS * (TOKEN_CHARS + 10)];
    static unsigned next;
    char *text = texts[next++ % 8];
    size_t used = 0;

    for (int i = 0; i < TOKENS; i++)
        used += (size_t)snprintf(text + used, sizeof texts[0] - used, "%s%s=%s", i ? " " : "",
                                 token_names[i], reading->tokens[i]);
    return text;
}

world_reading world_expected(const char *text)
{
    world_reading expected;
    char name[TOKEN_CHARS];
    char value[TOKEN_CHARS];
    int used;

    for (int i = 0; i < TOKENS; i++)
        snprintf(expected.tokens[i], TOKEN_CHARS, "%s", i < KEYS ? "-" : "0");
    while (sscanf(text, " %31[^= ]=%31s%n", name, value, &used) == 2) {
        int i = 0;

        text += used;
        while (i < TOKENS && strcmp(token_names[i], name) != 0)
            i++;
        MUST(i < TOKENS);
        if (i < TOKENS) /* always true, but the analyser does not know MUST */
            snprintf(expected.tokens[i], TOKEN_CHARS, "%s", value);
    }
    MUST(text[strspn(text, " ")] == '\0');
    return expected;
}

static bool is_lawful_token(const char *token, int number, const world_reading *lawful,
                            size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(token, lawful[i].tokens[number]))
            return true;
    return false;
}

bool world_is_lawful(const world_reading *reading, const world_reading *lawful, size_t count)
{
    for (int i = 0; i < TOKENS; i++)
        if (!is_lawful_token(reading->tokens[i], i, lawful, count))
            return false;
    return true;
}

bool world_has_fallen(const world_reading *older, const world_reading *newer)
{
    for (int i = 0; i < CLIENTS; i++) /* gauges may fall, so they are not compared */
        if (older->tokens[i][0] != '-' && newer->tokens[i][0] != '-' &&
            strtoull(newer->tokens[i], NULL, 10) < strtoull(older->tokens[i], NULL, 10))
            return true;
    return false;
}

void world_must_not_fall(const world_reading *older, const world_reading *newer)
{
    if (world_has_fallen(older, newer))
        fail_msg("from %s\nto %s", world_text(older), world_text(newer));
}

void world_remove_all(world *in)
{
    assert_int_equal(prfdata_instance_remove(&in->xc), ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_remove(&in->x), ERROR_SUCCESS);
}

void world_prepare_b(world *in)
{
    prfdata_instance x, c;

    in->b = world_open(2, 2);
    world_add(in->b, L"x", NULL, 5, &x);
    world_add(in->b, L"c", &x, 2, &c);
}
