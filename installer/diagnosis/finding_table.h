/* SPDX-License-Identifier: MIT */
/*
 * Lists every finding of -Status, and the commands that fix them. docs/doctor.md repeats the table,
 * and test_diagnosis.c compares the two. The doctor_<noun>.c files decide when a finding applies.
 * Portable.
 */
#ifndef PRFDATA_FINDING_TABLE_H
#define PRFDATA_FINDING_TABLE_H

/*
 * X(NAME, command, is_safe): how to fix a finding.
 *
 * command  The command that a person runs. "" if no command helps. In that case the finding's `why`
 *          says what to do. These words are replaced. Each of the first four becomes one argument:
 *          {program}  the installer program
 *          {service}  the service
 *          {subject}  the file, the folder or the accounts of the finding
 *          {old}      the last part of the path in {subject}, with ".old" appended
 *          {bare}     the service without quotes
 *          {process}  the process of the finding
 * is_safe  Whether -Repair may run the command. A safe command loses no counts, stops no program,
 *          and changes only what belongs to the service.
 */
#define PRFDATA_FIXES(X)                                                                           \
    X(NONE, L"", false)                                                                            \
    X(INSTALL, L"{program} -Install {service}", true)                                              \
    X(UPGRADE, L"{program} -Install {service}", false)                                             \
    X(RELOAD_TITLES, L"{program} -Repair {service}", true)                                         \
    X(SWEEP, L"{program} -Repair {service}", true)                                                 \
    X(ENABLE, L"lodctr /E:{service}", true)                                                        \
    X(FORGET_CODE,                                                                                 \
      L"reg delete \"HKLM\\SYSTEM\\CurrentControlSet\\Services\\{bare}\\Performance\" /v "         \
      L"\"Library Validation Code\" /f",                                                           \
      true)                                                                                        \
    X(PUBLISH,                                                                                     \
      L"reg delete \"HKLM\\SYSTEM\\CurrentControlSet\\Services\\{bare}\\Performance\" /v "         \
      L"Publish /f",                                                                               \
      false)                                                                                       \
    X(ENABLE_ALL,                                                                                  \
      L"reg add \"HKLM\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib\" /v "            \
      L"\"Disable Performance Counters\" /t REG_DWORD /d 0 /f",                                    \
      false)                                                                                       \
    X(START_PERFHOST, L"sc config PerfHost start= demand", false)                                  \
    X(MOVE_AWAY, L"ren {subject} {old} && {program} -Install {service}", false)                    \
    X(MOVE_BACK, L"{program} -Repair {service}", true)                                             \
    X(RESTORE_FOLDER, L"{program} -Repair {service}", true)                                        \
    X(NAME_FOLDER,                                                                                 \
      L"reg add \"HKLM\\SYSTEM\\CurrentControlSet\\Services\\{bare}\\Performance\" /v Regions /d " \
      L"{subject} /f && {program} -Install {service}",                                             \
      false)                                                                                       \
    X(ADMIT, L"{program} -Install -Writers {subject} {service}", false)                            \
    X(END_PROGRAM, L"taskkill /F /PID {process}", false)                                           \
    X(RESET, L"{program} -Reset {service}", false)

/*
 * X(NAME, id, severity, fix, what, why)
 *
 * id        Never changes, because JSON and scripts use it.
 * severity  WRONG: something is not shown, or will not be shown; -Status exits with 6.
 *           NOTE: for information.
 * fix       One of PRFDATA_FIXES.
 * what      The message, a format of wprintf.
 * why       The consequence and, if there is no command, what to do.
 */
#define PRFDATA_FINDINGS(X)                                                                        \
    X(NOT_INSTALLED, "not-installed", NOTE, UPGRADE, L"the counters are not installed",            \
      L"Readers do not see the counters, and programs count in private memory. Installing needs "  \
      L"an elevated prompt")                                                                       \
    X(FOREIGN, "foreign", WRONG, NONE, L"registered by another installer",                         \
      L"The Performance key lacks the mark of PrfData's installer, so PrfData leaves it alone. "   \
      L"Remove the other registration, or choose another service name")                            \
    X(DISABLED, "disabled", WRONG, ENABLE, L"disabled (%lu: %ls)",                                 \
      L"Windows disables a provider that fails, and administrators can disable it with lodctr "    \
      L"/D. The event log has the reason")                                                         \
    X(ALL_DISABLED, "all-disabled", WRONG, ENABLE_ALL,                                             \
      L"Windows is set to collect no performance counters at all",                                 \
      L"The value \"Disable Performance Counters\" of the Perflib key disables every provider")    \
    X(LIBRARY_MISSING, "library-missing", WRONG, INSTALL, L"no DLL is registered",                 \
      L"Without the value Library, Windows cannot find the provider")                              \
    X(PROCEDURE_WRONG, "procedure-wrong", WRONG, INSTALL,                                          \
      L"the value %ls is \"%ls\", not \"%ls\"",                                                    \
      L"Windows calls the functions of the DLL by these names, and disables the provider if one "  \
      L"is missing")                                                                               \
    X(METADATA_WRONG, "metadata-wrong", WRONG, INSTALL,                                            \
      L"the value \"Collect Supports Metadata\" is not 1",                                         \
      L"Readers that ask for the objects without their values do not find the counters")           \
    X(INSTALLER_UNNAMED, "installer-unnamed", NOTE, INSTALL, L"the value Installer is missing",    \
      L"Without it, messages of programs and readers cannot name a command that this computer "    \
      L"has")                                                                                      \
    X(WRITERS_MISSING, "writers-missing", NOTE, NONE, L"the value Writers is missing",             \
      L"It lists the accounts that may publish. The next -Install or -Repair that changes "        \
      L"something admits only services, unless -Writers of -Install names other accounts")         \
    X(VALIDATION_CODE, "validation-code", NOTE, FORGET_CODE,                                       \
      L"the key has a Library Validation Code",                                                    \
      L"Windows compares this code with the DLL, and distrusts a DLL that was replaced (event "    \
      L"2003 of Perflib). `lodctr /T` wrote the code; PrfData does not need it")                   \
    X(LINKAGE_WRONG, "linkage-wrong", WRONG, INSTALL,                                              \
      L"Linkage\\Export does not name the service",                                                \
      L"The provider reads the name of its service from this value")                               \
    X(LINKAGE_FOREIGN, "linkage-foreign", NOTE, NONE,                                              \
      L"the key Linkage was not created by this installer",                                        \
      L"The installer leaves it alone; the provider takes the name of its service from the name "  \
      L"of its file")                                                                              \
    X(MAP_MISSING, "map-missing", WRONG, INSTALL, L"no map is registered",                         \
      L"The provider and the programs read the counters from the registered map")                  \
    X(MAP_DAMAGED, "map-damaged", WRONG, INSTALL, L"the registered map is damaged: %ls",           \
      L"The provider shows nothing, and programs count in private memory")                         \
    X(MAP_LATER, "map-later", WRONG, NONE, L"the registered map has a later format",               \
      L"A later version of PrfData installed it. Use the installer of that version; this one "     \
      L"cannot read the map")                                                                      \
    X(MAP_FOREIGN, "map-foreign", WRONG, INSTALL,                                                  \
      L"the registered map belongs to the service %hs",                                            \
      L"The provider shows nothing, and programs count in private memory")                         \
    X(MAP_DIFFERS, "map-differs", WRONG, UPGRADE,                                                  \
      L"the map of this program is another version than the installed one",                        \
      L"Readers see the installed version; -Install would replace it")                             \
    X(MAP_TEXTS_DIFFER, "map-texts-differ", WRONG, UPGRADE,                                        \
      L"the texts in the map of this program differ from the installed ones",                      \
      L"The counters are the same; readers see the installed names and explanations")              \
    X(OWN_MAP_WRONG, "own-map-wrong", WRONG, NONE, L"this program's map. %ls",                     \
      L"It cannot be installed, and its programs count in private memory")                         \
    X(OWN_MAP_NOTE, "own-map-note", NOTE, NONE, L"a note about this program's map. %ls",           \
      L"The map is valid, but this is probably not intended; its author can correct it")           \
    X(TITLES_MISSING, "titles-missing", WRONG, INSTALL, L"the titles are not loaded",              \
      L"Readers find counters by their titles")                                                    \
    X(TITLES_WRONG, "titles-wrong", WRONG, INSTALL,                                                \
      L"the loaded titles do not match the registered map",                                        \
      L"Readers show the counters under other names, or do not find them")                         \
    X(TITLES_UNPAIRED, "titles-unpaired", WRONG, RELOAD_TITLES,                                    \
      L"First Help is %lu; the explanation of title %lu must be %lu",                              \
      L"Each name has an even number, and its explanation the next number; readers would show "    \
      L"the explanations of other counters")                                                       \
    X(TITLES_BEYOND_END, "titles-beyond-end", WRONG, RELOAD_TITLES,                                \
      L"the titles of the service end at %lu, beyond the end of the system's title database "      \
      L"(%lu)",                                                                                    \
      L"The title database was rebuilt without this service, and will give the numbers of its "    \
      L"titles to other services")                                                                 \
    X(TITLES_SHARED, "titles-shared", WRONG, RELOAD_TITLES,                                        \
      L"the titles %lu to %lu belong to the service %ls as well",                                  \
      L"Two services share title numbers, so readers confuse their counters. If -Repair gets the " \
      L"same numbers again, the title database of Windows is damaged. `lodctr /R` rebuilds it, "   \
      L"which renumbers the titles of all services; restart all readers and run -Status "          \
      L"afterwards")                                                                               \
    X(TITLES_LANGUAGE, "titles-language", NOTE, NONE,                                              \
      L"the language %ls lacks titles of the counters, for example title %lu",                     \
      L"Readers in that language show numbers, or the names of other counters. Windows did not "   \
      L"accept the titles when they were loaded; loading them again could change all their "       \
      L"numbers")                                                                                  \
    X(OBJECT_LIST_WRONG, "object-list-wrong", WRONG, RELOAD_TITLES,                                \
      L"the value \"Object List\" lacks the object %lu (%ls)",                                     \
      L"Windows asks a provider only for the objects that this value lists")                       \
    X(OBJECT_TWICE, "object-twice", NOTE, NONE, L"the service %ls has an object \"%ls\" as well",  \
      L"Readers find an object by its title, so most of them show only one of the two. Give the "  \
      L"object of one product another name")                                                       \
    X(TITLE_FILE_MISSING, "title-file-missing", WRONG, INSTALL, L"the title file %ls is missing",  \
      L"When the title database is rebuilt, the titles are loaded from this file")                 \
    X(TITLE_FILE_WRONG, "title-file-wrong", WRONG, INSTALL,                                        \
      L"the title file %ls does not match the registered map",                                     \
      L"The file was changed or truncated. When the title database is rebuilt, the titles are "    \
      L"loaded from this file")                                                                    \
    X(DLL_MISSING, "dll-missing", WRONG, INSTALL, L"the DLL is missing: %ls",                      \
      L"No reader can load it")                                                                    \
    X(DLL_UNREADABLE, "dll-unreadable", WRONG, INSTALL, L"the DLL cannot be read: %ls",            \
      L"Readers of this account cannot load it")                                                   \
    X(DLL_DAMAGED, "dll-damaged", WRONG, INSTALL, L"the registered file is not a DLL: %ls",        \
      L"No reader can load it")                                                                    \
    X(DLL_EXPORT_MISSING, "dll-export-missing", WRONG, INSTALL, L"the DLL does not export %ls",    \
      L"The file is not a provider of PrfData, so Windows disables it")                            \
    X(DLL_MACHINE, "dll-machine", WRONG, INSTALL,                                                  \
      L"the DLL is for %ls: no reader of this system can load it",                                 \
      L"Windows writes event 1023 when a reader tries to load it")                                 \
    X(DLL_ARCH, "dll-arch", WRONG, INSTALL, L"the DLL is for %ls, but -Arch %ls was installed",    \
      L"The readers that -Arch was chosen for do not see the counters")                            \
    X(DLL_CHANGED, "dll-changed", WRONG, INSTALL,                                                  \
      L"the DLL is not the one that was installed: %ls",                                           \
      L"The file was changed or replaced after -Install. Readers load it nevertheless; -Status "   \
      L"did not")                                                                                  \
    X(DLL_UNPROTECTED, "dll-unprotected", NOTE, NONE, L"ordinary users can replace the DLL: %ls",  \
      L"Windows loads it into privileged programs. Below C:\\Users, services such as PerfHost "    \
      L"and Remote Registry may also be unable to read it, and then show no counters. Install it " \
      L"where only administrators can write, for example in Program Files")                        \
    X(DLL_LOAD_FAILED, "dll-load-failed", WRONG, INSTALL, L"the DLL cannot be loaded: %ls",        \
      L"Readers get no counters, and Windows writes event 1023")                                   \
    X(DLL_REFUSED, "dll-refused", WRONG, NONE, L"Windows refuses to load the DLL: %ls",            \
      L"Smart App Control, or App Control for Business, loads only files that are signed as its "  \
      L"policy demands, so installing again does not help. Sign the DLL, or allow it in the "      \
      L"policy. The events 3033 and 3077 of Microsoft-Windows-CodeIntegrity/Operational name the " \
      L"file and the policy")                                                                      \
    X(DLL_LOAD_HUNG, "dll-load-hung", WRONG, INSTALL,                                              \
      L"loading the DLL did not end within %lu seconds",                                           \
      L"Every reader would hang. If the file is correct, look for antivirus or other software "    \
      L"that scans it")                                                                            \
    X(SOURCE_WRONG, "event-source-wrong", WRONG, INSTALL,                                          \
      L"the event source %ls is not registered for the DLL",                                       \
      L"The event log shows the provider's events without their texts")                            \
    X(SOURCE_FOREIGN, "event-source-foreign", NOTE, NONE,                                          \
      L"the event source %ls was not created by this installer",                                   \
      L"The installer leaves it alone; the event log shows the provider's events without their "   \
      L"texts")                                                                                    \
    X(FOLDER_UNNAMED, "folder-unnamed", WRONG, INSTALL, L"no regions folder is registered",        \
      L"Programs and the provider exchange counts through this folder")                            \
    X(FOLDER_MISSING, "folder-missing", WRONG, INSTALL, L"the regions folder does not exist: %ls", \
      L"Programs count in private memory, and the provider shows no values")                       \
    X(FOLDER_LINK, "folder-link", WRONG, MOVE_AWAY,                                                \
      L"the regions folder is a file or a link: %ls",                                              \
      L"PrfData does not follow links, because a link could redirect an administrator's writes "   \
      L"to another place")                                                                         \
    X(FOLDER_OWNER, "folder-owner", WRONG, MOVE_AWAY,                                              \
      L"the regions folder belongs neither to Administrators nor to SYSTEM: %ls",                  \
      L"Its owner could change who may publish. After the command, restart the programs that "     \
      L"publish")                                                                                  \
    X(FOLDER_CLOSED, "folder-closed", WRONG, NAME_FOLDER,                                          \
      L"the regions folder cannot be opened: %ls",                                                 \
      L"Run -Status as an administrator. If the finding stays, the value Regions names a folder "  \
      L"that is not PrfData's; the command sets the default folder")                               \
    X(FOLDER_LOCKED, "folder-locked", WRONG, MOVE_AWAY,                                            \
      L"the default regions folder cannot be opened: %ls",                                         \
      L"Run -Status as an administrator. If the finding stays, the rights of the folder were "     \
      L"changed, or a program keeps it locked. End that program first, because the command "       \
      L"cannot rename a folder that is locked. The command makes a new folder; restart the "       \
      L"programs that publish afterwards")                                                         \
    X(FOLDER_FOREIGN, "folder-foreign", WRONG, NAME_FOLDER,                                        \
      L"the value Regions names %ls, which is not a folder of this service",                       \
      L"Programs do not publish there. The command sets the default folder")                       \
    X(FOLDER_ELSEWHERE, "folder-elsewhere", WRONG, RESTORE_FOLDER,                                 \
      L"the value Regions names %ls, but programs publish in %ls",                                 \
      L"Readers do not see these programs. Programs that start now count in another folder or in " \
      L"private memory")                                                                           \
    X(FOLDER_TWO, "folder-two", WRONG, NONE,                                                       \
      L"programs publish in %ls, as the value Regions says, and also in %ls",                      \
      L"Readers see only the first folder. The value was changed while programs were running; "    \
      L"restart those that use the unintended folder")                                             \
    X(FOLDER_MOVED, "folder-moved", WRONG, NONE,                                                   \
      L"process %lu publishes in %ls, which no reader opens",                                      \
      L"The regions folder was moved while the program was running, and cannot be moved back: "    \
      L"another folder has its name, programs publish in several folders, or the moved one is "    \
      L"not as -Install created it. Restart the program; what it counted stays in the moved "      \
      L"folder")                                                                                   \
    X(FOLDER_RENAMED, "folder-renamed", WRONG, MOVE_BACK,                                          \
      L"the regions folder %ls is now %ls, where process %lu still publishes",                     \
      L"Readers see none of the counts, and programs that start now count elsewhere. -Repair "     \
      L"gives the folder its name back. After -Install it can do so only until a program "         \
      L"publishes in the new folder")                                                              \
    X(FOLDER_RIGHTS, "folder-rights", WRONG, INSTALL,                                              \
      L"the rights of the regions folder differ from the installed ones: %ls",                     \
      L"Programs that should publish may be unable to, others may be able to, or readers may see " \
      L"nothing")                                                                                  \
    X(PUBLISH_OFF, "publish-off", NOTE, PUBLISH, L"publishing is switched off",                    \
      L"The value Publish is 0, so programs that start now count in private memory")               \
    X(PUBLISH_DENIED, "publish-denied", NOTE, ADMIT, L"%ls may not publish",                       \
      L"If programs of this account should publish, run the command: the option -Writers of "      \
      L"-Install lists all accounts that may, next to SYSTEM and Administrators")                  \
    X(PUBLISH_FAILED, "publish-failed", WRONG, NONE, L"no region file can be created: %ls",        \
      L"Programs that start now count in private memory. Check whether the disk is full or "       \
      L"failing")                                                                                  \
    X(PROBE_LEFT, "probe-left", NOTE, NONE, L"the test file of -Status could not be removed: %ls", \
      L"It holds no counts, and readers ignore it. A program of the same account removes it; "     \
      L"otherwise it stays until Windows is restarted, and -Repair removes it after that. Shut "   \
      L"down with Fast Startup is not a restart")                                                  \
    X(FILES_TOO_MANY, "files-too-many", WRONG, RESET,                                              \
      L"more than %lu region files were created since the last restart, most of them by %ls "      \
      L"(%lu)",                                                                                    \
      L"Readers read no more regions. If several accounts have some, each gets an equal share of " \
      L"the places. Programs of an account that has more than its share are left out, and those "  \
      L"that start count in private memory. The command also sets the counts of all ended "        \
      L"programs to zero, so totals fall. After a restart of Windows the files of ended programs " \
      L"no longer count; Shut down with Fast Startup is not a restart")                            \
    X(FILES_TOO_LARGE, "files-too-large", WRONG, NONE,                                             \
      L"the region files created since the last restart take %lu MiB, but readers read only %lu "  \
      L"MiB; %ls has the most (%lu MiB)",                                                          \
      L"The counters of some programs are not shown. Let fewer programs publish at once, or set "  \
      L"the REG_DWORD \"Regions MiB\" of the Performance key to a larger number, at most 1024")    \
    X(INSTANCES_TOO_MANY, "instances-too-many", WRONG, NONE,                                       \
      L"running programs have %lu instances of the object %ls, which do not fit into a reply; "    \
      L"%ls has the most (%lu)",                                                                   \
      L"Readers leave some of them out. Each account has an equal share of the reply, so an "      \
      L"account that needs less has all of its instances shown. Let fewer programs publish at "    \
      L"once, or let them have fewer instances")                                                   \
    X(COPIES_TOO_LARGE, "copies-too-large", WRONG, NONE,                                           \
      L"programs of %ls run with an earlier version of the counters; to show their instances, "    \
      L"readers need %lu MiB, and have %lu MiB",                                                   \
      L"Readers leave some of these instances out. A reader has 256 MiB for all programs with "    \
      L"earlier versions together; if these programs could need more, each account gets a share "  \
      L"of the 256 MiB. Restart the programs with the installed version, or let fewer of them "    \
      L"run")                                                                                      \
    X(FILES_UNKNOWN_MAP, "files-unknown-map", NOTE, RESET,                                         \
      L"%lu region files of ended programs have a map that is not registered",                     \
      L"Their counts are not shown, and the files take up places until Windows is restarted; "     \
      L"Shut down with Fast Startup is not a restart. The command also sets the counts of all "    \
      L"other ended programs to zero, so totals fall")                                             \
    X(FILES_OTHER_BOOT, "files-other-boot", NOTE, SWEEP,                                           \
      L"%lu region files are left from before the last restart",                                   \
      L"Readers do not show them; a program that publishes removes those of its own account")      \
    X(PROCESS_UNKNOWN_MAP, "process-unknown-map", WRONG, NONE,                                     \
      L"%ls is not shown: its map is not registered",                                              \
      L"Its map belongs to another version or another product; the program keeps counting. Run "   \
      L"the installer of its version, or restart it with the installed version when convenient")   \
    X(PROCESS_OTHER_FORMAT, "process-other-format", WRONG, NONE,                                   \
      L"%ls is not shown: its region has another format",                                          \
      L"The program was built with another version of PrfData. Restart it with the installed "     \
      L"version")                                                                                  \
    X(PROCESS_DAMAGED, "process-damaged", WRONG, END_PROGRAM,                                      \
      L"%ls is not shown: its region is damaged",                                                  \
      L"Restart the program. If the damage recurs, the program is corrupting its own memory")      \
    X(PROCESS_UNFINISHED, "process-unfinished", WRONG, END_PROGRAM,                                \
      L"a program is not shown: it has not finished its region (file %ls)",                        \
      L"The program is suspended while it opens its counters, or its counts were reset. Restart "  \
      L"it")                                                                                       \
    X(PROCESS_CLOSED, "process-closed", NOTE, NONE, L"%ls has closed its counters",                \
      L"Its instances are not shown; the totals keep what it counted")                             \
    X(PROCESS_DROPPED, "process-dropped", WRONG, NONE,                                             \
      L"%ls had no room for some instances since it published: %ls",                               \
      L"Raise the maximum of instances, or of characters in their names, in the map, or the "      \
      L"number that the program passes to prfdata_open_with. Then install the counters again and " \
      L"restart the program")                                                                      \
    X(FILES_DENIED, "files-denied", WRONG, NONE,                                                   \
      L"%lu region files cannot be read, for example %ls: %ls",                                    \
      L"Readers of this account leave them out. Look for a program that keeps files locked, or "   \
      L"run -Status as an administrator")                                                          \
    X(PERFHOST_DISABLED, "perfhost-disabled", WRONG, START_PERFHOST,                               \
      L"the service Performance Counter DLL Host is disabled",                                     \
      L"64-bit readers can reach a 32-bit DLL only through this service")                          \
    X(READER_NOTHING, "reader-nothing", WRONG, NONE,                                               \
      L"a reader gets a reply without the object %ls",                                             \
      L"If no event above says why, set the value EventLogLevel of the Perflib key to 1, restart " \
      L"a reader, and run -Status again. Look also at the events of Perflib in the Application "   \
      L"log")                                                                                      \
    X(READER_FAILED, "reader-failed", WRONG, NONE, L"a reader gets an error: %ls",                 \
      L"If no event above says why, set the value EventLogLevel of the Perflib key to 1, restart " \
      L"a reader, and run -Status again. Look also at the events of Perflib in the Application "   \
      L"log")                                                                                      \
    X(READER_HUNG, "reader-hung", WRONG, NONE, L"a reader got no answer within %lu seconds",       \
      L"Some provider hangs, not necessarily this one; `lodctr /Q` lists all providers")

#endif
