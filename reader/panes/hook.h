/* SPDX-License-Identifier: MIT */
/*
 * A hearer of a control's messages, which gets them before the control does. As
 * SetWindowSubclass(), but for one hearer of a control, with no property of the window to be looked
 * up for each message: under Wine that asks another process, and some list views ask their heading
 * once for each row. Only the window's thread calls.
 */
#ifndef PRFDATA_READER_HOOK_H
#define PRFDATA_READER_HOOK_H

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>

typedef struct prfdata_hook prfdata_hook;

/* Handles a message, or passes it on: prfdata_hook_pass(). Returns what the control is to answer.
 */
typedef LRESULT (*prfdata_hook_handler)(const prfdata_hook *hook, HWND window, UINT message,
                                        WPARAM wparam, LPARAM lparam);

struct prfdata_hook {
    prfdata_hook_handler handler;
    void *context; /* the handler's, as what follows */
    unsigned kind;
    WNDPROC before; /* the control's own */
};

/*
 * Hear the messages of a control for as long as it lives. Its GWLP_USERDATA, which no control of
 * the system uses, is the hook's. Without memory the control stays as it is.
 */
void prfdata_hook_begin(HWND control, prfdata_hook_handler handler, void *context, unsigned kind);

/* What the control does itself with a message. */
LRESULT prfdata_hook_pass(const prfdata_hook *hook, HWND window, UINT message, WPARAM wparam,
                          LPARAM lparam);

#endif
