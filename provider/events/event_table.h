/* SPDX-License-Identifier: MIT */
/*
 * Declares the events of a provider in one table, from which the enumerators and severities are
 * generated. A new event also needs its text in messages.mc and a row in docs/events.md; the test
 * event_table fails if they differ. Events of programs have their own table
 * (shared/core/system/program_events.h).
 */
#ifndef PRFDATA_EVENT_TABLE_H
#define PRFDATA_EVENT_TABLE_H

#include "system/program_events.h"

/*
 * X(name, number, severity, detail, statement, advice)
 *
 * number     Never changes. Its thousands are the lowest EventLogLevel at which the event is
 *            written. Its last three digits are 100 or less; events of programs have 101 or more.
 * severity   ERROR: no values of the service are shown, memory is exhausted, or a page of a region
 *            could not be read. WARNING: something is left out or out of date, or one reader gets
 *            no values. INFORMATION: everything is shown, or publishing was switched off.
 * detail     The meaning of %2; "" if the event has none.
 * statement  What happened: %1 is the service, %2 the detail, %3 a Win32 code.
 * advice     What the administrator should do. The event log shows statement and advice.
 */
#define PRFDATA_PROVIDER_EVENTS(X)                                                                 \
    X(VALUE_MISSING, 1001, ERROR, "value",                                                         \
      "The performance counters of %1 are not shown: the value \"%2\" of its Performance key "     \
      "cannot be read (error %3).",                                                                \
      "Install the counters again.")                                                               \
    X(MAP_INVALID, 1002, ERROR, "",                                                                \
      "The performance counters of %1 are not shown: the value \"Maps\" of its Performance key "   \
      "is damaged, or belongs to another service (error %3).",                                     \
      "Install the counters again.")                                                               \
    X(FOLDER_CLOSED, 1003, ERROR, "",                                                              \
      "The performance counters of %1 have no values: the regions folder, which the value "        \
      "\"Regions\" of its Performance key names, cannot be opened (error %3).",                    \
      "Install the counters again, or add the reader's account to the group Performance Monitor "  \
      "Users.")                                                                                    \
    X(REGION_DENIED, 1004, WARNING, "file",                                                        \
      "Performance counters of %1 are incomplete: the file %2 in the regions folder cannot be "    \
      "opened (error %3).",                                                                        \
      "Add the reader's account to the group Performance Monitor Users, or find the program "      \
      "that keeps the file locked.")                                                               \
    X(REGION_UNUSABLE, 1005, WARNING, "file",                                                      \
      "Performance counters of %1 are incomplete: the file %2 in the regions folder is not a "     \
      "plain file, is empty, or is too large to be read.",                                         \
      "Switch off the encryption of the folder and the compression of its files. If the file is "  \
      "empty, restart the program. If the file is large, let the program publish fewer "           \
      "instances.")                                                                                \
    X(REGION_MAP, 1006, WARNING, "file",                                                           \
      "Performance counters of %1 are incomplete: a program publishes a version of them that is "  \
      "not registered (file %2).",                                                                 \
      "Restart the program with an installed version, or install its counters. The current "       \
      "version and eight earlier ones are registered.")                                            \
    X(REGION_VERSION, 1007, WARNING, "file",                                                       \
      "Performance counters of %1 are incomplete: the file %2 in the regions folder has a "        \
      "format that this provider does not know.",                                                  \
      "Install the provider that belongs to the publishing program.")                              \
    X(REGION_DAMAGED, 1008, WARNING, "file",                                                       \
      "Performance counters of %1 are incomplete: the file %2 in the regions folder is damaged "   \
      "and is ignored.",                                                                           \
      "Restart the publishing program. If this recurs, the program is corrupting its own "         \
      "memory.")                                                                                   \
    X(REGION_FAULTED, 1009, ERROR, "file",                                                         \
      "Performance counters of %1 are incomplete: reading the file %2 in the regions folder "      \
      "failed, and the file is ignored.",                                                          \
      "Check the disk for errors, and find out whether a program truncates the file.")             \
    X(TOO_MANY_REGIONS, 1010, WARNING, "limit",                                                    \
      "Performance counters of %1 are incomplete: its regions folder holds more than %2 files, "   \
      "and readers read no more than that.",                                                       \
      "Let fewer programs publish at once; the option -Status of the installer names the account " \
      "that has most of the files. If the limit is a size, you can raise the value \"Regions "     \
      "MiB\" of the Performance key. -Reset removes the files of all ended programs and so sets "  \
      "their counts to zero. After a restart of Windows these files no longer count; Shut down "   \
      "with Fast Startup is not a restart.")                                                       \
    X(TOO_LARGE, 1011, WARNING, "object",                                                          \
      "Performance counters of %1 are incomplete: in all programs together, the object \"%2\" "    \
      "has more instances than fit into a reply (65,535, or 32 MiB).",                             \
      "Let the programs have fewer instances at once.")                                            \
    X(PUBLISHER_FULL, 1012, WARNING, "file",                                                       \
      "Performance counters of %1 are incomplete: a program had more instances, or instances "     \
      "with longer names, than its counters have room for (file %2).",                             \
      "Raise the maximum of instances, or of characters in their names, in the map, or the "       \
      "number that the program passes to prfdata_open_with. Then install the counters again and "  \
      "restart the program.")                                                                      \
    X(TITLES_INVALID, 1013, ERROR, "",                                                             \
      "The performance counters of %1 are not shown: \"First Counter\" or \"First Help\" of its "  \
      "Performance key is not a valid start for its titles.",                                      \
      "Install the counters again.")                                                               \
    X(MAP_VERSION, 1014, WARNING, "",                                                              \
      "The performance counters of %1 are not shown as they are installed: the value \"Maps\" "    \
      "of its Performance key has a newer format than this provider knows.",                       \
      "Restart the reader, so that it loads the installed provider. If this event is reported "    \
      "again, install the counters again.")                                                        \
    X(EARLIER_LEFT_OUT, 1015, WARNING, "object",                                                   \
      "Performance counters of %1 are incomplete: programs that use an earlier version of them "   \
      "have so many instances of the object \"%2\" that reading these would take too much "        \
      "memory. They are left out.",                                                                \
      "Restart these programs with the current version, or let them have fewer instances.")        \
    X(SHARE_USED_UP, 1016, WARNING, "account",                                                     \
      "Performance counters of %1 are incomplete: programs of the account %2 publish more than "   \
      "their share of what a reader can read, and other accounts need the rest.",                  \
      "Let fewer programs of this account publish at once, or let them have fewer instances. If "  \
      "the account should not publish at all, install the counters with -Writers and without "     \
      "this account.")                                                                             \
    X(NO_MEMORY, 1017, ERROR, "",                                                                  \
      "The performance counters of %1 are missing in a sample, because the reader's process had "  \
      "no memory left for them.",                                                                  \
      "Find the program that uses up the memory. 32-bit readers have less of it.")                 \
    X(SHORT_BUFFER, 1018, WARNING, "",                                                             \
      "A reader does not get the performance counters of %1: it asked 32 times in a row with a "   \
      "buffer that is too small for them.",                                                        \
      "Let the reader ask for fewer objects, or let the programs have fewer instances.")           \
    X(TORN, 2001, INFORMATION, "",                                                                 \
      "Values of %1 were shown while a program was changing them together, so they may not "       \
      "match each other.",                                                                         \
      "If this recurs, find out whether the program takes long, or stops responding, between "     \
      "the beginning and the end of such a change.")

/* The events whose messages the DLL contains. */
#define PRFDATA_EVENTS(X) PRFDATA_PROVIDER_EVENTS(X) PRFDATA_PROGRAM_EVENTS(X)

#endif
