/* SPDX-License-Identifier: MIT */
/* Compares the replies to two queries (validate_asked.h). */
#include "validate/validate_asked.h"

#include "validate/validate_reply.h"
#include "validate/validated_pairs.h"

/* The number of values that are not 0 in the first reply, and how many of these values are not 0 in
 * the second reply. */
typedef struct value_count {
    uint32_t all;
    uint32_t asked;
} value_count;

static void count_values(void *context, const prfdata_validated_pair *pair)
{
    value_count *count = context;

    for (uint32_t i = 0; i < pair->object->counter_count; i++) {
        const prfdata_validated_counter *c = &pair->object->counters[i];
        uint64_t all;
        uint64_t asked;

        if (!prfdata_validated_value(pair->older, c, pair->was, &all) ||
            !prfdata_validated_value(pair->newer, c, pair->is, &asked) || all == 0)
            continue;
        count->all++;
        count->asked += asked != 0;
    }
}

uint32_t prfdata_validate_asked_zero(const prfdata_validate_reply *all,
                                     const prfdata_validate_reply *asked)
{
    prfdata_validated was;
    prfdata_validated is;
    uint32_t title = 0;

    prfdata_validate_reply_read(&was, all, NULL, false, NULL);
    prfdata_validate_reply_read(&is, asked, NULL, false, NULL);
    for (uint32_t i = 0; title == 0 && i < is.object_count; i++) {
        const uint32_t this_title = is.objects[i].header.object_name_title_index;
        const prfdata_validated_object *same = prfdata_validated_find(&was, this_title);
        value_count count = {0, 0};

        if (same)
            prfdata_validated_pairs_visit(&was, &is, same, &is.objects[i], count_values, NULL,
                                          &count);
        if (count.all > 0 && count.asked == 0)
            title = this_title;
    }
    prfdata_validated_free(&was);
    prfdata_validated_free(&is);
    return title;
}
