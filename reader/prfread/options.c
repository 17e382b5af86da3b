/* SPDX-License-Identifier: MIT */
/*
 * Reads the options with the help of tables, and with one function for each kind of value. After
 * reading everything it checks which options may be combined.
 */
#include "prfread/options.h"

#include <string.h>

#include "names/ascii.h"
#include "os/net_address.h"
#include "prfread/format.h"
#include "source/session.h"
#include "source/workers.h"

#define MAX_INTERVAL_MS 0x7FFFFFFFu /* 24 days */

typedef struct options_parser {
    prfdata_arguments arguments;
    prfdata_options options;
    bool has_task; /* a task was named among these arguments */
    bool has_source;
} options_parser;

static bool fail_options(options_parser *p, prfdata_text argument, const char *reason)
{
    return prfdata_arguments_fail(&p->arguments, argument, reason);
}

static bool take_option_value(options_parser *p, prfdata_text option, prfdata_text *value)
{
    if (!prfdata_arguments_take_value(&p->arguments, option, value))
        return false;
    return value->count > 0 || fail_options(p, option, "a value is missing after it");
}

static bool take_task(options_parser *p, prfdata_text option, size_t task)
{
    if (p->has_task && p->options.task != (prfdata_options_task)task)
        return fail_options(
            p, option,
            "only one of -q, -qx, -dump, -top, -serve, -save, -explain and -? at a time");
    p->has_task = true;
    p->options.task = (prfdata_options_task)task;
    return true;
}

static bool take_source(options_parser *p, prfdata_text option, size_t source)
{
    if (p->has_source)
        return fail_options(p, option, "only one of -dll, -regions and -file, once");
    p->has_source = true;
    p->options.source = (prfdata_options_source)source;
    p->options.second_file.count = 0;
    return take_option_value(p, option, &p->options.source_name);
}

/* Read up to three digits after the point, as milliseconds. */
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

/* Read [[hh:]mm:]ss[.mmm]. */
static bool parse_interval(prfdata_text text, uint32_t *interval_ms)
{
    uint64_t seconds = 0;
    uint32_t milliseconds = 0;
    uint32_t part = 0;
    size_t begin = 0;
    size_t end = text.count;
    unsigned parts = 1;

    for (size_t i = 0; i < text.count; i++) {
        if (text.chars[i] == '.') {
            if (!parse_milliseconds(prfdata_text_part(text, i + 1, text.count), &milliseconds))
                return false;
            end = i;
            break;
        }
    }
    for (size_t i = 0; i < end; i++) {
        if (text.chars[i] != ':')
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

/* Returns whether the argument is a path such as /home/me/b.blk. No option has a second slash. */
static bool is_absolute_path(prfdata_text argument)
{
    for (size_t i = 1; i < argument.count; i++) {
        if (argument.chars[0] == '/' && argument.chars[i] == '/')
            return true;
    }
    return false;
}

/* Take -file A [B]. */
static bool take_files(options_parser *p, prfdata_text option, size_t source)
{
    prfdata_text next;

    if (!take_source(p, option, source))
        return false;
    if (p->arguments.position == p->arguments.count)
        return true;
    next = prfdata_text_from_chars(p->arguments.items[p->arguments.position]);
    if (next.count == 0 || next.chars[0] == '\\' ||
        (prfdata_arguments_is_marked(next) && !is_absolute_path(next)))
        return true; /* an option or a counter path follows, so there is no B */
    p->options.second_file = next;
    p->arguments.position++;
    return true;
}

static bool take_format(options_parser *p, prfdata_text option, size_t unused)
{
    prfdata_text value;

    (void)unused;
    if (!take_option_value(p, option, &value))
        return false;
    p->options.format = prfdata_format_find(value);
    return p->options.format || fail_options(p, value, "-f takes one of" PRFDATA_FORMAT_NAMES);
}

static bool take_service(options_parser *p, prfdata_text option, size_t unused)
{
    static const struct {
        const char *name;
        prfdata_options_service service;
    } values[] = {{"install", PRFDATA_SERVICE_INSTALL},
                  {"remove", PRFDATA_SERVICE_REMOVE},
                  {"run", PRFDATA_SERVICE_RUN}};
    prfdata_text value;

    (void)unused;
    if (!take_option_value(p, option, &value))
        return false;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        if (prfdata_text_equal_ascii(value, values[i].name)) {
            p->options.service = values[i].service;
            return true;
        }
    }
    return fail_options(p, value, "-service takes install or remove");
}

/* Names of prfdata_options_given, in its order. */
static const char *const noted[PRFDATA_ARGUMENT_COUNT] = {
    "si",   "sc",    "limit",   "f",      "o",    "cf",      "stats", "nocap", "zero",
    "utf8", "parts", "metrics", "reader", "open", "collect", "close", "host",
};

static void note_argument(options_parser *p, prfdata_text option)
{
    for (unsigned i = 0; i < PRFDATA_ARGUMENT_COUNT; i++) {
        if (prfdata_arguments_is_option(option, noted[i]))
            p->options.given[i] = option;
    }
}

/* `offset` is the offset of interval_ms or limit_ms in prfdata_options. */
static bool take_interval(options_parser *p, prfdata_text option, size_t offset)
{
#define INTERVAL_FORM " takes [[hh:]mm:]ss above 0, such as 5 or 1:30 or 0.5"
    const bool is_limit = offset == offsetof(prfdata_options, limit_ms);
    prfdata_text value;

    if (!take_option_value(p, option, &value))
        return false;
    return parse_interval(value, (uint32_t *)(void *)((char *)&p->options + offset)) ||
           fail_options(p, value, is_limit ? "-limit" INTERVAL_FORM : "-si" INTERVAL_FORM);
#undef INTERVAL_FORM
}

static bool take_sample_count(options_parser *p, prfdata_text option, size_t unused)
{
    prfdata_text value;

    (void)unused;
    if (!take_option_value(p, option, &value))
        return false;
    return (prfdata_text_number(value, &p->options.sample_count) && p->options.sample_count > 0) ||
           fail_options(p, value, "-sc takes the number of samples, at least 1");
}

static bool take_text(options_parser *p, prfdata_text option, size_t offset)
{
    return take_option_value(p, option, (prfdata_text *)(void *)((char *)&p->options + offset));
}

static bool take_flag(options_parser *p, prfdata_text option, size_t offset)
{
    (void)option;
    *(bool *)((char *)&p->options + offset) = true;
    return true;
}

/* Take -c path, relog's way to mark a counter path. */
static bool take_path(options_parser *p, prfdata_text option, size_t unused)
{
    prfdata_text path;

    (void)unused;
    if (!take_option_value(p, option, &path))
        return false;
    p->options.names[p->options.name_count++] = path;
    return true;
}

/*
 * All options. The meaning of `value` depends on the function: a task, a source, or an offset in
 * prfdata_options. -save and -serve select a task and have a text, so they have two rows.
 */
static const struct {
    const char *name;
    bool (*take)(options_parser *p, prfdata_text option, size_t value);
    size_t value;
} known_options[] = {
#define AT(member) offsetof(prfdata_options, member)
    {"?", take_task, PRFDATA_TASK_HELP},
    {"h", take_task, PRFDATA_TASK_HELP},
    {"help", take_task, PRFDATA_TASK_HELP},
    {"-help", take_task, PRFDATA_TASK_HELP},
    {"q", take_task, PRFDATA_TASK_LIST},
    {"qx", take_task, PRFDATA_TASK_LIST_INSTANCES},
    {"dump", take_task, PRFDATA_TASK_DUMP},
    {"top", take_task, PRFDATA_TASK_TOP},
    {"serve", take_task, PRFDATA_TASK_SERVE},
    {"serve", take_text, AT(serve_address)},
    {"save", take_task, PRFDATA_TASK_SAVE},
    {"save", take_text, AT(save_file)},
    {"explain", take_task, PRFDATA_TASK_EXPLAIN},
    {"version", take_task, PRFDATA_TASK_VERSION},
    {"dll", take_source, PRFDATA_SOURCE_DLL},
    {"regions", take_source, PRFDATA_SOURCE_REGIONS},
    {"file", take_files, PRFDATA_SOURCE_FILES},
    {"o", take_text, AT(file)},
    {"cf", take_text, AT(counter_file)},
    {"metrics", take_text, AT(metrics_file)},
    {"reader", take_text, AT(reader)},
    {"config", take_text, AT(config_file)},
    {"open", take_text, AT(open_export)},
    {"collect", take_text, AT(collect_export)},
    {"close", take_text, AT(close_export)},
    {"s", take_text, AT(computer)},
    {"host", take_text, AT(host_names)},
    {"y", take_flag, AT(overwrite)},
    {"stats", take_flag, AT(statistics)},
    {"nocap", take_flag, AT(uncapped)},
    {"utf8", take_flag, AT(is_utf8)},
    {"zero", take_flag, AT(idle_zeros)},
    {"parts", take_flag, AT(with_parts)},
    {"si", take_interval, AT(interval_ms)},
    {"limit", take_interval, AT(limit_ms)},
    {"sc", take_sample_count, 0},
    {"service", take_service, 0},
    {"f", take_format, 0},
    {"c", take_path, 0},
#undef AT
};

enum { KNOWN_OPTIONS = sizeof known_options / sizeof known_options[0] };

const char *prfdata_options_name_at(size_t index)
{
    return index < KNOWN_OPTIONS ? known_options[index].name : NULL;
}

static bool parse_prfread_option(options_parser *p, prfdata_text option)
{
    bool is_known = false;

    note_argument(p, option);
    for (size_t i = 0; i < KNOWN_OPTIONS; i++) {
        if (!prfdata_arguments_is_option(option, known_options[i].name))
            continue;
        is_known = true;
        if (!known_options[i].take(p, option, known_options[i].value))
            return false;
    }
    return is_known || fail_options(p, option, "no such option");
}

void prfdata_options_init(prfdata_options *options, prfdata_text *names)
{
    memset(options, 0, sizeof *options);
    options->interval_ms = 1000;
    options->limit_ms = PRFDATA_WORKERS_LIMIT_MS;
    options->format = prfdata_format_at(0);
    options->names = names;
}

bool prfdata_options_read(prfdata_options *options, size_t count, const uint16_t *const *arguments,
                          prfdata_arguments_error *error)
{
    prfdata_text argument;
    bool is_right = true;
    options_parser p;

    memset(&p, 0, sizeof p);
    p.arguments.items = arguments;
    p.arguments.count = count;
    p.arguments.error = error;
    p.options = *options;
    while (is_right && prfdata_arguments_next(&p.arguments, &argument)) {
        if (prfdata_arguments_is_marked(argument))
            is_right = parse_prfread_option(&p, argument);
        else
            p.options.names[p.options.name_count++] = argument;
    }
    *options = p.options;
    return is_right;
}

/* ---- Options that exclude each other ---- */

#define OPTION(name) (1u << PRFDATA_ARGUMENT_##name)
#define TASK(name)   (1u << PRFDATA_TASK_##name)

static const struct {
    uint32_t tasks;
    uint32_t options;
    const char *reason;
} excluded[] = {
    {TASK(LIST) | TASK(LIST_INSTANCES) | TASK(DUMP),
     OPTION(SI) | OPTION(SC) | OPTION(F) | OPTION(CF) | OPTION(STATS) | OPTION(NOCAP) |
         OPTION(ZERO) | OPTION(UTF8),
     "cannot be used with -q, -qx or -dump"},
    {TASK(SAVE),
     OPTION(F) | OPTION(O) | OPTION(CF) | OPTION(STATS) | OPTION(NOCAP) | OPTION(ZERO) |
         OPTION(UTF8),
     "cannot be used with -save"},
    {TASK(TOP), OPTION(F) | OPTION(O) | OPTION(CF) | OPTION(STATS) | OPTION(ZERO) | OPTION(UTF8),
     "cannot be used with -top"},
    {TASK(SERVE),
     OPTION(SI) | OPTION(SC) | OPTION(O) | OPTION(STATS) | OPTION(NOCAP) | OPTION(ZERO) |
         OPTION(UTF8),
     "cannot be used with -serve"},
    {TASK(EXPLAIN),
     OPTION(SI) | OPTION(SC) | OPTION(F) | OPTION(STATS) | OPTION(NOCAP) | OPTION(ZERO) |
         OPTION(UTF8),
     "cannot be used with -explain"},
};

/* Returns whether none of these options was given. If one was, `error` names the first of them. */
static bool lacks_arguments(const prfdata_options *options, uint32_t set, const char *reason,
                            prfdata_arguments_error *error)
{
    for (unsigned i = 0; i < PRFDATA_ARGUMENT_COUNT; i++) {
        if ((set & 1u << i) && options->given[i].count > 0) {
            error->argument = options->given[i];
            error->reason = reason;
            return false;
        }
    }
    return true;
}

static bool suits_service(const prfdata_options *options, prfdata_arguments_error *error)
{
    const bool is_alone = options->task == PRFDATA_TASK_WATCH && options->name_count == 0;

    error->argument = (prfdata_text){NULL, 0};
    error->reason = options->service == PRFDATA_SERVICE_REMOVE
                        ? "-service remove takes no other arguments"
                        : "-service install needs -serve, as in -service install -serve *:9182";
    return options->service == PRFDATA_SERVICE_NONE ||
           (options->service == PRFDATA_SERVICE_REMOVE ? is_alone
                                                       : options->task == PRFDATA_TASK_SERVE);
}

static bool is_host_name_char(unsigned char c)
{
    return prfdata_ascii_is_letter(c) || prfdata_ascii_is_digit(c) || c == '-' || c == '.' ||
           c == '_';
}

/* Returns whether the text is a list of computer names, such as "a.example,b", without a port. */
static bool are_host_names(prfdata_text names)
{
    bool is_empty = true;

    for (size_t i = 0; i < names.count; i++) {
        const uint16_t c = names.chars[i];

        if (c == ',' ? is_empty : c >= 0x80 || !is_host_name_char((unsigned char)c))
            return false;
        is_empty = c == ',';
    }
    return !is_empty;
}

/*
 * Returns whether the task computes values, such as rates, from two samples. A task for Prometheus
 * does not, because Prometheus computes them itself.
 */
static bool computes_values(const prfdata_options *options, bool is_exposition)
{
    return options->task == PRFDATA_TASK_TOP ||
           (options->task == PRFDATA_TASK_WATCH && !is_exposition);
}

bool prfdata_options_check(const prfdata_options *options, prfdata_arguments_error *error)
{
    const bool is_exposition = options->format->put_exposition != NULL;
    prfdata_net_address address;

    if (options->task == PRFDATA_TASK_HELP || options->task == PRFDATA_TASK_VERSION)
        return true;
    if (!suits_service(options, error))
        return false;
    for (size_t i = 0; i < sizeof excluded / sizeof excluded[0]; i++) {
        if ((excluded[i].tasks & 1u << options->task) &&
            !lacks_arguments(options, excluded[i].options, excluded[i].reason, error))
            return false;
    }
    if (options->task == PRFDATA_TASK_SERVE &&
        !prfdata_net_address_parse(options->serve_address, &address)) {
        error->argument = options->serve_address;
        error->reason = "-serve takes a port, or address:port as in 127.0.0.1:9182, [::1]:9182 or "
                        "*:9182";
        return false;
    }
    if (options->task == PRFDATA_TASK_SERVE && !is_exposition &&
        !lacks_arguments(options, OPTION(F), "with -serve only OM and PROM, which clients ask for",
                         error))
        return false;
    if (options->task != PRFDATA_TASK_SERVE &&
        !lacks_arguments(options, OPTION(HOST), "needs -serve", error))
        return false;
    if (options->host_names.count > 0 && !are_host_names(options->host_names)) {
        error->argument = options->host_names;
        error->reason = "-host takes names without ports, as in metrics.example,queues.local";
        return false;
    }
    if (options->source != PRFDATA_SOURCE_SYSTEM &&
        !lacks_arguments(options, OPTION(LIMIT), "cannot be used with -dll, -regions or -file",
                         error))
        return false;
    if (options->source == PRFDATA_SOURCE_SYSTEM &&
        !prfdata_session_is_local(prfdata_options_computer(options)) &&
        !lacks_arguments(options, OPTION(LIMIT),
                         "cannot be used for another computer, which runs its providers itself",
                         error))
        return false;
    if (options->source == PRFDATA_SOURCE_FILES &&
        !lacks_arguments(options, OPTION(SI) | OPTION(SC),
                         "cannot be used with -file, because the file has the samples", error))
        return false;
    if (options->second_file.count > 0 && !computes_values(options, is_exposition)) {
        error->argument = options->second_file;
        error->reason = "only values are computed from two files";
        return false;
    }
    if (options->source != PRFDATA_SOURCE_DLL &&
        !lacks_arguments(options, OPTION(OPEN) | OPTION(COLLECT) | OPTION(CLOSE), "needs -dll",
                         error))
        return false;
    if (is_exposition &&
        !lacks_arguments(options, OPTION(STATS) | OPTION(NOCAP) | OPTION(ZERO) | OPTION(UTF8),
                         "cannot be used with a format for Prometheus", error))
        return false;
    if (!is_exposition && options->task != PRFDATA_TASK_SERVE &&
        options->task != PRFDATA_TASK_EXPLAIN &&
        !lacks_arguments(options, OPTION(PARTS) | OPTION(METRICS) | OPTION(READER),
                         "needs -serve, -explain or a format for Prometheus, such as -f OM", error))
        return false;
    if (options->task == PRFDATA_TASK_WATCH && options->service == PRFDATA_SERVICE_NONE &&
        options->name_count == 0 && options->counter_file.count == 0) {
        error->argument = (prfdata_text){NULL, 0};
        error->reason = "a counter path is missing";
        return false;
    }
    return true;
}

uint32_t prfdata_options_sample_count(const prfdata_options *options)
{
    if (options->sample_count == 0 && options->given[PRFDATA_ARGUMENT_SI].count == 0)
        return 1;
    return options->sample_count;
}

/* ---- The computer ---- */

/* Return "PC" of "\\\\PC\\Object\\Counter"; empty: the path names no computer. */
static prfdata_text computer_of_path(prfdata_text path)
{
    size_t end = 2;

    if (path.count < 3 || path.chars[0] != '\\' || path.chars[1] != '\\')
        return prfdata_text_part(path, 0, 0);
    while (end < path.count && path.chars[end] != '\\')
        end++;
    return prfdata_text_part(path, 2, end);
}

prfdata_text prfdata_options_computer(const prfdata_options *options)
{
    const prfdata_text none = {NULL, 0};
    prfdata_text computer = none;

    if (options->computer.count > 0)
        return options->computer;
    if (options->counter_file.count > 0) /* the paths in that file were not read yet */
        return none;
    for (size_t i = 0; i < options->name_count; i++) {
        const prfdata_text named = computer_of_path(options->names[i]);

        if (named.count == 0 || (i > 0 && !prfdata_text_equal(named, computer)))
            return none;
        computer = named;
    }
    return computer;
}
