/* SPDX-License-Identifier: MIT */
/*
 * Fills the status bar: recent events, current states, the source of the samples, and the duration
 * of the newest sample. Call it only from the window's thread.
 */
#ifndef PRFDATA_READER_STATUS_BAR_H
#define PRFDATA_READER_STATUS_BAR_H

#include "panes/theme.h"
#include "viewer/notices.h"
#include "viewer/viewer.h"

/* Longest text, with the NUL. */
#define PRFDATA_STATUS_CHARS 256

typedef struct prfdata_status_bar {
    HWND window;
    prfdata_viewer *viewer; /* borrowed, like the next two */
    const prfdata_theme *theme;
    const prfdata_number_style *style;
    int32_t widths[2]; /* widths of the second and the third part */
    uint64_t read_us;  /* duration of the newest sample whose duration is known */
    uint64_t taken_ms; /* when the newest sample came; 0: there is none */
    prfdata_notices notices;
} prfdata_status_bar;

/* Make the window; the viewer, the theme and the style must be set. */
void prfdata_status_bar_create(prfdata_status_bar *bar, HWND parent);

/* Show an event for some seconds. */
void prfdata_status_bar_say(prfdata_status_bar *bar, const wchar_t *text);

/* Show a state until it is set to an empty text. */
void prfdata_status_bar_set(prfdata_status_bar *bar, prfdata_notices_state state,
                            const wchar_t *text);

/* Note that a sample came, and how long it took. took_us 0: nobody waited for the sample, so the
 * duration on the screen stays. */
void prfdata_status_bar_note_sample(prfdata_status_bar *bar, uint64_t took_us);

void prfdata_status_bar_forget_samples(prfdata_status_bar *bar);

/*
 * Show where the samples come from, how long the newest one took, and its age if it is older than
 * two intervals.
 *
 * is_live    false: a file or nothing is shown.
 * waits_ms   How long an answer has been awaited. Shown from two seconds on.
 * waits_for  The name of the object or service whose answer is awaited.
 */
void prfdata_status_bar_update(prfdata_status_bar *bar, bool is_live, uint32_t waits_ms,
                               const wchar_t *waits_for);

#endif
