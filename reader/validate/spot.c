/* SPDX-License-Identifier: MIT */
/* Walks through a reply to the object, definition or instance that contains a byte (spot.h). */
#include "validate/spot.h"

#include <stdio.h>
#include <string.h>

#include "block/wire_fields.h"
#include "validate/validate.h"

/* A field of a structure and where it begins. A field ends where the next field begins. */
typedef struct spot_field {
    uint32_t begin;
    const char *name;
} spot_field;

static const spot_field object_fields[] = {
    {0, "TotalByteLength"},
    {4, "DefinitionLength"},
    {8, "HeaderLength"},
    {12, "ObjectNameTitleIndex"},
    {16, "ObjectNameTitle"},
    {20, "ObjectHelpTitleIndex"},
    {24, "ObjectHelpTitle"},
    {28, "DetailLevel"},
    {32, "NumCounters"},
    {36, "DefaultCounter"},
    {40, "NumInstances"},
    {44, "CodePage"},
    {48, "PerfTime"},
    {56, "PerfFreq"},
    {64, NULL},
};

static const spot_field counter_fields[] = {
    {0, "ByteLength"},
    {4, "CounterNameTitleIndex"},
    {8, "CounterNameTitle"},
    {12, "CounterHelpTitleIndex"},
    {16, "CounterHelpTitle"},
    {20, "DefaultScale"},
    {24, "DetailLevel"},
    {28, "CounterType"},
    {32, "CounterSize"},
    {36, "CounterOffset"},
    {40, NULL},
};

static const spot_field instance_fields[] = {
    {0, "ByteLength"},
    {4, "ParentObjectTitleIndex"},
    {8, "ParentObjectInstance"},
    {12, "UniqueID"},
    {16, "NameOffset"},
    {20, "NameLength"},
    {24, "name"},
};

enum { INSTANCE_FIELDS = sizeof instance_fields / sizeof instance_fields[0] };

static void set_field(prfdata_spot *spot, const spot_field *fields, size_t count, uint64_t offset)
{
    const char *name = NULL;

    for (size_t i = 0; i < count && fields[i].begin <= offset; i++)
        name = fields[i].name;
    (void)snprintf(spot->field, sizeof spot->field, "%s", name ? name : "");
}

static void set_counter(prfdata_spot *spot, const prfdata_perf_counter_definition *d)
{
    spot->counter = d->counter_name_title_index;
    spot->type = d->counter_type;
}

/* Finds a byte in the definitions, which begin at `begin`. The byte is `offset` bytes after
 * `begin`. */
static void find_in_definitions(prfdata_bytes bytes, uint64_t begin, uint64_t offset,
                                prfdata_spot *spot)
{
    const uint64_t size = sizeof(prfdata_perf_counter_definition);
    const prfdata_perf_counter_definition d =
        prfdata_wire_fields_counter_definition(bytes, begin + offset / size * size);

    set_counter(spot, &d);
    set_field(spot, counter_fields, sizeof counter_fields / sizeof counter_fields[0],
              offset % size);
}

static void find_in_block(prfdata_bytes bytes, uint64_t definitions, uint32_t count,
                          uint64_t offset, prfdata_spot *spot)
{
    (void)snprintf(spot->field, sizeof spot->field, "%s", offset < 4 ? "ByteLength" : "value");
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t at = definitions + i * (uint64_t)sizeof(prfdata_perf_counter_definition);
        const prfdata_perf_counter_definition d = prfdata_wire_fields_counter_definition(bytes, at);

        if (at >= bytes.size)
            return;
        if (offset >= d.counter_offset && offset - d.counter_offset < d.counter_size) {
            set_counter(spot, &d);
            return;
        }
    }
}

static void set_instance(prfdata_bytes bytes, uint64_t at,
                         const prfdata_perf_instance_definition *d, prfdata_spot *spot)
{
    uint16_t chars[sizeof spot->instance - 1];
    const size_t count = prfdata_wire_fields_chars(bytes, at + d->name_offset, d->name_length,
                                                   chars, sizeof spot->instance - 1);

    for (size_t i = 0; i < count; i++)
        spot->instance[i] = chars[i] < 0x20 || chars[i] > 0x7E ? '?' : (char)chars[i];
    spot->instance[count] = '\0';
}

/* Walks through the instances of an object, which begin at `at`. */
static void find_in_instances(prfdata_bytes bytes, uint64_t at, uint64_t end, uint64_t offset,
                              uint64_t definitions, const prfdata_perf_object_type *object,
                              prfdata_spot *spot)
{
    for (int32_t i = 0; i < object->num_instances && at <= offset && at < end; i++) {
        const prfdata_perf_instance_definition d =
            prfdata_wire_fields_instance_definition(bytes, at);
        const uint64_t block = at + d.byte_length;
        const uint32_t block_bytes = prfdata_wire_fields_counter_block(bytes, block).byte_length;

        if (d.byte_length < sizeof d || block > end)
            return;
        if (offset < block + block_bytes || block_bytes < 4) {
            set_instance(bytes, at, &d, spot);
            if (offset < block)
                set_field(spot, instance_fields, INSTANCE_FIELDS, offset - at);
            else
                find_in_block(bytes, definitions, object->num_counters, offset - block, spot);
            return;
        }
        at = block + block_bytes;
    }
}

static void find_in_object(prfdata_bytes bytes, uint64_t begin, uint64_t end, uint64_t offset,
                           prfdata_spot *spot)
{
    const prfdata_perf_object_type object = prfdata_wire_fields_object_type(bytes, begin);
    const uint64_t definitions = begin + sizeof object;
    const uint64_t definitions_end =
        definitions + object.num_counters * (uint64_t)sizeof(prfdata_perf_counter_definition);

    spot->object = object.object_name_title_index;
    if (offset < definitions)
        set_field(spot, object_fields, sizeof object_fields / sizeof object_fields[0],
                  offset - begin);
    else if (offset < definitions_end)
        find_in_definitions(bytes, definitions, offset - definitions, spot);
    else if (object.num_instances < 0)
        find_in_block(bytes, definitions, object.num_counters, offset - definitions_end, spot);
    else
        find_in_instances(bytes, definitions_end, end, offset, definitions, &object, spot);
}

void prfdata_spot_find(const prfdata_validate_reply *reply, uint64_t offset, prfdata_spot *spot)
{
    const prfdata_bytes bytes = {reply->bytes, reply->size};
    uint32_t title;
    uint32_t parent;
    size_t begin = 0;
    size_t end = 0;

    memset(spot, 0, sizeof *spot);
    while (begin < reply->size) {
        if (!prfdata_validate_next_object(reply, &end, &title, &parent))
            /* The object's length is invalid, so search up to the end of the reply. */
            end = reply->size;
        if (offset < end) {
            if (reply->size - begin >= sizeof(prfdata_perf_object_type))
                find_in_object(bytes, begin, end, offset, spot);
            return;
        }
        begin = end;
    }
}
