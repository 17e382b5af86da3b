/* SPDX-License-Identifier: MIT */
/*
 * Every field of a PERF_DATA_BLOCK in readable lines: offset in the block, name, value, and what
 * the value means. A line that begins with "!!" reports damage where it was found.
 */
#ifndef PRFDATA_READER_DUMP_H
#define PRFDATA_READER_DUMP_H

#include "text/output.h"
#include "block/name_table.h"

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

#endif
