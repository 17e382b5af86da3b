/* SPDX-License-Identifier: MIT */
#include "source/say.h"

#include <string.h>

#include <prfdata/error.h>

#include "text/cells.h"

const prfdata_text prfdata_say_nothing = {NULL, 0};

#ifdef _WIN32
static const char line_end[] = "\r\n";
#else
static const char line_end[] = "\n";
#endif

uint32_t prfdata_say_lines(prfdata_console_file file, const prfdata_output *lines)
{
    prfdata_output shown;
    uint32_t status = ERROR_NOT_ENOUGH_MEMORY;

    if (lines->failed)
        return status;
    if (!prfdata_console_is_terminal(file))
        return prfdata_console_write(file, lines->bytes, lines->used);
    prfdata_output_init(&shown);
    prfdata_cells_put_lines(&shown, lines->bytes, lines->used);
    if (!shown.failed)
        status = prfdata_console_write(file, shown.bytes, shown.used);
    prfdata_output_free(&shown);
    return status;
}

void prfdata_say(const char *kind, prfdata_text subject, const char *text)
{
    prfdata_output line;

    prfdata_output_init(&line);
    prfdata_output_format(&line, "%s: ", kind);
    if (subject.count > 0) {
        prfdata_output_put_text(&line, subject);
        prfdata_output_put_string(&line, ": ");
    }
    prfdata_output_put_string(&line, text);
    prfdata_output_put_string(&line, line_end);
    (void)prfdata_say_lines(prfdata_console_err(), &line);
    prfdata_output_free(&line);
}

void prfdata_say_error(prfdata_text subject, const char *text)
{
    prfdata_say("Error", subject, text);
}

void prfdata_say_line_error(prfdata_text file, uint32_t line, prfdata_text subject,
                            const char *text)
{
    prfdata_output words;

    prfdata_output_init(&words);
    if (line > 0)
        prfdata_output_format(&words, "line %u: ", (unsigned)line);
    if (subject.count > 0) {
        prfdata_output_put_text(&words, subject);
        prfdata_output_put_string(&words, ": ");
    }
    prfdata_output_put(&words, text, strlen(text) + 1);
    if (!words.failed)
        prfdata_say_error(file, words.bytes);
    prfdata_output_free(&words);
}

void prfdata_say_system_error(prfdata_text subject, const char *what, uint32_t status)
{
    uint16_t chars[256];
    prfdata_text words = {chars, prfdata_console_error_words(status, chars, 256)};
    prfdata_output line;

    prfdata_output_init(&line);
    prfdata_output_format(&line, "%s: error %u ", what, (unsigned)status);
    prfdata_output_put_text(&line, words);
    prfdata_output_put(&line, "", 1);
    if (!line.failed)
        prfdata_say_error(subject, line.bytes);
    prfdata_output_free(&line);
}
