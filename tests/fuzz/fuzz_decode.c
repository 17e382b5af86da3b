/* SPDX-License-Identifier: MIT */
/* Sends any bytes through the decoder, the formulas and the validator. All their pointers must lie
 * within the bytes. Iterations must end, and messages must be terminated. The decoder must read
 * what the validator accepts. Every value must be a finite number or a status.
 *
 * Input: one byte (bits 0 to 5: how many objects Collect reports; bit 6: metadata; bit 7: a reply
 * of Collect follows), then a PERF_DATA_BLOCK or a reply. */
#include <float.h>
#include <string.h>

#include "base/perf_wire.h"
#include "block/decode.h"
#include "block/sample.h"
#include "fuzz.h"
#include "support/reader/statistics_ring.h"
#include "validate/validate.h"

enum { REPLY = 0x80, METADATA = 0x40, OBJECTS = 0x3F };
enum { TYPE_KIND = 0xC00, TYPE_TEXT = 0x800 }; /* bits of a counter's type */

/* Read every byte, so that the sanitizer checks it. */
static void touch(const unsigned char *bytes, size_t size)
{
    static volatile unsigned char sum;

    for (size_t i = 0; i < size; i++)
        sum = (unsigned char)(sum + bytes[i]);
}

static bool lies_inside(const prfdata_decode_block *block, const unsigned char *at, uint64_t size)
{
    return at >= block->bytes && (uint64_t)(at - block->bytes) <= block->size &&
           size <= block->size - (uint64_t)(at - block->bytes);
}

static void check_error(const prfdata_decode_error *error, uint64_t size)
{
    FUZZ_CHECK(error->field != NULL && *error->field);
    FUZZ_CHECK(error->offset <= size);
    FUZZ_CHECK(error->value < error->least || error->value > error->most ||
               (error->either && error->value != error->least && error->value != error->most));
    for (size_t capacity = 1; capacity <= 256; capacity = capacity * 4) {
        char *text = fuzz_memory(capacity);

        prfdata_decode_error_text(error, text, capacity);
        FUZZ_CHECK(memchr(text, 0, capacity) != NULL);
        free(text);
    }
}

/* ---- The decoder ---- */

static void check_values(const prfdata_decode_object *object,
                         const prfdata_decode_instance *instance, bool is_right)
{
    prfdata_decode_cursor counters = {0};
    prfdata_decode_counter counter;

    while (!prfdata_decode_counter_next(object, &counters, &counter)) {
        prfdata_decode_error error;
        uint64_t value = 0;
        uint32_t status = prfdata_decode_value(instance, &counter, &value, &error);

        FUZZ_CHECK(counter.offset >= object->offset &&
                   counter.offset + sizeof counter.definition <= object->end);
        FUZZ_CHECK(status == ERROR_SUCCESS || status == ERROR_INVALID_DATA);
        if (status)
            check_error(&error, object->block->size);
        FUZZ_CHECK(!is_right || status == ERROR_SUCCESS || counter.definition.counter_size == 0 ||
                   (counter.definition.counter_type & TYPE_KIND) == TYPE_TEXT);
    }
}

static void check_name(const prfdata_decode_object *object, const prfdata_decode_instance *instance)
{
    const uint32_t bytes = instance->name_bytes;
    uint16_t *chars;

    if (!instance->has_definition) {
        FUZZ_CHECK(bytes == 0);
        return;
    }
    FUZZ_CHECK(bytes == 0 || lies_inside(object->block, instance->name, bytes));
    chars = fuzz_memory((size_t)bytes * sizeof *chars);
    FUZZ_CHECK(prfdata_decode_name(object, instance, chars) <= bytes);
    free(chars);
}

static void check_instances(const prfdata_decode_object *object, bool is_right)
{
    prfdata_decode_cursor instances = {0};
    uint64_t last = object->offset;

    for (;;) {
        prfdata_decode_instance instance;
        prfdata_decode_error error;
        uint32_t done = instances.done;
        uint32_t status = prfdata_decode_instance_next(object, &instances, &instance, &error);

        if (status == ERROR_NO_MORE_ITEMS)
            return;
        FUZZ_CHECK(instances.done > done || instances.ended);
        FUZZ_CHECK(status == ERROR_SUCCESS || status == ERROR_MORE_DATA ||
                   status == ERROR_INVALID_DATA);
        FUZZ_CHECK(!is_right || status == ERROR_SUCCESS);
        if (status)
            check_error(&error, object->block->size);
        if (status == ERROR_INVALID_DATA)
            continue;
        FUZZ_CHECK(instance.name_bytes ==
                   (status == ERROR_SUCCESS ? instance.definition.name_length : 0));
        FUZZ_CHECK(instance.offset >= last && instance.values_offset >= instance.offset);
        last = instance.offset;
        FUZZ_CHECK(instance.values == object->block->bytes + instance.values_offset);
        FUZZ_CHECK(instance.values_offset + instance.values_bytes <= object->end);
        FUZZ_CHECK(lies_inside(object->block, instance.values, instance.values_bytes));
        touch(instance.values, instance.values_bytes);
        check_name(object, &instance);
        check_values(object, &instance, is_right);
    }
}

/* ---- The formulas ---- */

/* Return a raw value with another time, base or value, which other bytes could have given. */
static prfdata_compute_raw shifted(prfdata_compute_raw raw, uint32_t pattern)
{
    const int64_t steps[] = {0, 1, -1, 10000000};
    uint64_t step = (uint64_t)steps[pattern & 3];

    raw.value -= step;
    raw.base -= (uint64_t)steps[pattern >> 2 & 3];
    step = (uint64_t)steps[pattern >> 4 & 3];
    raw.perf_time = (int64_t)((uint64_t)raw.perf_time - step);
    raw.time_100ns = (int64_t)((uint64_t)raw.time_100ns - step);
    raw.object_time = (int64_t)((uint64_t)raw.object_time - step);
    return raw;
}

static bool is_finite(double number)
{
    return number >= -DBL_MAX && number <= DBL_MAX;
}

static void check_statistics(const prfdata_compute_raw *ring, uint32_t count, uint32_t first,
                             uint32_t type)
{
    prfdata_statistics statistics;
    uint32_t entries = 0;
    uint32_t status = statistics_ring_compute(type, ring, count, first, count, PRFDATA_VALUE_DOUBLE,
                                              0, &statistics);

    if (status != PRFDATA_STATUS_OK)
        return;
    entries = statistics.value_count + statistics.skipped_count;
    FUZZ_CHECK(entries == count || entries == count - 1);
    FUZZ_CHECK(statistics.value_count > 0);
    FUZZ_CHECK(statistics.mean.as_double >= statistics.minimum.as_double);
    FUZZ_CHECK(statistics.mean.as_double <= statistics.maximum.as_double);
    FUZZ_CHECK(statistics.end_to_end_mean.as_double >= statistics.minimum.as_double);
    FUZZ_CHECK(statistics.end_to_end_mean.as_double <= statistics.maximum.as_double);
    if (statistics.time_weighted_mean.status == PRFDATA_STATUS_OK) {
        FUZZ_CHECK(statistics.time_weighted_mean.as_double >= statistics.minimum.as_double);
        FUZZ_CHECK(statistics.time_weighted_mean.as_double <= statistics.maximum.as_double);
    }
}

static void check_pair(const prfdata_compute_raw *older, const prfdata_compute_raw *newer)
{
    const double untouched = -77;
    prfdata_compute_value value = {.number = untouched};
    prfdata_compute_formatted formatted;
    uint32_t status = prfdata_compute(older, newer, &value);

    FUZZ_CHECK(strcmp(prfdata_compute_status_name(status), "unknown status") != 0);
    if (status != PRFDATA_STATUS_OK) {
        FUZZ_CHECK(value.number == untouched);
        return;
    }
    FUZZ_CHECK(is_finite(value.number) && value.divisor >= 1);
    FUZZ_CHECK(!value.is_whole || (double)value.whole == value.number);
    for (uint32_t flags = PRFDATA_VALUE_LONG; flags <= PRFDATA_VALUE_LARGE; flags *= 2) {
        for (int32_t scale = -7; scale <= 7; scale += 7) {
            status = prfdata_compute_format(value, newer->type, flags, scale, &formatted);
            FUZZ_CHECK(status == PRFDATA_STATUS_OK || status == PRFDATA_STATUS_OUT_OF_RANGE);
        }
    }
}

static void check_counter(const prfdata_sample *sample, const prfdata_sample_object *object,
                          const prfdata_sample_instance *instance, uint32_t position)
{
    const uint32_t type = object->counters[position].definition.counter_type;
    uint16_t *chars = fuzz_memory(instance->wire.values_bytes * sizeof *chars);
    prfdata_compute_raw ring[4];
    prfdata_text text;
    char note[200];
    uint32_t status = prfdata_sample_raw(sample, object, instance, position, &ring[0]);

    (void)prfdata_counter_formula_note(type, note, sizeof note);
    FUZZ_CHECK(memchr(note, 0, sizeof note) != NULL && strlen(note) < sizeof note - 1);
    (void)prfdata_sample_shows(&object->counters[position]);
    if (prfdata_sample_text(object, instance, position, chars, &text) == PRFDATA_STATUS_OK) {
        FUZZ_CHECK(status == PRFDATA_STATUS_IS_TEXT);
        FUZZ_CHECK(text.count <= object->counters[position].definition.counter_size);
    }
    free(chars);

    FUZZ_CHECK(ring[0].status == status && ring[0].type == type);
    check_pair(NULL, &ring[0]);
    for (uint32_t i = 1; i < 4; i++) {
        /* The shifts depend on the input, so that the fuzzer can vary them. */
        ring[i] = shifted(ring[0], (uint32_t)ring[0].value * 2654435761u >> (8 * i));
        check_pair(&ring[i], &ring[0]);
        check_pair(&ring[0], &ring[i]);
    }
    check_statistics(ring, 4, (uint32_t)(ring[0].value & 3), type);
}

static void check_sample(const uint8_t *bytes, size_t size)
{
    prfdata_sample *sample = NULL;
    uint8_t *copy = fuzz_memory(size);

    if (size > 0)
        memcpy(copy, bytes, size);
    FUZZ_CHECK(prfdata_sample_make(copy, size, &sample) == ERROR_SUCCESS);
    for (uint32_t o = 0; o < sample->object_count; o++) {
        const prfdata_sample_object *object = &sample->objects[o];

        for (uint32_t f = 0; f < object->found_count; f++) {
            const prfdata_sample_instance *instance = &object->instances[object->found[f]];

            FUZZ_CHECK(!instance->damaged);
            FUZZ_CHECK(f == 0 || prfdata_text_compare(object->instances[object->found[f - 1]].label,
                                                      instance->label) < 0);
            FUZZ_CHECK(prfdata_sample_find_instance(object, instance->label) == instance);
            for (uint32_t c = 0; c < object->counter_count; c++)
                check_counter(sample, object, instance, c);
        }
    }
    prfdata_sample_free(sample);
}

static void check_computer(const prfdata_decode_block *block)
{
    prfdata_decode_error error;
    uint16_t chars[8];
    size_t count = 0;
    uint32_t status = prfdata_decode_computer(block, chars, 8, &count, &error);

    FUZZ_CHECK(count <= 8);
    if (status)
        check_error(&error, block->size);
}

/* Returns how many objects could be read. */
static uint32_t check_objects(const prfdata_decode_block *block, bool is_right)
{
    prfdata_decode_cursor objects = {0};
    uint64_t last = 0;
    uint32_t read = 0;

    for (;;) {
        prfdata_decode_object object;
        prfdata_decode_error error;
        uint32_t done = objects.done;
        uint64_t offset = objects.offset;
        uint32_t status = prfdata_decode_object_next(block, &objects, &object, &error);

        if (status == ERROR_NO_MORE_ITEMS)
            return read;
        FUZZ_CHECK(objects.done > done || objects.ended);
        FUZZ_CHECK(objects.offset > offset || objects.ended);
        FUZZ_CHECK(status == ERROR_SUCCESS || status == ERROR_MORE_DATA ||
                   status == ERROR_INVALID_DATA);
        FUZZ_CHECK(!is_right || status == ERROR_SUCCESS);
        if (status)
            check_error(&error, block->size);
        if (status == ERROR_INVALID_DATA)
            continue;
        FUZZ_CHECK(object.counter_count <= object.header.num_counters);
        FUZZ_CHECK((status == ERROR_MORE_DATA) ==
                   (object.counter_count < object.header.num_counters));
        FUZZ_CHECK(object.offset >= last && object.end > object.offset);
        FUZZ_CHECK(object.end <= block->size);
        last = object.end;
        check_instances(&object, is_right);
        read++;
    }
}

static void check_block(const uint8_t *bytes, size_t size)
{
    prfdata_decode_block block;
    prfdata_decode_error error;
    uint32_t status = prfdata_decode_open(bytes, size, &block, &error);

    FUZZ_CHECK(status == ERROR_SUCCESS || status == ERROR_MORE_DATA ||
               status == ERROR_INVALID_DATA);
    if (status)
        check_error(&error, size);
    if (status == ERROR_INVALID_DATA)
        return;
    FUZZ_CHECK(block.bytes == bytes && block.size <= size);
    check_computer(&block);
    check_objects(&block, false);
}

/* ---- The validator ---- */

static void check_findings(const prfdata_findings *findings, size_t size)
{
    FUZZ_CHECK(findings->count <= prfdata_findings_total(findings));
    for (size_t i = 0; i < findings->count; i++) {
        const prfdata_findings_item *finding = &findings->items[i];

        FUZZ_CHECK(finding->offset <= size || finding->offset == PRFDATA_NO_OFFSET);
        FUZZ_CHECK(memchr(finding->text, 0, sizeof finding->text) != NULL && *finding->text);
    }
}

static void check_chain(const prfdata_validate_reply *reply)
{
    size_t offset = 0;
    size_t last = 0;
    uint32_t title, parent;

    while (prfdata_validate_next_object(reply, &offset, &title, &parent)) {
        FUZZ_CHECK(offset > last && offset <= reply->size);
        last = offset;
    }
}

/* Decode the reply after a header, where perflib would put it. */
static void check_accepted(const prfdata_validate_reply *reply)
{
    const size_t size = sizeof(prfdata_perf_data_block) + reply->size;
    uint8_t *bytes = fuzz_memory(size);
    prfdata_perf_data_block header = {0};
    prfdata_decode_block block;
    prfdata_decode_error error;

    for (int i = 0; i < 4; i++)
        header.signature[i] = (uint16_t) "PERF"[i];
    header.little_endian = 1;
    header.version = 1;
    header.revision = 1;
    header.total_byte_length = (uint32_t)size;
    header.header_length = sizeof header;
    header.num_object_types = reply->object_count;
    memcpy(bytes, &header, sizeof header);
    if (reply->size)
        memcpy(bytes + sizeof header, reply->bytes, reply->size);
    FUZZ_CHECK(!prfdata_decode_open(bytes, size, &block, &error));
    FUZZ_CHECK(check_objects(&block, true) == reply->object_count);
    free(bytes);
}

static bool has_any(const prfdata_findings *findings, prfdata_rule_severity least)
{
    for (size_t i = 0; i < PRFDATA_RULE_COUNT; i++)
        if (findings->totals[i] && prfdata_rules_about((prfdata_rule)i)->severity >= least)
            return true;
    return false;
}

static void check_reply(const prfdata_validate_reply *reply, bool metadata)
{
    static const prfdata_validate_titles titles = {0};
    static prfdata_findings findings;
    bool is_clean;

    prfdata_findings_init(&findings);
    FUZZ_CHECK(!prfdata_validate_structure(reply, &titles, metadata, &findings));
    check_findings(&findings, reply->size);
    check_chain(reply);
    is_clean = !has_any(&findings, PRFDATA_RULE_SEVERITY_WARNING);
    if (!metadata && !has_any(&findings, PRFDATA_RULE_SEVERITY_ERROR))
        check_accepted(reply);

    prfdata_findings_init(&findings);
    FUZZ_CHECK(!prfdata_validate_change(reply, reply, NULL, &findings));
    check_findings(&findings, reply->size);
    for (size_t i = 0; is_clean && i < findings.count; i++)
        fprintf(stderr, "%s\n", findings.items[i].text);
    FUZZ_CHECK(!is_clean || findings.count == 0); /* a reply compared with itself */
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    prfdata_validate_reply reply;
    uint8_t *exact;

    if (size == 0)
        return 0;
    exact = malloc(size - 1); /* the first byte is not part of the reply */
    if (size > 1)
        memcpy(exact, bytes + 1, size - 1);
    if (bytes[0] & REPLY) {
        reply.bytes = exact;
        reply.size = size - 1;
        reply.object_count = bytes[0] & OBJECTS;
        check_reply(&reply, (bytes[0] & METADATA) != 0);
    } else {
        check_block(exact, size - 1);
        check_sample(exact, size - 1);
    }
    free(exact);
    return 0;
}
