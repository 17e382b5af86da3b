/* SPDX-License-Identifier: MIT */
/* Writes the format JSON: a line for each sample, without a header. paths/json.c writes the
 * lines. */
#include "prfread/format.h"

#include "paths/json.h"

static void write_json_row(const prfdata_format_rows *rows, const uint16_t *system_time,
                           prfdata_output *output)
{
    prfdata_json_put_sample(output, rows->columns, rows->json_heads, system_time, rows->taker);
}

static void write_json_statistics(const prfdata_format_rows *rows,
                                  const prfdata_statistics *statistics, prfdata_output *output)
{
    prfdata_json_put_statistics(output, rows->columns, statistics);
}

const prfdata_format prfdata_format_json = {
    .name = "JSON",
    .help = "A line for each sample, named as in Get-Counter: Timestamp (UTC) and\n"
            "CounterSamples with Path, InstanceName, CookedValue, RawValue,\n"
            "SecondValue, CounterType, Status and others. A missing value is null.\n"
            "Integers of 64 bits have all digits.\n",
    .put_row = write_json_row,
    .put_statistics = write_json_statistics,
};
