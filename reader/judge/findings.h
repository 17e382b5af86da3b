/* SPDX-License-Identifier: MIT */
/*
 * Findings: which rule, where and why. Keeps the first findings of each rule and counts all, so a
 * reply with a million mistakes costs no more than one with ten. Portable.
 */
#ifndef PRFDATA_READER_FINDINGS_H
#define PRFDATA_READER_FINDINGS_H

#include <stddef.h>

#include "base/compiler.h"
#include "judge/rules.h"

#define PRFDATA_FINDINGS_KEPT 2 /* of each rule */
#define PRFDATA_NO_OFFSET     UINT64_MAX

typedef struct prfdata_findings_item {
    prfdata_rule rule;
    uint64_t offset; /* in bytes from the start of the reply; PRFDATA_NO_OFFSET: no byte */
    char text[200];  /* one sentence without full stop, NUL-terminated */
} prfdata_findings_item;

typedef struct prfdata_findings {
    prfdata_findings_item items[PRFDATA_FINDINGS_KEPT * PRFDATA_RULE_COUNT];
    size_t count;                        /* of items */
    uint64_t totals[PRFDATA_RULE_COUNT]; /* of each rule, also those not kept */
} prfdata_findings;

/* Begin with no finding. */
void prfdata_findings_init(prfdata_findings *findings);

/*
 * Add a finding.
 *
 * offset  In the reply, or PRFDATA_NO_OFFSET.
 * format  As printf's: one sentence without full stop; the text is cut after 199 bytes.
 */
void prfdata_findings_add(prfdata_findings *findings, prfdata_rule rule, uint64_t offset,
                          const char *format, ...) PRFDATA_PRINTF(4, 5);

/* How many there are, of all rules together, also those not kept. */
uint64_t prfdata_findings_total(const prfdata_findings *findings);

#endif
