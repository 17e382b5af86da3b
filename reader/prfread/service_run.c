/* SPDX-License-Identifier: MIT */
/*
 * Runs the service, handles the requests of the service manager on another thread, and reports the
 * states of the service to the service manager. A process has only one service, so its data is
 * static. prfread.c does the work of the service; service_install.c registers it. Windows only.
 */
#include <windows.h>

#include "prfread/service.h"

#include <string.h>

#include <prfdata/error.h>

#include "os/stop.h"
#include "prfread/service_command.h"

#define WIDE_OF(text) L##text
#define WIDE(text)    WIDE_OF(text)

/*
 * The time that the service manager is told to wait until the service listens, or has stopped.
 * Before the service listens, it opens the source, which may load slow providers.
 */
#define WAIT_HINT_MS 30000

static struct {
    prfdata_service_body *body;
    void *context;
    SERVICE_STATUS_HANDLE handle;
    LONG is_stopping; /* the service manager asked the service to stop */
} service;

static void set_service_state(DWORD state, DWORD exit_code)
{
    const bool is_pending = state == SERVICE_START_PENDING || state == SERVICE_STOP_PENDING;
    SERVICE_STATUS status;

    memset(&status, 0, sizeof status);
    status.dwServiceType = SERVICE_WIN32_OWN_PROCESS;
    status.dwCurrentState = state;
    status.dwControlsAccepted =
        state == SERVICE_RUNNING ? SERVICE_ACCEPT_STOP | SERVICE_ACCEPT_SHUTDOWN : 0;
    status.dwWin32ExitCode = exit_code == 0 ? NO_ERROR : ERROR_SERVICE_SPECIFIC_ERROR;
    status.dwServiceSpecificExitCode = exit_code;
    status.dwWaitHint = is_pending ? WAIT_HINT_MS : 0;
    (void)SetServiceStatus(service.handle, &status);
}

static DWORD WINAPI handle_service_control(DWORD control, DWORD type, void *data, void *context)
{
    (void)type;
    (void)data;
    (void)context;
    switch (control) {
    case SERVICE_CONTROL_STOP:
    case SERVICE_CONTROL_SHUTDOWN:
        /* Report this state before the body is asked to stop, because SERVICE_STOPPED must be the
         * last state that is reported. */
        set_service_state(SERVICE_STOP_PENDING, 0);
        InterlockedExchange(&service.is_stopping, 1);
        prfdata_stop_request();
        return NO_ERROR;
    case SERVICE_CONTROL_INTERROGATE:
        return NO_ERROR;
    default:
        return ERROR_CALL_NOT_IMPLEMENTED;
    }
}

static void WINAPI run_service(DWORD count, wchar_t **arguments)
{
    prfdata_exit_code exit_code;

    (void)count;
    (void)arguments;
    service.handle =
        RegisterServiceCtrlHandlerExW(WIDE(PRFDATA_SERVICE_NAME), handle_service_control, NULL);
    if (!service.handle)
        return;
    set_service_state(SERVICE_START_PENDING, 0);
    exit_code = service.body(service.context);
    /*
     * The service manager restarts a service that ends with a failure. A service that was asked to
     * stop has not failed, whatever the exit code is. If the command line is invalid, a restart
     * would only find the same mistake, which is already in the event log.
     */
    if (exit_code == PRFDATA_EXIT_USAGE ||
        InterlockedCompareExchange(&service.is_stopping, 0, 0) != 0)
        exit_code = PRFDATA_EXIT_OK;
    set_service_state(SERVICE_STOPPED, (DWORD)exit_code);
}

uint32_t prfdata_service_run(prfdata_service_body *body, void *context)
{
    wchar_t name[] = WIDE(PRFDATA_SERVICE_NAME);
    const SERVICE_TABLE_ENTRYW services[] = {{name, run_service}, {NULL, NULL}};

    service.body = body;
    service.context = context;
    prfdata_stop_prepare();
    return StartServiceCtrlDispatcherW(services) ? ERROR_SUCCESS : GetLastError();
}

void prfdata_service_report_serving(const char *url)
{
    set_service_state(SERVICE_RUNNING, 0);
    prfdata_service_log_write(PRFDATA_SERVICE_EVENT_SERVING, url, strlen(url));
}
