/* SPDX-License-Identifier: MIT */
/* Declares calls of loadperf.dll that load and unload titles of the kit's services. Windows
 * only. */
#ifndef PRFDATA_KIT_LOADPERF_H
#define PRFDATA_KIT_LOADPERF_H

#include "kit.h"

#define LOAD_SERVICE L"PrfDataKitLoad"

/* The status if loadperf.dll lacks the function, so that no call was made. */
#define LOADPERF_ABSENT 0xFFFFFFFFu

/* Calls LoadPerfCounterTextStringsW with this command line, whose first word is skipped. */
DWORD kit_load_titles(const wchar_t *command);

/* Calls UnloadPerfCounterTextStringsW for a service. */
DWORD kit_unload_titles(const wchar_t *service);

/* Returns a number of a service's Performance key, or 0 if there is none. */
DWORD kit_service_number(const wchar_t *service, const wchar_t *name);

/*
 * Reads one string of a title list, "Counter 009" or "Explain 009", in UTF-8. Returns false if
 * there is none.
 */
bool kit_find_title(const wchar_t *list, DWORD index, char *text, size_t capacity);

/* Returns the lowest index at which a list has a title, ignoring case, or 0 if it has none. */
DWORD kit_find_index(const wchar_t *list, const wchar_t *title);

/* Gives the provider titles in the languages of this Windows, so that PDH finds the provider by
 * name. Returns false if loadperf did not load the titles. */
bool kit_load_probe_titles(kit *k);

/* Returns whether the provider has titles that loadperf loaded. */
bool kit_has_probe_titles(void);

/* Unloads the titles of the kit's services that loadperf loaded. */
DWORD kit_unload_all_titles(void);

#endif
