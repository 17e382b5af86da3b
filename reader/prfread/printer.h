/* SPDX-License-Identifier: MIT */
/*
 * Messages as lines on standard error: "Error: <subject>: <text>". Each error and each
 * warning about a subject is printed once, so tasks that run for long may report it each time that
 * they meet it; notes and hints are printed each time.
 */
#ifndef PRFDATA_READER_PRINTER_H
#define PRFDATA_READER_PRINTER_H

#include "core/hash_table.h"
#include "text/messages.h"

typedef struct prfdata_printer {
    prfdata_messages messages; /* a message that is added here is printed at once */
    prfdata_messages printed;
    prfdata_hash_table table; /* of positions in `printed` */
} prfdata_printer;

/* Begin. The printer must stay where it is. */
void prfdata_printer_init(prfdata_printer *printer);

/* Release everything. */
void prfdata_printer_free(prfdata_printer *printer);

#endif
