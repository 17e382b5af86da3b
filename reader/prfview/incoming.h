/* SPDX-License-Identifier: MIT */
/* Handles the messages that the reading threads send to the window. */
#ifndef PRFDATA_READER_INCOMING_H
#define PRFDATA_READER_INCOMING_H

#include "prfview/app.h"

/* Handle a message of a reading thread. Returns false if the message does not come from a reading
 * thread. */
bool prfdata_incoming_take(prfdata_app *app, UINT message, WPARAM wparam, LPARAM lparam);

#endif
