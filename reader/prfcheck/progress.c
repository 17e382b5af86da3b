/* SPDX-License-Identifier: MIT */
/* Makes the lines that progress.h describes. */
#include "prfcheck/progress.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

/* Length of the line on a terminal. This many blanks cover the earlier text. */
#define LINE_CHARS 60
/* Most bytes of the provider's name: on that line, and in a message. */
#define LINE_SUBJECT    25
#define MESSAGE_SUBJECT 100

static const char *subject_of(const prfdata_progress *progress)
{
    return progress->subject ? progress->subject : "";
}

static int subject_bytes(const prfdata_progress *progress, size_t most)
{
    const char *subject = subject_of(progress);

    return (int)prfdata_utf8_fit(subject, strlen(subject), most);
}

static const char *separator_of(const prfdata_progress *progress)
{
    return subject_of(progress)[0] ? ": " : "";
}

void prfdata_progress_begin(prfdata_progress *progress, const char *name, size_t position,
                            size_t count, uint64_t now_ms, prfdata_output *output)
{
    char text[LINE_CHARS];

    progress->name = name;
    progress->begun_ms = now_ms;
    progress->is_reported = false;
    if (!progress->is_terminal)
        return;
    (void)snprintf(text, sizeof text, "%.*s%s%u of %u: %.15s",
                   subject_bytes(progress, LINE_SUBJECT), subject_of(progress),
                   separator_of(progress), (unsigned)position + 1, (unsigned)count, name);
    prfdata_output_format(output, "\r%-*s\r%s", LINE_CHARS, "", text);
    progress->is_shown = true;
}

void prfdata_progress_go_on(prfdata_progress *progress, uint64_t now_ms, prfdata_output *output)
{
    if (progress->is_terminal || progress->is_reported || !progress->name ||
        now_ms - progress->begun_ms < PRFDATA_PROGRESS_LONG_MS)
        return;
    prfdata_output_format(output, "prfcheck: %.*s%s%s takes longer than %u seconds\r\n",
                          subject_bytes(progress, MESSAGE_SUBJECT), subject_of(progress),
                          separator_of(progress), progress->name, PRFDATA_PROGRESS_LONG_MS / 1000);
    progress->is_reported = true;
}

void prfdata_progress_hide(prfdata_progress *progress, prfdata_output *output)
{
    if (progress->is_shown)
        prfdata_output_format(output, "\r%-*s\r", LINE_CHARS, "");
    progress->is_shown = false;
}

void prfdata_progress_end(prfdata_progress *progress, uint64_t now_ms, prfdata_output *output)
{
    const uint64_t took_ms = now_ms - progress->begun_ms;

    if (progress->name && took_ms >= PRFDATA_PROGRESS_LONG_MS) {
        prfdata_progress_hide(progress, output);
        prfdata_output_format(output, "prfcheck: %.*s%s%s took %u seconds\r\n",
                              subject_bytes(progress, MESSAGE_SUBJECT), subject_of(progress),
                              separator_of(progress), progress->name, (unsigned)(took_ms / 1000));
    }
    progress->name = NULL;
}
