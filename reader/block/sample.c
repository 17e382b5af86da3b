/* SPDX-License-Identifier: MIT */
/*
 * Indexes a decoded reply: counters, instances, and the labels by which instances are found again.
 * This file knows title indexes but not titles, and computes no values.
 */
#include "block/sample.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/atomic.h>
#include <prfdata/perf_types.h>

#include "names/names.h"

#define NUMBER_CHARS 11u /* length of "-2147483648"; "#" with a position is not longer */

/* The value of PDH_MAX_INSTANCE_NAME. It limits the parent's name in a label, because the labels of
 * very many children may contain the same huge name. */
#define MAX_PARENT_CHARS 1024u

#define CODE_POINT_BITS 21u

static void note_damage(prfdata_sample *sample, const prfdata_decode_error *error)
{
    if (sample->damage_count++ == 0)
        sample->damage = *error;
}

/* Allocates at least one element, because calloc() may return NULL for a size of 0. */
static void *make_sample_array(size_t count, size_t size)
{
    return calloc(count > 0 ? count : 1, size);
}

static size_t put_decimal(uint16_t *chars, int64_t number)
{
    uint16_t digits[20];
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    size_t count = 0;
    size_t used = 0;

    do {
        digits[count++] = (uint16_t)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (number < 0)
        chars[used++] = '-';
    while (count > 0)
        chars[used++] = digits[--count];
    return used;
}

/* ---- Counters ---- */

/*
 * Returns whether this is one of the system's counters that identify the owner of an instance.
 * Their title indexes are the same on every Windows and belong to no other provider, because the
 * system's own indexes come first ("Using the Registry Functions to Consume Counter Data",
 * learn.microsoft.com).
 */
static bool is_owner_counter(const prfdata_perf_counter_definition *counter)
{
    static const struct {
        uint32_t title;
        uint32_t type;
    } known[] = {
        {684, PERF_ELAPSED_TIME},     /* Elapsed Time: tells when the owner started */
        {784, PERF_COUNTER_RAWCOUNT}, /* ID Process */
        {804, PERF_COUNTER_RAWCOUNT}, /* ID Thread */
    };

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (counter->counter_name_title_index == known[i].title)
            return counter->counter_type == known[i].type ||
                   (known[i].type == PERF_COUNTER_RAWCOUNT &&
                    counter->counter_type == PERF_COUNTER_LARGE_RAWCOUNT);
    }
    return false;
}

static uint32_t read_sample_counters(prfdata_sample_object *object)
{
    prfdata_decode_cursor cursor = {0};

    object->counter_count = object->wire.counter_count;
    object->counters = make_sample_array(object->counter_count, sizeof *object->counters);
    if (!object->counters || !prfdata_title_index_begin(&object->by_title, object->counter_count))
        return ERROR_NOT_ENOUGH_MEMORY;
    for (uint32_t i = 0; i < object->counter_count; i++) {
        (void)prfdata_decode_counter_next(&object->wire, &cursor, &object->counters[i]);
        if (object->owner_count < PRFDATA_SAMPLE_OWNERS &&
            is_owner_counter(&object->counters[i].definition))
            object->owners[object->owner_count++] = i;
        prfdata_title_index_add(&object->by_title,
                                object->counters[i].definition.counter_name_title_index, i);
    }
    prfdata_title_index_sort(&object->by_title);
    return ERROR_SUCCESS;
}

static prfdata_counter_kind counter_kind_of(const prfdata_decode_counter *counter)
{
    return prfdata_counter_formula_of(counter->definition.counter_type).kind;
}

bool prfdata_sample_is_total(prfdata_text name)
{
    return prfdata_text_equal_ascii(name, "_Total") ||
           (name.count > 7 && prfdata_text_equal_ascii(
                                  prfdata_text_part(name, name.count - 7, name.count), ",_Total"));
}

static bool read_owner(const prfdata_sample_instance *instance,
                       const prfdata_decode_counter *counter, uint64_t *owner)
{
    const uint64_t end =
        (uint64_t)counter->definition.counter_offset + counter->definition.counter_size;

    return (counter->definition.counter_size == 4 || counter->definition.counter_size == 8) &&
           prfdata_sample_number(&instance->wire, counter, end, owner);
}

bool prfdata_sample_has_same_owner(const prfdata_sample_object *older_object,
                                   const prfdata_sample_instance *older,
                                   const prfdata_sample_object *object,
                                   const prfdata_sample_instance *instance)
{
    if (object->owner_count == 0 || prfdata_sample_is_total(instance->name))
        return true;
    for (uint32_t i = 0; i < object->owner_count; i++) {
        const prfdata_decode_counter *counter = &object->counters[object->owners[i]];

        for (uint32_t k = 0; k < older_object->owner_count; k++) {
            const prfdata_decode_counter *before = &older_object->counters[older_object->owners[k]];
            uint64_t now = 0;
            uint64_t then = 0;

            if (before->definition.counter_name_title_index ==
                    counter->definition.counter_name_title_index &&
                read_owner(instance, counter, &now) && read_owner(older, before, &then) &&
                now != then)
                return false;
        }
    }
    return true;
}

bool prfdata_sample_shows(const prfdata_decode_counter *counter)
{
    prfdata_counter_kind kind = counter_kind_of(counter);

    return counter->definition.counter_name_title_index != 0 && kind != PRFDATA_COUNTER_BASE &&
           kind != PRFDATA_COUNTER_NO_DATA;
}

/* ---- Instances ---- */

static void measure_instances(const prfdata_sample_object *object, uint32_t *count,
                              size_t *name_chars)
{
    prfdata_decode_cursor cursor = {0};
    prfdata_decode_instance instance;
    prfdata_decode_error error;
    uint32_t status;

    *name_chars = 0;
    while ((status = prfdata_decode_instance_next(&object->wire, &cursor, &instance, &error)) !=
           ERROR_NO_MORE_ITEMS) {
        if (status == ERROR_SUCCESS)
            *name_chars += instance.name_bytes + NUMBER_CHARS;
    }
    *count = cursor.done;
}

static prfdata_text read_sample_name(const prfdata_sample_object *object,
                                     const prfdata_decode_instance *instance, uint16_t *chars)
{
    prfdata_text name = {chars, 0};

    if (!instance->has_definition)
        return name;
    if (instance->name_bytes > 0)
        name.count = prfdata_decode_name(&object->wire, instance, chars);
    else if (instance->definition.unique_id != PERF_NO_UNIQUE_ID)
        name.count = put_decimal(chars, instance->definition.unique_id);
    return name;
}

static uint32_t read_sample_instances(prfdata_sample *sample, prfdata_sample_object *object)
{
    prfdata_decode_cursor cursor = {0};
    prfdata_decode_error error;
    size_t chars_needed;
    size_t used = 0;

    measure_instances(object, &object->instance_count, &chars_needed);
    object->has_instances = object->wire.header.num_instances != PERF_NO_INSTANCES &&
                            object->wire.header.num_instances != PERF_METADATA_NO_INSTANCES;
    object->instances = make_sample_array(object->instance_count, sizeof *object->instances);
    object->found = make_sample_array(object->instance_count, sizeof *object->found);
    object->name_chars = make_sample_array(chars_needed, sizeof *object->name_chars);
    if (!object->instances || !object->found || !object->name_chars)
        return ERROR_NOT_ENOUGH_MEMORY;

    for (uint32_t i = 0; i < object->instance_count; i++) {
        prfdata_sample_instance *instance = &object->instances[i];

        if (prfdata_decode_instance_next(&object->wire, &cursor, &instance->wire, &error) !=
            ERROR_SUCCESS) {
            note_damage(sample, &error);
            instance->damaged = true;
            continue;
        }
        instance->name = read_sample_name(object, &instance->wire, object->name_chars + used);
        used += instance->name.count;
    }
    return ERROR_SUCCESS;
}

/* ---- Labels: what distinguishes the instances of an object ---- */

static const prfdata_sample_instance *parent_instance_of(const prfdata_sample *sample,
                                                         const prfdata_decode_instance *instance)
{
    uint32_t position = instance->definition.parent_object_instance;
    const prfdata_sample_object *object =
        prfdata_sample_find_object(sample, instance->definition.parent_object_title_index);

    if (!object || position >= object->instance_count || object->instances[position].damaged)
        return NULL;
    return &object->instances[position];
}

static prfdata_text parent_name(const prfdata_sample_instance *parent)
{
    prfdata_text name = parent->name;

    if (name.count > MAX_PARENT_CHARS)
        name.count = MAX_PARENT_CHARS;
    return name;
}

/*
 * Appended to a label that is only "*", because "*" as the instance of a path means all instances.
 * "*#0" names the first instance of this name.
 */
static const uint16_t star_end_chars[] = {'#', '0'};
static const prfdata_text star_end = {star_end_chars, 2};

static size_t put_instance_label(const prfdata_sample *sample, prfdata_sample_instance *instance,
                                 uint16_t *chars)
{
    const prfdata_sample_instance *parent = NULL;
    size_t used = 0;

    if (instance->wire.definition.parent_object_title_index != 0) {
        parent = parent_instance_of(sample, &instance->wire);
        instance->lacks_parent = !parent;
    }
    if (parent) {
        used = prfdata_text_append(chars, used, parent_name(parent));
        chars[used++] = '/';
    }
    used = prfdata_text_append(chars, used, instance->name);
    if (prfdata_text_is_star((prfdata_text){chars, used}))
        used = prfdata_text_append(chars, used, star_end);
    return used;
}

static size_t measure_instance_label(const prfdata_sample *sample,
                                     const prfdata_sample_instance *instance)
{
    const prfdata_sample_instance *parent = NULL;

    if (instance->wire.definition.parent_object_title_index != 0)
        parent = parent_instance_of(sample, &instance->wire);
    return (parent ? parent_name(parent).count + 1 : 0) + instance->name.count + star_end.count +
           NUMBER_CHARS;
}

/*
 * A label to sort. Most labels differ in the first few characters after their common prefix. The
 * key contains these characters with their case folded, so comparing keys mostly replaces comparing
 * labels.
 */
typedef struct label_entry {
    uint64_t key;
    prfdata_text label;
    uint32_t position;
    uint32_t rank; /* BEFORE_PREFIX, WITH_PREFIX or AFTER_PREFIX; compared before the key */
} label_entry;

static int compare_label_entries(const void *a, const void *b)
{
    const label_entry *left = a;
    const label_entry *right = b;
    int order;

    if (left->rank != right->rank)
        return left->rank < right->rank ? -1 : 1;
    if (left->key != right->key)
        return left->key < right->key ? -1 : 1;
    order = prfdata_text_compare(left->label, right->label);
    if (order != 0)
        return order;
    return (left->position > right->position) - (left->position < right->position);
}

static int compare_entry_labels(const void *a, const void *b)
{
    const label_entry *left = a;
    const label_entry *right = b;

    return prfdata_text_compare(left->label, right->label);
}

static bool is_total(prfdata_text label)
{
    return label.count > 0 && label.chars[0] == '_' && prfdata_text_equal_ascii(label, "_Total");
}

/*
 * Return the prefix that all labels except _Total have in common. It does not end within a
 * surrogate pair.
 */
static prfdata_text common_prefix(const label_entry *entries, uint32_t count)
{
    prfdata_text common = {NULL, 0};
    bool is_first = true;

    for (uint32_t i = 0; i < count && (is_first || common.count > 0); i++) {
        const prfdata_text label = entries[i].label;
        size_t same = 0;

        if (is_total(label))
            continue;
        if (is_first)
            common = label;
        is_first = false;
        while (same < common.count && same < label.count && label.chars[same] == common.chars[same])
            same++;
        common.count = same;
    }
    while (common.count > 0 && (common.chars[common.count - 1] & 0xF800) == 0xD800)
        common.count--;
    return common;
}

enum { BEFORE_PREFIX, WITH_PREFIX, AFTER_PREFIX };

/* Return BEFORE_PREFIX or AFTER_PREFIX if _Total comes before or after all labels with the prefix;
 * WITH_PREFIX if it may be between them. */
static uint32_t rank_of_total(prfdata_text prefix)
{
    static const uint16_t chars[] = {'_', 'T', 'o', 't', 'a', 'l'};
    const size_t count = sizeof chars / sizeof chars[0];
    const prfdata_text compared = {chars, count < prefix.count ? count : prefix.count};
    const int order = prfdata_text_compare(compared, prefix);

    return order == 0 ? WITH_PREFIX : order < 0 ? BEFORE_PREFIX : AFTER_PREFIX;
}

/*
 * Make a key from as many code points as fit, beginning at `begin`. Each code point takes `bits`
 * bits. If two keys differ, their order is that of prfdata_text_compare(). Returns false if a code
 * point needs more bits.
 */
static bool make_label_key(prfdata_text label, size_t begin, unsigned bits, uint64_t *key)
{
    unsigned left = 64 / bits;

    *key = 0;
    for (; left > 0 && begin < label.count; left--) {
        const uint32_t code_point = prfdata_names_fold(prfdata_text_next(label, &begin));

        if (code_point >> bits != 0)
            return false;
        *key = *key << bits | code_point;
    }
    if (*key != 0) /* then there is at least one code point, so the shift is below 64 */
        *key <<= bits * left;
    return true;
}

/* Set the rank and the key of each entry. Returns false if a code point needs more bits. */
static bool make_label_keys(label_entry *entries, uint32_t count, prfdata_text prefix,
                            unsigned bits)
{
    const uint32_t rank = rank_of_total(prefix);
    bool is_made = true;

    if (rank == WITH_PREFIX)
        prefix.count = 0;
    for (uint32_t i = 0; i < count && is_made; i++) {
        const bool is_other = prefix.count > 0 && is_total(entries[i].label);

        entries[i].rank = is_other ? rank : WITH_PREFIX;
        is_made =
            make_label_key(entries[i].label, is_other ? 0 : prefix.count, bits, &entries[i].key);
    }
    return is_made;
}

static void sort_labels(label_entry *entries, uint32_t count)
{
    const prfdata_text prefix = common_prefix(entries, count);

    /* Eight characters fit into a key if all code points are below 256, otherwise three. */
    if (!make_label_keys(entries, count, prefix, 8))
        (void)make_label_keys(entries, count, prefix, CODE_POINT_BITS);
    if (count > 1)
        qsort(entries, count, sizeof *entries, compare_label_entries);
}

/*
 * If several instances have the same label, append #1, #2, ... to the label of each except the
 * first, in the order of the reply. Skip a number if the provider itself has given that label.
 *
 * entries  Sorted by sort_labels(); not changed.
 *
 * Returns whether any instances have the same label.
 */
static bool number_duplicate_labels(prfdata_sample_object *object, const label_entry *entries)
{
    const uint32_t count = object->found_count;
    bool are_any = false;
    int64_t index = 0;

    for (uint32_t i = 1; i < count; i++) {
        /* The chars of every label are in `label_chars`, with room for a number after them. */
        prfdata_text *label = &object->instances[entries[i].position].label;
        const size_t bare = label->count;
        uint16_t *end = object->label_chars + (label->chars - object->label_chars) + bare;
        label_entry numbered;

        if (entries[i - 1].rank != entries[i].rank || entries[i - 1].key != entries[i].key ||
            !prfdata_text_equal(entries[i - 1].label, entries[i].label)) {
            index = 0;
            continue;
        }
        are_any = true;
        end[0] = '#';
        do {
            label->count = bare + 1 + put_decimal(end + 1, ++index);
            numbered.label = *label;
        } while (bsearch(&numbered, entries, count, sizeof *entries, compare_entry_labels));
    }
    return are_any;
}

static void order_labels(prfdata_sample_object *object, label_entry *entries)
{
    sort_labels(entries, object->found_count);
    if (object->has_instances && number_duplicate_labels(object, entries)) {
        for (uint32_t i = 0; i < object->found_count; i++)
            entries[i].label = object->instances[entries[i].position].label;
        sort_labels(entries, object->found_count);
    }
    for (uint32_t i = 0; i < object->found_count; i++)
        object->found[i] = entries[i].position;
}

static uint32_t label_instances(const prfdata_sample *sample, prfdata_sample_object *object)
{
    label_entry *entries = make_sample_array(object->instance_count, sizeof *entries);
    size_t needed = 0;
    size_t used = 0;

    for (uint32_t i = 0; i < object->instance_count; i++)
        needed += measure_instance_label(sample, &object->instances[i]);
    object->label_chars = make_sample_array(needed, sizeof *object->label_chars);
    if (!entries || !object->label_chars) {
        free(entries);
        return ERROR_NOT_ENOUGH_MEMORY;
    }

    for (uint32_t i = 0; i < object->instance_count; i++) {
        prfdata_sample_instance *instance = &object->instances[i];
        label_entry *entry = &entries[object->found_count];

        if (instance->damaged)
            continue;
        instance->label.chars = object->label_chars + used;
        instance->label.count = put_instance_label(sample, instance, object->label_chars + used);
        used += instance->label.count + NUMBER_CHARS;
        entry->label = instance->label;
        entry->position = i;
        object->found_count++;
    }
    order_labels(object, entries);
    free(entries);
    return ERROR_SUCCESS;
}

/* ---- Values ---- */

static void find_base(const prfdata_sample_object *object, uint32_t position,
                      prfdata_sample_reader *reader)
{
    const prfdata_decode_counter *counter = &object->counters[position];

    reader->has_base = true;
    if (position + 1 < object->counter_count &&
        counter_kind_of(counter + 1) == PRFDATA_COUNTER_BASE) {
        reader->base = counter[1];
    } else if (reader->formula.is_multi) {
        reader->base = *counter;
        reader->base.definition.counter_size = 4;
        reader->base.definition.counter_offset += counter->definition.counter_size;
    } else {
        reader->has_base = false;
    }
}

/* Return the offset in a counter block at which a counter's number ends. Return UINT64_MAX if the
 * counter's size or offset is not valid for a number. */
static uint64_t end_of_number(const prfdata_decode_counter *counter)
{
    const uint32_t size = counter->definition.counter_size;
    const uint32_t offset = counter->definition.counter_offset;

    return (size == 4 || size == 8) && offset >= sizeof(prfdata_perf_counter_block)
               ? (uint64_t)offset + size
               : UINT64_MAX;
}

void prfdata_sample_reader_make(const prfdata_sample *sample, const prfdata_sample_object *object,
                                uint32_t position, prfdata_sample_reader *reader)
{
    const prfdata_decode_counter *counter = &object->counters[position];
    const uint32_t type = counter->definition.counter_type;

    *reader =
        (prfdata_sample_reader){.formula = prfdata_counter_formula_of(type), .raw = {.type = type}};
    reader->value = *counter;
    if (reader->formula.kind == PRFDATA_COUNTER_TEXT)
        reader->raw.status = PRFDATA_STATUS_IS_TEXT;
    else if (reader->formula.kind != PRFDATA_COUNTER_NUMBER)
        reader->raw.status = PRFDATA_STATUS_NO_FORMULA;
    if (reader->raw.status != PRFDATA_STATUS_OK)
        return;
    reader->raw.perf_time = sample->block.header.perf_time;
    reader->raw.perf_freq = sample->block.header.perf_freq;
    reader->raw.time_100ns = sample->block.header.perf_time_100ns;
    reader->raw.object_time = object->wire.header.perf_time;
    reader->raw.object_freq = object->wire.header.perf_freq;
    reader->has_value = reader->formula.numerator != PRFDATA_NUMERATOR_ZERO;
    if (!reader->has_value)
        return;
    reader->raw.value_bytes = counter->definition.counter_size;
    reader->value_end = end_of_number(&reader->value);
    if (prfdata_counter_formula_needs_base(&reader->formula))
        find_base(object, position, reader);
    if (reader->has_base)
        reader->raw.base_bytes = reader->base.definition.counter_size;
    reader->base_end = end_of_number(&reader->base);
}

/* Sets `error` if it returns PRFDATA_STATUS_INVALID_DATA. */
static uint32_t read_raw_values(const prfdata_sample_reader *reader,
                                const prfdata_decode_instance *instance, prfdata_compute_raw *raw,
                                prfdata_decode_error *error)
{
    if (reader->raw.status == PRFDATA_STATUS_IS_TEXT)
        return prfdata_decode_place(instance, &reader->value, error) == ERROR_SUCCESS
                   ? PRFDATA_STATUS_IS_TEXT
                   : PRFDATA_STATUS_INVALID_DATA;
    if (reader->raw.status != PRFDATA_STATUS_OK)
        return reader->raw.status;
    *raw = reader->raw;
    if (reader->has_value &&
        !prfdata_sample_number(instance, &reader->value, reader->value_end, &raw->value) &&
        prfdata_decode_value(instance, &reader->value, &raw->value, error) != ERROR_SUCCESS)
        return PRFDATA_STATUS_INVALID_DATA;
    if (reader->has_base &&
        !prfdata_sample_number(instance, &reader->base, reader->base_end, &raw->base) &&
        prfdata_decode_value(instance, &reader->base, &raw->base, error) != ERROR_SUCCESS)
        return PRFDATA_STATUS_INVALID_DATA;
    return PRFDATA_STATUS_OK;
}

uint32_t prfdata_sample_reader_get(const prfdata_sample_reader *reader,
                                   const prfdata_sample_instance *instance,
                                   prfdata_compute_raw *raw)
{
    prfdata_decode_error error;
    const uint32_t status = read_raw_values(reader, &instance->wire, raw, &error);

    if (status != PRFDATA_STATUS_OK)
        *raw = (prfdata_compute_raw){.type = reader->raw.type, .status = status};
    return status;
}

uint32_t prfdata_sample_raw(const prfdata_sample *sample, const prfdata_sample_object *object,
                            const prfdata_sample_instance *instance, uint32_t position,
                            prfdata_compute_raw *raw)
{
    prfdata_sample_reader reader;

    prfdata_sample_reader_make(sample, object, position, &reader);
    return prfdata_sample_reader_get(&reader, instance, raw);
}

/* ---- The sample ---- */

static uint32_t count_readable_objects(const prfdata_decode_block *block)
{
    prfdata_decode_cursor cursor = {0};
    prfdata_decode_object object;
    prfdata_decode_error error;
    uint32_t count = 0;
    uint32_t status;

    while ((status = prfdata_decode_object_next(block, &cursor, &object, &error)) !=
           ERROR_NO_MORE_ITEMS) {
        if (status != ERROR_INVALID_DATA)
            count++;
    }
    return count;
}

/* Count as damage each shown counter whose value or base cannot be read. */
static void check_instance_values(prfdata_sample *sample, const prfdata_sample_object *object,
                                  const prfdata_decode_instance *instance)
{
    for (uint32_t c = 0; c < object->counter_count; c++) {
        prfdata_sample_reader reader;
        prfdata_compute_raw raw;
        prfdata_decode_error error;

        prfdata_sample_reader_make(sample, object, c, &reader);
        if (prfdata_sample_shows(&object->counters[c]) &&
            read_raw_values(&reader, instance, &raw, &error) == PRFDATA_STATUS_INVALID_DATA)
            note_damage(sample, &error);
    }
}

/*
 * A value has the same offset in the counter blocks of all instances, so it is enough to check the
 * shortest block.
 */
static void check_object_values(prfdata_sample *sample, const prfdata_sample_object *object)
{
    const prfdata_sample_instance *shortest = NULL;

    for (uint32_t i = 0; i < object->instance_count; i++) {
        const prfdata_sample_instance *instance = &object->instances[i];

        if (!instance->damaged &&
            (!shortest || instance->wire.values_bytes < shortest->wire.values_bytes))
            shortest = instance;
    }
    if (shortest)
        check_instance_values(sample, object, &shortest->wire);
}

static uint32_t read_sample_objects(prfdata_sample *sample)
{
    prfdata_decode_cursor cursor = {0};
    prfdata_decode_object wire;
    prfdata_decode_error error;
    uint32_t status;

    sample->objects =
        make_sample_array(count_readable_objects(&sample->block), sizeof *sample->objects);
    if (!sample->objects)
        return ERROR_NOT_ENOUGH_MEMORY;
    while ((status = prfdata_decode_object_next(&sample->block, &cursor, &wire, &error)) !=
           ERROR_NO_MORE_ITEMS) {
        prfdata_sample_object *object = &sample->objects[sample->object_count];

        if (status != ERROR_SUCCESS)
            note_damage(sample, &error);
        if (status == ERROR_INVALID_DATA)
            continue;
        sample->object_count++;
        object->wire = wire;
        if (read_sample_counters(object) != ERROR_SUCCESS ||
            read_sample_instances(sample, object) != ERROR_SUCCESS)
            return ERROR_NOT_ENOUGH_MEMORY;
        check_object_values(sample, object);
    }
    if (!prfdata_title_index_begin(&sample->by_title, sample->object_count))
        return ERROR_NOT_ENOUGH_MEMORY;
    for (uint32_t i = 0; i < sample->object_count; i++)
        prfdata_title_index_add(&sample->by_title,
                                sample->objects[i].wire.header.object_name_title_index, i);
    prfdata_title_index_sort(&sample->by_title);
    /* Read all names before making labels, because a parent may follow its child. */
    for (uint32_t i = 0; i < sample->object_count; i++) {
        if (label_instances(sample, &sample->objects[i]) != ERROR_SUCCESS)
            return ERROR_NOT_ENOUGH_MEMORY;
    }
    return ERROR_SUCCESS;
}

/* The last number changes atomically, because several threads make samples. */
static uint64_t next_sample_number(void)
{
    static uint64_t last;
    uint64_t number = prfdata_load64_relaxed(&last);

    while (!prfdata_swap64_relaxed(&last, &number, number + 1))
        ;
    return number + 1;
}

uint32_t prfdata_sample_make(void *bytes, size_t size, prfdata_sample **sample)
{
    prfdata_sample *made = calloc(1, sizeof *made);
    prfdata_decode_error error;
    uint32_t status;

    if (!made)
        return ERROR_NOT_ENOUGH_MEMORY;
    status = prfdata_decode_open(bytes, size, &made->block, &error);
    if (status != ERROR_SUCCESS)
        note_damage(made, &error);
    if (status != ERROR_INVALID_DATA && read_sample_objects(made) != ERROR_SUCCESS) {
        prfdata_sample_free(made);
        return ERROR_NOT_ENOUGH_MEMORY;
    }
    made->number = next_sample_number();
    made->bytes = bytes;
    made->size = size;
    *sample = made;
    return ERROR_SUCCESS;
}

void prfdata_sample_free(prfdata_sample *sample)
{
    if (!sample)
        return;
    for (uint32_t i = 0; i < sample->object_count; i++) {
        prfdata_sample_object *object = &sample->objects[i];

        free(object->label_chars);
        free(object->name_chars);
        free(object->found);
        free(object->instances);
        prfdata_title_index_free(&object->by_title);
        free(object->counters);
    }
    prfdata_title_index_free(&sample->elsewhere);
    prfdata_title_index_free(&sample->by_title);
    free(sample->objects);
    free(sample->bytes);
    free(sample);
}

const prfdata_sample_object *prfdata_sample_find_object(const prfdata_sample *sample,
                                                        uint32_t title)
{
    const uint32_t position = prfdata_title_index_find(&sample->by_title, title);

    return position != PRFDATA_TITLE_INDEX_NONE ? &sample->objects[position] : NULL;
}

bool prfdata_sample_find_label(const prfdata_sample_object *object, prfdata_text label,
                               uint32_t *found)
{
    uint32_t low = 0;
    uint32_t high = object->found_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const prfdata_sample_instance *instance = &object->instances[object->found[middle]];
        int order = prfdata_text_compare(instance->label, label);

        if (order == 0) {
            *found = middle;
            return true;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

const prfdata_sample_instance *prfdata_sample_find_instance(const prfdata_sample_object *object,
                                                            prfdata_text label)
{
    uint32_t found;

    return prfdata_sample_find_label(object, label, &found)
               ? &object->instances[object->found[found]]
               : NULL;
}

const prfdata_sample_instance *
prfdata_sample_find_instance_near(const prfdata_sample_object *object, prfdata_text label,
                                  size_t position)
{
    if (position < object->instance_count) {
        const prfdata_sample_instance *instance = &object->instances[position];

        if (!instance->damaged && prfdata_text_is_same(instance->label, label))
            return instance;
    }
    return prfdata_sample_find_instance(object, label);
}

prfdata_text prfdata_sample_parent(const prfdata_sample *sample,
                                   const prfdata_sample_instance *instance)
{
    const prfdata_sample_instance *parent = NULL;
    const prfdata_text none = {NULL, 0};

    if (instance->wire.definition.parent_object_title_index != 0)
        parent = parent_instance_of(sample, &instance->wire);
    return parent ? parent_name(parent) : none;
}

uint32_t prfdata_sample_text(const prfdata_sample_object *object,
                             const prfdata_sample_instance *instance, uint32_t position,
                             uint16_t *chars, prfdata_text *text)
{
    const prfdata_decode_counter *counter = &object->counters[position];
    prfdata_decode_error error;
    size_t count;

    if (counter_kind_of(counter) != PRFDATA_COUNTER_TEXT)
        return PRFDATA_STATUS_INVALID_ARGUMENT;
    if (prfdata_decode_text(&object->wire, &instance->wire, counter, chars, &count, &error) !=
        ERROR_SUCCESS)
        return PRFDATA_STATUS_INVALID_DATA;
    text->chars = chars;
    text->count = count;
    return PRFDATA_STATUS_OK;
}
