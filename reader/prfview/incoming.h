/* SPDX-License-Identifier: MIT */
/* What the thread that reads sends to the window. */
#ifndef PRFDATA_READER_INCOMING_H
#define PRFDATA_READER_INCOMING_H

#include "prfview/app.h"

/* A message that the window sends itself: begin again with this source, outside of what it does
 * now. */
#define PRFDATA_INCOMING_READ_AGAIN (WM_APP + 20)

/* Take a message of the thread that reads. Returns false if it is another message. */
bool prfdata_incoming_take(prfdata_app *app, UINT message, WPARAM wparam, LPARAM lparam);

#endif
