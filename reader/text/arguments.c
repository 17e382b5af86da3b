/* SPDX-License-Identifier: MIT */
/* Walks through command lines and quotes arguments. */
#include "text/arguments.h"

#include <string.h>

#include "text/words.h"

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
           prfdata_arguments_fail(arguments, option,
                                  prfdata_words_get(PRFDATA_WORD_ARGUMENT_NO_VALUE));
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
 * Put the argument between quotes. Backslashes are special only before a quote. Backslashes before
 * a quote of the text are doubled, and one more backslash protects that quote. Backslashes at the
 * end of the text are doubled, because the closing quote follows them.
 */
static void put_in_quotes(prfdata_output *line, prfdata_text argument)
{
    size_t backslashes = 0;
    size_t begin = 0;

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

void prfdata_arguments_put_quoted(prfdata_output *line, prfdata_text argument)
{
    if (needs_quotes(argument))
        put_in_quotes(line, argument);
    else
        prfdata_output_put_text(line, argument);
}

/* ---- Quoting for cmd ---- */

/*
 * Returns whether cmd would obey a quote or a percent sign of the argument even between quotes. A
 * quote would end the quotes. A percent sign begins the name of a variable, and the name ends at
 * the next percent sign, even in a later argument. For example, %CMDCMDLINE:x=...% inserts quotes.
 * No variable has a name that begins with a blank, so a counter such as "% Processor Time" needs no
 * carets.
 */
static bool needs_carets(prfdata_text argument)
{
    for (size_t i = 0; i < argument.count; i++) {
        const bool is_before_blank = i + 1 < argument.count && argument.chars[i + 1] == ' ';

        if (argument.chars[i] == '"' || (argument.chars[i] == '%' && !is_before_blank))
            return true;
    }
    return false;
}

void prfdata_arguments_put_for_cmd(prfdata_output *line, prfdata_text argument)
{
    prfdata_text copy = {NULL, 0};
    prfdata_output quoted = {0};
    bool has_carets;

    if (!prfdata_text_copy(argument, &copy)) {
        line->failed = true;
        return;
    }
    for (size_t i = 0; i < copy.count; i++) {
        uint16_t *at = (uint16_t *)(uintptr_t)copy.chars + i;

        if (*at < ' ' || *at == 0x7F)
            *at = '*';
    }
    put_in_quotes(&quoted, copy);
    has_carets = needs_carets(copy);
    for (size_t i = 0; i < quoted.used; i++) {
        /* Also put a caret after a percent sign, because no variable has a name that begins with a
         * caret. */
        if (has_carets &&
            (strchr("\"%^&|<>()!", quoted.bytes[i]) || (i > 0 && quoted.bytes[i - 1] == '%')))
            prfdata_output_put(line, "^", 1);
        prfdata_output_put(line, quoted.bytes + i, 1);
    }
    line->failed = line->failed || quoted.failed;
    prfdata_output_free(&quoted);
    prfdata_text_free(&copy);
}
