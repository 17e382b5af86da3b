/* SPDX-License-Identifier: MIT */
#include "validating.h"

#include "fuzz.h"
#include "validate/validate.h"

/* The title indexes of fuzz_map.h. One file cannot include that header and rules.h, because their
 * enumerators have the same names. */
enum { FIRST_COUNTER = 1000 };
static uint32_t last_counter;

prfdata_provider *fuzz_open_provider(const prfdata_model *model)
{
    prfdata_provider *provider;

    last_counter = FIRST_COUNTER + 2 * (model->title_count - 1);
    FUZZ_CHECK(!prfdata_provider_open("Fuzz", &provider));
    prfdata_provider_set_refresh(provider, 0);
    return provider;
}

/* Returns whether a finding is allowed: a note, or one about values, which may be any number
 * here. */
static bool may_be(prfdata_rule rule)
{
    return prfdata_rules_about(rule)->severity == PRFDATA_RULE_SEVERITY_NOTE ||
           rule == PRFDATA_RULE_ELAPSED_START || rule == PRFDATA_RULE_FRACTION_ABOVE;
}

static void check_findings(const prfdata_findings *findings)
{
    bool is_right = true;

    for (size_t i = 0; i < findings->count; i++) {
        if (may_be(findings->items[i].rule))
            continue;
        fprintf(stderr, "%s: %s\n", prfdata_rules_about(findings->items[i].rule)->name,
                findings->items[i].text);
        is_right = false;
    }
    FUZZ_CHECK(is_right);
}

static prfdata_validate_reply checked(const perf_reply *reply)
{
    const prfdata_validate_reply to_validate = {reply->bytes, reply->size, reply->object_count};

    return to_validate;
}

void validating_check(const perf_reply *reply)
{
    const prfdata_validate_titles titles = {FIRST_COUNTER, last_counter, FIRST_COUNTER + 1,
                                            last_counter + 1};
    static prfdata_findings findings;
    const prfdata_validate_reply to_validate = checked(reply);
    const char *mistake = perf_reader_mistake(reply);

    if (mistake)
        fprintf(stderr, "%s\n", mistake);
    FUZZ_CHECK(mistake == NULL);
    prfdata_findings_init(&findings);
    FUZZ_CHECK(!prfdata_validate_structure(&to_validate, &titles, false, &findings));
    check_findings(&findings);
}

void validating_check_change(const perf_reply *older, const perf_reply *newer)
{
    static prfdata_findings findings;
    const prfdata_validate_reply before = checked(older);
    const prfdata_validate_reply after = checked(newer);

    prfdata_findings_init(&findings);
    FUZZ_CHECK(!prfdata_validate_change(&before, &after, NULL, &findings));
    check_findings(&findings);
}
