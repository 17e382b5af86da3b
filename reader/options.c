/* SPDX-License-Identifier: MIT */
#include "options.h"

#include <string.h>

#define MAX_INTERVAL_MS 0x7FFFFFFFu /* 24 days */

typedef struct parser {
    size_t count;
    const uint16_t *const *arguments;
    size_t position;
    prfdata_options options;
    bool has_task;
    prfdata_options_error *error;
} parser;

static bool fail(parser *p, prfdata_text argument, const char *reason)
{
    p->error->argument = argument;
    p->error->reason = reason;
    return false;
}

/* Whether the argument is the option `name` behind its - or /. */
static bool is_option(prfdata_text argument, const char *name)
{
    uint16_t units[8];
    prfdata_text text = {units, strlen(name)};

    for (size_t i = 0; i < text.count; i++)
        units[i] = (unsigned char)name[i];
    return argument.count > 0 &&
           prfdata_text_equal(prfdata_text_part(argument, 1, argument.count), text);
}

/* The next argument as the value of the option before it. */
static bool take_value(parser *p, prfdata_text option, prfdata_text *value)
{
    if (p->position == p->count)
        return fail(p, option, "a value is missing behind it");
    *value = prfdata_text_from_units(p->arguments[p->position++]);
    if (value->count == 0)
        return fail(p, option, "a value is missing behind it");
    return true;
}

static bool take_task(parser *p, prfdata_text option, prfdata_options_task task)
{
    if (p->has_task && p->options.task != task)
        return fail(p, option, "only one of -q, -qx, -dump and -? at a time");
    p->has_task = true;
    p->options.task = task;
    return true;
}

/* Up to three digits behind the point, as milliseconds. */
static bool parse_milliseconds(prfdata_text digits, uint32_t *milliseconds)
{
    uint32_t value = 0;

    if (digits.count > 3 || !prfdata_text_number(digits, &value))
        return false;
    for (size_t i = digits.count; i < 3; i++)
        value *= 10;
    *milliseconds = value;
    return true;
}

/* [[hh:]mm:]ss[.mmm] */
static bool parse_interval(prfdata_text text, uint32_t *interval_ms)
{
    uint64_t seconds = 0;
    uint32_t milliseconds = 0;
    uint32_t part = 0;
    size_t begin = 0;
    size_t end = text.count;
    unsigned parts = 1;

    for (size_t i = 0; i < text.count; i++) {
        if (text.units[i] == '.') {
            if (!parse_milliseconds(prfdata_text_part(text, i + 1, text.count), &milliseconds))
                return false;
            end = i;
            break;
        }
    }
    for (size_t i = 0; i < end; i++) {
        if (text.units[i] != ':')
            continue;
        if (++parts > 3 || !prfdata_text_number(prfdata_text_part(text, begin, i), &part))
            return false;
        seconds = (seconds + part) * 60;
        begin = i + 1;
    }
    if (!prfdata_text_number(prfdata_text_part(text, begin, end), &part))
        return false;
    seconds += part;
    if (seconds > MAX_INTERVAL_MS / 1000)
        return false;
    *interval_ms = (uint32_t)seconds * 1000 + milliseconds;
    return *interval_ms > 0 && *interval_ms <= MAX_INTERVAL_MS;
}

static bool parse_option(parser *p, prfdata_text option)
{
    prfdata_text value;

    if (is_option(option, "?") || is_option(option, "h") || is_option(option, "help") ||
        is_option(option, "-help"))
        return take_task(p, option, PRFDATA_TASK_HELP);
    if (is_option(option, "q"))
        return take_task(p, option, PRFDATA_TASK_LIST);
    if (is_option(option, "qx"))
        return take_task(p, option, PRFDATA_TASK_LIST_INSTANCES);
    if (is_option(option, "dump"))
        return take_task(p, option, PRFDATA_TASK_DUMP);
    if (is_option(option, "y")) {
        p->options.overwrite = true;
        return true;
    }
    if (is_option(option, "o"))
        return take_value(p, option, &p->options.file);
    if (is_option(option, "si")) {
        if (!take_value(p, option, &value))
            return false;
        return parse_interval(value, &p->options.interval_ms) ||
               fail(p, value, "-si takes [[hh:]mm:]ss above 0, such as 5 or 1:30 or 0.5");
    }
    if (is_option(option, "sc")) {
        if (!take_value(p, option, &value))
            return false;
        return (prfdata_text_number(value, &p->options.sample_count) &&
                p->options.sample_count > 0) ||
               fail(p, value, "-sc takes the number of samples, at least 1");
    }
    return fail(p, option, "no such option");
}

bool prfdata_options_parse(size_t count, const uint16_t *const *arguments, prfdata_text *names,
                           prfdata_options *options, prfdata_options_error *error)
{
    static const prfdata_text nothing = {NULL, 0};
    parser p = {count, arguments, 0, {PRFDATA_TASK_WATCH, 1000, 0, {0}, false, names, 0},
                false, error};

    while (p.position < count) {
        prfdata_text argument = prfdata_text_from_units(arguments[p.position++]);

        if (argument.count > 0 && (argument.units[0] == '-' || argument.units[0] == '/')) {
            if (!parse_option(&p, argument))
                return false;
        } else {
            names[p.options.name_count++] = argument;
        }
    }
    if (p.options.task == PRFDATA_TASK_WATCH && p.options.name_count == 0)
        return fail(&p, nothing, "a counter path is missing");
    *options = p.options;
    return true;
}
