/* SPDX-License-Identifier: MIT */
/*
 * Shows in the status bar what has just happened or is so now, where the samples come from, and
 * what the newest one cost. Only the window's thread calls.
 */
#ifndef PRFDATA_READER_STATUS_BAR_H
#define PRFDATA_READER_STATUS_BAR_H

#include "panes/theme.h"
#include "viewer/notices.h"
#include "viewer/viewer.h"

/* What it shows at most, with the NUL. */
#define PRFDATA_STATUS_CHARS 256

typedef struct prfdata_status_bar {
    HWND window;
    prfdata_viewer *viewer; /* borrowed, as what follows */
    const prfdata_theme *theme;
    const prfdata_number_style *style;
    int32_t widths[2]; /* of its second and third part */
    uint64_t read_us;  /* how long the newest sample took */
    uint64_t taken_ms; /* when it came; 0: there is none */
    prfdata_notices notices;
} prfdata_status_bar;

/* Make the window; the model, the theme and the style are set already. */
void prfdata_status_bar_create(prfdata_status_bar *bar, HWND parent);

/* Say something that has happened, for a while. */
void prfdata_status_bar_say(prfdata_status_bar *bar, const wchar_t *text);

/* Say what is so until it is set to an empty text. */
void prfdata_status_bar_set(prfdata_status_bar *bar, prfdata_notices_state state,
                            const wchar_t *text);

/* A sample came, which took so long, or 0: that is not what people wait for; there is none any
 * more. */
void prfdata_status_bar_note_sample(prfdata_status_bar *bar, uint64_t took_us);
void prfdata_status_bar_forget_samples(prfdata_status_bar *bar);

/*
 * Show where the samples come from, and what the newest one cost.
 *
 * is_live      Else a file is shown.
 * waits_ms     For how long an answer has been awaited; 0: none is.
 * interval_ms  A sample that is older than two of them says so.
 */
void prfdata_status_bar_update(prfdata_status_bar *bar, bool is_live, uint32_t waits_ms,
                               uint32_t interval_ms);

#endif
