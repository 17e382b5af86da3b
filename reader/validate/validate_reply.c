/* SPDX-License-Identifier: MIT */
/* Walks along the TotalByteLengths of a reply, and checks that they lead from object to object to
 * the end of the reply. The other validate_*.c files read the content of each object. */
#include "validate/validate_reply.h"

#include <inttypes.h>
#include <string.h>

#include "validate/validate_counter.h"
#include "validate/validate_instance.h"

static bool chain_ends_with_reply(const prfdata_validated *j, uint64_t at)
{
    while (j->bytes.size - at >= sizeof(prfdata_perf_object_type)) {
        const uint32_t total = prfdata_wire_fields_object_type(j->bytes, at).total_byte_length;

        if (total < sizeof(prfdata_perf_object_type) || total > j->bytes.size - at)
            return false;
        at += total;
    }
    return at == j->bytes.size;
}

static bool read_object_header(prfdata_validated *j, uint64_t at)
{
    const uint64_t left = j->bytes.size - at;
    prfdata_validated_object *o = &j->objects[j->object_count];
    uint32_t total;

    if (left == 0) {
        PRFDATA_FIND(j, OBJECT_COUNT, at,
                     "Collect returned %u as the number of objects, but the reply has %u",
                     (unsigned)j->said_count, (unsigned)j->object_count);
        return false;
    }
    if (left < sizeof o->header) {
        PRFDATA_FIND(j, OBJECT_LENGTH, at, "%u bytes are left for a PERF_OBJECT_TYPE of 64",
                     (unsigned)left);
        return false;
    }
    j->object_count++;
    o->at = at;
    o->header = prfdata_wire_fields_object_type(j->bytes, at);
    total = o->header.total_byte_length;
    o->end_is_known = total >= sizeof o->header && total <= left;
    o->end = o->end_is_known ? at + total : j->bytes.size;
    if (!o->end_is_known) {
        PRFDATA_FIND(j, OBJECT_LENGTH, at,
                     "PERF_OBJECT_TYPE.TotalByteLength is %u bytes, but must be 64 to %" PRIu64,
                     (unsigned)total, left);
        return false;
    }
    if (total % 8 != 0)
        PRFDATA_FIND(j, OBJECT_ALIGNMENT, at,
                     "PERF_OBJECT_TYPE.TotalByteLength is %u, which is no multiple of 8",
                     (unsigned)total);
    return true;
}

static void read_object_headers(prfdata_validated *j)
{
    const uint64_t possible = j->bytes.size / sizeof(prfdata_perf_object_type);
    uint64_t at = 0;

    j->objects = prfdata_validated_array(j, j->said_count < possible ? j->said_count : possible,
                                         sizeof *j->objects);
    if (!j->objects)
        return;
    for (uint32_t i = 0; i < j->said_count; i++) {
        if (!read_object_header(j, at))
            return;
        at = j->objects[i].end;
    }
    if (at == j->bytes.size)
        return;
    if (chain_ends_with_reply(j, at))
        PRFDATA_FIND(j, OBJECT_COUNT, at,
                     "Collect returned %u as the number of objects, but the reply has more",
                     (unsigned)j->said_count);
    else
        PRFDATA_FIND(j, OBJECT_LENGTH, at, "the objects end here, the reply ends at byte %" PRIu64,
                     (uint64_t)j->bytes.size);
}

void prfdata_validate_reply_read(prfdata_validated *j, const prfdata_validate_reply *reply,
                                 const prfdata_validate_titles *titles, bool is_metadata,
                                 prfdata_findings *findings)
{
    memset(j, 0, sizeof *j);
    j->bytes = (prfdata_bytes){reply->bytes, reply->size};
    j->said_count = reply->object_count;
    j->is_metadata = is_metadata;
    j->findings = findings;
    if (titles)
        j->titles = *titles;
    read_object_headers(j);
    prfdata_validated_sort_titles(j);
    for (uint32_t i = 0; i < j->object_count; i++) {
        prfdata_findings_begin_object(findings);
        prfdata_validate_counter_read(j, &j->objects[i]);
        prfdata_validate_instance_read(j, &j->objects[i]);
    }
}

void prfdata_validate_reply_check(prfdata_validated *j)
{
    for (uint32_t i = 1; j->by_title && i < j->object_count; i++) {
        const prfdata_validated_title *same = &j->by_title[i];

        if (same->title == same[-1].title)
            PRFDATA_FIND(j, OBJECT_TWICE,
                         PRFDATA_OBJECT_AT(&j->objects[same->position], object_name_title_index),
                         "two objects have title %u", (unsigned)same->title);
    }
}
