/* SPDX-License-Identifier: MIT */
/* Reports the bytes of a reply that a provider never wrote (prfdata_validate_written). */
#include "validate/validate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "validate/validate_reply.h"

static void mark_range(const prfdata_validated *j, unsigned char *is_padding, uint64_t begin,
                       uint64_t size, bool padding)
{
    const uint64_t total = j->bytes.size;

    if (begin >= total)
        return;
    memset(is_padding + begin, padding, (size_t)(size < total - begin ? size : total - begin));
}

static void mark_instance_padding(const prfdata_validated *j, const prfdata_validated_object *o,
                                  const prfdata_validated_instance *i, unsigned char *is_padding)
{
    const uint64_t name = i->at + sizeof i->definition;
    const uint64_t values = i->values + sizeof(prfdata_perf_counter_block);

    if (i->values > name) {
        mark_range(j, is_padding, name, i->values - name, true);
        mark_range(j, is_padding, i->at + i->definition.name_offset, i->definition.name_length,
                   false);
    }
    mark_range(j, is_padding, values, i->values + i->values_bytes - values, true);
    for (uint32_t k = 0; k < o->counter_count; k++)
        mark_range(j, is_padding, i->values + o->counters[k].definition.counter_offset,
                   o->counters[k].definition.counter_size, false);
}

/* Make a map of the reply, with 1 where no reader reads; release it with free(). NULL: no
 * memory. */
static unsigned char *make_padding_map(prfdata_validated *j)
{
    unsigned char *is_padding = prfdata_validated_array(j, j->bytes.size, 1);

    for (uint32_t i = 0; is_padding && i < j->object_count; i++) {
        const prfdata_validated_object *o = &j->objects[i];
        uint64_t end = o->contents;

        for (uint32_t k = 0; k < o->instance_count; k++) {
            mark_instance_padding(j, o, &o->instances[k], is_padding);
            end = o->instances[k].values + o->instances[k].values_bytes;
        }
        if (o->contents_are_known && o->end_is_known && end < o->end)
            mark_range(j, is_padding, end, o->end - end, true);
    }
    return is_padding;
}

/* Report one finding for all unwritten bytes that are padding, or for all that are not. The finding
 * names the first of these bytes and their number. */
static void report_unwritten(const prfdata_validate_reply *reply, const unsigned char *unwritten,
                             const unsigned char *is_padding, bool padding,
                             prfdata_findings *findings)
{
    uint64_t count = 0;
    uint64_t first = 0;

    for (size_t i = 0; i < reply->size; i++) {
        if (unwritten[i] && !is_padding[i] == !padding && count++ == 0)
            first = i;
    }
    if (count > 0)
        prfdata_findings_add(
            findings, padding ? PRFDATA_RULE_UNWRITTEN_PADDING : PRFDATA_RULE_UNWRITTEN, first,
            "%" PRIu64 " bytes of the reply are what was in the buffer before", count);
}

uint32_t prfdata_validate_written(const prfdata_validate_reply *reply,
                                  const unsigned char *unwritten, prfdata_findings *findings)
{
    unsigned char *is_padding;
    prfdata_validated checked;

    prfdata_validate_reply_read(&checked, reply, NULL, false, NULL);
    is_padding = make_padding_map(&checked);
    if (is_padding) {
        report_unwritten(reply, unwritten, is_padding, false, findings);
        report_unwritten(reply, unwritten, is_padding, true, findings);
    }
    free(is_padding);
    prfdata_validated_free(&checked);
    return checked.is_out_of_memory ? ERROR_NOT_ENOUGH_MEMORY : ERROR_SUCCESS;
}
