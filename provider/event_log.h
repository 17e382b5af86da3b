/* SPDX-License-Identifier: MIT */
/* The conditions of events.h in the Application log. Windows only. */
#ifndef PRFDATA_EVENT_LOG_H
#define PRFDATA_EVENT_LOG_H

#include "provider/collect.h"

/*
 * Have an opened provider tell the event log what is wrong, as far as the administrator asks for
 * it: the value EventLogLevel of Perflib, read now; 0 or absent: nothing. Each condition is told
 * once in the life of this process, however often the DLL comes and goes.
 *
 * The source is "PrfData <service>", which the installer registers.
 */
void prfdata_event_log_attach(prfdata_provider *provider);

#endif
