/* SPDX-License-Identifier: MIT */
/*
 * Text for whoever started this windows program: redirected output gets UTF-8, a console gets
 * lines, everybody else a message box.
 */
#ifndef HWINPUT_SAY_H
#define HWINPUT_SAY_H

#include <stdint.h>
#include <wchar.h>

/*
 * Say one text of one or more lines, separated by \n, without one at the end.
 *
 * failed  Redirected: goes to the standard error output. Message box: has the error sign.
 */
void say(int failed, const wchar_t *text);

/* What the system says about an error code, without line end; "error <code>" if it has no text. */
void say_error_text(uint32_t error, wchar_t *text, size_t chars);

#endif
