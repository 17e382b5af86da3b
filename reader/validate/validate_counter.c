/* SPDX-License-Identifier: MIT */
/* Checks counter definitions: length, title, type, size, place, base, according to winperf.h's
 * description of types. validate_value.c checks their values. */
#include "validate/validate_counter.h"

#include <inttypes.h>

#include <prfdata/perf_types.h>

#include "map/counter_types.h"
#include "validate/validate_fields.h"

/* Bits of a counter type (winperf.h). */
#define TYPE_SIZE_MASK 0x00000300u
#define TYPE_KIND_MASK 0x00000C00u
#define TYPE_KIND_TEXT 0x00000800u

/*
 * The limits of DefaultScale (Microsoft's page of PERF_COUNTER_DEFINITION). PDH has the same limits
 * (PDH_MIN_SCALE, PDH_MAX_SCALE).
 */
#define LEAST_SCALE (-7)
#define MOST_SCALE  7

static bool read_validated_counter(prfdata_validated *j, prfdata_validated_object *o, uint64_t at)
{
    prfdata_validated_counter *c = &o->counters[o->counter_count];
    uint32_t bytes;

    if (o->end - at < sizeof c->definition) {
        PRFDATA_FIND(j, DEFINITION_LENGTH, PRFDATA_OBJECT_AT(o, num_counters),
                     "PERF_OBJECT_TYPE.NumCounters is %u, but there is room for %u",
                     (unsigned)o->header.num_counters, (unsigned)o->counter_count);
        return false;
    }
    c->at = at;
    c->definition = prfdata_wire_fields_counter_definition(j->bytes, at);
    bytes = c->definition.byte_length;
    if (bytes != sizeof c->definition)
        PRFDATA_FIND(j, COUNTER_LENGTH, at,
                     "PERF_COUNTER_DEFINITION.ByteLength is %u bytes, but must be 40",
                     (unsigned)bytes);
    if (bytes < sizeof c->definition || bytes > o->end - at)
        return false;
    o->counter_count++;
    return true;
}

/* Sets `end` to the end of the definitions that can be read. Returns whether these are all. */
static bool read_validated_counters(prfdata_validated *j, prfdata_validated_object *o,
                                    uint64_t *end)
{
    const uint32_t header = o->header.header_length;
    const bool header_fits = header >= sizeof o->header && header <= o->end - o->at;
    uint64_t at = o->at + (header_fits ? header : sizeof o->header);
    const uint64_t possible = (o->end - at) / sizeof o->counters->definition;
    const uint32_t said = o->header.num_counters;

    *end = at;
    o->counters =
        prfdata_validated_array(j, said < possible ? said : possible, sizeof *o->counters);
    if (!o->counters)
        return false;
    for (uint32_t i = 0; i < said; i++) {
        if (!read_validated_counter(j, o, at))
            return false;
        at += o->counters[i].definition.byte_length;
        *end = at;
    }
    return true;
}

void prfdata_validate_counter_read(prfdata_validated *j, prfdata_validated_object *o)
{
    const uint32_t said = o->header.definition_length;
    uint64_t end;
    const bool are_all = read_validated_counters(j, o, &end);

    if (are_all && said != end - o->at)
        PRFDATA_FIND(
            j, DEFINITION_LENGTH, PRFDATA_OBJECT_AT(o, definition_length),
            "PERF_OBJECT_TYPE.DefinitionLength is %u bytes, but the definitions take %" PRIu64,
            (unsigned)said, end - o->at);
    if (!are_all && (said < sizeof o->header || said > o->end - o->at))
        return;
    o->contents = are_all ? end : o->at + said;
    o->contents_are_known = true;
}

static bool is_base_type(const prfdata_counter_type *type)
{
    return type && (type->flags & PRFDATA_TYPE_BASE);
}

static bool is_number_size(uint32_t bytes)
{
    return bytes == 4 || bytes == 8;
}

static void validate_counter_size(prfdata_validated *j, const prfdata_validated_counter *c)
{
    static const uint32_t sizes[4] = {4, 8, 0, UINT32_MAX}; /* the last kind has variable length */
    const uint32_t type = c->definition.counter_type;
    const uint32_t size = c->definition.counter_size;
    const uint32_t expected = sizes[(type & TYPE_SIZE_MASK) >> 8];

    /*
     * The bits of this type say 4 bytes, but Microsoft's own reader loads 8, so both sizes are
     * valid.
     */
    if (type == PERF_AVERAGE_TIMER && is_number_size(size))
        return;
    if (expected == UINT32_MAX) {
        if ((type & TYPE_KIND_MASK) != TYPE_KIND_TEXT && !is_number_size(size))
            PRFDATA_FIND(j, COUNTER_SIZE, PRFDATA_COUNTER_AT(c, counter_size),
                         "PERF_COUNTER_DEFINITION.CounterSize is %u bytes, but numbers have 4 or 8",
                         (unsigned)size);
        return;
    }
    if (size != expected)
        PRFDATA_FIND(j, COUNTER_SIZE, PRFDATA_COUNTER_AT(c, counter_size),
                     "PERF_COUNTER_DEFINITION.CounterSize is %u bytes, but type 0x%08X has %u",
                     (unsigned)size, (unsigned)type, (unsigned)expected);
}

static void validate_counter_place(prfdata_validated *j, const prfdata_validated_counter *c)
{
    const uint32_t size = c->definition.counter_size;
    const uint32_t offset = c->definition.counter_offset;

    if (size == 0)
        return; /* the counter has no value that needs a place */
    if (offset < sizeof(prfdata_perf_counter_block))
        PRFDATA_FIND(j, COUNTER_IN_LENGTH, PRFDATA_COUNTER_AT(c, counter_offset),
                     "PERF_COUNTER_DEFINITION.CounterOffset is %u, but must be at least 4",
                     (unsigned)offset);
    else if (is_number_size(size) && offset % size != 0)
        PRFDATA_FIND(j, COUNTER_ALIGNMENT, PRFDATA_COUNTER_AT(c, counter_offset),
                     "PERF_COUNTER_DEFINITION.CounterOffset is %u, which is no multiple of its "
                     "size, %u bytes",
                     (unsigned)offset, (unsigned)size);
}

static void validate_counter_titles(prfdata_validated *j, const prfdata_validated_counter *c,
                                    bool has_names)
{
    const prfdata_perf_counter_definition *d = &c->definition;

    if (has_names) {
        prfdata_validate_fields_name_index(j, PRFDATA_COUNTER_AT(c, counter_name_title_index),
                                           d->counter_name_title_index,
                                           "PERF_COUNTER_DEFINITION.CounterNameTitleIndex");
        prfdata_validate_fields_help_index(j, PRFDATA_COUNTER_AT(c, counter_help_title_index),
                                           d->counter_help_title_index,
                                           "PERF_COUNTER_DEFINITION.CounterHelpTitleIndex");
        prfdata_validate_fields_help_of(j, PRFDATA_COUNTER_AT(c, counter_help_title_index),
                                        d->counter_name_title_index, d->counter_help_title_index);
    }
    prfdata_validate_fields_title_pointer(j, PRFDATA_COUNTER_AT(c, counter_name_title),
                                          d->counter_name_title, "CounterNameTitle");
    prfdata_validate_fields_title_pointer(j, PRFDATA_COUNTER_AT(c, counter_help_title),
                                          d->counter_help_title, "CounterHelpTitle");
}

static void validate_counter_alone(prfdata_validated *j, const prfdata_validated_counter *c)
{
    const prfdata_perf_counter_definition *d = &c->definition;
    const prfdata_counter_type *type = prfdata_counter_types_find(d->counter_type);

    if (!type)
        PRFDATA_FIND(j, COUNTER_TYPE, PRFDATA_COUNTER_AT(c, counter_type),
                     "PERF_COUNTER_DEFINITION.CounterType is 0x%08X, which winperf.h does not have",
                     (unsigned)d->counter_type);
    validate_counter_titles(j, c, !is_base_type(type));
    if (d->default_scale < LEAST_SCALE || d->default_scale > MOST_SCALE)
        PRFDATA_FIND(j, COUNTER_SCALE, PRFDATA_COUNTER_AT(c, default_scale),
                     "PERF_COUNTER_DEFINITION.DefaultScale is %d", (int)d->default_scale);
    if (!prfdata_validate_fields_is_detail_level(d->detail_level))
        PRFDATA_FIND(j, DETAIL_LEVEL, PRFDATA_COUNTER_AT(c, detail_level),
                     "PERF_COUNTER_DEFINITION.DetailLevel is %u", (unsigned)d->detail_level);
    if (!is_base_type(type)) /* readers list no bases */
        prfdata_validate_fields_detail_level(j, PRFDATA_COUNTER_AT(c, detail_level),
                                             d->detail_level,
                                             "PERF_COUNTER_DEFINITION.DetailLevel");
    validate_counter_size(j, c);
    validate_counter_place(j, c);
}

static bool type_takes_base(uint32_t before, uint32_t base)
{
    const prfdata_counter_type *type = prfdata_counter_types_find(before);

    return type && (type->flags & (PRFDATA_TYPE_NEEDS_BASE | PRFDATA_TYPE_MAY_HAVE_BASE)) &&
           type->base_type == base;
}

/* Checks that a base follows its counter, and that a counter has its base. `before` and `next` are
 * the counters before and after `c`; NULL: there is none. */
static void validate_counter_base(prfdata_validated *j, const prfdata_validated_counter *before,
                                  const prfdata_validated_counter *c,
                                  const prfdata_validated_counter *next)
{
    const uint32_t type_bits = c->definition.counter_type;
    /* The place of a multi timer's second value. */
    const uint64_t second = (uint64_t)c->definition.counter_offset + 8;
    const prfdata_counter_type *type = prfdata_counter_types_find(type_bits);

    if (is_base_type(type) &&
        (!before || !type_takes_base(before->definition.counter_type, type_bits)))
        PRFDATA_FIND(j, BASE_ALONE, PRFDATA_COUNTER_AT(c, counter_type),
                     "PERF_%s follows no counter that it is the base of", type->name);
    if (type && (type->flags & PRFDATA_TYPE_NEEDS_BASE) &&
        (!next || next->definition.counter_type != type->base_type))
        PRFDATA_FIND(j, BASE_MISSING, PRFDATA_COUNTER_AT(c, counter_type),
                     "PERF_%s is not followed by its base", type->name);
    if (next && next->definition.counter_type == PERF_COUNTER_MULTI_BASE &&
        type_takes_base(type_bits, PERF_COUNTER_MULTI_BASE) &&
        next->definition.counter_offset != second)
        PRFDATA_FIND(j, MULTI_SECOND, PRFDATA_COUNTER_AT(next, counter_offset),
                     "PERF_COUNTER_DEFINITION.CounterOffset is %u, but must be %" PRIu64,
                     (unsigned)next->definition.counter_offset, second);
}

static bool do_counters_overlap(const prfdata_perf_counter_definition *a,
                                const prfdata_perf_counter_definition *b)
{
    return a->counter_size > 0 && b->counter_size > 0 && a->counter_offset != b->counter_offset &&
           a->counter_offset < (uint64_t)b->counter_offset + b->counter_size &&
           b->counter_offset < (uint64_t)a->counter_offset + a->counter_size;
}

static void validate_counter_pair(prfdata_validated *j, const prfdata_validated_counter *earlier,
                                  const prfdata_validated_counter *later)
{
    const prfdata_perf_counter_definition *a = &earlier->definition;
    const prfdata_perf_counter_definition *b = &later->definition;
    const uint32_t name = b->counter_name_title_index;

    if (name != 0 && name == a->counter_name_title_index)
        PRFDATA_FIND(j, COUNTER_TWICE, PRFDATA_COUNTER_AT(later, counter_name_title_index),
                     "two counters have title %u", (unsigned)name);
    if (do_counters_overlap(a, b))
        PRFDATA_FIND(j, COUNTER_OVERLAP, PRFDATA_COUNTER_AT(later, counter_offset),
                     "values at offset %u (%u bytes) and %u (%u bytes) overlap",
                     (unsigned)a->counter_offset, (unsigned)a->counter_size,
                     (unsigned)b->counter_offset, (unsigned)b->counter_size);
}

bool prfdata_validate_counter_is_base(const prfdata_validated_counter *c)
{
    return is_base_type(prfdata_counter_types_find(c->definition.counter_type));
}

void prfdata_validate_counter_check(prfdata_validated *j, const prfdata_validated_object *o)
{
    const uint32_t count = o->counter_count;
    const uint32_t compared =
        count < PRFDATA_VALIDATED_MAX_COMPARED ? count : PRFDATA_VALIDATED_MAX_COMPARED;

    for (uint32_t i = 0; i < count; i++)
        validate_counter_alone(j, &o->counters[i]);
    for (uint32_t i = 0; i < compared; i++)
        for (uint32_t k = 0; k < i; k++)
            validate_counter_pair(j, &o->counters[k], &o->counters[i]);
    for (uint32_t i = 0; i < count; i++)
        validate_counter_base(j, i > 0 ? &o->counters[i - 1] : NULL, &o->counters[i],
                              i + 1 < count ? &o->counters[i + 1] : NULL);
}
