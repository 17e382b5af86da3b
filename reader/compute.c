/* SPDX-License-Identifier: MIT */
#include "compute.h"

#include <stddef.h>

#include <prfdata/perf_types.h>

/* PDH keeps raw values as LONGLONG: 4 bytes are unsigned in it, 8 bytes are signed. */
static double level(uint64_t value, uint32_t bytes)
{
    return bytes == 8 ? (double)(int64_t)value : (double)(uint32_t)value;
}

/*
 * By how much a count grew. A 4-byte counter that wrapped looks like one that restarted: one
 * sample without a value is better than a rate of four thousand millions.
 */
static uint32_t growth(uint64_t older, uint64_t newer, uint32_t bytes, double *difference)
{
    if (bytes == 8) {
        if ((int64_t)newer < (int64_t)older)
            return PRFDATA_STATUS_NEGATIVE_VALUE;
        *difference = (double)(newer - older);
        return PRFDATA_STATUS_OK;
    }
    if ((uint32_t)newer < (uint32_t)older)
        return PRFDATA_STATUS_NEGATIVE_VALUE;
    *difference = (double)((uint32_t)newer - (uint32_t)older);
    return PRFDATA_STATUS_OK;
}

static uint32_t value_growth(const prfdata_compute_raw *older, const prfdata_compute_raw *newer,
                             double *difference)
{
    return growth(older->value, newer->value, newer->value_bytes, difference);
}

/* The base's growth as a denominator: above 0. */
static uint32_t base_growth(const prfdata_compute_raw *older, const prfdata_compute_raw *newer,
                            double *difference)
{
    if (newer->base_bytes == 0 || older->base_bytes != newer->base_bytes)
        return PRFDATA_STATUS_INVALID_DATA;
    if (growth(older->base, newer->base, newer->base_bytes, difference) != PRFDATA_STATUS_OK)
        return PRFDATA_STATUS_NEGATIVE_DENOMINATOR;
    return *difference > 0 ? PRFDATA_STATUS_OK : PRFDATA_STATUS_NO_DATA;
}

/* The ticks between two stamps as a denominator: above 0. */
static uint32_t elapsed(int64_t older, int64_t newer, double *ticks)
{
    if (newer <= older)
        return PRFDATA_STATUS_NEGATIVE_DENOMINATOR;
    *ticks = (double)((uint64_t)newer - (uint64_t)older);
    return PRFDATA_STATUS_OK;
}

/* (N1 - N0) / ((D1 - D0) / F) */
static uint32_t per_second(const prfdata_compute_raw *older, const prfdata_compute_raw *newer,
                           double *value)
{
    double count;
    double ticks;
    uint32_t status = value_growth(older, newer, &count);

    if (status == PRFDATA_STATUS_OK)
        status = elapsed(older->perf_time, newer->perf_time, &ticks);
    if (status != PRFDATA_STATUS_OK)
        return status;
    if (newer->perf_freq <= 0)
        return PRFDATA_STATUS_NEGATIVE_TIMEBASE;
    *value = count / (ticks / (double)newer->perf_freq);
    return PRFDATA_STATUS_OK;
}

/* 100 * (N1 - N0) / (D1 - D0), multiplied last: 100 * N would not fit 64 bits. */
static uint32_t percent_of_time(const prfdata_compute_raw *older, const prfdata_compute_raw *newer,
                                int64_t older_time, int64_t newer_time, double *value)
{
    double busy;
    double ticks;
    uint32_t status = value_growth(older, newer, &busy);

    if (status == PRFDATA_STATUS_OK)
        status = elapsed(older_time, newer_time, &ticks);
    if (status == PRFDATA_STATUS_OK)
        *value = 100 * (busy / ticks);
    return status;
}

/* (N1 - N0) / (B1 - B0) */
static uint32_t per_base(const prfdata_compute_raw *older, const prfdata_compute_raw *newer,
                         double *value)
{
    double total;
    double count;
    uint32_t status = value_growth(older, newer, &total);

    if (status == PRFDATA_STATUS_OK)
        status = base_growth(older, newer, &count);
    if (status == PRFDATA_STATUS_OK)
        *value = total / count;
    return status;
}

/* ((N1 - N0) / F) / (B1 - B0) */
static uint32_t seconds_per_base(const prfdata_compute_raw *older, const prfdata_compute_raw *newer,
                                 double *value)
{
    double ticks;
    uint32_t status;

    if (newer->perf_freq <= 0)
        return PRFDATA_STATUS_NEGATIVE_TIMEBASE;
    status = per_base(older, newer, &ticks);
    if (status == PRFDATA_STATUS_OK)
        *value = ticks / (double)newer->perf_freq;
    return status;
}

/* 100 * (N1 - N0) / (B1 - B0) */
static uint32_t percent_of_base(const prfdata_compute_raw *older, const prfdata_compute_raw *newer,
                                double *value)
{
    double ratio;
    uint32_t status = per_base(older, newer, &ratio);

    if (status == PRFDATA_STATUS_OK)
        *value = 100 * ratio;
    return status;
}

/* 100 * N1 / B1 */
static uint32_t raw_fraction(const prfdata_compute_raw *newer, double *value)
{
    double base;

    if (newer->base_bytes == 0)
        return PRFDATA_STATUS_INVALID_DATA;
    base = level(newer->base, newer->base_bytes);
    if (base < 0)
        return PRFDATA_STATUS_NEGATIVE_DENOMINATOR;
    if (base == 0)
        return PRFDATA_STATUS_NO_DATA;
    *value = 100 * (level(newer->value, newer->value_bytes) / base);
    return PRFDATA_STATUS_OK;
}

/* (D1 - N1) / F; a start of 0 means that nothing has started. */
static uint32_t elapsed_time(const prfdata_compute_raw *newer, double *value)
{
    double ticks;

    if (newer->value == 0) {
        *value = 0;
        return PRFDATA_STATUS_OK;
    }
    if (newer->object_freq <= 0)
        return PRFDATA_STATUS_NEGATIVE_TIMEBASE;
    if (growth(newer->value, (uint64_t)newer->object_time, 8, &ticks) != PRFDATA_STATUS_OK)
        return PRFDATA_STATUS_NEGATIVE_VALUE;
    *value = ticks / (double)newer->object_freq;
    return PRFDATA_STATUS_OK;
}

static uint32_t from_one_sample(const prfdata_compute_raw *newer, double *value)
{
    switch (newer->type) {
    case PERF_COUNTER_RAWCOUNT:
    case PERF_COUNTER_LARGE_RAWCOUNT:
    case PERF_COUNTER_RAWCOUNT_HEX:
    case PERF_COUNTER_LARGE_RAWCOUNT_HEX:
        *value = level(newer->value, newer->value_bytes);
        return PRFDATA_STATUS_OK;
    case PERF_RAW_FRACTION:
    case PERF_LARGE_RAW_FRACTION:
        return raw_fraction(newer, value);
    case PERF_ELAPSED_TIME:
        return elapsed_time(newer, value);
    default:
        return PRFDATA_STATUS_NOT_YET;
    }
}

static uint32_t from_two_samples(const prfdata_compute_raw *older, const prfdata_compute_raw *newer,
                                 double *value)
{
    switch (newer->type) {
    case PERF_COUNTER_DELTA:
    case PERF_COUNTER_LARGE_DELTA:
        return value_growth(older, newer, value);
    case PERF_COUNTER_COUNTER:
    case PERF_COUNTER_BULK_COUNT:
    case PERF_SAMPLE_COUNTER:
        return per_second(older, newer, value);
    case PERF_COUNTER_TIMER:
        return percent_of_time(older, newer, older->perf_time, newer->perf_time, value);
    case PERF_100NSEC_TIMER:
        return percent_of_time(older, newer, older->time_100ns, newer->time_100ns, value);
    case PERF_SAMPLE_FRACTION:
        return percent_of_base(older, newer, value);
    case PERF_AVERAGE_BULK:
        return per_base(older, newer, value);
    case PERF_AVERAGE_TIMER:
        return seconds_per_base(older, newer, value);
    default:
        return PRFDATA_STATUS_NOT_YET;
    }
}

static bool needs_two_samples(uint32_t type)
{
    switch (type) {
    case PERF_COUNTER_DELTA:
    case PERF_COUNTER_LARGE_DELTA:
    case PERF_COUNTER_COUNTER:
    case PERF_COUNTER_BULK_COUNT:
    case PERF_SAMPLE_COUNTER:
    case PERF_COUNTER_TIMER:
    case PERF_100NSEC_TIMER:
    case PERF_SAMPLE_FRACTION:
    case PERF_AVERAGE_BULK:
    case PERF_AVERAGE_TIMER:
        return true;
    default:
        return false;
    }
}

uint32_t prfdata_compute(const prfdata_compute_raw *older, const prfdata_compute_raw *newer,
                         double *value)
{
    double result = 0;
    uint32_t status;

    if (newer->value_bytes != 4 && newer->value_bytes != 8)
        return PRFDATA_STATUS_INVALID_DATA;
    if (!needs_two_samples(newer->type))
        status = from_one_sample(newer, &result);
    else if (!older)
        return PRFDATA_STATUS_ONE_SAMPLE;
    else if (older->type != newer->type || older->value_bytes != newer->value_bytes)
        return PRFDATA_STATUS_INVALID_DATA;
    else
        status = from_two_samples(older, newer, &result);

    if (status == PRFDATA_STATUS_OK)
        *value = result;
    return status;
}

static const struct {
    uint32_t status;
    const char *name;
    const char *text;
} statuses[] = {
    {PRFDATA_STATUS_OK, "PDH_CSTATUS_VALID_DATA", "the value is valid"},
    {PRFDATA_STATUS_NO_INSTANCE, "PDH_CSTATUS_NO_INSTANCE", "the instance is not there now"},
    {PRFDATA_STATUS_NO_DATA, "PDH_NO_DATA", "nothing was counted to divide by"},
    {PRFDATA_STATUS_NEGATIVE_DENOMINATOR, "PDH_CALC_NEGATIVE_DENOMINATOR",
     "no time passed, or time or the base counter went backwards"},
    {PRFDATA_STATUS_NEGATIVE_TIMEBASE, "PDH_CALC_NEGATIVE_TIMEBASE",
     "the provider gives no clock frequency"},
    {PRFDATA_STATUS_NEGATIVE_VALUE, "PDH_CALC_NEGATIVE_VALUE", "the counter went backwards"},
    {PRFDATA_STATUS_NO_OBJECT, "PDH_CSTATUS_NO_OBJECT", "the object is not there now"},
    {PRFDATA_STATUS_NO_COUNTER, "PDH_CSTATUS_NO_COUNTER", "the counter is not there now"},
    {PRFDATA_STATUS_INVALID_DATA, "PDH_CSTATUS_INVALID_DATA", "the provider's data is not valid"},
    {PRFDATA_STATUS_ONE_SAMPLE, "PDH_INVALID_DATA", "the value needs a second sample"},
    {PRFDATA_STATUS_NOT_YET, "PDH_NOT_IMPLEMENTED", "not computed yet"},
};

const char *prfdata_compute_status_name(uint32_t status)
{
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
        if (statuses[i].status == status)
            return statuses[i].name;
    }
    return "unknown status";
}

const char *prfdata_compute_status_text(uint32_t status)
{
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
        if (statuses[i].status == status)
            return statuses[i].text;
    }
    return "unknown status";
}
