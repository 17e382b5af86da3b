/* SPDX-License-Identifier: MIT */
/*
 * Parses the command line of prfcheck, and refuses options that exclude each other. prfcheck.c
 * finds out whether the service or the file exists.
 */
#include "prfcheck/check_options.h"

#include <string.h>

#include "prfcheck/mistakes.h"

/*
 * The default of -each, the longest time for one provider. It is EACH_SECONDS if all providers are
 * checked. If only one provider is checked, it is ALONE_SECONDS plus the value of -seconds.
 */
#define EACH_SECONDS  300u
#define ALONE_SECONDS 3600u

#define MOST_SECONDS 86400u

/*
 * The default of -silence, the longest time without progress. The scenarios' threads make progress
 * many times a second, unless the provider stops them.
 */
#define SILENCE_SECONDS 60u

/*
 * The default of -wait, the time to wait for the first objects. A provider may take its first
 * sample a second or two after Open.
 */
#define WAIT_SECONDS 3u

typedef struct parser {
    prfdata_arguments arguments;
    prfdata_check_options options;
} parser;

static bool take_check_number(parser *p, prfdata_text option, uint32_t *number)
{
    prfdata_text value;

    if (!prfdata_arguments_take_value(&p->arguments, option, &value))
        return false;
    return prfdata_text_number(value, number) ||
           prfdata_arguments_fail(&p->arguments, value, "a number is expected");
}

/*
 * Takes a number of seconds. Refuses 0, because 0 means that the option was not given. Also refuses
 * more than a day, which no check needs.
 */
static bool take_seconds(parser *p, prfdata_text option, uint32_t *seconds)
{
    if (!take_check_number(p, option, seconds))
        return false;
    return (*seconds > 0 && *seconds <= MOST_SECONDS) ||
           prfdata_arguments_fail(&p->arguments, option, "1 to 86400 seconds are expected");
}

/* Takes the title index of a name, which is even. Help texts have the odd indexes. */
static bool take_title(parser *p, prfdata_text option, uint32_t *title)
{
    if (!take_check_number(p, option, title))
        return false;
    return (*title > 0 && *title % 2 == 0) ||
           prfdata_arguments_fail(&p->arguments, option,
                                  "an even number is expected: the title index of a name");
}

/* Takes a mistake to accept, or @ and the name of a file that lists mistakes. prfcheck.c reads the
 * file. */
static bool take_accepted(parser *p, prfdata_text option)
{
    prfdata_check_options *o = &p->options;
    prfdata_text value;

    if (!prfdata_arguments_take_value(&p->arguments, option, &value))
        return false;
    if (o->accept_count == PRFDATA_CHECK_MOST_ACCEPTED)
        return prfdata_arguments_fail(&p->arguments, value, "at most 256 mistakes are accepted");
    if ((value.count == 0 || value.chars[0] != '@') && !prfdata_mistakes_is_valid(value))
        return prfdata_arguments_fail(
            &p->arguments, value,
            "a rule is expected, or RULE:TITLE, RULE:+N, or @FILE with such lines");
    o->accept[o->accept_count++] = value;
    return true;
}

static bool parse_check_option(parser *p, prfdata_text option)
{
    prfdata_check_options *o = &p->options;
    const struct {
        const char *name;
        bool *flag;
        prfdata_text *text;
        uint32_t *number;
        /* Checks and stores the number; NULL: every number is valid. */
        bool (*take)(parser *p, prfdata_text option, uint32_t *number);
    } known[] = {
        {"?", &o->help, NULL, NULL, NULL},
        {"h", &o->help, NULL, NULL, NULL},
        {"help", &o->help, NULL, NULL, NULL},
        {"-help", &o->help, NULL, NULL, NULL},
        {"version", &o->version, NULL, NULL, NULL},
        {"v", &o->verbose, NULL, NULL, NULL},
        {"quick", &o->quick, NULL, NULL, NULL},
        {"all", &o->all, NULL, NULL, NULL},
        {"each", NULL, NULL, &o->each, take_seconds},
        {"f", NULL, &o->format, NULL, NULL},
        {"fail", NULL, &o->fail, NULL, NULL},
        {"save", NULL, &o->save, NULL, NULL},
        {"for", NULL, &o->service, NULL, NULL}, /* prfcheck gives it only to its own processes */
        {"dll", NULL, &o->dll, NULL, NULL},
        {"open", NULL, &o->open, NULL, NULL},
        {"collect", NULL, &o->collect, NULL, NULL},
        {"close", NULL, &o->close, NULL, NULL},
        {"context", &o->has_context, &o->context, NULL, NULL},
        {"only", NULL, &o->only, NULL, NULL},
        {"first", NULL, NULL, &o->first, take_title},
        {"last", NULL, NULL, &o->last, take_title},
        {"seconds", NULL, NULL, &o->seconds, take_seconds},
        {"limit", NULL, NULL, &o->limit, take_seconds},
        {"silence", NULL, NULL, &o->silence, take_seconds},
        {"wait", NULL, NULL, &o->wait, NULL},
        {"worker", &o->is_worker, NULL, &o->pipe, NULL},
        {"from", NULL, NULL, &o->from, NULL},
        {"expect", NULL, NULL, &o->expect, NULL},
        {"again", NULL, &o->again, NULL, NULL},
        {"beside", &o->is_beside, NULL, &o->beside, NULL},
    };

    if (prfdata_arguments_is_option(option, "accept"))
        return take_accepted(p, option);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (!prfdata_arguments_is_option(option, known[i].name))
            continue;
        if (known[i].flag)
            *known[i].flag = true;
        if (known[i].text)
            return prfdata_arguments_take_value(&p->arguments, option, known[i].text);
        if (known[i].take)
            return known[i].take(p, option, known[i].number);
        return !known[i].number || take_check_number(p, option, known[i].number);
    }
    return prfdata_arguments_fail(&p->arguments, option, "no such option");
}

/* Returns whether an option that applies to only one provider was given. */
static bool is_about_one(const prfdata_check_options *o)
{
    return o->service.count > 0 || o->dll.count > 0 || o->open.count > 0 || o->collect.count > 0 ||
           o->close.count > 0 || o->has_context || o->first != 0 || o->last != 0;
}

static bool check_parsed_options(parser *p)
{
    static const prfdata_text nothing = {NULL, 0};
    prfdata_check_options *o = &p->options;

    if (o->help || o->version)
        return true;
    o->is_json = prfdata_text_equal_ascii(o->format, "JSON");
    o->is_junit = prfdata_text_equal_ascii(o->format, "JUnit");
    if (o->format.count > 0 && !o->is_json && !o->is_junit)
        return prfdata_arguments_fail(&p->arguments, o->format, "the format is JSON or JUnit");
    o->fails_error = prfdata_text_equal_ascii(o->fail, "error");
    if (o->fail.count > 0 && !o->fails_error && !prfdata_text_equal_ascii(o->fail, "warning"))
        return prfdata_arguments_fail(&p->arguments, o->fail, "error or warning is expected");
    if (o->all && !o->is_worker && is_about_one(o))
        return prfdata_arguments_fail(
            &p->arguments, o->service.count > 0 ? o->service : o->dll,
            "-all is all services as they are registered: no service, -dll, "
            "-open, -collect, -close, -context, -first or -last");
    o->quick = o->quick || o->all;
    if (o->silence == 0)
        o->silence = SILENCE_SECONDS;
    if (o->each == 0)
        o->each = o->all ? EACH_SECONDS : ALONE_SECONDS + o->seconds;
    if (o->service.count == 0 && o->dll.count == 0 && !o->all)
        return prfdata_arguments_fail(&p->arguments, nothing,
                                      "a service is missing, or -dll with a path, or -all");
    if (o->service.count > 0 && o->dll.count > 0)
        return prfdata_arguments_fail(&p->arguments, o->service, "a service or -dll, not both");
    if (o->service.count > 0 && (o->open.count > 0 || o->collect.count > 0 || o->close.count > 0))
        return prfdata_arguments_fail(
            &p->arguments, o->service,
            "the registry names its functions: no -open, -collect, -close");
    if ((o->first != 0) != (o->last != 0))
        return prfdata_arguments_fail(&p->arguments, nothing,
                                      "-first and -last are given together, or neither");
    if (o->last < o->first)
        return prfdata_arguments_fail(&p->arguments, nothing, "-last is below -first");
    if (o->verbose && (o->is_json || o->is_junit))
        return prfdata_arguments_fail(&p->arguments, nothing,
                                      "-v prints text, so it cannot go with -f");
    return true;
}

bool prfdata_check_options_parse(size_t count, const uint16_t *const *arguments,
                                 prfdata_check_options *options, prfdata_arguments_error *error)
{
    prfdata_text argument;
    parser p;

    memset(&p, 0, sizeof p);
    p.options.wait = WAIT_SECONDS;
    p.arguments.items = arguments;
    p.arguments.count = count;
    p.arguments.error = error;
    while (prfdata_arguments_next(&p.arguments, &argument)) {
        if (prfdata_arguments_is_marked(argument)) {
            if (!parse_check_option(&p, argument))
                return false;
        } else if (p.options.service.count > 0) {
            return prfdata_arguments_fail(&p.arguments, argument, "one service at a time");
        } else {
            p.options.service = argument;
        }
    }
    if (!check_parsed_options(&p))
        return false;
    *options = p.options;
    return true;
}
