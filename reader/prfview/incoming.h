/* SPDX-License-Identifier: MIT */
/* The messages that the thread that reads sends to the window. */
#ifndef PRFDATA_READER_INCOMING_H
#define PRFDATA_READER_INCOMING_H

#include "prfview/app.h"

/* Take a message of the thread that reads. Returns false if it is another message. */
bool prfdata_incoming_take(prfdata_app *app, UINT message, WPARAM wparam, LPARAM lparam);

#endif
