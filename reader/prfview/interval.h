/* SPDX-License-Identifier: MIT */
/* Manages the interval at which the window reads, and the pause. */
#ifndef PRFDATA_READER_INTERVAL_H
#define PRFDATA_READER_INTERVAL_H

#include "prfview/app.h"

uint32_t prfdata_interval_of_menu(uint32_t index); /* in ms */
const wchar_t *prfdata_interval_text(prfdata_number_style style, uint32_t interval_ms,
                                     wchar_t text[PRFDATA_STRINGS_CHARS]); /* returns `text` */
/* Set the interval. The list above the table shows it, even if the list did not offer it. */
void prfdata_interval_set(prfdata_app *app, uint32_t interval_ms);
/* Let the reading obey the viewer's pause. During a pause, samples are read only on request, or for
 * a recording. */
void prfdata_interval_apply_pause(const prfdata_app *app);
/* Show on the button whether it would begin or end the pause. */
void prfdata_interval_show_pause(const prfdata_app *app);

#endif
