/* SPDX-License-Identifier: MIT */
/* Runs client calls, take-overs and Collects, and ends processes between any two steps. Compares
 * the results with a model of docs/region-format.md: the slot of each name, the live instances, and
 * the values of instances and totals. Two readers must find the reply of every Collect valid. The
 * reply must show only what the model has. No total may fall, and no instance may fall while it
 * keeps a slot.
 *
 * To simulate the end of a process at a step, the target remembers the files, lets the call
 * continue, unmaps its publisher, and restores the files.
 *
 * Input: operations, each a byte and its arguments. The low 4 bits of the byte are the operation,
 * the high ones choose a region and an object. */
#include <stdlib.h>
#include <string.h>

#include "base/crash_points.h"
#include "client/publisher.h"
#include "collect/provider.h"
#include "fuzz.h"
#include "fuzz_map.h"
#include "os_memory.h"
#include "validating.h"

enum { MAX_REGIONS = 8, MAX_OPEN = 3, MAX_SLOTS = 4, MAX_CELLS = 7, ROOM = 64 * 1024 };
enum { OBJECT_QUEUES, OBJECT_CONSUMERS, KEYED_OBJECTS, OBJECT_WORKERS = KEYED_OBJECTS };
enum { NO_KEY = -1, NO_PARENT = -1, NUMBER_KEYS = 10, MAX_KEYS = 16, TOTAL_KEY = MAX_KEYS };

/* ---- Names ---- */

typedef struct pool_name {
    const wchar_t *name;
    const wchar_t *stored; /* the name after invalid characters were replaced */
    int key;               /* equal names have the same key; NO_KEY: the name is refused */
    uint32_t errors[KEYED_OBJECTS];
} pool_name;

static const pool_name pool[] = {
    {L"a", L"a", 0, {0}},
    {L"A", L"A", 0, {0}},
    {L"b", L"b", 1, {0}},
    {L"c", L"c", 2, {0}},
    {L"d(", L"d[", 3, {0}},
    {L"D[", L"D[", 3, {0}},
    {L"\u00e9", L"\u00e9", 4, {0}},
    {L"\u00c9", L"\u00c9", 4, {0}},
    {L"ef", L"ef", 5, {0}},
    {L"", L"", NO_KEY, {ERROR_INVALID_NAME, ERROR_INVALID_NAME}},
    {L"_tOTAL", L"", NO_KEY, {ERROR_INVALID_NAME, ERROR_FILENAME_EXCED_RANGE}},
    {L"toolong", L"", NO_KEY, {ERROR_FILENAME_EXCED_RANGE, ERROR_FILENAME_EXCED_RANGE}},
};

enum { POOL = sizeof pool / sizeof pool[0] };

/* ---- The model ---- */

typedef struct slot {
    uint32_t state; /* PRFDATA_SLOT_...: free, live, dormant */
    int key;
    int parent; /* slot of the queue, or NO_PARENT */
    uint32_t parent_identity;
    int parent_key; /* key of the queue when this slot was added, or NO_PARENT */
    uint32_t identity;
    uint64_t freed;
    uint64_t inside; /* number of brackets that were entered and not left */
    uint64_t cells[MAX_CELLS];
    uint64_t baselines[MAX_CELLS];
    prfdata_instance instance; /* set if the current publisher has added it */
} slot;

typedef struct client_region {
    char name[PRFDATA_OS_NAME_BYTES];
    prfdata_publisher *publisher; /* NULL: the process has ended */
    bool is_open;
    uint32_t slot_counts[KEYED_OBJECTS];
    slot slots[KEYED_OBJECTS][MAX_SLOTS];
    uint64_t plain[MAX_CELLS]; /* cells of the object without instances */
    uint64_t freed;
    uint64_t dropped;
    uint64_t dropped_before; /* dropped by earlier programs */
    uint64_t structure;      /* the structure word at the last reading; 0: none */
    uint64_t digest;         /* digest of what the structure word guards, at the last reading */
    uint64_t inside;
} client_region;

typedef struct saved_handle {
    prfdata_handle handle;
    client_region *of;
    uint64_t *cell;
} saved_handle;

static client_region regions[MAX_REGIONS];
static size_t region_count;
static saved_handle saved;
static uint64_t shown_totals[OBJECT_WORKERS + 1][MAX_CELLS]; /* totals in the last reply */

/* A row of the last reply, and the identities of the slots that added to it, 0 for all other
 * slots. */
typedef struct shown_row {
    bool is_shown;  /* shown by the last Collect */
    bool was_shown; /* shown by the Collect before that */
    uint64_t values[MAX_CELLS];
    uint32_t identities[MAX_REGIONS][MAX_SLOTS];
} shown_row;

static shown_row shown_rows[KEYED_OBJECTS][MAX_KEYS][MAX_KEYS + 1];

/* The counts of each name in slots that now have another name. */
static uint64_t gone[KEYED_OBJECTS][MAX_KEYS][MAX_KEYS + 1][MAX_CELLS];

static prfdata_model *model;
static prfdata_provider *provider;
static unsigned char room[ROOM];

static const uint32_t object_ids[KEYED_OBJECTS] = {QUEUES, CONSUMERS};

static const prfdata_model_counter *counter_at(int object, uint32_t cell)
{
    const prfdata_model_counter *counter = model->objects[object].counters;

    while (counter->cell_index != cell)
        counter++;
    return counter;
}

static uint32_t cell_count(int object)
{
    return model->objects[object].cell_count;
}

static bool is_gauge(int object, uint32_t cell)
{
    return prfdata_merging_is_gauge(counter_at(object, cell)->merging);
}

static void reset_gauges(int object, uint64_t *cells)
{
    for (uint32_t i = 0; i < cell_count(object); i++)
        if (is_gauge(object, i))
            cells[i] = 0;
}

static void clear_sums(int object, uint64_t *sums)
{
    for (uint32_t i = 0; i < cell_count(object); i++)
        sums[i] = prfdata_merging_initial_value(counter_at(object, i)->merging);
}

/* If no slot has added a value to a sum, set the sum to 0, because readers then show 0. Call this
 * after the last merge_cells(). */
static void finish_sums(int object, uint64_t *sums)
{
    for (uint32_t i = 0; i < cell_count(object); i++)
        if (sums[i] == prfdata_merging_initial_value(counter_at(object, i)->merging))
            sums[i] = 0;
}

static void merge_cells(int object, const uint64_t *cells, const uint64_t *baselines, bool is_live,
                        uint64_t *sums)
{
    for (uint32_t i = 0; i < cell_count(object); i++) {
        switch (counter_at(object, i)->merging) {
        case PRFDATA_MERGING_ACCUMULATE:
            sums[i] += cells[i] - (baselines ? baselines[i] : 0);
            break;
        case PRFDATA_MERGING_NEWEST:
            sums[i] = cells[i] > sums[i] ? cells[i] : sums[i];
            break;
        case PRFDATA_MERGING_SUM:
            sums[i] += is_live ? cells[i] : 0;
            break;
        case PRFDATA_MERGING_MAX:
            if (is_live && (int64_t)cells[i] > (int64_t)sums[i])
                sums[i] = cells[i];
            break;
        case PRFDATA_MERGING_OLDEST_START:
            if (is_live && cells[i] && (!sums[i] || cells[i] < sums[i]))
                sums[i] = cells[i];
            break;
        case PRFDATA_MERGING_NOTHING:
            break;
        }
    }
}

static slot *find_slot(client_region *in, int object, int key, int parent, uint32_t parent_identity)
{
    for (uint32_t i = 0; i < in->slot_counts[object]; i++) {
        slot *s = &in->slots[object][i];

        if (s->state >= PRFDATA_SLOT_LIVE && s->key == key && s->parent == parent &&
            (parent == NO_PARENT || s->parent_identity == parent_identity))
            return s;
    }
    return NULL;
}

/* Return the lowest free slot. If there is none, return the slot that became dormant first, or
 * NULL. */
static slot *find_room(client_region *in, int object)
{
    slot *oldest = NULL;

    for (uint32_t i = 0; i < in->slot_counts[object]; i++) {
        slot *s = &in->slots[object][i];

        if (s->state == PRFDATA_SLOT_FREE)
            return s;
        if (s->state == PRFDATA_SLOT_DORMANT && (!oldest || s->freed < oldest->freed))
            oldest = s;
    }
    return oldest;
}

static void assign(int object, slot *s, int key, int parent, uint32_t parent_identity)
{
    s->identity++;
    s->key = key;
    s->parent = parent;
    s->parent_identity = parent_identity;
    s->state = PRFDATA_SLOT_LIVE;
    reset_gauges(object, s->cells);
    memcpy(s->baselines, s->cells, sizeof s->baselines);
    for (uint32_t i = 0; i < cell_count(object); i++)
        if (counter_at(object, i)->merging != PRFDATA_MERGING_ACCUMULATE)
            s->baselines[i] = 0;
}

static void take_over(client_region *taken, bool is_own)
{
    uint64_t highest = 0;

    for (int object = 0; object < KEYED_OBJECTS; object++)
        for (uint32_t i = 0; i < taken->slot_counts[object]; i++)
            if (taken->slots[object][i].freed > highest)
                highest = taken->slots[object][i].freed;
    for (int object = 0; object < KEYED_OBJECTS; object++)
        for (uint32_t i = 0; i < taken->slot_counts[object]; i++) {
            slot *s = &taken->slots[object][i];

            if (s->state == PRFDATA_SLOT_LIVE) {
                s->state = PRFDATA_SLOT_DORMANT;
                s->freed = ++highest;
            }
            reset_gauges(object, s->cells);
            if (!is_own)
                s->inside = 0;
        }
    reset_gauges(OBJECT_WORKERS, taken->plain);
    taken->freed = highest;
    if (!is_own)
        taken->inside = 0;
}

/* ---- Ends of processes ---- */

static int steps_left; /* number of steps until the process ends; 0: it does not end */
static bool is_dead;
static const char *last_step; /* the step at which the process ended */

/* Returns whether this is a writer's step. Readers also have steps. */
static bool is_writer_step(const char *step)
{
    return strncmp(step, "R: ", 3) != 0 && strncmp(step, "refresh: ", 9) != 0 &&
           strncmp(step, "carry: ", 7) != 0;
}

void prfdata_crash_point(const char *step)
{
    if (!is_writer_step(step))
        return;
    if (steps_left > 0 && --steps_left == 0) {
        os_memory_freeze();
        is_dead = true;
        last_step = step;
    }
}

/* Return the state that the slot must have after the last step. */
static uint32_t state_at_step(uint32_t before, uint32_t after)
{
    static const struct {
        char step[3];
        uint32_t state;
    } states[] = {
        {"A1", PRFDATA_SLOT_BUILDING}, {"A2", PRFDATA_SLOT_BUILDING}, {"A3", PRFDATA_SLOT_LIVE},
        {"V1", PRFDATA_SLOT_DORMANT},  {"V2", PRFDATA_SLOT_LIVE},     {"D1", PRFDATA_SLOT_LIVE},
        {"D2", PRFDATA_SLOT_DORMANT},
    };

    if (!strcmp(last_step, "W2"))
        return after;
    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++)
        if (!strncmp(last_step, states[i].step, 2))
            return states[i].state;
    return before;
}

static void forget_publisher(client_region *of)
{
    if (saved.of == of)
        saved.of = NULL;
    of->publisher = NULL;
    of->is_open = false;
    for (int object = 0; object < KEYED_OBJECTS; object++)
        for (uint32_t i = 0; i < MAX_SLOTS; i++)
            memset(&of->slots[object][i].instance, 0, sizeof of->slots[object][i].instance);
}

typedef struct raw_region {
    const prfdata_region_header *header;
    const prfdata_region_slot *slots[KEYED_OBJECTS][MAX_SLOTS];
} raw_region;

static raw_region read_file(const client_region *of)
{
    uint64_t size;
    uint8_t *bytes = os_memory_file(of->name, &size);
    prfdata_region_layout *layout;
    uint32_t counts[FUZZ_OBJECTS] = {of->slot_counts[0], of->slot_counts[1], 1, 2};
    raw_region raw = {(const void *)bytes, {{NULL}}};

    FUZZ_CHECK(bytes && !prfdata_region_layout_make(model, counts, &layout));
    for (int object = 0; object < KEYED_OBJECTS; object++)
        for (uint32_t i = 0; i < of->slot_counts[object]; i++)
            raw.slots[object][i] = prfdata_region_slot_at(bytes, &layout->sections[object], i);
    free(layout);
    return raw;
}

static uint64_t mix(uint64_t digest, uint64_t number)
{
    return (digest ^ number) * 0x100000001B3u + (digest >> 29);
}

/* Check the structure word. While the word is even and unchanged, states and slots do not change.
 * Between two calls of a running process the word is even. */
static void check_structure(client_region *of)
{
    const raw_region raw = read_file(of);
    uint64_t digest = mix(raw.header->state, raw.header->epoch);

    for (int object = 0; object < KEYED_OBJECTS; object++)
        for (uint32_t i = 0; i < of->slot_counts[object]; i++) {
            const prfdata_region_slot *from = raw.slots[object][i];

            digest = mix(mix(mix(digest, from->tag), from->identity), from->name_chars);
            digest = mix(mix(mix(digest, from->parent_slot), from->parent_identity), from->flags);
        }
    FUZZ_CHECK(!of->publisher || raw.header->structure % 2 == 0);
    FUZZ_CHECK(raw.header->structure >= of->structure);
    FUZZ_CHECK(raw.header->structure % 2 || raw.header->structure != of->structure ||
               digest == of->digest);
    of->structure = raw.header->structure;
    of->digest = digest;
}

/* Take the states and numbers of the slots from the file, because they depend on how far the call
 * had come when the process ended. */
static void read_slots(client_region *of)
{
    const raw_region raw = read_file(of);

    of->inside = raw.header->entered - raw.header->left;
    for (int object = 0; object < KEYED_OBJECTS; object++)
        for (uint32_t i = 0; i < of->slot_counts[object]; i++) {
            const prfdata_region_slot *from = raw.slots[object][i];
            slot *s = &of->slots[object][i];

            s->state = PRFDATA_SLOT_STATE(from->tag);
            if (s->state == PRFDATA_SLOT_BUILDING)
                s->state = PRFDATA_SLOT_FREE;
            s->identity = from->identity;
            s->freed = from->freed;
            s->inside = from->entered - from->left;
        }
}

/* Check that the file agrees with the model, as it must between two calls. */
static void check_slots(const client_region *of)
{
    const raw_region raw = read_file(of);

    for (int object = 0; object < KEYED_OBJECTS; object++)
        for (uint32_t i = 0; i < of->slot_counts[object]; i++) {
            const prfdata_region_slot *from = raw.slots[object][i];
            const slot *s = &of->slots[object][i];

            FUZZ_CHECK(PRFDATA_SLOT_STATE(from->tag) == s->state);
            FUZZ_CHECK(from->identity == s->identity && from->freed == s->freed);
        }
}

static void check_state(const client_region *of, int object, uint32_t slot_index, uint32_t expected)
{
    const raw_region raw = read_file(of);

    FUZZ_CHECK(PRFDATA_SLOT_STATE(raw.slots[object][slot_index]->tag) == expected);
}

/* Check that the numbers of threads inside brackets are those of the model. */
static void check_brackets(const client_region *of)
{
    const raw_region raw = read_file(of);

    FUZZ_CHECK(raw.header->entered - raw.header->left == of->inside);
    for (int object = 0; object < KEYED_OBJECTS; object++)
        for (uint32_t i = 0; i < of->slot_counts[object]; i++)
            FUZZ_CHECK(raw.slots[object][i]->entered - raw.slots[object][i]->left ==
                       of->slots[object][i].inside);
}

/* Complete the end of the publisher's process. `of` is its region in the model, or NULL. */
static void bury(prfdata_publisher *publisher, client_region *of)
{
    steps_left = 0; /* the process does not end a second time */
    prfdata_close_and_unmap(publisher);
    os_memory_thaw();
    is_dead = false;
    if (!of)
        return;
    forget_publisher(of);
    read_slots(of);
}

/* End a process between two calls. */
static void kill_now(client_region *of)
{
    steps_left = 0;
    check_slots(of);
    os_memory_freeze();
    bury(of->publisher, of);
}

/* ---- Opening and closing ---- */

static client_region *region_by_name(const char *name)
{
    for (size_t i = 0; i < region_count; i++)
        if (!strcmp(regions[i].name, name))
            return &regions[i];
    return NULL;
}

static bool has_room_for(const client_region *r, const uint32_t *wanted)
{
    return r->slot_counts[0] >= wanted[0] && r->slot_counts[1] >= wanted[1];
}

static size_t open_count(void)
{
    size_t count = 0;

    for (size_t i = 0; i < region_count; i++)
        count += regions[i].is_open;
    return count;
}

static client_region *add_region(const char *name, const uint32_t *slot_counts)
{
    client_region *added = &regions[region_count++];

    FUZZ_CHECK(region_count <= MAX_REGIONS);
    memset(added, 0, sizeof *added);
    memcpy(added->name, name, sizeof added->name);
    memcpy(added->slot_counts, slot_counts, sizeof added->slot_counts);
    return added;
}

/* Check which region an open has chosen. A region that this process has closed comes first, and no
 * suitable region may be ignored. */
static void check_choice(const client_region *chosen, const uint32_t *wanted)
{
    for (size_t i = 0; i < region_count; i++) {
        const client_region *r = &regions[i];

        if (r == chosen || r->is_open || !has_room_for(r, wanted))
            continue;
        FUZZ_CHECK(chosen != NULL); /* while `r` has room, no region is made */
        FUZZ_CHECK(!r->publisher || chosen->publisher);
        FUZZ_CHECK(r->publisher || chosen->publisher || strcmp(chosen->name, r->name) < 0);
    }
}

/* A region appeared that is not in the model, and its process has ended. Add the region to the
 * model if it is complete. */
static void died_while_creating(prfdata_publisher *publisher, const char *name,
                                const uint32_t *slot_counts)
{
    const prfdata_region_header *header;
    uint64_t size;

    bury(publisher, NULL);
    header = (const void *)os_memory_file(name, &size);
    if (header && size > sizeof *header && header->state != PRFDATA_REGION_BUILDING &&
        /* Always true, because no process takes over a region of another boot. */
        header->boot == prfdata_os_boot())
        add_region(name, slot_counts);
}

static void open_one(fuzz_input *input)
{
    const uint8_t byte = fuzz_u8(input);
    const uint32_t wanted[KEYED_OBJECTS] = {1u + (byte & 3), 1u + (byte >> 2 & 3)};
    uint32_t counts[KEYED_OBJECTS]; /* number of slots in the publisher's region */
    const prfdata_capacity capacities[] = {{QUEUES, wanted[0]}, {CONSUMERS, wanted[1]}};
    char name[PRFDATA_OS_NAME_BYTES];
    prfdata_publisher *publisher;
    client_region *chosen;

    if (open_count() == MAX_OPEN || region_count == MAX_REGIONS)
        return;
    FUZZ_CHECK(!prfdata_open_with(&fuzz_map, capacities, 2, &publisher));
    memcpy(name, publisher->name.text, sizeof name);
    for (int i = 0; i < KEYED_OBJECTS; i++)
        counts[i] = publisher->layout->sections[i].slot_count;
    chosen = region_by_name(name);
    check_choice(chosen, wanted);
    if (is_dead && !chosen) {
        died_while_creating(publisher, name, counts);
        return;
    }
    if (is_dead) {
        bury(publisher, chosen);
        return;
    }
    if (chosen) {
        FUZZ_CHECK(!chosen->is_open && has_room_for(chosen, wanted));
        FUZZ_CHECK(!chosen->publisher || chosen->publisher == publisher);
        take_over(chosen, chosen->publisher != NULL);
        if (!chosen->publisher)
            chosen->dropped_before = chosen->dropped;
    } else {
        chosen = add_region(name, counts);
        FUZZ_CHECK(has_room_for(chosen, wanted));
    }
    chosen->publisher = publisher;
    chosen->is_open = true;
}

static void close_one(client_region *of, bool unmap)
{
    prfdata_close(of->publisher);
    of->is_open = false;
    if (is_dead) {
        bury(of->publisher, of);
        return;
    }
    steps_left = 0; /* unmapping would take the same steps again */
    if (unmap) {
        prfdata_close_and_unmap(of->publisher);
        forget_publisher(of);
    }
}

static void open_provider(void)
{
    provider = fuzz_open_provider(model);
}

static void forget_what_was_shown(void)
{
    memset(shown_totals, 0, sizeof shown_totals);
    memset(shown_rows, 0, sizeof shown_rows);
    memset(gone, 0, sizeof gone);
}

static void reboot(void)
{
    static uint64_t boot = 1;

    for (size_t i = 0; i < region_count; i++)
        if (regions[i].publisher)
            kill_now(&regions[i]);
    region_count = 0;
    forget_what_was_shown();
    os_memory_set_boot(++boot);
    prfdata_provider_close(provider);
    open_provider();
}

/* ---- Instances ---- */

/* Return a live queue of the region, or NO_PARENT. */
static int choose_parent(const client_region *of, int object, uint8_t byte)
{
    int slot_index = byte % (MAX_SLOTS + 1) - 1;

    if (object != OBJECT_CONSUMERS || slot_index < 0 ||
        of->slots[OBJECT_QUEUES][slot_index].state != PRFDATA_SLOT_LIVE)
        return NO_PARENT;
    return slot_index;
}

static uint32_t expect_add(client_region *to, int object, int key, slot *s)
{
    (void)key;
    if (s && s->state == PRFDATA_SLOT_LIVE)
        return ERROR_ALREADY_EXISTS;
    return s || find_room(to, object) ? ERROR_SUCCESS : ERROR_NOT_ENOUGH_QUOTA;
}

static slot *apply_add(client_region *to, int object, int key, int parent, uint32_t parent_identity)
{
    slot *s = find_slot(to, object, key, parent, parent_identity);

    if (s) {
        s->state = PRFDATA_SLOT_LIVE;
        reset_gauges(object, s->cells);
    } else {
        s = find_room(to, object);
        if (s->identity > 0)
            merge_cells(object, s->cells, s->baselines, false,
                        gone[object][s->key][s->parent_key + 1]);
        assign(object, s, key, parent, parent_identity);
        s->parent_key = parent == NO_PARENT ? NO_PARENT : to->slots[OBJECT_QUEUES][parent].key;
    }
    return s;
}

/* The process ended while it added an instance. The slot's tag says whether the instance was added
 * (docs/region-format.md, A3 and V2). */
static void died_while_adding(client_region *to, int object, int key, int parent,
                              uint32_t parent_identity, const prfdata_instance *instance)
{
    const client_region before = *to;

    apply_add(to, object, key, parent, parent_identity);
    bury(to->publisher, to);
    check_state(to, object, instance->slot_index,
                state_at_step(before.slots[object][instance->slot_index].state, PRFDATA_SLOT_LIVE));
    if (to->slots[object][instance->slot_index].state != PRFDATA_SLOT_LIVE) {
        slot *s = &to->slots[object][instance->slot_index];
        const slot now = *s;

        *s = before.slots[object][instance->slot_index]; /* key and baselines are unchanged */
        s->state = now.state;
        s->identity = now.identity;
        s->freed = now.freed;
        s->inside = now.inside;
        s->instance = now.instance;
    }
}

static void add_one(client_region *to, fuzz_input *input, int object, bool by_number,
                    bool only_find)
{
    const pool_name *named = &pool[fuzz_u8(input) % POOL];
    const int32_t number = fuzz_u8(input) % 4 - 1;
    const int parent = choose_parent(to, object, fuzz_u8(input));
    const prfdata_instance *owner =
        parent == NO_PARENT ? NULL : &to->slots[OBJECT_QUEUES][parent].instance;
    const uint32_t parent_identity =
        parent == NO_PARENT ? 0 : to->slots[OBJECT_QUEUES][parent].identity;
    const int key = by_number ? (number < 0 ? NO_KEY : NUMBER_KEYS + number) : named->key;
    slot *s = find_slot(to, object, key, parent, parent_identity);
    uint32_t expected;
    uint32_t error;
    prfdata_instance instance;

    if (key == NO_KEY)
        expected = by_number ? ERROR_INVALID_NAME : named->errors[object];
    else if (only_find)
        expected = s && s->state == PRFDATA_SLOT_LIVE ? ERROR_SUCCESS : ERROR_NOT_FOUND;
    else
        expected = expect_add(to, object, key, s);
    if (only_find)
        error = by_number ? prfdata_instance_find_id(to->publisher, object_ids[object], number,
                                                     owner, &instance)
                          : prfdata_instance_find(to->publisher, object_ids[object], named->name,
                                                  owner, &instance);
    else
        error = by_number ? prfdata_instance_add_id(to->publisher, object_ids[object], number,
                                                    owner, &instance)
                          : prfdata_instance_add(to->publisher, object_ids[object], named->name,
                                                 owner, &instance);
    if (!to->is_open)
        expected = key == NO_KEY ? expected : ERROR_INVALID_HANDLE;
    FUZZ_CHECK(error == expected);
    if (error == ERROR_NOT_ENOUGH_QUOTA ||
        (error == ERROR_FILENAME_EXCED_RANGE && !only_find && to->is_open))
        to->dropped++;
    FUZZ_CHECK(prfdata_dropped(to->publisher) == to->dropped - to->dropped_before);
    if (error) {
        FUZZ_CHECK(!instance.publisher);
        return;
    }
    if (is_dead) {
        died_while_adding(to, object, key, parent, parent_identity, &instance);
        return;
    }
    if (!only_find) {
        s = apply_add(to, object, key, parent, parent_identity);
        /* A new generation tells the holder of the old instance that this instance is outdated. */
        FUZZ_CHECK(!s->instance.publisher || s->instance.generation != instance.generation);
        s->instance = instance;
    }
    FUZZ_CHECK(s == &to->slots[object][instance.slot_index]);
    FUZZ_CHECK(!memcmp(&instance.generation, &s->instance.generation, sizeof(uint32_t)));
}

static bool has_children(const client_region *of, int object, const slot *s)
{
    const int slot_index = (int)(s - of->slots[OBJECT_QUEUES]);

    for (uint32_t i = 0; object == OBJECT_QUEUES && i < MAX_SLOTS; i++) {
        const slot *child = &of->slots[OBJECT_CONSUMERS][i];

        if (child->state == PRFDATA_SLOT_LIVE && child->parent == slot_index)
            return true;
    }
    return false;
}

static void remove_one(client_region *from, int object, slot *s)
{
    const bool is_live = from->is_open && s->state == PRFDATA_SLOT_LIVE;
    const uint32_t expected = !is_live                        ? ERROR_NOT_FOUND
                              : has_children(from, object, s) ? ERROR_DEPENDENT_RESOURCE_EXISTS
                                                              : ERROR_SUCCESS;

    if (!s->instance.publisher) /* not added, or added by a process that has ended */
        return;
    FUZZ_CHECK(prfdata_instance_remove(&s->instance) == expected);
    if (expected == ERROR_SUCCESS) {
        s->state = PRFDATA_SLOT_DORMANT;
        s->freed = ++from->freed;
    }
    if (is_dead) {
        bury(from->publisher, from); /* the tag says whether the instance was removed */
        check_state(from, object, (uint32_t)(s - from->slots[object]),
                    state_at_step(PRFDATA_SLOT_LIVE, PRFDATA_SLOT_DORMANT));
    }
}

/* ---- Counting ---- */

static void bump_cell(prfdata_handle handle, prfdata_merging merge, uint64_t number, uint64_t *cell)
{
    switch (merge) {
    case PRFDATA_MERGING_ACCUMULATE:
        prfdata_add(handle, (int64_t)number);
        *cell += number;
        break;
    case PRFDATA_MERGING_NEWEST:
        prfdata_raise(handle, (int64_t)number);
        if (number > *cell)
            *cell = number;
        break;
    case PRFDATA_MERGING_SUM:
        if (number % 2) {
            prfdata_subtract(handle, (int64_t)number);
            *cell -= number;
            break;
        }
        prfdata_increment(handle);
        ++*cell;
        break;
    case PRFDATA_MERGING_MAX:
    case PRFDATA_MERGING_OLDEST_START:
        prfdata_set(handle, (int64_t)number);
        *cell = number;
        break;
    case PRFDATA_MERGING_NOTHING:
        break;
    }
}

static void bump_one(client_region *of, fuzz_input *input, int object, uint8_t which)
{
    const uint32_t cell = fuzz_u8(input) % cell_count(object);
    const uint8_t byte = fuzz_u8(input);
    const uint64_t number = byte < 0xF0 ? byte : (uint64_t)byte << 26; /* numbers above 2^32, too */
    const prfdata_model_counter *counter = counter_at(object, cell);
    slot *s = object == OBJECT_WORKERS ? NULL : &of->slots[object][which % of->slot_counts[object]];
    uint64_t *modelled = s ? &s->cells[cell] : &of->plain[cell];
    uint64_t baseline = s && !is_gauge(object, cell) ? s->baselines[cell] : 0;
    uint32_t expected = ERROR_SUCCESS;
    prfdata_handle handle;

    if (!of->is_open)
        expected = ERROR_INVALID_HANDLE;
    else if (s && (s->state != PRFDATA_SLOT_LIVE || !s->instance.publisher))
        expected = ERROR_NOT_FOUND;
    FUZZ_CHECK(prfdata_resolve(of->publisher, counter->entry->id, s ? &s->instance : NULL,
                               &handle) == expected);
    if (expected) {
        FUZZ_CHECK(handle.cell == NULL);
        return;
    }
    bump_cell(handle, counter->merging, number, modelled);
    FUZZ_CHECK((uint64_t)prfdata_get(handle) == *modelled - baseline);
    if (byte & 1) {
        saved.handle = handle;
        saved.of = of;
        saved.cell = modelled;
    }
}

/* Count through an old handle, whatever happened to its instance or publisher. */
static void bump_saved(void)
{
    if (!saved.of)
        return;
    prfdata_increment(saved.handle);
    ++*saved.cell;
}

static void bracket(client_region *of, uint8_t which)
{
    const bool is_end = which & 1;
    slot *s = &of->slots[OBJECT_QUEUES][(which >> 1) % of->slot_counts[OBJECT_QUEUES]];

    if (which & 0x80) {
        if (!is_end)
            prfdata_begin_all(of->publisher);
        else if (of->inside)
            prfdata_end_all(of->publisher);
        of->inside += !is_end ? 1 : of->inside ? (uint64_t)-1 : 0;
    } else if (s->instance.publisher) {
        if (!is_end)
            prfdata_begin(&s->instance);
        else if (s->inside)
            prfdata_end(&s->instance);
        s->inside += !is_end ? 1 : s->inside ? (uint64_t)-1 : 0;
    }
}

/* ---- Expected values ---- */

static bool is_live_region(const client_region *r)
{
    return r->publisher && r->is_open;
}

/*
 * Return the key of a consumer's parent. NO_PARENT: the consumer has no parent. NO_KEY - 1: the
 * parent's name has lost its slot, so the consumer is not shown.
 */
static int parent_key(const client_region *r, const slot *s)
{
    const slot *parent;

    if (s->parent == NO_PARENT)
        return NO_PARENT;
    parent = &r->slots[OBJECT_QUEUES][s->parent];
    if (parent->identity != s->parent_identity || parent->state < PRFDATA_SLOT_LIVE)
        return NO_KEY - 1;
    return parent->key;
}

/* Compute what a row shows, from the slots that exist. Returns how many of its slots are live. */
static int expect_row(int object, int key, int of_parent, uint64_t *sums, shown_row *row)
{
    int live = 0;

    clear_sums(object, sums);
    memset(row->identities, 0, sizeof row->identities);
    for (size_t i = 0; i < region_count; i++)
        for (uint32_t k = 0; k < regions[i].slot_counts[object]; k++) {
            const slot *s = &regions[i].slots[object][k];
            bool is_live = is_live_region(&regions[i]) && s->state == PRFDATA_SLOT_LIVE;

            if (key != TOTAL_KEY && (s->state < PRFDATA_SLOT_LIVE || s->key != key ||
                                     parent_key(&regions[i], s) != of_parent))
                continue;
            merge_cells(object, s->cells, key == TOTAL_KEY ? NULL : s->baselines, is_live, sums);
            row->identities[i][k] = s->identity;
            live += is_live;
        }
    finish_sums(object, sums);
    return live;
}

/* Compute everything that was ever counted under a name, in whatever slot. */
static void expect_at_most(int object, int key, int of_parent, uint64_t *most)
{
    memcpy(most, gone[object][key][of_parent + 1], MAX_CELLS * sizeof *most);
    for (size_t i = 0; i < region_count; i++)
        for (uint32_t k = 0; k < regions[i].slot_counts[object]; k++) {
            const slot *s = &regions[i].slots[object][k];

            if (s->identity > 0 && s->key == key && s->parent_key == of_parent)
                merge_cells(object, s->cells, s->baselines, false, most);
        }
}

static void expect_plain(uint64_t *sums)
{
    clear_sums(OBJECT_WORKERS, sums);
    for (size_t i = 0; i < region_count; i++)
        merge_cells(OBJECT_WORKERS, regions[i].plain, NULL, is_live_region(&regions[i]), sums);
    finish_sums(OBJECT_WORKERS, sums);
}

typedef struct client_row_key {
    int key;
    int parent;
} client_row_key;

/* Return how many rows an object must have, without `_Total`. */
static uint32_t expect_row_count(int object)
{
    client_row_key rows[MAX_REGIONS * MAX_SLOTS];
    uint32_t count = 0;

    for (size_t i = 0; i < region_count; i++)
        for (uint32_t k = 0; is_live_region(&regions[i]) && k < MAX_SLOTS; k++) {
            const slot *s = &regions[i].slots[object][k];
            const client_row_key row = {s->key, parent_key(&regions[i], s)};
            uint32_t same = 0;

            if (s->state != PRFDATA_SLOT_LIVE)
                continue;
            while (same < count && (rows[same].key != row.key || rows[same].parent != row.parent))
                same++;
            if (same == count)
                rows[count++] = row;
        }
    return count;
}

/* ---- Shown values ---- */

static uint32_t get32(const unsigned char *at)
{
    uint32_t value;

    memcpy(&value, at, sizeof value);
    return value;
}

static uint64_t shown_value(int object, uint32_t cell, const unsigned char *block)
{
    const prfdata_model_counter *counter = counter_at(object, cell);
    uint64_t value = 0;

    memcpy(&value, block + counter->block_offset, counter->value_bytes);
    return value;
}

static void compare(int object, const uint64_t *expected, const unsigned char *block)
{
    for (uint32_t i = 0; i < cell_count(object); i++) {
        const uint64_t mask = counter_at(object, i)->value_bytes == 4 ? UINT32_MAX : UINT64_MAX;

        FUZZ_CHECK(shown_value(object, i, block) == (expected[i] & mask));
    }
}

/* Check that totals of 64-bit counters have not fallen, and that all totals equal what was
 * counted. */
static void compare_totals(int object, const uint64_t *expected, const unsigned char *block)
{
    for (uint32_t i = 0; i < cell_count(object); i++) {
        uint64_t shown = shown_value(object, i, block);

        if (!is_gauge(object, i) && counter_at(object, i)->value_bytes == 8)
            FUZZ_CHECK(shown >= shown_totals[object][i]);
        shown_totals[object][i] = shown;
    }
    compare(object, expected, block);
}

static bool goes_on(const shown_row *before, const shown_row *now)
{
    for (size_t i = 0; before->was_shown && i < MAX_REGIONS; i++)
        for (size_t k = 0; k < MAX_SLOTS; k++)
            if (now->identities[i][k] && now->identities[i][k] == before->identities[i][k])
                return true;
    return false;
}

/* Check that an instance shows at least what its slots have. It may also show what it had counted
 * in slots that have other names now, but not more. The shown value must not fall while the
 * instance still has one of its slots. Gauges must be current. */
static void compare_row(int object, int key, int parent, const uint64_t *expected, shown_row *now,
                        const unsigned char *block)
{
    shown_row *before = &shown_rows[object][key][parent + 1];
    uint64_t most[MAX_CELLS];

    expect_at_most(object, key, parent, most);
    for (uint32_t i = 0; i < cell_count(object); i++) {
        const uint64_t mask = counter_at(object, i)->value_bytes == 4 ? UINT32_MAX : UINT64_MAX;
        const uint64_t shown = shown_value(object, i, block);

        now->values[i] = shown;
        if (is_gauge(object, i) || most[i] == expected[i]) {
            FUZZ_CHECK(shown == (expected[i] & mask));
            continue;
        }
        if (mask == UINT32_MAX)
            continue;
        FUZZ_CHECK(shown >= expected[i] && shown <= most[i]);
        FUZZ_CHECK(!goes_on(before, now) || shown >= before->values[i]);
    }
    now->is_shown = true;
    now->was_shown = before->was_shown;
    *before = *now;
}

static int key_of_shown(const unsigned char *instance)
{
    const uint32_t offset = get32(instance + 16), bytes = get32(instance + 20);
    const uint32_t number = get32(instance + 12);
    static const wchar_t total[] = L"_Total";

    if (bytes == 0) {
        FUZZ_CHECK(number < MAX_KEYS - NUMBER_KEYS);
        return NUMBER_KEYS + (int)number;
    }
    for (size_t i = 0; i <= POOL; i++) {
        const wchar_t *stored = i < POOL ? pool[i].stored : total;
        uint32_t length = 0;

        while (stored[length] &&
               stored[length] == (wchar_t)(instance[offset + 2 * length] |
                                           instance[offset + 2 * length + 1] << 8))
            length++;
        if (length > 0 && !stored[length] && bytes == 2 * (length + 1))
            return i < POOL ? pool[i].key : TOTAL_KEY;
    }
    FUZZ_CHECK(bytes == 0); /* this name was never added */
    return NO_KEY;
}

static void compare_object(const perf_reply *reply, int object)
{
    const uint32_t title = FUZZ_FIRST_COUNTER + model->objects[object].title_offset;
    const unsigned char *at = reply->bytes + perf_reader_object(reply, title);
    const int32_t count = (int32_t)get32(at + 40);
    const unsigned char *instance = at + get32(at + 4);
    static int keys[KEYED_OBJECTS][MAX_REGIONS * MAX_SLOTS + 1];
    uint32_t totals = 0;
    uint64_t expected[MAX_CELLS];
    shown_row now = {0};

    FUZZ_CHECK(perf_reader_object(reply, title) != SIZE_MAX);
    if (object == OBJECT_WORKERS) {
        expect_plain(expected);
        compare_totals(object, expected, instance);
        return;
    }
    FUZZ_CHECK(count <= MAX_REGIONS * MAX_SLOTS + 1);
    for (int32_t i = 0; i < count; i++) {
        const unsigned char *block = instance + get32(instance);
        const int key = key_of_shown(instance);
        const int parent =
            get32(instance + 4) == 0 ? NO_PARENT : keys[OBJECT_QUEUES][get32(instance + 8)];
        const int live = expect_row(object, key, parent, expected, &now);

        keys[object][i] = key;
        totals += key == TOTAL_KEY;
        if (key == TOTAL_KEY) {
            compare_totals(object, expected, block);
        } else {
            FUZZ_CHECK(live > 0);
            compare_row(object, key, parent, expected, &now, block);
        }
        instance = block + get32(block);
    }
    FUZZ_CHECK(totals == (object == OBJECT_QUEUES));
    /* The validator has checked that no two rows are equal. */
    FUZZ_CHECK((uint32_t)count == expect_row_count(object) + totals);
}

static void begin_shown_rows(void)
{
    shown_row *row = &shown_rows[0][0][0];

    for (size_t i = 0; i < sizeof shown_rows / sizeof *row; i++) {
        row[i].was_shown = row[i].is_shown;
        row[i].is_shown = false;
    }
}

static void collect_once(void)
{
    static const uint16_t query[] = {'G', 'l', 'o', 'b', 'a', 'l', 0};
    void *data = room;
    uint32_t size = ROOM;
    perf_reply reply = {room, 0, 0};

    FUZZ_CHECK(!prfdata_provider_collect(provider, query, &data, &size, &reply.object_count));
    reply.size = size;
    validating_check(&reply);
    FUZZ_CHECK(reply.object_count == 3);
    begin_shown_rows();
    for (int object = 0; object <= OBJECT_WORKERS; object++)
        compare_object(&reply, object);
    for (size_t i = 0; i < region_count; i++) {
        check_brackets(&regions[i]);
        check_structure(&regions[i]);
    }
}

/* Collect three times. The first reply is merged unless a plan exists already. The other two are
 * made by a plan if one is possible. */
static void collect(void)
{
    for (int i = 0; i < 3; i++)
        collect_once();
}

/* ---- The target ---- */

/* Return a region that has a publisher, or NULL. */
static client_region *choose_region(uint8_t byte)
{
    client_region *with_publisher[MAX_REGIONS];
    size_t count = 0;

    for (size_t i = 0; i < region_count; i++)
        if (regions[i].publisher)
            with_publisher[count++] = &regions[i];
    return count ? with_publisher[byte % count] : NULL;
}

static void operate(fuzz_input *input)
{
    const uint8_t operation = fuzz_u8(input);
    client_region *r = choose_region(operation >> 4 & 3);
    const int object = operation >> 6 & 1;

    switch (operation & 15) {
    case 0:
        open_one(input);
        return;
    case 1:
        collect();
        return;
    case 2:
        bump_saved();
        return;
    case 3:
        steps_left = 1 + fuzz_u8(input) % 24;
        return;
    case 4:
        if (operation == 0xF4)
            reboot();
        else if (r)
            kill_now(r);
        return;
    default:
        break;
    }
    if (!r)
        return;
    switch (operation & 15) {
    case 5:
    case 6:
        add_one(r, input, object, operation & 0x80, false);
        break;
    case 7:
        add_one(r, input, object, operation & 0x80, true);
        break;
    case 8:
        remove_one(r, object, &r->slots[object][fuzz_u8(input) % r->slot_counts[object]]);
        break;
    case 9:
    case 10:
    case 11:
        bump_one(r, input, object, operation >> 7 | (uint8_t)(fuzz_u8(input) << 1));
        break;
    case 12:
        bump_one(r, input, OBJECT_WORKERS, 0);
        break;
    case 13:
        bracket(r, fuzz_u8(input));
        break;
    case 14:
        close_one(r, false);
        break;
    default:
        close_one(r, operation & 0x80);
        break;
    }
}

static void clean_up(void)
{
    for (size_t i = 0; i < region_count; i++)
        if (regions[i].publisher)
            prfdata_close_and_unmap(regions[i].publisher);
    region_count = 0;
    saved.of = NULL;
    forget_what_was_shown();
    os_memory_empty_folder();
    prfdata_provider_close(provider); /* because a provider remembers what it has shown */
    provider = NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static uint32_t run;
    fuzz_input input = {bytes, size};

    if (!model) {
        FUZZ_CHECK(!prfdata_model_make(&fuzz_map, &model));
        os_memory_install(model, FUZZ_FIRST_COUNTER);
        for (int object = 0; object <= OBJECT_WORKERS; object++)
            FUZZ_CHECK(cell_count(object) <= MAX_CELLS);
    }
    open_provider();
    /* each run gives its region files other names, which sort in the same order */
    os_memory_set_random(++run);
    while (input.size > 0) {
        const bool was_armed = steps_left > 0;

        operate(&input);
        if (was_armed)
            steps_left = 0; /* only the operation that follows the arming one may end a process */
    }
    steps_left = 0;
    collect();
    clean_up();
    return 0;
}
