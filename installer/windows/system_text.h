/* SPDX-License-Identifier: MIT */
/* Fetches the system's texts of errors, for people. Windows only. */
#ifndef PRFDATA_SYSTEM_TEXT_H
#define PRFDATA_SYSTEM_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

/*
 * Write the system's text for an error, then the error's number: "Access is denied (5)". The result
 * is one line.
 *
 * inserted  A text, such as a path, that replaces %1 to %9 in the system's text. NULL means "it".
 * text      Room for `capacity` chars; a longer text is cut.
 */
void prfdata_system_text(uint32_t code, const wchar_t *inserted, wchar_t *text, size_t capacity);

#endif
