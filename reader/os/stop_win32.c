/* SPDX-License-Identifier: MIT */
/* Sets an event at Ctrl+C, and when the console, the user's session or Windows ends. */
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

/*
 * Returns whether this process is a service, or was started by a service or a scheduled task. The
 * system tells such a process about the logoff of every user ("HandlerRoutine callback function",
 * learn.microsoft.com), but the process must continue afterwards. Session 0 has no users.
 */
static bool is_without_user(void)
{
    DWORD session = 0;

    return ProcessIdToSessionId(GetCurrentProcessId(), &session) && session == 0;
}

static BOOL WINAPI handle_control(DWORD control)
{
    if (control == CTRL_LOGOFF_EVENT && is_without_user())
        /* The system's handler, which is called next, also lets the process continue. */
        return FALSE;
    prfdata_stop_request();
    /*
     * If the console closes or the session ends, the system ends the process as soon as this
     * function returns, or after 5 seconds ("HandlerRoutine callback function",
     * learn.microsoft.com). The program needs a moment for its last row, its statistics and the end
     * of its files. So wait here; when the program has finished, it ends the process, and this
     * thread with it.
     */
    if (stop_event && control != CTRL_C_EVENT && control != CTRL_BREAK_EVENT)
        Sleep(INFINITE);
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
