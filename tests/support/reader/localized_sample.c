/* SPDX-License-Identifier: MIT */
#include "support/reader/localized_sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/reader/ascii_text.h"
#include "support/test.h"

#define JOBS        100
#define MACHINE     200
#define MORE_JOBS   300
#define EMPTY       400
#define RAW_COUNT   0x00010000
#define NO_INSTANCE (-1)

static const struct {
    uint32_t index;
    const char *english; /* NULL: none */
    const char *local;
} names[] = {
    {JOBS, "Jobs", "Arbeiten"}, {102, "Active", "Laufend"},     {104, "Waiting", "Anstehend"},
    {106, "Added", "Waiting"},  {108, NULL, "Gesamt"},          {MACHINE, "Machine", "Jobs"},
    {202, "Level", "Active"},   {MORE_JOBS, "Jobs", "Weitere"}, {302, "Active", "Level"},
    {EMPTY, "Nothing", "Leer"}, {402, "Active", "Laufend"},
};

const localized_sample_path localized_sample_paths[] = {
    {"\\Jobs(*)\\A*", "1020 1021 1060 1061 ", PRFDATA_RESOLVER_FOUND},
    {"\\Arbeiten(*)\\A*", "1040 1041 ", PRFDATA_RESOLVER_FOUND},
    {"\\Jobs(*)\\Waiting", "1040 1041 ", PRFDATA_RESOLVER_FOUND},
    {"\\Arbeiten(*)\\Waiting", "1060 1061 ", PRFDATA_RESOLVER_FOUND},
    {"\\Jobs(y)\\Gesamt", "1081 ", PRFDATA_RESOLVER_FOUND},
    {"\\Arbeiten(x)\\Added", "1060 ", PRFDATA_RESOLVER_FOUND},
    {"\\Jobs(x)\\*", "1020 1040 1060 1080 ", PRFDATA_RESOLVER_FOUND},
    {"\\Jobs(*)\\104", "1040 1041 ", PRFDATA_RESOLVER_FOUND},
    {"\\100(y)\\W*", "1041 ", PRFDATA_RESOLVER_FOUND},
    {"\\Jobs\\Active", "3020 ", PRFDATA_RESOLVER_FOUND},
    {"\\Weitere\\*", "3020 ", PRFDATA_RESOLVER_FOUND},
    {"\\Machine\\Active", "2020 ", PRFDATA_RESOLVER_FOUND},
    {"\\j*s(*)\\Active", "1020 1021 ", PRFDATA_RESOLVER_FOUND},
    {"\\*\\Level", "2020 3020 ", PRFDATA_RESOLVER_FOUND},
    {"\\Weit*\\*", "3020 ", PRFDATA_RESOLVER_FOUND},
    {"\\Abs*(*)\\Active", "", PRFDATA_RESOLVER_NO_OBJECT},
    {"\\Absent(*)\\Active", "", PRFDATA_RESOLVER_NO_OBJECT},
    {"\\Jobs(*)\\Nonsense", "", PRFDATA_RESOLVER_NO_COUNTER},
    {"\\100(x)\\10*", "", PRFDATA_RESOLVER_NO_COUNTER},
    {"\\Jobs(z)\\Active", "", PRFDATA_RESOLVER_NO_INSTANCE},
    {"\\Nothing(*)\\Active", "", PRFDATA_RESOLVER_NO_INSTANCE},
    {"\\Arbeiten\\Laufend", "", PRFDATA_RESOLVER_NEEDS_INSTANCE},
    {"\\Machine(*)\\Level", "", PRFDATA_RESOLVER_NO_INSTANCES},
    {NULL, NULL, PRFDATA_RESOLVER_NO_OBJECT},
};

static void put_cells(wire *w, uint32_t object, uint32_t counter_count, uint32_t position)
{
    const size_t values = wire_values(w);

    for (uint32_t c = 0; c < counter_count; c++)
        wire_put32(w, 10 * (object + 2 * (c + 1)) + position);
    wire_values_end(w, values);
}

static void put_object(wire *w, uint32_t title, uint32_t counter_count, int32_t instance_count)
{
    static const char *const instances[] = {"x", "y"};
    const size_t object = wire_object(w, title, counter_count, instance_count, 0);

    for (uint32_t c = 0; c < counter_count; c++)
        wire_counter(w, title + 2 * (c + 1), RAW_COUNT, 4, 4 + 4 * c);
    if (instance_count == NO_INSTANCE)
        put_cells(w, title, counter_count, 0);
    for (int32_t i = 0; i < instance_count; i++) {
        wire_instance(w, 0, 0, -1, instances[i]);
        put_cells(w, title, counter_count, (uint32_t)i);
    }
    wire_object_end(w, object);
}

void localized_sample_write(wire *w)
{
    wire_begin(w, 4);
    put_object(w, JOBS, 4, 2);
    put_object(w, MACHINE, 1, NO_INSTANCE);
    put_object(w, MORE_JOBS, 1, NO_INSTANCE);
    put_object(w, EMPTY, 1, 0);
    wire_end(w);
}

static void name_title(prfdata_name_table *table, uint32_t index, const char *name)
{
    uint16_t chars[32];

    if (name)
        assert_int_equal(prfdata_name_table_add(table, index, ascii_text(name, chars)), 0);
}

void localized_sample_name(prfdata_titles *titles)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        name_title(&titles->english, names[i].index, names[i].english);
        name_title(&titles->local, names[i].index, names[i].local);
    }
    prfdata_titles_index_names(titles);
}

prfdata_resolver_path localized_sample_request(const prfdata_titles *titles, const char *text,
                                               uint16_t *chars)
{
    prfdata_resolver_path request;
    prfdata_path_error error;

    memset(&request, 0, sizeof request);
    assert_true(prfdata_path_parse(ascii_text(text, chars), &request.path, &error));
    request.way = prfdata_titles_way_of(titles, request.path.object);
    return request;
}

static int compare_numbers(const void *a, const void *b)
{
    const unsigned left = *(const unsigned *)a;
    const unsigned right = *(const unsigned *)b;

    return (left > right) - (left < right);
}

void localized_sample_values(unsigned *numbers, size_t count, char *text, size_t size)
{
    size_t used = 0;

    text[0] = 0;
    qsort(numbers, count, sizeof *numbers, compare_numbers);
    for (size_t i = 0; i < count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%u ", numbers[i]);
}
