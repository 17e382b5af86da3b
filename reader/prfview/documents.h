/* SPDX-License-Identifier: MIT */
/* Opens files and computers, and records and saves data. */
#ifndef PRFDATA_READER_DOCUMENTS_H
#define PRFDATA_READER_DOCUMENTS_H

#include "prfview/app.h"

#define PRFDATA_DOCUMENTS_LIVE_BYTES (64u << 20) /* limit for live samples that are kept */

/* Open a saved block or a recording in place of what is shown. Returns whether it is open;
 * otherwise the reason was shown. */
bool prfdata_documents_open(prfdata_app *app, prfdata_text path);
/* Begin to read the same computer again, because counters were installed, removed or renamed. */
void prfdata_documents_read_again(prfdata_app *app);
/* Read a computer in place of what is shown. An empty name means this computer. */
void prfdata_documents_read_computer(prfdata_app *app, prfdata_text computer);
/* Add the samples of a newer file of the same computer. */
void prfdata_documents_append(prfdata_app *app, prfdata_text path);
/* End the current recording, if there is one. */
void prfdata_documents_end_record(prfdata_app *app);
/* Run a command that uses files, or that reads a computer. */
void prfdata_documents_run(prfdata_app *app, uint32_t command);

#endif
