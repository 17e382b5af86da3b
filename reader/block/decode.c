/* SPDX-License-Identifier: MIT */
#include "block/decode.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <prfdata/perf_types.h>

#include "os/ansi.h"
#include "compute/counter_formula.h"

#define CODE_PAGE_UTF_16 1200u

/* Little-endian whatever the machine, and at any address: perflib aligns nothing for us. */
static uint16_t get16(const unsigned char *at)
{
    return (uint16_t)(at[0] | at[1] << 8);
}

static uint32_t get32(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static uint64_t get64(const unsigned char *at)
{
    return (uint64_t)get32(at) | (uint64_t)get32(at + 4) << 32;
}

static uint32_t damage(prfdata_decode_error *error, uint64_t offset, const char *field,
                       int64_t value, int64_t least, int64_t most)
{
    error->offset = offset;
    error->field = field;
    error->value = value;
    error->least = least;
    error->most = most;
    error->either = false;
    return ERROR_INVALID_DATA;
}

/* The same, where nothing behind the damage can be found. */
static uint32_t damage_ends(prfdata_decode_cursor *cursor, prfdata_decode_error *error,
                            uint64_t offset, const char *field, int64_t value, int64_t least,
                            int64_t most)
{
    cursor->ended = true;
    return damage(error, offset, field, value, least, most);
}

static void get_data_block(const unsigned char *at, prfdata_perf_data_block *header)
{
    memset(header, 0, sizeof *header);
    for (size_t i = 0; i < 4; i++)
        header->signature[i] = get16(at + 2 * i);
    header->little_endian = get32(at + 8);
    header->version = get32(at + 12);
    header->revision = get32(at + 16);
    header->total_byte_length = get32(at + 20);
    header->header_length = get32(at + 24);
    header->num_object_types = get32(at + 28);
    header->default_object = (int32_t)get32(at + 32);
    for (size_t i = 0; i < 8; i++)
        header->system_time[i] = get16(at + 36 + 2 * i);
    header->padding = get32(at + 52);
    header->perf_time = (int64_t)get64(at + 56);
    header->perf_freq = (int64_t)get64(at + 64);
    header->perf_time_100ns = (int64_t)get64(at + 72);
    header->system_name_length = get32(at + 80);
    header->system_name_offset = get32(at + 84);
}

static void get_object_type(const unsigned char *at, prfdata_perf_object_type *header)
{
    header->total_byte_length = get32(at);
    header->definition_length = get32(at + 4);
    header->header_length = get32(at + 8);
    header->object_name_title_index = get32(at + 12);
    header->object_name_title = get32(at + 16);
    header->object_help_title_index = get32(at + 20);
    header->object_help_title = get32(at + 24);
    header->detail_level = get32(at + 28);
    header->num_counters = get32(at + 32);
    header->default_counter = (int32_t)get32(at + 36);
    header->num_instances = (int32_t)get32(at + 40);
    header->code_page = get32(at + 44);
    header->perf_time = (int64_t)get64(at + 48);
    header->perf_freq = (int64_t)get64(at + 56);
}

static void get_counter_definition(const unsigned char *at,
                                   prfdata_perf_counter_definition *definition)
{
    definition->byte_length = get32(at);
    definition->counter_name_title_index = get32(at + 4);
    definition->counter_name_title = get32(at + 8);
    definition->counter_help_title_index = get32(at + 12);
    definition->counter_help_title = get32(at + 16);
    definition->default_scale = (int32_t)get32(at + 20);
    definition->detail_level = get32(at + 24);
    definition->counter_type = get32(at + 28);
    definition->counter_size = get32(at + 32);
    definition->counter_offset = get32(at + 36);
}

static void get_instance_definition(const unsigned char *at,
                                    prfdata_perf_instance_definition *definition)
{
    definition->byte_length = get32(at);
    definition->parent_object_title_index = get32(at + 4);
    definition->parent_object_instance = get32(at + 8);
    definition->unique_id = (int32_t)get32(at + 12);
    definition->name_offset = get32(at + 16);
    definition->name_length = get32(at + 20);
}

uint32_t prfdata_decode_open(const void *bytes, size_t size, prfdata_decode_block *block,
                             prfdata_decode_error *error)
{
    static const uint16_t signature[4] = {'P', 'E', 'R', 'F'};
    const int64_t header_bytes = sizeof(prfdata_perf_data_block);
    prfdata_perf_data_block header;
    uint64_t total;

    if (size < sizeof(prfdata_perf_data_block))
        return damage(error, 0, "bytes left for a PERF_DATA_BLOCK", (int64_t)size, header_bytes,
                      INT64_MAX);

    get_data_block(bytes, &header);
    for (size_t i = 0; i < 4; i++) {
        if (header.signature[i] != signature[i])
            return damage(error, 2 * i, "PERF_DATA_BLOCK.Signature", header.signature[i],
                          signature[i], signature[i]);
    }
    if (header.little_endian != 1)
        return damage(error, 8, "PERF_DATA_BLOCK.LittleEndian", header.little_endian, 1, 1);
    if (header.version != PRFDATA_PERF_VERSION)
        return damage(error, 12, "PERF_DATA_BLOCK.Version", header.version, PRFDATA_PERF_VERSION,
                      PRFDATA_PERF_VERSION);

    total = header.total_byte_length < size ? header.total_byte_length : size;
    if (header.total_byte_length < sizeof(prfdata_perf_data_block))
        return damage(error, 20, "PERF_DATA_BLOCK.TotalByteLength", header.total_byte_length,
                      header_bytes, (int64_t)size);
    if (header.header_length < sizeof(prfdata_perf_data_block) || header.header_length > total)
        return damage(error, 24, "PERF_DATA_BLOCK.HeaderLength", header.header_length, header_bytes,
                      (int64_t)total);

    block->bytes = bytes;
    block->size = total;
    block->header = header;
    if (header.total_byte_length > size) {
        (void)damage(error, 20, "PERF_DATA_BLOCK.TotalByteLength", header.total_byte_length,
                     header_bytes, (int64_t)size);
        return ERROR_MORE_DATA;
    }
    return ERROR_SUCCESS;
}

/* The chars up to the first NUL; an odd byte at the end is no unit. */
static size_t get_chars(const unsigned char *bytes, size_t size, uint16_t *chars, size_t capacity)
{
    size_t count = 0;

    while (count < size / 2 && count < capacity) {
        uint16_t unit = get16(bytes + 2 * count);

        if (unit == 0)
            break;
        chars[count++] = unit;
    }
    return count;
}

uint32_t prfdata_decode_computer(const prfdata_decode_block *block, uint16_t *chars,
                                 size_t capacity, size_t *count, prfdata_decode_error *error)
{
    uint32_t offset = block->header.system_name_offset;
    uint32_t length = block->header.system_name_length;

    if (length > block->size)
        return damage(error, 80, "PERF_DATA_BLOCK.SystemNameLength", length, 0,
                      (int64_t)block->size);
    if (offset > block->size - length)
        return damage(error, 84, "PERF_DATA_BLOCK.SystemNameOffset", offset, 0,
                      (int64_t)(block->size - length));
    *count = get_chars(block->bytes + offset, length, chars, capacity);
    return ERROR_SUCCESS;
}

static uint32_t check_definition(const prfdata_decode_object *object, uint64_t offset,
                                 uint64_t left, prfdata_decode_error *error)
{
    const int64_t least = sizeof(prfdata_perf_counter_definition);
    uint32_t bytes;

    if (left < sizeof(prfdata_perf_counter_definition))
        return damage(error, offset, "bytes left for a PERF_COUNTER_DEFINITION", (int64_t)left,
                      least, INT64_MAX);
    bytes = get32(object->block->bytes + offset);
    if (bytes < sizeof(prfdata_perf_counter_definition) || bytes > left)
        return damage(error, offset, "PERF_COUNTER_DEFINITION.ByteLength", bytes, least,
                      (int64_t)left);
    return ERROR_SUCCESS;
}

/* How many definitions fit into what DefinitionLength gives them, and whether all do. */
static uint32_t count_definitions(prfdata_decode_object *object, prfdata_decode_error *error)
{
    const uint64_t least = sizeof(prfdata_perf_counter_definition);
    uint64_t offset = object->offset + object->header.header_length;
    uint64_t left = object->header.definition_length - object->header.header_length;
    const uint64_t most = left / least;
    uint32_t status = ERROR_SUCCESS;

    object->counter_count = 0;
    while (object->counter_count < object->header.num_counters && status == ERROR_SUCCESS) {
        uint32_t bytes;

        status = check_definition(object, offset, left, error);
        if (status != ERROR_SUCCESS)
            break;
        bytes = get32(object->block->bytes + offset);
        offset += bytes;
        left -= bytes;
        object->counter_count++;
    }
    if (object->header.num_counters > most)
        status = damage(error, object->offset + 32, "PERF_OBJECT_TYPE.NumCounters",
                        object->header.num_counters, 0, (int64_t)most);
    return status == ERROR_SUCCESS ? ERROR_SUCCESS : ERROR_MORE_DATA;
}

static uint32_t check_object(prfdata_decode_object *object, prfdata_decode_error *error)
{
    const prfdata_perf_object_type *header = &object->header;

    if (header->header_length < sizeof *header || header->header_length > header->total_byte_length)
        return damage(error, object->offset + 8, "PERF_OBJECT_TYPE.HeaderLength",
                      header->header_length, sizeof *header, header->total_byte_length);
    if (header->definition_length < header->header_length ||
        header->definition_length > header->total_byte_length)
        return damage(error, object->offset + 4, "PERF_OBJECT_TYPE.DefinitionLength",
                      header->definition_length, header->header_length, header->total_byte_length);
    if (header->num_instances < PERF_METADATA_NO_INSTANCES)
        return damage(error, object->offset + 40, "PERF_OBJECT_TYPE.NumInstances",
                      header->num_instances, PERF_METADATA_NO_INSTANCES, INT32_MAX);
    return count_definitions(object, error);
}

uint32_t prfdata_decode_object_next(const prfdata_decode_block *block,
                                    prfdata_decode_cursor *cursor, prfdata_decode_object *object,
                                    prfdata_decode_error *error)
{
    prfdata_decode_object found;
    uint64_t left;
    uint32_t status;

    if (cursor->ended || cursor->done >= block->header.num_object_types)
        return ERROR_NO_MORE_ITEMS;

    found.block = block;
    found.offset = cursor->done == 0 ? block->header.header_length : cursor->offset;
    left = block->size - found.offset;
    cursor->done++;
    if (left < sizeof found.header)
        return damage_ends(cursor, error, found.offset, "bytes left for a PERF_OBJECT_TYPE",
                           (int64_t)left, sizeof found.header, INT64_MAX);
    get_object_type(block->bytes + found.offset, &found.header);
    if (found.header.total_byte_length < sizeof found.header ||
        found.header.total_byte_length > left)
        return damage_ends(cursor, error, found.offset, "PERF_OBJECT_TYPE.TotalByteLength",
                           found.header.total_byte_length, sizeof found.header, (int64_t)left);

    found.end = found.offset + found.header.total_byte_length;
    cursor->offset = found.end;
    status = check_object(&found, error);
    if (status != ERROR_INVALID_DATA)
        *object = found;
    return status;
}

/* The lengths were checked when the object was read. */
uint32_t prfdata_decode_counter_next(const prfdata_decode_object *object,
                                     prfdata_decode_cursor *cursor, prfdata_decode_counter *counter)
{
    if (cursor->done >= object->counter_count)
        return ERROR_NO_MORE_ITEMS;

    counter->offset =
        cursor->done == 0 ? object->offset + object->header.header_length : cursor->offset;
    get_counter_definition(object->block->bytes + counter->offset, &counter->definition);
    cursor->offset = counter->offset + counter->definition.byte_length;
    cursor->done++;
    return ERROR_SUCCESS;
}

/* Find the counter block at `offset`; nothing behind one with a wrong length can be found. */
static uint32_t get_counter_block(const prfdata_decode_object *object, uint64_t offset,
                                  prfdata_decode_cursor *cursor, prfdata_decode_instance *instance,
                                  prfdata_decode_error *error)
{
    const int64_t least = sizeof(prfdata_perf_counter_block);
    uint64_t left = object->end - offset;

    if (left < sizeof(prfdata_perf_counter_block))
        return damage_ends(cursor, error, offset, "bytes left for a PERF_COUNTER_BLOCK",
                           (int64_t)left, least, INT64_MAX);
    instance->values = object->block->bytes + offset;
    instance->values_offset = offset;
    instance->values_bytes = get32(instance->values);
    if (instance->values_bytes < sizeof(prfdata_perf_counter_block) ||
        instance->values_bytes > left)
        return damage_ends(cursor, error, offset, "PERF_COUNTER_BLOCK.ByteLength",
                           instance->values_bytes, least, (int64_t)left);
    cursor->offset = offset + instance->values_bytes;
    return ERROR_SUCCESS;
}

static uint32_t get_name(const prfdata_decode_object *object, prfdata_decode_instance *instance,
                         prfdata_decode_error *error)
{
    const prfdata_perf_instance_definition *definition = &instance->definition;
    const int64_t least = sizeof *definition;

    if (definition->name_length == 0)
        return ERROR_SUCCESS;
    if (definition->name_length > definition->byte_length - sizeof *definition) {
        (void)damage(error, instance->offset + 20, "PERF_INSTANCE_DEFINITION.NameLength",
                     definition->name_length, 0, definition->byte_length - least);
        return ERROR_MORE_DATA;
    }
    if (definition->name_offset < sizeof *definition ||
        definition->name_offset > definition->byte_length - definition->name_length) {
        (void)damage(error, instance->offset + 16, "PERF_INSTANCE_DEFINITION.NameOffset",
                     definition->name_offset, least,
                     (int64_t)definition->byte_length - definition->name_length);
        return ERROR_MORE_DATA;
    }
    instance->name = object->block->bytes + instance->offset + definition->name_offset;
    instance->name_bytes = definition->name_length;
    return ERROR_SUCCESS;
}

uint32_t prfdata_decode_instance_next(const prfdata_decode_object *object,
                                      prfdata_decode_cursor *cursor,
                                      prfdata_decode_instance *instance,
                                      prfdata_decode_error *error)
{
    const bool lone = object->header.num_instances == PERF_NO_INSTANCES;
    prfdata_decode_instance found;
    uint64_t left;
    uint32_t status;

    if (cursor->ended || (int64_t)cursor->done >= (lone ? 1 : object->header.num_instances))
        return ERROR_NO_MORE_ITEMS;

    memset(&found, 0, sizeof found);
    found.offset =
        cursor->done == 0 ? object->offset + object->header.definition_length : cursor->offset;
    cursor->done++;
    if (lone) {
        status = get_counter_block(object, found.offset, cursor, &found, error);
        if (status == ERROR_SUCCESS)
            *instance = found;
        return status;
    }

    left = object->end - found.offset;
    if (left < sizeof found.definition)
        return damage_ends(cursor, error, found.offset, "bytes left for a PERF_INSTANCE_DEFINITION",
                           (int64_t)left, sizeof found.definition, INT64_MAX);
    get_instance_definition(object->block->bytes + found.offset, &found.definition);
    if (found.definition.byte_length < sizeof found.definition ||
        found.definition.byte_length > left)
        return damage_ends(cursor, error, found.offset, "PERF_INSTANCE_DEFINITION.ByteLength",
                           found.definition.byte_length, sizeof found.definition, (int64_t)left);

    status = get_counter_block(object, found.offset + found.definition.byte_length, cursor, &found,
                               error);
    if (status != ERROR_SUCCESS)
        return status;
    found.has_definition = true;
    status = get_name(object, &found, error);
    *instance = found;
    return status;
}

/* The chars up to the first NUL, from a code page; 0 and 1200 are UTF-16. */
static size_t get_text(uint32_t code_page, const unsigned char *bytes, size_t size, uint16_t *chars)
{
    size_t used = 0;

    if (code_page == 0 || code_page == CODE_PAGE_UTF_16)
        return get_chars(bytes, size, chars, size);
    while (used < size && bytes[used] != 0)
        used++;
    return prfdata_ansi_to_utf16(code_page, bytes, used, chars);
}

size_t prfdata_decode_name(const prfdata_decode_object *object,
                           const prfdata_decode_instance *instance, uint16_t *chars)
{
    return get_text(object->header.code_page, instance->name, instance->name_bytes, chars);
}

/* Whether the value lies in its counter block, whatever it is. */
static uint32_t check_place(const prfdata_decode_instance *instance,
                            const prfdata_decode_counter *counter, prfdata_decode_error *error)
{
    const int64_t least = sizeof(prfdata_perf_counter_block);
    uint32_t size = counter->definition.counter_size;
    uint32_t offset = counter->definition.counter_offset;

    if (offset < sizeof(prfdata_perf_counter_block) || instance->values_bytes < size ||
        offset > instance->values_bytes - size)
        return damage(error, counter->offset + 36, "PERF_COUNTER_DEFINITION.CounterOffset", offset,
                      least, (int64_t)instance->values_bytes - size);
    return ERROR_SUCCESS;
}

uint32_t prfdata_decode_value(const prfdata_decode_instance *instance,
                              const prfdata_decode_counter *counter, uint64_t *value,
                              prfdata_decode_error *error)
{
    uint32_t size = counter->definition.counter_size;
    const unsigned char *at;

    if (size != 4 && size != 8) {
        (void)damage(error, counter->offset + 32, "PERF_COUNTER_DEFINITION.CounterSize", size, 4,
                     8);
        error->either = true;
        return ERROR_INVALID_DATA;
    }
    if (check_place(instance, counter, error) != ERROR_SUCCESS)
        return ERROR_INVALID_DATA;
    at = instance->values + counter->definition.counter_offset;
    *value = size == 4 ? get32(at) : get64(at);
    return ERROR_SUCCESS;
}

uint32_t prfdata_decode_text(const prfdata_decode_object *object,
                             const prfdata_decode_instance *instance,
                             const prfdata_decode_counter *counter, uint16_t *chars, size_t *count,
                             prfdata_decode_error *error)
{
    const prfdata_counter_formula formula =
        prfdata_counter_formula_of(counter->definition.counter_type);
    uint32_t code_page = CODE_PAGE_UTF_16;

    if (check_place(instance, counter, error) != ERROR_SUCCESS)
        return ERROR_INVALID_DATA;
    if (formula.is_text_ansi)
        code_page = object->header.code_page != 0 ? object->header.code_page : PRFDATA_ANSI_ASCII;
    *count = get_text(code_page, instance->values + counter->definition.counter_offset,
                      counter->definition.counter_size, chars);
    return ERROR_SUCCESS;
}

void prfdata_decode_error_text(const prfdata_decode_error *error, char *text, size_t capacity)
{
    int used = snprintf(text, capacity, "byte %" PRIu64 ": %s is %" PRId64, error->offset,
                        error->field, error->value);

    if (used < 0 || (size_t)used >= capacity)
        return;
    text += used;
    capacity -= (size_t)used;
    if (error->least > error->most)
        (void)snprintf(text, capacity, ", and nothing would fit");
    else if (error->least == error->most)
        (void)snprintf(text, capacity, ", must be %" PRId64, error->least);
    else if (error->either)
        (void)snprintf(text, capacity, ", must be %" PRId64 " or %" PRId64, error->least,
                       error->most);
    else if (error->most == INT64_MAX)
        (void)snprintf(text, capacity, ", must be at least %" PRId64, error->least);
    else
        (void)snprintf(text, capacity, ", allowed is %" PRId64 " to %" PRId64, error->least,
                       error->most);
}
