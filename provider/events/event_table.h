/* SPDX-License-Identifier: MIT */
/*
 * The events of a provider, in one table, and those of programs: the only places where an event is
 * added. The enumerators and severities are made of them; messages.mc and the tables of
 * docs/events.md repeat them, and the test event_table fails when one of them differs. Knows
 * neither when an event happens nor who writes it.
 */
#ifndef PRFDATA_EVENT_TABLE_H
#define PRFDATA_EVENT_TABLE_H

#include "system/program_events.h"

/*
 * X(name, number, severity, detail, statement, advice)
 *
 * number     Never changes. Its thousands are the EventLogLevel from which on it is written; the
 *            last three digits are below 101.
 * severity   ERROR: nothing of the service is shown, or memory failed. WARNING: something is left
 *            out. INFORMATION: everything is shown.
 * detail     What %2 stands for; "" where the event has none.
 * statement  What is wrong: %1 is the service, %2 the detail, %3 a Win32 code.
 * advice     What the administrator does about it. The event log shows statement and advice.
 */
#define PRFDATA_PROVIDER_EVENTS(X)                                                                 \
    X(VALUE_MISSING, 1001, ERROR, "value",                                                         \
      "The performance counters of %1 are not shown: the value \"%2\" of its Performance key "     \
      "cannot be read (error %3).",                                                                \
      "Install the counters again.")                                                               \
    X(MAP_INVALID, 1002, ERROR, "",                                                                \
      "The performance counters of %1 are not shown: the value \"Maps\" of its Performance key "   \
      "is "                                                                                        \
      "damaged, or another service's (error %3).",                                                 \
      "Install the counters again.")                                                               \
    X(FOLDER_CLOSED, 1003, ERROR, "",                                                              \
      "The performance counters of %1 have no values: the folder that the value \"Regions\" of "   \
      "its Performance key names cannot be opened (error %3).",                                    \
      "Install the counters again, or let this account read the folder.")                          \
    X(REGION_DENIED, 1004, WARNING, "file",                                                        \
      "Performance counters of %1 are incomplete: the file %2 in its regions folder may not be "   \
      "opened (error %3).",                                                                        \
      "Add the reader's account to Performance Monitor Users, or look for the program that keeps " \
      "the file locked.")                                                                          \
    X(REGION_UNUSABLE, 1005, WARNING, "file",                                                      \
      "Performance counters of %1 are incomplete: the file %2 in its regions folder is not a "     \
      "plain file, is empty, or is larger than a reader maps.",                                    \
      "Switch off compression and encryption of the folder; let the program publish fewer "        \
      "instances if the file is large.")                                                           \
    X(REGION_MAP, 1006, WARNING, "file",                                                           \
      "Performance counters of %1 are incomplete: a program publishes a version of them that is "  \
      "not registered (file %2).",                                                                 \
      "Restart the program with an installed version, or install its counters: the present and "   \
      "eight earlier versions are registered.")                                                    \
    X(REGION_VERSION, 1007, WARNING, "file",                                                       \
      "Performance counters of %1 are incomplete: the file %2 in its regions folder has a format " \
      "that this provider does not know.",                                                         \
      "Install the provider that belongs to the program that publishes.")                          \
    X(REGION_DAMAGED, 1008, WARNING, "file",                                                       \
      "Performance counters of %1 are incomplete: the file %2 in its regions folder is damaged "   \
      "and is ignored.",                                                                           \
      "Restart the program that publishes; if it happens again, the program overwrites its own "   \
      "memory.")                                                                                   \
    X(REGION_FAULTED, 1009, ERROR, "file",                                                         \
      "Performance counters of %1 are incomplete: reading the file %2 in its regions folder "      \
      "failed, and it is ignored.",                                                                \
      "Look for disk errors, and for a program that cuts the file short.")                         \
    X(TOO_MANY_REGIONS, 1010, WARNING, "limit",                                                    \
      "Performance counters of %1 are incomplete: its regions folder holds more than %2 files, "   \
      "as many as are read.",                                                                      \
      "Let fewer programs publish at once, or, if a size is named, raise the value "               \
      "\"Regions MiB\" of the Performance key; files that no program uses do not count after a " \
      "restart of Windows, which Shut down with Fast Startup is not.")                             \
    X(TOO_LARGE, 1011, WARNING, "object",                                                          \
      "Performance counters of %1 are incomplete: the object \"%2\" has more instances, in all "   \
      "programs together, than a reply holds (65,535, or 32 MiB).",                                \
      "Let the programs have fewer instances at once.")                                            \
    X(PUBLISHER_FULL, 1012, WARNING, "file",                                                       \
      "Performance counters of %1 are incomplete: a program has had more instances than its "      \
      "counters have room for, or instances with longer names (file %2).",                         \
      "Raise the maximum of instances or of characters in the map.")                               \
    X(TITLES_INVALID, 1013, ERROR, "",                                                             \
      "The performance counters of %1 are not shown: \"First Counter\" or \"First Help\" of its "  \
      "Performance key is not where the titles of its counters can begin.",                        \
      "Install the counters again.")                                                               \
    X(MAP_VERSION, 1014, WARNING, "",                                                              \
      "The performance counters of %1 are not shown as they are installed: the value \"Maps\" of " \
      "its Performance key has a later format than this provider knows.",                          \
      "Restart the reader, so that it loads the provider that is installed; if it is reported "    \
      "again, install the counters again.")                                                        \
    X(EARLIER_LEFT_OUT, 1015, WARNING, "object",                                                   \
      "Performance counters of %1 are incomplete: programs with an earlier version of them have "  \
      "so many instances of the object \"%2\" that their counts would take too much memory, and "  \
      "are left out.",                                                                             \
      "Restart these programs with the present version, or let them have fewer instances.")        \
    X(SHARE_USED_UP, 1016, WARNING, "account",                                                     \
      "Performance counters of %1 are incomplete: programs of the account %2 publish more than "   \
      "their share of what a reader reads, and other accounts need the rest.",                     \
      "Let fewer programs of this account publish at once, or fewer instances; if it should not "  \
      "publish, install the counters with -Writers that do not include it.")                       \
    X(NO_MEMORY, 1017, ERROR, "",                                                                  \
      "The performance counters of %1 were not shown in a sample, because the reader's process "   \
      "has no memory left for them.",                                                              \
      "Look for the program that uses up the memory; 32-bit readers have less of it.")             \
    X(SHORT_BUFFER, 1018, WARNING, "",                                                             \
      "A reader does not get the performance counters of %1: it has asked 32 times in a row with " \
      "a buffer that is too small for them.",                                                      \
      "Let the reader ask for fewer objects, or let the programs have fewer instances.")           \
    X(TORN, 2001, INFORMATION, "",                                                                 \
      "Values of %1 were shown while a program was changing them together.",                       \
      "If a program does this for long, or hangs between the beginning and the end of a change, "  \
      "its values may not fit together.")

/* What the DLL has texts for. */
#define PRFDATA_EVENTS(X) PRFDATA_PROVIDER_EVENTS(X) PRFDATA_PROGRAM_EVENTS(X)

#endif
