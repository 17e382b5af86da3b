/* SPDX-License-Identifier: MIT */
/* Copies a text to the clipboard. */
#include "channels/clipboard.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "panes/strings.h"

/* Return a copy that the clipboard can own; NULL: no memory. */
static HGLOBAL clipboard_memory(const wchar_t *text)
{
    const size_t size = (wcslen(text) + 1) * sizeof *text;
    HGLOBAL memory = GlobalAlloc(GMEM_MOVEABLE, size);
    void *to = memory ? GlobalLock(memory) : NULL;

    if (to) {
        memcpy(to, text, size);
        GlobalUnlock(memory);
    }
    return memory;
}

/* Retry, because another program may have the clipboard open for a moment. */
static bool open_clipboard(HWND window)
{
    for (int i = 0; i < 10; i++) {
        if (OpenClipboard(window))
            return true;
        Sleep(20);
    }
    return false;
}

/*
 * Give the memory to the clipboard. NULL is refused, because SetClipboardData() would take it as
 * the promise of a text that nobody provides later (learn.microsoft.com, "SetClipboardData
 * function").
 */
static bool put_on_clipboard(HWND window, HGLOBAL memory)
{
    bool is_copied;

    if (!memory || !open_clipboard(window))
        return false;
    EmptyClipboard();
    is_copied = SetClipboardData(CF_UNICODETEXT, memory) != NULL;
    CloseClipboard();
    return is_copied;
}

bool prfdata_clipboard_copy(HWND window, const prfdata_output *output)
{
    wchar_t *wide = output->failed ? NULL : prfdata_strings_wide(output->bytes, output->used);
    HGLOBAL memory = wide ? clipboard_memory(wide) : NULL;
    const bool is_copied = put_on_clipboard(window, memory);

    if (memory && !is_copied)
        GlobalFree(memory);
    free(wide);
    return is_copied;
}
