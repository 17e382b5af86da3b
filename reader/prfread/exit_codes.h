/* SPDX-License-Identifier: MIT */
/* What prfread returns, as `prfread -? exit` explains it. */
#ifndef PRFDATA_READER_EXIT_CODES_H
#define PRFDATA_READER_EXIT_CODES_H

typedef enum prfdata_exit_code {
    PRFDATA_EXIT_OK = 0,
    PRFDATA_EXIT_USAGE = 1,   /* the command line is wrong */
    PRFDATA_EXIT_NOTHING = 2, /* no path or object was found */
    PRFDATA_EXIT_SOME = 3,    /* some were not found */
    PRFDATA_EXIT_SYSTEM = 4,  /* the system refused something: data, memory, a file */
    PRFDATA_EXIT_DAMAGED = 5  /* a provider's data is damaged; what could be read was shown */
} prfdata_exit_code;

#endif
