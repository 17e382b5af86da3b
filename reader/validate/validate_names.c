/* SPDX-License-Identifier: MIT */
/* Searches for names of one process among those of another one (validate_names.h). */
#include "validate/validate_names.h"

#include <stdio.h>

#include "names/names.h"
#include "validate/validate_reply.h"

static bool is_named(const prfdata_validated_instance *i)
{
    return i->name.count > 0 && !prfdata_validated_is_total(i);
}

static bool is_digit_at(prfdata_text name, size_t at)
{
    return at < name.count && name.chars[at] >= '0' && name.chars[at] <= '9';
}

/* Return the hash of the name without the number; 0: the name does not contain the number. */
static uint64_t hash_around_number(prfdata_text name, uint32_t number)
{
    enum { SEED = 1 }; /* any number */
    char digits[12];
    const size_t count = (size_t)snprintf(digits, sizeof digits, "%u", (unsigned)number);

    for (size_t at = 0; at + count <= name.count; at++) {
        size_t same = 0;

        while (same < count && name.chars[at + same] == (uint16_t)digits[same])
            same++;
        if (same == count && (at == 0 || !is_digit_at(name, at - 1)) &&
            !is_digit_at(name, at + count))
            return prfdata_names_hash(name.chars + at + count, name.count - at - count,
                                      prfdata_names_hash(name.chars, at, SEED));
    }
    return 0;
}

size_t prfdata_validate_names(const prfdata_validate_reply *reply, uint32_t process,
                              prfdata_validate_name *names, size_t most)
{
    prfdata_validated validated;
    size_t count = 0;

    prfdata_validate_reply_read(&validated, reply, NULL, false, NULL);
    for (uint32_t i = 0; i < validated.object_count; i++) {
        const prfdata_validated_object *o = &validated.objects[i];

        for (uint32_t k = 0; k < o->instance_count && count < most; k++) {
            if (is_named(&o->instances[k]))
                names[count++] = (prfdata_validate_name){
                    o->instances[k].name_hash, hash_around_number(o->instances[k].name, process),
                    o->header.object_name_title_index};
        }
    }
    prfdata_validated_free(&validated);
    return count;
}

/* Returns whether the object has names and `names` has names of that object, but none is in
 * both. */
static bool has_only_other_names(const prfdata_validated_object *o,
                                 const prfdata_validate_name *names, size_t count)
{
    bool has_names = false;
    bool is_among_names = false;

    for (size_t n = 0; n < count; n++) {
        if (names[n].title != o->header.object_name_title_index)
            continue;
        is_among_names = true;
        for (uint32_t i = 0; i < o->instance_count; i++) {
            if (!is_named(&o->instances[i]))
                continue;
            has_names = true;
            if (o->instances[i].name_hash == names[n].hash)
                return false;
        }
    }
    return has_names && is_among_names;
}

uint32_t prfdata_validate_names_other(const prfdata_validate_reply *reply,
                                      const prfdata_validate_name *names, size_t count)
{
    prfdata_validated validated;
    uint32_t title = 0;

    prfdata_validate_reply_read(&validated, reply, NULL, false, NULL);
    for (uint32_t i = 0; i < validated.object_count && title == 0; i++) {
        if (has_only_other_names(&validated.objects[i], names, count))
            title = validated.objects[i].header.object_name_title_index;
    }
    prfdata_validated_free(&validated);
    return title;
}

/* Returns whether `names` has the instance's name with another number in place of `process`, and
 * lacks the name itself. */
static bool has_process_number(const prfdata_validated_object *o,
                               const prfdata_validated_instance *i, uint32_t process,
                               const prfdata_validate_name *names, size_t count)
{
    const uint64_t around = hash_around_number(i->name, process);
    bool is_there = false;

    for (size_t n = 0; around != 0 && n < count; n++) {
        if (names[n].title != o->header.object_name_title_index)
            continue;
        if (names[n].hash == i->name_hash)
            return false;
        is_there = is_there || names[n].around == around;
    }
    return is_there;
}

uint32_t prfdata_validate_names_numbered(const prfdata_validate_reply *reply, uint32_t process,
                                         const prfdata_validate_name *names, size_t count)
{
    prfdata_validated validated;
    uint32_t title = 0;

    prfdata_validate_reply_read(&validated, reply, NULL, false, NULL);
    for (uint32_t i = 0; i < validated.object_count; i++) {
        const prfdata_validated_object *o = &validated.objects[i];

        for (uint32_t k = 0; k < o->instance_count && title == 0; k++) {
            if (has_process_number(o, &o->instances[k], process, names, count))
                title = o->header.object_name_title_index;
        }
    }
    prfdata_validated_free(&validated);
    return title;
}
