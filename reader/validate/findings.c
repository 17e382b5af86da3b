/* SPDX-License-Identifier: MIT */
/* Counts findings, and keeps the first findings of each rule. */
#include "validate/findings.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "names/names.h"

void prfdata_findings_init(prfdata_findings *findings)
{
    findings->extra = 0;
    findings->placed = 0;
    findings->count = 0; /* items are not cleared, because that would take time */
    memset(findings->totals, 0, sizeof findings->totals);
    memset(findings->here, 0, sizeof findings->here);
}

/* Returns the finding; NULL: it was counted but not kept. */
static prfdata_findings_item *add_finding(prfdata_findings *findings, prfdata_rule rule,
                                          uint64_t offset, const char *format, va_list arguments)
{
    prfdata_findings_item *finding = &findings->items[findings->count];
    const bool is_sure = findings->totals[rule]++ < PRFDATA_FINDINGS_SURE;
    char whole[2 * sizeof finding->text] = ""; /* may end inside of a character */

    if (findings->here[rule]++ >= PRFDATA_FINDINGS_KEPT ||
        (!is_sure && findings->extra == PRFDATA_FINDINGS_ROOM))
        return NULL;
    findings->extra += !is_sure;
    memset(&finding->spot, 0, sizeof finding->spot);
    finding->rule = rule;
    finding->offset = offset;
    (void)vsnprintf(whole, sizeof whole, format, arguments);
    (void)prfdata_names_copy_shown(whole, finding->text, sizeof finding->text);
    findings->count++;
    return finding;
}

void prfdata_findings_add(prfdata_findings *findings, prfdata_rule rule, uint64_t offset,
                          const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    (void)add_finding(findings, rule, offset, format, arguments);
    va_end(arguments);
}

void prfdata_findings_add_about(prfdata_findings *findings, prfdata_rule rule, uint32_t object,
                                uint32_t counter, const char *format, ...)
{
    prfdata_findings_item *finding;
    va_list arguments;

    va_start(arguments, format);
    finding = add_finding(findings, rule, PRFDATA_NO_OFFSET, format, arguments);
    va_end(arguments);
    if (!finding)
        return;
    finding->spot.object = object;
    finding->spot.counter = counter;
}

uint64_t prfdata_findings_total(const prfdata_findings *findings)
{
    uint64_t total = 0;

    for (size_t i = 0; i < PRFDATA_RULE_COUNT; i++)
        total += findings->totals[i];
    return total;
}

void prfdata_findings_place(prfdata_findings *findings, const struct prfdata_validate_reply *reply)
{
    for (; findings->placed < findings->count; findings->placed++) {
        prfdata_findings_item *finding = &findings->items[findings->placed];

        if (finding->offset != PRFDATA_NO_OFFSET)
            prfdata_spot_find(reply, finding->offset, &finding->spot);
    }
}

/* Adds a byte to a hash, by FNV-1a with 64 bits. */
static uint64_t hash_byte(uint64_t hash, unsigned byte)
{
    return (hash ^ (byte & 0xFF)) * 0x100000001B3u;
}

static uint64_t hash_number(uint64_t hash, uint32_t number)
{
    for (int shift = 0; shift < 32; shift += 8)
        hash = hash_byte(hash, number >> shift);
    return hash;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/*
 * Returns a hash of the rule, the object, the counter and the text. A number in the text, decimal
 * or with 0x, counts as one character.
 */
uint64_t prfdata_findings_mistake(const prfdata_findings_item *finding)
{
    uint64_t hash = 0xCBF29CE484222325u;

    hash = hash_number(hash, (uint32_t)finding->rule);
    hash = hash_number(hash, finding->spot.object);
    hash = hash_number(hash, finding->spot.counter);
    for (const char *at = finding->text; *at;) {
        hash = hash_byte(hash, is_digit(*at) ? '0' : (unsigned char)*at);
        if (!is_digit(*at))
            at++;
        else
            at += at[0] == '0' && at[1] == 'x' ? 2 + strspn(at + 2, "0123456789abcdefABCDEF")
                                               : strspn(at, "0123456789");
    }
    return hash;
}
