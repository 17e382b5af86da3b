/* SPDX-License-Identifier: MIT */
/* Writes the results about providers (survey.h). */
#include "prfcheck/survey.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "map/counter_types.h"
#include "paths/json.h"

/* Widest column of names; longer names move the rest of their row to the right. */
#define NAME_COLUMN_MOST 40u
#define TITLE_BYTES      256u /* size of a title in UTF-8, with its NUL; more is cut */

static const char *const verdicts[] = {
    [PRFDATA_SURVEY_RIGHT] = "right",         [PRFDATA_SURVEY_OFF] = "switched off",
    [PRFDATA_SURVEY_WARNINGS] = "warnings",   [PRFDATA_SURVEY_NO_LOAD] = "does not load",
    [PRFDATA_SURVEY_ERRORS] = "errors",       [PRFDATA_SURVEY_LATE] = "took too long",
    [PRFDATA_SURVEY_BROKEN] = "broken",       [PRFDATA_SURVEY_NOT_CHECKED] = "not checked",
    [PRFDATA_SURVEY_NOT_FOUND] = "not found",
};

void prfdata_survey_count(prfdata_survey_row *row, const prfdata_mistakes *mistakes)
{
    memset(row->totals, 0, sizeof row->totals);
    row->accepted = prfdata_mistakes_accepted(mistakes);
    row->worst = PRFDATA_RULE_COUNT;
    for (int i = 0; i < PRFDATA_RULE_COUNT; i++) {
        const prfdata_rule_severity severity = prfdata_rules_about((prfdata_rule)i)->severity;
        const uint64_t total = prfdata_mistakes_of_rule(mistakes, (prfdata_rule)i);

        if (total == 0)
            continue;
        row->totals[severity] += total;
        if (row->worst == PRFDATA_RULE_COUNT ||
            severity > prfdata_rules_about(row->worst)->severity)
            row->worst = (prfdata_rule)i;
    }
}

/* ---- One line ---- */

/* Put the rules of this severity that were broken. `separator` is put before the first one. Returns
 * the separator for the next rule. */
static const char *put_line_rules(prfdata_output *output, const prfdata_mistakes *mistakes,
                                  prfdata_rule_severity severity, const char *separator)
{
    for (int i = 0; i < PRFDATA_RULE_COUNT; i++) {
        const prfdata_rule_about *about = prfdata_rules_about((prfdata_rule)i);

        if (about->severity != severity || prfdata_mistakes_of_rule(mistakes, (prfdata_rule)i) == 0)
            continue;
        prfdata_output_format(output, "%s%s", separator, about->name);
        if (about->event != 0)
            prfdata_output_format(output, " (Perflib event %u)", (unsigned)about->event);
        separator = ", ";
    }
    return separator;
}

void prfdata_survey_put_line(prfdata_output *output, const prfdata_survey_row *row,
                             const prfdata_mistakes *mistakes)
{
    const char *separator = ": ";

    prfdata_output_put_string(output, row->service);
    prfdata_output_format(output, ": %s", verdicts[row->verdict]);
    for (int severity = PRFDATA_RULE_SEVERITY_ERROR; severity >= PRFDATA_RULE_SEVERITY_NOTE;
         severity--)
        separator = put_line_rules(output, mistakes, (prfdata_rule_severity)severity, separator);
    prfdata_output_put_string(output, "\r\n");
}

/* ---- The table ---- */

static int compare_rows(const void *left, const void *right)
{
    const prfdata_survey_row *a = left;
    const prfdata_survey_row *b = right;

    if (a->verdict != b->verdict)
        return a->verdict > b->verdict ? -1 : 1;
    return strcmp(a->service, b->service);
}

/*
 * Returns the width of the column of names: the length of the longest name, but at least that
 * of the heading. Names longer than NAME_COLUMN_MOST are ignored. Lengths are in bytes, because
 * nearly all names are ASCII.
 */
static int name_width(const prfdata_survey_row *rows, size_t count)
{
    size_t width = strlen("provider");

    for (size_t i = 0; i < count; i++) {
        const size_t length = strlen(rows[i].service);

        if (length > width && length <= NAME_COLUMN_MOST)
            width = length;
    }
    return (int)width;
}

static void put_table_row(prfdata_output *output, const prfdata_survey_row *row, int width)
{
    const uint32_t event =
        row->worst == PRFDATA_RULE_COUNT ? 0 : prfdata_rules_about(row->worst)->event;
    const size_t length = strlen(row->service);
    char number[16] = "-";

    if (event != 0)
        (void)snprintf(number, sizeof number, "%u", (unsigned)event);
    prfdata_output_put_string(output, row->service);
    if (length < (size_t)width)
        prfdata_output_format(output, "%*s", width - (int)length, "");
    prfdata_output_format(output, "  %-13s  %6" PRIu64 "  %8" PRIu64 "  %7s  %10.3f",
                          verdicts[row->verdict], row->totals[PRFDATA_RULE_SEVERITY_ERROR],
                          row->totals[PRFDATA_RULE_SEVERITY_WARNING], number,
                          row->slowest_us / 1000.0);
    prfdata_output_format(output, "  lodctr /%c:\"",
                          row->verdict == PRFDATA_SURVEY_OFF ? 'e' : 'd');
    prfdata_output_put_string(output, row->service);
    prfdata_output_put_string(output, "\"\r\n");
}

void prfdata_survey_put_table(prfdata_output *output, prfdata_survey_row *rows, size_t count)
{
    size_t listed = 0;
    size_t not_checked = 0;
    int width;

    qsort(rows, count, sizeof *rows, compare_rows);
    while (listed < count && rows[listed].verdict != PRFDATA_SURVEY_RIGHT)
        not_checked += rows[listed++].verdict == PRFDATA_SURVEY_NOT_CHECKED;
    width = name_width(rows, listed);
    if (listed > 0)
        prfdata_output_format(output,
                              "\r\n%-*s  %-13s  errors  warnings  Perflib  slowest ms  %s\r\n",
                              width, "provider", "verdict", "to disable (/d) or enable (/e) it");
    for (size_t i = 0; i < listed; i++)
        put_table_row(output, &rows[i], width);
    prfdata_output_format(output, "\r\nprfcheck: %u provider%s, %u passed", (unsigned)count,
                          count == 1 ? "" : "s", (unsigned)(count - listed));
    if (not_checked > 0)
        prfdata_output_format(output, ", %u not checked", (unsigned)not_checked);
    prfdata_output_put_string(output, "\r\n");
    if (listed > 0) {
        prfdata_output_put_string(output, "To see what was found in one of them, run: prfcheck \"");
        prfdata_output_put_string(output, rows[0].service);
        prfdata_output_put_string(output, "\"\r\n");
    }
}

/* ---- A finding ---- */

/* Return the English name of a title, in UTF-8; "": unknown. */
static const char *title_name(const prfdata_name_table *names, uint32_t index,
                              char name[TITLE_BYTES])
{
    const prfdata_text text =
        names ? prfdata_name_table_name(names, index) : (prfdata_text){NULL, 0};

    prfdata_text_to_utf8(text, name, TITLE_BYTES);
    return name;
}

/* Put a text such as ", object 9100 "My Queues"". */
static void put_title(prfdata_output *output, const char *what, uint32_t index,
                      const prfdata_name_table *names)
{
    char name[TITLE_BYTES];

    if (index == 0)
        return;
    prfdata_output_format(output, ", %s %u", what, (unsigned)index);
    if (title_name(names, index, name)[0])
        prfdata_output_format(output, " \"%s\"", name);
}

/* Put a text such as ", object 9100, counter 9102 "Jobs" (PERF_COUNTER_COUNTER), instance "a",
 * field CounterSize". */
static void put_spot(prfdata_output *output, const prfdata_spot *spot,
                     const prfdata_name_table *names)
{
    put_title(output, "object", spot->object, names);
    put_title(output, "counter", spot->counter, names);
    if (spot->type != 0) {
        const prfdata_counter_type *type = prfdata_counter_types_find(spot->type);

        prfdata_output_put_string(output, spot->counter != 0 ? " (" : ", counter (");
        if (type)
            prfdata_output_format(output, "PERF_%s)", type->name);
        else
            prfdata_output_format(output, "type 0x%08X)", (unsigned)spot->type);
    }
    if (spot->instance[0])
        prfdata_output_format(output, ", instance \"%s\"", spot->instance);
    if (spot->field[0])
        prfdata_output_format(output, ", field %s", spot->field);
}

void prfdata_survey_put_finding(prfdata_output *output, const prfdata_mistake *mistake,
                                const char *scenario, const prfdata_name_table *names)
{
    const prfdata_findings_item *finding = &mistake->first;
    const prfdata_rule_about *about = prfdata_rules_about(finding->rule);

    prfdata_output_format(output, "%s%s %s", mistake->is_accepted ? "accepted " : "",
                          prfdata_rules_severity_name(about->severity), about->name);
    if (finding->offset != PRFDATA_NO_OFFSET)
        prfdata_output_format(output, ", byte %" PRIu64, finding->offset);
    if (about->event != 0)
        prfdata_output_format(output, ", Perflib event %u", (unsigned)about->event);
    put_spot(output, &finding->spot, names);
    prfdata_output_format(output, ": %s. %s [%s", finding->text, about->sentence, scenario);
    if (mistake->query[0])
        prfdata_output_format(output, ": %s, %u bytes", mistake->query,
                              (unsigned)mistake->capacity);
    prfdata_output_put_string(output, "]");
}

/* ---- JSON ---- */

static void put_json_text(prfdata_output *output, const char *name, const char *text)
{
    prfdata_output_format(output, "\"%s\":", name);
    prfdata_json_put_string(output, text, strlen(text));
}

static void put_json_number(prfdata_output *output, const char *name, bool is_known,
                            uint64_t number)
{
    if (is_known)
        prfdata_output_format(output, ",\"%s\":%" PRIu64, name, number);
    else
        prfdata_output_format(output, ",\"%s\":null", name);
}

static void put_json_known_text(prfdata_output *output, const char *name, const char *text)
{
    prfdata_output_put_string(output, ",");
    if (text[0])
        put_json_text(output, name, text);
    else
        prfdata_output_format(output, "\"%s\":null", name);
}

static const char *scenario_name(const prfdata_survey_row *row, const prfdata_mistake *mistake)
{
    return mistake->scenario < row->scenario_count ? row->scenarios[mistake->scenario].name : "";
}

static void put_json_title(prfdata_output *output, const char *what, uint32_t index,
                           const prfdata_name_table *names)
{
    char key[40];
    char name[TITLE_BYTES];

    put_json_number(output, what, index != 0, index);
    (void)snprintf(key, sizeof key, "%sName", what);
    put_json_known_text(output, key, title_name(names, index, name));
}

static void put_json_finding(prfdata_output *output, const prfdata_survey_row *row,
                             const prfdata_mistake *mistake)
{
    const prfdata_findings_item *finding = &mistake->first;
    const prfdata_spot *spot = &finding->spot;
    const prfdata_rule_about *about = prfdata_rules_about(finding->rule);

    prfdata_output_format(output, "{\"Rule\":\"%s\",\"Severity\":\"%s\"", about->name,
                          prfdata_rules_severity_name(about->severity));
    put_json_number(output, "Event", about->event != 0, about->event);
    prfdata_output_format(output, ",\"Accepted\":%s,\"Count\":%" PRIu64,
                          mistake->is_accepted ? "true" : "false", mistake->times);
    put_json_known_text(output, "Scenario", scenario_name(row, mistake));
    put_json_known_text(output, "Query", mistake->query);
    put_json_number(output, "BufferBytes", mistake->query[0] != '\0', mistake->capacity);
    put_json_number(output, "Byte", finding->offset != PRFDATA_NO_OFFSET, finding->offset);
    put_json_title(output, "Object", spot->object, row->names);
    put_json_title(output, "Counter", spot->counter, row->names);
    put_json_number(output, "CounterType", spot->type != 0, spot->type);
    put_json_known_text(output, "Instance", spot->instance);
    put_json_known_text(output, "Field", spot->field);
    put_json_known_text(output, "Text", finding->text);
    put_json_known_text(output, "Sentence", about->sentence);
    prfdata_output_put_string(output, "}");
}

static bool has_mistake(const prfdata_mistakes *mistakes, size_t scenario)
{
    for (size_t i = 0; i < mistakes->count; i++) {
        if (mistakes->items[i].scenario == scenario && !mistakes->items[i].is_accepted)
            return true;
    }
    return false;
}

/* Put the scenarios with this `part`. Leave out those with a mistake that is not accepted. */
static void put_json_scenarios(prfdata_output *output, const char *name,
                               const prfdata_survey_row *row, const prfdata_mistakes *mistakes,
                               prfdata_survey_part part)
{
    const char *separator = "";

    prfdata_output_format(output, ",\"%s\":[", name);
    for (size_t i = 0; i < row->scenario_count; i++) {
        const prfdata_survey_scenario *scenario = &row->scenarios[i];
        char text[100];

        if (scenario->part != part || has_mistake(mistakes, i))
            continue;
        (void)snprintf(text, sizeof text, "%s%s%s", scenario->name, scenario->query[0] ? " " : "",
                       scenario->query);
        prfdata_output_put_string(output, separator);
        prfdata_json_put_string(output, text, strlen(text));
        separator = ",";
    }
    prfdata_output_put_string(output, "]");
}

void prfdata_survey_put_json(prfdata_output *output, const prfdata_survey_about *about,
                             const prfdata_survey_row *row, const prfdata_mistakes *mistakes)
{
    const char *separator = "";

    prfdata_output_put_string(output, "{");
    put_json_text(output, "Service", row->service);
    prfdata_output_put_string(output, ",");
    put_json_text(output, "Library", row->library);
    prfdata_output_format(
        output,
        ",\"Verdict\":\"%s\",\"Errors\":%" PRIu64 ",\"Warnings\":%" PRIu64 ",\"Notes\":%" PRIu64
        ",\"Accepted\":%" PRIu64 ",\"NotChecked\":%u,\"LeftOut\":%u,\"Collects\":%" PRIu64
        ",\"SlowestMilliseconds\":%u.%03u,\"Seconds\":%u.%03u",
        verdicts[row->verdict], row->totals[PRFDATA_RULE_SEVERITY_ERROR],
        row->totals[PRFDATA_RULE_SEVERITY_WARNING], row->totals[PRFDATA_RULE_SEVERITY_NOTE],
        row->accepted, (unsigned)row->not_checked, (unsigned)row->left_out, row->calls,
        (unsigned)(row->slowest_us / 1000), (unsigned)(row->slowest_us % 1000),
        (unsigned)(row->took_ms / 1000), (unsigned)(row->took_ms % 1000));
    put_json_known_text(output, "Version", about->version);
    put_json_known_text(output, "Date", about->date);
    put_json_known_text(output, "Options", about->options);
    put_json_scenarios(output, "Passed", row, mistakes, PRFDATA_SURVEY_RAN);
    put_json_scenarios(output, "NotCheckedScenarios", row, mistakes, PRFDATA_SURVEY_UNSEEN);
    put_json_scenarios(output, "LeftOutScenarios", row, mistakes, PRFDATA_SURVEY_NO_TIME);
    prfdata_output_put_string(output, ",\"Findings\":[");
    for (size_t i = 0; i < mistakes->count; i++) {
        prfdata_output_put_string(output, separator);
        put_json_finding(output, row, &mistakes->items[i]);
        separator = ",";
    }
    prfdata_output_put_string(output, "]}\n");
}

/* ---- JUnit ---- */

/* Returns whether the text begins with U+FFFE or U+FFFF, which XML does not allow. */
static bool begins_with_no_character(const char *text)
{
    return strncmp(text, "\xEF\xBF\xBE", 3) == 0 || strncmp(text, "\xEF\xBF\xBF", 3) == 0;
}

/* Escape the characters that XML reserves, and replace control characters, because XML 1.0 does not
 * allow most of them. */
static void put_xml(prfdata_output *output, const char *text)
{
    for (; *text; text++) {
        if (begins_with_no_character(text)) {
            prfdata_output_put_string(output, "?");
            text += 2;
        } else if (*text == '&')
            prfdata_output_put_string(output, "&amp;");
        else if (*text == '<')
            prfdata_output_put_string(output, "&lt;");
        else if (*text == '>')
            prfdata_output_put_string(output, "&gt;");
        else if (*text == '"')
            prfdata_output_put_string(output, "&quot;");
        else if ((unsigned char)*text < 0x20)
            prfdata_output_put_string(output, "?");
        else
            prfdata_output_put(output, text, 1);
    }
}

static const char *suite_name(const prfdata_survey_row *row)
{
    return row->service[0] ? row->service : row->library;
}

static bool fails(const prfdata_survey_about *about, const prfdata_mistake *mistake)
{
    const prfdata_rule_severity severity = prfdata_rules_about(mistake->first.rule)->severity;

    return !mistake->is_accepted &&
           (severity == PRFDATA_RULE_SEVERITY_ERROR ||
            (severity == PRFDATA_RULE_SEVERITY_WARNING && about->fails_warnings));
}

static void put_junit_text(prfdata_output *output, const prfdata_survey_row *row,
                           const prfdata_mistake *mistake)
{
    prfdata_output text;

    prfdata_output_init(&text);
    prfdata_survey_put_finding(&text, mistake, scenario_name(row, mistake), row->names);
    prfdata_output_put(&text, "", 1);
    put_xml(output, text.failed ? "" : text.bytes);
    prfdata_output_free(&text);
}

/*
 * Put the failure of a case. The schema allows a case at most one failure, so its text lists
 * everything that fails the case.
 */
static bool put_junit_failure(prfdata_output *output, const prfdata_survey_about *about,
                              const prfdata_survey_row *row, const prfdata_mistakes *mistakes,
                              size_t scenario)
{
    bool has_failed = false;

    for (size_t i = 0; i < mistakes->count; i++) {
        const prfdata_mistake *mistake = &mistakes->items[i];

        if (mistake->scenario != scenario || !fails(about, mistake))
            continue;
        if (!has_failed) {
            prfdata_output_put_string(output, "      <failure type=\"");
            put_xml(output, prfdata_rules_about(mistake->first.rule)->name);
            prfdata_output_put_string(output, "\" message=\"");
            put_xml(output, mistake->first.text);
            prfdata_output_put_string(output, "\">");
        }
        has_failed = true;
        put_junit_text(output, row, mistake);
        prfdata_output_put_string(output, "\n");
    }
    if (has_failed)
        prfdata_output_put_string(output, "</failure>\n");
    return has_failed;
}

/*
 * Put findings that do not fail the case: notes, accepted mistakes, and warnings if -fail error was
 * given.
 */
static void put_junit_other(prfdata_output *output, const prfdata_survey_about *about,
                            const prfdata_survey_row *row, const prfdata_mistakes *mistakes,
                            size_t scenario)
{
    bool has_other = false;

    for (size_t i = 0; i < mistakes->count; i++) {
        const prfdata_mistake *mistake = &mistakes->items[i];

        if (mistake->scenario != scenario || fails(about, mistake))
            continue;
        prfdata_output_put_string(output, has_other ? "" : "      <system-out>");
        has_other = true;
        put_junit_text(output, row, mistake);
        prfdata_output_put_string(output, "\n");
    }
    if (has_other)
        prfdata_output_put_string(output, "</system-out>\n");
}

static const char *skip_reason(prfdata_survey_part part)
{
    return part == PRFDATA_SURVEY_UNSEEN    ? "not checked: no objects came"
           : part == PRFDATA_SURVEY_NO_TIME ? "left out: large replies took all the time"
                                            : "not run";
}

static void put_junit_case(prfdata_output *output, const prfdata_survey_about *about,
                           const prfdata_survey_row *row, const prfdata_mistakes *mistakes,
                           size_t scenario)
{
    const prfdata_survey_scenario *s = &row->scenarios[scenario];

    prfdata_output_put_string(output, "    <testcase classname=\"");
    put_xml(output, suite_name(row));
    prfdata_output_put_string(output, "\" name=\"");
    put_xml(output, s->name);
    prfdata_output_put_string(output, s->query[0] ? " " : "");
    put_xml(output, s->query);
    prfdata_output_put_string(output, "\">\n");
    if (!put_junit_failure(output, about, row, mistakes, scenario) && s->part != PRFDATA_SURVEY_RAN)
        prfdata_output_format(output, "      <skipped message=\"%s\"/>\n", skip_reason(s->part));
    put_junit_other(output, about, row, mistakes, scenario);
    prfdata_output_put_string(output, "    </testcase>\n");
}

/* Return why the check failed, if no case says why; otherwise NULL. `failed` is the number of cases
 * that failed. */
static const char *error_without_failure(prfdata_survey_verdict verdict, size_t failed)
{
    switch (verdict) {
    case PRFDATA_SURVEY_NOT_FOUND:
        return "no service of this name has counters";
    case PRFDATA_SURVEY_LATE:
        return "given up: the check took too long; -each n allows more";
    case PRFDATA_SURVEY_BROKEN:
        /* With -fail error, a warning fails no case, even if it ended a process. */
        return failed == 0 ? "the provider's process crashed, hung or ended too often" : NULL;
    default:
        return NULL;
    }
}

/* Put a case with an error. Without it, the suite would look as if it had passed, because the
 * scenarios that did not run are only skipped. */
static void put_junit_error(prfdata_output *output, const prfdata_survey_row *row,
                            const char *error)
{
    prfdata_output_put_string(output, "    <testcase classname=\"");
    put_xml(output, suite_name(row));
    prfdata_output_format(output,
                          "\" name=\"%s\">\n      <error message=\"%s\"/>\n    </testcase>\n",
                          verdicts[row->verdict], error);
}

static bool is_failed(const prfdata_survey_about *about, const prfdata_mistakes *mistakes,
                      size_t scenario)
{
    for (size_t i = 0; i < mistakes->count; i++) {
        if (mistakes->items[i].scenario == scenario && fails(about, &mistakes->items[i]))
            return true;
    }
    return false;
}

void prfdata_survey_put_junit_begin(prfdata_output *output)
{
    prfdata_output_put_string(output, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
}

void prfdata_survey_put_junit(prfdata_output *output, const prfdata_survey_about *about,
                              const prfdata_survey_row *row, const prfdata_mistakes *mistakes)
{
    const char *error;
    size_t failed = 0;
    size_t skipped = 0;

    for (size_t i = 0; i < row->scenario_count; i++) {
        const bool is_one = is_failed(about, mistakes, i);

        failed += is_one;
        skipped += !is_one && row->scenarios[i].part != PRFDATA_SURVEY_RAN;
    }
    error = error_without_failure(row->verdict, failed);
    prfdata_output_put_string(output, "  <testsuite name=\"");
    put_xml(output, suite_name(row));
    prfdata_output_format(output,
                          "\" tests=\"%u\" failures=\"%u\" errors=\"%u\" skipped=\"%u\" "
                          "time=\"%u.%03u\" timestamp=\"%.19s\">\n",
                          (unsigned)(row->scenario_count + (error != NULL)), (unsigned)failed,
                          (unsigned)(error != NULL), (unsigned)skipped,
                          (unsigned)(row->took_ms / 1000), (unsigned)(row->took_ms % 1000),
                          about->date);
    if (error)
        put_junit_error(output, row, error);
    for (size_t i = 0; i < row->scenario_count; i++)
        put_junit_case(output, about, row, mistakes, i);
    prfdata_output_put_string(output, "  </testsuite>\n");
}

void prfdata_survey_put_junit_end(prfdata_output *output)
{
    prfdata_output_put_string(output, "</testsuites>\n");
}
