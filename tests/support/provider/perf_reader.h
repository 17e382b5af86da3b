/* SPDX-License-Identifier: MIT */
/* Reads the reply of a provider's Collect: PERF_OBJECT_TYPEs with their content. The functions were
 * written from Microsoft's descriptions of the structures, by offsets, and share nothing with the
 * code under test. No function asserts, so that threads may call all of them. */
#ifndef PRFDATA_TESTS_PERF_READER_H
#define PRFDATA_TESTS_PERF_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct perf_reply {
    const unsigned char *bytes; /* any alignment */
    size_t size;
    uint32_t object_count;
} perf_reply;

/* Check a reply as Windows does at its strictest level, and check what readers rely on: lengths,
 * alignment, offsets, title indexes, types, sizes and places of values, bases, names (terminated,
 * clean, unique below their parent ignoring ASCII case), and parents.
 *
 * Returns NULL if the reply is valid, otherwise the first mistake. Call the functions below only
 * for a valid reply. */
const char *perf_reader_mistake(const perf_reply *reply);

/* Return the offset of the object with this title index, or SIZE_MAX if there is none. */
size_t perf_reader_object(const perf_reply *reply, uint32_t title);

/* Return the 4 bytes at `offset` of the object's PERF_OBJECT_TYPE, or 0 if there is no such
 * object. */
uint32_t perf_reader_object_field(const perf_reply *reply, uint32_t title, size_t offset);

/* Return a field of the counter definition at `position`, or 0 if there is no such counter. */
uint32_t perf_reader_counter_field(const perf_reply *reply, uint32_t title, uint32_t position,
                                   size_t offset);

/* Get a value. Values of 4 bytes are zero-extended.
 *
 * parent    The name of the parent instance, "" for an instance without one; NULL: any.
 * instance  The name, or "#7" for the number 7; NULL for an object without instances.
 * position  The position of the counter, from 0; bases count.
 *
 * Returns false if there is no such object, instance or counter with data. */
bool perf_reader_value(const perf_reply *reply, uint32_t title, const char *parent,
                       const char *instance, uint32_t position, uint64_t *value);

/* Return the offset of the definition of the instance at `index`; its counter block follows.
 * Returns SIZE_MAX if there is none. */
size_t perf_reader_instance(const perf_reply *reply, uint32_t title, uint32_t index);

/* Get the name of the instance at `index` in UTF-8, "#7" for a number, or "" if there is none. */
void perf_reader_instance_name(const perf_reply *reply, uint32_t title, uint32_t index, char *name,
                               size_t name_bytes);

#endif
