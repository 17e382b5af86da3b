/* SPDX-License-Identifier: MIT */
/* Handles the messages of the reading thread to the window. */
#ifndef PRFDATA_READER_INCOMING_H
#define PRFDATA_READER_INCOMING_H

#include "prfview/app.h"

/* Handle a message of the reading thread. Returns false if it is another message. */
bool prfdata_incoming_take(prfdata_app *app, UINT message, WPARAM wparam, LPARAM lparam);

#endif
