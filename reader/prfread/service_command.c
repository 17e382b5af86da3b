/* SPDX-License-Identifier: MIT */
/*
 * Makes and recognises the command line that the service manager stores. Options borrow their
 * values from the arguments. An argument is a file if an option for files has a value at the same
 * address.
 */
#include "prfread/service_command.h"

#include <string.h>

#include "source/source.h"

static const char run_arguments[] = " -service run";

typedef struct command {
    prfdata_output *line;
    const prfdata_options *options;
    prfdata_service_command_complete *complete;
    prfdata_messages *messages;
} command;

void prfdata_service_command_files(const prfdata_options *options,
                                   prfdata_text files[PRFDATA_SERVICE_FILES])
{
    const bool is_file = options->source == PRFDATA_SOURCE_FILES;
    const bool is_dll = options->source == PRFDATA_SOURCE_DLL;

    files[0] = is_file || is_dll ? options->source_name : prfdata_no_subject;
    files[1] = options->counter_file;
    files[2] = options->metrics_file;
    files[3] = options->config_file;
}

static void put_command_argument(const command *c, prfdata_text argument)
{
    const bool is_dll = c->options->source == PRFDATA_SOURCE_DLL;
    prfdata_text files[PRFDATA_SERVICE_FILES];

    prfdata_service_command_files(c->options, files);
    prfdata_output_put_string(c->line, " ");
    for (unsigned i = 0; i < PRFDATA_SERVICE_FILES; i++) {
        const bool may_be_service = i == 0 && is_dll;

        if (files[i].chars == argument.chars && files[i].count > 0 &&
            (!may_be_service || prfdata_source_dll_may_be_file(argument)) &&
            c->complete(argument, may_be_service, c->line))
            return;
    }
    prfdata_arguments_put_quoted(c->line, argument);
}

/* Returns whether the text is one of the arguments; otherwise it was read from the file of
 * -config. */
static bool is_argument(prfdata_text text, size_t count, const uint16_t *const *arguments)
{
    for (size_t i = 0; i < count; i++) {
        if (arguments[i] == text.chars)
            return true;
    }
    return false;
}

static bool is_complete(const command *c, prfdata_text file)
{
    prfdata_output path = {0};
    prfdata_output written = {0};
    bool is_same;

    prfdata_arguments_put_quoted(&written, file);
    is_same = c->complete(file, false, &path) && !path.failed && !written.failed &&
              path.used == written.used && memcmp(path.bytes, written.bytes, path.used) == 0;
    prfdata_output_free(&path);
    prfdata_output_free(&written);
    return is_same;
}

static bool check_settings_files(const command *c, size_t count, const uint16_t *const *arguments)
{
    prfdata_text files[PRFDATA_SERVICE_FILES];

    prfdata_service_command_files(c->options, files);
    for (unsigned i = 0; i < PRFDATA_SERVICE_FILES; i++) {
        const bool is_service = i == 0 && c->options->source == PRFDATA_SOURCE_DLL &&
                                !prfdata_source_dll_may_be_file(files[i]);

        if (files[i].count == 0 || is_service || is_argument(files[i], count, arguments) ||
            is_complete(c, files[i]))
            continue;
        prfdata_messages_add(c->messages, PRFDATA_SEVERITY_ERROR, files[i],
                             "a service has no current folder: write the complete path in the "
                             "settings file");
        return false;
    }
    return true;
}

static bool is_service_option(const uint16_t *argument)
{
    const prfdata_text text = prfdata_text_from_chars(argument);

    return prfdata_arguments_is_marked(text) && prfdata_arguments_is_option(text, "service");
}

bool prfdata_service_command_put(prfdata_output *line, prfdata_text program, size_t count,
                                 const uint16_t *const *arguments, const prfdata_options *options,
                                 prfdata_service_command_complete *complete,
                                 prfdata_messages *messages)
{
    const command c = {line, options, complete, messages};

    if (!check_settings_files(&c, count, arguments))
        return false;
    /* Always quote the program, because for a path with a blank CreateProcess would try
     * C:\Program.exe first. */
    prfdata_output_put_string(line, "\"");
    prfdata_output_put_text(line, program);
    prfdata_output_put_string(line, "\"");
    prfdata_output_put_string(line, run_arguments);
    for (size_t i = 0; i < count; i++) {
        if (is_service_option(arguments[i]))
            i++; /* also skip the value of -service */
        else
            put_command_argument(&c, prfdata_text_from_chars(arguments[i]));
    }
    return true;
}

bool prfdata_service_command_is_run(size_t count, const uint16_t *const *arguments)
{
    return count >= 2 && is_service_option(arguments[0]) &&
           prfdata_text_equal_ascii(prfdata_text_from_chars(arguments[1]), "run");
}

bool prfdata_service_command_is_ours(prfdata_text line)
{
    const size_t run_chars = sizeof run_arguments - 1;
    size_t end = 1;

    if (line.count == 0 || line.chars[0] != '"')
        return false;
    while (end < line.count && line.chars[end] != '"')
        end++;
    return line.count - end > run_chars &&
           prfdata_text_equal_ascii(prfdata_text_part(line, end + 1, end + 1 + run_chars),
                                    run_arguments);
}
