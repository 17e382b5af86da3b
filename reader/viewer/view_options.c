/* SPDX-License-Identifier: MIT */
/* Parses the command line of prfview. It does not check whether a file or an object exists. */
#include "viewer/view_options.h"

#include <string.h>

#include "paths/path.h"
#include "text/words.h"

/* Longer names are refused. A full DNS name has fewer than 256 chars, but the program adds chars to
 * a name, so this limit is lower. */
#define MOST_COMPUTER_CHARS 200

static bool is_digit_char(uint16_t character)
{
    return character >= '0' && character <= '9';
}

bool prfdata_view_options_interval(prfdata_text text, uint32_t *interval_ms)
{
    uint32_t ms = 0;
    uint32_t unit = 1000;
    bool has_point = false;

    if (text.count == 0 || text.count > 8 || !is_digit_char(text.chars[0]))
        return false;
    for (size_t i = 0; i < text.count; i++) {
        const uint16_t character = text.chars[i];

        if ((character == '.' || character == ',') && !has_point) {
            has_point = true;
            continue;
        }
        if (has_point)
            unit /= 10;
        if (!is_digit_char(character) || unit == 0)
            return false;
        ms = has_point ? ms + (character - '0') * unit : ms * 10 + (character - '0') * 1000u;
    }
    if (ms < PRFDATA_VIEW_LEAST_INTERVAL_MS || ms > PRFDATA_VIEW_MOST_INTERVAL_MS)
        return false;
    *interval_ms = ms;
    return true;
}

static bool take_interval(prfdata_arguments *arguments, prfdata_text option, uint32_t *interval_ms)
{
    prfdata_text value;

    if (!prfdata_arguments_take_value(arguments, option, &value))
        return false;
    return prfdata_view_options_interval(value, interval_ms) ||
           prfdata_arguments_fail(arguments, value,
                                  prfdata_words_get(PRFDATA_WORD_ARGUMENT_INTERVAL));
}

bool prfdata_view_options_name_computer(prfdata_text text, prfdata_text *computer)
{
    static const char wrong[] = "\\/\"*?<>|,; ";

    while (text.count > 0 && text.chars[0] == '\\')
        text = prfdata_text_part(text, 1, text.count);
    if (text.count == 0 || text.count > MOST_COMPUTER_CHARS)
        return false;
    for (size_t i = 0; i < text.count; i++) {
        if (text.chars[i] < ' ' || (text.chars[i] < 128 && strchr(wrong, text.chars[i])))
            return false;
    }
    *computer = text;
    return true;
}

static bool take_computer(prfdata_arguments *arguments, prfdata_text option, prfdata_text *computer)
{
    prfdata_text value;

    if (!prfdata_arguments_take_value(arguments, option, &value))
        return false;
    return prfdata_view_options_name_computer(value, computer) ||
           prfdata_arguments_fail(arguments, value,
                                  prfdata_words_get(PRFDATA_WORD_ARGUMENT_COMPUTER));
}

prfdata_text prfdata_view_options_computer(const prfdata_view_options *options)
{
    const prfdata_text none = {NULL, 0};
    prfdata_text computer = none;

    if (options->computer.count > 0 || options->file.count > 0)
        return options->computer;
    for (size_t i = 0; i < options->name_count; i++) {
        prfdata_path_readings path;
        prfdata_path_error error;

        if (!prfdata_path_begin_readings(&path, options->names[i], &error) ||
            path.computer.count == 0 || (i > 0 && !prfdata_text_equal(path.computer, computer)))
            return none;
        computer = path.computer;
    }
    return computer;
}

/* Take one file, or two if the next argument is neither an option nor a counter path. */
static bool take_files(prfdata_arguments *arguments, prfdata_text option,
                       prfdata_view_options *options)
{
    prfdata_text next;

    if (!prfdata_arguments_take_value(arguments, option, &options->file))
        return false;
    if (arguments->position == arguments->count)
        return true;
    next = prfdata_text_from_chars(arguments->items[arguments->position]);
    if (next.count == 0 || prfdata_arguments_is_marked(next) || next.chars[0] == '\\')
        return true;
    return prfdata_arguments_take_value(arguments, option, &options->newer);
}

static bool take_reader_handles(prfdata_arguments *arguments, prfdata_text option,
                                prfdata_view_options *options)
{
    prfdata_text value;

    options->is_reader = true;
    for (size_t i = 0; i < PRFDATA_VIEW_READER_HANDLES; i++) {
        if (!prfdata_arguments_take_value(arguments, option, &value))
            return false;
        if (!prfdata_text_number(value, &options->reader_handles[i]))
            return prfdata_arguments_fail(arguments, value,
                                          prfdata_words_get(PRFDATA_WORD_ARGUMENT_NUMBER));
    }
    return true;
}

static bool parse_view_option(prfdata_arguments *arguments, prfdata_text option,
                              prfdata_view_options *options)
{
    static const char *const helps[] = {"?", "h", "help", "-help"};

    for (size_t i = 0; i < sizeof helps / sizeof helps[0]; i++) {
        if (prfdata_arguments_is_option(option, helps[i])) {
            options->help = true;
            return true;
        }
    }
    if (prfdata_arguments_is_option(option, "version")) {
        options->version = true;
        return true;
    }
    if (prfdata_arguments_is_option(option, "file"))
        return take_files(arguments, option, options);
    if (prfdata_arguments_is_option(option, "w"))
        return prfdata_arguments_take_value(arguments, option, &options->workspace);
    if (prfdata_arguments_is_option(option, "s"))
        return take_computer(arguments, option, &options->computer);
    if (prfdata_arguments_is_option(option, "si"))
        return take_interval(arguments, option, &options->interval_ms);
    if (prfdata_arguments_is_option(option, "dark")) {
        options->is_dark = true;
        return true;
    }
    if (prfdata_arguments_is_option(option, "provider-process"))
        return take_reader_handles(arguments, option, options);
    return prfdata_arguments_fail(arguments, option,
                                  prfdata_words_get(PRFDATA_WORD_ARGUMENT_UNKNOWN));
}

bool prfdata_view_options_parse(size_t count, const uint16_t *const *arguments,
                                prfdata_view_options *options, prfdata_arguments_error *error)
{
    prfdata_arguments left = {arguments, count, 0, error};
    prfdata_view_options parsed;
    prfdata_text argument;

    memset(&parsed, 0, sizeof parsed);
    while (prfdata_arguments_next(&left, &argument)) {
        if (prfdata_arguments_is_marked(argument)) {
            if (!parse_view_option(&left, argument, &parsed))
                return false;
        } else if (parsed.name_count == PRFDATA_VIEW_NAMES) {
            return prfdata_arguments_fail(&left, argument,
                                          prfdata_words_get(PRFDATA_WORD_ARGUMENT_TOO_MANY));
        } else {
            parsed.names[parsed.name_count++] = argument;
        }
    }
    if (parsed.file.count > 0 && parsed.computer.count > 0)
        return prfdata_arguments_fail(&left, parsed.computer,
                                      prfdata_words_get(PRFDATA_WORD_ARGUMENT_FILE_HERE));
    *options = parsed;
    return true;
}
