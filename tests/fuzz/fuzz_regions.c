/* SPDX-License-Identifier: MIT */
/* Sends hostile regions through the provider to a reply. There are up to four files, each a valid
 * region to which commands were applied, or raw bytes; then comes one query. Whatever the files
 * contain, two readers that share no code with the provider must find the reply valid. It must show
 * no instance that docs/region-format.md forbids, and the provider must continue to work. A writer
 * that takes over one of the files must be able to add instances, and they must be shown.
 *
 * Input: a byte with the number of files minus one (bits 0 and 1) and a mode (bits 2 to 5); for
 * each file a control byte and its arguments; the query; the layout by which writers change the
 * files; and the actions of these writers. */
#include <stdlib.h>
#include <string.h>

#include "client/publisher.h"
#include "collect/provider.h"
#include "fuzz.h"
#include "fuzz_map.h"
#include "os_memory.h"
#include "region/region.h"
#include "system/os_name.h"
#include "validating.h"

enum { MAX_FILES = 4, ROOM = 64 * 1024 };

enum {
    EXACT_ROOM = 0x01,
    TWICE = 0x02,
    CHANGES = 0x04,
    FAULTS = 0x08,
    FRESH = 0x10,
    TAKE_OVER = 0x20
};

/* Additional checks, chosen by bits 2 to 5 of the first byte. Five of the 16 modes have none, so
 * that many inputs are fast. */
static const uint8_t modes[16] = {
    0,
    0,
    0,
    0,
    0,
    TAKE_OVER,
    TAKE_OVER | TWICE,
    CHANGES,
    CHANGES | TWICE,
    CHANGES | FAULTS,
    TWICE,
    TWICE | FAULTS,
    EXACT_ROOM,
    CHANGES,
    FRESH,
    EXACT_ROOM | TWICE,
};

enum {
    FILE_OWNED = 0x01,
    FILE_RAW = 0x02,
    FILE_SIZE = 0x04,
    FILE_DENIED = 0x08,
    FILE_COUNTS = 0x10
};

enum { BOOT = 77 };

static prfdata_model *model;
static prfdata_provider *provider;
static unsigned char room[ROOM];
static char names[MAX_FILES][PRFDATA_OS_NAME_BYTES];
static bool is_owned[MAX_FILES];
static uint32_t file_count;

/* ---- Setting up ---- */

static void open_provider(void)
{
    provider = fuzz_open_provider(model);
}

/* ---- Regions ---- */

typedef struct regions_image {
    uint8_t *bytes;
    uint64_t size;
    const prfdata_region_layout *layout; /* as it was before commands changed `bytes` */
} regions_image;

static void write_at(const regions_image *to, uint64_t offset, const void *bytes, size_t size)
{
    if (offset <= to->size && size <= to->size - offset)
        memcpy(to->bytes + offset, bytes, size);
}

static void write32(const regions_image *to, uint64_t offset, uint32_t value)
{
    write_at(to, offset, &value, sizeof value);
}

static void write64(const regions_image *to, uint64_t offset, uint64_t value)
{
    write_at(to, offset, &value, sizeof value);
}

/* Make a char of a name. There are few chars, so that names are often equal. Some differ only in
 * case, and some are invalid in names. */
static uint16_t name_unit(uint8_t byte)
{
    static const uint16_t chars[] = {'a', 'A', 'b', 'B',   '_',    0x17F,  's',    0x212A,
                                     'k', '(', '#', '\\',  0xD83D, 0xDE00, 0xD800, 0,
                                     7,   '*', ' ', 0x130, 'i',    0x3C2,  0x3C3,  0xFFFF,
                                     'T', 'o', 't', 'l',   '1',    '/',    0x9F,   0xDF};

    return chars[byte % (sizeof chars / sizeof chars[0])];
}

static void write_name(const regions_image *to, uint64_t offset, uint32_t stride, fuzz_input *input,
                       uint32_t chars)
{
    static const uint16_t total[] = {'_', 't', 'O', 'T', 'A', 'L'};

    if (chars == sizeof total / sizeof total[0] && stride >= sizeof total) {
        write_at(to, offset, total, sizeof total);
        return;
    }
    for (uint32_t i = 0; i < chars && i < stride / 2; i++) {
        uint16_t unit = name_unit(fuzz_u8(input));

        write_at(to, offset + 2 * i, &unit, sizeof unit);
    }
}

static void write_slot(const regions_image *to, fuzz_input *input)
{
    const uint8_t which = fuzz_u8(input);
    const uint8_t how = fuzz_u8(input);
    const uint8_t parent = fuzz_u8(input);
    const uint32_t object = which % FUZZ_OBJECTS;
    const prfdata_region_section *section = &to->layout->sections[object];
    const uint32_t slot = which / 4 % section->slot_count;
    const uint64_t at = section->slots_offset + slot * (uint64_t)PRFDATA_REGION_LINE;
    uint32_t chars = fuzz_u8(input) % 20;

    if (!model->objects[object].has_instances)
        return;
    write32(to, at, PRFDATA_SLOT_TAG(1 + (how >> 6), how & 3));
    write32(to, at + 4, how >> 2 & 3);
    write32(to, at + 8, how >> 4 & 3);
    write32(to, at + 12, parent & 0x80 ? PRFDATA_NONE : parent & 7);
    write32(to, at + 16, parent >> 3 & 3);
    write32(to, at + 20, chars - 1); /* this may be -1 */
    write32(to, at + 24, chars == 19 ? UINT32_MAX : chars);
    write_name(to, section->names_offset + slot * (uint64_t)section->name_stride,
               section->name_stride, input, chars);
    write32(to, section->count_offset + 4, which & 0x80 ? UINT32_MAX : section->slot_count);
}

static void write_distribution(const regions_image *to, fuzz_input *input, uint32_t object,
                               uint32_t slot)
{
    const prfdata_model_object *of = &model->objects[object];
    const prfdata_region_section *section = &to->layout->sections[object];
    const uint64_t words = of->distributions_bytes / 8;
    const uint64_t *start =
        prfdata_region_distribution_at(to->bytes, section, slot, &of->distributions[0]);
    const uint64_t offset = (uint64_t)((const uint8_t *)start - to->bytes);

    for (uint32_t i = 1 + fuzz_u8(input) % 16u; i > 0; i--)
        write64(to, offset + 8 * (fuzz_u8(input) % words), fuzz_number(input));
}

static void write_cells(const regions_image *to, fuzz_input *input)
{
    const uint8_t which = fuzz_u8(input);
    const uint32_t object = which % FUZZ_OBJECTS;
    const prfdata_region_section *section = &to->layout->sections[object];
    const uint32_t slot = which / 4 % section->slot_count;
    const bool is_base = (which & 0x80) && model->objects[object].has_instances;
    const uint64_t start = is_base ? section->baselines_offset : section->cells_offset;

    if ((which & 0x40) && model->objects[object].distribution_count > 0) {
        write_distribution(to, input, object, slot);
        return;
    }
    for (uint32_t i = 0; i < model->objects[object].stored_count; i++)
        write64(to, start + slot * (uint64_t)section->cell_stride + 8 * i, fuzz_number(input));
}

static void write_header(const regions_image *to, fuzz_input *input)
{
    static const uint8_t fields[] = {0,  4,  8,   12,  16,  24,  32, 36, 40,
                                     64, 72, 128, 132, 136, 140, 56, 60};
    const uint8_t field = fields[fuzz_u8(input) % sizeof fields];

    write32(to, field, (uint32_t)fuzz_number(input));
}

static void write_bracket(const regions_image *to, fuzz_input *input)
{
    const uint8_t which = fuzz_u8(input);
    const prfdata_region_section *section = &to->layout->sections[which % FUZZ_OBJECTS];
    const uint32_t slot = which / 4 % section->slot_count;

    if (model->objects[which % FUZZ_OBJECTS].has_instances)
        write64(to, section->slots_offset + slot * (uint64_t)PRFDATA_REGION_LINE + 40,
                fuzz_number(input));
}

static void write_raw(const regions_image *to, fuzz_input *input)
{
    uint64_t offset = fuzz_u16(input);
    uint32_t count = 1 + fuzz_u8(input) % 16u;

    for (uint32_t i = 0; i < count; i++) {
        uint8_t byte = fuzz_u8(input);

        write_at(to, offset + i, &byte, 1);
    }
}

/* Runs one command. Returns false at the end of the list. */
static bool command(const regions_image *to, fuzz_input *input)
{
    typedef void write(const regions_image *to, fuzz_input *input);
    static write *const writes[] = {write_slot, write_slot,   write_slot,   write_cells,
                                    write_raw,  write_header, write_bracket};
    uint8_t which = fuzz_u8(input) % 8;

    if (which == 0 || input->size == 0)
        return false;
    writes[which - 1](to, input);
    return true;
}

static prfdata_region_layout *make_layout(fuzz_input *input, bool has_counts)
{
    uint32_t counts[FUZZ_OBJECTS];
    uint8_t byte = has_counts ? fuzz_u8(input) : 0xFF;
    prfdata_region_layout *layout;

    for (uint32_t i = 0; i < FUZZ_OBJECTS; i++)
        counts[i] = 1 + (uint32_t)(byte >> 2 * i & 3) % model->objects[i].max_instances;
    FUZZ_CHECK(!prfdata_region_layout_make(model, counts, &layout));
    return layout;
}

/* Returns whether the file has a writer. */
static bool make_file(fuzz_input *input, const char *name)
{
    const uint8_t control = fuzz_u8(input);
    prfdata_region_layout *layout = make_layout(input, (control & FILE_COUNTS) != 0);
    uint64_t size = layout->total_bytes;
    regions_image made;
    int commands = 0;

    if (control & FILE_SIZE)
        size = fuzz_u16(input) % (size + 200);
    made.bytes = os_memory_put_file(name, size, (control & FILE_OWNED) != 0);
    made.size = size;
    made.layout = layout;
    if ((control & FILE_RAW) || size < layout->total_bytes) {
        for (uint64_t i = 0; i < size && input->size > 0; i++)
            made.bytes[i] = fuzz_u8(input);
    } else {
        prfdata_region_format(made.bytes, model, layout, BOOT, 1);
        while (commands++ < 64 && command(&made, input)) {
        }
    }
    if (control & FILE_DENIED)
        os_memory_deny(name, true);
    free(layout);
    return (control & FILE_OWNED) != 0;
}

/* ---- Instances that may be shown ---- */

/* Apply rules R11 to R13 of docs/region-format.md to a slot of a live region. */
static bool is_instance(uint8_t *bytes, const prfdata_region_layout *layout, uint32_t object,
                        uint32_t slot_index)
{
    const prfdata_region_slot *slot =
        prfdata_region_slot_at(bytes, &layout->sections[object], slot_index);
    const uint32_t parent_object = model->objects[object].parent_index;
    const prfdata_region_slot *parent;

    if (PRFDATA_SLOT_STATE(slot->tag) != PRFDATA_SLOT_LIVE)
        return false;
    if (slot->flags & PRFDATA_SLOT_HAS_UNIQUE_ID
            ? slot->unique_id == PERF_NO_UNIQUE_ID
            : slot->name_chars - 1 >= model->objects[object].name_chars)
        return false;
    if (slot->parent_slot == PRFDATA_NONE)
        return true;
    if (parent_object == PRFDATA_NONE ||
        slot->parent_slot >= layout->sections[parent_object].slot_count)
        return false;
    parent = prfdata_region_slot_at(bytes, &layout->sections[parent_object], slot->parent_slot);
    return parent->identity == slot->parent_identity &&
           PRFDATA_SLOT_STATE(parent->tag) == PRFDATA_SLOT_LIVE;
}

/* Return the number of the object's instances in a file, or 0 if it is not a published region. */
static uint32_t instances_in(const char *name, uint32_t object)
{
    uint64_t size;
    uint8_t *bytes = os_memory_file(name, &size);
    const prfdata_region_count *of_object;
    prfdata_region_layout *layout;
    uint32_t counts[FUZZ_OBJECTS];
    uint32_t count = 0;

    if (size < sizeof(prfdata_region_header) + sizeof counts * 2 ||
        ((const prfdata_region_header *)(const void *)bytes)->state != PRFDATA_REGION_PUBLISHED)
        return 0;
    of_object = (const void *)(bytes + sizeof(prfdata_region_header));
    for (uint32_t i = 0; i < FUZZ_OBJECTS; i++)
        counts[i] = of_object[i].slot_count;
    if (prfdata_region_layout_make(model, counts, &layout))
        return 0;
    for (uint32_t i = 0; layout->total_bytes == size && i < counts[object]; i++)
        count += is_instance(bytes, layout, object, i);
    free(layout);
    return count;
}

/* Check that an object shows at most as many rows as the files have instances, and the row of its
 * total. */
static void check_row_counts(const perf_reply *reply)
{
    for (uint32_t object = 0; object < FUZZ_OBJECTS; object++) {
        const uint32_t title = FUZZ_FIRST_COUNTER + model->objects[object].title_offset;
        uint32_t most = model->objects[object].options & PRFDATA_OPTION_TOTAL ? 1 : 0;

        if (!model->objects[object].has_instances || perf_reader_object(reply, title) == SIZE_MAX)
            continue;
        for (uint32_t i = 0; i < file_count; i++)
            most += is_owned[i] ? instances_in(names[i], object) : 0;
        FUZZ_CHECK(perf_reader_object_field(reply, title, 40) <= most); /* NumInstances */
    }
}

/* ---- Changes while the files are read ---- */

typedef struct meanwhile {
    fuzz_input input;
    uint8_t control;
    prfdata_region_layout *layout;
} meanwhile;

/* Take the owner from each chosen file that has one, and give an owner to the other chosen
 * files. */
static void change_owners(uint8_t which)
{
    for (uint32_t i = 0; i < file_count; i++)
        if (which >> i & 1) {
            is_owned[i] = !is_owned[i];
            os_memory_set_owned(names[i], is_owned[i]);
        }
}

static bool change(void *context, uint8_t *bytes, uint64_t size)
{
    meanwhile *changes = context;
    regions_image changed = {bytes, size, changes->layout};

    if ((changes->control & FAULTS) && fuzz_u8(&changes->input) == 1)
        return false;
    if (changes->control & CHANGES)
        command(&changed, &changes->input);
    return true;
}

/* ---- Collecting ---- */

static uint32_t title_of(uint32_t id)
{
    const prfdata_model_object *object = prfdata_model_find_object(model, id);
    const prfdata_model_counter *counter = prfdata_model_find_counter(model, id, NULL);

    FUZZ_CHECK(object || counter);
    return FUZZ_FIRST_COUNTER + (object ? object->title_offset : counter->title_offset);
}

static uint16_t *make_query(fuzz_input *input)
{
    static const uint32_t asked[][FUZZ_OBJECTS] = {
        {0}, /* Global */
        {0}, /* Costly */
        {QUEUES},
        {CONSUMERS},
        {WORKERS_IDLE, QUEUES},
        {WORKERS},
        {QUEUES, CONSUMERS, WORKERS, AUDITS},
        {WORKERS_STARTED, AUDITS},
    };
    const uint8_t which = fuzz_u8(input) % 8;
    char text[64] = "";
    uint16_t *query;

    if (which < 2)
        strcpy(text, which == 0 ? "Global" : "Costly");
    for (int i = 0; i < FUZZ_OBJECTS && asked[which][i]; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%u", i > 0 ? " " : "",
                 title_of(asked[which][i]));
    query = fuzz_memory((strlen(text) + 1) * sizeof *query);
    for (size_t i = 0; i <= strlen(text); i++)
        query[i] = (unsigned char)text[i];
    return query;
}

static uint32_t collect(const uint16_t *query, unsigned char *bytes, uint32_t capacity,
                        perf_reply *reply)
{
    void *data = bytes;
    uint32_t size = capacity;
    uint32_t objects = 0xDDDDDDDD;
    uint32_t status = prfdata_provider_collect(provider, query, &data, &size, &objects);

    FUZZ_CHECK(status == ERROR_SUCCESS || status == ERROR_MORE_DATA);
    FUZZ_CHECK(size <= capacity && size % 8 == 0);
    FUZZ_CHECK((unsigned char *)data == bytes + size);
    FUZZ_CHECK(status == ERROR_SUCCESS || (size == 0 && objects == 0));
    reply->bytes = bytes;
    reply->size = size;
    reply->object_count = objects;
    return status;
}

/* Collect again, in a buffer that is exactly large enough and in one that is too small. */
static void check_exact_room(const uint16_t *query, uint32_t size)
{
    unsigned char *bytes = fuzz_memory(size);
    perf_reply reply;

    FUZZ_CHECK(!collect(query, bytes, size, &reply) && reply.size == size);
    validating_check(&reply);
    free(bytes);
    if (size < 8)
        return;
    bytes = fuzz_memory(size - 8);
    FUZZ_CHECK(collect(query, bytes, size - 8, &reply) == ERROR_MORE_DATA);
    free(bytes);
}

static uint32_t row_count(uint32_t object_id)
{
    static const uint16_t query[] = {'G', 'l', 'o', 'b', 'a', 'l', 0};
    const prfdata_model_object *object = prfdata_model_find_object(model, object_id);
    perf_reply reply;

    FUZZ_CHECK(!collect(query, room, ROOM, &reply));
    validating_check(&reply);
    return perf_reader_object_field(&reply, FUZZ_FIRST_COUNTER + object->title_offset, 40);
}

/* Collect three times. The second and third reply are made by a plan if one is possible. */
static void collect_until_planned(const uint16_t *query)
{
    perf_reply reply;

    for (int i = 0; i < 3; i++) {
        FUZZ_CHECK(!collect(query, room, ROOM, &reply));
        validating_check(&reply);
        check_row_counts(&reply);
    }
}

/* Open a publisher, which takes over a file or makes one. Then the region has no live slots. Expect
 * that the instances that are added now are shown. */
static void check_take_over(void)
{
    static const prfdata_capacity capacities[] = {{QUEUES, 2}, {CONSUMERS, 1}, {AUDITS, 1}};
    prfdata_publisher *publisher;
    prfdata_instance queue;
    prfdata_instance consumer;
    prfdata_instance again;
    prfdata_instance audit;
    prfdata_distribution times;
    prfdata_handle taken;
    uint32_t queues;
    uint32_t consumers;

    FUZZ_CHECK(!prfdata_open_with(&fuzz_map, capacities, 3, &publisher));
    queues = row_count(QUEUES);
    consumers = row_count(CONSUMERS);
    FUZZ_CHECK(!prfdata_instance_add(publisher, QUEUES, L"zqxjkw", NULL, &queue));
    FUZZ_CHECK(!prfdata_instance_add(publisher, QUEUES, L"zqxjkv", NULL, &queue));
    FUZZ_CHECK(!prfdata_instance_add(publisher, CONSUMERS, L"zqxj", &queue, &consumer));
    FUZZ_CHECK(!prfdata_instance_find(publisher, CONSUMERS, L"zqxj", &queue, &again));
    FUZZ_CHECK(again.slot_index == consumer.slot_index);
    FUZZ_CHECK(!prfdata_resolve(publisher, CONSUMERS_TAKEN, &consumer, &taken));
    prfdata_increment(taken);
    FUZZ_CHECK(!prfdata_instance_add(publisher, AUDITS, L"zq", &consumer, &audit));
    FUZZ_CHECK(!prfdata_resolve_distribution(publisher, AUDITS_TIME, &audit, &times));
    prfdata_record(times, 3); /* works even if the words of the distribution are invalid */
    prfdata_record(times, UINT64_MAX);
    FUZZ_CHECK(row_count(QUEUES) == queues + 2 && row_count(CONSUMERS) == consumers + 1);
    prfdata_close_and_unmap(publisher);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static uint64_t run;
    fuzz_input input = {bytes, size};
    meanwhile changes;
    prfdata_os_name name;
    perf_reply reply;
    uint16_t *query;
    uint8_t first;

    if (!model) {
        FUZZ_CHECK(!prfdata_model_make(&fuzz_map, &model));
        os_memory_install(model, FUZZ_FIRST_COUNTER);
        os_memory_set_boot(BOOT);
        open_provider();
    }
    first = fuzz_u8(&input);
    changes.control = modes[first >> 2 & 15];
    /* Each run uses new names, because the provider does not check a file again if it has attached
     * a file of the same name. */
    run++;
    file_count = 1 + (first & 3);
    for (uint32_t i = 0; i < file_count; i++) {
        prfdata_os_name_make(&name, prfdata_os_boot(), (uint64_t)i << 32 | (uint32_t)run);
        memcpy(names[i], name.text, sizeof names[i]);
        is_owned[i] = make_file(&input, names[i]);
    }
    query = make_query(&input);
    changes.layout = make_layout(&input, false);
    changes.input = input;
    if (changes.control & TWICE)
        collect_until_planned(query);
    if (changes.control & (CHANGES | FAULTS))
        os_memory_set_hook(change, &changes);

    FUZZ_CHECK(!collect(query, room, ROOM, &reply));
    validating_check(&reply);
    if (!(changes.control & CHANGES))
        check_row_counts(&reply);
    /* Let writers start or end. Then collect with a provider that remembers the earlier state. */
    if (changes.control & TWICE) {
        change_owners(fuzz_u8(&changes.input));
        FUZZ_CHECK(!collect(query, room, ROOM, &reply));
        validating_check(&reply);
        if (!(changes.control & CHANGES))
            check_row_counts(&reply);
    }
    os_memory_set_hook(NULL, NULL);
    if (changes.control & EXACT_ROOM)
        check_exact_room(query, (uint32_t)reply.size);
    if (changes.control & TAKE_OVER)
        check_take_over();

    free(changes.layout);
    free(query);
    os_memory_empty_folder();
    if (changes.control & FRESH) {
        prfdata_provider_close(provider);
        open_provider();
    }
    return 0;
}
