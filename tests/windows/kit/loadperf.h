/* SPDX-License-Identifier: MIT */
/* loadperf.dll as the kit calls it: titles of its services, loaded and unloaded. Windows only. */
#ifndef PRFDATA_KIT_LOADPERF_H
#define PRFDATA_KIT_LOADPERF_H

#include "kit.h"

#define LOAD_SERVICE L"PrfDataKitLoad"

/* The status of a call that was not made: loadperf.dll lacks the function. */
#define LOADPERF_ABSENT 0xFFFFFFFFu

/* Call LoadPerfCounterTextStringsW with this command line, which begins with a word to skip. */
DWORD kit_load_titles(const wchar_t *command);

/* Call UnloadPerfCounterTextStringsW for a service. */
DWORD kit_unload_titles(const wchar_t *service);

/* A number of a service's Performance key; 0: it has none. */
DWORD kit_service_number(const wchar_t *service, const wchar_t *name);

/*
 * Read one text of a title list, "Counter 009" or "Explain 009", in UTF-8. False: there is none.
 */
bool kit_find_title(const wchar_t *list, DWORD index, char *text, size_t capacity);

/* The lowest index that a list has a title at, whatever the case of letters; 0: none. */
DWORD kit_find_index(const wchar_t *list, const wchar_t *title);

/* Give the provider titles, in the languages of this Windows, so that PDH finds it by name; false:
 * loadperf did not. */
bool kit_load_probe_titles(kit *k);

/* Whether it has titles that loadperf gave it. */
bool kit_has_probe_titles(void);

/* Unload the titles of the kit's services, where loadperf loaded some. */
DWORD kit_unload_all_titles(void);

#endif
