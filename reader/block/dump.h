/* SPDX-License-Identifier: MIT */
/*
 * Writes every field of a PERF_DATA_BLOCK as a readable line: offset in the block, name, value, and
 * the value's meaning. A line that begins with "!!" reports damage at the place where it was found.
 */
#ifndef PRFDATA_READER_DUMP_H
#define PRFDATA_READER_DUMP_H

#include "block/decode.h"
#include "block/name_table.h"
#include "text/output.h"

/*
 * Put a whole block, however damaged it is.
 *
 * size    Number of bytes that are there; the length that the block states may differ.
 * titles  Names for title indexes; may be empty.
 *
 * Returns how many damaged places were found.
 */
uint32_t prfdata_dump_put(prfdata_output *output, const void *bytes, size_t size,
                          const prfdata_name_table *titles);

/*
 * Put one structure as prfdata_dump_put() does, and also the first 8 bytes of each field. For an
 * instance, also put its name, counter block and values.
 */
void prfdata_dump_put_block(prfdata_output *output, const prfdata_decode_block *block,
                            const prfdata_name_table *titles);
void prfdata_dump_put_object(prfdata_output *output, const prfdata_decode_object *object,
                             const prfdata_name_table *titles);
void prfdata_dump_put_counter(prfdata_output *output, const prfdata_decode_object *object,
                              const prfdata_decode_counter *counter,
                              const prfdata_name_table *titles);
void prfdata_dump_put_instance(prfdata_output *output, const prfdata_decode_object *object,
                               const prfdata_decode_instance *instance,
                               const prfdata_name_table *titles);

#endif
