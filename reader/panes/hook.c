/* SPDX-License-Identifier: MIT */
/* Puts a handler before a control's window procedure. */
#include "panes/hook.h"

#include <stdlib.h>

LRESULT prfdata_hook_pass(const prfdata_hook *hook, HWND window, UINT message, WPARAM wparam,
                          LPARAM lparam)
{
    return CallWindowProcW(hook->before, window, message, wparam, lparam);
}

static LRESULT CALLBACK hook_procedure(HWND window, UINT message, WPARAM wparam, LPARAM lparam)
{
    prfdata_hook *hook = (prfdata_hook *)GetWindowLongPtrW(window, GWLP_USERDATA);
    WNDPROC before;

    if (message != WM_NCDESTROY)
        return hook->handler(hook, window, message, wparam, lparam);
    before = hook->before;
    SetWindowLongPtrW(window, GWLP_WNDPROC, (LONG_PTR)before);
    SetWindowLongPtrW(window, GWLP_USERDATA, 0);
    free(hook);
    return CallWindowProcW(before, window, message, wparam, lparam);
}

void prfdata_hook_begin(HWND control, prfdata_hook_handler handler, void *context, unsigned kind)
{
    prfdata_hook *hook = malloc(sizeof *hook);

    if (!hook)
        return;
    *hook =
        (prfdata_hook){handler, context, kind, (WNDPROC)GetWindowLongPtrW(control, GWLP_WNDPROC)};
    SetWindowLongPtrW(control, GWLP_USERDATA, (LONG_PTR)hook);
    SetWindowLongPtrW(control, GWLP_WNDPROC, (LONG_PTR)hook_procedure);
}
