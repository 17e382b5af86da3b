/* SPDX-License-Identifier: MIT */
/*
 * Prints messages as lines on standard error, such as "Error: <subject>: <text>", or passes the
 * lines without the severity to a function of the program. Each error and each warning about a
 * subject is printed once, so a task that runs for long may report the same problem again and
 * again. After prfdata_messages_forget() all of them can be printed once more. Notes and hints are
 * printed each time.
 */
#ifndef PRFDATA_READER_PRINTER_H
#define PRFDATA_READER_PRINTER_H

#include "base/hash_table.h"
#include "text/messages.h"

/*
 * Shows a line, which is UTF-8 without a line end. The line was made from `message`, and does not
 * name the severity.
 */
typedef void prfdata_printer_show(const prfdata_message *message, prfdata_output *line);

typedef struct prfdata_printer {
    prfdata_messages messages; /* a message that is added here is printed at once */
    prfdata_messages printed;
    prfdata_hash_table table; /* index of positions in `printed` */
    prfdata_printer_show *show;
} prfdata_printer;

/*
 * Begin to print. The printer must stay at its address.
 * show  Function that shows the lines; NULL: standard error.
 */
void prfdata_printer_init(prfdata_printer *printer, prfdata_printer_show *show);

/* Release everything. */
void prfdata_printer_free(prfdata_printer *printer);

#endif
