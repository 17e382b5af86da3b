/* SPDX-License-Identifier: MIT */
/*
 * Reads the fields of the PERF structures at the offsets that base/perf_wire.h gives. Each field is
 * read on its own, because perflib does not align structures for readers, and because a copied
 * structure would be read in the machine's byte order. This file does not check values.
 */
#include "block/wire_fields.h"

#define GET16(structure, field)                                                                    \
    prfdata_bytes_get16(bytes, offset + PRFDATA_WIRE_OFFSET(structure, field))
#define GET32(structure, field)                                                                    \
    prfdata_bytes_get32(bytes, offset + PRFDATA_WIRE_OFFSET(structure, field))
#define GET64(structure, field)                                                                    \
    prfdata_bytes_get64(bytes, offset + PRFDATA_WIRE_OFFSET(structure, field))

static void get_word_array(prfdata_bytes bytes, uint64_t offset, uint16_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        words[i] = prfdata_bytes_get16(bytes, offset + i * sizeof *words);
}

prfdata_perf_data_block prfdata_wire_fields_data_block(prfdata_bytes bytes, uint64_t offset)
{
    prfdata_perf_data_block header = {
        .little_endian = GET32(data_block, little_endian),
        .version = GET32(data_block, version),
        .revision = GET32(data_block, revision),
        .total_byte_length = GET32(data_block, total_byte_length),
        .header_length = GET32(data_block, header_length),
        .num_object_types = GET32(data_block, num_object_types),
        .default_object = (int32_t)GET32(data_block, default_object),
        .padding = GET32(data_block, padding),
        .perf_time = (int64_t)GET64(data_block, perf_time),
        .perf_freq = (int64_t)GET64(data_block, perf_freq),
        .perf_time_100ns = (int64_t)GET64(data_block, perf_time_100ns),
        .system_name_length = GET32(data_block, system_name_length),
        .system_name_offset = GET32(data_block, system_name_offset),
    };

    get_word_array(bytes, offset + PRFDATA_WIRE_OFFSET(data_block, signature), header.signature,
                   sizeof header.signature / sizeof header.signature[0]);
    get_word_array(bytes, offset + PRFDATA_WIRE_OFFSET(data_block, system_time), header.system_time,
                   sizeof header.system_time / sizeof header.system_time[0]);
    return header;
}

prfdata_perf_object_type prfdata_wire_fields_object_type(prfdata_bytes bytes, uint64_t offset)
{
    return (prfdata_perf_object_type){
        .total_byte_length = GET32(object_type, total_byte_length),
        .definition_length = GET32(object_type, definition_length),
        .header_length = GET32(object_type, header_length),
        .object_name_title_index = GET32(object_type, object_name_title_index),
        .object_name_title = GET32(object_type, object_name_title),
        .object_help_title_index = GET32(object_type, object_help_title_index),
        .object_help_title = GET32(object_type, object_help_title),
        .detail_level = GET32(object_type, detail_level),
        .num_counters = GET32(object_type, num_counters),
        .default_counter = (int32_t)GET32(object_type, default_counter),
        .num_instances = (int32_t)GET32(object_type, num_instances),
        .code_page = GET32(object_type, code_page),
        .perf_time = (int64_t)GET64(object_type, perf_time),
        .perf_freq = (int64_t)GET64(object_type, perf_freq),
    };
}

prfdata_perf_counter_definition prfdata_wire_fields_counter_definition(prfdata_bytes bytes,
                                                                       uint64_t offset)
{
    return (prfdata_perf_counter_definition){
        .byte_length = GET32(counter_definition, byte_length),
        .counter_name_title_index = GET32(counter_definition, counter_name_title_index),
        .counter_name_title = GET32(counter_definition, counter_name_title),
        .counter_help_title_index = GET32(counter_definition, counter_help_title_index),
        .counter_help_title = GET32(counter_definition, counter_help_title),
        .default_scale = (int32_t)GET32(counter_definition, default_scale),
        .detail_level = GET32(counter_definition, detail_level),
        .counter_type = GET32(counter_definition, counter_type),
        .counter_size = GET32(counter_definition, counter_size),
        .counter_offset = GET32(counter_definition, counter_offset),
    };
}

prfdata_perf_instance_definition prfdata_wire_fields_instance_definition(prfdata_bytes bytes,
                                                                         uint64_t offset)
{
    return (prfdata_perf_instance_definition){
        .byte_length = GET32(instance_definition, byte_length),
        .parent_object_title_index = GET32(instance_definition, parent_object_title_index),
        .parent_object_instance = GET32(instance_definition, parent_object_instance),
        .unique_id = (int32_t)GET32(instance_definition, unique_id),
        .name_offset = GET32(instance_definition, name_offset),
        .name_length = GET32(instance_definition, name_length),
    };
}

prfdata_perf_counter_block prfdata_wire_fields_counter_block(prfdata_bytes bytes, uint64_t offset)
{
    return (prfdata_perf_counter_block){.byte_length = GET32(counter_block, byte_length)};
}

size_t prfdata_wire_fields_chars(prfdata_bytes bytes, uint64_t offset, uint64_t size,
                                 uint16_t *chars, size_t capacity)
{
    size_t count = 0;

    while (count < size / sizeof *chars && count < capacity) {
        const uint16_t value = prfdata_bytes_get16(bytes, offset + count * sizeof *chars);

        if (value == 0)
            break;
        chars[count++] = value;
    }
    return count;
}
