/* SPDX-License-Identifier: MIT */
/* The words of access lists, for people: the accounts by name. Windows only. */
#ifndef PRFDATA_ACCESS_TEXT_H
#define PRFDATA_ACCESS_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include <windows.h>

/*
 * List who may make files in an open folder, such as "SYSTEM, Administrators, Services".
 *
 * text  Room for `capacity` chars; what does not fit is cut.
 */
void prfdata_access_text_writers(HANDLE handle, wchar_t *text, size_t capacity);

/* Describe how the rights that a folder has differ from those that it should have; false: not. */
bool prfdata_access_text_differ(PSECURITY_DESCRIPTOR wanted, PSECURITY_DESCRIPTOR present,
                                wchar_t *text, size_t capacity);

#endif
