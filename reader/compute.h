/* SPDX-License-Identifier: MIT */
/*
 * From raw values to what a counter says: the formulas of the counter types. Knows no bytes, no
 * names and no clock; whoever samples fills in prfdata_compute_raw.
 *
 * A result is a right number or a status that says why there is none. Never infinity, never NaN,
 * and never a huge rate because something restarted.
 */
#ifndef PRFDATA_READER_COMPUTE_H
#define PRFDATA_READER_COMPUTE_H

#include <stdbool.h>
#include <stdint.h>

/* PDH's status codes, so that users find them in the documents they know. */
#define PRFDATA_STATUS_OK                   0x00000000u /* PDH_CSTATUS_VALID_DATA */
#define PRFDATA_STATUS_NO_INSTANCE          0x800007D1u /* PDH_CSTATUS_NO_INSTANCE */
#define PRFDATA_STATUS_NO_DATA              0x800007D5u /* PDH_NO_DATA */
#define PRFDATA_STATUS_NEGATIVE_DENOMINATOR 0x800007D6u /* PDH_CALC_NEGATIVE_DENOMINATOR */
#define PRFDATA_STATUS_NEGATIVE_TIMEBASE    0x800007D7u /* PDH_CALC_NEGATIVE_TIMEBASE */
#define PRFDATA_STATUS_NEGATIVE_VALUE       0x800007D8u /* PDH_CALC_NEGATIVE_VALUE */
#define PRFDATA_STATUS_NO_OBJECT            0xC0000BB8u /* PDH_CSTATUS_NO_OBJECT */
#define PRFDATA_STATUS_NO_COUNTER           0xC0000BB9u /* PDH_CSTATUS_NO_COUNTER */
#define PRFDATA_STATUS_INVALID_DATA         0xC0000BBAu /* PDH_CSTATUS_INVALID_DATA */
#define PRFDATA_STATUS_ONE_SAMPLE           0xC0000BC6u /* PDH_INVALID_DATA */
#define PRFDATA_STATUS_NOT_YET              0xC0000BD3u /* PDH_NOT_IMPLEMENTED */

/* What one sample knows about one counter. Times are those of the same reply. */
typedef struct prfdata_compute_raw {
    uint32_t type;        /* CounterType */
    uint32_t value_bytes; /* 4 or 8; a value of 4 bytes is unsigned, one of 8 is signed */
    uint32_t base_bytes;  /* 4 or 8; 0: no base stands behind the counter */
    uint64_t value;
    uint64_t base;
    int64_t perf_time; /* of the data block */
    int64_t perf_freq;
    int64_t time_100ns;
    int64_t object_time; /* of the object */
    int64_t object_freq;
} prfdata_compute_raw;

/*
 * Compute the value of a counter.
 *
 * older  The sample before, or NULL if there is none.
 * value  Set on PRFDATA_STATUS_OK only.
 *
 * Returns PRFDATA_STATUS_OK,
 *   PRFDATA_STATUS_ONE_SAMPLE            the type needs `older`
 *   PRFDATA_STATUS_NEGATIVE_VALUE        the counter went backwards, or a start is in the future
 *   PRFDATA_STATUS_NEGATIVE_DENOMINATOR  no time passed, or time or base went backwards
 *   PRFDATA_STATUS_NEGATIVE_TIMEBASE     the clock's frequency is 0 or less
 *   PRFDATA_STATUS_NO_DATA               nothing happened: the base did not grow, or is 0
 *   PRFDATA_STATUS_INVALID_DATA          the type changed, or its base is missing
 *   PRFDATA_STATUS_NOT_YET               no formula for this type yet
 */
uint32_t prfdata_compute(const prfdata_compute_raw *older, const prfdata_compute_raw *newer,
                         double *value);

/* The status in PDH's spelling, such as "PDH_CALC_NEGATIVE_VALUE". */
const char *prfdata_compute_status_name(uint32_t status);

/* The status in plain words, such as "the counter went backwards". */
const char *prfdata_compute_status_text(uint32_t status);

#endif
