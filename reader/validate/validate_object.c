/* SPDX-License-Identifier: MIT */
/* Checks the header of an object, and compares it with its counter definitions. validate_instance.c
 * checks its instances. */
#include "validate/validate_object.h"

#include <inttypes.h>

#include "validate/validate_counter.h"
#include "validate/validate_fields.h"

/* The clock that a counter type uses (winperf.h). */
#define TYPE_TIMER_MASK   0x00300000u
#define TYPE_OBJECT_TIMER 0x00200000u

static void validate_object_titles(prfdata_validated *j, const prfdata_validated_object *o)
{
    prfdata_validate_fields_name_index(j, PRFDATA_OBJECT_AT(o, object_name_title_index),
                                       o->header.object_name_title_index,
                                       "PERF_OBJECT_TYPE.ObjectNameTitleIndex");
    prfdata_validate_fields_help_index(j, PRFDATA_OBJECT_AT(o, object_help_title_index),
                                       o->header.object_help_title_index,
                                       "PERF_OBJECT_TYPE.ObjectHelpTitleIndex");
    prfdata_validate_fields_help_of(j, PRFDATA_OBJECT_AT(o, object_help_title_index),
                                    o->header.object_name_title_index,
                                    o->header.object_help_title_index);
    prfdata_validate_fields_title_pointer(j, PRFDATA_OBJECT_AT(o, object_name_title),
                                          o->header.object_name_title, "ObjectNameTitle");
    prfdata_validate_fields_title_pointer(j, PRFDATA_OBJECT_AT(o, object_help_title),
                                          o->header.object_help_title, "ObjectHelpTitle");
}

static void validate_object_level(prfdata_validated *j, const prfdata_validated_object *o)
{
    const uint32_t level = o->header.detail_level;
    uint32_t least = UINT32_MAX;

    for (uint32_t i = 0; i < o->counter_count; i++) {
        if (o->counters[i].definition.detail_level < least)
            least = o->counters[i].definition.detail_level;
    }
    if (!prfdata_validate_fields_is_detail_level(level) || (o->counter_count > 0 && level != least))
        PRFDATA_FIND(j, DETAIL_LEVEL, PRFDATA_OBJECT_AT(o, detail_level),
                     "PERF_OBJECT_TYPE.DetailLevel is %u, the lowest level of its counters is "
                     "%u",
                     (unsigned)level, (unsigned)least);
    prfdata_validate_fields_detail_level(j, PRFDATA_OBJECT_AT(o, detail_level), level,
                                         "PERF_OBJECT_TYPE.DetailLevel");
}

static bool has_counter_title(const prfdata_validated_object *o, int32_t title)
{
    for (uint32_t i = 0; i < o->counter_count; i++) {
        if (title > 0 && o->counters[i].definition.counter_name_title_index == (uint32_t)title)
            return true;
    }
    return false;
}

/*
 * Checks DefaultCounter. winperf.h says that DefaultCounter is a position. Microsoft's page of
 * PERF_OBJECT_TYPE says that it is a title. Dialogs select the counter that
 * PdhGetDefaultPerfCounter returns. This PDH function returns PDH_CSTATUS_NO_COUNTERNAME if
 * DefaultCounter is neither a position nor a title (Microsoft's page of the function). Dialogs do
 * not list bases, so DefaultCounter must not be a base.
 */
static void validate_object_default(prfdata_validated *j, const prfdata_validated_object *o)
{
    const int32_t position = o->header.default_counter;
    const bool is_counter = position >= 0 && (uint32_t)position < o->counter_count;
    const bool is_title = has_counter_title(o, position);

    if (position == -1 || o->header.num_counters == 0 || o->counter_count < o->header.num_counters)
        return;
    if (!is_counter && !is_title)
        PRFDATA_FIND(j, DEFAULT_LOST, PRFDATA_OBJECT_AT(o, default_counter),
                     "PERF_OBJECT_TYPE.DefaultCounter is %d, but the object has %u counters",
                     (int)position, (unsigned)o->header.num_counters);
    else if (is_counter && prfdata_validate_counter_is_base(&o->counters[position]))
        PRFDATA_FIND(j, DEFAULT_LOST, PRFDATA_OBJECT_AT(o, default_counter),
                     "PERF_OBJECT_TYPE.DefaultCounter is %d, which is a base", (int)position);
    else if (!is_counter)
        PRFDATA_FIND(j, DEFAULT_COUNTER, PRFDATA_OBJECT_AT(o, default_counter),
                     "PERF_OBJECT_TYPE.DefaultCounter is %d, which is a title, not a position",
                     (int)position);
}

uint32_t prfdata_validate_object_timer_type(const prfdata_validated_object *o)
{
    for (uint32_t i = 0; i < o->counter_count; i++) {
        const uint32_t type = o->counters[i].definition.counter_type;

        if ((type & TYPE_TIMER_MASK) == TYPE_OBJECT_TIMER)
            return type;
    }
    return 0;
}

static void validate_object_clock(prfdata_validated *j, const prfdata_validated_object *o)
{
    const int64_t frequency = o->header.perf_freq;
    const uint32_t type = prfdata_validate_object_timer_type(o);

    if (frequency <= 0 && type != 0)
        PRFDATA_FIND(j, OBJECT_CLOCK, PRFDATA_OBJECT_AT(o, perf_freq),
                     "PERF_OBJECT_TYPE.PerfFreq is %" PRId64 ", and type 0x%08X divides by it",
                     frequency, (unsigned)type);
}

void prfdata_validate_object_check(prfdata_validated *j, const prfdata_validated_object *o)
{
    const prfdata_perf_object_type *h = &o->header;

    if (h->header_length != sizeof *h)
        PRFDATA_FIND(j, HEADER_LENGTH, PRFDATA_OBJECT_AT(o, header_length),
                     "PERF_OBJECT_TYPE.HeaderLength is %u bytes, but must be 64",
                     (unsigned)h->header_length);
    validate_object_titles(j, o);
    if (h->num_counters == 0)
        PRFDATA_FIND(j, COUNTER_NONE, PRFDATA_OBJECT_AT(o, num_counters),
                     "PERF_OBJECT_TYPE.NumCounters is 0");
    validate_object_default(j, o);
    if (h->code_page != 0)
        PRFDATA_FIND(j, CODE_PAGE, PRFDATA_OBJECT_AT(o, code_page),
                     "PERF_OBJECT_TYPE.CodePage is %u", (unsigned)h->code_page);
    validate_object_level(j, o);
    validate_object_clock(j, o);
}
