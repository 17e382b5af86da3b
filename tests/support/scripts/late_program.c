/* SPDX-License-Identifier: MIT */
/* Counts before its counters are installed, for tests/scripts/68-late-installation.sh. It opens the
 * map in a file, resolves one handle, and counts 1,000. Then it counts one every 10 ms and makes no
 * other calls. If the service manager starts it, it runs as the service PrfDataLate; otherwise it
 * runs until it is killed. Windows only. */
#include <stdio.h>

#include <windows.h>

#include <prfdata/map_file.h>
#include <prfdata/prfdata.h>

enum { REQUESTS = 2, COUNTED_AT_ONCE = 1000 };

static wchar_t map_file[MAX_PATH];

static void count_for_ever(void)
{
    prfdata_publisher *publisher;
    prfdata_handle requests;

    (void)prfdata_open_file(map_file, &publisher);
    if (prfdata_resolve(publisher, REQUESTS, NULL, &requests) != ERROR_SUCCESS)
        ExitProcess(1);
    prfdata_add(requests, COUNTED_AT_ONCE);
    printf("counting\n");
    fflush(stdout);
    for (;; Sleep(10))
        prfdata_increment(requests);
}

static DWORD WINAPI control(DWORD code, DWORD type, void *data, void *context)
{
    (void)type;
    (void)data;
    (void)context;
    if (code == SERVICE_CONTROL_STOP)
        ExitProcess(0);
    return NO_ERROR;
}

static void WINAPI serve(DWORD count, wchar_t **arguments)
{
    SERVICE_STATUS status = {
        SERVICE_WIN32_OWN_PROCESS, SERVICE_RUNNING, SERVICE_ACCEPT_STOP, 0, 0, 0, 0};

    (void)count;
    (void)arguments;
    SetServiceStatus(RegisterServiceCtrlHandlerExW(L"PrfDataLate", control, NULL), &status);
    count_for_ever();
}

int main(int argument_count, char **arguments)
{
    wchar_t name[] = L"PrfDataLate";
    const SERVICE_TABLE_ENTRYW table[] = {{name, serve}, {NULL, NULL}};

    if (argument_count != 2)
        return 2;
    MultiByteToWideChar(CP_ACP, 0, arguments[1], -1, map_file, MAX_PATH);
    if (!StartServiceCtrlDispatcherW(table))
        count_for_ever();
    return 0;
}
