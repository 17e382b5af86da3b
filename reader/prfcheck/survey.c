/* SPDX-License-Identifier: MIT */
/* Writes what was found out about providers (survey.h). */
#include "prfcheck/survey.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paths/json.h"

#define NAME_COLUMN_MOST 40u /* longer names push their row to the right */

static const char *const verdicts[] = {
    [PRFDATA_SURVEY_RIGHT] = "right",       [PRFDATA_SURVEY_OFF] = "switched off",
    [PRFDATA_SURVEY_WARNINGS] = "warnings", [PRFDATA_SURVEY_NO_LOAD] = "does not load",
    [PRFDATA_SURVEY_ERRORS] = "errors",     [PRFDATA_SURVEY_LATE] = "took too long",
    [PRFDATA_SURVEY_BROKEN] = "broken",     [PRFDATA_SURVEY_NOT_JUDGED] = "not judged",
};

void prfdata_survey_count(prfdata_survey_row *row, const prfdata_survey_finding *findings)
{
    memset(row->totals, 0, sizeof row->totals);
    row->worst = PRFDATA_RULE_COUNT;
    for (int i = 0; i < PRFDATA_RULE_COUNT; i++) {
        const prfdata_rule_severity severity = prfdata_rules_about((prfdata_rule)i)->severity;

        if (findings[i].total == 0)
            continue;
        row->totals[severity] += findings[i].total;
        if (row->worst == PRFDATA_RULE_COUNT ||
            severity > prfdata_rules_about(row->worst)->severity)
            row->worst = (prfdata_rule)i;
    }
}

/* ---- One line ---- */

/* The rules of a severity; `separator` stands before the next one. */
static const char *put_line_rules(prfdata_output *output, const prfdata_survey_finding *findings,
                                  prfdata_rule_severity severity, const char *separator)
{
    for (int i = 0; i < PRFDATA_RULE_COUNT; i++) {
        const prfdata_rule_about *about = prfdata_rules_about((prfdata_rule)i);

        if (findings[i].total == 0 || about->severity != severity)
            continue;
        prfdata_output_format(output, "%s%s", separator, about->name);
        if (about->event != 0)
            prfdata_output_format(output, " (Perflib event %u)", (unsigned)about->event);
        separator = ", ";
    }
    return separator;
}

void prfdata_survey_put_line(prfdata_output *output, const prfdata_survey_row *row,
                             const prfdata_survey_finding *findings)
{
    const char *separator = ": ";

    prfdata_output_put_string(output, row->service);
    prfdata_output_format(output, ": %s", verdicts[row->verdict]);
    for (int severity = PRFDATA_RULE_SEVERITY_ERROR; severity >= PRFDATA_RULE_SEVERITY_NOTE;
         severity--)
        separator = put_line_rules(output, findings, (prfdata_rule_severity)severity, separator);
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

/* Width in bytes, which is that of characters for nearly all services. */
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
    size_t not_judged = 0;
    int width;

    qsort(rows, count, sizeof *rows, compare_rows);
    while (listed < count && rows[listed].verdict != PRFDATA_SURVEY_RIGHT)
        not_judged += rows[listed++].verdict == PRFDATA_SURVEY_NOT_JUDGED;
    width = name_width(rows, listed);
    if (listed > 0)
        prfdata_output_format(output,
                              "\r\n%-*s  %-13s  errors  warnings  Perflib  slowest ms  %s\r\n",
                              width, "provider", "verdict", "to switch it off, or on (/e)");
    for (size_t i = 0; i < listed; i++)
        put_table_row(output, &rows[i], width);
    prfdata_output_format(output, "\r\nprfcheck: %u providers, %u of them right", (unsigned)count,
                          (unsigned)(count - listed));
    if (not_judged > 0)
        prfdata_output_format(output, ", %u not judged", (unsigned)not_judged);
    prfdata_output_put_string(output, "\r\n");
}

/* ---- JSON ---- */

static void put_json_text(prfdata_output *output, const char *name, const char *text)
{
    prfdata_output_format(output, "\"%s\":", name);
    prfdata_json_put_string(output, text, strlen(text));
}

static void put_json_finding(prfdata_output *output, prfdata_rule rule,
                             const prfdata_survey_finding *finding)
{
    const prfdata_rule_about *about = prfdata_rules_about(rule);

    prfdata_output_format(output, "{\"Rule\":\"%s\",\"Severity\":\"%s\",\"Event\":", about->name,
                          prfdata_rules_severity_name(about->severity));
    if (about->event != 0)
        prfdata_output_format(output, "%u", (unsigned)about->event);
    else
        prfdata_output_put_string(output, "null");
    prfdata_output_format(output, ",\"Count\":%" PRIu64 ",\"Scenario\":\"%s\",", finding->total,
                          finding->scenario);
    put_json_text(output, "Text", finding->text);
    prfdata_output_put_string(output, ",");
    put_json_text(output, "Sentence", about->sentence);
    prfdata_output_put_string(output, "}");
}

void prfdata_survey_put_json(prfdata_output *output, const prfdata_survey_row *row,
                             const prfdata_survey_finding *findings)
{
    const char *separator = "";

    prfdata_output_put_string(output, "{");
    put_json_text(output, "Service", row->service);
    prfdata_output_put_string(output, ",");
    put_json_text(output, "Library", row->library);
    prfdata_output_format(
        output,
        ",\"Verdict\":\"%s\",\"Errors\":%" PRIu64 ",\"Warnings\":%" PRIu64 ",\"Notes\":%" PRIu64
        ",\"NotJudged\":%u,\"LeftOut\":%u,\"Collects\":%" PRIu64
        ",\"SlowestMilliseconds\":%u.%03u,\"Seconds\":%u.%03u,\"Findings\":[",
        verdicts[row->verdict], row->totals[PRFDATA_RULE_SEVERITY_ERROR],
        row->totals[PRFDATA_RULE_SEVERITY_WARNING], row->totals[PRFDATA_RULE_SEVERITY_NOTE],
        (unsigned)row->not_judged, (unsigned)row->left_out, row->calls,
        (unsigned)(row->slowest_us / 1000), (unsigned)(row->slowest_us % 1000),
        (unsigned)(row->took_ms / 1000), (unsigned)(row->took_ms % 1000));
    for (int i = 0; i < PRFDATA_RULE_COUNT; i++) {
        if (findings[i].total == 0)
            continue;
        prfdata_output_put_string(output, separator);
        put_json_finding(output, (prfdata_rule)i, &findings[i]);
        separator = ",";
    }
    prfdata_output_put_string(output, "]}\n");
}
