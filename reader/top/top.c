/* SPDX-License-Identifier: MIT */
/*
 * Runs the loop of the live view: decides when to take a sample, obeys keys, and keeps messages
 * while the screen is used. top_view.c decides what is shown, and top_frame.c draws it.
 */
#include "top/top.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "os/clock.h"
#include "os/terminal.h"
#include "source/pace.h"
#include "system/os.h"
#include "top/top_frame.h"

typedef struct top {
    prfdata_session *session;
    prfdata_requests *requests;
    uint32_t sample_count;
    prfdata_top_view view;
    prfdata_output output;
    prfdata_sample *older; /* the two newest samples; NULL: none */
    prfdata_sample *newer;
    uint32_t titles_version; /* version of the titles from which the names of the rows come */
    char notice[PRFDATA_TOP_NOTICE];
    prfdata_messages later; /* messages reported while the screen was used */
} top;

static void show_notice(top *t, const char *what, uint32_t status)
{
    snprintf(t->notice, sizeof t->notice, "%s: error %u", what, (unsigned)status);
    t->view.notice = t->notice;
}

/* Store a sample as t->newer. The previous t->newer becomes t->older. NULL: no sample. */
static void keep_sample(top *t, prfdata_sample *sample)
{
    prfdata_sample_free(t->older);
    t->older = t->newer;
    t->newer = sample;
}

static void forget_samples(top *t)
{
    keep_sample(t, NULL);
    keep_sample(t, NULL);
}

/* Show a sample; `t` takes ownership. */
static void show_sample(top *t, prfdata_sample *sample)
{
    uint32_t status;

    if (t->titles_version != t->session->titles.version) {
        prfdata_top_view_forget_rows(&t->view);
        forget_samples(t);
    }
    t->titles_version = t->session->titles.version;
    if (sample->is_after_gap)
        prfdata_top_view_note_gap(&t->view);
    keep_sample(t, sample);
    prfdata_clock_local_time(sample->block.header.system_time, t->view.time);
    prfdata_top_view_begin(&t->view, t->older, t->newer);
    for (size_t i = 0; i < t->requests->count; i++) {
        const prfdata_request *request = &t->requests->items[i];

        if (!request->is_bad)
            prfdata_top_view_add(&t->view, &request->path);
    }
    status = prfdata_top_view_end(&t->view);
    if (status != ERROR_SUCCESS)
        show_notice(t, "counters are missing", status);
}

/* Show a message on the screen, and keep it for later, when the screen is closed. */
static void keep_message_for_later(void *context, const prfdata_message *message)
{
    top *t = context;
    prfdata_output line = {0};

    prfdata_messages_write(&line, message, prfdata_no_subject);
    prfdata_output_put(&line, "", 1);
    if (!line.failed)
        snprintf(t->notice, sizeof t->notice, "%s", line.bytes);
    t->view.notice = t->notice;
    prfdata_output_free(&line);
    for (size_t i = 0; i < t->later.count; i++) {
        if (prfdata_messages_is_same(&t->later.items[i], message))
            return;
    }
    prfdata_messages_put(&t->later, message);
}

/* Show the next sample. If taking it fails, rows keep their values, and graphs have a gap. */
static void take_next_sample(top *t, prfdata_pace *pace)
{
    prfdata_sample *sample = NULL;

    t->view.notice = NULL;
    if (prfdata_pace_has_slept(pace, prfdata_os_milliseconds()))
        prfdata_top_view_note_gap(&t->view);
    if (prfdata_requests_take(t->session, t->requests, &sample) == ERROR_SUCCESS)
        show_sample(t, sample);
    else
        prfdata_top_view_note_gap(&t->view);
    prfdata_pace_took(pace, prfdata_os_milliseconds());
}

/* Show the first sample, or all samples of a recorded source. Returns whether there is a sample. */
static bool take_first_samples(top *t)
{
    prfdata_sample *sample = NULL;
    uint32_t status = prfdata_requests_take(t->session, t->requests, &sample);
    const bool has_first = status == ERROR_SUCCESS;

    while (status == ERROR_SUCCESS) {
        show_sample(t, sample);
        if (!t->view.is_recorded)
            break;
        status = prfdata_requests_take(t->session, t->requests, &sample);
    }
    return has_first;
}

static bool draw_screen(top *t)
{
    uint32_t width;
    uint32_t height;

    prfdata_terminal_size(&width, &height);
    prfdata_output_clear(&t->output);
    prfdata_top_frame_put(&t->view, width, height, prfdata_terminal_is_unicode(), &t->output);
    return !t->output.failed &&
           prfdata_terminal_draw(t->output.bytes, t->output.used) == ERROR_SUCCESS;
}

static void press_key(top *t, uint32_t key, prfdata_pace *pace)
{
    uint32_t before_ms = t->view.interval_ms;
    uint32_t status = prfdata_top_view_key(&t->view, key);

    if (status != ERROR_SUCCESS)
        show_notice(t, "cannot sort", status);
    if (t->view.interval_ms != before_ms)
        prfdata_pace_begin(pace, prfdata_os_milliseconds(), t->view.interval_ms);
}

/* Show samples and obey keys until the end. Returns false if drawing failed. */
static bool show_until_over(top *t)
{
    prfdata_pace pace;
    uint32_t taken = 0;

    prfdata_pace_begin(&pace, prfdata_os_milliseconds(), t->view.interval_ms);

    while (!t->view.is_over) {
        bool is_live = !t->view.is_paused && !t->view.is_recorded;
        uint32_t key = 0;

        if (!draw_screen(t))
            return false;
        if (is_live && prfdata_os_milliseconds() >= pace.due_ms) {
            /* Take the sample before further keys are read, so that fast typing does not delay
             * samples. */
            take_next_sample(t, &pace);
            taken++;
            t->view.is_over = taken == t->sample_count;
            continue;
        }
        switch (prfdata_terminal_wait(is_live ? pace.due_ms : UINT64_MAX, &key)) {
        case PRFDATA_TERMINAL_KEY:
            press_key(t, key, &pace);
            break;
        case PRFDATA_TERMINAL_STOPPED:
            t->view.is_over = true;
            break;
        default:
            break;
        }
    }
    return true;
}

/* Show messages on the screen while it is open, and add them to the session's messages
 * afterwards. */
static bool show_with_messages(top *t)
{
    prfdata_messages *messages = t->session->messages;
    prfdata_messages_sink *sink = messages->sink;
    void *context = messages->context;
    bool is_shown;

    messages->sink = keep_message_for_later;
    messages->context = t;
    is_shown = show_until_over(t);
    prfdata_terminal_close();
    messages->sink = sink;
    messages->context = context;
    for (size_t i = 0; i < t->later.count; i++)
        prfdata_messages_put(messages, &t->later.items[i]);
    prfdata_messages_free(&t->later);
    return is_shown;
}

static uint32_t run_screen(top *t)
{
    prfdata_messages *messages = t->session->messages;
    uint32_t status = prfdata_terminal_open();

    if (status == ERROR_INVALID_HANDLE)
        prfdata_messages_add(messages, PRFDATA_SEVERITY_ERROR, prfdata_no_subject,
                             "-top needs a terminal to read keys from");
    else if (status != ERROR_SUCCESS)
        prfdata_messages_add_system(messages, prfdata_no_subject, status,
                                    "cannot use the terminal");
    if (status != ERROR_SUCCESS || show_with_messages(t))
        return status;
    prfdata_messages_add(messages, PRFDATA_SEVERITY_ERROR, prfdata_no_subject,
                         "cannot write to the terminal");
    return ERROR_GEN_FAILURE;
}

/* Colours are not used if NO_COLOR is set and not empty (https://no-color.org). */
static bool uses_colours(void)
{
    /* NOLINTNEXTLINE(concurrency-mt-unsafe): no thread changes the environment */
    const char *value = getenv("NO_COLOR");

    return !value || !*value;
}

uint32_t prfdata_top_run(prfdata_session *session, prfdata_requests *requests,
                         const prfdata_top_parameters *parameters)
{
    uint32_t status = ERROR_SUCCESS;
    top t;

    memset(&t, 0, sizeof t);
    t.session = session;
    t.requests = requests;
    t.sample_count = parameters->sample_count;
    prfdata_top_view_init(&t.view, &session->titles, parameters->is_capped);
    prfdata_output_init(&t.output);
    t.view.computer = session->computer;
    t.view.interval_ms = parameters->interval_ms;
    t.view.has_colours = uses_colours();
    t.view.is_recorded = session->source->kind->is_recorded;
    (void)prfdata_session_load_helps(session); /* rows work without help texts */
    if (take_first_samples(&t))
        status = run_screen(&t);
    prfdata_top_view_free(&t.view);
    forget_samples(&t);
    prfdata_output_free(&t.output);
    return status;
}
