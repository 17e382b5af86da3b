/* SPDX-License-Identifier: MIT */
/* Collects the mistakes of a provider, and decides which of them are accepted. */
#include "prfcheck/mistakes.h"

#include <string.h>

prfdata_mistake *prfdata_mistakes_find(prfdata_mistakes *mistakes, uint64_t id)
{
    for (size_t i = 0; i < mistakes->count; i++) {
        if (mistakes->items[i].id == id)
            return &mistakes->items[i];
    }
    return NULL;
}

static bool has_rule(const prfdata_mistakes *mistakes, prfdata_rule rule)
{
    for (size_t i = 0; i < mistakes->count; i++) {
        if (mistakes->items[i].first.rule == rule)
            return true;
    }
    return false;
}

prfdata_mistake *prfdata_mistakes_add(prfdata_mistakes *mistakes,
                                      const prfdata_findings_item *finding, uint64_t times)
{
    const uint64_t id = prfdata_findings_mistake(finding);
    prfdata_mistake *mistake = prfdata_mistakes_find(mistakes, id);

    if (mistake) {
        mistake->times += times;
        return NULL;
    }
    if (mistakes->count >= PRFDATA_MISTAKES_MOST && has_rule(mistakes, finding->rule))
        return NULL;
    mistake = &mistakes->items[mistakes->count++];
    memset(mistake, 0, sizeof *mistake);
    mistake->first = *finding;
    mistake->id = id;
    mistake->times = times;
    return mistake;
}

uint64_t prfdata_mistakes_of_rule(const prfdata_mistakes *mistakes, prfdata_rule rule)
{
    uint64_t count = 0;

    for (size_t i = 0; i < mistakes->count; i++)
        count += mistakes->items[i].first.rule == rule && !mistakes->items[i].is_accepted;
    return count;
}

uint64_t prfdata_mistakes_accepted(const prfdata_mistakes *mistakes)
{
    uint64_t count = 0;

    for (size_t i = 0; i < mistakes->count; i++)
        count += mistakes->items[i].is_accepted;
    return count;
}

/* The parts of a text such as "RULE:+4". */
typedef struct accepted_text {
    prfdata_rule rule; /* PRFDATA_RULE_COUNT: there is no such rule */
    bool has_title;
    bool is_relative;
    uint32_t title;
} accepted_text;

static prfdata_rule find_rule(prfdata_text name)
{
    int rule = 0;

    while (rule < PRFDATA_RULE_COUNT &&
           !prfdata_text_equal_ascii(name, prfdata_rules_about((prfdata_rule)rule)->name))
        rule++;
    return (prfdata_rule)rule;
}

static bool parse_accepted(prfdata_text text, accepted_text *parts)
{
    prfdata_text name = {text.chars, 0};
    prfdata_text number;

    memset(parts, 0, sizeof *parts);
    while (name.count < text.count && text.chars[name.count] != ':')
        name.count++;
    parts->rule = find_rule(name);
    if (parts->rule == PRFDATA_RULE_COUNT)
        return false;
    parts->has_title = name.count < text.count;
    if (!parts->has_title)
        return true;
    number.chars = text.chars + name.count + 1;
    number.count = text.count - name.count - 1;
    parts->is_relative = number.count > 0 && number.chars[0] == '+';
    if (parts->is_relative) {
        number.chars++;
        number.count--;
    }
    return prfdata_text_number(number, &parts->title);
}

bool prfdata_mistakes_is_valid(prfdata_text text)
{
    accepted_text parts;

    return parse_accepted(text, &parts);
}

bool prfdata_mistakes_is_accepted(prfdata_text text, const prfdata_findings_item *finding,
                                  uint32_t first_title)
{
    accepted_text parts;
    uint32_t title;

    if (!parse_accepted(text, &parts) || parts.rule != finding->rule)
        return false;
    if (!parts.has_title)
        return true;
    title = parts.is_relative ? first_title + parts.title : parts.title;
    return title == (finding->spot.counter != 0 ? finding->spot.counter : finding->spot.object);
}
