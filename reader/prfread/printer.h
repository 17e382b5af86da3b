/* SPDX-License-Identifier: MIT */
/*
 * Messages as lines on standard error, or where the program wants them: "Error: <subject>: <text>".
 * Each error and each warning about a subject is printed once, so tasks that run for long may
 * report it each time that they meet it, until they say that it is over; notes and hints are
 * printed each time.
 */
#ifndef PRFDATA_READER_PRINTER_H
#define PRFDATA_READER_PRINTER_H

#include "base/hash_table.h"
#include "text/messages.h"

/* Shows a line, UTF-8 without its end. `message` is what it was made of, for its severity. */
typedef void prfdata_printer_show(const prfdata_message *message, prfdata_output *line);

typedef struct prfdata_printer {
    prfdata_messages messages; /* a message that is added here is printed at once */
    prfdata_messages printed;
    prfdata_hash_table table; /* of positions in `printed` */
    prfdata_printer_show *show;
} prfdata_printer;

/*
 * Begin. The printer must stay where it is.
 * show  Where the lines go; NULL: standard error.
 */
void prfdata_printer_init(prfdata_printer *printer, prfdata_printer_show *show);

/* Release everything. */
void prfdata_printer_free(prfdata_printer *printer);

#endif
