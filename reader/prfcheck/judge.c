/* SPDX-License-Identifier: MIT */
/*
 * Judges one reply: reads it, then lets each of the judge_*.c files judge its part of it.
 * judge_change.c compares two replies. Knows neither DLLs nor queries.
 */
#include "prfcheck/judge.h"

#include "prfcheck/judge_counter.h"
#include "prfcheck/judge_instance.h"
#include "prfcheck/judge_object.h"
#include "prfcheck/judge_reply.h"

uint32_t prfdata_judge_structure(const prfdata_judge_reply *reply,
                                 const prfdata_judge_titles *titles, bool metadata,
                                 prfdata_findings *findings)
{
    prfdata_judged judged;

    prfdata_judge_reply_read(&judged, reply, titles, metadata, findings);
    prfdata_judge_reply_check(&judged);
    for (uint32_t i = 0; i < judged.object_count; i++) {
        prfdata_judge_object_check(&judged, &judged.objects[i]);
        prfdata_judge_counter_check(&judged, &judged.objects[i]);
        prfdata_judge_instance_check(&judged, &judged.objects[i]);
    }
    prfdata_judged_free(&judged);
    return judged.is_out_of_memory ? ERROR_NOT_ENOUGH_MEMORY : ERROR_SUCCESS;
}

bool prfdata_judge_next_object(const prfdata_judge_reply *reply, size_t *offset, uint32_t *title,
                               uint32_t *parent)
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
    *parent = header.num_instances == 0 ? PRFDATA_JUDGE_UNKNOWN : 0;
    if (header.num_instances > 0 && header.definition_length <= header.total_byte_length &&
        header.total_byte_length - header.definition_length >=
            sizeof(prfdata_perf_instance_definition))
        *parent = prfdata_wire_fields_instance_definition(bytes, *offset + header.definition_length)
                      .parent_object_title_index;
    *offset += header.total_byte_length;
    return true;
}
