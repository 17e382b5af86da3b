/* SPDX-License-Identifier: MIT */
/*
 * Lists the events of programs. The last event says that readers see a program's counts from now
 * on. Each other event says why no reader sees the counts. The client library writes the events,
 * and makes the messages of prfdata_status() from the same texts. provider/events/event_table.h
 * includes this list, because the provider DLL contains the texts of the events for the event log.
 */
#ifndef PRFDATA_PROGRAM_EVENTS_H
#define PRFDATA_PROGRAM_EVENTS_H

/*
 * X(name, number, severity, detail, statement, advice), which event_table.h explains. The last
 * three digits of each number are 101 or more. %2 is the path and the process id of the program. In
 * PROGRAM_MAP_WRONG, %2 also contains the mistake.
 */
#define PRFDATA_PROGRAM_EVENTS(X)                                                                  \
    X(PROGRAM_MAP_WRONG, 1101, WARNING, "program and mistake",                                     \
      "A program does not count the performance counters of %1, because its map is wrong: %2.",    \
      "Correct the map; the option -Check of its installer lists every mistake.")                  \
    X(PROGRAM_NOT_INSTALLED, 1102, WARNING, "program",                                             \
      "A program counts the performance counters of %1 where no reader sees them, because they "   \
      "are not installed (error %3): %2.",                                                         \
      "Install the counters. The program then shows what it counted. Before Windows 8 it does so " \
      "only at its next call that adds, finds or removes an instance, or opens counters.")         \
    X(PROGRAM_MAP_OTHER, 1103, WARNING, "program",                                                 \
      "A program counts the performance counters of %1 where no reader sees them, because its "    \
      "version of them is not installed: %2.",                                                     \
      "Run the installer of this program's version, or start the version of the program whose "    \
      "counters are installed.")                                                                   \
    X(PROGRAM_DENIED, 1104, WARNING, "program",                                                    \
      "A program counts the performance counters of %1 where no reader sees them, because its "    \
      "account may not write to the regions folder, or because the folder is encrypted, or "       \
      "because Windows redirected the program to a private copy of the folder (error %3): %2.",    \
      "Switch off the encryption of the folder, if there is one, and install the counters again. " \
      "Name all accounts that may publish in -Writers, including the account of the program, "     \
      "because the new list replaces the former one. The option -Status of the installer, run "    \
      "under that account, prints the command.")                                                   \
    X(PROGRAM_DISK_FULL, 1105, WARNING, "program",                                                 \
      "A program counts the performance counters of %1 where no reader sees them, because the "    \
      "disk of the regions folder is full: %2.",                                                   \
      "Make room on the disk. Calls of the program that add, find or remove an instance, or open " \
      "counters, try again, at most every 10 seconds. If it makes no such call, restart it.")      \
    X(PROGRAM_FOLDER_WRONG, 1106, WARNING, "program",                                              \
      "A program counts the performance counters of %1 where no reader sees them, because a "      \
      "value of its Performance key is damaged, or \"Regions\" is not the absolute path of a "     \
      "real folder, or because the folder is encrypted (error %3): %2.",                           \
      "Switch off the encryption of the folder, if there is one. Otherwise install the counters "  \
      "again.")                                                                                    \
    X(PROGRAM_TOO_MANY, 1107, WARNING, "program",                                                  \
      "A program counts the performance counters of %1 where no reader sees them, because the "    \
      "regions folder holds as many files as readers look at: %2.",                                \
      "Let fewer programs publish at once, or run the option -Reset of the installer, which "      \
      "removes the files of all ended programs and so sets their counts to zero. After a restart " \
      "of Windows these files no longer count; Shut down with Fast Startup is not a restart. If "  \
      "there are more files than readers look at, -Status names the account that has most of "     \
      "them.")                                                                                     \
    X(PROGRAM_IN_DLLMAIN, 1108, WARNING, "program",                                                \
      "A program counts the performance counters of %1 where no reader sees them, because it "     \
      "opened them in DllMain, on a thread that impersonates a client (error %3): %2.",            \
      "Let the program open the counters outside of DllMain.")                                     \
    X(PROGRAM_BOOT_UNKNOWN, 1109, WARNING, "program",                                              \
      "A program counts the performance counters of %1 where no reader sees them, because the "    \
      "time when the system was started is unknown (error %3): %2.",                               \
      "Restart the program if it does not publish after a minute.")                                \
    X(PROGRAM_NO_MEMORY, 1110, WARNING, "program",                                                 \
      "A program counts the performance counters of %1 where no reader sees them, or not at all, " \
      "because memory is exhausted: %2.",                                                          \
      "Give the program more memory, or let it have fewer instances.")                             \
    X(PROGRAM_FAILED, 1111, WARNING, "program",                                                    \
      "A program counts the performance counters of %1 where no reader sees them, because the "    \
      "system answered with error %3: %2.",                                                        \
      "Look the number up with net helpmsg; the option -Status of the installer looks for the "    \
      "cause.")                                                                                    \
    X(PROGRAM_FILE_LOST, 1112, WARNING, "program",                                                 \
      "A program counts the performance counters of %1 where no reader sees them, because its "    \
      "file is no longer in the regions folder: %2.",                                              \
      "Restart the program.")                                                                      \
    X(PROGRAM_SWITCHED_OFF, 2101, INFORMATION, "program",                                          \
      "A program counts the performance counters of %1 where no reader sees them, because the "    \
      "administrator switched publishing off: %2.",                                                \
      "To switch it on, set the value \"Publish\" of the Performance key to 1, or delete it.")     \
    X(PROGRAM_PUBLISHED_LATE, 2102, INFORMATION, "program",                                        \
      "A program shows the performance counters of %1 from now on, with all that it counted "      \
      "before: %2.",                                                                               \
      "Rates show what was counted before as one large step.")

#endif
