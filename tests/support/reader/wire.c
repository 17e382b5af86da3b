/* SPDX-License-Identifier: MIT */
#include "support/reader/wire.h"

#include <string.h>

#include "support/must.h"

static size_t put(wire *w, uint64_t value, size_t size)
{
    size_t offset = w->used;

    MUST(offset + size <= sizeof w->bytes);
    for (size_t i = 0; i < size; i++)
        w->bytes[w->used++] = (unsigned char)(value >> 8 * i);
    return offset;
}

size_t wire_put16(wire *w, uint16_t value)
{
    return put(w, value, 2);
}

size_t wire_put32(wire *w, uint32_t value)
{
    return put(w, value, 4);
}

size_t wire_put64(wire *w, uint64_t value)
{
    return put(w, value, 8);
}

void wire_patch32(wire *w, size_t offset, uint32_t value)
{
    MUST(offset + 4 <= sizeof w->bytes);
    for (size_t i = 0; i < 4; i++)
        w->bytes[offset + i] = (unsigned char)(value >> 8 * i);
}

void wire_patch64(wire *w, size_t at, uint64_t value)
{
    wire_patch32(w, at, (uint32_t)value);
    wire_patch32(w, at + 4, (uint32_t)(value >> 32));
}

void wire_pad(wire *w)
{
    while (w->used % 8 != 0)
        (void)put(w, 0, 1);
}

void wire_begin(wire *w, uint32_t object_count)
{
    static const uint16_t system_time[8] = {2026, 9, 2, 22, 19, 42, 32, 824};

    memset(w, 0, sizeof *w);
    wire_put16(w, 'P');
    wire_put16(w, 'E');
    wire_put16(w, 'R');
    wire_put16(w, 'F');
    wire_put32(w, 1);            /* LittleEndian */
    wire_put32(w, 1);            /* Version */
    wire_put32(w, 1);            /* Revision */
    wire_put32(w, 0);            /* TotalByteLength, which wire_end() sets */
    wire_put32(w, 96);           /* HeaderLength */
    wire_put32(w, object_count); /* NumObjectTypes */
    wire_put32(w, 0xFFFFFFFF);   /* DefaultObject */
    for (size_t i = 0; i < 8; i++)
        wire_put16(w, system_time[i]);
    wire_put32(w, 0);        /* padding */
    wire_put64(w, 50000000); /* PerfTime */
    wire_put64(w, 10000000); /* PerfFreq */
    wire_put64(w, 134300000000000000u);
    wire_put32(w, 6);  /* SystemNameLength */
    wire_put32(w, 88); /* SystemNameOffset */
    wire_put16(w, 'P');
    wire_put16(w, 'C');
    wire_put16(w, 0);
    wire_pad(w);
}

void wire_end(wire *w)
{
    wire_patch32(w, 20, (uint32_t)w->used);
}

size_t wire_object(wire *w, uint32_t title, uint32_t counter_count, int32_t instance_count,
                   uint32_t code_page)
{
    size_t object = wire_put32(w, 0); /* TotalByteLength, which wire_object_end() sets */

    wire_put32(w, 64 + 40 * counter_count);
    wire_put32(w, 64);
    wire_put32(w, title);
    wire_put32(w, 0);
    wire_put32(w, title + 1);
    wire_put32(w, 0);
    wire_put32(w, 100);
    wire_put32(w, counter_count);
    wire_put32(w, 0);
    wire_put32(w, (uint32_t)instance_count);
    wire_put32(w, code_page);
    wire_put64(w, 1000);
    wire_put64(w, 10);
    return object;
}

void wire_object_end(wire *w, size_t object)
{
    wire_patch32(w, object, (uint32_t)(w->used - object));
}

void wire_counter(wire *w, uint32_t title, uint32_t type, uint32_t size, uint32_t offset)
{
    wire_put32(w, 40);
    wire_put32(w, title);
    wire_put32(w, 0);
    wire_put32(w, title == 0 ? 0 : title + 1);
    wire_put32(w, 0);
    wire_put32(w, 0);
    wire_put32(w, 100);
    wire_put32(w, type);
    wire_put32(w, size);
    wire_put32(w, offset);
}

static size_t instance(wire *w, uint32_t parent_title, uint32_t parent_position, int32_t unique_id,
                       const char *name, size_t unit_bytes)
{
    size_t length = name ? (strlen(name) + 1) * unit_bytes : 0;
    size_t offset = wire_put32(w, 0);

    wire_put32(w, parent_title);
    wire_put32(w, parent_position);
    wire_put32(w, (uint32_t)unique_id);
    wire_put32(w, name ? 24 : 0);
    wire_put32(w, (uint32_t)length);
    for (size_t i = 0; i * unit_bytes < length; i++)
        (void)put(w, (unsigned char)name[i], unit_bytes);
    wire_pad(w);
    wire_patch32(w, offset, (uint32_t)(w->used - offset));
    return offset;
}

size_t wire_instance(wire *w, uint32_t parent_title, uint32_t parent_position, int32_t unique_id,
                     const char *name)
{
    return instance(w, parent_title, parent_position, unique_id, name, 2);
}

size_t wire_numbered_instance(wire *w, int32_t unique_id)
{
    const size_t start = wire_instance(w, 0, UINT32_MAX, unique_id, NULL);

    wire_put64(w, 0);
    wire_patch32(w, start, 32);
    wire_patch32(w, start + 16, 24);
    return start;
}

size_t wire_ansi_instance(wire *w, const char *name)
{
    return instance(w, 0, 0, -1, name, 1);
}

size_t wire_values(wire *w)
{
    return wire_put32(w, 0);
}

void wire_values_end(wire *w, size_t values)
{
    wire_pad(w);
    wire_patch32(w, values, (uint32_t)(w->used - values));
}

void wire_value32(wire *w, uint32_t value)
{
    size_t values = wire_values(w);

    wire_put32(w, value);
    wire_values_end(w, values);
}

void wire_value64(wire *w, uint64_t value)
{
    size_t values = wire_values(w);

    wire_put32(w, 0);
    wire_put64(w, value);
    wire_values_end(w, values);
}

void wire_worked_example(wire *w, uint64_t first)
{
    static const char *const names[] = {"ab", "longer"};
    size_t object = wire_object(w, 100, 4, 2, 0);

    wire_counter(w, 102, 0x10410500, 8, 8);  /* PERF_COUNTER_BULK_COUNT */
    wire_counter(w, 104, 0x00010000, 4, 16); /* PERF_COUNTER_RAWCOUNT */
    wire_counter(w, 106, 0x30020400, 8, 24); /* PERF_AVERAGE_TIMER */
    wire_counter(w, 0, 0x40030402, 4, 32);   /* PERF_AVERAGE_BASE */
    for (uint32_t i = 0; i < 2; i++) {
        size_t values;

        wire_instance(w, 0, 0, -1, names[i]);
        values = wire_values(w);
        wire_put32(w, 0);
        wire_put64(w, first + i);
        wire_put32(w, 20 + i);
        wire_put32(w, 0);
        wire_put64(w, 30 + i);
        wire_put32(w, 40 + i);
        wire_values_end(w, values);
    }
    wire_object_end(w, object);
}
