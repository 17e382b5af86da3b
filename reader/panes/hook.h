/* SPDX-License-Identifier: MIT */
/*
 * Installs a handler that gets a control's messages before the control does. SetWindowSubclass() is
 * not used, because it looks up a window property for each message. Under Wine, each look-up asks
 * another process. Call it only from the window's thread.
 */
#ifndef PRFDATA_READER_HOOK_H
#define PRFDATA_READER_HOOK_H

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>

typedef struct prfdata_hook prfdata_hook;

/* Handles a message, or passes it on with prfdata_hook_pass(). Returns the control's answer. */
typedef LRESULT (*prfdata_hook_handler)(const prfdata_hook *hook, HWND window, UINT message,
                                        WPARAM wparam, LPARAM lparam);

struct prfdata_hook {
    prfdata_hook_handler handler;
    void *context; /* for the handler, like the next field */
    unsigned kind;
    WNDPROC before; /* the control's own procedure */
};

/*
 * Handle the messages of a control as long as it exists. The hook uses the control's GWLP_USERDATA,
 * which the system's controls do not use. If there is no memory, nothing changes.
 */
void prfdata_hook_begin(HWND control, prfdata_hook_handler handler, void *context, unsigned kind);

/* Let the control itself handle a message. */
LRESULT prfdata_hook_pass(const prfdata_hook *hook, HWND window, UINT message, WPARAM wparam,
                          LPARAM lparam);

#endif
