/* SPDX-License-Identifier: MIT */
/*
 * Reads a PERF_DATA_BLOCK of any provider without trusting any of its bytes.
 *
 *     prfdata_decode_open(bytes, size, &block, &error);
 *     prfdata_decode_cursor objects = {0};
 *     while ((status = prfdata_decode_object_next(&block, &objects, &object, &error)) !=
 *            ERROR_NO_MORE_ITEMS) {
 *         if (status != ERROR_SUCCESS)
 *             continue; // `error` describes the damage; the next call continues after it
 *         prfdata_decode_cursor instances = {0};
 *         while (... prfdata_decode_instance_next(&object, &instances, &instance, &error) ...)
 *     }
 *
 * The bytes belong to the caller. Do not pass shared memory, because the bytes must not change
 * during decoding. Nothing is allocated or kept. Every length, offset and count is compared, in 64
 * bits, with the size of the structure around it. Everything before damage is found. What comes
 * after damage is found only if the damaged structure states a valid length.
 *
 * titles.h knows the meaning of title indexes. compute/compute.h knows the meaning of values.
 */
#ifndef PRFDATA_READER_DECODE_H
#define PRFDATA_READER_DECODE_H

#include <stdbool.h>

#include <prfdata/error.h>

#include "base/perf_wire.h"

typedef struct prfdata_decode_error {
    uint64_t offset;   /* offset of the damage, in bytes from the start of the block */
    const char *field; /* a field of winperf.h, or "bytes left for" a structure; static storage */
    int64_t value;     /* the invalid value, or the number of bytes left */
    int64_t least;
    int64_t most;
    bool either; /* only `least` and `most` are valid, nothing between them */
} prfdata_decode_error;

/* The position of an iteration; {0} is the start. */
typedef struct prfdata_decode_cursor {
    uint64_t offset;
    uint32_t done;
    bool ended; /* nothing more can be found, because of damage */
} prfdata_decode_cursor;

typedef struct prfdata_decode_block {
    const unsigned char *bytes; /* borrowed */
    uint64_t size;              /* number of bytes that are there, at most TotalByteLength */
    prfdata_perf_data_block header;
} prfdata_decode_block;

typedef struct prfdata_decode_object {
    const prfdata_decode_block *block;
    uint64_t offset;
    uint64_t end;
    uint32_t counter_count; /* number of readable definitions, at most header.num_counters */
    prfdata_perf_object_type header;
} prfdata_decode_object;

typedef struct prfdata_decode_counter {
    uint64_t offset;
    prfdata_perf_counter_definition definition;
} prfdata_decode_counter;

typedef struct prfdata_decode_instance {
    bool has_definition; /* false: this is the only counter block of an object without instances */
    uint64_t offset;
    prfdata_perf_instance_definition definition; /* zeros if there is no definition */
    const unsigned char *name;                   /* NULL if name_bytes is 0 */
    uint32_t name_bytes;         /* NameLength, or 0 if the name is not inside the definition */
    const unsigned char *values; /* the PERF_COUNTER_BLOCK */
    uint64_t values_offset;
    uint32_t values_bytes;
} prfdata_decode_instance;

/*
 * Check the header of a reply.
 *
 * block  Set on ERROR_SUCCESS and ERROR_MORE_DATA; borrows `bytes`.
 * error  Set on every result except ERROR_SUCCESS.
 *
 * Returns ERROR_SUCCESS, ERROR_MORE_DATA (TotalByteLength exceeds `size`, and the bytes that are
 * there can be read) or ERROR_INVALID_DATA (not a little-endian PERF_DATA_BLOCK of version 1, or a
 * length in its header is invalid).
 */
uint32_t prfdata_decode_open(const void *bytes, size_t size, prfdata_decode_block *block,
                             prfdata_decode_error *error);

/*
 * Returns whether the objects of a block seem to begin sizeof(PERF_DATA_BLOCK) bytes after the
 * offset HeaderLength. Wine's HKEY_PERFORMANCE_DATA makes this mistake.
 */
bool prfdata_decode_is_misplaced(const prfdata_decode_block *block);

/*
 * Convert the computer's name to UTF-16.
 *
 * chars  Gets at most `capacity` chars, no NUL.
 * count  On success the number of chars stored.
 *
 * Returns ERROR_SUCCESS or ERROR_INVALID_DATA (the name lies outside the block).
 */
uint32_t prfdata_decode_computer(const prfdata_decode_block *block, uint16_t *chars,
                                 size_t capacity, size_t *count, prfdata_decode_error *error);

/*
 * Read the next object and check all of its counter definitions.
 *
 * object  Set on ERROR_SUCCESS and ERROR_MORE_DATA.
 *
 * Returns ERROR_SUCCESS, ERROR_NO_MORE_ITEMS, ERROR_MORE_DATA (a definition or NumCounters is
 * damaged; the definitions before the damage and the instances can be read) or ERROR_INVALID_DATA
 * (this object is damaged). After ERROR_INVALID_DATA the next call continues after the object, or
 * returns ERROR_NO_MORE_ITEMS if the object's length is invalid.
 */
uint32_t prfdata_decode_object_next(const prfdata_decode_block *block,
                                    prfdata_decode_cursor *cursor, prfdata_decode_object *object,
                                    prfdata_decode_error *error);

/* Read the object's next counter definition. Returns ERROR_SUCCESS or ERROR_NO_MORE_ITEMS. */
uint32_t prfdata_decode_counter_next(const prfdata_decode_object *object,
                                     prfdata_decode_cursor *cursor,
                                     prfdata_decode_counter *counter);

/*
 * Read the next instance and the place of its counter block. An object whose NumInstances is
 * PERF_NO_INSTANCES counts as one instance, which has a counter block and no definition. There is
 * no instance if NumInstances is 0, or if the block answers a metadata query.
 *
 * instance  Set on ERROR_SUCCESS and ERROR_MORE_DATA.
 *
 * Returns ERROR_SUCCESS, ERROR_NO_MORE_ITEMS, ERROR_MORE_DATA (the name cannot be read, the values
 * can) or ERROR_INVALID_DATA (nothing can be read from here on, so the next call returns
 * ERROR_NO_MORE_ITEMS).
 */
uint32_t prfdata_decode_instance_next(const prfdata_decode_object *object,
                                      prfdata_decode_cursor *cursor,
                                      prfdata_decode_instance *instance,
                                      prfdata_decode_error *error);

/*
 * Convert the instance's name to UTF-16, without NUL.
 *
 * chars  Room for instance->name_bytes chars.
 * Returns the number of chars.
 */
size_t prfdata_decode_name(const prfdata_decode_object *object,
                           const prfdata_decode_instance *instance, uint16_t *chars);

/* Check the place of a value. Returns ERROR_SUCCESS if it lies in its counter block; otherwise
 * ERROR_INVALID_DATA. */
uint32_t prfdata_decode_place(const prfdata_decode_instance *instance,
                              const prfdata_decode_counter *counter, prfdata_decode_error *error);

/*
 * Read a number of 4 or 8 bytes.
 *
 * Returns ERROR_SUCCESS or ERROR_INVALID_DATA (another size, or the value lies outside the counter
 * block).
 */
uint32_t prfdata_decode_value(const prfdata_decode_instance *instance,
                              const prfdata_decode_counter *counter, uint64_t *value,
                              prfdata_decode_error *error);

/*
 * Convert a text of CounterSize bytes to UTF-16, up to its first NUL, which is left out. The
 * counter's type says whether the text is in UTF-16 or in the object's code page. If that code page
 * is 0, the text is in ASCII.
 *
 * chars  Room for instance->values_bytes chars.
 * count  On success the number of chars stored.
 *
 * Returns ERROR_SUCCESS or ERROR_INVALID_DATA (the text lies outside the counter block).
 */
uint32_t prfdata_decode_text(const prfdata_decode_object *object,
                             const prfdata_decode_instance *instance,
                             const prfdata_decode_counter *counter, uint16_t *chars, size_t *count,
                             prfdata_decode_error *error);

/*
 * Describe an error in one message, such as "byte 100: PERF_OBJECT_TYPE.DefinitionLength is 12,
 * allowed is 64 to 376".
 *
 * text  Gets at most `capacity` bytes with the NUL.
 */
void prfdata_decode_error_text(const prfdata_decode_error *error, char *text, size_t capacity);

#endif
