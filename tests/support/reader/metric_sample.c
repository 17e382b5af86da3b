/* SPDX-License-Identifier: MIT */
#include "support/reader/metric_sample.h"

#include "support/reader/ascii_text.h"
#include "support/test.h"

void metric_sample_name(prfdata_name_table *table, uint32_t index, const char *name)
{
    uint16_t chars[513];

    assert_true(strlen(name) <= 512);
    assert_int_equal(prfdata_name_table_add(table, index, ascii_text(name, chars)), ERROR_SUCCESS);
}

#define OBJECT 500

/* Values follow each other in a counter block without gaps, so some are not aligned. */
static const struct {
    const char *name; /* NULL: a base */
    uint32_t type;
    uint32_t bytes;
    uint64_t value; /* the value of instance a; b has twice this value */
} types[] = {
    {"Raw Count", 0x00010000, 4, 4000000000},
    {"Large Raw Count", 0x00010100, 8, (uint64_t)-5},
    {"Raw Count Hex", 0x00000000, 4, 7},
    {"Large Raw Count Hex", 0x00000100, 8, 9007199254740993},
    {"Double Raw", 0x00012000, 8, 0x3FF8000000000000},
    {"Delta", 0x00400400, 4, 11},
    {"Large Delta", 0x00400500, 8, 12},
    {"Operations/sec", 0x10410400, 4, 13},
    {"KBytes Sent/sec", 0x10410500, 8, 14},
    {"Sample Counter", 0x00410400, 4, 15},
    {"Queue Length", 0x00450400, 4, 25000000},
    {"Large Queue Length", 0x00450500, 8, 30000000},
    {"100ns Queue Length", 0x00550500, 8, 35000001},
    {"Object Time Queue Length", 0x00650500, 8, 45},
    {"% Timer", 0x20410500, 8, 10000000},
    {"% Timer Inverse", 0x21410500, 8, 12345678},
    {"% 100ns Timer", 0x20510500, 8, 1},
    {"% 100ns Timer Inverse", 0x21510500, 8, 20000000},
    {"% Object Time", 0x20610500, 8, 20},
    {"% Multi Timer", 0x22410500, 8, 50000000},
    {NULL, 0x42030500, 8, 2},
    {"% Multi Timer Inverse", 0x23410500, 8, 60000000},
    {NULL, 0x42030500, 8, 3},
    {"% 100ns Multi Timer", 0x22510500, 8, 70000000},
    {NULL, 0x42030500, 8, 4},
    {"% 100ns Multi Timer Inverse", 0x23510500, 8, 80000000},
    {NULL, 0x42030500, 8, 5},
    {"% Hit", 0x20C20400, 4, 16},
    {NULL, 0x40030401, 4, 20},
    {"% Used", 0x20020400, 4, 1},
    {NULL, 0x40030403, 4, 4},
    {"% Used Large", 0x20020500, 8, 3},
    {NULL, 0x40030500, 8, 8},
    {"Avg. sec/Read", 0x30020400, 8, 15000000},
    {NULL, 0x40030402, 4, 17},
    {"Avg. Bytes/Read", 0x40020500, 8, 4096},
    {NULL, 0x40030402, 4, 18},
    {"% Precision System Timer", 0x20470500, 8, 90000000},
    {NULL, 0x40030500, 8, 1},
    {"% Precision 100ns Timer", 0x20570500, 8, 95000000},
    {NULL, 0x40030500, 8, 1},
    {"% Precision Object Timer", 0x20670500, 8, 55},
    {NULL, 0x40030500, 8, 1},
    {"Elapsed Time", 0x30240500, 8, 400},
    {"Text", 0x00000B00, 4, 0x00410041},
    {"Label", 0x40000200, 0, 0},
    {"Histogram", 0x80000000, 4, 0},
};

#define TYPE_COUNT (sizeof types / sizeof types[0])

/* Return twice the value, also of a double. */
static uint64_t doubled(uint64_t value, uint32_t type)
{
    return type == 0x00012000 ? value + 0x0010000000000000 : value * 2;
}

static void put_values(wire *w, bool is_double)
{
    size_t values = wire_values(w);

    wire_put32(w, 0);
    for (size_t i = 0; i < TYPE_COUNT; i++) {
        uint64_t value = is_double ? doubled(types[i].value, types[i].type) : types[i].value;

        if (types[i].bytes == 8)
            wire_put64(w, value);
        else if (types[i].bytes == 4)
            wire_put32(w, (uint32_t)value);
    }
    wire_values_end(w, values);
}

void metric_sample_put_types(wire *w)
{
    static const char *const names[] = {"a", "b", "_Total"};
    size_t object = wire_object(w, OBJECT, TYPE_COUNT, 3, 0);
    uint32_t offset = 8;

    for (uint32_t i = 0; i < TYPE_COUNT; i++) {
        wire_counter(w, types[i].name ? OBJECT + 2 + 2 * i : 0, types[i].type, types[i].bytes,
                     offset);
        offset += types[i].bytes;
    }
    for (uint32_t i = 0; i < 3; i++) {
        wire_instance(w, 0, 0, -1, names[i]);
        put_values(w, i == 1);
    }
    wire_object_end(w, object);
}

void metric_sample_name_types(prfdata_titles *titles)
{
    metric_sample_name(&titles->english, OBJECT, "Every Type");
    for (uint32_t i = 0; i < TYPE_COUNT; i++) {
        if (!types[i].name)
            continue;
        metric_sample_name(&titles->english, OBJECT + 2 + 2 * i, types[i].name);
        if (i % 2 == 0)
            metric_sample_name(&titles->helps, OBJECT + 3 + 2 * i,
                               i == 0 ? "A \"raw\" count\\level.\r\nNo more" : "Says so");
    }
}
