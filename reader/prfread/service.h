/* SPDX-License-Identifier: MIT */
/*
 * Runs prfread -serve as a Windows service: registers the service with the service manager, runs
 * it, and writes its messages to the Application log. Windows only.
 */
#ifndef PRFDATA_READER_SERVICE_H
#define PRFDATA_READER_SERVICE_H

#include "prfread/exit_codes.h"
#include "prfread/options.h"
#include "text/messages.h"

/*
 * Register the service. The system starts it some minutes after booting, and restarts it if it
 * fails. It runs under its own account, NT SERVICE\prfread, which becomes a member of Performance
 * Monitor Users.
 *
 * arguments  The arguments of prfread, from which `options` were read.
 * messages   Gets the problems, or how to start the service.
 */
prfdata_exit_code prfdata_service_install(size_t count, const uint16_t *const *arguments,
                                          const prfdata_options *options,
                                          prfdata_messages *messages);

/* Stop the service and remove everything that installing it made. */
prfdata_exit_code prfdata_service_remove(prfdata_messages *messages);

/* Does the work of the service until prfdata_stop_wait_until() returns false. */
typedef prfdata_exit_code prfdata_service_body(void *context);

/*
 * Run as the service: call `body` on the service manager's thread. Any result except
 * PRFDATA_EXIT_OK and PRFDATA_EXIT_USAGE is a failure of the service, unless it was asked to stop.
 *
 * Returns ERROR_SUCCESS when the service has ended, or the system's error if `body` was not called.
 * The error is ERROR_FAILED_SERVICE_CONTROLLER_CONNECT if the service manager did not start the
 * process.
 */
uint32_t prfdata_service_run(prfdata_service_body *body, void *context);

/* Report to the service manager and in the event log that the service answers at this address. */
void prfdata_service_report_serving(const char *url);

/* ---- The event log ---- */

/* Identifiers of messages.mc without their severity, which service_log.c adds. */
typedef enum prfdata_service_event {
    PRFDATA_SERVICE_EVENT_SERVING = 1,
    PRFDATA_SERVICE_EVENT_ERROR = 2,
    PRFDATA_SERVICE_EVENT_WARNING = 3
} prfdata_service_event;

/* Write an event whose text is UTF-8. The system may refuse to write it. */
void prfdata_service_log_write(prfdata_service_event event, const char *text, size_t size);

/*
 * Create or remove the event source. `program` is the path of the program that has the texts of the
 * events. Returns ERROR_SUCCESS or the registry's error.
 */
uint32_t prfdata_service_log_register(const uint16_t *program);
uint32_t prfdata_service_log_remove(void);

#endif
