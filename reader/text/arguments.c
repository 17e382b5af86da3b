/* SPDX-License-Identifier: MIT */
/* The cursor that both readers of command lines use. Knows no option of any program. */
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
