/* SPDX-License-Identifier: MIT */
/*
 * Read the bytes of a PERF_DATA_BLOCK of any provider without trusting any of them.
 *
 *     prfdata_decode_open(bytes, size, &block, &error);
 *     prfdata_decode_cursor objects = {0};
 *     while ((status = prfdata_decode_object_next(&block, &objects, &object, &error)) !=
 *            ERROR_NO_MORE_ITEMS) {
 *         if (status != ERROR_SUCCESS)
 *             continue; // `error` says what is wrong; the next call goes on after it
 *         prfdata_decode_cursor instances = {0};
 *         while (... prfdata_decode_instance_next(&object, &instances, &instance, &error) ...)
 *     }
 *
 * The bytes belong to the caller and must not change meanwhile: they are the reply to a query,
 * never shared memory. Nothing is allocated, nothing is kept. Every length, offset and count is
 * compared, in 64 bits, with what is left of the structure around it. Whatever precedes damage is
 * found; what follows it is found if the damaged structure's own length is right.
 *
 * titles.h knows what the title indexes mean, and compute/compute.h what values mean; of counter
 * types only the coding of texts matters here.
 */
#ifndef PRFDATA_READER_DECODE_H
#define PRFDATA_READER_DECODE_H

#include <stdbool.h>

#include <prfdata/error.h>

#include "base/perf_wire.h"

/* What is wrong and where. */
typedef struct prfdata_decode_error {
    uint64_t offset;   /* of the wrong field, in bytes from the start of the block */
    const char *field; /* its name in winperf.h, with the structure's; static storage */
    int64_t value;     /* what it says */
    int64_t least;     /* what it may say */
    int64_t most;
    bool either; /* one of the two, nothing between them */
} prfdata_decode_error;

/* The position of an iteration; {0} is its start. */
typedef struct prfdata_decode_cursor {
    uint64_t offset;
    uint32_t done;
    bool ended; /* the rest is out of reach */
} prfdata_decode_cursor;

typedef struct prfdata_decode_block {
    const unsigned char *bytes; /* borrowed */
    uint64_t size;              /* what there is of TotalByteLength */
    prfdata_perf_data_block header;
} prfdata_decode_block;

typedef struct prfdata_decode_object {
    const prfdata_decode_block *block;
    uint64_t offset;
    uint64_t end;
    uint32_t counter_count; /* definitions that can be read: header.num_counters if all can */
    prfdata_perf_object_type header;
} prfdata_decode_object;

typedef struct prfdata_decode_counter {
    uint64_t offset;
    prfdata_perf_counter_definition definition;
} prfdata_decode_counter;

typedef struct prfdata_decode_instance {
    bool has_definition; /* false: the one counter block of an object without instances */
    uint64_t offset;     /* of the definition */
    prfdata_perf_instance_definition definition; /* zeros without a definition */
    const unsigned char *name;                   /* NULL without one */
    uint32_t name_bytes;                         /* NameLength, or 0 if it lies elsewhere */
    const unsigned char *values;                 /* the PERF_COUNTER_BLOCK; */
    uint64_t values_offset;                      /* where it stands */
    uint32_t values_bytes;                       /* and its ByteLength */
} prfdata_decode_instance;

/*
 * Check the header of a reply.
 *
 * block  Set on ERROR_SUCCESS and ERROR_MORE_DATA; borrows `bytes`.
 * error  Set on every other result than ERROR_SUCCESS.
 *
 * Returns ERROR_SUCCESS, ERROR_MORE_DATA (TotalByteLength exceeds `size`: what is there can be
 *         read) or ERROR_INVALID_DATA (no version-1 little-endian PERF_DATA_BLOCK).
 */
uint32_t prfdata_decode_open(const void *bytes, size_t size, prfdata_decode_block *block,
                             prfdata_decode_error *error);

/*
 * Whether the objects of a block lie sizeof(PERF_DATA_BLOCK) bytes after the place that
 * HeaderLength gives, which is where Wine's HKEY_PERFORMANCE_DATA puts them, and where no reader
 * finds them.
 */
bool prfdata_decode_is_misplaced(const prfdata_decode_block *block);

/*
 * Convert the computer's name to UTF-16.
 *
 * chars  Gets at most `capacity` chars, no NUL.
 * count  On success the number of chars stored.
 *
 * Returns ERROR_SUCCESS or ERROR_INVALID_DATA (the name lies outside of the block).
 */
uint32_t prfdata_decode_computer(const prfdata_decode_block *block, uint16_t *chars,
                                 size_t capacity, size_t *count, prfdata_decode_error *error);

/*
 * Read the next object and check all of its counter definitions.
 *
 * object  Set on ERROR_SUCCESS and ERROR_MORE_DATA.
 *
 * Returns ERROR_SUCCESS, ERROR_NO_MORE_ITEMS, ERROR_MORE_DATA (a definition is damaged: those in
 *         front of it and the instances can be read) or ERROR_INVALID_DATA: this object is
 *         damaged; the next call goes on after it, or ends if its length is wrong too.
 */
uint32_t prfdata_decode_object_next(const prfdata_decode_block *block,
                                    prfdata_decode_cursor *cursor, prfdata_decode_object *object,
                                    prfdata_decode_error *error);

/* Read the object's next counter definition. Returns ERROR_SUCCESS or ERROR_NO_MORE_ITEMS. */
uint32_t prfdata_decode_counter_next(const prfdata_decode_object *object,
                                     prfdata_decode_cursor *cursor,
                                     prfdata_decode_counter *counter);

/*
 * Read the next instance and where its counter block stands. An object without instances has one
 * without definition; an object that has none now and an answer to a metadata query have none.
 *
 * instance  Set on ERROR_SUCCESS and ERROR_MORE_DATA.
 *
 * Returns ERROR_SUCCESS, ERROR_NO_MORE_ITEMS, ERROR_MORE_DATA (the name cannot be read, the values
 *         can) or ERROR_INVALID_DATA: nothing can be read from here on; the next call ends.
 */
uint32_t prfdata_decode_instance_next(const prfdata_decode_object *object,
                                      prfdata_decode_cursor *cursor,
                                      prfdata_decode_instance *instance,
                                      prfdata_decode_error *error);

/*
 * Convert the instance's name to UTF-16, without NUL.
 *
 * chars  Room for instance->name_bytes chars: no name needs more.
 * Returns the number of chars.
 */
size_t prfdata_decode_name(const prfdata_decode_object *object,
                           const prfdata_decode_instance *instance, uint16_t *chars);

/* ERROR_SUCCESS if a value lies in its counter block, whatever it is; else ERROR_INVALID_DATA. */
uint32_t prfdata_decode_place(const prfdata_decode_instance *instance,
                              const prfdata_decode_counter *counter, prfdata_decode_error *error);

/*
 * Read a number of 4 or 8 bytes.
 *
 * Returns ERROR_SUCCESS or ERROR_INVALID_DATA (another size, or the value lies outside of the
 *         counter block).
 */
uint32_t prfdata_decode_value(const prfdata_decode_instance *instance,
                              const prfdata_decode_counter *counter, uint64_t *value,
                              prfdata_decode_error *error);

/*
 * Convert a text, CounterSize bytes, to UTF-16, up to the first NUL and without it: from the
 * object's code page if the counter's type says so, else from UTF-16.
 *
 * chars  Room for instance->values_bytes chars.
 * count  On success the number of chars stored.
 *
 * Returns ERROR_SUCCESS or ERROR_INVALID_DATA (the text does not lie in the counter block).
 */
uint32_t prfdata_decode_text(const prfdata_decode_object *object,
                             const prfdata_decode_instance *instance,
                             const prfdata_decode_counter *counter, uint16_t *chars, size_t *count,
                             prfdata_decode_error *error);

/*
 * Describe an error in one sentence, such as
 * "byte 100: PERF_OBJECT_TYPE.DefinitionLength is 12, allowed is 224 to 376".
 *
 * text  Gets at most `capacity` bytes with the NUL.
 */
void prfdata_decode_error_text(const prfdata_decode_error *error, char *text, size_t capacity);

#endif
