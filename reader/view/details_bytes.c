/* SPDX-License-Identifier: MIT */
/* Writes bytes of a block as hexadecimal lines. Whatever the offsets say, only bytes that are there
 * are read. */
#include "view/details_bytes.h"

#include <string.h>

#include "core/bytes.h"

#define LINE_BYTES 16
#define MOST_BYTES 4096 /* of a counter block: more is not read by people */

typedef struct wire_field {
    uint32_t offset;
    uint32_t size;
    const char *name;
} wire_field;

static prfdata_bytes sample_bytes(const prfdata_sample *sample)
{
    return (prfdata_bytes){sample->bytes, sample->size};
}

static void put_field(prfdata_output *output, prfdata_bytes bytes, uint64_t structure,
                      const wire_field *field)
{
    const uint64_t value = prfdata_bytes_get(bytes, structure + field->offset, field->size);
    const unsigned long long offset = structure + field->offset;

    prfdata_output_format(output, "%10llu  ", offset);
    for (uint32_t i = 0; i < field->size; i++)
        prfdata_output_format(output, "%02X ",
                              (unsigned)prfdata_bytes_get(bytes, structure + field->offset + i, 1));
    prfdata_output_format(output, " %-24s %llu", field->name, (unsigned long long)value);
    if (value > 4096)
        prfdata_output_format(output, " (0x%llX)", (unsigned long long)value);
    prfdata_output_put_string(output, "\r\n");
}

void prfdata_details_put_definition(prfdata_output *output, const prfdata_sample *sample,
                                    const prfdata_decode_counter *counter)
{
    static const wire_field fields[] = {
        {0, 4, "ByteLength"},        {4, 4, "CounterNameTitleIndex"},
        {8, 4, "CounterNameTitle"},  {12, 4, "CounterHelpTitleIndex"},
        {16, 4, "CounterHelpTitle"}, {20, 4, "DefaultScale"},
        {24, 4, "DetailLevel"},      {28, 4, "CounterType"},
        {32, 4, "CounterSize"},      {36, 4, "CounterOffset"},
    };

    prfdata_output_put_string(output, "\r\nPERF_COUNTER_DEFINITION\r\n");
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        put_field(output, sample_bytes(sample), counter->offset, &fields[i]);
}

static void put_instance_definition(prfdata_output *output, const prfdata_sample *sample,
                                    const prfdata_sample_instance *instance)
{
    static const wire_field fields[] = {
        {0, 4, "ByteLength"},           {4, 4, "ParentObjectTitleIndex"},
        {8, 4, "ParentObjectInstance"}, {12, 4, "UniqueID"},
        {16, 4, "NameOffset"},          {20, 4, "NameLength"},
    };

    prfdata_output_put_string(output, "\r\nPERF_INSTANCE_DEFINITION\r\n");
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        put_field(output, sample_bytes(sample), instance->wire.offset, &fields[i]);
}

/* A line of the counter block; what is in [mark, mark_end) of it stands in brackets. */
static void put_marked_line(prfdata_output *output, prfdata_bytes values, uint64_t offset,
                            uint64_t at, uint64_t mark, uint64_t mark_end)
{
    const unsigned long long from = offset + at;

    prfdata_output_format(output, "%10llu ", from);
    for (uint64_t i = at; i < at + LINE_BYTES && i < values.size; i++)
        prfdata_output_format(output, "%c%02X%s", i == mark ? '[' : ' ', (unsigned)values.at[i],
                              i + 1 == mark_end ? "]" : "");
    prfdata_output_put_string(output, "\r\n");
}

void prfdata_details_put_values(prfdata_output *output, const char *block_words,
                                const prfdata_sample *sample,
                                const prfdata_sample_instance *instance,
                                const prfdata_decode_counter *counter)
{
    const uint64_t mark = counter->definition.counter_offset;
    const uint64_t mark_end = mark + counter->definition.counter_size;
    prfdata_bytes values = {instance->wire.values, instance->wire.values_bytes};

    if (instance->wire.has_definition)
        put_instance_definition(output, sample, instance);
    if (!values.at)
        return;
    prfdata_output_format(output, "\r\nPERF_COUNTER_BLOCK, %llu %s\r\n",
                          (unsigned long long)values.size, block_words);
    if (values.size > MOST_BYTES)
        values.size = MOST_BYTES;
    for (uint64_t at = 0; at < values.size; at += LINE_BYTES)
        put_marked_line(output, values, instance->wire.values_offset, at, mark, mark_end);
}
