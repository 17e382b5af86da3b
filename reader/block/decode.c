/* SPDX-License-Identifier: MIT */
/*
 * Walks through a PERF_DATA_BLOCK. Checks every length, offset and count against the bytes that are
 * there before it uses them.
 */
#include "block/decode.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <prfdata/perf_types.h>

#include "block/wire_fields.h"
#include "compute/counter_formula.h"
#include "os/ansi.h"
#include "text/words.h"

#define CODE_PAGE_UTF_16 1200u

static uint32_t set_damage(prfdata_decode_error *error, uint64_t offset, const char *field,
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

/*
 * Does what set_damage() does, and ends the iteration, because nothing after the damage can be
 * found.
 */
static uint32_t set_final_damage(prfdata_decode_cursor *cursor, prfdata_decode_error *error,
                                 uint64_t offset, const char *field, int64_t value, int64_t least,
                                 int64_t most)
{
    cursor->ended = true;
    return set_damage(error, offset, field, value, least, most);
}

static prfdata_bytes block_bytes(const prfdata_decode_block *block)
{
    return (prfdata_bytes){block->bytes, (size_t)block->size};
}

uint32_t prfdata_decode_open(const void *bytes, size_t size, prfdata_decode_block *block,
                             prfdata_decode_error *error)
{
    static const uint16_t signature[4] = {'P', 'E', 'R', 'F'};
    const int64_t header_bytes = sizeof(prfdata_perf_data_block);
    prfdata_perf_data_block header;
    uint64_t total;

    if (size < sizeof(prfdata_perf_data_block))
        return set_damage(error, 0, "bytes left for a PERF_DATA_BLOCK", (int64_t)size, header_bytes,
                          INT64_MAX);

    header = prfdata_wire_fields_data_block((prfdata_bytes){bytes, size}, 0);
    for (size_t i = 0; i < 4; i++) {
        if (header.signature[i] != signature[i])
            return set_damage(
                error, PRFDATA_WIRE_OFFSET(data_block, signature) + i * sizeof signature[i],
                "PERF_DATA_BLOCK.Signature", header.signature[i], signature[i], signature[i]);
    }
    if (header.little_endian != 1)
        return set_damage(error, PRFDATA_WIRE_OFFSET(data_block, little_endian),
                          "PERF_DATA_BLOCK.LittleEndian", header.little_endian, 1, 1);
    if (header.version != PRFDATA_PERF_VERSION)
        return set_damage(error, PRFDATA_WIRE_OFFSET(data_block, version),
                          "PERF_DATA_BLOCK.Version", header.version, PRFDATA_PERF_VERSION,
                          PRFDATA_PERF_VERSION);

    total = header.total_byte_length < size ? header.total_byte_length : size;
    if (header.total_byte_length < sizeof(prfdata_perf_data_block))
        return set_damage(error, PRFDATA_WIRE_OFFSET(data_block, total_byte_length),
                          "PERF_DATA_BLOCK.TotalByteLength", header.total_byte_length, header_bytes,
                          (int64_t)size);
    if (header.header_length < sizeof(prfdata_perf_data_block) || header.header_length > total)
        return set_damage(error, PRFDATA_WIRE_OFFSET(data_block, header_length),
                          "PERF_DATA_BLOCK.HeaderLength", header.header_length, header_bytes,
                          (int64_t)total);

    block->bytes = bytes;
    block->size = total;
    block->header = header;
    if (header.total_byte_length > size) {
        (void)set_damage(error, PRFDATA_WIRE_OFFSET(data_block, total_byte_length),
                         "PERF_DATA_BLOCK.TotalByteLength", header.total_byte_length, header_bytes,
                         (int64_t)size);
        return ERROR_MORE_DATA;
    }
    return ERROR_SUCCESS;
}

/* Returns whether the bytes at `offset` look like an object that ends at `end` or before. */
static bool looks_like_object(const prfdata_decode_block *block, uint64_t offset, uint64_t end)
{
    prfdata_perf_object_type header;

    if (offset > block->size || block->size - offset < sizeof header)
        return false;
    header = prfdata_wire_fields_object_type(block_bytes(block), offset);
    return header.total_byte_length <= end - offset &&
           header.definition_length <= header.total_byte_length &&
           header.header_length >= sizeof header &&
           header.header_length <= header.definition_length && header.num_counters > 0 &&
           header.num_counters <= (header.definition_length - header.header_length) /
                                      sizeof(prfdata_perf_counter_definition) &&
           header.object_name_title_index != 0;
}

bool prfdata_decode_is_misplaced(const prfdata_decode_block *block)
{
    const uint64_t late = sizeof(prfdata_perf_data_block);

    return block->header.num_object_types > 0 &&
           !looks_like_object(block, block->header.header_length, block->size) &&
           looks_like_object(block, block->header.header_length + late, block->size + late);
}

uint32_t prfdata_decode_computer(const prfdata_decode_block *block, uint16_t *chars,
                                 size_t capacity, size_t *count, prfdata_decode_error *error)
{
    uint32_t offset = block->header.system_name_offset;
    uint32_t length = block->header.system_name_length;

    if (length > block->size)
        return set_damage(error, PRFDATA_WIRE_OFFSET(data_block, system_name_length),
                          "PERF_DATA_BLOCK.SystemNameLength", length, 0, (int64_t)block->size);
    if (offset > block->size - length)
        return set_damage(error, PRFDATA_WIRE_OFFSET(data_block, system_name_offset),
                          "PERF_DATA_BLOCK.SystemNameOffset", offset, 0,
                          (int64_t)(block->size - length));
    *count = prfdata_wire_fields_chars(block_bytes(block), offset, length, chars, capacity);
    return ERROR_SUCCESS;
}

static uint32_t counter_definition_bytes(const prfdata_decode_object *object, uint64_t offset)
{
    return prfdata_bytes_get32(block_bytes(object->block),
                               offset + PRFDATA_WIRE_OFFSET(counter_definition, byte_length));
}

static uint32_t check_counter_definition(const prfdata_decode_object *object, uint64_t offset,
                                         uint64_t left, prfdata_decode_error *error)
{
    const int64_t least = sizeof(prfdata_perf_counter_definition);
    uint32_t bytes;

    if (left < sizeof(prfdata_perf_counter_definition))
        return set_damage(error, offset, "bytes left for a PERF_COUNTER_DEFINITION", (int64_t)left,
                          least, INT64_MAX);
    bytes = counter_definition_bytes(object, offset);
    if (bytes < sizeof(prfdata_perf_counter_definition) || bytes > left)
        return set_damage(error, offset, "PERF_COUNTER_DEFINITION.ByteLength", bytes, least,
                          (int64_t)left);
    return ERROR_SUCCESS;
}

/* Count the definitions that fit into DefinitionLength. A definition that does not fit is
 * damage. */
static uint32_t count_counter_definitions(prfdata_decode_object *object,
                                          prfdata_decode_error *error)
{
    const uint64_t least = sizeof(prfdata_perf_counter_definition);
    uint64_t offset = object->offset + object->header.header_length;
    uint64_t left = object->header.definition_length - object->header.header_length;
    const uint64_t most = left / least;
    uint32_t status = ERROR_SUCCESS;

    object->counter_count = 0;
    while (object->counter_count < object->header.num_counters && status == ERROR_SUCCESS) {
        uint32_t bytes;

        status = check_counter_definition(object, offset, left, error);
        if (status != ERROR_SUCCESS)
            break;
        bytes = counter_definition_bytes(object, offset);
        offset += bytes;
        left -= bytes;
        object->counter_count++;
    }
    if (object->header.num_counters > most)
        status = set_damage(error, object->offset + PRFDATA_WIRE_OFFSET(object_type, num_counters),
                            "PERF_OBJECT_TYPE.NumCounters", object->header.num_counters, 0,
                            (int64_t)most);
    return status == ERROR_SUCCESS ? ERROR_SUCCESS : ERROR_MORE_DATA;
}

static uint32_t check_object_lengths(prfdata_decode_object *object, prfdata_decode_error *error)
{
    const prfdata_perf_object_type *header = &object->header;

    if (header->header_length < sizeof *header || header->header_length > header->total_byte_length)
        return set_damage(error, object->offset + PRFDATA_WIRE_OFFSET(object_type, header_length),
                          "PERF_OBJECT_TYPE.HeaderLength", header->header_length, sizeof *header,
                          header->total_byte_length);
    if (header->definition_length < header->header_length ||
        header->definition_length > header->total_byte_length)
        return set_damage(error,
                          object->offset + PRFDATA_WIRE_OFFSET(object_type, definition_length),
                          "PERF_OBJECT_TYPE.DefinitionLength", header->definition_length,
                          header->header_length, header->total_byte_length);
    if (header->num_instances < PERF_METADATA_NO_INSTANCES)
        return set_damage(error, object->offset + PRFDATA_WIRE_OFFSET(object_type, num_instances),
                          "PERF_OBJECT_TYPE.NumInstances", header->num_instances,
                          PERF_METADATA_NO_INSTANCES, INT32_MAX);
    return count_counter_definitions(object, error);
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
        return set_final_damage(cursor, error, found.offset, "bytes left for a PERF_OBJECT_TYPE",
                                (int64_t)left, sizeof found.header, INT64_MAX);
    found.header = prfdata_wire_fields_object_type(block_bytes(block), found.offset);
    if (found.header.total_byte_length < sizeof found.header ||
        found.header.total_byte_length > left)
        return set_final_damage(cursor, error, found.offset, "PERF_OBJECT_TYPE.TotalByteLength",
                                found.header.total_byte_length, sizeof found.header, (int64_t)left);

    found.end = found.offset + found.header.total_byte_length;
    cursor->offset = found.end;
    status = check_object_lengths(&found, error);
    if (status != ERROR_INVALID_DATA)
        *object = found;
    return status;
}

/* Checks no lengths, because they were checked when the object was read. */
uint32_t prfdata_decode_counter_next(const prfdata_decode_object *object,
                                     prfdata_decode_cursor *cursor, prfdata_decode_counter *counter)
{
    if (cursor->done >= object->counter_count)
        return ERROR_NO_MORE_ITEMS;

    counter->offset =
        cursor->done == 0 ? object->offset + object->header.header_length : cursor->offset;
    counter->definition =
        prfdata_wire_fields_counter_definition(block_bytes(object->block), counter->offset);
    cursor->offset = counter->offset + counter->definition.byte_length;
    cursor->done++;
    return ERROR_SUCCESS;
}

/* If the length of the counter block is invalid, nothing after it can be found. */
static uint32_t find_counter_block(const prfdata_decode_object *object, uint64_t offset,
                                   prfdata_decode_cursor *cursor, prfdata_decode_instance *instance,
                                   prfdata_decode_error *error)
{
    const int64_t least = sizeof(prfdata_perf_counter_block);
    uint64_t left = object->end - offset;

    if (left < sizeof(prfdata_perf_counter_block))
        return set_final_damage(cursor, error, offset, "bytes left for a PERF_COUNTER_BLOCK",
                                (int64_t)left, least, INT64_MAX);
    instance->values = object->block->bytes + offset;
    instance->values_offset = offset;
    instance->values_bytes =
        prfdata_wire_fields_counter_block(block_bytes(object->block), offset).byte_length;
    if (instance->values_bytes < sizeof(prfdata_perf_counter_block) ||
        instance->values_bytes > left)
        return set_final_damage(cursor, error, offset, "PERF_COUNTER_BLOCK.ByteLength",
                                instance->values_bytes, least, (int64_t)left);
    cursor->offset = offset + instance->values_bytes;
    return ERROR_SUCCESS;
}

static uint32_t find_instance_name(const prfdata_decode_object *object,
                                   prfdata_decode_instance *instance, prfdata_decode_error *error)
{
    const prfdata_perf_instance_definition *definition = &instance->definition;
    const int64_t least = sizeof *definition;

    if (definition->name_length == 0)
        return ERROR_SUCCESS;
    if (definition->name_length > definition->byte_length - sizeof *definition) {
        (void)set_damage(error,
                         instance->offset + PRFDATA_WIRE_OFFSET(instance_definition, name_length),
                         "PERF_INSTANCE_DEFINITION.NameLength", definition->name_length, 0,
                         definition->byte_length - least);
        return ERROR_MORE_DATA;
    }
    if (definition->name_offset < sizeof *definition ||
        definition->name_offset > definition->byte_length - definition->name_length) {
        (void)set_damage(error,
                         instance->offset + PRFDATA_WIRE_OFFSET(instance_definition, name_offset),
                         "PERF_INSTANCE_DEFINITION.NameOffset", definition->name_offset, least,
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
        status = find_counter_block(object, found.offset, cursor, &found, error);
        if (status == ERROR_SUCCESS)
            *instance = found;
        return status;
    }

    left = object->end - found.offset;
    if (left < sizeof found.definition)
        return set_final_damage(cursor, error, found.offset,
                                "bytes left for a PERF_INSTANCE_DEFINITION", (int64_t)left,
                                sizeof found.definition, INT64_MAX);
    found.definition =
        prfdata_wire_fields_instance_definition(block_bytes(object->block), found.offset);
    if (found.definition.byte_length < sizeof found.definition ||
        found.definition.byte_length > left)
        return set_final_damage(cursor, error, found.offset, "PERF_INSTANCE_DEFINITION.ByteLength",
                                found.definition.byte_length, sizeof found.definition,
                                (int64_t)left);

    status = find_counter_block(object, found.offset + found.definition.byte_length, cursor, &found,
                                error);
    if (status != ERROR_SUCCESS)
        return status;
    found.has_definition = true;
    status = find_instance_name(object, &found, error);
    *instance = found;
    return status;
}

/* Convert a text to UTF-16, up to its first NUL. The code pages 0 and 1200 mean UTF-16. */
static size_t decode_chars(uint32_t code_page, const unsigned char *bytes, size_t size,
                           uint16_t *chars)
{
    size_t used = 0;

    if (code_page == 0 || code_page == CODE_PAGE_UTF_16)
        return prfdata_wire_fields_chars((prfdata_bytes){bytes, size}, 0, size, chars, size);
    while (used < size && bytes[used] != 0)
        used++;
    return prfdata_ansi_to_utf16(code_page, bytes, used, chars);
}

size_t prfdata_decode_name(const prfdata_decode_object *object,
                           const prfdata_decode_instance *instance, uint16_t *chars)
{
    return decode_chars(object->header.code_page, instance->name, instance->name_bytes, chars);
}

/* Returns whether `size` bytes at an offset lie in the counter block, after its length field. */
static inline bool is_in_block(const prfdata_decode_instance *instance, uint32_t offset,
                               uint32_t size)
{
    return offset >= sizeof(prfdata_perf_counter_block) && instance->values_bytes >= size &&
           offset <= instance->values_bytes - size;
}

uint32_t prfdata_decode_place(const prfdata_decode_instance *instance,
                              const prfdata_decode_counter *counter, prfdata_decode_error *error)
{
    const int64_t least = sizeof(prfdata_perf_counter_block);
    uint32_t size = counter->definition.counter_size;
    uint32_t offset = counter->definition.counter_offset;

    if (!is_in_block(instance, offset, size))
        return set_damage(error,
                          counter->offset + PRFDATA_WIRE_OFFSET(counter_definition, counter_offset),
                          "PERF_COUNTER_DEFINITION.CounterOffset", offset, least,
                          (int64_t)instance->values_bytes - size);
    return ERROR_SUCCESS;
}

uint32_t prfdata_decode_value(const prfdata_decode_instance *instance,
                              const prfdata_decode_counter *counter, uint64_t *value,
                              prfdata_decode_error *error)
{
    const prfdata_bytes values = {instance->values, instance->values_bytes};
    const uint32_t size = counter->definition.counter_size;
    const uint32_t offset = counter->definition.counter_offset;

    if (size == 8 && is_in_block(instance, offset, size)) {
        *value = prfdata_bytes_get64(values, offset);
        return ERROR_SUCCESS;
    }
    if (size == 4 && is_in_block(instance, offset, size)) {
        *value = prfdata_bytes_get32(values, offset);
        return ERROR_SUCCESS;
    }
    if (size == 4 || size == 8)
        return prfdata_decode_place(instance, counter, error);
    (void)set_damage(error, counter->offset + PRFDATA_WIRE_OFFSET(counter_definition, counter_size),
                     "PERF_COUNTER_DEFINITION.CounterSize", size, 4, 8);
    error->either = true;
    return ERROR_INVALID_DATA;
}

uint32_t prfdata_decode_text(const prfdata_decode_object *object,
                             const prfdata_decode_instance *instance,
                             const prfdata_decode_counter *counter, uint16_t *chars, size_t *count,
                             prfdata_decode_error *error)
{
    const prfdata_counter_formula formula =
        prfdata_counter_formula_of(counter->definition.counter_type);
    uint32_t code_page = CODE_PAGE_UTF_16;

    if (prfdata_decode_place(instance, counter, error) != ERROR_SUCCESS)
        return ERROR_INVALID_DATA;
    if (formula.is_text_ansi)
        code_page = object->header.code_page != 0 ? object->header.code_page : PRFDATA_ANSI_ASCII;
    *count = decode_chars(code_page, instance->values + counter->definition.counter_offset,
                          counter->definition.counter_size, chars);
    return ERROR_SUCCESS;
}

/* Put the values that are allowed, such as ", must be 4 or 8". If no value is allowed, put ", and
 * nothing would fit". */
static void put_allowed(const prfdata_decode_error *error, char *text, size_t capacity)
{
    prfdata_word first = PRFDATA_WORD_DAMAGE_ALLOWED;
    prfdata_word second = PRFDATA_WORD_DAMAGE_TO;

    if (error->least > error->most) {
        (void)snprintf(text, capacity, "%s", prfdata_words_get(PRFDATA_WORD_DAMAGE_NOTHING_FITS));
        return;
    }
    if (error->least == error->most || error->either)
        first = PRFDATA_WORD_DAMAGE_MUST_BE;
    else if (error->most == INT64_MAX)
        first = PRFDATA_WORD_DAMAGE_AT_LEAST;
    if (error->either)
        second = PRFDATA_WORD_DAMAGE_OR;
    if (error->least == error->most || (error->most == INT64_MAX && !error->either))
        (void)snprintf(text, capacity, "%s%" PRId64, prfdata_words_get(first), error->least);
    else
        (void)snprintf(text, capacity, "%s%" PRId64 "%s%" PRId64, prfdata_words_get(first),
                       error->least, prfdata_words_get(second), error->most);
}

void prfdata_decode_error_text(const prfdata_decode_error *error, char *text, size_t capacity)
{
    const int used = snprintf(
        text, capacity, "%s%" PRIu64 ": %s%s%" PRId64, prfdata_words_get(PRFDATA_WORD_DAMAGE_BYTE),
        error->offset, error->field, prfdata_words_get(PRFDATA_WORD_DAMAGE_IS), error->value);

    if (used >= 0 && (size_t)used < capacity)
        put_allowed(error, text + used, capacity - (size_t)used);
}
