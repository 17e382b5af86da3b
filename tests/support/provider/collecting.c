/* SPDX-License-Identifier: MIT */
#include "support/provider/collecting.h"

#include <stdlib.h>
#include <string.h>

#include "support/test.h"

enum { ROOM = 8 * 1024 * 1024, NUM_INSTANCES = 40 };

uint16_t *collected_query(const char *text)
{
    const size_t length = text ? strlen(text) : 0;
    uint16_t *query = malloc((length + 1) * sizeof(*query));

    assert_non_null(query);
    for (size_t i = 0; i < length; i++)
        query[i] = (unsigned char)text[i];
    query[length] = 0;
    return query;
}

void collected_take(collected *taken, prfdata_provider *provider, const char *query)
{
    uint16_t *text = query ? collected_query(query) : NULL;
    uint32_t bytes = ROOM, objects = 0xDDDDDDDD;
    const char *mistake;
    void *data;

    taken->memory = malloc(ROOM);
    assert_non_null(taken->memory);
    data = taken->memory;
    assert_int_equal(prfdata_provider_collect(provider, text, &data, &bytes, &objects), 0);
    free(text);
    assert_ptr_equal(data, taken->memory + bytes);
    taken->reply.bytes = taken->memory;
    taken->reply.size = bytes;
    taken->reply.object_count = objects;
    mistake = perf_reader_mistake(&taken->reply);
    if (mistake)
        fail_msg("%s", mistake);
}

void collected_free(collected *taken)
{
    free(taken->memory);
    taken->memory = NULL;
}

uint64_t collected_value(const collected *taken, uint32_t title, const char *parent,
                         const char *instance, uint32_t position)
{
    uint64_t value = 0;

    if (!perf_reader_value(&taken->reply, title, parent, instance, position, &value))
        fail_msg("nothing at %u(%s/%s) %u", (unsigned)title, parent ? parent : "*",
                 instance ? instance : "-", (unsigned)position);
    return value;
}

bool collected_has(const collected *taken, uint32_t title, const char *parent, const char *instance)
{
    uint64_t value;

    return perf_reader_value(&taken->reply, title, parent, instance, 0, &value);
}

int32_t collected_instances(const collected *taken, uint32_t title)
{
    assert_true(perf_reader_object(&taken->reply, title) != SIZE_MAX);
    return (int32_t)perf_reader_object_field(&taken->reply, title, NUM_INSTANCES);
}

uint64_t collected_value_now(prfdata_provider *provider, const char *query, uint32_t title,
                             const char *parent, const char *instance, uint32_t position)
{
    collected taken;
    uint64_t value;

    collected_take(&taken, provider, query);
    value = collected_value(&taken, title, parent, instance, position);
    collected_free(&taken);
    return value;
}

bool collected_has_now(prfdata_provider *provider, const char *query, uint32_t title,
                       const char *parent, const char *instance)
{
    collected taken;
    bool has;

    collected_take(&taken, provider, query);
    has = collected_has(&taken, title, parent, instance);
    collected_free(&taken);
    return has;
}

int32_t collected_instances_now(prfdata_provider *provider, const char *query, uint32_t title)
{
    collected taken;
    int32_t instances;

    collected_take(&taken, provider, query);
    instances = collected_instances(&taken, title);
    collected_free(&taken);
    return instances;
}
