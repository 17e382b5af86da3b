/* SPDX-License-Identifier: MIT */
/* Counts findings and keeps the first of each rule, whatever they are about. */
#include "judge/findings.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void prfdata_findings_init(prfdata_findings *findings)
{
    findings->count = 0; /* the items may stay as they are: this is done for every reply */
    memset(findings->totals, 0, sizeof findings->totals);
}

void prfdata_findings_add(prfdata_findings *findings, prfdata_rule rule, uint64_t offset,
                          const char *format, ...)
{
    prfdata_findings_item *finding = &findings->items[findings->count];
    va_list arguments;

    if (findings->totals[rule]++ >= PRFDATA_FINDINGS_KEPT)
        return;
    finding->rule = rule;
    finding->offset = offset;
    va_start(arguments, format);
    (void)vsnprintf(finding->text, sizeof finding->text, format, arguments);
    va_end(arguments);
    findings->count++;
}

uint64_t prfdata_findings_total(const prfdata_findings *findings)
{
    uint64_t total = 0;

    for (size_t i = 0; i < PRFDATA_RULE_COUNT; i++)
        total += findings->totals[i];
    return total;
}
