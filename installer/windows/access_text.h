/* SPDX-License-Identifier: MIT */
/* Describes access lists to people, with the names of accounts. Windows only. */
#ifndef PRFDATA_ACCESS_TEXT_H
#define PRFDATA_ACCESS_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include <windows.h>

/*
 * List who may create files in an open folder, such as "SYSTEM, Administrators, Services".
 *
 * text  Room for `capacity` chars; a longer text is cut.
 */
void prfdata_access_text_writers(HANDLE handle, wchar_t *text, size_t capacity);

/*
 * Describe how the rights of a folder differ from the wanted rights. Returns false if they do not
 * differ.
 */
bool prfdata_access_text_differ(PSECURITY_DESCRIPTOR wanted, PSECURITY_DESCRIPTOR present,
                                wchar_t *text, size_t capacity);

#endif
