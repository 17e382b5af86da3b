/* SPDX-License-Identifier: MIT */
/*
 * Shows text to the user who started the program: as UTF-8 if output is redirected, otherwise on
 * the console of the parent process, otherwise in a message box.
 */
#ifndef HWINPUT_SAY_H
#define HWINPUT_SAY_H

#include <stdint.h>
#include <wchar.h>

/*
 * Show one text.
 *
 * failed  Not 0: redirected output goes to standard error, and a message box has the error icon.
 * text    One or more lines separated by \n, without \n at the end.
 */
void say(int failed, const wchar_t *text);

/* Write the system's text for an error code, without a line end. If there is no text, write
 * "error <code>". */
void say_error_text(uint32_t error, wchar_t *text, size_t chars);

#endif
