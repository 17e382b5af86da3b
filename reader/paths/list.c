/* SPDX-License-Identifier: MIT */
/* Lists the paths of the counters that a sample contains. */
#include "paths/list.h"

/* Put a * in place of each CR and LF. The path is then a pattern that names the same counter. */
static void keep_on_one_line(char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] == '\r' || bytes[i] == '\n')
            bytes[i] = '*';
    }
}

/* Put \Object(label)\Counter; without parentheses if `label` is NULL. */
static void put_listed_path(prfdata_output *output, const prfdata_sample_object *object,
                            const prfdata_decode_counter *counter, const prfdata_name_table *titles,
                            const prfdata_text *label)
{
    const size_t begin = output->used;

    prfdata_output_put_string(output, "\\");
    prfdata_columns_put_title(output, titles, object->wire.header.object_name_title_index);
    if (label) {
        prfdata_output_put_string(output, "(");
        prfdata_output_put_text(output, *label);
        prfdata_output_put_string(output, ")");
    }
    prfdata_output_put_string(output, "\\");
    prfdata_columns_put_title(output, titles, counter->definition.counter_name_title_index);
    if (!output->failed)
        keep_on_one_line(output->bytes + begin, output->used - begin);
    prfdata_output_put_string(output, "\r\n");
}

static void put_listed_counter(prfdata_output *output, const prfdata_sample_object *object,
                               const prfdata_decode_counter *counter,
                               const prfdata_name_table *titles, bool with_instances)
{
    if (!object->has_instances || !with_instances || object->found_count == 0) {
        put_listed_path(output, object, counter, titles,
                        object->has_instances ? &prfdata_path_star : NULL);
        return;
    }
    for (uint32_t i = 0; i < object->instance_count; i++) {
        if (!object->instances[i].damaged)
            put_listed_path(output, object, counter, titles, &object->instances[i].label);
    }
}

void prfdata_list_put(prfdata_output *output, const prfdata_sample_object *object,
                      const prfdata_name_table *titles, bool with_instances)
{
    for (uint32_t i = 0; i < object->counter_count; i++) {
        if (prfdata_sample_shows(&object->counters[i]))
            put_listed_counter(output, object, &object->counters[i], titles, with_instances);
    }
}
