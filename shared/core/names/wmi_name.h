/* SPDX-License-Identifier: MIT */
/*
 * The names that WMI derives for classes and properties: `%` becomes Percent, `/` Per, `#` Number;
 * everything that is no ASCII letter, digit or `_` is dropped, and case does not count.
 */
#ifndef PRFDATA_WMI_NAME_H
#define PRFDATA_WMI_NAME_H

#include <stdbool.h>
#include <wchar.h>

/* Whether two texts, each with something in ASCII after it, have the same name. */
bool prfdata_wmi_name_equal(const wchar_t *a_text, const char *a_end, const wchar_t *b_text,
                            const char *b_end);

bool prfdata_wmi_name_is_empty(const wchar_t *text);

/* Whether it is a property that every performance class inherits from Win32_Perf. */
bool prfdata_wmi_name_is_inherited(const wchar_t *text);

#endif
