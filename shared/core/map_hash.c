/* SPDX-License-Identifier: MIT */
/* The hash of a map: FNV-1a over what a region depends on. Expects a map without mistakes. */
#include "core/map_hash.h"

#include <string.h>

#include "core/names.h"

static uint64_t hash_map_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;

    for (size_t i = 0; i < size; i++)
        hash = (hash ^ byte[i]) * 0x100000001B3u;
    return hash;
}

static uint64_t hash_number(uint64_t hash, uint64_t number)
{
    unsigned char bytes[4];

    for (unsigned i = 0; i < sizeof(bytes); i++)
        bytes[i] = (unsigned char)(number >> (8 * i));
    return hash_map_bytes(hash, bytes, sizeof(bytes));
}

static uint64_t hash_name(uint64_t hash, const wchar_t *name)
{
    char bytes[3 * PRFDATA_MAX_NAME_CHARS]; /* a UTF-16 code unit takes 3 bytes at most */
    size_t size = prfdata_names_utf8_from_wide(name, bytes, sizeof(bytes));

    hash = hash_number(hash, size);
    return hash_map_bytes(hash, bytes, size);
}

static uint64_t hash_object(uint64_t hash, const prfdata_map_node *object)
{
    hash = hash_number(hash, PRFDATA_ENTRY_OBJECT);
    hash = hash_number(hash, object->entry->id);
    hash = hash_number(hash, object->options);
    hash = hash_number(hash, (uint32_t)object->entry->max_instances);
    hash = hash_number(hash, prfdata_map_tree_name_chars(object));
    hash = hash_number(hash, object->parent_id);
    return hash_name(hash, object->entry->name);
}

/* Not those that no region depends on. */
static uint32_t hashed_options(const prfdata_map_node *node)
{
    return node->options & ~(uint32_t)PRFDATA_OPTION_TOTAL_MEAN;
}

static uint64_t hash_counter(uint64_t hash, const prfdata_map_node *counter)
{
    hash = hash_number(hash, PRFDATA_ENTRY_COUNTER);
    hash = hash_number(hash, counter->entry->id);
    hash = hash_number(hash, hashed_options(counter));
    hash = hash_number(hash, counter->entry->type);
    return hash_name(hash, counter->entry->name);
}

uint64_t prfdata_map_hash(const prfdata_map_tree *tree)
{
    const char *service = tree->map->service;
    uint64_t hash = hash_number(0xCBF29CE484222325u, strlen(service));

    hash = hash_map_bytes(hash, service, strlen(service));
    for (uint32_t i = 0; i < tree->object_count; i++) {
        const prfdata_map_node *object = &tree->objects[i];

        hash = hash_object(hash, object);
        for (uint32_t k = 0; k < object->counter_count; k++)
            hash = hash_counter(hash, &object->counters[k]);
    }
    return hash != 0 ? hash : 1; /* 0 means "no map" elsewhere */
}
