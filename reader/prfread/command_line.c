/* SPDX-License-Identifier: MIT */
/*
 * Reads the arguments, and the settings file that they may name. The arguments are read twice:
 * first to find the name of the settings file, and again after the settings, because arguments take
 * precedence. options.c interprets the options.
 */
#include "prfread/command_line.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "prfread/lines_file.h"

static uint32_t fail_start(prfdata_messages *messages)
{
    prfdata_messages_add_system(messages, prfdata_no_subject, ERROR_NOT_ENOUGH_MEMORY,
                                "cannot start");
    return ERROR_NOT_ENOUGH_MEMORY;
}

static uint32_t fail_command_line(const prfdata_command_line *line, prfdata_messages *messages,
                                  const prfdata_arguments_error *error)
{
    const uint32_t number = prfdata_settings_line(&line->settings, error->argument);

    if (number > 0) {
        prfdata_messages_put_line(messages, line->options.config_file, number, error->argument,
                                  error->reason);
        return ERROR_INVALID_PARAMETER;
    }
    prfdata_messages_add(messages, PRFDATA_SEVERITY_ERROR, error->argument, "%s", error->reason);
    prfdata_messages_add(messages, PRFDATA_SEVERITY_HINT, prfdata_no_subject, "Try: prfread -?");
    return ERROR_INVALID_PARAMETER;
}

/*
 * Set the options to their defaults. Each argument and each line of the settings file may be a
 * name, so make room for as many names.
 */
static bool begin_command_line(prfdata_command_line *line, size_t count)
{
    prfdata_text *names = calloc(count + line->lines.count + 1, sizeof *names);

    if (!names)
        return false;
    free(line->names);
    line->names = names;
    prfdata_options_init(&line->options, names);
    return true;
}

static uint32_t read_settings_file(prfdata_command_line *line, prfdata_text file,
                                   prfdata_messages *messages)
{
    prfdata_settings_error error = {0, {{NULL, 0}, NULL}};
    uint32_t status = prfdata_settings_read(&line->lines, &line->settings, &line->options, &error);

    if (status == ERROR_NOT_ENOUGH_MEMORY)
        return fail_start(messages);
    if (status == ERROR_SUCCESS && line->options.config_file.count > 0) {
        prfdata_messages_put_line(
            messages, file, prfdata_settings_line(&line->settings, line->options.config_file),
            prfdata_no_subject, "a settings file cannot name another one by [config]");
        return ERROR_INVALID_PARAMETER;
    }
    if (status != ERROR_SUCCESS) {
        prfdata_messages_put_line(messages, file, error.line, error.option.argument,
                                  error.option.reason);
        return ERROR_INVALID_PARAMETER;
    }
    return ERROR_SUCCESS;
}

uint32_t prfdata_command_line_read(prfdata_command_line *line, size_t count,
                                   const uint16_t *const *arguments, prfdata_messages *messages)
{
    prfdata_arguments_error error;
    prfdata_text file;
    uint32_t status;

    memset(line, 0, sizeof *line);
    if (!begin_command_line(line, count))
        return fail_start(messages);
    if (!prfdata_options_read(&line->options, count, arguments, &error))
        return fail_command_line(line, messages, &error);

    file = line->options.config_file;
    if (file.count > 0) {
        status = prfdata_lines_file_read(file, messages, &line->lines);
        if (status != ERROR_SUCCESS)
            return status == ERROR_INVALID_DATA ? ERROR_INVALID_PARAMETER : status;
        if (!begin_command_line(line, count))
            return fail_start(messages);
        status = read_settings_file(line, file, messages);
        if (status != ERROR_SUCCESS)
            return status;
        if (!prfdata_options_read(&line->options, count, arguments, &error))
            return fail_command_line(line, messages, &error);
    }
    line->options.settings = &line->settings;
    if (!prfdata_options_check(&line->options, &error))
        return fail_command_line(line, messages, &error);
    return ERROR_SUCCESS;
}

void prfdata_command_line_free(prfdata_command_line *line)
{
    prfdata_settings_free(&line->settings);
    prfdata_lines_free(&line->lines);
    free(line->names);
    memset(line, 0, sizeof *line);
}
