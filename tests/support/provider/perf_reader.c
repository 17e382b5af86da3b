/* SPDX-License-Identifier: MIT */
#include "support/provider/perf_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/perf_types.h>

enum { OBJECT_BYTES = 64, COUNTER_BYTES = 40, INSTANCE_BYTES = 24 };

/* Offsets in PERF_OBJECT_TYPE. */
enum {
    TOTAL_BYTE_LENGTH = 0,
    DEFINITION_LENGTH = 4,
    HEADER_LENGTH = 8,
    OBJECT_NAME_INDEX = 12,
    OBJECT_NAME_TITLE = 16,
    OBJECT_HELP_INDEX = 20,
    OBJECT_HELP_TITLE = 24,
    OBJECT_DETAIL_LEVEL = 28,
    NUM_COUNTERS = 32,
    DEFAULT_COUNTER = 36,
    NUM_INSTANCES = 40,
    CODE_PAGE = 44,
    PERF_TIME = 48,
    PERF_FREQ = 56
};

/* Offsets in PERF_COUNTER_DEFINITION. */
enum {
    COUNTER_NAME_INDEX = 4,
    COUNTER_NAME_TITLE = 8,
    COUNTER_HELP_INDEX = 12,
    COUNTER_HELP_TITLE = 16,
    DEFAULT_SCALE = 20,
    COUNTER_DETAIL_LEVEL = 24,
    COUNTER_TYPE = 28,
    COUNTER_SIZE = 32,
    COUNTER_OFFSET = 36
};

/* Offsets in PERF_INSTANCE_DEFINITION. */
enum {
    PARENT_TITLE_INDEX = 4,
    PARENT_INSTANCE = 8,
    UNIQUE_ID = 12,
    NAME_OFFSET = 16,
    NAME_LENGTH = 20
};

static uint16_t get16(const unsigned char *at)
{
    return (uint16_t)(at[0] | at[1] << 8);
}

static uint32_t get32(const unsigned char *at)
{
    return get16(at) | (uint32_t)get16(at + 2) << 16;
}

static uint64_t get64(const unsigned char *at)
{
    return get32(at) | (uint64_t)get32(at + 4) << 32;
}

/* ---- Counter types ---- */

static bool is_base(uint32_t type)
{
    return type == PERF_COUNTER_MULTI_BASE || type == PERF_SAMPLE_BASE || type == PERF_RAW_BASE ||
           type == PERF_LARGE_RAW_BASE || type == PERF_AVERAGE_BASE;
}

/* Return the type of the base that must follow, or 0 if none must. A base may also follow a
 * PERF_SAMPLE_COUNTER. */
static uint32_t base_of(uint32_t type)
{
    switch (type) {
    case PERF_SAMPLE_FRACTION:
        return PERF_SAMPLE_BASE;
    case PERF_RAW_FRACTION:
        return PERF_RAW_BASE;
    case PERF_LARGE_RAW_FRACTION:
    case PERF_PRECISION_SYSTEM_TIMER:
    case PERF_PRECISION_100NS_TIMER:
    case PERF_PRECISION_OBJECT_TIMER:
        return PERF_LARGE_RAW_BASE;
    case PERF_AVERAGE_TIMER:
    case PERF_AVERAGE_BULK:
        return PERF_AVERAGE_BASE;
    default:
        /* The bit is PERF_MULTI_COUNTER, which the base itself also has. */
        return (type & 0x02000000) && !is_base(type) ? PERF_COUNTER_MULTI_BASE : 0;
    }
}

static bool may_be_base_of(uint32_t base, uint32_t type)
{
    return base_of(type) == base || (type == PERF_SAMPLE_COUNTER && base == PERF_SAMPLE_BASE);
}

/* Return the size from bits 8 and 9, except for the one type for which Microsoft's own reader loads
 * 8 bytes. */
static uint32_t size_of_type(uint32_t type)
{
    static const uint32_t sizes[4] = {4, 8, 0, UINT32_MAX};

    return type == PERF_AVERAGE_TIMER ? 8 : sizes[type >> 8 & 3];
}

static bool is_detail_level(uint32_t level)
{
    return level == 100 || level == 200 || level == 300 || level == 400;
}

/* ---- Definitions ---- */

static const unsigned char *counter_at(const unsigned char *object, uint32_t position)
{
    return object + OBJECT_BYTES + COUNTER_BYTES * (size_t)position;
}

static const char *titles_mistake(const unsigned char *at, bool none)
{
    const uint32_t name = get32(at + COUNTER_NAME_INDEX), help = get32(at + COUNTER_HELP_INDEX);

    if (get32(at + COUNTER_NAME_TITLE) != 0 || get32(at + COUNTER_HELP_TITLE) != 0)
        return "a counter's title pointers are not 0";
    if (none)
        return name != 0 || help != 0 ? "a base has titles" : NULL;
    if (name == 0 || name % 2 != 0)
        return "a counter's name index is not even";
    if (help % 2 != 1)
        return "a counter's help index is not odd";
    return NULL;
}

static const char *counter_mistake(const unsigned char *object, uint32_t position)
{
    const unsigned char *at = counter_at(object, position);
    const uint32_t type = get32(at + COUNTER_TYPE), size = get32(at + COUNTER_SIZE);
    const uint32_t offset = get32(at + COUNTER_OFFSET);
    const uint32_t before = position > 0 ? get32(at - COUNTER_BYTES + COUNTER_TYPE) : 0;
    const int32_t scale = (int32_t)get32(at + DEFAULT_SCALE);
    const char *mistake = titles_mistake(at, is_base(type));

    if (mistake)
        return mistake;
    if (scale < -7 || scale > 7)
        return "DefaultScale is not -7 to 7";
    if (!is_detail_level(get32(at + COUNTER_DETAIL_LEVEL)))
        return "a counter's DetailLevel is none";
    if (size != size_of_type(type))
        return "CounterSize is not the type's";
    if (offset < 4 || (size > 0 && offset % size != 0))
        return "CounterOffset is in ByteLength, or not aligned";
    if (is_base(type) && (position == 0 || !may_be_base_of(type, before)))
        return "a base does not follow its counter";
    if (position > 0 && base_of(before) != 0 && base_of(before) != type)
        return "a counter is not followed by its base";
    if (type == PERF_COUNTER_MULTI_BASE && offset != get32(at - COUNTER_BYTES + COUNTER_OFFSET) + 8)
        return "a multi timer's second value does not follow its first";
    return NULL;
}

static const char *places_mistake(const unsigned char *object)
{
    const uint32_t count = get32(object + NUM_COUNTERS);

    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < i; j++) {
            const unsigned char *a = counter_at(object, i), *b = counter_at(object, j);

            if (get32(a + COUNTER_OFFSET) < get32(b + COUNTER_OFFSET) + get32(b + COUNTER_SIZE) &&
                get32(b + COUNTER_OFFSET) < get32(a + COUNTER_OFFSET) + get32(a + COUNTER_SIZE))
                return "two values overlap";
            if (get32(a + COUNTER_NAME_INDEX) != 0 &&
                get32(a + COUNTER_NAME_INDEX) == get32(b + COUNTER_NAME_INDEX))
                return "two counters have one title";
        }
    return NULL;
}

static const char *definitions_mistake(const unsigned char *object, size_t size)
{
    const uint32_t count = get32(object + NUM_COUNTERS);
    uint32_t least_level = 400;
    const char *mistake;

    if (count == 0 || count > (size - OBJECT_BYTES) / COUNTER_BYTES)
        return "NumCounters is 0 or does not fit";
    if (get32(object + DEFINITION_LENGTH) != OBJECT_BYTES + COUNTER_BYTES * count)
        return "DefinitionLength is not the sum of the definitions";
    for (uint32_t i = 0; i < count; i++) {
        const unsigned char *at = counter_at(object, i);

        if (get32(at) != COUNTER_BYTES)
            return "a counter definition's ByteLength is not 40";
        mistake = counter_mistake(object, i);
        if (mistake)
            return mistake;
        if (get32(at + COUNTER_DETAIL_LEVEL) < least_level)
            least_level = get32(at + COUNTER_DETAIL_LEVEL);
    }
    if (base_of(get32(counter_at(object, count - 1) + COUNTER_TYPE)) != 0)
        return "the last counter lacks its base";
    if (get32(object + OBJECT_DETAIL_LEVEL) != least_level)
        return "the object's DetailLevel is not the least of its counters'";
    return places_mistake(object);
}

static const char *header_mistake(const unsigned char *object)
{
    const int32_t default_counter = (int32_t)get32(object + DEFAULT_COUNTER);

    if (get32(object + HEADER_LENGTH) != OBJECT_BYTES)
        return "HeaderLength is not 64";
    if (get32(object + OBJECT_NAME_INDEX) == 0 || get32(object + OBJECT_NAME_INDEX) % 2 != 0)
        return "an object's name index is not even";
    if (get32(object + OBJECT_HELP_INDEX) % 2 != 1)
        return "an object's help index is not odd";
    if (get32(object + OBJECT_NAME_TITLE) != 0 || get32(object + OBJECT_HELP_TITLE) != 0)
        return "an object's title pointers are not 0";
    if (default_counter < -1 || default_counter >= (int32_t)get32(object + NUM_COUNTERS))
        return "DefaultCounter is no position";
    if (get32(object + CODE_PAGE) != 0)
        return "CodePage is not 0";
    if ((int64_t)get64(object + PERF_TIME) <= 0 || (int64_t)get64(object + PERF_FREQ) <= 0)
        return "PerfTime or PerfFreq is not positive";
    return NULL;
}

/* ---- Instances ---- */

static uint32_t instance_count(const unsigned char *object)
{
    const int32_t count = (int32_t)get32(object + NUM_INSTANCES);

    return count > 0 ? (uint32_t)count : 0;
}

static const char *block_mistake(const unsigned char *object, const unsigned char *block,
                                 size_t size)
{
    const uint32_t length = size >= 8 ? get32(block) : 0;

    if (length < 8 || length % 8 != 0 || length > size)
        return "a counter block's ByteLength is no multiple of 8, or does not fit";
    for (uint32_t i = 0; i < get32(object + NUM_COUNTERS); i++) {
        const unsigned char *at = counter_at(object, i);

        if (get32(at + COUNTER_OFFSET) > length - get32(at + COUNTER_SIZE))
            return "a value is not inside the counter block";
    }
    return NULL;
}

static bool is_forbidden(uint16_t unit)
{
    return unit < 0x20 || (unit >= 0x7F && unit < 0xA0) || (unit < 0x80 && strchr("\\()/#*", unit));
}

static const char *name_mistake(const unsigned char *name, uint32_t length)
{
    if (length % 2 != 0 || length < 4)
        return "NameLength is odd, or of an empty name";
    if (get16(name + length - 2) != 0)
        return "a name is not terminated";
    for (uint32_t i = 0; i + 2 < length; i += 2) {
        const uint16_t unit = get16(name + i), next = get16(name + i + 2);

        if (is_forbidden(unit))
            return "a name has a character that paths forbid";
        if (unit >= 0xD800 && unit < 0xDC00) {
            if (next < 0xDC00 || next >= 0xE000)
                return "a name has a lone surrogate";
            i += 2;
        } else if (unit >= 0xDC00 && unit < 0xE000) {
            return "a name has a lone surrogate";
        }
    }
    return NULL;
}

/* An instance with a number has no name. Its NameOffset is 0, or 24 with an empty name for readers
 * that search for a NUL. */
static const char *numbered_mistake(const unsigned char *instance, uint32_t length)
{
    const uint32_t offset = get32(instance + NAME_OFFSET);

    if ((int32_t)get32(instance + UNIQUE_ID) == -1)
        return "an instance has neither name nor number";
    if (length != (offset == 0 ? INSTANCE_BYTES : INSTANCE_BYTES + 8))
        return "a numbered instance has room for a name";
    if (offset != 0 && offset != INSTANCE_BYTES)
        return "the NameOffset of a numbered instance is neither 0 nor 24";
    return offset != 0 && get64(instance + offset) != 0 ? "an empty name is not empty" : NULL;
}

static const char *instance_mistake(const unsigned char *instance, size_t size)
{
    const uint32_t length = size >= INSTANCE_BYTES ? get32(instance) : 0;
    const uint32_t name_length = length > 0 ? get32(instance + NAME_LENGTH) : 0;
    const int32_t unique_id = length > 0 ? (int32_t)get32(instance + UNIQUE_ID) : 0;

    if (length < INSTANCE_BYTES || length % 8 != 0 || length > size)
        return "an instance's ByteLength is no multiple of 8, or does not fit";
    if (name_length == 0)
        return numbered_mistake(instance, length);
    if (unique_id != -1)
        return "a named instance has a number";
    if (get32(instance + NAME_OFFSET) != INSTANCE_BYTES)
        return "a name does not follow its structure directly";
    if (name_length > length - INSTANCE_BYTES || length - INSTANCE_BYTES - name_length >= 8)
        return "a name does not fit, or is followed by more than padding";
    for (uint32_t i = INSTANCE_BYTES + name_length; i < length; i++)
        if (instance[i] != 0)
            return "the padding of a name is not 0";
    return name_mistake(instance + INSTANCE_BYTES, name_length);
}

static const char *parent_mistake(const perf_reply *reply, const unsigned char *object,
                                  const unsigned char *instance)
{
    const uint32_t title = get32(instance + PARENT_TITLE_INDEX);
    const size_t parent = title != 0 ? perf_reader_object(reply, title) : 0;

    if (title == 0)
        return get32(instance + PARENT_INSTANCE) + 1 > 1 ? "no parent, but its position" : NULL;
    if (parent == SIZE_MAX)
        return "a parent's object is not in the reply";
    if (reply->bytes + parent == object)
        return "an object is its own parent";
    if (get32(instance + PARENT_INSTANCE) >= instance_count(reply->bytes + parent))
        return "a parent does not exist";
    return NULL;
}

static uint16_t ascii_lower(uint16_t unit)
{
    return unit >= 'A' && unit <= 'Z' ? (uint16_t)(unit + 32) : unit;
}

/* Compare two instances by parent, number and name, ignoring ASCII case. If the result is 0,
 * readers would confuse them. */
static int compare_instances(const void *left, const void *right)
{
    const unsigned char *a = *(const unsigned char *const *)left;
    const unsigned char *b = *(const unsigned char *const *)right;
    static const size_t fields[] = {PARENT_TITLE_INDEX, PARENT_INSTANCE, UNIQUE_ID, NAME_LENGTH};

    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
        if (get32(a + fields[i]) != get32(b + fields[i]))
            return get32(a + fields[i]) < get32(b + fields[i]) ? -1 : 1;
    for (uint32_t i = 0; i < get32(a + NAME_LENGTH); i += 2) {
        const uint16_t x = ascii_lower(get16(a + INSTANCE_BYTES + i));
        const uint16_t y = ascii_lower(get16(b + INSTANCE_BYTES + i));

        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

static const char *uniqueness_mistake(const unsigned char **instances, uint32_t count)
{
    qsort(instances, count, sizeof(instances[0]), compare_instances);
    for (uint32_t i = 1; i < count; i++)
        if (compare_instances(&instances[i - 1], &instances[i]) == 0)
            return "two instances have one name";
    return NULL;
}

static const char *walk_mistake(const perf_reply *reply, const unsigned char *object,
                                const unsigned char **instances)
{
    const uint32_t total = get32(object + TOTAL_BYTE_LENGTH);
    size_t offset = get32(object + DEFINITION_LENGTH);
    const char *mistake = NULL;

    for (uint32_t i = 0; i < instance_count(object) && !mistake; i++) {
        instances[i] = object + offset;
        mistake = instance_mistake(object + offset, total - offset);
        if (mistake)
            break;
        mistake = parent_mistake(reply, object, object + offset);
        offset += get32(object + offset);
        if (!mistake)
            mistake = block_mistake(object, object + offset, total - offset);
        if (!mistake)
            offset += get32(object + offset);
    }
    if (!mistake && offset != total)
        mistake = "the instances do not end with the object";
    return mistake ? mistake : uniqueness_mistake(instances, instance_count(object));
}

static const char *contents_mistake(const perf_reply *reply, const unsigned char *object)
{
    const uint32_t total = get32(object + TOTAL_BYTE_LENGTH);
    const uint32_t defined = get32(object + DEFINITION_LENGTH);
    const int32_t count = (int32_t)get32(object + NUM_INSTANCES);
    const unsigned char **instances;
    const char *mistake;

    if (count < -3)
        return "NumInstances is no count";
    if (count == -2 || count == -3)
        return total != defined ? "metadata is followed by something" : NULL;
    if (count == -1) {
        mistake = block_mistake(object, object + defined, total - defined);
        if (!mistake && get32(object + defined) != total - defined)
            mistake = "the counter block does not end with the object";
        return mistake;
    }
    if ((uint32_t)count > (total - defined) / (INSTANCE_BYTES + 8))
        return "more instances than bytes";
    instances = malloc(((size_t)count + 1) * sizeof(instances[0]));
    if (!instances)
        return "no memory";
    mistake = walk_mistake(reply, object, instances);
    free(instances);
    return mistake;
}

/* ---- The reply ---- */

static const char *chain_mistake(const perf_reply *reply)
{
    size_t offset = 0;

    for (uint32_t i = 0; i < reply->object_count; i++) {
        const unsigned char *object = reply->bytes + offset;
        const size_t left = reply->size - offset;
        const uint32_t total = left >= OBJECT_BYTES ? get32(object) : 0;
        const char *mistake;

        if (total < OBJECT_BYTES || total % 8 != 0 || total > left)
            return "an object's TotalByteLength is no multiple of 8, or does not fit";
        mistake = header_mistake(object);
        if (!mistake)
            mistake = definitions_mistake(object, total);
        if (mistake)
            return mistake;
        offset += total;
    }
    return offset != reply->size ? "the objects do not end with the reply" : NULL;
}

static const char *object_titles_mistake(const perf_reply *reply)
{
    size_t offset = 0;

    for (uint32_t i = 0; i < reply->object_count; i++) {
        if (perf_reader_object(reply, get32(reply->bytes + offset + OBJECT_NAME_INDEX)) != offset)
            return "an object is there twice";
        offset += get32(reply->bytes + offset);
    }
    return NULL;
}

const char *perf_reader_mistake(const perf_reply *reply)
{
    const char *mistake = chain_mistake(reply);
    size_t offset = 0;

    if (reply->size % 8 != 0)
        return "the reply is no multiple of 8";
    if (!mistake)
        mistake = object_titles_mistake(reply);
    for (uint32_t i = 0; i < reply->object_count && !mistake; i++) {
        mistake = contents_mistake(reply, reply->bytes + offset);
        offset += get32(reply->bytes + offset);
    }
    return mistake;
}

size_t perf_reader_object(const perf_reply *reply, uint32_t title)
{
    size_t offset = 0;

    for (uint32_t i = 0; i < reply->object_count; i++) {
        if (get32(reply->bytes + offset + OBJECT_NAME_INDEX) == title)
            return offset;
        offset += get32(reply->bytes + offset);
    }
    return SIZE_MAX;
}

uint32_t perf_reader_object_field(const perf_reply *reply, uint32_t title, size_t offset)
{
    const size_t object = perf_reader_object(reply, title);

    return object == SIZE_MAX ? 0 : get32(reply->bytes + object + offset);
}

uint32_t perf_reader_counter_field(const perf_reply *reply, uint32_t title, uint32_t position,
                                   size_t offset)
{
    const size_t object = perf_reader_object(reply, title);

    if (object == SIZE_MAX || position >= get32(reply->bytes + object + NUM_COUNTERS))
        return 0;
    return get32(counter_at(reply->bytes + object, position) + offset);
}

static const unsigned char *instance_at(const unsigned char *object, uint32_t index)
{
    const unsigned char *at = object + get32(object + DEFINITION_LENGTH);

    for (uint32_t i = 0; i < index; i++) {
        at += get32(at);
        at += get32(at);
    }
    return at;
}

size_t perf_reader_instance(const perf_reply *reply, uint32_t title, uint32_t index)
{
    const size_t object = perf_reader_object(reply, title);

    if (object == SIZE_MAX || index >= instance_count(reply->bytes + object))
        return SIZE_MAX;
    return (size_t)(instance_at(reply->bytes + object, index) - reply->bytes);
}

static size_t utf8_of(uint32_t code, char *text)
{
    if (code < 0x80) {
        text[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        text[0] = (char)(0xC0 | code >> 6);
        text[1] = (char)(0x80 | (code & 0x3F));
        return 2;
    }
    text[0] = (char)(0xE0 | code >> 12); /* names in tests have no surrogates */
    text[1] = (char)(0x80 | (code >> 6 & 0x3F));
    text[2] = (char)(0x80 | (code & 0x3F));
    return 3;
}

static void name_of(const unsigned char *instance, char *name, size_t name_bytes)
{
    const uint32_t length = get32(instance + NAME_LENGTH);
    size_t used = 0;

    if (length == 0) {
        snprintf(name, name_bytes, "#%ld", (long)(int32_t)get32(instance + UNIQUE_ID));
        return;
    }
    for (uint32_t i = 0; i + 2 < length && used + 4 < name_bytes; i += 2)
        used += utf8_of(get16(instance + INSTANCE_BYTES + i), name + used);
    name[used] = '\0';
}

static void parent_name_of(const perf_reply *reply, const unsigned char *instance, char *name,
                           size_t name_bytes)
{
    const size_t parent = perf_reader_object(reply, get32(instance + PARENT_TITLE_INDEX));

    name[0] = '\0';
    if (parent != SIZE_MAX)
        name_of(instance_at(reply->bytes + parent, get32(instance + PARENT_INSTANCE)), name,
                name_bytes);
}

static const unsigned char *find_instance(const perf_reply *reply, const unsigned char *object,
                                          const char *parent, const char *instance)
{
    const unsigned char *at = instance_at(object, 0);
    char name[1024];

    for (uint32_t i = 0; i < instance_count(object); i++) {
        bool right;

        name_of(at, name, sizeof(name));
        right = strcmp(name, instance) == 0;
        if (right && parent) {
            parent_name_of(reply, at, name, sizeof(name));
            right = strcmp(name, parent) == 0;
        }
        if (right)
            return at;
        at += get32(at);
        at += get32(at);
    }
    return NULL;
}

bool perf_reader_value(const perf_reply *reply, uint32_t title, const char *parent,
                       const char *instance, uint32_t position, uint64_t *value)
{
    const size_t offset = perf_reader_object(reply, title);
    const unsigned char *object = reply->bytes + (offset == SIZE_MAX ? 0 : offset);
    const unsigned char *block, *counter;

    if (offset == SIZE_MAX || position >= get32(object + NUM_COUNTERS))
        return false;
    if (!instance) {
        if ((int32_t)get32(object + NUM_INSTANCES) != -1)
            return false;
        block = object + get32(object + DEFINITION_LENGTH);
    } else {
        block = find_instance(reply, object, parent, instance);
        if (!block)
            return false;
        block += get32(block);
    }
    counter = counter_at(object, position);
    block += get32(counter + COUNTER_OFFSET);
    if (get32(counter + COUNTER_SIZE) == 0)
        return false;
    *value = get32(counter + COUNTER_SIZE) == 4 ? get32(block) : get64(block);
    return true;
}

void perf_reader_instance_name(const perf_reply *reply, uint32_t title, uint32_t index, char *name,
                               size_t name_bytes)
{
    const size_t object = perf_reader_object(reply, title);

    name[0] = '\0';
    if (object != SIZE_MAX && index < instance_count(reply->bytes + object))
        name_of(instance_at(reply->bytes + object, index), name, name_bytes);
}
