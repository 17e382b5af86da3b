/* SPDX-License-Identifier: MIT */
/* Checks replies by the rules of prfcheck. */
#include "support/provider/hostile_validate.h"

#include <stdio.h>
#include <stdlib.h>

#include "validate/validate.h"

enum { OF_LAST_TITLE = 14 }; /* distance of the sample map's last title from the first one */

/* Return the first finding that is more than a note, or NULL. */
static const char *mistake_among(const prfdata_findings *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        if (prfdata_rules_about(findings->items[i].rule)->severity != PRFDATA_RULE_SEVERITY_NOTE)
            return findings->items[i].text;
    return NULL;
}

const char *hostile_mistake(const perf_reply *reply, uint32_t first_counter, char *text,
                            size_t text_bytes)
{
    const prfdata_validate_titles titles = {first_counter, first_counter + OF_LAST_TITLE,
                                            first_counter + 1, first_counter + OF_LAST_TITLE + 1};
    const prfdata_validate_reply checked = {reply->bytes, reply->size, reply->object_count};
    const char *mistake = perf_reader_mistake(reply);
    prfdata_findings *findings;

    if (mistake)
        return mistake;
    findings = malloc(sizeof *findings);
    if (!findings)
        return "no memory";
    prfdata_findings_init(findings);
    if (prfdata_validate_structure(&checked, &titles, false, findings))
        mistake = "not checked";
    else if (mistake_among(findings)) {
        snprintf(text, text_bytes, "%s", mistake_among(findings));
        mistake = text;
    }
    free(findings);
    return mistake;
}
