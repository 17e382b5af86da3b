/* SPDX-License-Identifier: MIT */
/* Writes the events of events.h to the Application log. Windows only. */
#ifndef PRFDATA_EVENT_LOG_H
#define PRFDATA_EVENT_LOG_H

#include "collect/provider.h"

/*
 * Make an opened provider report its events in the Application log, from the level on that the
 * administrator chose: the value EventLogLevel of Perflib, read now; 0 or absent: nothing is
 * reported. Each event is reported once per process, however often the DLL is loaded; an event
 * counts as reported when the system has taken it.
 *
 * The source of the events is "PrfData <service>", which the installer registers.
 */
void prfdata_event_log_attach(prfdata_provider *provider);

/*
 * Try those events again that could not be reported, after a pause that grows: the log's service
 * may not have been started. Costs nothing if there are none. Threads: any.
 */
void prfdata_event_log_retry(void);

#endif
