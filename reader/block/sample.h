/* SPDX-License-Identifier: MIT */
/*
 * Decodes one reply and indexes it: its objects, counters and instances, with the names by which
 * instances are shown and found again in the next reply. Damaged parts are left out and counted.
 * Knows title indexes, not titles.
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
    bool damaged;       /* nothing of it is known but its position */
    bool lacks_parent;  /* it names a parent that is not in this reply */
    prfdata_text name;  /* UniqueID in decimal if it has no name */
    prfdata_text label; /* Parent/Name#Index as PDH shows it, and *#0 of a *; empty without
                           instances */
    prfdata_decode_instance wire;
} prfdata_sample_instance;

typedef struct prfdata_sample_object {
    prfdata_decode_object wire;
    bool has_instances; /* false: one entry in `instances` with an empty label, or none */
    uint32_t counter_count;
    uint32_t owner_count;                   /* counters that say whose an instance is, */
    uint32_t owners[PRFDATA_SAMPLE_OWNERS]; /* and their positions */
    prfdata_decode_counter *counters;
    uint32_t instance_count; /* in the reply's order, damaged ones included */
    prfdata_sample_instance *instances;
    uint32_t found_count; /* the others */
    uint32_t *found;      /* their positions, ordered by label */
    uint16_t *name_chars;
    uint16_t *label_chars;
} prfdata_sample_object;

typedef struct prfdata_sample {
    uint64_t number; /* from 1; no other sample of this process has it or had it */
    void *bytes;
    size_t size;
    prfdata_decode_block block; /* zeros if its header is damaged */
    uint32_t object_count;
    prfdata_sample_object *objects;
    prfdata_title_index by_title; /* of the objects */
    uint32_t damage_count;
    prfdata_decode_error damage; /* the first */
    uint32_t *elsewhere;         /* titles of objects for which it was not asked, because other
                                    samples have them (block/recording.h); owned */
    size_t elsewhere_count;
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

/* The first object with this title index, or NULL. */
const prfdata_sample_object *prfdata_sample_find_object(const prfdata_sample *sample,
                                                        uint32_t title);

/* Find the position in object->found of the instance with this label. Returns false: there is none.
 */
bool prfdata_sample_find_label(const prfdata_sample_object *object, prfdata_text label,
                               uint32_t *found);

/* The instance with this label, ignoring case, or NULL. An empty label: without instances. */
const prfdata_sample_instance *prfdata_sample_find_instance(const prfdata_sample_object *object,
                                                            prfdata_text label);

/* The same, but look first whether it is the instance at `position`. */
const prfdata_sample_instance *
prfdata_sample_find_instance_near(const prfdata_sample_object *object, prfdata_text label,
                                  size_t position);

/*
 * What stands before the slash of an instance's label: its parent's name, of which labels take
 * 1,024 chars at most. Without chars if the label has no parent.
 */
prfdata_text prfdata_sample_parent(const prfdata_sample *sample,
                                   const prfdata_sample_instance *instance);

/*
 * Whether an instance may be that of the same name in an earlier sample. It is not if both say
 * whose they are and say something else: an instance's name passes to another process when one has
 * ended, and no rate can be computed across both. Windows' own objects say so, by their counters ID
 * Process, ID Thread and Elapsed Time, which are known by title index and type. Totals belong to
 * nobody.
 */
bool prfdata_sample_has_same_owner(const prfdata_sample_object *older_object,
                                   const prfdata_sample_instance *older,
                                   const prfdata_sample_object *object,
                                   const prfdata_sample_instance *instance);

/* Whether it is the name of a total: _Total, or 0,_Total of a NUMA node or processor group. */
bool prfdata_sample_is_total(prfdata_text name);

/* Whether a counter is for people: it has a title and is neither a base nor a mere label. */
bool prfdata_sample_shows(const prfdata_decode_counter *counter);

/*
 * Collect what the formulas need: the value, its base or second value, and the times.
 *
 * A base is the next counter, if its type is one. The second value of a multi timer has the place
 * and size of its PERF_COUNTER_MULTI_BASE; without one it is the DWORD directly after the value.
 *
 * position  Of the counter in object->counters.
 * raw       On failure its status and type only.
 *
 * Returns PRFDATA_STATUS_OK, PRFDATA_STATUS_INVALID_DATA (a value lies outside of its block, or
 *         its size is neither 4 nor 8), PRFDATA_STATUS_IS_TEXT or PRFDATA_STATUS_NO_FORMULA (no
 *         number); the same in raw->status. Never fails for want of a base: computing does.
 */
uint32_t prfdata_sample_raw(const prfdata_sample *sample, const prfdata_sample_object *object,
                            const prfdata_sample_instance *instance, uint32_t position,
                            prfdata_compute_raw *raw);

/* A counter of an object, to be read from many of its instances. */
typedef struct prfdata_sample_reader {
    prfdata_counter_formula formula;
    prfdata_compute_raw raw; /* what all instances have in common; its status, if that is known */
    bool has_value;
    bool has_base;
    prfdata_decode_counter value;
    prfdata_decode_counter base;
    uint64_t
        value_end; /* where a number ends in its counter block; above any if it cannot be one */
    uint64_t base_end;
} prfdata_sample_reader;

/* Begin to read the counter at `position` of object->counters. */
void prfdata_sample_reader_make(const prfdata_sample *sample, const prfdata_sample_object *object,
                                uint32_t position, prfdata_sample_reader *reader);

/* Read an instance; sets and returns what prfdata_sample_raw() does. */
uint32_t prfdata_sample_reader_get(const prfdata_sample_reader *reader,
                                   const prfdata_sample_instance *instance,
                                   prfdata_compute_raw *raw);

/* Read a number that ends before `end`; false: it lies outside, or has another size. */
static inline bool prfdata_sample_number(const prfdata_decode_instance *instance,
                                         const prfdata_decode_counter *counter, uint64_t end,
                                         uint64_t *number)
{
    const unsigned char *at;

    if (instance->values_bytes < end)
        return false;
    at = instance->values + counter->definition.counter_offset;
    *number =
        counter->definition.counter_size == 8 ? prfdata_bytes_load64(at) : prfdata_bytes_load32(at);
    return true;
}

/*
 * Read an instance into reader->raw itself, where only the value and the base differ: for who looks
 * at one instance after the other. Returns what prfdata_sample_reader_get() does; the status in
 * reader->raw stays that of all.
 */
static inline uint32_t prfdata_sample_reader_read(prfdata_sample_reader *reader,
                                                  const prfdata_sample_instance *instance)
{
    prfdata_compute_raw raw;

    if (reader->raw.status != PRFDATA_STATUS_OK) /* a text's place is looked at, too */
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
 * chars  Room for instance->wire.values_bytes chars; the text lies in a counter block.
 * text   On success what was stored there, up to the first NUL and without it.
 *
 * Returns PRFDATA_STATUS_OK, PRFDATA_STATUS_INVALID_DATA (the text does not lie in its counter
 *         block) or PRFDATA_STATUS_INVALID_ARGUMENT (the counter is no text).
 */
uint32_t prfdata_sample_text(const prfdata_sample_object *object,
                             const prfdata_sample_instance *instance, uint32_t position,
                             uint16_t *chars, prfdata_text *text);

#endif
