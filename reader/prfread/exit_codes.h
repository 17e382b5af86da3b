/* SPDX-License-Identifier: MIT */
/*
 * Lists the exit codes of prfread. `prfread -? exit` prints this list. 2 means an invalid command
 * line in all programs of PrfData.
 */
#ifndef PRFDATA_READER_EXIT_CODES_H
#define PRFDATA_READER_EXIT_CODES_H

#define PRFDATA_EXIT_CODES(X)                                                                      \
    X(OK, 0, "success")                                                                            \
    X(NOTHING, 1, "no counter or object was found: No valid counters")                             \
    X(USAGE, 2, "the command line or the file of -config is wrong; nothing was read")              \
    X(SOME, 3, "some paths or objects were never found")                                           \
    X(SYSTEM, 4, "the system refused something: data, memory, a file; or a provider failed")       \
    X(DAMAGED, 5, "data is damaged, or a file is cut short; what could be read was shown")

#define PRFDATA_EXIT_ENUMERATOR(symbol, code, text) PRFDATA_EXIT_##symbol = (code),

typedef enum prfdata_exit_code { PRFDATA_EXIT_CODES(PRFDATA_EXIT_ENUMERATOR) } prfdata_exit_code;

#endif
