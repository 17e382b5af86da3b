/* SPDX-License-Identifier: MIT */
/*
 * A thread that takes samples at an interval and sends them to the window. It asks another process
 * (child.h), so nothing that a provider does stops the window or the thread for long. Knows
 * Windows.
 *
 * Messages to the window; lParam is for the receiver to free:
 *   PRFDATA_READING_READY     titles can be borrowed now
 *   PRFDATA_READING_HELPS     lParam: a prfdata_titles * with help texts
 *   PRFDATA_READING_SAMPLE    lParam: a prfdata_sample *; wParam: how long it took in us
 *   PRFDATA_READING_ALL       the same, of all objects, which was asked for once
 *   PRFDATA_READING_FAILED    wParam: the status; lParam: a query * (wide chars), or NULL
 */
#ifndef PRFDATA_READER_READING_H
#define PRFDATA_READER_READING_H

#include <windows.h>

#include "source/session.h"

#define PRFDATA_READING_READY  (WM_APP + 1)
#define PRFDATA_READING_HELPS  (WM_APP + 2)
#define PRFDATA_READING_SAMPLE (WM_APP + 3)
#define PRFDATA_READING_ALL    (WM_APP + 4)
#define PRFDATA_READING_FAILED (WM_APP + 5)

typedef struct prfdata_reading prfdata_reading;

/* Start. NULL: the system refuses. */
prfdata_reading *prfdata_reading_start(HWND window, uint32_t interval_ms);

/* Stop, and release everything, also the titles. NULL is allowed. */
void prfdata_reading_stop(prfdata_reading *reading);

/* After PRFDATA_READING_READY: its session, for titles and the computer's name. */
const prfdata_session *prfdata_reading_session(const prfdata_reading *reading);

/* The objects of PrfData's services. Call it once, after PRFDATA_READING_READY. */
const prfdata_name_table *prfdata_reading_objects(const prfdata_reading *reading);

/* Ask for these objects from now on; a change is read at once. */
void prfdata_reading_want(prfdata_reading *reading, const uint32_t *titles, size_t count);

void prfdata_reading_set_interval(prfdata_reading *reading, uint32_t interval_ms);
void prfdata_reading_pause(prfdata_reading *reading, bool is_paused);

/* Take a sample now, also while it is paused. */
void prfdata_reading_refresh(prfdata_reading *reading);

/* Take a sample of all objects of all providers, once. */
void prfdata_reading_read_all(prfdata_reading *reading);

/* For how many ms the thread has been waiting for an answer; 0: it is not. */
uint32_t prfdata_reading_waits_ms(const prfdata_reading *reading);

#endif
