/* SPDX-License-Identifier: MIT */
/*
 * Findings: which rule, where and why. Keeps the first findings of each rule and counts all, so a
 * reply with a million mistakes costs no more than one with ten. Portable.
 */
#ifndef PRFDATA_READER_FINDINGS_H
#define PRFDATA_READER_FINDINGS_H

#include <stddef.h>
#include <string.h>

#include "base/compiler.h"
#include "validate/rules.h"
#include "validate/spot.h"

#define PRFDATA_FINDINGS_SURE 2  /* of each rule, which are always kept, */
#define PRFDATA_FINDINGS_KEPT 16 /* and of each object more while there is room */
#define PRFDATA_FINDINGS_ROOM 64 /* for those, of all rules */
#define PRFDATA_NO_OFFSET     UINT64_MAX

typedef struct prfdata_findings_item {
    prfdata_rule rule;
    uint64_t offset;   /* in bytes from the start of the reply; PRFDATA_NO_OFFSET: no byte */
    char text[200];    /* one sentence without full stop, NUL-terminated */
    prfdata_spot spot; /* the subject of the offset or of the text */
} prfdata_findings_item;

typedef struct prfdata_findings {
    prfdata_findings_item items[PRFDATA_FINDINGS_SURE * PRFDATA_RULE_COUNT + PRFDATA_FINDINGS_ROOM];
    size_t count;                        /* number of items */
    size_t extra;                        /* of items, those beyond the sure ones */
    size_t placed;                       /* items whose spot was looked up */
    uint64_t here[PRFDATA_RULE_COUNT];   /* of each rule, in the object that is checked */
    uint64_t totals[PRFDATA_RULE_COUNT]; /* of each rule, also those not kept */
} prfdata_findings;

/*
 * Another object of the reply is checked. Each object has its own first findings of a rule, so many
 * mistakes of one object do not hide those of the next.
 */
static inline void prfdata_findings_begin_object(prfdata_findings *findings)
{
    memset(findings->here, 0, sizeof findings->here);
}

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

/*
 * Add a finding about no byte, but about an object or a counter.
 *
 * object, counter  Title indexes; 0: none.
 */
void prfdata_findings_add_about(prfdata_findings *findings, prfdata_rule rule, uint32_t object,
                                uint32_t counter, const char *format, ...) PRFDATA_PRINTF(5, 6);

/* Look up the spots of the findings that were added since the last time: offsets in this reply. */
void prfdata_findings_place(prfdata_findings *findings, const struct prfdata_validate_reply *reply);

/*
 * Return a number that findings share if they are about the same mistake: the same rule, object and
 * counter, and the same text except for the numbers in it. Another mistake rarely has the same.
 */
uint64_t prfdata_findings_mistake(const prfdata_findings_item *finding);

/* How many there are, of all rules together, also those not kept. */
uint64_t prfdata_findings_total(const prfdata_findings *findings);

#endif
