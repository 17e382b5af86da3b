/* SPDX-License-Identifier: MIT */
/* Declares the writer of events to the Application log. Windows only. */
#ifndef PRFDATA_EVENT_LOG_H
#define PRFDATA_EVENT_LOG_H

#include "collect/provider.h"

/*
 * Makes an opened provider report its events in the Application log. The value EventLogLevel of
 * Perflib, which is read now, gives the level; if it is 0 or missing, nothing is reported. Each
 * event is reported once per process, however often the DLL is loaded.
 *
 * The source of the events is "PrfData <service>", which the installer registers.
 */
void prfdata_event_log_attach(prfdata_provider *provider);

/*
 * Retries events that could not be reported, for example while the event log service was not
 * running. Each pause is twice as long as the previous one. After eight tries an event is given up.
 * Threads: any.
 */
void prfdata_event_log_retry(void);

#endif
