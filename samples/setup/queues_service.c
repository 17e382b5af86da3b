/* SPDX-License-Identifier: MIT */
/*
 * Runs as the Windows service MyQueues of the setup samples. `sc control MyQueues 128` adds a job
 * to its queue. The service publishes from its start, because the setup program installs the
 * counters before it starts services.
 *
 * The service has another name than the map. If the names were equal, the counters' registration
 * would be below the service's key, and would be deleted with the service.
 */
#include <prfdata/prfdata.h>

#include <windows.h>

#include "queues_map.h"

enum { CONTROL_JOB = 128 }; /* the first code that a service may define */

static SERVICE_STATUS_HANDLE status_handle;
static HANDLE stop_request;
static prfdata_handle jobs, rate;

static void set_state(DWORD state)
{
    SERVICE_STATUS status = {.dwServiceType = SERVICE_WIN32_OWN_PROCESS, .dwCurrentState = state};

    status.dwControlsAccepted = state == SERVICE_RUNNING ? SERVICE_ACCEPT_STOP : 0;
    SetServiceStatus(status_handle, &status);
}

static DWORD WINAPI handle_control(DWORD control, DWORD type, void *data, void *context)
{
    (void)type;
    (void)data;
    (void)context;
    switch (control) {
    case SERVICE_CONTROL_STOP:
        set_state(SERVICE_STOP_PENDING);
        SetEvent(stop_request);
        return NO_ERROR;
    case CONTROL_JOB:
        prfdata_increment(jobs);
        prfdata_increment(rate);
        return NO_ERROR;
    case SERVICE_CONTROL_INTERROGATE:
        return NO_ERROR;
    default:
        return ERROR_CALL_NOT_IMPLEMENTED;
    }
}

static void WINAPI run(DWORD count, wchar_t **arguments)
{
    prfdata_publisher *publisher;
    prfdata_instance queue;

    (void)count;
    (void)arguments;
    stop_request = CreateEventW(NULL, TRUE, FALSE, NULL);
    prfdata_open(&prfdata_default_map, &publisher);
    prfdata_instance_add(publisher, QUEUES, L"service", NULL, &queue);
    prfdata_resolve(publisher, QUEUES_JOBS, &queue, &jobs);
    prfdata_resolve(publisher, QUEUES_RATE, &queue, &rate);
    status_handle = RegisterServiceCtrlHandlerExW(L"MyQueues", handle_control, NULL);
    set_state(SERVICE_RUNNING);
    WaitForSingleObject(stop_request, INFINITE);
    prfdata_close(publisher);
    set_state(SERVICE_STOPPED);
}

int main(void)
{
    wchar_t name[] = L"MyQueues";
    const SERVICE_TABLE_ENTRYW services[] = {{name, run}, {NULL, NULL}};

    return StartServiceCtrlDispatcherW(services) ? 0 : 1; /* only the service manager starts it */
}
