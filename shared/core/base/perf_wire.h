/* SPDX-License-Identifier: MIT */
/*
 * Declares the structures of version-1 performance data. Their layout is the same in 32-bit and
 * 64-bit programs, and on systems without <winperf.h>. All numbers are little-endian. Code reads
 * and writes the structures with memcpy, because a block may start at any address. The comment of a
 * field begins with the field's offset in bytes. If only a number follows the offset, the field
 * always has this value.
 */
#ifndef PRFDATA_PERF_WIRE_H
#define PRFDATA_PERF_WIRE_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#define PRFDATA_PERF_SIGNATURE_BYTES 8 /* L"PERF" without NUL: 50 00 45 00 52 00 46 00 */
#define PRFDATA_PERF_VERSION         1
#define PRFDATA_PERF_REVISION        1

/* PERF_DATA_BLOCK: one per reply, written by perflib; the computer's name follows it. */
typedef struct prfdata_perf_data_block {
    uint16_t signature[4];       /*  0 */
    uint32_t little_endian;      /*  8  1 */
    uint32_t version;            /* 12 */
    uint32_t revision;           /* 16 */
    uint32_t total_byte_length;  /* 20  size of the whole reply, this header included */
    uint32_t header_length;      /* 24  offset of the first object */
    uint32_t num_object_types;   /* 28 */
    int32_t default_object;      /* 32  title index, -1 none */
    uint16_t system_time[8];     /* 36  SYSTEMTIME, UTC */
    uint32_t padding;            /* 52 */
    int64_t perf_time;           /* 56  QueryPerformanceCounter */
    int64_t perf_freq;           /* 64  QueryPerformanceFrequency */
    int64_t perf_time_100ns;     /* 72  FILETIME */
    uint32_t system_name_length; /* 80  bytes */
    uint32_t system_name_offset; /* 84  from the start of this block; UTF-16 */
} prfdata_perf_data_block;

/* PERF_OBJECT_TYPE: an object. Its counter definitions follow, then its instances or one block. */
typedef struct prfdata_perf_object_type {
    uint32_t total_byte_length;       /*  0  distance from here to the next object */
    uint32_t definition_length;       /*  4  size of header and counter definitions */
    uint32_t header_length;           /*  8  size of this structure */
    uint32_t object_name_title_index; /* 12 */
    uint32_t object_name_title;       /* 16  0 */
    uint32_t object_help_title_index; /* 20 */
    uint32_t object_help_title;       /* 24  0 */
    uint32_t detail_level;            /* 28  the lowest detail level of its counters */
    uint32_t num_counters;            /* 32  number of definitions, bases included */
    int32_t default_counter;          /* 36  position among the definitions, -1 none */
    int32_t num_instances;            /* 40  PERF_NO_INSTANCES: one counter block, no instance */
    uint32_t code_page;               /* 44  code page of instance names; 0: UTF-16 */
    int64_t perf_time;                /* 48  clock of the counter types with PERF_OBJECT_TIMER */
    int64_t perf_freq;                /* 56 */
} prfdata_perf_object_type;

/* PERF_COUNTER_DEFINITION: the place of a value in the counter block, and its meaning. */
typedef struct prfdata_perf_counter_definition {
    uint32_t byte_length;              /*  0  size of this structure */
    uint32_t counter_name_title_index; /*  4  0 for a base */
    uint32_t counter_name_title;       /*  8  0 */
    uint32_t counter_help_title_index; /* 12 */
    uint32_t counter_help_title;       /* 16  0 */
    int32_t default_scale;             /* 20  power of ten */
    uint32_t detail_level;             /* 24 */
    uint32_t counter_type;             /* 28 */
    uint32_t counter_size;             /* 32  bytes of the value */
    uint32_t counter_offset;           /* 36  offset of the value in the counter block */
} prfdata_perf_counter_definition;

/* PERF_INSTANCE_DEFINITION: an instance; its name follows, then its counter block. */
typedef struct prfdata_perf_instance_definition {
    uint32_t byte_length;               /*  0  size, name and padding included; a multiple of 8 */
    uint32_t parent_object_title_index; /*  4  0: no parent */
    uint32_t parent_object_instance;    /*  8  position among the parent object's instances */
    int32_t unique_id;                  /* 12  PERF_NO_UNIQUE_ID if the instance has a name */
    uint32_t name_offset;               /* 16  offset from the start of this structure */
    uint32_t name_length;               /* 20  in bytes, NUL included; 0: no name */
} prfdata_perf_instance_definition;

/* PERF_COUNTER_BLOCK: the values of one instance follow. */
typedef struct prfdata_perf_counter_block {
    uint32_t byte_length; /*  0  size, values and padding included; a multiple of 8 */
} prfdata_perf_counter_block;

static inline size_t prfdata_perf_definitions_bytes(uint32_t counter_count)
{
    return sizeof(prfdata_perf_object_type) +
           counter_count * sizeof(prfdata_perf_counter_definition);
}

static inline size_t prfdata_perf_instance_bytes(uint32_t name_chars)
{
    const size_t name_bytes = 2 * ((size_t)name_chars + 1);

    return (sizeof(prfdata_perf_instance_definition) + name_bytes + 7) / 8 * 8;
}

#define PRFDATA_PERF_WIRE_AT(type, field, offset)                                                  \
    static_assert(offsetof(prfdata_perf_##type, field) == (offset), #type "." #field)

static_assert(sizeof(prfdata_perf_data_block) == 88, "PERF_DATA_BLOCK is 88 bytes");
PRFDATA_PERF_WIRE_AT(data_block, total_byte_length, 20);
PRFDATA_PERF_WIRE_AT(data_block, default_object, 32);
PRFDATA_PERF_WIRE_AT(data_block, system_time, 36);
PRFDATA_PERF_WIRE_AT(data_block, perf_time, 56);
PRFDATA_PERF_WIRE_AT(data_block, perf_time_100ns, 72);
PRFDATA_PERF_WIRE_AT(data_block, system_name_offset, 84);

static_assert(sizeof(prfdata_perf_object_type) == 64, "PERF_OBJECT_TYPE is 64 bytes");
PRFDATA_PERF_WIRE_AT(object_type, object_name_title_index, 12);
PRFDATA_PERF_WIRE_AT(object_type, num_counters, 32);
PRFDATA_PERF_WIRE_AT(object_type, num_instances, 40);
PRFDATA_PERF_WIRE_AT(object_type, perf_time, 48);
PRFDATA_PERF_WIRE_AT(object_type, perf_freq, 56);

static_assert(sizeof(prfdata_perf_counter_definition) == 40, "PERF_COUNTER_DEFINITION, 40 bytes");
PRFDATA_PERF_WIRE_AT(counter_definition, default_scale, 20);
PRFDATA_PERF_WIRE_AT(counter_definition, counter_type, 28);
PRFDATA_PERF_WIRE_AT(counter_definition, counter_offset, 36);

static_assert(sizeof(prfdata_perf_instance_definition) == 24, "PERF_INSTANCE_DEFINITION, 24 bytes");
PRFDATA_PERF_WIRE_AT(instance_definition, unique_id, 12);
PRFDATA_PERF_WIRE_AT(instance_definition, name_length, 20);

static_assert(sizeof(prfdata_perf_counter_block) == 4, "PERF_COUNTER_BLOCK is 4 bytes");

#undef PRFDATA_PERF_WIRE_AT

#endif
