/* SPDX-License-Identifier: MIT */
/* Checks one reply: reads it, and then lets other validate_*.c files check its parts. */
#include "validate/validate.h"

#include "validate/validate_counter.h"
#include "validate/validate_instance.h"
#include "validate/validate_object.h"
#include "validate/validate_reply.h"
#include "validate/validate_value.h"

uint32_t prfdata_validate_structure(const prfdata_validate_reply *reply,
                                    const prfdata_validate_titles *titles, bool metadata,
                                    prfdata_findings *findings)
{
    prfdata_validated checked;

    prfdata_validate_reply_read(&checked, reply, titles, metadata, findings);
    prfdata_validate_reply_check(&checked);
    for (uint32_t i = 0; i < checked.object_count; i++) {
        prfdata_findings_begin_object(findings);
        prfdata_validate_object_check(&checked, &checked.objects[i]);
        prfdata_validate_counter_check(&checked, &checked.objects[i]);
        prfdata_validate_instance_check(&checked, &checked.objects[i]);
        prfdata_validate_value_check(&checked, &checked.objects[i]);
    }
    prfdata_validated_free(&checked);
    return checked.is_out_of_memory ? ERROR_NOT_ENOUGH_MEMORY : ERROR_SUCCESS;
}

static bool is_total(prfdata_bytes bytes, uint64_t at, const prfdata_perf_instance_definition *d)
{
    uint16_t chars[8];
    prfdata_text name = {chars, 0};

    name.count = prfdata_wire_fields_chars(bytes, at + d->name_offset, d->name_length, chars, 8);
    return prfdata_text_equal_ascii(name, "_Total");
}

/* Return the parent that prfdata_validate_next_object() sets. The instances are in bytes `at` to
 * `end`, as far as their lengths are valid. */
static uint32_t find_parent_title(prfdata_bytes bytes, uint64_t at, uint64_t end, int32_t count)
{
    bool is_only_total = false;

    for (int32_t i = 0; i < count; i++) {
        prfdata_perf_instance_definition d;
        uint32_t block = 0;

        if (end - at < sizeof d)
            break;
        d = prfdata_wire_fields_instance_definition(bytes, at);
        if (d.parent_object_title_index != 0)
            return d.parent_object_title_index;
        is_only_total = i == 0 && is_total(bytes, at, &d);
        if (d.byte_length < sizeof d || d.byte_length > end - at)
            break;
        at += d.byte_length;
        if (end - at >= sizeof(prfdata_perf_counter_block))
            block = prfdata_wire_fields_counter_block(bytes, at).byte_length;
        if (block < sizeof(prfdata_perf_counter_block) || block > end - at)
            break;
        at += block;
    }
    return is_only_total ? PRFDATA_VALIDATE_UNKNOWN : 0;
}

bool prfdata_validate_next_object(const prfdata_validate_reply *reply, size_t *offset,
                                  uint32_t *title, uint32_t *parent)
{
    const prfdata_bytes bytes = {reply->bytes, reply->size};
    const size_t left = bytes.size - *offset;
    prfdata_perf_object_type header;

    if (left < sizeof header)
        return false;
    header = prfdata_wire_fields_object_type(bytes, *offset);
    if (header.total_byte_length < sizeof header || header.total_byte_length > left)
        return false;
    *title = header.object_name_title_index;
    *parent = header.num_instances == 0 ? PRFDATA_VALIDATE_UNKNOWN : 0;
    if (header.num_instances > 0 && header.definition_length <= header.total_byte_length)
        *parent = find_parent_title(bytes, *offset + header.definition_length,
                                    *offset + header.total_byte_length, header.num_instances);
    *offset += header.total_byte_length;
    return true;
}
