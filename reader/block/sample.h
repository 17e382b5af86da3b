/* SPDX-License-Identifier: MIT */
/*
 * Decodes one reply and indexes it: its objects, counters and instances, with the labels by which
 * instances are shown and found again in the next reply. Damaged parts are left out and counted. A
 * sample has title indexes, not titles.
 */
#ifndef PRFDATA_READER_SAMPLE_H
#define PRFDATA_READER_SAMPLE_H

#include "base/bytes.h"
#include "block/decode.h"
#include "block/title_index.h"
#include "compute/compute.h"
#include "text/text.h"

#define PRFDATA_SAMPLE_OWNERS 3

typedef struct prfdata_sample_instance {
    bool damaged;      /* the instance is damaged, and only its position is known */
    bool lacks_parent; /* the parent that the instance names is not in this reply */
    prfdata_text name; /* the UniqueID in decimal if there is no name */
    /* Parent/Name#Index, as PDH shows it; empty if the object has no instances. A label * is
     * replaced by *#0, because * alone means all instances. */
    prfdata_text label;
    prfdata_decode_instance wire;
} prfdata_sample_instance;

typedef struct prfdata_sample_object {
    prfdata_decode_object wire;
    bool has_instances; /* false: `instances` has one entry with an empty label, or none */
    uint32_t counter_count;
    uint32_t owner_count;
    uint32_t owners[PRFDATA_SAMPLE_OWNERS]; /* positions of the counters that identify an instance's
                                               owner */
    prfdata_decode_counter *counters;
    prfdata_title_index by_title; /* index of the counters */
    uint32_t instance_count;      /* number of instances in the reply, damaged ones included */
    prfdata_sample_instance *instances;
    uint32_t found_count;
    uint32_t *found; /* positions of the undamaged instances in `instances`, sorted by label */
    uint16_t *name_chars;
    uint16_t *label_chars;
} prfdata_sample_object;

typedef struct prfdata_sample {
    uint64_t number; /* from 1; unique among all samples of this process, past ones included */
    void *bytes;
    size_t size;
    prfdata_decode_block block; /* zeros if the header is damaged */
    uint32_t object_count;
    prfdata_sample_object *objects;
    prfdata_title_index by_title; /* index of the objects */
    uint32_t damage_count;
    prfdata_decode_error damage;   /* the first damage */
    prfdata_title_index elsewhere; /* titles of objects that are in other samples, because they
                                      were asked for separately (block/recording.h) */
    bool is_after_gap;             /* the recording says that just before this sample no object
                                      answered, or nobody asked */
} prfdata_sample;

/*
 * Decode a reply.
 *
 * bytes   From malloc; on success the sample owns them.
 * sample  On success the new sample, however damaged the reply is; untouched on failure.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_sample_make(void *bytes, size_t size, prfdata_sample **sample);

/* Release a sample; NULL is allowed. */
void prfdata_sample_free(prfdata_sample *sample);

/* Return the first object with this title index; NULL: none. */
const prfdata_sample_object *prfdata_sample_find_object(const prfdata_sample *sample,
                                                        uint32_t title);

/* Find the position in object->found of the instance with this label. Returns false: there is
 * none. */
bool prfdata_sample_find_label(const prfdata_sample_object *object, prfdata_text label,
                               uint32_t *found);

/* Return the instance with this label, ignoring case; NULL: none. Pass an empty label for an object
 * without instances. */
const prfdata_sample_instance *prfdata_sample_find_instance(const prfdata_sample_object *object,
                                                            prfdata_text label);

/*
 * Find an instance as prfdata_sample_find_instance() does, but first try the instance at `position`
 * of object->instances.
 */
const prfdata_sample_instance *
prfdata_sample_find_instance_near(const prfdata_sample_object *object, prfdata_text label,
                                  size_t position);

/*
 * Return the name of the parent in an instance's label: the part before the slash, at most 1,024
 * chars. The result is empty if the label has no parent.
 */
prfdata_text prfdata_sample_parent(const prfdata_sample *sample,
                                   const prfdata_sample_instance *instance);

/*
 * Returns whether two instances of the same name, from two samples, may be the same instance. They
 * are not if both identify their owners and the owners differ. For instance, the name of an ended
 * process can pass to another process. No rate can be computed from the values of two processes.
 * Windows' own objects identify owners by the counters ID Process, ID Thread and Elapsed Time,
 * which are recognised by title index and type. Totals and other objects identify no owner.
 */
bool prfdata_sample_has_same_owner(const prfdata_sample_object *older_object,
                                   const prfdata_sample_instance *older,
                                   const prfdata_sample_object *object,
                                   const prfdata_sample_instance *instance);

/*
 * Returns whether this is the name of a total: _Total, or a name such as 0,_Total, which is the
 * total of a NUMA node or processor group.
 */
bool prfdata_sample_is_total(prfdata_text name);

/* Returns whether to show a counter to people: it has a title and a value, and is not a base. */
bool prfdata_sample_shows(const prfdata_decode_counter *counter);

/*
 * Collect the inputs of the formulas: the value, its base or second value, and the times.
 *
 * The base is the next counter, if its type is that of a base. The second value of a multi timer is
 * the base; if there is no base, the second value is the DWORD directly after the value.
 *
 * position  The counter's position in object->counters.
 * raw       On failure only its status and type are set.
 *
 * Returns PRFDATA_STATUS_OK, PRFDATA_STATUS_INVALID_DATA (a value lies outside its block, or its
 * size is neither 4 nor 8), PRFDATA_STATUS_IS_TEXT or PRFDATA_STATUS_NO_FORMULA (not a number);
 * also stored in raw->status. A missing base is not an error here; prfdata_compute() reports it.
 */
uint32_t prfdata_sample_raw(const prfdata_sample *sample, const prfdata_sample_object *object,
                            const prfdata_sample_instance *instance, uint32_t position,
                            prfdata_compute_raw *raw);

/* Reads one counter of an object from many instances. */
typedef struct prfdata_sample_reader {
    prfdata_counter_formula formula;
    /* The fields that are the same for all instances. raw.status is PRFDATA_STATUS_OK only if the
     * counter is a number. */
    prfdata_compute_raw raw;
    bool has_value;
    bool has_base;
    prfdata_decode_counter value;
    prfdata_decode_counter base;
    uint64_t value_end; /* end of the number in its counter block; UINT64_MAX if the counter's
                           size or offset is not valid for a number */
    uint64_t base_end;
} prfdata_sample_reader;

/* Begin to read the counter at `position` of object->counters. */
void prfdata_sample_reader_make(const prfdata_sample *sample, const prfdata_sample_object *object,
                                uint32_t position, prfdata_sample_reader *reader);

/* Read one instance. Sets and returns what prfdata_sample_raw() does. */
uint32_t prfdata_sample_reader_get(const prfdata_sample_reader *reader,
                                   const prfdata_sample_instance *instance,
                                   prfdata_compute_raw *raw);

/*
 * Read the number that ends just before offset `end` of a counter block. Returns false if the block
 * is shorter, and always if `end` is UINT64_MAX.
 */
static inline bool prfdata_sample_number_at(const unsigned char *values, uint32_t values_bytes,
                                            const prfdata_decode_counter *counter, uint64_t end,
                                            uint64_t *number)
{
    const unsigned char *at;

    if (values_bytes < end)
        return false;
    at = values + counter->definition.counter_offset;
    *number =
        counter->definition.counter_size == 8 ? prfdata_bytes_load64(at) : prfdata_bytes_load32(at);
    return true;
}

static inline bool prfdata_sample_number(const prfdata_decode_instance *instance,
                                         const prfdata_decode_counter *counter, uint64_t end,
                                         uint64_t *number)
{
    return prfdata_sample_number_at(instance->values, instance->values_bytes, counter, end, number);
}

/*
 * Read the value and the base from an instance's counter block. All other inputs of the formula are
 * in reader->raw, whose status must be PRFDATA_STATUS_OK. Returns what prfdata_sample_reader_get()
 * does.
 */
static inline uint32_t prfdata_sample_reader_count(const prfdata_sample_reader *reader,
                                                   const unsigned char *values,
                                                   uint32_t values_bytes,
                                                   prfdata_compute_count *count)
{
    *count = (prfdata_compute_count){0};
    if ((reader->has_value && !prfdata_sample_number_at(values, values_bytes, &reader->value,
                                                        reader->value_end, &count->value)) ||
        (reader->has_base && !prfdata_sample_number_at(values, values_bytes, &reader->base,
                                                       reader->base_end, &count->base)))
        return PRFDATA_STATUS_INVALID_DATA;
    return PRFDATA_STATUS_OK;
}

/*
 * Read an instance into reader->raw, for callers that process one instance after another. Only the
 * value and the base in reader->raw change. Returns what prfdata_sample_reader_get() does.
 */
static inline uint32_t prfdata_sample_reader_read(prfdata_sample_reader *reader,
                                                  const prfdata_sample_instance *instance)
{
    prfdata_compute_raw raw;

    /* prfdata_sample_reader_get() checks the place of a text before it returns the status. */
    if (reader->raw.status != PRFDATA_STATUS_OK)
        return prfdata_sample_reader_get(reader, instance, &raw);
    if ((reader->has_value && !prfdata_sample_number(&instance->wire, &reader->value,
                                                     reader->value_end, &reader->raw.value)) ||
        (reader->has_base && !prfdata_sample_number(&instance->wire, &reader->base,
                                                    reader->base_end, &reader->raw.base)))
        return PRFDATA_STATUS_INVALID_DATA;
    return PRFDATA_STATUS_OK;
}

/*
 * Read the value of a text counter.
 *
 * chars  Room for instance->wire.values_bytes chars, because the text lies in a counter block.
 * text   On success the text that was stored in `chars`, up to its first NUL, which is left out.
 *
 * Returns PRFDATA_STATUS_OK, PRFDATA_STATUS_INVALID_DATA (the text lies outside its counter block)
 * or PRFDATA_STATUS_INVALID_ARGUMENT (the counter is not a text).
 */
uint32_t prfdata_sample_text(const prfdata_sample_object *object,
                             const prfdata_sample_instance *instance, uint32_t position,
                             uint16_t *chars, prfdata_text *text);

#endif
