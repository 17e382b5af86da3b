/* SPDX-License-Identifier: MIT */
/* Ctrl+C as an event that is set. */
#include "os/stop.h"

#include <windows.h>

#include "system/os.h"

static HANDLE stop_event;

void prfdata_stop_prepare(void)
{
    stop_event = CreateEventW(NULL, TRUE, FALSE, NULL);
}

void prfdata_stop_request(void)
{
    if (stop_event)
        SetEvent(stop_event);
}

static BOOL WINAPI handle_control(DWORD control)
{
    prfdata_stop_request();
    /* Rows are written whole, so the other reasons (logoff, ...) may end the process at once. */
    return control == CTRL_C_EVENT || control == CTRL_BREAK_EVENT;
}

void prfdata_stop_catch(void)
{
    prfdata_stop_prepare();
    if (stop_event)
        SetConsoleCtrlHandler(handle_control, TRUE);
}

bool prfdata_stop_wait_until(uint64_t due_ms)
{
    uint64_t now = prfdata_os_milliseconds();
    DWORD wait_ms = due_ms <= now ? 0 : (DWORD)(due_ms - now < INFINITE ? due_ms - now : INFINITE);

    if (!stop_event) {
        Sleep(wait_ms);
        return true;
    }
    return WaitForSingleObject(stop_event, wait_ms) == WAIT_TIMEOUT;
}

intptr_t prfdata_stop_handle(void)
{
    return (intptr_t)stop_event;
}
