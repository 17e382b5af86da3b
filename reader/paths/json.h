/* SPDX-License-Identifier: MIT */
/*
 * Writes columns as JSON lines: one object per sample, in a line of UTF-8 that ends in LF. The
 * names are those of PowerShell's Get-Counter:
 *
 *   {"Timestamp":"2026-09-22T21:42:32.824Z","Timestamp100NSec":134345869528240000,
 *    "CounterSamples":[{"Path":"\\\\PC\\Jobs(ab)\\Done/sec","InstanceName":"ab",
 *    "CookedValue":100,"RawValue":510,"SecondValue":100000000,"MultipleCount":1,
 *    "CounterType":{"Number":272696576,"Name":"PERF_COUNTER_BULK_COUNT"},
 *    "Status":{"Code":0,"Name":"PDH_CSTATUS_VALID_DATA"},"DefaultScale":0,
 *    "TimeBase":10000000},...]}
 *
 * Numbers are exact. Whole numbers have all digits, and other numbers have the 15 to 17 digits that
 * identify a double. Unknown values are null. The InstanceName of an object without instances and
 * the Name of a type that is not predefined are null, too. The CookedValue of a text counter is a
 * string. An unpaired surrogate in a name becomes U+FFFD.
 */
#ifndef PRFDATA_READER_JSON_H
#define PRFDATA_READER_JSON_H

#include "compute/statistics.h"
#include "paths/columns.h"

/* The beginning of each column's JSON object, up to the values. The beginning is the same in every
 * sample. {0} is empty. */
typedef struct prfdata_json_heads {
    prfdata_output text; /* the heads of all columns, one after the other */
    size_t *ends;        /* the end of each head in the text */
    size_t count;
    size_t capacity;
} prfdata_json_heads;

/* Release everything and leave {0}. */
void prfdata_json_heads_free(prfdata_json_heads *heads);

/*
 * Put a sample.
 *
 * heads        {0} for the first sample of these columns; gets the heads of new columns.
 * taker        Takes the text in pieces (text/output.h); the rest of it stays in `output`. NULL:
 *              the whole text stays there.
 * system_time  SYSTEMTIME's eight numbers in UTC. If it is NULL, not a time, or after the year
 *              9999, Timestamp and Timestamp100NSec are null.
 */
void prfdata_json_put_sample(prfdata_output *output, const prfdata_columns *columns,
                             prfdata_json_heads *heads, const uint16_t system_time[8],
                             const prfdata_output_taker *taker);

/*
 * Put statistics, one for each column: {"Statistics":[{"Path":...,"Values":3,"Skipped":0,
 * "Minimum":1,"Maximum":3,"Mean":2,"TimeWeightedMean":2,"EndToEndMean":2},...]}.
 */
void prfdata_json_put_statistics(prfdata_output *output, const prfdata_columns *columns,
                                 const prfdata_statistics *statistics);

/* Put `size` bytes of UTF-8 as a JSON string, in quotes, with the escapes that JSON requires, and
 * with \u007f for DEL. */
void prfdata_json_put_string(prfdata_output *output, const char *text, size_t size);

#endif
