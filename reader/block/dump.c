/* SPDX-License-Identifier: MIT */
/*
 * Writes a block field by field. The tables below list the fields of each structure in order, and
 * decode.h finds the structures. Title indexes of objects and counters are shown with their names.
 * Values are not converted.
 */
#include "block/dump.h"

#include <inttypes.h>
#include <stdlib.h>

#include <prfdata/perf_types.h>

#include "block/decode.h"
#include "block/wire_fields.h"
#include "compute/counter_formula.h"
#include "map/counter_types.h"
#include "text/messages.h"
#include "text/words.h"

typedef struct dump {
    prfdata_output *output;
    const prfdata_name_table *titles;
    prfdata_bytes bytes; /* the bytes of the block that are there */
    bool shows_bytes;
    uint32_t damages;
} dump;

static void put_damage_line(dump *d, const prfdata_decode_error *error)
{
    char text[200];

    d->damages++;
    prfdata_decode_error_text(error, text, sizeof text);
    prfdata_output_format(d->output, "!! %s\r\n", text);
}

static void put_field_bytes(dump *d, uint64_t offset, size_t bytes)
{
    for (size_t i = 0; i < 8; i++) {
        if (i < bytes)
            prfdata_output_format(d->output, "%02X ",
                                  (unsigned)prfdata_bytes_get(d->bytes, offset + i, 1));
        else
            prfdata_output_put_string(d->output, "   ");
    }
    prfdata_output_put_string(d->output, bytes > 8 ? ".. " : "   ");
}

/* Put the beginning of a line. The caller puts the value. */
static void put_field_name(dump *d, uint64_t offset, size_t bytes, const char *name)
{
    prfdata_output_format(d->output, "%8" PRIu64 "  ", offset);
    if (d->shows_bytes)
        put_field_bytes(d, offset, bytes);
    prfdata_output_format(d->output, "%-24s ", name);
}

static void put_title_index(dump *d, uint32_t index)
{
    prfdata_text title = prfdata_name_table_name(d->titles, index);

    prfdata_output_format(d->output, "%u", (unsigned)index);
    if (title.count > 0) {
        prfdata_output_put_string(d->output, " \"");
        prfdata_messages_put_shown(d->output, title);
        prfdata_output_put_string(d->output, "\"");
    }
    prfdata_output_put_string(d->output, "\r\n");
}

/* Put a number and its meaning, such as "none" for -1. An empty `meaning` is left out. */
static void put_number_meaning(dump *d, int64_t value, const char *meaning)
{
    prfdata_output_format(d->output, meaning[0] ? "%" PRId64 " (%s)\r\n" : "%" PRId64 "%s\r\n",
                          value, meaning);
}

static const char *detail_meaning(uint32_t level)
{
    switch (level) {
    case PERF_DETAIL_NOVICE:
        return prfdata_words_get(PRFDATA_WORD_DUMP_NOVICE);
    case PERF_DETAIL_ADVANCED:
        return prfdata_words_get(PRFDATA_WORD_DUMP_ADVANCED);
    case PERF_DETAIL_EXPERT:
        return prfdata_words_get(PRFDATA_WORD_DUMP_EXPERT);
    case PERF_DETAIL_WIZARD:
        return prfdata_words_get(PRFDATA_WORD_DUMP_WIZARD);
    default:
        return "";
    }
}

static const char *instances_meaning(int32_t count)
{
    switch (count) {
    case PERF_NO_INSTANCES:
        return prfdata_words_get(PRFDATA_WORD_DUMP_NO_INSTANCES);
    case PERF_METADATA_MULTIPLE_INSTANCES:
        return prfdata_words_get(PRFDATA_WORD_DUMP_METADATA_INSTANCES);
    case PERF_METADATA_NO_INSTANCES:
        return prfdata_words_get(PRFDATA_WORD_DUMP_METADATA_NO_INSTANCES);
    case 0:
        return prfdata_words_get(PRFDATA_WORD_DUMP_NO_INSTANCE_NOW);
    default:
        return "";
    }
}

static void put_system_time(dump *d, uint64_t offset)
{
    const prfdata_perf_data_block header = prfdata_wire_fields_data_block(
        d->bytes, offset - PRFDATA_WIRE_OFFSET(data_block, system_time));
    const uint16_t *time = header.system_time;

    prfdata_output_format(d->output, "%04u-%02u-%02u %02u:%02u:%02u.%03u UTC\r\n",
                          (unsigned)time[0], (unsigned)time[1], (unsigned)time[3],
                          (unsigned)time[4], (unsigned)time[5], (unsigned)time[6],
                          (unsigned)time[7]);
}

/* Put a note about a type. A predefined type without a formula, such as that of a base or a text,
 * needs no note, because its name says everything. */
static void put_type_note(dump *d, uint32_t type, bool is_known)
{
    char note[256];

    if (is_known && prfdata_counter_formula_of(type).kind != PRFDATA_COUNTER_NUMBER)
        return;
    if (prfdata_counter_formula_note(type, note, sizeof note))
        prfdata_output_format(d->output, "          (%s)\r\n", note);
}

static void put_counter_type(dump *d, uint32_t type)
{
    const prfdata_counter_type *known = prfdata_counter_types_find(type);

    if (known)
        prfdata_output_format(d->output, "0x%08X PERF_%s\r\n", (unsigned)type, known->name);
    else
        prfdata_output_format(d->output, "0x%08X\r\n", (unsigned)type);
    put_type_note(d, type, known != NULL);
}

/* ---- Fields ---- */

typedef enum field_kind {
    FIELD_UNSIGNED,
    FIELD_SIGNED,
    FIELD_OR_NONE, /* signed; -1 means "none" */
    FIELD_TITLE,
    FIELD_DETAIL_LEVEL,
    FIELD_INSTANCE_COUNT,
    FIELD_CODE_PAGE,
    FIELD_COUNTER_TYPE,
    FIELD_SIGNATURE, /* "PERF", which prfdata_decode_open() has checked */
    FIELD_SYSTEM_TIME
} field_kind;

typedef struct dump_field {
    const char *name;
    size_t offset;
    size_t bytes;
    field_kind kind;
} dump_field;

#define FIELD(structure, field, name, kind)                                                        \
    {                                                                                              \
        name, PRFDATA_WIRE_OFFSET(structure, field),                                               \
            sizeof(((prfdata_perf_##structure *)NULL)->field), FIELD_##kind                        \
    }

static const dump_field data_block_fields[] = {
    FIELD(data_block, signature, "Signature", SIGNATURE),
    FIELD(data_block, little_endian, "LittleEndian", UNSIGNED),
    FIELD(data_block, version, "Version", UNSIGNED),
    FIELD(data_block, revision, "Revision", UNSIGNED),
    FIELD(data_block, total_byte_length, "TotalByteLength", UNSIGNED),
    FIELD(data_block, header_length, "HeaderLength", UNSIGNED),
    FIELD(data_block, num_object_types, "NumObjectTypes", UNSIGNED),
    FIELD(data_block, default_object, "DefaultObject", OR_NONE),
    FIELD(data_block, system_time, "SystemTime", SYSTEM_TIME),
    FIELD(data_block, perf_time, "PerfTime", SIGNED),
    FIELD(data_block, perf_freq, "PerfFreq", SIGNED),
    FIELD(data_block, perf_time_100ns, "PerfTime100nSec", SIGNED),
    FIELD(data_block, system_name_length, "SystemNameLength", UNSIGNED),
    FIELD(data_block, system_name_offset, "SystemNameOffset", UNSIGNED),
};

static const dump_field object_fields[] = {
    FIELD(object_type, total_byte_length, "TotalByteLength", UNSIGNED),
    FIELD(object_type, definition_length, "DefinitionLength", UNSIGNED),
    FIELD(object_type, header_length, "HeaderLength", UNSIGNED),
    FIELD(object_type, object_name_title_index, "ObjectNameTitleIndex", TITLE),
    FIELD(object_type, object_name_title, "ObjectNameTitle", UNSIGNED),
    FIELD(object_type, object_help_title_index, "ObjectHelpTitleIndex", UNSIGNED),
    FIELD(object_type, object_help_title, "ObjectHelpTitle", UNSIGNED),
    FIELD(object_type, detail_level, "DetailLevel", DETAIL_LEVEL),
    FIELD(object_type, num_counters, "NumCounters", UNSIGNED),
    FIELD(object_type, default_counter, "DefaultCounter", OR_NONE),
    FIELD(object_type, num_instances, "NumInstances", INSTANCE_COUNT),
    FIELD(object_type, code_page, "CodePage", CODE_PAGE),
    FIELD(object_type, perf_time, "PerfTime", SIGNED),
    FIELD(object_type, perf_freq, "PerfFreq", SIGNED),
};

static const dump_field counter_fields[] = {
    FIELD(counter_definition, byte_length, "ByteLength", UNSIGNED),
    FIELD(counter_definition, counter_name_title_index, "CounterNameTitleIndex", TITLE),
    FIELD(counter_definition, counter_name_title, "CounterNameTitle", UNSIGNED),
    FIELD(counter_definition, counter_help_title_index, "CounterHelpTitleIndex", UNSIGNED),
    FIELD(counter_definition, counter_help_title, "CounterHelpTitle", UNSIGNED),
    FIELD(counter_definition, default_scale, "DefaultScale", SIGNED),
    FIELD(counter_definition, detail_level, "DetailLevel", DETAIL_LEVEL),
    FIELD(counter_definition, counter_type, "CounterType", COUNTER_TYPE),
    FIELD(counter_definition, counter_size, "CounterSize", UNSIGNED),
    FIELD(counter_definition, counter_offset, "CounterOffset", UNSIGNED),
};

static const dump_field instance_fields[] = {
    FIELD(instance_definition, byte_length, "ByteLength", UNSIGNED),
    FIELD(instance_definition, parent_object_title_index, "ParentObjectTitleIndex", TITLE),
    FIELD(instance_definition, parent_object_instance, "ParentObjectInstance", UNSIGNED),
    FIELD(instance_definition, unique_id, "UniqueID", OR_NONE),
    FIELD(instance_definition, name_offset, "NameOffset", UNSIGNED),
    FIELD(instance_definition, name_length, "NameLength", UNSIGNED),
};

static const dump_field counter_block_fields[] = {
    FIELD(counter_block, byte_length, "ByteLength", UNSIGNED),
};

static void put_field_number(dump *d, field_kind kind, uint64_t value, size_t bytes)
{
    const int64_t number = bytes == 4 ? (int32_t)value : (int64_t)value;

    switch (kind) {
    case FIELD_TITLE:
        put_title_index(d, (uint32_t)value);
        break;
    case FIELD_COUNTER_TYPE:
        put_counter_type(d, (uint32_t)value);
        break;
    case FIELD_SIGNED:
        put_number_meaning(d, number, "");
        break;
    case FIELD_OR_NONE:
        put_number_meaning(d, number,
                           number == -1 ? prfdata_words_get(PRFDATA_WORD_DUMP_NONE) : "");
        break;
    case FIELD_INSTANCE_COUNT:
        put_number_meaning(d, number, instances_meaning((int32_t)number));
        break;
    case FIELD_DETAIL_LEVEL:
        put_number_meaning(d, (int64_t)value, detail_meaning((uint32_t)value));
        break;
    case FIELD_CODE_PAGE:
        put_number_meaning(d, (int64_t)value,
                           value == 0 ? prfdata_words_get(PRFDATA_WORD_DUMP_UTF_16) : "");
        break;
    default:
        prfdata_output_format(d->output, "%" PRIu64 "\r\n", value);
        break;
    }
}

static void put_field(dump *d, uint64_t offset, const dump_field *field)
{
    put_field_name(d, offset, field->bytes, field->name);
    if (field->kind == FIELD_SIGNATURE)
        prfdata_output_put_string(d->output, "\"PERF\"\r\n");
    else if (field->kind == FIELD_SYSTEM_TIME)
        put_system_time(d, offset);
    else
        put_field_number(d, field->kind,
                         prfdata_bytes_get(d->bytes, offset, (unsigned)field->bytes), field->bytes);
}

static void put_structure(dump *d, const char *name, uint64_t offset, const dump_field *fields,
                          size_t count)
{
    prfdata_output_format(d->output, "%s\r\n", name);
    for (size_t i = 0; i < count; i++)
        put_field(d, offset + fields[i].offset, &fields[i]);
}

#define PUT_STRUCTURE(d, name, offset, fields)                                                     \
    put_structure(d, name, offset, fields, sizeof(fields) / sizeof(fields)[0])

/* ---- Structures ---- */

static void put_computer_line(dump *d, const prfdata_decode_block *block)
{
    uint16_t chars[256];
    prfdata_text name = {chars, 0};
    prfdata_decode_error error;

    if (prfdata_decode_computer(block, chars, 256, &name.count, &error) != ERROR_SUCCESS) {
        put_damage_line(d, &error);
        return;
    }
    put_field_name(d, block->header.system_name_offset, block->header.system_name_length,
                   "SystemName");
    prfdata_output_put_string(d->output, "\"");
    prfdata_messages_put_shown(d->output, name);
    prfdata_output_put_string(d->output, "\"\r\n");
}

static void put_instance_name_line(dump *d, const prfdata_decode_object *object,
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
    put_field_name(d, instance->offset + instance->definition.name_offset, instance->name_bytes,
                   "Name");
    prfdata_output_put_string(d->output, "\"");
    prfdata_messages_put_shown(d->output, name);
    prfdata_output_put_string(d->output, "\"\r\n");
    free(chars);
}

static void put_counter_title(dump *d, const prfdata_decode_counter *counter)
{
    uint32_t index = counter->definition.counter_name_title_index;
    prfdata_text title = prfdata_name_table_name(d->titles, index);

    prfdata_output_put_string(d->output, "  ");
    if (title.count > 0)
        prfdata_messages_put_shown(d->output, title);
    else if (index != 0)
        prfdata_output_format(d->output, "%u", (unsigned)index);
    else
        prfdata_output_put_string(d->output, prfdata_words_get(PRFDATA_WORD_DUMP_BASE));
    prfdata_output_put_string(d->output, "\r\n");
}

static void put_counter_text(dump *d, const prfdata_decode_object *object,
                             const prfdata_decode_instance *instance,
                             const prfdata_decode_counter *counter)
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
        put_field_name(d, instance->values_offset + counter->definition.counter_offset,
                       counter->definition.counter_size, prfdata_words_get(PRFDATA_WORD_DUMP_TEXT));
        prfdata_output_put_string(d->output, "\"");
        prfdata_messages_put_shown(d->output, text);
        prfdata_output_put_string(d->output, "\"");
        put_counter_title(d, counter);
    } else {
        put_damage_line(d, &error);
    }
    free(chars);
}

static void put_counter_value(dump *d, const prfdata_decode_object *object,
                              const prfdata_decode_instance *instance,
                              const prfdata_decode_counter *counter)
{
    prfdata_decode_error error;
    uint64_t value = 0;

    if (counter->definition.counter_size == 0)
        return;
    if (prfdata_counter_formula_of(counter->definition.counter_type).kind == PRFDATA_COUNTER_TEXT) {
        put_counter_text(d, object, instance, counter);
        return;
    }
    if (prfdata_decode_value(instance, counter, &value, &error) != ERROR_SUCCESS) {
        put_damage_line(d, &error);
        return;
    }
    put_field_name(d, instance->values_offset + counter->definition.counter_offset,
                   counter->definition.counter_size,
                   prfdata_words_get(counter->definition.counter_size == 4
                                         ? PRFDATA_WORD_DUMP_VALUE_4
                                         : PRFDATA_WORD_DUMP_VALUE_8));
    prfdata_output_format(d->output, "%" PRIu64 " = 0x%0*" PRIX64, value,
                          (int)counter->definition.counter_size * 2, value);
    put_counter_title(d, counter);
}

static void put_block_values(dump *d, const prfdata_decode_object *object,
                             const prfdata_decode_instance *instance)
{
    prfdata_decode_cursor cursor = {0};
    prfdata_decode_counter counter;

    PUT_STRUCTURE(d, "\r\nPERF_COUNTER_BLOCK", instance->values_offset, counter_block_fields);
    while (prfdata_decode_counter_next(object, &cursor, &counter) == ERROR_SUCCESS)
        put_counter_value(d, object, instance, &counter);
}

static void put_instance(dump *d, const prfdata_decode_object *object,
                         const prfdata_decode_instance *instance)
{
    if (instance->has_definition) {
        PUT_STRUCTURE(d, "\r\nPERF_INSTANCE_DEFINITION", instance->offset, instance_fields);
        put_instance_name_line(d, object, instance);
    }
    put_block_values(d, object, instance);
}

static void put_all_instances(dump *d, const prfdata_decode_object *object)
{
    prfdata_decode_cursor cursor = {0};
    prfdata_decode_instance instance;
    prfdata_decode_error error;
    uint32_t status;
    uint64_t end = object->offset + object->header.definition_length;

    while ((status = prfdata_decode_instance_next(object, &cursor, &instance, &error)) !=
           ERROR_NO_MORE_ITEMS) {
        if (status != ERROR_SUCCESS)
            put_damage_line(d, &error);
        if (status != ERROR_INVALID_DATA)
            put_instance(d, object, &instance);
    }
    if (cursor.done > 0)
        end = cursor.offset;
    if (!cursor.ended && end < object->end)
        prfdata_output_format(d->output,
                              "\r\n%8" PRIu64 "  (%" PRIu64 " more bytes in the object)\r\n", end,
                              object->end - end);
}

static void put_object_dump(dump *d, const prfdata_decode_object *object)
{
    prfdata_decode_cursor cursor = {0};
    prfdata_decode_counter counter;

    PUT_STRUCTURE(d, "\r\nPERF_OBJECT_TYPE", object->offset, object_fields);
    while (prfdata_decode_counter_next(object, &cursor, &counter) == ERROR_SUCCESS)
        PUT_STRUCTURE(d, "\r\nPERF_COUNTER_DEFINITION", counter.offset, counter_fields);
    put_all_instances(d, object);
}

static void put_all_objects(dump *d, const prfdata_decode_block *block)
{
    prfdata_decode_cursor cursor = {0};
    prfdata_decode_object object;
    prfdata_decode_error error;
    uint32_t status;
    uint64_t end = block->header.header_length;

    while ((status = prfdata_decode_object_next(block, &cursor, &object, &error)) !=
           ERROR_NO_MORE_ITEMS) {
        if (status != ERROR_SUCCESS)
            put_damage_line(d, &error);
        if (status != ERROR_INVALID_DATA)
            put_object_dump(d, &object);
    }
    if (cursor.done > 0)
        end = cursor.offset;
    if (!cursor.ended && end < block->size)
        prfdata_output_format(d->output,
                              "\r\n%8" PRIu64 "  (%" PRIu64 " bytes after the last object)\r\n",
                              end, block->size - end);
}

uint32_t prfdata_dump_put(prfdata_output *output, const void *bytes, size_t size,
                          const prfdata_name_table *titles)
{
    dump d = {.output = output, .titles = titles};
    prfdata_decode_block block;
    prfdata_decode_error error;
    uint32_t status = prfdata_decode_open(bytes, size, &block, &error);

    if (status != ERROR_SUCCESS)
        put_damage_line(&d, &error);
    if (status != ERROR_INVALID_DATA) {
        d.bytes = (prfdata_bytes){block.bytes, (size_t)block.size};
        PUT_STRUCTURE(&d, "PERF_DATA_BLOCK", 0, data_block_fields);
        put_computer_line(&d, &block);
        put_all_objects(&d, &block);
    }
    return d.damages;
}

/* ---- Single structures ---- */

static dump begin_structure(prfdata_output *output, const prfdata_decode_block *block,
                            const prfdata_name_table *titles)
{
    return (dump){.output = output,
                  .titles = titles,
                  .bytes = {block->bytes, (size_t)block->size},
                  .shows_bytes = true};
}

void prfdata_dump_put_block(prfdata_output *output, const prfdata_decode_block *block,
                            const prfdata_name_table *titles)
{
    dump d = begin_structure(output, block, titles);

    PUT_STRUCTURE(&d, "PERF_DATA_BLOCK", 0, data_block_fields);
    put_computer_line(&d, block);
}

void prfdata_dump_put_object(prfdata_output *output, const prfdata_decode_object *object,
                             const prfdata_name_table *titles)
{
    dump d = begin_structure(output, object->block, titles);

    PUT_STRUCTURE(&d, "PERF_OBJECT_TYPE", object->offset, object_fields);
}

void prfdata_dump_put_counter(prfdata_output *output, const prfdata_decode_object *object,
                              const prfdata_decode_counter *counter,
                              const prfdata_name_table *titles)
{
    dump d = begin_structure(output, object->block, titles);

    PUT_STRUCTURE(&d, "PERF_COUNTER_DEFINITION", counter->offset, counter_fields);
}

void prfdata_dump_put_instance(prfdata_output *output, const prfdata_decode_object *object,
                               const prfdata_decode_instance *instance,
                               const prfdata_name_table *titles)
{
    dump d = begin_structure(output, object->block, titles);

    put_instance(&d, object, instance);
}
