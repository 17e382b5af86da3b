/* SPDX-License-Identifier: MIT */
/* The cursor that both readers of command lines use; each has its own options. */
#include "text/arguments.h"

bool prfdata_arguments_next(prfdata_arguments *arguments, prfdata_text *argument)
{
    if (arguments->position == arguments->count)
        return false;
    *argument = prfdata_text_from_chars(arguments->items[arguments->position++]);
    return true;
}

bool prfdata_arguments_take_value(prfdata_arguments *arguments, prfdata_text option,
                                  prfdata_text *value)
{
    return prfdata_arguments_next(arguments, value) ||
           prfdata_arguments_fail(arguments, option, "a value is missing after it");
}

bool prfdata_arguments_fail(prfdata_arguments *arguments, prfdata_text argument, const char *reason)
{
    arguments->error->argument = argument;
    arguments->error->reason = reason;
    return false;
}

bool prfdata_arguments_is_marked(prfdata_text argument)
{
    return argument.count > 0 && (argument.chars[0] == '-' || argument.chars[0] == '/');
}

bool prfdata_arguments_is_option(prfdata_text argument, const char *name)
{
    return prfdata_text_equal_ascii(prfdata_text_part(argument, 1, argument.count), name);
}

static bool needs_quotes(prfdata_text argument)
{
    for (size_t i = 0; i < argument.count; i++) {
        if (argument.chars[i] <= ' ' || argument.chars[i] == '"')
            return true;
    }
    return argument.count == 0;
}

static void put_backslashes(prfdata_output *line, size_t count)
{
    while (count-- > 0)
        prfdata_output_put(line, "\\", 1);
}

/*
 * Backslashes stand for themselves unless a quote follows: before one in the text they are doubled
 * and one more is put, before the closing one they are doubled.
 */
void prfdata_arguments_put_quoted(prfdata_output *line, prfdata_text argument)
{
    size_t backslashes = 0;
    size_t begin = 0;

    if (!needs_quotes(argument)) {
        prfdata_output_put_text(line, argument);
        return;
    }
    prfdata_output_put(line, "\"", 1);
    for (size_t i = 0; i < argument.count; i++) {
        if (argument.chars[i] == '"') {
            prfdata_output_put_text(line, prfdata_text_part(argument, begin, i));
            put_backslashes(line, backslashes + 1);
            begin = i;
        }
        backslashes = argument.chars[i] == '\\' ? backslashes + 1 : 0;
    }
    prfdata_output_put_text(line, prfdata_text_part(argument, begin, argument.count));
    put_backslashes(line, backslashes);
    prfdata_output_put(line, "\"", 1);
}
