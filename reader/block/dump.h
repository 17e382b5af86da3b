/* SPDX-License-Identifier: MIT */
/*
 * Every field of a PERF_DATA_BLOCK in readable lines: offset in the block, name, value, and what
 * the value means. A line that begins with "!!" reports damage where it was found.
 */
#ifndef PRFDATA_READER_DUMP_H
#define PRFDATA_READER_DUMP_H

#include "block/decode.h"
#include "block/name_table.h"
#include "text/output.h"

/*
 * Put all of a block, however damaged it is.
 *
 * size    Of the bytes that are there; the block may be shorter or longer.
 * titles  Names for title indexes; may be empty.
 *
 * Returns how many damages were found.
 */
uint32_t prfdata_dump_put(prfdata_output *output, const void *bytes, size_t size,
                          const prfdata_name_table *titles);

/*
 * Put one structure in the same lines, with the bytes of each field as well, up to 8 of them: that
 * of the block with the computer's name, an object's, a counter's, and an instance's with its name,
 * its counter block and the values in that. An instance without a definition has the block only.
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
