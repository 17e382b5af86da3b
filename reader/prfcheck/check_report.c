/* SPDX-License-Identifier: MIT */
/* Prints the messages of workers when they arrive, and counts them. */
#include "prfcheck/check_report.h"

#include <stdio.h>
#include <string.h>

#include <windows.h>

#include "os/streams.h"
#include "scenarios/scenarios.h"

/* Without -v, at most this many accepted mistakes and this many other mistakes of a rule are
 * shown. */
#define MOST_SHOWN 2u

static void write_progress(prfdata_output *output)
{
    if (output->used > 0)
        (void)prfdata_streams_write(prfdata_streams_err(), output->bytes, output->used);
    prfdata_output_free(output);
}

static void begin_scenario(prfdata_check_report *r, uint32_t scenario)
{
    prfdata_output line;

    r->scenario = scenario;
    prfdata_coverage_begin(&r->coverage, scenario);
    prfdata_output_init(&line);
    prfdata_progress_begin(&r->progress, prfdata_scenarios_name(scenario), scenario,
                           prfdata_scenarios_count(), GetTickCount64(), &line);
    write_progress(&line);
}

void prfdata_check_report_go_on(prfdata_check_report *r)
{
    prfdata_output line;

    prfdata_output_init(&line);
    prfdata_progress_go_on(&r->progress, GetTickCount64(), &line);
    write_progress(&line);
}

void prfdata_check_report_hide_progress(prfdata_check_report *r)
{
    prfdata_output line;

    prfdata_output_init(&line);
    prfdata_progress_hide(&r->progress, &line);
    write_progress(&line);
}

void prfdata_check_report_write(prfdata_check_report *r)
{
    if (r->is_quiet)
        prfdata_output_clear(&r->output);
    if (r->output.used == 0)
        return;
    prfdata_check_report_hide_progress(r);
    (void)prfdata_streams_write_lines(prfdata_streams_out(), &r->output);
    prfdata_output_clear(&r->output);
}

static bool is_accepted(const prfdata_check_report *r, const prfdata_findings_item *finding)
{
    for (size_t i = 0; i < r->options->accept_count; i++) {
        if (prfdata_mistakes_is_accepted(r->options->accept[i], finding, r->first_title))
            return true;
    }
    return false;
}

/* Print a mistake, unless enough mistakes of its rule were printed. Accepted mistakes are counted
 * apart, so that they never hide one that fails a build. */
static void show_mistake(prfdata_check_report *r, const prfdata_mistake *mistake)
{
    const prfdata_rule rule = mistake->first.rule;
    uint32_t *shown = mistake->is_accepted ? &r->shown_accepted[rule] : &r->shown[rule];

    if (*shown >= MOST_SHOWN && !r->options->verbose)
        return;
    ++*shown;
    prfdata_survey_put_finding(&r->output, mistake, prfdata_scenarios_name(mistake->scenario),
                               r->names);
    prfdata_output_put_string(&r->output, "\r\n");
}

/* Count a finding, and show its mistake if that is new. Returns whether the mistake is accepted. */
static bool take_worker_finding(prfdata_check_report *r, const prfdata_worker_message *message)
{
    prfdata_findings_item finding;
    prfdata_mistake *mistake;
    bool accepted;

    memset(&finding, 0, sizeof finding);
    finding.rule = message->rule;
    finding.offset = message->offset;
    finding.spot = message->spot;
    memcpy(finding.text, message->text, sizeof finding.text);
    accepted = is_accepted(r, &finding);
    mistake = prfdata_mistakes_add(&r->mistakes, &finding, message->count);
    if (!mistake)
        return accepted;
    memcpy(mistake->query, message->query, sizeof mistake->query);
    mistake->capacity = message->capacity;
    mistake->scenario = message->scenario;
    mistake->is_accepted = accepted;
    show_mistake(r, mistake);
    return accepted;
}

static void take_more_findings(prfdata_check_report *r, const prfdata_worker_message *message)
{
    prfdata_mistake *mistake = prfdata_mistakes_find(&r->mistakes, message->mistake);

    if (mistake)
        mistake->times += message->count;
}

static void take_scenario_end(prfdata_check_report *r, const prfdata_worker_message *message)
{
    const wchar_t *query = prfdata_scenarios_query(message->scenario);
    prfdata_output line;

    prfdata_output_init(&line);
    prfdata_progress_end(&r->progress, GetTickCount64(), &line);
    write_progress(&line);
    r->calls += message->calls;
    prfdata_coverage_note_part(&r->coverage, message->scenario, message->part);
    if (message->part != PRFDATA_COVERAGE_LEFT_OUT)
        prfdata_coverage_end(&r->coverage, message->scenario, message->saw, message->seen,
                             message->late_ms);
    if (!r->options->verbose)
        return;
    prfdata_output_format(&r->output, "%s", prfdata_scenarios_name(message->scenario));
    if (query)
        prfdata_output_format(&r->output, " \"%ls\"", query);
    prfdata_output_format(&r->output, ": %llu calls%s%s%s\r\n", (unsigned long long)message->calls,
                          message->text[0] ? ", " : "", message->text,
                          message->part == PRFDATA_COVERAGE_LEFT_OUT ? ", left out"
                          : message->saw == 0                        ? ", not checked: no objects"
                                                                     : "");
}

static bool is_time_rule(prfdata_rule rule)
{
    return rule == PRFDATA_RULE_PROCESS_SILENT || rule == PRFDATA_RULE_LOAD_TIME ||
           rule == PRFDATA_RULE_OPEN_TIME || rule == PRFDATA_RULE_COLLECT_TIME ||
           rule == PRFDATA_RULE_CLOSE_TIME;
}

/* Take a mistake that ends a process. If it ends the second process of a scenario, the first
 * process still runs. */
static void take_fatal_finding(prfdata_check_report *r, const prfdata_worker_message *message)
{
    const bool is_accepted = take_worker_finding(r, message);

    if (!is_accepted) {
        r->is_broken = true;
        r->hangs += is_time_rule(message->rule);
    }
    if (message->is_second)
        return;
    r->is_fatal = true;
    r->is_end_accepted = r->is_end_accepted && is_accepted;
}

void prfdata_check_report_take(prfdata_check_report *r, const prfdata_worker_message *message)
{
    if (message->slowest_us > r->slowest_us)
        r->slowest_us = message->slowest_us;
    switch (message->kind) {
    case PRFDATA_WORKER_BEGIN:
        begin_scenario(r, message->scenario);
        break;
    case PRFDATA_WORKER_FINDING:
        (void)take_worker_finding(r, message);
        break;
    case PRFDATA_WORKER_MORE:
        take_more_findings(r, message);
        break;
    case PRFDATA_WORKER_FATAL:
        take_fatal_finding(r, message);
        break;
    case PRFDATA_WORKER_END:
        take_scenario_end(r, message);
        break;
    case PRFDATA_WORKER_DONE:
        r->is_done = true;
        break;
    case PRFDATA_WORKER_HOPELESS:
        r->is_done = true;
        r->is_given_up = true;
        prfdata_output_format(&r->output, "given up after scenario %s: no other can succeed\r\n",
                              prfdata_scenarios_name(r->scenario));
        break;
    case PRFDATA_WORKER_ALIVE:
        break;
    }
    prfdata_check_report_write(r);
}

void prfdata_check_report_add(prfdata_check_report *r, prfdata_worker_kind kind, prfdata_rule rule,
                              const char *text)
{
    prfdata_worker_message message;

    memset(&message, 0, sizeof message);
    message.kind = kind;
    message.scenario = r->scenario;
    message.offset = PRFDATA_NO_OFFSET;
    message.count = 1;
    message.rule = rule;
    (void)snprintf(message.text, sizeof message.text, "%s", text);
    prfdata_check_report_take(r, &message);
}

/* ---- The end ---- */

static void put_total(prfdata_check_report *r, uint64_t total, const char *noun, char end)
{
    prfdata_output_format(&r->output, "%llu %s%s%c ", (unsigned long long)total, noun,
                          total == 1 ? "" : "s", end);
}

typedef bool covered_so(const prfdata_coverage *coverage, uint32_t scenario);

static bool is_less(const prfdata_coverage *coverage, uint32_t scenario)
{
    return prfdata_coverage_part_of(coverage, scenario) == PRFDATA_COVERAGE_LESS;
}

static bool is_left_out(const prfdata_coverage *coverage, uint32_t scenario)
{
    return prfdata_coverage_part_of(coverage, scenario) == PRFDATA_COVERAGE_LEFT_OUT;
}

/* Puts the names of the scenarios for which `is_one` returns true, such as " first, early,
 * samples". A name that several scenarios in a row have is put once. */
static void put_covered_names(prfdata_check_report *r, covered_so *is_one)
{
    const char *last = "";

    for (uint32_t i = 0; i < prfdata_scenarios_count(); i++) {
        const char *name = prfdata_scenarios_name(i);

        if (!is_one(&r->coverage, i) || strcmp(name, last) == 0)
            continue;
        prfdata_output_format(&r->output, "%s %s", last[0] ? "," : "", name);
        last = name;
    }
}

/* Puts the text `what` and the names of the scenarios for which `is_one` returns true. */
static void put_part(prfdata_check_report *r, prfdata_coverage_part part, const char *what,
                     covered_so *is_one)
{
    if (prfdata_coverage_count_part(&r->coverage, part) == 0)
        return;
    prfdata_output_format(&r->output, "%s, it takes too long%s:", what,
                          r->options->quick ? " for -quick" : "");
    put_covered_names(r, is_one);
    prfdata_output_format(&r->output, "\r\n");
}

static void put_not_checked(prfdata_check_report *r)
{
    const uint32_t blind = prfdata_coverage_count_blind(&r->coverage);

    prfdata_output_format(&r->output, "not checked, no objects came:");
    if (blind == prfdata_coverage_count_done(&r->coverage))
        prfdata_output_format(&r->output, " all scenarios; -wait n waits longer than %u seconds",
                              (unsigned)r->options->wait);
    else
        put_covered_names(r, prfdata_coverage_is_blind);
    prfdata_output_format(&r->output, "\r\n");
}

void prfdata_check_report_end(prfdata_check_report *r)
{
    prfdata_survey_row row;

    prfdata_check_report_sum(r, &row);
    for (int i = 0; i < PRFDATA_RULE_COUNT; i++) {
        const prfdata_rule_about *about = prfdata_rules_about((prfdata_rule)i);
        const uint64_t total = prfdata_mistakes_of_rule(&r->mistakes, (prfdata_rule)i);

        if (total > r->shown[i])
            prfdata_output_format(&r->output, "%s %s: %llu in all\r\n",
                                  prfdata_rules_severity_name(about->severity), about->name,
                                  (unsigned long long)total);
    }
    if (r->is_late)
        prfdata_output_format(&r->output,
                              "given up in scenario %s: the check took longer than %u seconds; "
                              "-each n allows more\r\n",
                              prfdata_scenarios_name(r->scenario), (unsigned)r->options->each);
    /* If the check was given up, for example because the provider does not load, it does not matter
     * which scenarios saw no objects. */
    if (row.not_checked > 0 && !r->is_given_up)
        put_not_checked(r);
    put_part(r, PRFDATA_COVERAGE_LESS, "done less often", is_less);
    put_part(r, PRFDATA_COVERAGE_LEFT_OUT, "left out", is_left_out);
    prfdata_output_format(&r->output, "prfcheck: ");
    put_total(r, row.totals[PRFDATA_RULE_SEVERITY_ERROR], "error", ',');
    put_total(r, row.totals[PRFDATA_RULE_SEVERITY_WARNING], "warning", ',');
    put_total(r, row.totals[PRFDATA_RULE_SEVERITY_NOTE], "note", ';');
    if (row.accepted > 0)
        prfdata_output_format(&r->output, "%llu accepted; ", (unsigned long long)row.accepted);
    put_total(r, r->calls, "Collect", ',');
    prfdata_output_format(&r->output, "slowest %u.%03u ms\r\n", (unsigned)(r->slowest_us / 1000),
                          (unsigned)(r->slowest_us % 1000));
    prfdata_check_report_write(r);
}

static prfdata_survey_verdict find_verdict(const prfdata_check_report *r,
                                           const prfdata_survey_row *row)
{
    static const prfdata_rule of_loading[] = {PRFDATA_RULE_LOAD, PRFDATA_RULE_OPEN_EXPORT,
                                              PRFDATA_RULE_COLLECT_EXPORT,
                                              PRFDATA_RULE_CLOSE_EXPORT};

    for (size_t i = 0; i < sizeof of_loading / sizeof of_loading[0]; i++) {
        if (prfdata_mistakes_of_rule(&r->mistakes, of_loading[i]) > 0)
            return PRFDATA_SURVEY_NO_LOAD;
    }
    if (r->is_broken || prfdata_mistakes_of_rule(&r->mistakes, PRFDATA_RULE_LOAD_CRASH) > 0)
        return PRFDATA_SURVEY_BROKEN;
    if (r->is_late)
        return PRFDATA_SURVEY_LATE;
    if (row->totals[PRFDATA_RULE_SEVERITY_ERROR] > 0)
        return PRFDATA_SURVEY_ERRORS;
    if (row->totals[PRFDATA_RULE_SEVERITY_WARNING] > 0)
        return PRFDATA_SURVEY_WARNINGS;
    return row->not_checked > 0 ? PRFDATA_SURVEY_NOT_CHECKED : PRFDATA_SURVEY_RIGHT;
}

void prfdata_check_report_sum(const prfdata_check_report *r, prfdata_survey_row *row)
{
    prfdata_survey_count(row, &r->mistakes);
    row->not_checked = prfdata_coverage_count_blind(&r->coverage);
    row->left_out = prfdata_coverage_count_part(&r->coverage, PRFDATA_COVERAGE_LEFT_OUT);
    row->verdict = find_verdict(r, row);
    row->calls = r->calls;
    row->slowest_us = r->slowest_us;
    row->names = r->names;
}
