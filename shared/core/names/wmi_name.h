/* SPDX-License-Identifier: MIT */
/*
 * Makes and compares the names that WMI derives for classes and properties: `%` becomes Percent,
 * `/` Per, `#` Number; every other character that is not an ASCII letter, digit or `_` is dropped.
 * Case does not matter.
 */
#ifndef PRFDATA_WMI_NAME_H
#define PRFDATA_WMI_NAME_H

#include <stdbool.h>
#include <wchar.h>

/* Whether `a_text` plus `a_end` has the same WMI name as `b_text` plus `b_end`. Ends are ASCII. */
bool prfdata_wmi_name_equal(const wchar_t *a_text, const char *a_end, const wchar_t *b_text,
                            const char *b_end);

/* The size of the longest WMI name, with NUL: that of a name of 127 percent signs. */
enum { PRFDATA_WMI_NAME_BYTES = 7 * 127 + 1 };

/* Write the name that WMI derives from a text of at most 127 characters. */
void prfdata_wmi_name_write(const wchar_t *text, char name[PRFDATA_WMI_NAME_BYTES]);

bool prfdata_wmi_name_is_empty(const wchar_t *text);

/* Whether the name is a property that every performance class inherits from Win32_Perf. */
bool prfdata_wmi_name_is_inherited(const wchar_t *text);

#endif
