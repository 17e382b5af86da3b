/* SPDX-License-Identifier: MIT */
/* Makes an array of the table in rules.h. */
#include "validate/rules.h"

static const prfdata_rule_about rules[PRFDATA_RULE_COUNT] = {
#define ROW(id, name, severity, event, sentence)                                                   \
    {name, PRFDATA_RULE_SEVERITY_##severity, event, sentence},
    PRFDATA_RULES(ROW)
#undef ROW
};

const prfdata_rule_about *prfdata_rules_about(prfdata_rule rule)
{
    return &rules[rule];
}

const char *prfdata_rules_severity_name(prfdata_rule_severity severity)
{
    static const char *const names[] = {"note", "warning", "error"};

    return names[severity];
}
