/* SPDX-License-Identifier: MIT */
/*
 * Reads the PERF structures from the bytes of a block or a reply, with one function for each
 * structure of base/perf_wire.h. The bytes are little-endian on every machine, and need not be
 * aligned. This file knows the positions of fields, but neither their meaning nor whether they are
 * valid.
 *
 * Each function takes the bytes and the offset of the structure in them, and returns the structure;
 * fields outside the bytes are 0. Threads: any.
 */
#ifndef PRFDATA_READER_WIRE_FIELDS_H
#define PRFDATA_READER_WIRE_FIELDS_H

#include "base/bytes.h"
#include "base/perf_wire.h"

/* The offset of a field in its structure, such as PRFDATA_WIRE_OFFSET(object_type, code_page). */
#define PRFDATA_WIRE_OFFSET(structure, field) offsetof(prfdata_perf_##structure, field)

prfdata_perf_data_block prfdata_wire_fields_data_block(prfdata_bytes bytes, uint64_t offset);

prfdata_perf_object_type prfdata_wire_fields_object_type(prfdata_bytes bytes, uint64_t offset);

prfdata_perf_counter_definition prfdata_wire_fields_counter_definition(prfdata_bytes bytes,
                                                                       uint64_t offset);

prfdata_perf_instance_definition prfdata_wire_fields_instance_definition(prfdata_bytes bytes,
                                                                         uint64_t offset);

prfdata_perf_counter_block prfdata_wire_fields_counter_block(prfdata_bytes bytes, uint64_t offset);

/*
 * Copy a UTF-16 text that ends at its first NUL or at the last of its bytes; an odd byte at the end
 * is ignored.
 *
 * size   The bytes of the text, at `offset`.
 * chars  Gets at most `capacity` chars, no NUL.
 *
 * Returns the number of chars stored.
 */
size_t prfdata_wire_fields_chars(prfdata_bytes bytes, uint64_t offset, uint64_t size,
                                 uint16_t *chars, size_t capacity);

#endif
