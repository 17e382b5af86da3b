/* SPDX-License-Identifier: MIT */
/* Holds the table of the counter types. */
#include "map/counter_types.h"

#define STAMPED_FLAGS (PRFDATA_TYPE_NEEDS_BASE | PRFDATA_TYPE_STAMPED)

#define ROW(name, value_bytes, base_type, flags, merge, ticks)                                     \
    {                                                                                              \
#name, PERF_##name, value_bytes, base_type, flags, PRFDATA_MERGING_##merge,                \
            PRFDATA_TICKS_##ticks                                                                  \
    }

/*
 * The bits of AVERAGE_TIMER say DWORD, but Microsoft's reader loads 8 bytes, so the value has 8
 * bytes. A reader that loads a DWORD gets the low half. AVERAGE_BASE is a DWORD with room for 8
 * bytes, because some readers load 8 bytes. MULTI_BASE holds the number of components. This number
 * is a gauge, so it merges as a sum, although MULTI timers accumulate.
 */
static const prfdata_counter_type types[PRFDATA_COUNTER_TYPE_COUNT] = {
    ROW(COUNTER_RAWCOUNT, 4, 0, 0, SUM, NONE),
    ROW(COUNTER_LARGE_RAWCOUNT, 8, 0, 0, SUM, NONE),
    ROW(COUNTER_RAWCOUNT_HEX, 4, 0, 0, SUM, NONE),
    ROW(COUNTER_LARGE_RAWCOUNT_HEX, 8, 0, 0, SUM, NONE),
    ROW(COUNTER_DELTA, 4, 0, 0, ACCUMULATE, NONE),
    ROW(COUNTER_LARGE_DELTA, 8, 0, 0, ACCUMULATE, NONE),
    ROW(COUNTER_COUNTER, 4, 0, 0, ACCUMULATE, NONE),
    ROW(COUNTER_BULK_COUNT, 8, 0, 0, ACCUMULATE, NONE),
    ROW(SAMPLE_COUNTER, 4, PERF_SAMPLE_BASE, PRFDATA_TYPE_MAY_HAVE_BASE, ACCUMULATE, NONE),
    ROW(COUNTER_QUEUELEN_TYPE, 4, 0, 0, ACCUMULATE, PERF),
    ROW(COUNTER_LARGE_QUEUELEN_TYPE, 8, 0, 0, ACCUMULATE, PERF),
    ROW(COUNTER_100NS_QUEUELEN_TYPE, 8, 0, 0, ACCUMULATE, 100NS),
    ROW(COUNTER_OBJ_TIME_QUEUELEN_TYPE, 8, 0, 0, ACCUMULATE, PERF),
    ROW(COUNTER_TIMER, 8, 0, 0, ACCUMULATE, PERF),
    ROW(COUNTER_TIMER_INV, 8, 0, PRFDATA_TYPE_SINGLE_INVERSE, ACCUMULATE, PERF),
    ROW(100NSEC_TIMER, 8, 0, 0, ACCUMULATE, 100NS),
    ROW(100NSEC_TIMER_INV, 8, 0, PRFDATA_TYPE_SINGLE_INVERSE, ACCUMULATE, 100NS),
    ROW(OBJ_TIME_TIMER, 8, 0, 0, ACCUMULATE, PERF),
    ROW(COUNTER_MULTI_TIMER, 8, PERF_COUNTER_MULTI_BASE, PRFDATA_TYPE_NEEDS_BASE, ACCUMULATE, PERF),
    ROW(COUNTER_MULTI_TIMER_INV, 8, PERF_COUNTER_MULTI_BASE, PRFDATA_TYPE_NEEDS_BASE, ACCUMULATE,
        PERF),
    ROW(100NSEC_MULTI_TIMER, 8, PERF_COUNTER_MULTI_BASE, PRFDATA_TYPE_NEEDS_BASE, ACCUMULATE,
        100NS),
    ROW(100NSEC_MULTI_TIMER_INV, 8, PERF_COUNTER_MULTI_BASE, PRFDATA_TYPE_NEEDS_BASE, ACCUMULATE,
        100NS),
    ROW(COUNTER_MULTI_BASE, 8, 0, PRFDATA_TYPE_BASE, SUM, NONE),
    ROW(SAMPLE_FRACTION, 4, PERF_SAMPLE_BASE, PRFDATA_TYPE_NEEDS_BASE, ACCUMULATE, NONE),
    ROW(SAMPLE_BASE, 4, 0, PRFDATA_TYPE_BASE, ACCUMULATE, NONE),
    ROW(RAW_FRACTION, 4, PERF_RAW_BASE, PRFDATA_TYPE_NEEDS_BASE, SUM, NONE),
    ROW(RAW_BASE, 4, 0, PRFDATA_TYPE_BASE, SUM, NONE),
    ROW(LARGE_RAW_FRACTION, 8, PERF_LARGE_RAW_BASE, PRFDATA_TYPE_NEEDS_BASE, SUM, NONE),
    ROW(LARGE_RAW_BASE, 8, 0, PRFDATA_TYPE_BASE, SUM, NONE),
    ROW(AVERAGE_TIMER, 8, PERF_AVERAGE_BASE, PRFDATA_TYPE_NEEDS_BASE, ACCUMULATE, PERF),
    ROW(AVERAGE_BULK, 8, PERF_AVERAGE_BASE, PRFDATA_TYPE_NEEDS_BASE, ACCUMULATE, NONE),
    ROW(AVERAGE_BASE, 4, 0, PRFDATA_TYPE_BASE | PRFDATA_TYPE_ROOM_FOR_8, ACCUMULATE, NONE),
    ROW(PRECISION_SYSTEM_TIMER, 8, PERF_LARGE_RAW_BASE, STAMPED_FLAGS, ACCUMULATE, PERF),
    ROW(PRECISION_100NS_TIMER, 8, PERF_LARGE_RAW_BASE, STAMPED_FLAGS, ACCUMULATE, 100NS),
    ROW(PRECISION_OBJECT_TIMER, 8, PERF_LARGE_RAW_BASE, STAMPED_FLAGS, ACCUMULATE, PERF),
    ROW(ELAPSED_TIME, 8, 0, 0, OLDEST_START, PERF),
    ROW(COUNTER_TEXT, 0, 0, PRFDATA_TYPE_NOT_YET, NOTHING, NONE),
    ROW(COUNTER_NODATA, 0, 0, 0, NOTHING, NONE),
    ROW(COUNTER_HISTOGRAM_TYPE, 0, 0, PRFDATA_TYPE_NOT_YET, NOTHING, NONE),
};

const prfdata_counter_type *prfdata_counter_types_find(uint32_t type)
{
    for (size_t i = 0; i < PRFDATA_COUNTER_TYPE_COUNT; i++) {
        if (types[i].type == type)
            return &types[i];
    }
    return NULL;
}

const prfdata_counter_type *prfdata_counter_types_at(size_t index)
{
    return &types[index];
}

uint32_t prfdata_counter_types_place(const prfdata_counter_type *type, uint32_t *used_bytes)
{
    const uint32_t room = type->flags & PRFDATA_TYPE_ROOM_FOR_8 ? 8 : type->value_bytes;
    uint32_t offset;

    if (type->value_bytes == 0)
        return sizeof(uint32_t); /* directly after ByteLength */

    offset = (*used_bytes + type->value_bytes - 1) / type->value_bytes * type->value_bytes;
    *used_bytes = offset + room;
    return offset;
}
