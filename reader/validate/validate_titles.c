/* SPDX-License-Identifier: MIT */
/* Marks the titles that occur in replies (validate_titles.h). */
#include "validate/validate_titles.h"

#include "validate/validate_reply.h"

/* Fewest unused titles for a finding; they must also be more than two thirds of all titles. */
#define LEAST_UNUSED 32u

static void mark_title(prfdata_validate_titles_seen *seen, uint32_t title)
{
    if (title >= seen->first && (title - seen->first) / 2 < seen->count)
        seen->is_seen[(title - seen->first) / 2] = true;
}

uint32_t prfdata_validate_titles_add(prfdata_validate_titles_seen *seen,
                                     const prfdata_validate_reply *reply)
{
    prfdata_validated checked;

    prfdata_validate_reply_read(&checked, reply, NULL, false, NULL);
    for (uint32_t i = 0; i < checked.object_count; i++) {
        const prfdata_validated_object *o = &checked.objects[i];

        mark_title(seen, o->header.object_name_title_index);
        for (uint32_t k = 0; k < o->counter_count; k++)
            mark_title(seen, o->counters[k].definition.counter_name_title_index);
    }
    prfdata_validated_free(&checked);
    return checked.is_out_of_memory ? ERROR_NOT_ENOUGH_MEMORY : ERROR_SUCCESS;
}

void prfdata_validate_titles_end(const prfdata_validate_titles_seen *seen,
                                 prfdata_findings *findings)
{
    uint32_t unused = 0;

    for (uint32_t i = 0; i < seen->count; i++)
        unused += !seen->is_seen[i];
    if (unused >= LEAST_UNUSED && unused > seen->count * 2 / 3)
        prfdata_findings_add(findings, PRFDATA_RULE_TITLES_UNUSED, PRFDATA_NO_OFFSET,
                             "%u of the %u titles from %u on are in no reply", (unsigned)unused,
                             (unsigned)seen->count, (unsigned)seen->first);
}
