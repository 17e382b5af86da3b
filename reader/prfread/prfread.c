/* SPDX-License-Identifier: MIT */
/*
 * prfread: performance counters on the command line, in typeperf's manner. Standard output carries
 * data and nothing else; everything that is said about it goes to standard error.
 */
#include <string.h>

#include "prfread/command_line.h"
#include "prfread/exposition.h"
#include "prfread/help.h"
#include "prfread/inspect.h"
#include "prfread/save.h"
#include "source/say.h"
#include "top/top.h"
#include "prfread/watch.h"

/* What the program returns, the gravest first. */
enum {
    EXIT_OK = 0,
    EXIT_USAGE = 1,   /* the command line is wrong */
    EXIT_NOTHING = 2, /* no path or object was found */
    EXIT_SOME = 3,    /* some were not found */
    EXIT_SYSTEM = 4,  /* the system refused something: data, memory, a file */
    EXIT_DAMAGED = 5  /* a provider's data is damaged; what could be read was shown */
};

/* The topic is the argument behind -?, if there is one. */
static int print_help(const prfdata_options *options)
{
    prfdata_text topic = {NULL, 0};
    const char *text;

    if (options->name_count > 0)
        topic = options->names[0];
    text = prfdata_help_text(topic);
    if (!text) {
        prfdata_say_error(topic, "no help topic; prfread -? lists them");
        return EXIT_USAGE;
    }
    return prfdata_console_write(prfdata_console_out(), text, strlen(text)) == ERROR_SUCCESS
               ? EXIT_OK
               : EXIT_SYSTEM;
}

/* A failure was told. */
static uint32_t open_live_source(prfdata_session *s)
{
#ifdef _WIN32
    uint32_t status;

    if (s->options.source == PRFDATA_SOURCE_DLL)
        return prfdata_source_open_dll(&s->options, &s->source);
    if (s->options.source == PRFDATA_SOURCE_REGIONS)
        return prfdata_source_open_regions(s->options.source_name, &s->source);
    status = prfdata_source_open_system(&s->source);
    if (status != ERROR_SUCCESS)
        prfdata_say_system_error(prfdata_say_nothing, "cannot read performance data", status);
    return status;
#else
    (void)s;
    prfdata_say_error(prfdata_say_nothing,
                      "only Windows has performance data; here -file reads saved blocks");
    prfdata_say("Try", prfdata_say_nothing, "prfread -? sources");
    return ERROR_NOT_SUPPORTED;
#endif
}

/* Open what the options name; a failure was told. Returns the exit code. */
static int open_source(prfdata_session *s)
{
    const prfdata_options *options = &s->options;
    uint32_t status;

    if (options->source == PRFDATA_SOURCE_FILES)
        status = prfdata_source_open_files(options->source_name, options->second_file, &s->source);
    else
        status = open_live_source(s);
    switch (status) {
    case ERROR_SUCCESS:
        return EXIT_OK;
    case ERROR_INVALID_PARAMETER:
        return EXIT_USAGE;
    case ERROR_INVALID_DATA:
        return EXIT_DAMAGED;
    default:
        return EXIT_SYSTEM;
    }
}

static void init_session(prfdata_session *s)
{
    uint32_t status;

    s->out = prfdata_console_out();
    s->computer.chars = s->computer_chars;
    s->computer.count = prfdata_source_computer(s->source, s->computer_chars, 256);
    status = prfdata_source_load_titles(s->source, &s->titles);
    if (status != ERROR_SUCCESS)
        prfdata_say_system_error(prfdata_say_nothing, "cannot read the names of counters", status);
}

static bool is_exposition(const prfdata_options *options)
{
    return options->format == PRFDATA_FORMAT_OM || options->format == PRFDATA_FORMAT_PROM;
}

static int run(prfdata_session *s)
{
    int exit_code = open_source(s);

    if (exit_code != EXIT_OK)
        return exit_code;
    init_session(s);
    switch (s->options.task) {
    case PRFDATA_TASK_LIST:
    case PRFDATA_TASK_LIST_INSTANCES:
        prfdata_inspect_list(s);
        break;
    case PRFDATA_TASK_DUMP:
        prfdata_inspect_dump(s);
        break;
    case PRFDATA_TASK_TOP:
        prfdata_top_run(s);
        break;
    case PRFDATA_TASK_SAVE:
        prfdata_save_run(s);
        break;
    case PRFDATA_TASK_SERVE:
        prfdata_exposition_serve(s);
        break;
    case PRFDATA_TASK_EXPLAIN:
        prfdata_exposition_explain(s);
        break;
    default:
        if (is_exposition(&s->options))
            prfdata_exposition_print(s);
        else
            prfdata_watch_run(s);
        break;
    }
    s->damaged = s->damaged || s->source->is_damaged;
    prfdata_source_close(s->source);
    prfdata_titles_free(&s->titles);

    if (s->system_failed)
        return EXIT_SYSTEM;
    if (s->wanted > 0 && s->not_found == s->wanted) {
        if (s->options.task != PRFDATA_TASK_DUMP)
            prfdata_say_error(prfdata_say_nothing, "No valid counters.");
        return EXIT_NOTHING;
    }
    if (s->not_found > 0)
        return EXIT_SOME;
    return s->damaged ? EXIT_DAMAGED : EXIT_OK;
}

static int run_arguments(size_t count, const uint16_t *const *arguments)
{
    prfdata_session s;
    prfdata_command_line line;
    int exit_code;
    uint32_t status;

    memset(&s, 0, sizeof s);
    prfdata_console_catch_stop();
    status = prfdata_command_line_read(&line, count, arguments);
    s.options = line.options;
    if (status != ERROR_SUCCESS)
        exit_code = status == ERROR_INVALID_PARAMETER ? EXIT_USAGE : EXIT_SYSTEM;
    else if (s.options.task == PRFDATA_TASK_HELP)
        exit_code = print_help(&s.options);
    else
        exit_code = run(&s);
    prfdata_command_line_free(&line);
    return exit_code;
}

#ifdef _WIN32
int wmain(int argc, wchar_t **argv);

int wmain(int argc, wchar_t **argv)
#else
int main(int argc, char **argv)
#endif
{
    return prfdata_console_run(argc, argv, run_arguments);
}
