/* SPDX-License-Identifier: MIT */
/*
 * Takes samples at an interval and sends them to the window. Providers run in other processes
 * (source/child.h), so no provider can block the window. A slow provider delays only its own
 * objects (source/workers.h).
 *
 * Messages to the window:
 *    PRFDATA_READING_READY    titles can be borrowed from now on
 *    PRFDATA_READING_HELPS    lParam: a prfdata_titles * with help texts; the receiver frees it
 *    PRFDATA_READING_SAMPLE   lParam: a prfdata_reading_answer *; the receiver owns it
 *    PRFDATA_READING_ALL      like PRFDATA_READING_SAMPLE, for objects that were asked for once
 *    PRFDATA_READING_LATE     wParam: the title of an object that is now asked for on its own
 *    PRFDATA_READING_FAILED   wParam: the status; lParam: the title of an object that is left out,
 *                             0 if a sample could not be taken, or PRFDATA_READING_COMPUTER
 *    PRFDATA_READING_PROVIDER wParam: why a provider that was asked once did not answer;
 *                             lParam: a wchar_t * for free(): the name of its service, empty for
 *                             the system, or the name of another computer
 *    PRFDATA_READING_ALL_READ all providers were asked once
 *    PRFDATA_READING_STALE    counters were installed or removed, so the titles in use are out of
 *                             date
 */
#ifndef PRFDATA_READER_READING_H
#define PRFDATA_READER_READING_H

#include <windows.h>

#include "source/providers.h"
#include "source/session.h"

#define PRFDATA_READING_READY    (WM_APP + 1)
#define PRFDATA_READING_HELPS    (WM_APP + 2)
#define PRFDATA_READING_SAMPLE   (WM_APP + 3)
#define PRFDATA_READING_ALL      (WM_APP + 4)
#define PRFDATA_READING_LATE     (WM_APP + 5)
#define PRFDATA_READING_FAILED   (WM_APP + 6)
#define PRFDATA_READING_STALE    (WM_APP + 7)
#define PRFDATA_READING_PROVIDER (WM_APP + 8)
#define PRFDATA_READING_ALL_READ (WM_APP + 9)

/* The other computer cannot be reached; the thread tries again. */
#define PRFDATA_READING_COMPUTER (-1)

typedef struct prfdata_reading prfdata_reading;

typedef struct prfdata_reading_answer {
    uint32_t worker;
    prfdata_sample *sample;  /* owned; NULL: the receiver has taken it */
    prfdata_title_set asked; /* the objects that were asked for; empty: all */
    uint64_t took_us;
    bool is_first; /* the process had to start for this answer */
} prfdata_reading_answer;

void prfdata_reading_free_answer(prfdata_reading_answer *answer);

/*
 * Start the threads.
 *
 * computer  The name of another computer; empty: this computer. Copied.
 *
 * Returns NULL if the threads cannot be started.
 */
prfdata_reading *prfdata_reading_start(HWND window, prfdata_text computer, uint32_t interval_ms);

/* End the threads and processes. No more messages arrive; the titles stay until
 * prfdata_reading_stop(). */
void prfdata_reading_end(prfdata_reading *reading);

/* Stop reading, and release everything, titles included. NULL is allowed. */
void prfdata_reading_stop(prfdata_reading *reading);

/* Return the session, for titles and the computer's name. Call this after PRFDATA_READING_READY. */
const prfdata_session *prfdata_reading_session(const prfdata_reading *reading);

/* Return the objects of PrfData's services. Call this after PRFDATA_READING_READY. */
const prfdata_name_table *prfdata_reading_objects(const prfdata_reading *reading);

/* Note that an answer of this worker was shown. The worker may then send its next answer. */
void prfdata_reading_taken(prfdata_reading *reading, uint32_t worker);

/* Ask for these objects from now on; a change takes effect at once. */
void prfdata_reading_want(prfdata_reading *reading, const uint32_t *titles, size_t count);

void prfdata_reading_set_interval(prfdata_reading *reading, uint32_t interval_ms);
void prfdata_reading_pause(prfdata_reading *reading, bool is_paused);

/* Take a sample now, even while paused. */
void prfdata_reading_refresh(prfdata_reading *reading);

/* Ask again for an object that was left out. */
void prfdata_reading_ask_again(prfdata_reading *reading, uint32_t title);

/* Take a sample of all objects of each provider, once. */
void prfdata_reading_read_all(prfdata_reading *reading);

/* Get the file name of the module in which a provider crashed last; empty: not known. */
void prfdata_reading_fault(prfdata_reading *reading, wchar_t name[MAX_PATH]);

/* The longest wait for an answer. {0}: no wait. */
typedef struct prfdata_reading_wait {
    uint32_t ms;
    uint32_t title; /* title of the awaited object; 0: several objects are awaited, or none */
    wchar_t service[PRFDATA_PROVIDERS_CHARS]; /* the service or the other computer that is asked for
                                                 all its objects; empty: there is none, or it is the
                                                 system */
} prfdata_reading_wait;

/* Get the longest wait, ignoring providers that are known to be slow. */
void prfdata_reading_get_wait(prfdata_reading *reading, prfdata_reading_wait *wait);

#endif
