/* SPDX-License-Identifier: MIT */
#include "block/dump.h"

#include <inttypes.h>
#include <stdlib.h>

#include <prfdata/perf_types.h>

#include "compute/counter_formula.h"
#include "core/counter_types.h"
#include "block/decode.h"

typedef struct dump {
    prfdata_output *output;
    const prfdata_name_table *titles;
    uint32_t damages;
} dump;

static void put_damage(dump *d, const prfdata_decode_error *error)
{
    char text[200];

    d->damages++;
    prfdata_decode_error_text(error, text, sizeof text);
    prfdata_output_format(d->output, "!! %s\r\n", text);
}

/* The beginning of a line; the value follows. */
static void put_name(dump *d, uint64_t offset, const char *name)
{
    prfdata_output_format(d->output, "%8" PRIu64 "  %-24s ", offset, name);
}

static void put_unsigned(dump *d, uint64_t offset, const char *name, uint64_t value)
{
    put_name(d, offset, name);
    prfdata_output_format(d->output, "%" PRIu64 "\r\n", value);
}

/* A number that has a meaning of its own, such as -1 for "none". */
static void put_signed(dump *d, uint64_t offset, const char *name, int64_t value,
                       const char *meaning)
{
    put_name(d, offset, name);
    prfdata_output_format(d->output, meaning[0] ? "%" PRId64 " (%s)\r\n" : "%" PRId64 "%s\r\n",
                          value, meaning);
}

/* A title index and its name. */
static void put_title(dump *d, uint64_t offset, const char *name, uint32_t index)
{
    prfdata_text title = prfdata_name_table_name(d->titles, index);

    put_name(d, offset, name);
    prfdata_output_format(d->output, "%u", (unsigned)index);
    if (title.count > 0) {
        prfdata_output_put_string(d->output, " \"");
        prfdata_output_put_text(d->output, title);
        prfdata_output_put_string(d->output, "\"");
    }
    prfdata_output_put_string(d->output, "\r\n");
}

static const char *detail_meaning(uint32_t level)
{
    switch (level) {
    case PERF_DETAIL_NOVICE:
        return "novice";
    case PERF_DETAIL_ADVANCED:
        return "advanced";
    case PERF_DETAIL_EXPERT:
        return "expert";
    case PERF_DETAIL_WIZARD:
        return "wizard";
    default:
        return "";
    }
}

static const char *instances_meaning(int32_t count)
{
    switch (count) {
    case PERF_NO_INSTANCES:
        return "object without instances";
    case PERF_METADATA_MULTIPLE_INSTANCES:
        return "metadata of an object with instances";
    case PERF_METADATA_NO_INSTANCES:
        return "metadata of an object without instances";
    case 0:
        return "none now";
    default:
        return "";
    }
}

static void put_system_time(dump *d, const uint16_t time[8])
{
    put_name(d, 36, "SystemTime");
    prfdata_output_format(d->output, "%04u-%02u-%02u %02u:%02u:%02u.%03u UTC\r\n",
                          (unsigned)time[0], (unsigned)time[1], (unsigned)time[3],
                          (unsigned)time[4], (unsigned)time[5], (unsigned)time[6],
                          (unsigned)time[7]);
}

static void put_computer(dump *d, const prfdata_decode_block *block)
{
    uint16_t chars[256];
    prfdata_text name = {chars, 0};
    prfdata_decode_error error;

    if (prfdata_decode_computer(block, chars, 256, &name.count, &error) != ERROR_SUCCESS) {
        put_damage(d, &error);
        return;
    }
    put_name(d, block->header.system_name_offset, "SystemName");
    prfdata_output_put_string(d->output, "\"");
    prfdata_output_put_text(d->output, name);
    prfdata_output_put_string(d->output, "\"\r\n");
}

static void put_data_block(dump *d, const prfdata_decode_block *block)
{
    const prfdata_perf_data_block *header = &block->header;

    prfdata_output_put_string(d->output, "PERF_DATA_BLOCK\r\n");
    put_name(d, 0, "Signature");
    prfdata_output_put_string(d->output, "\"PERF\"\r\n");
    put_unsigned(d, 8, "LittleEndian", header->little_endian);
    put_unsigned(d, 12, "Version", header->version);
    put_unsigned(d, 16, "Revision", header->revision);
    put_unsigned(d, 20, "TotalByteLength", header->total_byte_length);
    put_unsigned(d, 24, "HeaderLength", header->header_length);
    put_unsigned(d, 28, "NumObjectTypes", header->num_object_types);
    put_signed(d, 32, "DefaultObject", header->default_object,
               header->default_object == -1 ? "none" : "");
    put_system_time(d, header->system_time);
    put_signed(d, 56, "PerfTime", header->perf_time, "");
    put_signed(d, 64, "PerfFreq", header->perf_freq, "");
    put_signed(d, 72, "PerfTime100nSec", header->perf_time_100ns, "");
    put_unsigned(d, 80, "SystemNameLength", header->system_name_length);
    put_unsigned(d, 84, "SystemNameOffset", header->system_name_offset);
    put_computer(d, block);
}

static void put_object_type(dump *d, const prfdata_decode_object *object)
{
    const prfdata_perf_object_type *header = &object->header;
    uint64_t at = object->offset;

    prfdata_output_put_string(d->output, "\r\nPERF_OBJECT_TYPE\r\n");
    put_unsigned(d, at, "TotalByteLength", header->total_byte_length);
    put_unsigned(d, at + 4, "DefinitionLength", header->definition_length);
    put_unsigned(d, at + 8, "HeaderLength", header->header_length);
    put_title(d, at + 12, "ObjectNameTitleIndex", header->object_name_title_index);
    put_unsigned(d, at + 16, "ObjectNameTitle", header->object_name_title);
    put_unsigned(d, at + 20, "ObjectHelpTitleIndex", header->object_help_title_index);
    put_unsigned(d, at + 24, "ObjectHelpTitle", header->object_help_title);
    put_signed(d, at + 28, "DetailLevel", header->detail_level,
               detail_meaning(header->detail_level));
    put_unsigned(d, at + 32, "NumCounters", header->num_counters);
    put_signed(d, at + 36, "DefaultCounter", header->default_counter,
               header->default_counter == -1 ? "none" : "");
    put_signed(d, at + 40, "NumInstances", header->num_instances,
               instances_meaning(header->num_instances));
    put_signed(d, at + 44, "CodePage", header->code_page,
               header->code_page == 0 ? "UTF-16 names" : "");
    put_signed(d, at + 48, "PerfTime", header->perf_time, "");
    put_signed(d, at + 56, "PerfFreq", header->perf_freq, "");
}

/* What the type's name does not tell. Of a base or a text the name tells it. */
static void put_note(dump *d, uint32_t type, bool is_known)
{
    char note[200];

    if (is_known && prfdata_counter_formula_of(type).kind != PRFDATA_COUNTER_NUMBER)
        return;
    if (prfdata_counter_formula_note(type, note, sizeof note))
        prfdata_output_format(d->output, "          (%s)\r\n", note);
}

static void put_counter_type(dump *d, uint64_t offset, uint32_t type)
{
    const prfdata_counter_type *known = prfdata_counter_types_find(type);

    put_name(d, offset, "CounterType");
    if (known)
        prfdata_output_format(d->output, "0x%08X PERF_%s\r\n", (unsigned)type, known->name);
    else
        prfdata_output_format(d->output, "0x%08X\r\n", (unsigned)type);
    put_note(d, type, known != NULL);
}

static void put_counter_definition(dump *d, const prfdata_decode_counter *counter)
{
    const prfdata_perf_counter_definition *definition = &counter->definition;
    uint64_t at = counter->offset;

    prfdata_output_put_string(d->output, "\r\nPERF_COUNTER_DEFINITION\r\n");
    put_unsigned(d, at, "ByteLength", definition->byte_length);
    put_title(d, at + 4, "CounterNameTitleIndex", definition->counter_name_title_index);
    put_unsigned(d, at + 8, "CounterNameTitle", definition->counter_name_title);
    put_unsigned(d, at + 12, "CounterHelpTitleIndex", definition->counter_help_title_index);
    put_unsigned(d, at + 16, "CounterHelpTitle", definition->counter_help_title);
    put_signed(d, at + 20, "DefaultScale", definition->default_scale, "");
    put_signed(d, at + 24, "DetailLevel", definition->detail_level,
               detail_meaning(definition->detail_level));
    put_counter_type(d, at + 28, definition->counter_type);
    put_unsigned(d, at + 32, "CounterSize", definition->counter_size);
    put_unsigned(d, at + 36, "CounterOffset", definition->counter_offset);
}

static void put_instance_name(dump *d, const prfdata_decode_object *object,
                              const prfdata_decode_instance *instance)
{
    uint16_t *chars;
    prfdata_text name;

    if (instance->name_bytes == 0)
        return;
    chars = malloc(instance->name_bytes * sizeof *chars);
    if (!chars) {
        d->output->failed = true;
        return;
    }
    name.chars = chars;
    name.count = prfdata_decode_name(object, instance, chars);
    put_name(d, instance->offset + instance->definition.name_offset, "Name");
    prfdata_output_put_string(d->output, "\"");
    prfdata_output_put_text(d->output, name);
    prfdata_output_put_string(d->output, "\"\r\n");
    free(chars);
}

static void put_instance_definition(dump *d, const prfdata_decode_object *object,
                                    const prfdata_decode_instance *instance)
{
    const prfdata_perf_instance_definition *definition = &instance->definition;
    uint64_t at = instance->offset;

    prfdata_output_put_string(d->output, "\r\nPERF_INSTANCE_DEFINITION\r\n");
    put_unsigned(d, at, "ByteLength", definition->byte_length);
    put_title(d, at + 4, "ParentObjectTitleIndex", definition->parent_object_title_index);
    put_unsigned(d, at + 8, "ParentObjectInstance", definition->parent_object_instance);
    put_signed(d, at + 12, "UniqueID", definition->unique_id,
               definition->unique_id == PERF_NO_UNIQUE_ID ? "none" : "");
    put_unsigned(d, at + 16, "NameOffset", definition->name_offset);
    put_unsigned(d, at + 20, "NameLength", definition->name_length);
    put_instance_name(d, object, instance);
}

static void put_counter_name(dump *d, const prfdata_decode_counter *counter)
{
    uint32_t index = counter->definition.counter_name_title_index;
    prfdata_text title = prfdata_name_table_name(d->titles, index);

    prfdata_output_put_string(d->output, "  ");
    if (title.count > 0)
        prfdata_output_put_text(d->output, title);
    else if (index != 0)
        prfdata_output_format(d->output, "%u", (unsigned)index);
    else
        prfdata_output_put_string(d->output, "(base)");
    prfdata_output_put_string(d->output, "\r\n");
}

static void put_text(dump *d, const prfdata_decode_object *object,
                     const prfdata_decode_instance *instance, const prfdata_decode_counter *counter)
{
    uint16_t *chars = malloc(instance->values_bytes * sizeof *chars);
    prfdata_text text = {chars, 0};
    prfdata_decode_error error;

    if (!chars) {
        d->output->failed = true;
        return;
    }
    if (prfdata_decode_text(object, instance, counter, chars, &text.count, &error) ==
        ERROR_SUCCESS) {
        put_name(d, instance->values_offset + counter->definition.counter_offset, "text");
        prfdata_output_put_string(d->output, "\"");
        prfdata_output_put_text(d->output, text);
        prfdata_output_put_string(d->output, "\"");
        put_counter_name(d, counter);
    } else {
        put_damage(d, &error);
    }
    free(chars);
}

/* One value under its counter's name. */
static void put_value(dump *d, const prfdata_decode_object *object,
                      const prfdata_decode_instance *instance,
                      const prfdata_decode_counter *counter)
{
    prfdata_decode_error error;
    uint64_t value = 0;

    if (counter->definition.counter_size == 0)
        return;
    if (prfdata_counter_formula_of(counter->definition.counter_type).kind == PRFDATA_COUNTER_TEXT) {
        put_text(d, object, instance, counter);
        return;
    }
    if (prfdata_decode_value(instance, counter, &value, &error) != ERROR_SUCCESS) {
        put_damage(d, &error);
        return;
    }
    put_name(d, instance->values_offset + counter->definition.counter_offset,
             counter->definition.counter_size == 4 ? "value of 4 bytes" : "value of 8 bytes");
    prfdata_output_format(d->output, "%" PRIu64 " = 0x%0*" PRIX64, value,
                          (int)counter->definition.counter_size * 2, value);
    put_counter_name(d, counter);
}

static void put_counter_block(dump *d, const prfdata_decode_object *object,
                              const prfdata_decode_instance *instance)
{
    prfdata_decode_cursor cursor = {0};
    prfdata_decode_counter counter;

    prfdata_output_put_string(d->output, "\r\nPERF_COUNTER_BLOCK\r\n");
    put_unsigned(d, instance->values_offset, "ByteLength", instance->values_bytes);
    while (prfdata_decode_counter_next(object, &cursor, &counter) == ERROR_SUCCESS)
        put_value(d, object, instance, &counter);
}

static void put_instances(dump *d, const prfdata_decode_object *object)
{
    prfdata_decode_cursor cursor = {0};
    prfdata_decode_instance instance;
    prfdata_decode_error error;
    uint32_t status;
    uint64_t end = object->offset + object->header.definition_length;

    while ((status = prfdata_decode_instance_next(object, &cursor, &instance, &error)) !=
           ERROR_NO_MORE_ITEMS) {
        if (status != ERROR_SUCCESS)
            put_damage(d, &error);
        if (status == ERROR_INVALID_DATA)
            continue;
        if (instance.has_definition)
            put_instance_definition(d, object, &instance);
        put_counter_block(d, object, &instance);
    }
    if (cursor.done > 0)
        end = cursor.offset;
    if (!cursor.ended && end < object->end)
        prfdata_output_format(d->output,
                              "\r\n%8" PRIu64 "  (%" PRIu64 " more bytes in the object)\r\n", end,
                              object->end - end);
}

static void put_object(dump *d, const prfdata_decode_object *object)
{
    prfdata_decode_cursor cursor = {0};
    prfdata_decode_counter counter;

    put_object_type(d, object);
    while (prfdata_decode_counter_next(object, &cursor, &counter) == ERROR_SUCCESS)
        put_counter_definition(d, &counter);
    put_instances(d, object);
}

static void put_objects(dump *d, const prfdata_decode_block *block)
{
    prfdata_decode_cursor cursor = {0};
    prfdata_decode_object object;
    prfdata_decode_error error;
    uint32_t status;
    uint64_t end = block->header.header_length;

    while ((status = prfdata_decode_object_next(block, &cursor, &object, &error)) !=
           ERROR_NO_MORE_ITEMS) {
        if (status != ERROR_SUCCESS)
            put_damage(d, &error);
        if (status != ERROR_INVALID_DATA)
            put_object(d, &object);
    }
    if (cursor.done > 0)
        end = cursor.offset;
    if (!cursor.ended && end < block->size)
        prfdata_output_format(d->output,
                              "\r\n%8" PRIu64 "  (%" PRIu64 " bytes behind the last object)\r\n",
                              end, block->size - end);
}

uint32_t prfdata_dump_put(prfdata_output *output, const void *bytes, size_t size,
                          const prfdata_name_table *titles)
{
    dump d = {output, titles, 0};
    prfdata_decode_block block;
    prfdata_decode_error error;
    uint32_t status = prfdata_decode_open(bytes, size, &block, &error);

    if (status != ERROR_SUCCESS)
        put_damage(&d, &error);
    if (status != ERROR_INVALID_DATA) {
        put_data_block(&d, &block);
        put_objects(&d, &block);
    }
    return d.damages;
}
