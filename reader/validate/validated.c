/* SPDX-License-Identifier: MIT */
/* Manages the memory of a reply that is checked, and finds its objects by title (validated.h). */
#include "validate/validated.h"

#include <stdlib.h>

void *prfdata_validated_array(prfdata_validated *j, uint64_t count, size_t item_bytes)
{
    void *items = count < SIZE_MAX / item_bytes ? calloc((size_t)count + 1, item_bytes) : NULL;

    if (!items)
        j->is_out_of_memory = true;
    return items;
}

int prfdata_validated_order(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

int prfdata_validated_order_names(const prfdata_validated_instance *a,
                                  const prfdata_validated_instance *b)
{
    if (a->name_hash != b->name_hash)
        return a->name_hash < b->name_hash ? -1 : 1;
    return prfdata_text_compare(a->name, b->name);
}

static int compare_validated_titles(const void *left, const void *right)
{
    const prfdata_validated_title *a = left;
    const prfdata_validated_title *b = right;

    if (a->title != b->title)
        return prfdata_validated_order(a->title, b->title);
    return prfdata_validated_order(a->position, b->position);
}

void prfdata_validated_sort_titles(prfdata_validated *j)
{
    j->by_title = prfdata_validated_array(j, j->object_count, sizeof *j->by_title);
    if (!j->by_title)
        return;
    for (uint32_t i = 0; i < j->object_count; i++) {
        j->by_title[i].title = j->objects[i].header.object_name_title_index;
        j->by_title[i].position = i;
    }
    qsort(j->by_title, j->object_count, sizeof *j->by_title, compare_validated_titles);
}

const prfdata_validated_object *prfdata_validated_find(const prfdata_validated *j, uint32_t title)
{
    uint32_t low = 0;
    uint32_t high = j->by_title ? j->object_count : 0;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (j->by_title[middle].title < title)
            low = middle + 1;
        else
            high = middle;
    }
    if (!j->by_title || low == j->object_count || j->by_title[low].title != title)
        return NULL;
    return &j->objects[j->by_title[low].position];
}

bool prfdata_validated_has_instances(const prfdata_validated_object *o)
{
    return o->header.num_instances >= 0;
}

bool prfdata_validated_value(const prfdata_validated *j, const prfdata_validated_counter *c,
                             const prfdata_validated_instance *i, uint64_t *value)
{
    const uint32_t size = c->definition.counter_size;
    const uint32_t offset = c->definition.counter_offset;

    if ((size != 4 && size != 8) || offset < sizeof(prfdata_perf_counter_block) ||
        (uint64_t)offset + size > i->values_bytes)
        return false;
    *value = prfdata_bytes_get(j->bytes, i->values + offset, size);
    return true;
}

bool prfdata_validated_is_total(const prfdata_validated_instance *i)
{
    return prfdata_text_equal_ascii(i->name, "_Total");
}

void prfdata_validated_free(prfdata_validated *j)
{
    for (uint32_t i = 0; i < j->object_count; i++) {
        free(j->objects[i].counters);
        free(j->objects[i].instances);
        free(j->objects[i].chars);
    }
    free(j->objects);
    free(j->by_title);
}
