/* SPDX-License-Identifier: MIT */
/*
 * Everything that -Status can find, in one table: the only place where a finding is added. The
 * table of docs/doctor.md repeats it, and the test diagnosis fails when it differs. The doctor
 * decides when something is found. Portable.
 */
#ifndef PRFDATA_FINDING_TABLE_H
#define PRFDATA_FINDING_TABLE_H

/*
 * X(NAME, command, is_safe): how a finding is mended.
 *
 * command  What a person runs. {program} is the installer program, {service} the service as an
 *          argument, {bare} the same without quotes, {subject} the finding's file, {name} the last
 *          part of that, {process} its process. "": nothing that could be run; the finding's reason
 *          says what to do.
 * is_safe  Whether -Repair may run it: it loses no counts, stops no program, and changes nothing
 *          that is not the service's own.
 */
#define PRFDATA_CURES(X)                                                                           \
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
    X(MOVE_AWAY, L"ren \"{subject}\" \"{name}.old\" && {program} -Install {service}", false)       \
    X(RESTORE_FOLDER, L"{program} -Repair {service}", true)                                        \
    X(NAME_FOLDER,                                                                                 \
      L"reg add \"HKLM\\SYSTEM\\CurrentControlSet\\Services\\{bare}\\Performance\" /v Regions /d " \
      L"\"{subject}\" /f && {program} -Install {service}",                                         \
      false)                                                                                       \
    X(ADMIT_USERS, L"{program} -Install -Writers Users {service}", false)                          \
    X(END_PROGRAM, L"taskkill /F /PID {process}", false)                                           \
    X(RESET, L"{program} -Reset {service}", false)

/*
 * X(NAME, id, severity, cure, what, why)
 *
 * id        Stable: JSON and scripts use it.
 * severity  WRONG: something is not shown, or will not be; -Status ends with 6.
 *           NOTE: worth knowing.
 * what      The sentence, a format of wprintf.
 * why       What follows from it, and what to do where there is no command.
 */
#define PRFDATA_FINDINGS(X)                                                                        \
    X(NOT_INSTALLED, "not-installed", NOTE, UPGRADE, L"the counters are not installed",            \
      L"Readers do not see them, and programs count in private memory. Installing needs an "       \
      L"elevated prompt")                                                                          \
    X(FOREIGN, "foreign", WRONG, NONE, L"registered by another installer",                         \
      L"The Performance key lacks the mark of PrfData's installer, so it is left alone. Remove "   \
      L"the other registration, or choose another service name")                                   \
    X(DISABLED, "disabled", WRONG, ENABLE, L"disabled (%lu: %ls)",                                 \
      L"Windows switches a provider off when it fails, and administrators do with lodctr /D. The " \
      L"event log has the reason")                                                                 \
    X(ALL_DISABLED, "all-disabled", WRONG, ENABLE_ALL,                                             \
      L"Windows is set to collect no performance counters at all",                                 \
      L"The value \"Disable Performance Counters\" of the Perflib key concerns every provider")    \
    X(LIBRARY_MISSING, "library-missing", WRONG, INSTALL, L"no DLL is registered",                 \
      L"Without the value Library, Windows does not know the provider")                            \
    X(PROCEDURE_WRONG, "procedure-wrong", WRONG, INSTALL,                                          \
      L"the value %ls is \"%ls\", not \"%ls\"",                                                    \
      L"Windows calls the DLL by these names, and switches it off where one is missing")           \
    X(METADATA_WRONG, "metadata-wrong", WRONG, INSTALL,                                            \
      L"the value \"Collect Supports Metadata\" is not 1",                                         \
      L"Readers that ask for the objects without their values do not find them")                   \
    X(INSTALLER_UNNAMED, "installer-unnamed", NOTE, INSTALL, L"the value Installer is missing",    \
      L"Messages of programs and readers name no command that this computer has")                  \
    X(VALIDATION_CODE, "validation-code", NOTE, FORGET_CODE,                                       \
      L"the key has a Library Validation Code",                                                    \
      L"Windows compares it with the DLL and distrusts a DLL that was replaced (event 2003 of "    \
      L"Perflib). `lodctr /T` wrote it; PrfData needs none")                                       \
    X(LINKAGE_WRONG, "linkage-wrong", WRONG, INSTALL,                                              \
      L"Linkage\\Export does not name the service",                                                \
      L"The provider takes the name of its service from there")                                    \
    X(LINKAGE_FOREIGN, "linkage-foreign", NOTE, NONE,                                              \
      L"the key Linkage was not created by this installer",                                        \
      L"It is left alone; the provider takes the service from the name of its file")               \
    X(MAP_MISSING, "map-missing", WRONG, INSTALL, L"no map is registered",                         \
      L"Provider and programs know the counters from there")                                       \
    X(MAP_DAMAGED, "map-damaged", WRONG, INSTALL, L"the registered map is damaged: %ls",           \
      L"The provider shows nothing, and programs count in private memory")                         \
    X(MAP_FOREIGN, "map-foreign", WRONG, INSTALL,                                                  \
      L"the registered map is that of the service %hs",                                            \
      L"The provider shows nothing, and programs count in private memory")                         \
    X(MAP_DIFFERS, "map-differs", WRONG, UPGRADE,                                                  \
      L"this program has another version of the map than is installed",                            \
      L"Readers see the installed version; -Install would install this one")                       \
    X(MAP_TEXTS_DIFFER, "map-texts-differ", WRONG, UPGRADE,                                        \
      L"the texts in this program's map are not those installed",                                  \
      L"The counters are the same; readers see the installed names and explanations")              \
    X(OWN_MAP_WRONG, "own-map-wrong", WRONG, NONE, L"this program's map. %ls",                     \
      L"It cannot be installed, and its programs count in private memory")                         \
    X(TITLES_MISSING, "titles-missing", WRONG, INSTALL, L"the titles are not loaded",              \
      L"Readers look counters up by their titles")                                                 \
    X(TITLES_WRONG, "titles-wrong", WRONG, INSTALL,                                                \
      L"the loaded titles are not those of the registered map",                                    \
      L"Readers show the counters under other names, or do not find them")                         \
    X(TITLES_UNPAIRED, "titles-unpaired", WRONG, RELOAD_TITLES,                                    \
      L"First Help is %lu; the explanation of title %lu must be %lu",                              \
      L"Names are even numbers, and their explanations follow them; readers would show those of "  \
      L"other counters")                                                                           \
    X(TITLES_BEYOND_END, "titles-beyond-end", WRONG, RELOAD_TITLES,                                \
      L"the titles end at %lu, and the system's title database at %lu",                            \
      L"The title database was rebuilt without this service, and will give its numbers to others") \
    X(TITLES_SHARED, "titles-shared", WRONG, RELOAD_TITLES,                                        \
      L"the titles %lu to %lu belong to the service %ls as well",                                  \
      L"Two services have the same numbers, so readers take the counters of one for the other's. " \
      L"Where -Repair gets the same numbers again, `lodctr /R` rebuilds the title database")       \
    X(TITLES_LANGUAGE, "titles-language", NOTE, NONE,                                              \
      L"the language %ls lacks titles of the counters, title %lu for instance",                    \
      L"Readers in that language show numbers, or the names of other counters. Windows did not "   \
      L"take the titles when they were loaded; loading them again could move all their numbers")   \
    X(OBJECT_LIST_WRONG, "object-list-wrong", WRONG, RELOAD_TITLES,                                \
      L"the value \"Object List\" lacks the object %lu (%ls)",                                     \
      L"Windows asks a provider only for the objects that are listed there")                       \
    X(TITLE_FILE_MISSING, "title-file-missing", WRONG, INSTALL, L"the title file %ls is missing",  \
      L"Titles are loaded from there when the title database is rebuilt")                          \
    X(TITLE_FILE_WRONG, "title-file-wrong", WRONG, INSTALL,                                        \
      L"the title file %ls is not that of the registered map",                                     \
      L"It was changed or cut. Titles are loaded from there when the title database is rebuilt")   \
    X(DLL_MISSING, "dll-missing", WRONG, INSTALL, L"the DLL is not there: %ls",                    \
      L"No reader can load it")                                                                    \
    X(DLL_UNREADABLE, "dll-unreadable", WRONG, INSTALL, L"the DLL cannot be read: %ls",            \
      L"Readers of this account cannot load it")                                                   \
    X(DLL_DAMAGED, "dll-damaged", WRONG, INSTALL, L"the registered file is not a DLL: %ls",        \
      L"No reader can load it")                                                                    \
    X(DLL_EXPORT_MISSING, "dll-export-missing", WRONG, INSTALL, L"the DLL does not export %ls",    \
      L"It is not a provider of PrfData, and Windows switches it off")                             \
    X(DLL_MACHINE, "dll-machine", WRONG, INSTALL,                                                  \
      L"the DLL is for %ls: no reader of this system can load it", L"Windows writes event 1023")   \
    X(DLL_ARCH, "dll-arch", WRONG, INSTALL, L"the DLL is for %ls, and -Arch %ls was installed",    \
      L"Other readers see the counters than those that should")                                    \
    X(DLL_CHANGED, "dll-changed", WRONG, INSTALL,                                                  \
      L"the DLL is not the one that was installed: %ls",                                           \
      L"Its content was changed or replaced since; it is not tried")                               \
    X(DLL_UNPROTECTED, "dll-unprotected", NOTE, NONE, L"ordinary users can exchange the DLL: %ls", \
      L"Windows loads it into privileged programs. Below C:\\Users, moreover, services such as "   \
      L"PerfHost and Remote Registry may not read it, and show no counters. Install it where only " \
      L"administrators write, in Program Files for instance")                                                            \
    X(DLL_LOAD_FAILED, "dll-load-failed", WRONG, INSTALL, L"the DLL does not load: %ls",           \
      L"Readers get event 1023 instead of counters")                                               \
    X(DLL_REFUSED, "dll-refused", WRONG, NONE, L"Windows refuses to load the DLL: %ls",            \
      L"Smart App Control, or App Control for Business, lets only files load that are signed as "  \
      L"its policy demands, so installing again does not help. Sign the DLL, or allow it in the "  \
      L"policy. The events 3033 and 3077 of Microsoft-Windows-CodeIntegrity/Operational name the " \
      L"file and the policy")                                                                      \
    X(DLL_LOAD_HUNG, "dll-load-hung", WRONG, INSTALL,                                              \
      L"loading the DLL did not end within %lu seconds",                                           \
      L"Every reader would hang. If the file is right, look for a program that scans it")          \
    X(SOURCE_WRONG, "event-source-wrong", WRONG, INSTALL,                                          \
      L"the event source %ls is not registered for the DLL",                                       \
      L"The event log shows the provider's events without their texts")                            \
    X(SOURCE_FOREIGN, "event-source-foreign", NOTE, NONE,                                          \
      L"the event source %ls was not created by this installer",                                   \
      L"It is left alone; events show without their texts")                                        \
    X(FOLDER_UNNAMED, "folder-unnamed", WRONG, INSTALL, L"no regions folder is registered",        \
      L"Programs and provider meet there")                                                         \
    X(FOLDER_MISSING, "folder-missing", WRONG, INSTALL, L"the regions folder does not exist: %ls", \
      L"Programs count in private memory, and the provider shows no values")                       \
    X(FOLDER_LINK, "folder-link", WRONG, MOVE_AWAY,                                                \
      L"the regions folder is a file or a link: %ls",                                              \
      L"Links are not followed, because they may lead where administrators must not write")        \
    X(FOLDER_OWNER, "folder-owner", WRONG, MOVE_AWAY,                                              \
      L"the regions folder belongs neither to Administrators nor to SYSTEM: %ls",                  \
      L"Its owner could change who may publish. The programs that publish must be restarted")      \
    X(FOLDER_CLOSED, "folder-closed", WRONG, NAME_FOLDER,                                          \
      L"the regions folder cannot be opened: %ls",                                                 \
      L"Run -Status as an administrator. If it says the same, the value Regions names a folder "   \
      L"that is not PrfData's; the command names the usual one")                                   \
    X(FOLDER_LOCKED, "folder-locked", WRONG, MOVE_AWAY,                                            \
      L"the usual regions folder cannot be opened: %ls",                                           \
      L"Run -Status as an administrator. If it says the same, its rights were changed, or a "      \
      L"program keeps it. The command makes a new one; the programs that publish must be "         \
      L"restarted")                                                                                \
    X(FOLDER_FOREIGN, "folder-foreign", WRONG, NAME_FOLDER,                                        \
      L"the value Regions names %ls, which is no folder of this service",                          \
      L"Programs and provider do not meet there. The command names the usual folder")              \
    X(FOLDER_ELSEWHERE, "folder-elsewhere", WRONG, RESTORE_FOLDER,                                 \
      L"the value Regions names %ls, and programs publish in %ls",                                 \
      L"No reader sees them, and programs that start count elsewhere or in private memory")        \
    X(FOLDER_TWO, "folder-two", WRONG, NONE,                                                       \
      L"programs publish in %ls, as the value Regions says, and also in %ls",                      \
      L"Readers see the first only. The value was changed while programs ran: restart those of "   \
      L"the folder that is wrong")                                                                 \
    X(FOLDER_MOVED, "folder-moved", WRONG, NONE,                                                   \
      L"process %lu publishes in %ls, where no reader looks",                                      \
      L"The regions folder was moved or renamed while the program ran. Move it back if no other "  \
      L"has taken its place; else restart the program: what it counted stays in that folder")      \
    X(FOLDER_RIGHTS, "folder-rights", WRONG, INSTALL,                                              \
      L"the rights of the regions folder are not "                                                 \
      L"as installed: %ls",                                                                        \
      L"Programs that should publish cannot, or others can, or readers see nothing")               \
    X(PUBLISH_OFF, "publish-off", NOTE, PUBLISH, L"publishing is switched off",                    \
      L"The value Publish is 0: programs that start now count in private memory")                  \
    X(PUBLISH_DENIED, "publish-denied", NOTE, ADMIT_USERS, L"%ls may not publish",                 \
      L"Programs of this account count in private memory; -Writers says who may")                  \
    X(PUBLISH_FAILED, "publish-failed", WRONG, NONE, L"no region file can be made: %ls",           \
      L"Programs that start now count in private memory. Look for a full or failing disk")         \
    X(PROBE_LEFT, "probe-left", NOTE, NONE,                                                        \
      L"the file that -Status made could not be removed: %ls",                                     \
      L"It holds nothing, and the next program that publishes removes it")                         \
    X(FILES_TOO_MANY, "files-too-many", WRONG, RESET,                                              \
      L"there are more than %lu region files of this boot",                                        \
      L"Readers look at no more, and further programs count in private memory. A restart of "      \
      L"Windows removes the files of ended programs as well; Shut down with Fast Startup does not")                                     \
    X(FILES_TOO_LARGE, "files-too-large", WRONG, NONE,                                             \
      L"the region files of this boot take %lu MiB, and readers read %lu MiB",                     \
      L"The counters of some programs are not shown. Let fewer programs publish at once, or set "  \
      L"the REG_DWORD \"Regions MiB\" of the Performance key to a larger number, at most 1024")    \
    X(FILES_UNKNOWN_MAP, "files-unknown-map", NOTE, RESET,                                         \
      L"%lu region files of ended programs have a map that is not registered",                     \
      L"Their counts are not shown. They stay until Windows is restarted; Shut down with Fast "     \
      L"Startup is no restart")                    \
    X(FILES_OTHER_BOOT, "files-other-boot", NOTE, SWEEP,                                           \
      L"%lu region files are left of other boots",                                                 \
      L"They are not shown; programs remove those of their own account")                           \
    X(PROCESS_UNKNOWN_MAP, "process-unknown-map", WRONG, NONE,                                     \
      L"process %lu (%ls) is not shown: its map is not registered",                                \
      L"It has another version of the map, or another product's, and counts nevertheless. Run "    \
      L"the "                                                                                      \
      L"installer of its version; or restart it with the installed version when it may end")       \
    X(PROCESS_OTHER_FORMAT, "process-other-format", WRONG, NONE,                                   \
      L"process %lu (%ls) is not shown: its region has another format",                            \
      L"It was built with another version of PrfData. Restart it with the installed one")          \
    X(PROCESS_DAMAGED, "process-damaged", WRONG, END_PROGRAM,                                      \
      L"process %lu (%ls) is not shown: its region is damaged",                                    \
      L"Restart the program. If it happens again, the program overwrites its own memory")          \
    X(PROCESS_UNFINISHED, "process-unfinished", WRONG, END_PROGRAM,                                \
      L"a program is not shown: it has not finished its region (file %ls)",                        \
      L"It is stopped while it opens the counters, or its counts were reset. Restart it")          \
    X(PROCESS_CLOSED, "process-closed", NOTE, NONE, L"process %lu (%ls) has closed its counters",  \
      L"Its instances are not shown; totals keep what it counted")                                 \
    X(PROCESS_DROPPED, "process-dropped", WRONG, NONE,                                             \
      L"process %lu (%ls) had no room for instances since it published: %ls",                      \
      L"Raise the maximum of instances, or of their names' characters, in the map")                \
    X(FILES_DENIED, "files-denied", WRONG, NONE,                                                   \
      L"%lu region files cannot be read, %ls for instance: %ls",                                   \
      L"Readers of this account leave them out. Look for a program that keeps files locked, or "   \
      L"run -Status as an administrator")                                                          \
    X(PERFHOST_DISABLED, "perfhost-disabled", WRONG, START_PERFHOST,                               \
      L"the service Performance Counter DLL Host is disabled",                                     \
      L"64-bit readers reach a 32-bit DLL through it alone")                                       \
    X(READER_NOTHING, "reader-nothing", WRONG, NONE,                                               \
      L"a reader gets an answer without the object %ls",                                           \
      L"The events above, and those of Perflib in the Application log, have the reason")           \
    X(READER_FAILED, "reader-failed", WRONG, NONE, L"a reader gets an error: %ls",                 \
      L"The events above, and those of Perflib in the Application log, have the reason")           \
    X(READER_HUNG, "reader-hung", WRONG, NONE, L"a reader got no answer within %lu seconds",       \
      L"Some provider hangs, which may be another one: `lodctr /Q` lists them")

#endif
