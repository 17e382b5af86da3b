/* SPDX-License-Identifier: MIT */
#include "prfcheck/judge.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/perf_types.h>

#include "block/wire_fields.h"
#include "core/counter_types.h"
#include "text/text.h"

enum {
    OBJECT_BYTES = sizeof(prfdata_perf_object_type),
    COUNTER_BYTES = sizeof(prfdata_perf_counter_definition),
    INSTANCE_BYTES = sizeof(prfdata_perf_instance_definition),
    BLOCK_BYTES = sizeof(prfdata_perf_counter_block)
};

/* The offset in the reply of a field of an object, a counter or an instance. */
#define OBJECT_AT(o, field)   ((o)->at + PRFDATA_WIRE_OFFSET(object_type, field))
#define COUNTER_AT(c, field)  ((c)->at + PRFDATA_WIRE_OFFSET(counter_definition, field))
#define INSTANCE_AT(i, field) ((i)->at + PRFDATA_WIRE_OFFSET(instance_definition, field))

/* Bits of a counter type (winperf.h). */
#define TYPE_SIZE_MASK     0x00000300u
#define TYPE_KIND_MASK     0x00000C00u
#define TYPE_KIND_TEXT     0x00000800u
#define TYPE_TIMER_MASK    0x00300000u
#define TYPE_OBJECT_TIMER  0x00200000u
#define TYPE_DELTA_COUNTER 0x00400000u

/* Pairs of counters are compared up to here; our own maps have no more. */
#define MAX_COMPARED 1024u

typedef struct counter {
    uint64_t at; /* of the definition */
    prfdata_perf_counter_definition definition;
} counter;

typedef struct instance {
    uint64_t at;     /* of the definition; of the block, if there is none */
    uint64_t values; /* of the counter block */
    uint32_t values_bytes;
    prfdata_perf_instance_definition definition; /* zeros, if there is none */
    prfdata_text name;
} instance;

typedef struct object {
    uint64_t at;
    prfdata_perf_object_type header;
    uint64_t end;      /* as TotalByteLength says, or of the reply */
    bool end_is_known; /* it fits */
    uint64_t contents; /* where instances or the counter block begin */
    bool contents_are_known;
    counter *counters;
    uint32_t counter_count; /* of those that are there */
    instance *instances;    /* one of an object without instances, too */
    uint32_t instance_count;
    uint16_t *chars; /* the names' */
} object;

/* Which object has a title. */
typedef struct titled {
    uint32_t title;
    uint32_t position;
} titled;

typedef struct judge {
    const prfdata_judge_reply *reply;
    const prfdata_judge_titles *titles;
    bool metadata;
    prfdata_findings *findings; /* NULL: read only */
    object *objects;
    uint32_t object_count; /* of those that are there */
    titled *by_title;      /* the same objects, sorted */
    bool no_memory;
} judge;

static prfdata_bytes reply_bytes(const prfdata_judge_reply *reply)
{
    return (prfdata_bytes){reply->bytes, reply->size};
}

/* calloc for `count` elements, at least one. */
static void *make(judge *j, uint64_t count, size_t size)
{
    void *memory = count < SIZE_MAX / size ? calloc((size_t)count + 1, size) : NULL;

    if (!memory)
        j->no_memory = true;
    return memory;
}

/* A finding, unless the reply is only read. */
#define TELL(j, rule, offset, ...)                                                                 \
    do {                                                                                           \
        if ((j)->findings)                                                                         \
            prfdata_findings_add((j)->findings, PRFDATA_RULE_##rule, offset, __VA_ARGS__);         \
    } while (0)

/* ---- The chain of objects ---- */

static bool chain_ends_with_reply(const judge *j, uint64_t at)
{
    while (j->reply->size - at >= OBJECT_BYTES) {
        const uint32_t total =
            prfdata_wire_fields_object_type(reply_bytes(j->reply), at).total_byte_length;

        if (total < OBJECT_BYTES || total > j->reply->size - at)
            return false;
        at += total;
    }
    return at == j->reply->size;
}

static void read_chain(judge *j)
{
    const uint64_t size = j->reply->size;
    const uint32_t said = j->reply->object_count;
    uint64_t at = 0;

    j->objects = make(j, said < size / OBJECT_BYTES ? said : size / OBJECT_BYTES, sizeof(object));
    if (!j->objects)
        return;
    for (uint32_t i = 0; i < said; i++) {
        const uint64_t left = size - at;
        object *o = &j->objects[i];
        uint32_t total;

        if (left == 0) {
            TELL(j, OBJECT_COUNT, at, "Collect says %u objects, the reply has %u", (unsigned)said,
                 (unsigned)i);
            return;
        }
        if (left < OBJECT_BYTES) {
            TELL(j, OBJECT_LENGTH, at, "%u bytes are left for a PERF_OBJECT_TYPE of 64",
                 (unsigned)left);
            return;
        }
        o->at = at;
        o->header = prfdata_wire_fields_object_type(reply_bytes(j->reply), at);
        total = o->header.total_byte_length;
        o->end_is_known = total >= OBJECT_BYTES && total <= left;
        o->end = o->end_is_known ? at + total : size;
        j->object_count = i + 1;
        if (!o->end_is_known) {
            TELL(j, OBJECT_LENGTH, at,
                 "PERF_OBJECT_TYPE.TotalByteLength is %u, allowed is 64 to %" PRIu64,
                 (unsigned)total, left);
            return;
        }
        if (total % 8 != 0)
            TELL(j, OBJECT_ALIGNMENT, at,
                 "PERF_OBJECT_TYPE.TotalByteLength is %u, no multiple of 8", (unsigned)total);
        at += total;
    }
    if (at == size)
        return;
    if (chain_ends_with_reply(j, at))
        TELL(j, OBJECT_COUNT, at, "Collect says %u objects, the reply has more", (unsigned)said);
    else
        TELL(j, OBJECT_LENGTH, at, "the objects end here, the reply ends at byte %" PRIu64, size);
}

/* ---- Titles and detail levels ---- */

static void judge_name_index(judge *j, uint64_t at, uint32_t index, const char *name)
{
    if (index == 0 || index % 2 != 0)
        TELL(j, TITLE_PARITY, at, "%s is %u, must be even", name, (unsigned)index);
    else if (j->titles && j->titles->first_counter != 0 &&
             (index < j->titles->first_counter ||
              (j->titles->last_counter != 0 && index > j->titles->last_counter)))
        TELL(j, TITLE_RANGE, at, "%s is %u, the service has %u to %u", name, (unsigned)index,
             (unsigned)j->titles->first_counter, (unsigned)j->titles->last_counter);
}

static void judge_help_index(judge *j, uint64_t at, uint32_t index, const char *name)
{
    if (index % 2 != 1)
        TELL(j, TITLE_PARITY, at, "%s is %u, must be odd", name, (unsigned)index);
    else if (j->titles && j->titles->first_help != 0 &&
             (index < j->titles->first_help ||
              (j->titles->last_help != 0 && index > j->titles->last_help)))
        TELL(j, TITLE_RANGE, at, "%s is %u, the service has %u to %u", name, (unsigned)index,
             (unsigned)j->titles->first_help, (unsigned)j->titles->last_help);
}

static void judge_title_pointer(judge *j, uint64_t at, uint32_t pointer, const char *name)
{
    if (pointer != 0)
        TELL(j, TITLE_POINTER, at, "%s is %u", name, (unsigned)pointer);
}

static bool is_detail_level(uint32_t level)
{
    return level == PERF_DETAIL_NOVICE || level == PERF_DETAIL_ADVANCED ||
           level == PERF_DETAIL_EXPERT || level == PERF_DETAIL_WIZARD;
}

/* ---- Counter definitions ---- */

static bool is_base(const prfdata_counter_type *type)
{
    return type && (type->flags & PRFDATA_TYPE_BASE);
}

/* Whether `base` may stand behind `before`. */
static bool takes_base(uint32_t before, uint32_t base)
{
    const prfdata_counter_type *type = prfdata_counter_types_find(before);

    return type && (type->flags & (PRFDATA_TYPE_NEEDS_BASE | PRFDATA_TYPE_MAY_HAVE_BASE)) &&
           type->base_type == base;
}

static void judge_counter_size(judge *j, const counter *c)
{
    static const uint32_t sizes[4] = {4, 8, 0, UINT32_MAX}; /* the last: of variable length */
    const uint32_t expected = sizes[(c->definition.counter_type & TYPE_SIZE_MASK) >> 8];
    const bool is_number_size = c->definition.counter_size == 4 || c->definition.counter_size == 8;

    /* Microsoft's own reader loads 8 bytes of it, its bits say 4: both are right. */
    if (c->definition.counter_type == PERF_AVERAGE_TIMER && is_number_size)
        return;
    if (expected == UINT32_MAX) {
        if ((c->definition.counter_type & TYPE_KIND_MASK) != TYPE_KIND_TEXT && !is_number_size)
            TELL(j, COUNTER_SIZE, COUNTER_AT(c, counter_size),
                 "PERF_COUNTER_DEFINITION.CounterSize is %u, numbers have 4 or 8",
                 (unsigned)c->definition.counter_size);
        return;
    }
    if (c->definition.counter_size != expected)
        TELL(j, COUNTER_SIZE, COUNTER_AT(c, counter_size),
             "PERF_COUNTER_DEFINITION.CounterSize is %u, type 0x%08X has %u",
             (unsigned)c->definition.counter_size, (unsigned)c->definition.counter_type,
             (unsigned)expected);
}

static void judge_counter_place(judge *j, const counter *c)
{
    if (c->definition.counter_size == 0)
        return; /* no value */
    if (c->definition.counter_offset < BLOCK_BYTES)
        TELL(j, COUNTER_IN_LENGTH, COUNTER_AT(c, counter_offset),
             "PERF_COUNTER_DEFINITION.CounterOffset is %u, must be at least 4",
             (unsigned)c->definition.counter_offset);
    else if ((c->definition.counter_size == 4 || c->definition.counter_size == 8) &&
             c->definition.counter_offset % c->definition.counter_size != 0)
        TELL(j, COUNTER_ALIGNMENT, COUNTER_AT(c, counter_offset),
             "PERF_COUNTER_DEFINITION.CounterOffset is %u, no multiple of its size %u",
             (unsigned)c->definition.counter_offset, (unsigned)c->definition.counter_size);
}

static void judge_counter_alone(judge *j, const counter *c)
{
    const prfdata_counter_type *type = prfdata_counter_types_find(c->definition.counter_type);
    const int32_t scale = c->definition.default_scale;

    if (!type)
        TELL(j, COUNTER_TYPE, COUNTER_AT(c, counter_type),
             "PERF_COUNTER_DEFINITION.CounterType is 0x%08X, none of winperf.h's",
             (unsigned)c->definition.counter_type);
    if (!is_base(type)) {
        judge_name_index(j, COUNTER_AT(c, counter_name_title_index),
                         c->definition.counter_name_title_index,
                         "PERF_COUNTER_DEFINITION.CounterNameTitleIndex");
        judge_help_index(j, COUNTER_AT(c, counter_help_title_index),
                         c->definition.counter_help_title_index,
                         "PERF_COUNTER_DEFINITION.CounterHelpTitleIndex");
    }
    judge_title_pointer(j, COUNTER_AT(c, counter_name_title), c->definition.counter_name_title,
                        "CounterNameTitle");
    judge_title_pointer(j, COUNTER_AT(c, counter_help_title), c->definition.counter_help_title,
                        "CounterHelpTitle");
    if (scale < -7 || scale > 7)
        TELL(j, COUNTER_SCALE, COUNTER_AT(c, default_scale),
             "PERF_COUNTER_DEFINITION.DefaultScale is %d", (int)scale);
    if (!is_detail_level(c->definition.detail_level))
        TELL(j, DETAIL_LEVEL, COUNTER_AT(c, detail_level),
             "PERF_COUNTER_DEFINITION.DetailLevel is %u", (unsigned)c->definition.detail_level);
    judge_counter_size(j, c);
    judge_counter_place(j, c);
}

static void judge_bases(judge *j, const object *o)
{
    for (uint32_t i = 0; i < o->counter_count; i++) {
        const counter *c = &o->counters[i];
        const counter *next = i + 1 < o->counter_count ? c + 1 : NULL;
        const prfdata_counter_type *type = prfdata_counter_types_find(c->definition.counter_type);

        if (is_base(type) &&
            (i == 0 || !takes_base(c[-1].definition.counter_type, c->definition.counter_type)))
            TELL(j, BASE_ALONE, COUNTER_AT(c, counter_type),
                 "PERF_%s stands behind no counter that it is the base of", type->name);
        if (type && (type->flags & PRFDATA_TYPE_NEEDS_BASE) &&
            (!next || next->definition.counter_type != type->base_type))
            TELL(j, BASE_MISSING, COUNTER_AT(c, counter_type),
                 "PERF_%s is not followed by its base", type->name);
        if (next && next->definition.counter_type == PERF_COUNTER_MULTI_BASE &&
            takes_base(c->definition.counter_type, next->definition.counter_type) &&
            next->definition.counter_offset != (uint64_t)c->definition.counter_offset + 8)
            TELL(j, MULTI_SECOND, COUNTER_AT(next, counter_offset),
                 "PERF_COUNTER_DEFINITION.CounterOffset is %u, must be %" PRIu64,
                 (unsigned)next->definition.counter_offset,
                 (uint64_t)c->definition.counter_offset + 8);
    }
}

static void judge_counter_pair(judge *j, const counter *a, const counter *b)
{
    const uint32_t name = b->definition.counter_name_title_index;

    if (name != 0 && name == a->definition.counter_name_title_index)
        TELL(j, COUNTER_TWICE, COUNTER_AT(b, counter_name_title_index),
             "two counters have title %u", (unsigned)name);
    if (a->definition.counter_size > 0 && b->definition.counter_size > 0 &&
        a->definition.counter_offset != b->definition.counter_offset &&
        a->definition.counter_offset <
            (uint64_t)b->definition.counter_offset + b->definition.counter_size &&
        b->definition.counter_offset <
            (uint64_t)a->definition.counter_offset + a->definition.counter_size)
        TELL(j, COUNTER_OVERLAP, COUNTER_AT(b, counter_offset),
             "values at offset %u (%u bytes) and %u (%u bytes) overlap",
             (unsigned)a->definition.counter_offset, (unsigned)a->definition.counter_size,
             (unsigned)b->definition.counter_offset, (unsigned)b->definition.counter_size);
}

static void judge_counters(judge *j, const object *o)
{
    const uint32_t compared = o->counter_count < MAX_COMPARED ? o->counter_count : MAX_COMPARED;

    for (uint32_t i = 0; i < o->counter_count; i++)
        judge_counter_alone(j, &o->counters[i]);
    for (uint32_t i = 0; i < compared; i++)
        for (uint32_t k = 0; k < i; k++)
            judge_counter_pair(j, &o->counters[k], &o->counters[i]);
    judge_bases(j, o);
}

/* Read the definitions as far as they hold. Returns where they end; false: they do not hold. */
static bool read_counters(judge *j, object *o, uint64_t *end)
{
    const uint32_t header = o->header.header_length;
    const uint32_t said = o->header.num_counters;
    const uint64_t room = o->end - o->at;
    uint64_t at = o->at + (header >= OBJECT_BYTES && header <= room ? header : OBJECT_BYTES);
    uint64_t possible = (o->end - at) / COUNTER_BYTES;

    *end = at;
    o->counters = make(j, said < possible ? said : possible, sizeof(counter));
    if (!o->counters)
        return false;
    for (uint32_t i = 0; i < said; i++) {
        counter *c = &o->counters[i];
        uint32_t bytes;

        if (o->end - at < COUNTER_BYTES) {
            TELL(j, DEFINITION_LENGTH, OBJECT_AT(o, num_counters),
                 "PERF_OBJECT_TYPE.NumCounters is %u, there is room for %u", (unsigned)said,
                 (unsigned)i);
            return false;
        }
        c->at = at;
        c->definition = prfdata_wire_fields_counter_definition(reply_bytes(j->reply), at);
        bytes = c->definition.byte_length;
        if (bytes != COUNTER_BYTES)
            TELL(j, COUNTER_LENGTH, at, "PERF_COUNTER_DEFINITION.ByteLength is %u, must be 40",
                 (unsigned)bytes);
        if (bytes < COUNTER_BYTES || bytes > o->end - at)
            return false;
        o->counter_count = i + 1;
        at += bytes;
        *end = at;
    }
    return true;
}

static void read_definitions(judge *j, object *o)
{
    const uint32_t said = o->header.definition_length;
    uint64_t end;
    bool whole = read_counters(j, o, &end);

    if (whole && said != end - o->at)
        TELL(j, DEFINITION_LENGTH, OBJECT_AT(o, definition_length),
             "PERF_OBJECT_TYPE.DefinitionLength is %u, the definitions end at %" PRIu64,
             (unsigned)said, end - o->at);
    if (!whole && (said < OBJECT_BYTES || said > o->end - o->at))
        return;
    o->contents = whole ? end : o->at + said;
    o->contents_are_known = true;
}

/* ---- The object's own fields ---- */

static void judge_levels(judge *j, const object *o)
{
    const uint32_t level = o->header.detail_level;
    uint32_t least = UINT32_MAX;

    for (uint32_t i = 0; i < o->counter_count; i++) {
        uint32_t of_counter = o->counters[i].definition.detail_level;

        if (of_counter < least)
            least = of_counter;
    }
    if (!is_detail_level(level) || (o->counter_count > 0 && level != least))
        TELL(j, DETAIL_LEVEL, OBJECT_AT(o, detail_level),
             "PERF_OBJECT_TYPE.DetailLevel is %u, the least of its counters' is %u",
             (unsigned)level, (unsigned)least);
}

static void judge_clock(judge *j, const object *o)
{
    const int64_t frequency = o->header.perf_freq;

    for (uint32_t i = 0; frequency <= 0 && i < o->counter_count; i++) {
        if ((o->counters[i].definition.counter_type & TYPE_TIMER_MASK) == TYPE_OBJECT_TIMER) {
            TELL(j, OBJECT_CLOCK, OBJECT_AT(o, perf_freq),
                 "PERF_OBJECT_TYPE.PerfFreq is %" PRId64 ", and type 0x%08X divides by it",
                 frequency, (unsigned)o->counters[i].definition.counter_type);
            return;
        }
    }
}

static void judge_header(judge *j, const object *o)
{
    const uint32_t counters = o->header.num_counters;
    const int32_t standard = o->header.default_counter;

    if (o->header.header_length != OBJECT_BYTES)
        TELL(j, HEADER_LENGTH, OBJECT_AT(o, header_length),
             "PERF_OBJECT_TYPE.HeaderLength is %u, must be 64", (unsigned)o->header.header_length);
    judge_name_index(j, OBJECT_AT(o, object_name_title_index), o->header.object_name_title_index,
                     "PERF_OBJECT_TYPE.ObjectNameTitleIndex");
    judge_help_index(j, OBJECT_AT(o, object_help_title_index), o->header.object_help_title_index,
                     "PERF_OBJECT_TYPE.ObjectHelpTitleIndex");
    judge_title_pointer(j, OBJECT_AT(o, object_name_title), o->header.object_name_title,
                        "ObjectNameTitle");
    judge_title_pointer(j, OBJECT_AT(o, object_help_title), o->header.object_help_title,
                        "ObjectHelpTitle");
    if (counters == 0)
        TELL(j, COUNTER_NONE, OBJECT_AT(o, num_counters), "PERF_OBJECT_TYPE.NumCounters is 0");
    if (standard < -1 || (standard >= 0 && (uint32_t)standard >= counters && counters > 0))
        TELL(j, DEFAULT_COUNTER, OBJECT_AT(o, default_counter),
             "PERF_OBJECT_TYPE.DefaultCounter is %d of %u counters", (int)standard,
             (unsigned)counters);
    if (o->header.code_page != 0)
        TELL(j, CODE_PAGE, OBJECT_AT(o, code_page), "PERF_OBJECT_TYPE.CodePage is %u",
             (unsigned)o->header.code_page);
    judge_levels(j, o);
    judge_clock(j, o);
}

/* ---- Names ---- */

static bool is_forbidden(uint16_t unit)
{
    return unit < 0x20 || (unit >= 0x7F && unit < 0xA0) ||
           (unit < 0x80 && strchr("\\()/#*", (int)unit));
}

/* Whether unit `i` of a name is half of a character whose other half is not beside it. */
static bool is_lone_surrogate(prfdata_text name, size_t i)
{
    const uint16_t unit = name.chars[i];

    if (unit >= 0xD800 && unit < 0xDC00)
        return i + 1 == name.count || name.chars[i + 1] < 0xDC00 || name.chars[i + 1] >= 0xE000;
    if (unit >= 0xDC00 && unit < 0xE000)
        return i == 0 || name.chars[i - 1] < 0xD800 || name.chars[i - 1] >= 0xDC00;
    return false;
}

static void judge_characters(judge *j, uint64_t at, prfdata_text name)
{
    for (size_t i = 0; i < name.count; i++) {
        if (is_forbidden(name.chars[i]) || is_lone_surrogate(name, i)) {
            TELL(j, NAME_CHARACTERS, at, "character %u of a name is U+%04X", (unsigned)i + 1,
                 (unsigned)name.chars[i]);
            return;
        }
    }
}

/* The chars up to the first NUL; names of a code page as if it were Latin 1, to be compared. */
static prfdata_text read_name(const judge *j, uint64_t at, uint32_t size, bool wide,
                              uint16_t *chars)
{
    const prfdata_bytes bytes = reply_bytes(j->reply);
    prfdata_text name = {chars, 0};

    if (wide) {
        name.count = prfdata_wire_fields_chars(bytes, at, size, chars, size);
        return name;
    }
    while (name.count < size && bytes.at[at + name.count] != 0) {
        chars[name.count] = bytes.at[at + name.count];
        name.count++;
    }
    return name;
}

static void judge_name_end(judge *j, const instance *i, bool wide)
{
    const size_t count = i->name.count;
    const uint32_t bytes = i->definition.name_length;
    const uint32_t step = wide ? 2 : 1;
    const uint64_t ended = (uint64_t)(count + 1) * step;

    if (bytes % step != 0 || ended > bytes)
        TELL(j, NAME_END, INSTANCE_AT(i, name_length),
             "PERF_INSTANCE_DEFINITION.NameLength is %u, and no NUL ends these bytes",
             (unsigned)bytes);
    else if (ended != bytes)
        TELL(j, NAME_LENGTH, INSTANCE_AT(i, name_length),
             "PERF_INSTANCE_DEFINITION.NameLength is %u, the name and its NUL are %" PRIu64
             " bytes",
             (unsigned)bytes, ended);
    if (count > 127)
        TELL(j, NAME_LONG, INSTANCE_AT(i, name_length), "a name has %" PRIu64 " characters",
             (uint64_t)count);
}

/* Read and judge the name of the instance; `chars` has room for all bytes of its definition. */
static void read_instance_name(judge *j, const object *o, instance *i, uint16_t *chars)
{
    const uint32_t definition_bytes = i->definition.byte_length;
    const bool wide = o->header.code_page == 0;
    const uint32_t offset = i->definition.name_offset;
    const uint32_t bytes = i->definition.name_length;

    i->name.chars = chars;
    i->name.count = 0;
    if (bytes > 0 && (offset < INSTANCE_BYTES || bytes > definition_bytes ||
                      offset > definition_bytes - bytes)) {
        TELL(j, NAME_BOUNDS, INSTANCE_AT(i, name_offset),
             "NameOffset %u and NameLength %u leave the instance definition of %u bytes",
             (unsigned)offset, (unsigned)bytes, (unsigned)definition_bytes);
        return;
    }
    if (bytes > 0) {
        i->name = read_name(j, i->at + offset, bytes, wide, chars);
        judge_name_end(j, i, wide);
        if (offset != INSTANCE_BYTES)
            TELL(j, NAME_OFFSET, INSTANCE_AT(i, name_offset),
                 "PERF_INSTANCE_DEFINITION.NameOffset is %u", (unsigned)offset);
        judge_characters(j, i->at + offset, i->name);
    }
    if (i->name.count == 0 && i->definition.unique_id == PERF_NO_UNIQUE_ID)
        TELL(j, INSTANCE_NAMELESS, i->at, "an instance has neither a name nor a UniqueID");
}

/* ---- Instances ---- */

/* Read a counter block at `*at`, which moves behind it. */
static bool read_values(judge *j, const object *o, uint64_t *at, instance *i)
{
    const uint64_t left = o->end - *at;
    const uint32_t bytes =
        left < BLOCK_BYTES
            ? 0
            : prfdata_wire_fields_counter_block(reply_bytes(j->reply), *at).byte_length;

    if (bytes < BLOCK_BYTES || bytes > left) {
        TELL(j, BLOCK_LENGTH, *at,
             "PERF_COUNTER_BLOCK.ByteLength is %u, %" PRIu64 " bytes are left of the object",
             (unsigned)bytes, left);
        return false;
    }
    if (bytes % 8 != 0)
        TELL(j, BLOCK_ALIGNMENT, *at, "PERF_COUNTER_BLOCK.ByteLength is %u, no multiple of 8",
             (unsigned)bytes);
    i->values = *at;
    i->values_bytes = bytes;
    *at += bytes;
    return true;
}

static bool read_instance(judge *j, const object *o, uint64_t *at, instance *i, uint16_t *chars)
{
    const uint64_t left = o->end - *at;
    uint32_t bytes = 0;

    if (left >= INSTANCE_BYTES) {
        i->at = *at;
        i->definition = prfdata_wire_fields_instance_definition(reply_bytes(j->reply), *at);
        bytes = i->definition.byte_length;
    }
    if (bytes < INSTANCE_BYTES || bytes > left) {
        TELL(j, INSTANCE_LENGTH, *at,
             "PERF_INSTANCE_DEFINITION.ByteLength is %u, %" PRIu64 " bytes are left of the object",
             (unsigned)bytes, left);
        return false;
    }
    if (bytes % 8 != 0)
        TELL(j, INSTANCE_ALIGNMENT, *at,
             "PERF_INSTANCE_DEFINITION.ByteLength is %u, no multiple of 8", (unsigned)bytes);
    read_instance_name(j, o, i, chars);
    *at += bytes;
    return read_values(j, o, at, i);
}

/* How far the counters' values reach into a block. */
static uint64_t reach_of_counters(const object *o)
{
    uint64_t reach = 0;

    for (uint32_t i = 0; i < o->counter_count; i++) {
        const counter *c = &o->counters[i];

        if (c->definition.counter_size > 0 &&
            (uint64_t)c->definition.counter_offset + c->definition.counter_size > reach)
            reach = (uint64_t)c->definition.counter_offset + c->definition.counter_size;
    }
    return reach;
}

static void tell_outside(judge *j, const object *o, const instance *i)
{
    for (uint32_t k = 0; k < o->counter_count; k++) {
        const counter *c = &o->counters[k];

        if (c->definition.counter_size > 0 &&
            (uint64_t)c->definition.counter_offset + c->definition.counter_size > i->values_bytes) {
            TELL(j, COUNTER_OUTSIDE, COUNTER_AT(c, counter_offset),
                 "CounterOffset %u and CounterSize %u leave the counter block at byte %" PRIu64
                 " of %u bytes",
                 (unsigned)c->definition.counter_offset, (unsigned)c->definition.counter_size,
                 i->values, (unsigned)i->values_bytes);
            return;
        }
    }
}

static void judge_reach(judge *j, const object *o)
{
    const uint64_t reach = reach_of_counters(o);

    for (uint32_t i = 0; i < o->instance_count; i++) {
        if (reach > o->instances[i].values_bytes) {
            tell_outside(j, o, &o->instances[i]);
            return;
        }
    }
}

static void read_lone_block(judge *j, object *o)
{
    uint64_t at = o->contents;

    o->instances = make(j, 1, sizeof(instance));
    if (!o->instances || !read_values(j, o, &at, &o->instances[0]))
        return;
    o->instances[0].at = o->contents;
    o->instance_count = 1;
    if (at != o->end && o->end_is_known)
        TELL(j, INSTANCE_WALK, at, "the counter block ends here, the object at byte %" PRIu64,
             o->end);
}

static void read_instances(judge *j, object *o, uint32_t said)
{
    const uint64_t room = o->end - o->contents;
    uint64_t possible = room / (INSTANCE_BYTES + BLOCK_BYTES);
    uint64_t at = o->contents;
    size_t used_chars = 0;

    if (said < possible)
        possible = said;
    o->instances = make(j, possible, sizeof(instance));
    o->chars = make(j, room, sizeof(uint16_t));
    if (!o->instances || !o->chars)
        return;
    for (uint32_t i = 0; i < said; i++) {
        if (i == possible || at == o->end) {
            TELL(j, INSTANCE_COUNT, OBJECT_AT(o, num_instances),
                 "PERF_OBJECT_TYPE.NumInstances is %u, the object ends after %u", (unsigned)said,
                 (unsigned)i);
            return;
        }
        if (!read_instance(j, o, &at, &o->instances[i], o->chars + used_chars))
            return;
        used_chars += o->instances[i].name.count;
        o->instance_count = i + 1;
    }
    if (at != o->end && o->end_is_known)
        TELL(j, INSTANCE_WALK, at, "the instances end here, the object at byte %" PRIu64, o->end);
}

static void read_contents(judge *j, object *o)
{
    const int32_t said = o->header.num_instances;
    const bool is_metadata =
        said == PERF_METADATA_MULTIPLE_INSTANCES || said == PERF_METADATA_NO_INSTANCES;

    if (j->metadata || is_metadata) {
        if (!j->metadata)
            TELL(j, INSTANCE_COUNT, OBJECT_AT(o, num_instances),
                 "PERF_OBJECT_TYPE.NumInstances is %d, which answers metadata queries only",
                 (int)said);
        else if (!is_metadata ||
                 (o->contents_are_known && o->end_is_known && o->contents != o->end))
            TELL(j, METADATA_INSTANCES, OBJECT_AT(o, num_instances),
                 "PERF_OBJECT_TYPE.NumInstances is %d, %" PRIu64 " bytes follow the definitions",
                 (int)said, o->end - o->contents);
        return;
    }
    if (!o->contents_are_known)
        return;
    if (said == PERF_NO_INSTANCES)
        read_lone_block(j, o);
    else if (said < 0)
        TELL(j, INSTANCE_COUNT, OBJECT_AT(o, num_instances), "PERF_OBJECT_TYPE.NumInstances is %d",
             (int)said);
    else if (said > 0)
        read_instances(j, o, (uint32_t)said);
    else if (o->contents != o->end && o->end_is_known)
        TELL(j, EMPTY_TAIL, o->contents, "%" PRIu64 " bytes follow the definitions",
             o->end - o->contents);
}

static bool has_instances(const object *o)
{
    return o->header.num_instances >= 0;
}

/* ---- The whole reply ---- */

static int compare_titles(const void *left, const void *right)
{
    const titled *a = left;
    const titled *b = right;

    if (a->title != b->title)
        return a->title < b->title ? -1 : 1;
    return a->position < b->position ? -1 : a->position > b->position;
}

static void sort_titles(judge *j)
{
    j->by_title = make(j, j->object_count, sizeof(titled));
    if (!j->by_title)
        return;
    for (uint32_t i = 0; i < j->object_count; i++) {
        j->by_title[i].title = j->objects[i].header.object_name_title_index;
        j->by_title[i].position = i;
    }
    qsort(j->by_title, j->object_count, sizeof(titled), compare_titles);
}

/* The first object with this title, or NULL. */
static const object *find_object(const judge *j, uint32_t title)
{
    uint32_t low = 0;
    uint32_t high = j->by_title ? j->object_count : 0;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (j->by_title[middle].title < title)
            low = middle + 1;
        else
            high = middle;
    }
    if (!j->by_title || low == j->object_count || j->by_title[low].title != title)
        return NULL;
    return &j->objects[j->by_title[low].position];
}

static void read_reply(judge *j)
{
    read_chain(j);
    sort_titles(j);
    for (uint32_t i = 0; i < j->object_count; i++) {
        read_definitions(j, &j->objects[i]);
        read_contents(j, &j->objects[i]);
    }
}

static void forget_reply(judge *j)
{
    for (uint32_t i = 0; i < j->object_count; i++) {
        free(j->objects[i].counters);
        free(j->objects[i].instances);
        free(j->objects[i].chars);
    }
    free(j->objects);
    free(j->by_title);
}

static void judge_objects_twice(judge *j)
{
    for (uint32_t i = 1; j->by_title && i < j->object_count; i++) {
        const titled *same = &j->by_title[i];

        if (same->title == same[-1].title)
            TELL(j, OBJECT_TWICE, OBJECT_AT(&j->objects[same->position], object_name_title_index),
                 "two objects have title %u", (unsigned)same->title);
    }
}

static void judge_parents(judge *j, const object *o)
{
    for (uint32_t i = 0; i < o->instance_count; i++) {
        const instance *child = &o->instances[i];
        const object *parent;
        int32_t count;

        if (child->definition.parent_object_title_index == 0)
            continue;
        parent = find_object(j, child->definition.parent_object_title_index);
        if (!parent) {
            TELL(j, PARENT_OBJECT, INSTANCE_AT(child, parent_object_title_index),
                 "ParentObjectTitleIndex is %u, and that object is not in the reply",
                 (unsigned)child->definition.parent_object_title_index);
            continue;
        }
        count = parent->header.num_instances;
        if (count < 0 || child->definition.parent_object_instance >= (uint32_t)count)
            TELL(j, PARENT_INSTANCE, INSTANCE_AT(child, parent_object_instance),
                 "ParentObjectInstance is %u, object %u has %d instances",
                 (unsigned)child->definition.parent_object_instance,
                 (unsigned)child->definition.parent_object_title_index,
                 (int)(count > 0 ? count : 0));
    }
}

/* By parent, name and number: 0 if readers mix the two up. */
static int compare_siblings(const instance *a, const instance *b)
{
    if (a->definition.parent_object_title_index != b->definition.parent_object_title_index)
        return a->definition.parent_object_title_index < b->definition.parent_object_title_index
                   ? -1
                   : 1;
    if (a->definition.parent_object_title_index != 0 &&
        a->definition.parent_object_instance != b->definition.parent_object_instance)
        return a->definition.parent_object_instance < b->definition.parent_object_instance ? -1 : 1;
    if (a->name.count == 0 && b->name.count == 0 &&
        a->definition.unique_id != b->definition.unique_id)
        return a->definition.unique_id < b->definition.unique_id ? -1 : 1;
    return prfdata_text_compare(a->name, b->name);
}

static int compare_instances(const void *left, const void *right)
{
    const instance *a = *(const instance *const *)left;
    const instance *b = *(const instance *const *)right;
    const int order = compare_siblings(a, b);

    if (order != 0)
        return order;
    return a->at < b->at ? -1 : a->at > b->at;
}

static void judge_names_twice(judge *j, const object *o)
{
    const instance **sorted = make(j, o->instance_count, sizeof *sorted);

    if (!sorted)
        return;
    for (uint32_t i = 0; i < o->instance_count; i++)
        sorted[i] = &o->instances[i];
    qsort(sorted, o->instance_count, sizeof *sorted, compare_instances);
    for (uint32_t i = 1; i < o->instance_count; i++) {
        if (compare_siblings(sorted[i - 1], sorted[i]) == 0)
            TELL(j, NAME_TWICE, sorted[i]->at, "the instance at byte %" PRIu64 " has the same name",
                 sorted[i - 1]->at);
    }
    free(sorted);
}

uint32_t prfdata_judge_structure(const prfdata_judge_reply *reply,
                                 const prfdata_judge_titles *titles, bool metadata,
                                 prfdata_findings *findings)
{
    judge j = {reply, titles, metadata, findings, NULL, 0, NULL, false};

    read_reply(&j);
    judge_objects_twice(&j);
    for (uint32_t i = 0; i < j.object_count; i++) {
        const object *o = &j.objects[i];

        judge_header(&j, o);
        judge_counters(&j, o);
        judge_reach(&j, o);
        if (has_instances(o)) {
            judge_parents(&j, o);
            judge_names_twice(&j, o);
        }
    }
    forget_reply(&j);
    return j.no_memory ? ERROR_NOT_ENOUGH_MEMORY : ERROR_SUCCESS;
}

bool prfdata_judge_next_object(const prfdata_judge_reply *reply, size_t *offset, uint32_t *title,
                               uint32_t *parent)
{
    const prfdata_bytes bytes = reply_bytes(reply);
    const size_t left = bytes.size - *offset;
    prfdata_perf_object_type header;

    if (left < OBJECT_BYTES)
        return false;
    header = prfdata_wire_fields_object_type(bytes, *offset);
    if (header.total_byte_length < OBJECT_BYTES || header.total_byte_length > left)
        return false;
    *title = header.object_name_title_index;
    *parent = header.num_instances == 0 ? PRFDATA_JUDGE_UNKNOWN : 0;
    if (header.num_instances > 0 && header.definition_length <= header.total_byte_length &&
        header.total_byte_length - header.definition_length >= INSTANCE_BYTES)
        *parent = prfdata_wire_fields_instance_definition(bytes, *offset + header.definition_length)
                      .parent_object_title_index;
    *offset += header.total_byte_length;
    return true;
}

/* ---- From one reply to the next ---- */

/* Whether the counter may only grow, seen from its type and the one before it. */
static bool only_grows(const object *o, uint32_t position)
{
    const uint32_t type = o->counters[position].definition.counter_type;
    const prfdata_counter_type *before =
        position > 0 ? prfdata_counter_types_find(o->counters[position - 1].definition.counter_type)
                     : NULL;

    switch (type) {
    case PERF_AVERAGE_TIMER:
    case PERF_AVERAGE_BULK:
    case PERF_AVERAGE_BASE:
    case PERF_SAMPLE_BASE:
        return true;
    case PERF_LARGE_RAW_BASE:
        return before && (before->flags & PRFDATA_TYPE_STAMPED);
    default:
        return (type & TYPE_DELTA_COUNTER) != 0;
    }
}

static void judge_value(judge *j, const counter *c, const instance *i, uint64_t older,
                        uint64_t newer)
{
    const uint64_t at = i->values + c->definition.counter_offset;
    const bool is_backwards = c->definition.counter_size == 4
                                  ? (uint32_t)(newer - older) > (uint32_t)INT32_MAX
                                  : newer - older > (uint64_t)INT64_MAX;

    if (is_backwards)
        TELL(j, VALUE_BACKWARDS, at, "counter %u, type 0x%08X, went from %" PRIu64 " to %" PRIu64,
             (unsigned)c->definition.counter_name_title_index, (unsigned)c->definition.counter_type,
             older, newer);
}

static bool get_value(const judge *j, const counter *c, const instance *i, uint64_t *value)
{
    const uint32_t size = c->definition.counter_size;
    const uint32_t offset = c->definition.counter_offset;

    if ((size != 4 && size != 8) || offset < BLOCK_BYTES ||
        (uint64_t)offset + size > i->values_bytes)
        return false;
    *value = prfdata_bytes_get(reply_bytes(j->reply), i->values + offset, size);
    return true;
}

static void judge_values(const judge *older, judge *newer, const object *o, const instance *was,
                         const instance *is)
{
    const uint32_t compared = o->counter_count < MAX_COMPARED ? o->counter_count : MAX_COMPARED;

    for (uint32_t i = 0; i < compared; i++) {
        uint64_t a;
        uint64_t b;

        if (only_grows(o, i) && get_value(older, &o->counters[i], was, &a) &&
            get_value(newer, &o->counters[i], is, &b))
            judge_value(newer, &o->counters[i], is, a, b);
    }
}

/* An instance with what it is known by: positions of parents change, their names do not. */
typedef struct label {
    const instance *of;
    const instance *parent; /* NULL: none */
} label;

static int compare_labels(const void *left, const void *right)
{
    const label *a = left;
    const label *b = right;

    if (a->of->definition.parent_object_title_index != b->of->definition.parent_object_title_index)
        return a->of->definition.parent_object_title_index <
                       b->of->definition.parent_object_title_index
                   ? -1
                   : 1;
    if (a->of->definition.unique_id != b->of->definition.unique_id)
        return a->of->definition.unique_id < b->of->definition.unique_id ? -1 : 1;
    if (!a->parent != !b->parent)
        return a->parent ? 1 : -1;
    if (a->parent && a->parent->definition.unique_id != b->parent->definition.unique_id)
        return a->parent->definition.unique_id < b->parent->definition.unique_id ? -1 : 1;
    if (a->parent) {
        const int order = prfdata_text_compare(a->parent->name, b->parent->name);

        if (order != 0)
            return order;
    }
    return prfdata_text_compare(a->of->name, b->of->name);
}

static label *make_labels(judge *j, const object *o)
{
    label *labels = make(j, o->instance_count, sizeof *labels);

    if (!labels)
        return NULL;
    for (uint32_t i = 0; i < o->instance_count; i++) {
        const instance *of = &o->instances[i];
        const object *parent = of->definition.parent_object_title_index != 0
                                   ? find_object(j, of->definition.parent_object_title_index)
                                   : NULL;

        labels[i].of = of;
        if (parent && of->definition.parent_object_instance < parent->instance_count)
            labels[i].parent = &parent->instances[of->definition.parent_object_instance];
    }
    qsort(labels, o->instance_count, sizeof *labels, compare_labels);
    return labels;
}

/* How many labels from `i` on are equal. */
static uint32_t equal_labels(const label *labels, uint32_t count, uint32_t i)
{
    uint32_t equal = 1;

    while (i + equal < count && compare_labels(&labels[i], &labels[i + equal]) == 0)
        equal++;
    return equal;
}

static void judge_instances(judge *older, judge *newer, const object *was, const object *is)
{
    label *before = make_labels(older, was);
    label *after = make_labels(newer, is);
    uint32_t i = 0;
    uint32_t k = 0;

    while (before && after && i < was->instance_count && k < is->instance_count) {
        const int order = compare_labels(&before[i], &after[k]);
        const uint32_t equal_before = equal_labels(before, was->instance_count, i);
        const uint32_t equal_after = equal_labels(after, is->instance_count, k);

        if (order == 0 && equal_before == 1 && equal_after == 1)
            judge_values(older, newer, is, before[i].of, after[k].of);
        if (order <= 0)
            i += equal_before;
        if (order >= 0)
            k += equal_after;
    }
    free(before);
    free(after);
}

/* What may not change of an object's header, whatever its instances do. */
static bool same_header(const prfdata_perf_object_type *was, const prfdata_perf_object_type *is)
{
    return was->definition_length == is->definition_length &&
           was->header_length == is->header_length &&
           was->object_name_title_index == is->object_name_title_index &&
           was->object_help_title_index == is->object_help_title_index &&
           was->detail_level == is->detail_level && was->num_counters == is->num_counters &&
           was->default_counter == is->default_counter && was->code_page == is->code_page;
}

static bool same_definitions(const object *was, const object *is)
{
    if (!same_header(&was->header, &is->header) || was->counter_count != is->counter_count ||
        has_instances(was) != has_instances(is))
        return false;
    for (uint32_t i = 0; i < is->counter_count; i++) {
        /* Without padding: perf_wire.h compares the size with the fields. */
        if (memcmp(&was->counters[i].definition, &is->counters[i].definition, COUNTER_BYTES) != 0)
            return false;
    }
    return true;
}

static void judge_object_change(judge *older, judge *newer, const object *was, const object *is)
{
    const int64_t then = was->header.perf_time;
    const int64_t now = is->header.perf_time;

    if (!same_definitions(was, is)) {
        TELL(newer, DEFINITIONS_CHANGED, is->at, "the definitions of object %u differ from before",
             (unsigned)is->header.object_name_title_index);
        return;
    }
    if (now < then)
        TELL(newer, CLOCK_BACKWARDS, OBJECT_AT(is, perf_time),
             "PERF_OBJECT_TYPE.PerfTime went from %" PRId64 " to %" PRId64, then, now);
    judge_instances(older, newer, was, is);
}

uint32_t prfdata_judge_change(const prfdata_judge_reply *older, const prfdata_judge_reply *newer,
                              prfdata_findings *findings)
{
    judge was = {older, NULL, false, NULL, NULL, 0, NULL, false};
    judge is = {newer, NULL, false, NULL, NULL, 0, NULL, false};

    read_reply(&was);
    read_reply(&is);
    is.findings = findings;
    for (uint32_t i = 0; i < is.object_count; i++) {
        const object *same = find_object(&was, is.objects[i].header.object_name_title_index);

        if (same)
            judge_object_change(&was, &is, same, &is.objects[i]);
    }
    forget_reply(&was);
    forget_reply(&is);
    return was.no_memory || is.no_memory ? ERROR_NOT_ENOUGH_MEMORY : ERROR_SUCCESS;
}
