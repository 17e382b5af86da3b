/* SPDX-License-Identifier: MIT */
/*
 * Protects the percent signs in the texts of events. A program that shows an event puts the texts
 * into a message, and then replaces %1, %%1 and %{...} in the texts, too. There is no way to escape
 * a percent sign (MS-EVEN, 3.2.4.1.5, "Expanding Unexpanded Event Description Strings").
 */
#ifndef PRFDATA_EVENT_TEXT_H
#define PRFDATA_EVENT_TEXT_H

#include <wchar.h>

/*
 * Replace each percent sign that stands before a digit, a percent sign or an opening brace by a
 * fullwidth percent sign (U+FF05), which looks like it.
 */
void prfdata_event_text_protect(wchar_t *text);

#endif
