/* SPDX-License-Identifier: MIT */
/*
 * Adds, finds and removes instances of a publisher. Names become keys here; region/slots.c decides
 * which slot a key gets.
 */
#include <stdio.h>
#include <string.h>

#include <prfdata/atomic.h>

#include "client/publisher.h"
#include "client/retry.h"
#include "names/names.h"

enum { MAX_CHARS = PRFDATA_MAX_INSTANCE_NAME_CHARS + 11 }; /* with `_` and a process id */

static const prfdata_instance no_instance = PRFDATA_INSTANCE_INIT;

prfdata_region_slot *prfdata_publisher_slot(const prfdata_instance *instance)
{
    const prfdata_region_section *section;

    if (!instance || !instance->publisher)
        return NULL;
    section = &instance->publisher->layout->sections[instance->object_index];
    return prfdata_region_slot_at(prfdata_publisher_bytes(instance->publisher), section,
                                  instance->slot_index);
}

bool prfdata_publisher_is_live(const prfdata_instance *instance)
{
    const prfdata_slots *slots = &instance->publisher->slots[instance->object_index];

    return instance->publisher->is_open && prfdata_slots_is_live(slots, instance->slot_index) &&
           prfdata_slots_generation(slots, instance->slot_index) == instance->generation;
}

static uint32_t append_process_id(uint16_t *chars, uint32_t char_count)
{
    char suffix[12];
    int length = snprintf(suffix, sizeof suffix, "_%u", (unsigned)prfdata_os_process_id());

    for (int i = 0; i < length; i++)
        chars[char_count + (uint32_t)i] = (uint16_t)suffix[i];
    return char_count + (uint32_t)length;
}

/* `chars` has room for MAX_CHARS. */
static uint32_t make_instance_name(const prfdata_model_object *object, const wchar_t *name,
                                   uint16_t *chars, prfdata_region_key *key)
{
    const size_t limit = object->entry->max_name_chars;
    size_t count = name ? prfdata_names_utf16_from_wide(name, chars, limit) : 0;

    if (count == 0 || count == SIZE_MAX)
        return ERROR_INVALID_NAME;
    if (count > limit)
        return ERROR_FILENAME_EXCED_RANGE;
    prfdata_names_clean(chars, count);
    key->name = chars;
    key->name_chars = (uint32_t)count;
    if (object->options & PRFDATA_OPTION_PER_PROCESS)
        key->name_chars = append_process_id(chars, key->name_chars);
    if ((object->options & PRFDATA_OPTION_TOTAL) &&
        prfdata_names_equal(chars, key->name_chars, prfdata_names_total, PRFDATA_NAMES_TOTAL_CHARS))
        return ERROR_INVALID_NAME;
    return ERROR_SUCCESS;
}

static uint32_t make_instance_number(const prfdata_model_object *object, int32_t unique_id,
                                     prfdata_region_key *key)
{
    if (unique_id == PERF_NO_UNIQUE_ID)
        return ERROR_INVALID_NAME;
    if (object->options & PRFDATA_OPTION_PER_PROCESS)
        return ERROR_NOT_SUPPORTED; /* instances of several processes could have the same number */
    key->name = NULL;
    key->name_chars = 0;
    key->unique_id = unique_id;
    return ERROR_SUCCESS;
}

/* The caller holds the publisher's lock. */
static uint32_t set_parent(const prfdata_publisher *publisher, const prfdata_model_object *object,
                           const prfdata_instance *parent, prfdata_region_key *key)
{
    key->parent_slot = PRFDATA_NONE;
    key->parent_identity = 0;
    if (!parent || !parent->publisher)
        return parent ? ERROR_INVALID_PARAMETER : ERROR_SUCCESS;
    if (parent->publisher != publisher || parent->object_index != object->parent_index ||
        !prfdata_publisher_is_live(parent))
        return ERROR_INVALID_PARAMETER;
    key->parent_slot = parent->slot_index;
    key->parent_identity = prfdata_publisher_slot(parent)->identity;
    return ERROR_SUCCESS;
}

enum wish { ADD, FIND };

/* The caller holds the publisher's lock. */
static void count_dropped(prfdata_publisher *publisher)
{
    prfdata_add64_relaxed(&((prfdata_region_header *)(void *)publisher->bytes)->dropped, 1);
}

/* The caller holds the publisher's lock. */
static uint32_t add_or_find(prfdata_publisher *publisher, uint32_t object_index,
                            const prfdata_region_key *key, enum wish wish,
                            prfdata_instance *instance)
{
    prfdata_slots *slots = &publisher->slots[object_index];
    uint32_t slot_index = prfdata_slots_find(slots, key);
    bool exists = slot_index != PRFDATA_NONE && prfdata_slots_is_live(slots, slot_index);

    if (wish == FIND && !exists)
        return ERROR_NOT_FOUND;
    if (wish == ADD) {
        if (exists)
            return ERROR_ALREADY_EXISTS;
        slot_index = prfdata_slots_add(slots, key);
        if (slot_index == PRFDATA_NONE) {
            count_dropped(publisher);
            return ERROR_NOT_ENOUGH_QUOTA;
        }
        prfdata_former_reset_slot(&publisher->former, slots->object, slots->section, slot_index);
        if (key->parent_slot != PRFDATA_NONE)
            publisher->slots[slots->object->parent_index].live_children[key->parent_slot]++;
    }
    instance->publisher = publisher;
    instance->object_index = object_index;
    instance->slot_index = slot_index;
    instance->generation = prfdata_slots_generation(slots, slot_index);
    return ERROR_SUCCESS;
}

/* `instance` may be the same variable as `parent`. */
static uint32_t add_or_find_below(prfdata_publisher *publisher, const prfdata_model_object *object,
                                  const prfdata_instance *parent, prfdata_region_key *key,
                                  enum wish wish, prfdata_instance *instance)
{
    prfdata_instance found = no_instance;
    uint32_t error = ERROR_INVALID_HANDLE;

    prfdata_retry_rarely(publisher);
    prfdata_os_lock_enter(&publisher->lock);
    if (publisher->is_open)
        error = set_parent(publisher, object, parent, key);
    if (!error)
        error = add_or_find(publisher, (uint32_t)(object - publisher->model->objects), key, wish,
                            &found);
    prfdata_os_lock_leave(&publisher->lock);
    *instance = found;
    return error;
}

static uint32_t find_instance_object(const prfdata_publisher *publisher, uint32_t object_id,
                                     const prfdata_model_object **object)
{
    if (!publisher)
        return ERROR_INVALID_HANDLE;
    *object = prfdata_model_find_object(publisher->model, object_id);
    return *object && (*object)->has_instances ? ERROR_SUCCESS : ERROR_NOT_FOUND;
}

static uint32_t refuse_instance(uint32_t error, prfdata_instance *instance)
{
    *instance = no_instance;
    return error;
}

/*
 * Counts the instance as dropped, so that readers can tell that it is missing even if the
 * application does not check the result.
 */
static void count_too_long_name(prfdata_publisher *publisher)
{
    prfdata_os_lock_enter(&publisher->lock);
    if (publisher->is_open)
        count_dropped(publisher);
    prfdata_os_lock_leave(&publisher->lock);
}

static uint32_t add_or_find_name(prfdata_publisher *publisher, uint32_t object_id,
                                 const wchar_t *name, const prfdata_instance *parent,
                                 enum wish wish, prfdata_instance *instance)
{
    const prfdata_model_object *object = NULL;
    prfdata_region_key key = {0};
    uint16_t chars[MAX_CHARS];
    uint32_t error = find_instance_object(publisher, object_id, &object);

    if (!error)
        error = make_instance_name(object, name, chars, &key);
    if (error == ERROR_FILENAME_EXCED_RANGE && wish == ADD)
        count_too_long_name(publisher);
    if (error)
        return refuse_instance(error, instance);
    return add_or_find_below(publisher, object, parent, &key, wish, instance);
}

static uint32_t add_or_find_number(prfdata_publisher *publisher, uint32_t object_id,
                                   int32_t unique_id, const prfdata_instance *parent,
                                   enum wish wish, prfdata_instance *instance)
{
    const prfdata_model_object *object = NULL;
    prfdata_region_key key = {0};
    uint32_t error = find_instance_object(publisher, object_id, &object);

    if (!error)
        error = make_instance_number(object, unique_id, &key);
    if (error)
        return refuse_instance(error, instance);
    return add_or_find_below(publisher, object, parent, &key, wish, instance);
}

uint32_t prfdata_instance_add(prfdata_publisher *publisher, uint32_t object_id, const wchar_t *name,
                              const prfdata_instance *parent, prfdata_instance *instance)
{
    return add_or_find_name(publisher, object_id, name, parent, ADD, instance);
}

uint32_t prfdata_instance_add_id(prfdata_publisher *publisher, uint32_t object_id,
                                 int32_t unique_id, const prfdata_instance *parent,
                                 prfdata_instance *instance)
{
    return add_or_find_number(publisher, object_id, unique_id, parent, ADD, instance);
}

uint32_t prfdata_instance_find(prfdata_publisher *publisher, uint32_t object_id,
                               const wchar_t *name, const prfdata_instance *parent,
                               prfdata_instance *instance)
{
    return add_or_find_name(publisher, object_id, name, parent, FIND, instance);
}

uint32_t prfdata_instance_find_id(prfdata_publisher *publisher, uint32_t object_id,
                                  int32_t unique_id, const prfdata_instance *parent,
                                  prfdata_instance *instance)
{
    return add_or_find_number(publisher, object_id, unique_id, parent, FIND, instance);
}

/* The caller holds the publisher's lock. */
static uint32_t remove_live(const prfdata_instance *instance)
{
    prfdata_publisher *publisher = instance->publisher;
    prfdata_slots *slots = &publisher->slots[instance->object_index];
    uint32_t parent_slot = slots->parent[instance->slot_index];

    if (slots->live_children[instance->slot_index] > 0)
        return ERROR_DEPENDENT_RESOURCE_EXISTS;
    /*
     * Moves the counts of old handles before the removal, because the counts belong to this
     * instance and not to the next instance in the slot.
     */
    prfdata_former_move_slot(&publisher->former, publisher->model, publisher->layout,
                             publisher->bytes, instance->object_index, instance->slot_index);
    prfdata_slots_remove(slots, instance->slot_index, ++publisher->freed);
    if (parent_slot != PRFDATA_NONE)
        publisher->slots[slots->object->parent_index].live_children[parent_slot]--;
    return ERROR_SUCCESS;
}

uint32_t prfdata_instance_remove(const prfdata_instance *instance)
{
    uint32_t error = ERROR_NOT_FOUND;

    if (!instance || !instance->publisher)
        return error;
    prfdata_retry_rarely(instance->publisher);
    prfdata_os_lock_enter(&instance->publisher->lock);
    if (prfdata_publisher_is_live(instance))
        error = remove_live(instance);
    prfdata_os_lock_leave(&instance->publisher->lock);
    return error;
}
