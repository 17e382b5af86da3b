/* SPDX-License-Identifier: MIT */
/* Writes PERF_DATA_BLOCKs byte by byte, from Microsoft's descriptions of the structures. It shares
 * nothing with the code under test. The functions end the test if the bytes do not fit. */
#ifndef PRFDATA_TESTS_WIRE_H
#define PRFDATA_TESTS_WIRE_H

#include <stddef.h>
#include <stdint.h>

typedef struct wire {
    unsigned char bytes[8192];
    size_t used;
} wire;

/* Append little-endian numbers. Each call returns the offset of its number. */
size_t wire_put16(wire *w, uint16_t value);
size_t wire_put32(wire *w, uint32_t value);
size_t wire_put64(wire *w, uint64_t value);
void wire_patch32(wire *w, size_t offset, uint32_t value);
void wire_patch64(wire *w, size_t at, uint64_t value);

/* Begin a block of the computer "PC" with a header of 96 bytes and fixed times. wire_end() sets its
 * length. */
void wire_begin(wire *w, uint32_t object_count);
void wire_end(wire *w);

/* Write a PERF_OBJECT_TYPE whose clock shows 1000 and has 10 ticks per second. wire_object_end()
 * sets TotalByteLength. */
size_t wire_object(wire *w, uint32_t title, uint32_t counter_count, int32_t instance_count,
                   uint32_t code_page);
void wire_object_end(wire *w, size_t object);

void wire_counter(wire *w, uint32_t title, uint32_t type, uint32_t size, uint32_t offset);

/* Write an instance with a UTF-16 name, or without a name if `name` is NULL. Pads to 8 bytes. */
size_t wire_instance(wire *w, uint32_t parent_title, uint32_t parent_position, int32_t unique_id,
                     const char *name);
/* Write an instance with a number and without a parent. Its name has no bytes, but its NameOffset
 * points to zeros. */
size_t wire_numbered_instance(wire *w, int32_t unique_id);
/* Write an instance whose name has the bytes of an 8-bit code page, including the NUL. */
size_t wire_ansi_instance(wire *w, const char *name);

/* Write a counter block. wire_values_end() sets ByteLength and pads to 8. */
size_t wire_values(wire *w);
void wire_values_end(wire *w, size_t values);
/* Write a counter block with one value: 4 bytes at offset 4, or 8 bytes at offset 8. */
void wire_value32(wire *w, uint32_t value);
void wire_value64(wire *w, uint64_t value);

/* Append zeros up to a multiple of 8. */
void wire_pad(wire *w);

/* Write the worked example, 376 bytes: object 100 with BULK_COUNT 102, RAWCOUNT 104, AVERAGE_TIMER
 * 106 and its AVERAGE_BASE. Instance "ab" has the values `first`, 20, 30, 40; instance "longer" has
 * `first` + 1, 21, 31, 41. */
void wire_worked_example(wire *w, uint64_t first);

#endif
