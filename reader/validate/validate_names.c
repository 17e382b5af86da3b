/* SPDX-License-Identifier: MIT */
/* Searches for names of one process among those of another one (validate_names.h). */
#include "validate/validate_names.h"

#include "validate/validate_reply.h"

static bool is_named(const prfdata_validated_instance *i)
{
    return i->name.count > 0 && !prfdata_validated_is_total(i);
}

size_t prfdata_validate_names(const prfdata_validate_reply *reply, prfdata_validate_name *names,
                              size_t most)
{
    prfdata_validated validated;
    size_t count = 0;

    prfdata_validate_reply_read(&validated, reply, NULL, false, NULL);
    for (uint32_t i = 0; i < validated.object_count; i++) {
        const prfdata_validated_object *o = &validated.objects[i];

        for (uint32_t k = 0; k < o->instance_count && count < most; k++) {
            if (is_named(&o->instances[k]))
                names[count++] = (prfdata_validate_name){o->instances[k].name_hash,
                                                         o->header.object_name_title_index};
        }
    }
    prfdata_validated_free(&validated);
    return count;
}

/* Returns whether both the object and `names` have names of its instances, but none in common. */
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
