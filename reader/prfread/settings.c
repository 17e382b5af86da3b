/* SPDX-License-Identifier: MIT */
/*
 * Turns a settings file into arguments: "-name" for each section except [c], then its values. An
 * empty argument stands before each section. options.c interprets the options.
 */
#include "prfread/settings.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "paths/requests.h"

static uint32_t fail_settings(prfdata_settings_error *error, const prfdata_line *line,
                              const char *reason)
{
    error->line = line->number;
    error->option.argument = line->text;
    error->option.reason = reason;
    return ERROR_INVALID_DATA;
}

static bool is_section(prfdata_text text)
{
    return text.count >= 3 && text.chars[0] == '[' && text.chars[text.count - 1] == ']';
}

/* Returns whether the section is [c], whose values are counter paths: arguments without an
 * option. */
static bool is_counters(prfdata_text section)
{
    return section.count == 3 && (section.chars[1] == 'c' || section.chars[1] == 'C');
}

static bool is_counter_path(prfdata_text text)
{
    return text.chars[0] == '\\' || prfdata_requests_service(text).count > 0;
}

static void put_argument(prfdata_settings *settings, const uint16_t *argument, uint32_t number)
{
    settings->arguments[settings->count] = argument;
    settings->numbers[settings->count] = number;
    settings->count++;
}

/* Put "-name" for [name]. `chars` has room for the section's chars and a NUL. */
static void put_section_option(prfdata_settings *settings, const prfdata_line *line,
                               uint16_t *chars)
{
    const size_t count = line->text.count - 2;

    chars[0] = '-';
    memcpy(chars + 1, line->text.chars + 1, count * sizeof *chars);
    chars[1 + count] = 0;
    put_argument(settings, chars, line->number);
}

/*
 * Turn lines into arguments. Put an empty argument before each section. Without it, an option that
 * lacks its value would take the name of the next section.
 */
static uint32_t put_settings_lines(prfdata_settings *settings, const prfdata_lines *lines,
                                   prfdata_settings_error *error)
{
    static const uint16_t nothing[] = {0};
    uint16_t *chars = settings->chars;
    bool in_counters = false;

    for (size_t i = 0; i < lines->count; i++) {
        const prfdata_line *line = &lines->items[i];

        if (is_section(line->text)) {
            put_argument(settings, nothing, line->number);
            in_counters = is_counters(line->text);
            if (!in_counters)
                put_section_option(settings, line, chars);
            chars += line->text.count;
        } else if (i == 0) {
            return fail_settings(error, line, "an option in brackets comes first, such as [c]");
        } else if (in_counters && !is_counter_path(line->text)) {
            return fail_settings(error, line,
                                 "a counter path begins with a backslash: \\Object\\Counter");
        } else {
            put_argument(settings, line->text.chars, line->number);
        }
    }
    return ERROR_SUCCESS;
}

/* Finds the argument by its address, because the options borrow it. */
uint32_t prfdata_settings_line(const prfdata_settings *settings, prfdata_text argument)
{
    for (size_t i = 0; i < settings->count; i++) {
        if (settings->arguments[i] == argument.chars)
            return settings->numbers[i];
    }
    return 0;
}

void prfdata_settings_name_lines(const prfdata_settings *settings, const prfdata_text *names,
                                 size_t count, uint32_t *lines)
{
    size_t at = 0;

    /* One walk through both lists, because each may have hundreds of thousands of paths. */
    for (size_t i = 0; i < count; i++) {
        while (at < settings->count && settings->arguments[at] != names[i].chars)
            at++;
        lines[i] = at < settings->count ? settings->numbers[at] : 0;
    }
}

static prfdata_text text_of_line(const prfdata_lines *lines, uint32_t number)
{
    static const prfdata_text nothing = {NULL, 0};

    for (size_t i = 0; i < lines->count; i++) {
        if (lines->items[i].number == number)
            return lines->items[i].text;
    }
    return nothing;
}

/* Remove the empty arguments before sections. No option took them, so they are among the names. */
static void drop_section_ends(prfdata_options *options, size_t first)
{
    size_t count = first;

    for (size_t i = first; i < options->name_count; i++) {
        if (options->names[i].count > 0)
            options->names[count++] = options->names[i];
    }
    options->name_count = count;
}

/* If counter paths are expected, check that all names are paths, because a surplus value of an
 * option is also taken as a name. */
static uint32_t check_path_names(const prfdata_settings *settings, const prfdata_options *options,
                                 size_t first, prfdata_settings_error *error)
{
    for (size_t i = first; options->task == PRFDATA_TASK_WATCH && i < options->name_count; i++) {
        if (is_counter_path(options->names[i]))
            continue;
        error->line = prfdata_settings_line(settings, options->names[i]);
        error->option.argument = options->names[i];
        error->option.reason = "the option above takes no more values";
        return ERROR_INVALID_DATA;
    }
    return ERROR_SUCCESS;
}

uint32_t prfdata_settings_read(const prfdata_lines *lines, prfdata_settings *settings,
                               prfdata_options *options, prfdata_settings_error *error)
{
    prfdata_settings made = {NULL, NULL, 0, NULL};
    const size_t first_name = options->name_count;
    size_t char_count = 1;
    uint32_t status = ERROR_NOT_ENOUGH_MEMORY;

    for (size_t i = 0; i < lines->count; i++)
        char_count += lines->items[i].text.count;
    made.arguments = calloc(2 * lines->count + 1, sizeof *made.arguments);
    made.numbers = malloc((2 * lines->count + 1) * sizeof *made.numbers);
    made.chars = malloc(char_count * sizeof *made.chars);
    if (!made.arguments || !made.numbers || !made.chars)
        goto free_made;

    status = put_settings_lines(&made, lines, error);
    if (status != ERROR_SUCCESS)
        goto free_made;
    status = ERROR_INVALID_DATA;
    if (!prfdata_options_read(options, made.count, made.arguments, &error->option)) {
        error->line = prfdata_settings_line(&made, error->option.argument);
        error->option.argument = text_of_line(lines, error->line);
        goto free_made;
    }
    drop_section_ends(options, first_name);
    status = check_path_names(&made, options, first_name, error);
    if (status != ERROR_SUCCESS)
        goto free_made;
    *settings = made;
    return ERROR_SUCCESS;
free_made:
    prfdata_settings_free(&made);
    return status;
}

void prfdata_settings_free(prfdata_settings *settings)
{
    free((void *)settings->arguments);
    free(settings->numbers);
    free(settings->chars);
    memset(settings, 0, sizeof *settings);
}
