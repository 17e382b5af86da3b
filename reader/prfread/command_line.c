/* SPDX-License-Identifier: MIT */
#include "prfread/command_line.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "source/say.h"

static uint32_t fail_memory(void)
{
    prfdata_say_system_error(prfdata_say_nothing, "cannot start", ERROR_NOT_ENOUGH_MEMORY);
    return ERROR_NOT_ENOUGH_MEMORY;
}

static uint32_t fail(prfdata_text argument, const char *reason)
{
    prfdata_say_error(argument, reason);
    prfdata_say("Try", prfdata_say_nothing, "prfread -?");
    return ERROR_INVALID_PARAMETER;
}

/* Begin anew, with room for the names of the arguments and of the lines. */
static bool begin(prfdata_command_line *line, size_t count)
{
    prfdata_text *names = calloc(count + line->lines.count + 1, sizeof *names);

    if (!names)
        return false;
    free(line->names);
    line->names = names;
    prfdata_options_init(&line->options, names);
    return true;
}

static uint32_t read_lines(prfdata_command_line *line, prfdata_text file)
{
    prfdata_lines_error error = {0, NULL};
    size_t size = 0;
    void *bytes = NULL;
    uint32_t status = prfdata_console_read_file(file, PRFDATA_LINES_MAX_BYTES, &bytes, &size);

    if (status != ERROR_SUCCESS) {
        prfdata_say_system_error(file, "cannot read the file", status);
        return status;
    }
    status = prfdata_lines_make(bytes, size, &line->lines, &error);
    free(bytes);
    if (status == ERROR_NOT_ENOUGH_MEMORY)
        return fail_memory();
    if (status != ERROR_SUCCESS) {
        prfdata_say_line_error(file, error.line, prfdata_say_nothing, error.reason);
        return ERROR_INVALID_PARAMETER;
    }
    return ERROR_SUCCESS;
}

static uint32_t read_settings(prfdata_command_line *line, prfdata_text file)
{
    static const prfdata_text nothing = {NULL, 0};
    prfdata_settings_error error = {0, {{NULL, 0}, NULL}};
    uint32_t status = prfdata_settings_read(&line->lines, &line->settings, &line->options, &error);

    if (status == ERROR_NOT_ENOUGH_MEMORY)
        return fail_memory();
    if (status == ERROR_SUCCESS && line->options.config_file.count > 0) {
        prfdata_say_line_error(file, 0, nothing, "a settings file names no other one by [config]");
        return ERROR_INVALID_PARAMETER;
    }
    if (status != ERROR_SUCCESS) {
        prfdata_say_line_error(file, error.line, error.option.argument, error.option.reason);
        return ERROR_INVALID_PARAMETER;
    }
    return ERROR_SUCCESS;
}

uint32_t prfdata_command_line_read(prfdata_command_line *line, size_t count,
                                   const uint16_t *const *arguments)
{
    prfdata_arguments_error error;
    prfdata_text file;
    uint32_t status;

    memset(line, 0, sizeof *line);
    if (!begin(line, count))
        return fail_memory();
    if (!prfdata_options_read(&line->options, count, arguments, &error))
        return fail(error.argument, error.reason);

    file = line->options.config_file;
    if (file.count > 0) {
        /* Once more, behind the file: the command line wins. */
        status = read_lines(line, file);
        if (status != ERROR_SUCCESS)
            return status;
        if (!begin(line, count))
            return fail_memory();
        status = read_settings(line, file);
        if (status != ERROR_SUCCESS)
            return status;
        if (!prfdata_options_read(&line->options, count, arguments, &error))
            return fail(error.argument, error.reason);
    }
    if (!prfdata_options_check(&line->options, &error))
        return fail(error.argument, error.reason);
    return ERROR_SUCCESS;
}

void prfdata_command_line_free(prfdata_command_line *line)
{
    prfdata_settings_free(&line->settings);
    prfdata_lines_free(&line->lines);
    free(line->names);
    memset(line, 0, sizeof *line);
}
