/* SPDX-License-Identifier: MIT */
/* Files and computers: what is shown, recorded and saved. */
#ifndef PRFDATA_READER_DOCUMENTS_H
#define PRFDATA_READER_DOCUMENTS_H

#include "prfview/app.h"

#define PRFDATA_DOCUMENTS_LIVE_BYTES (64u << 20) /* of live samples that are kept */

/* Open a saved block or a recording instead of what is shown. Failures are shown. */
bool prfdata_documents_open(prfdata_app *app, prfdata_text path);
/* Begin again with the computer that is read: other counters are installed, or have other names. */
void prfdata_documents_read_again(prfdata_app *app);
/* Read a computer instead of what is shown; empty: this one. */
void prfdata_documents_read_computer(prfdata_app *app, prfdata_text computer);
/* Add the samples of a newer file of the same computer. */
void prfdata_documents_append(prfdata_app *app, prfdata_text path);
/* End the recording that is written now, if there is one. */
void prfdata_documents_end_record(prfdata_app *app);
/* Commands with a file. */
void prfdata_documents_run(prfdata_app *app, uint32_t command);

#endif
