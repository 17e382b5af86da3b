/* SPDX-License-Identifier: MIT */
/*
 * Keeps findings: which rule was broken, where, and why. The first findings of each rule are kept
 * and all are counted, so a reply with a million mistakes needs no more memory than one with ten.
 * Portable.
 */
#ifndef PRFDATA_READER_FINDINGS_H
#define PRFDATA_READER_FINDINGS_H

#include <stddef.h>
#include <string.h>

#include "base/compiler.h"
#include "validate/rules.h"
#include "validate/spot.h"

#define PRFDATA_FINDINGS_SURE 2 /* number of findings of each rule that are always kept */
/* At most this many findings of a rule in one object are kept. */
#define PRFDATA_FINDINGS_KEPT 16
/* At most this many findings of all rules together are kept in addition to PRFDATA_FINDINGS_SURE of
 * each rule. */
#define PRFDATA_FINDINGS_ROOM 64
#define PRFDATA_NO_OFFSET     UINT64_MAX

typedef struct prfdata_findings_item {
    prfdata_rule rule;
    /* In bytes from the start of the reply; PRFDATA_NO_OFFSET: the finding belongs to no byte. */
    uint64_t offset;
    char text[200]; /* one sentence without full stop, NUL-terminated */
    prfdata_spot spot;
} prfdata_findings_item;

typedef struct prfdata_findings {
    prfdata_findings_item items[PRFDATA_FINDINGS_SURE * PRFDATA_RULE_COUNT + PRFDATA_FINDINGS_ROOM];
    size_t count;
    size_t extra;  /* number of items in addition to those that are always kept */
    size_t placed; /* number of items whose spot was looked up */
    uint64_t
        here[PRFDATA_RULE_COUNT]; /* findings of each rule since prfdata_findings_begin_object() */
    /* Number of findings of each rule, including those that were not kept. */
    uint64_t totals[PRFDATA_RULE_COUNT];
} prfdata_findings;

/* Begin another object of the reply. The limit PRFDATA_FINDINGS_KEPT starts again for each object,
 * so an object with many mistakes does not hide those of the next one. `findings` may be NULL. */
static inline void prfdata_findings_begin_object(prfdata_findings *findings)
{
    if (findings)
        memset(findings->here, 0, sizeof findings->here);
}

void prfdata_findings_init(prfdata_findings *findings);

/*
 * Add a finding.
 *
 * offset  The offset in the reply, or PRFDATA_NO_OFFSET.
 * format  Like the format of printf(): one sentence without full stop. The text is cut to at most
 *         199 bytes, but not within a character. Bytes that cannot be printed become ?.
 */
void prfdata_findings_add(prfdata_findings *findings, prfdata_rule rule, uint64_t offset,
                          const char *format, ...) PRFDATA_PRINTF(4, 5);

/* Add a finding that belongs to an object or a counter, but to no byte.
 *
 * object, counter  Title indexes; 0: none. */
void prfdata_findings_add_about(prfdata_findings *findings, prfdata_rule rule, uint32_t object,
                                uint32_t counter, const char *format, ...) PRFDATA_PRINTF(5, 6);

/* Look up the spots of the findings that were added since the last call. The offsets of these
 * findings are in this reply. */
void prfdata_findings_place(prfdata_findings *findings, const struct prfdata_validate_reply *reply);

/* Return a number that findings share if they belong to the same mistake: the same rule, object and
 * counter, and the same text except for the numbers in it. Other mistakes rarely have the same
 * number. */
uint64_t prfdata_findings_mistake(const prfdata_findings_item *finding);

/* Return the number of findings of all rules together, including those that were not kept. */
uint64_t prfdata_findings_total(const prfdata_findings *findings);

#endif
