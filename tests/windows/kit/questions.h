/* SPDX-License-Identifier: MIT */
/* Lists the questions that the kit asks a Windows. A question's number is its position here, so
 * that reports of two versions can be compared; new questions are added at the end. Each has the
 * answer that PrfData relies on, YES or NO, or ANY if every answer is fine. docs/windows-kit.md
 * lists the questions, too. */
#ifndef PRFDATA_KIT_QUESTIONS_H
#define PRFDATA_KIT_QUESTIONS_H

/* clang-format off */
#define KIT_QUESTIONS(QUESTION)                                                                    \
    /* How a provider is called */                                                                 \
    QUESTION(linkage, YES, "Does Open get the text of Linkage\\Export?")                           \
    QUESTION(query, YES, "Does Collect get the text that the reader asks with, unchanged?")        \
    QUESTION(old_global, ANY, "What does Collect get if a reader asks OLD_Global?")                \
    QUESTION(no_numbers, ANY, "Is a provider called that has neither First Counter nor Object List?") \
    QUESTION(object_list, ANY, "Is a provider called for an object that its Object List does not name?") \
    QUESTION(threads, ANY, "Is Collect entered by two threads of one process at once?")            \
    QUESTION(close, YES, "Is Close called when a reader closes HKEY_PERFORMANCE_DATA?")            \
    QUESTION(close_at_exit, ANY, "Is Close called when a reader exits without closing the key?")   \
    QUESTION(late, ANY, "Is a reply used that comes later than Collect Timeout?")                  \
    QUESTION(late_thread, ANY, "Does a late Collect run in the reader's own thread, which waits for it?") \
    QUESTION(disabled, ANY, "Does Disable Performance Counters keep a provider from being called?") \
    /* Replies that are used */                                                                    \
    QUESTION(pointer, ANY, "Is a reply used whose pointer and length disagree?")                   \
    QUESTION(pointer_tested, ANY, "Is such a reply used if ExtCounterTestLevel is 1?")             \
    QUESTION(lengths, ANY, "Is a reply used whose objects are longer than the reply?")             \
    QUESTION(lengths_tested, ANY, "Is that reply used if ExtCounterTestLevel is 1?")               \
    QUESTION(zero_block, YES, "Is a zero block of an object that has no instances accepted at ExtCounterTestLevel 1?") \
    QUESTION(unaligned, ANY, "Is a reply used whose length is not a multiple of 8?")               \
    QUESTION(unaligned_event, ANY, "How many events 1016 does Perflib write for three such replies?") \
    QUESTION(reply_size, ANY, "How large a reply reaches a reader?")                               \
    QUESTION(odd_names, ANY, "Do instance names with \\ / ( ) # * reach a reader?")                \
    /* PDH and these replies */                                                                    \
    QUESTION(pdh_odd_names, ANY, "Which instances does PDH list for such names?")                  \
    QUESTION(pdh_unique_ids, ANY, "Which instances does PDH list if they have a UniqueID and no name?") \
    QUESTION(pdh_bases, ANY, "Does PDH list a base counter whose title index is 0?")               \
    QUESTION(pdh_total, ANY, "In which order does PDH list instances if _Total is the first?")     \
    QUESTION(pdh_wrap, ANY, "What does PDH compute for a DWORD counter that wraps once?")          \
    QUESTION(pdh_cap, ANY, "Does PDH cap a value of 500 that is no percentage at 100?")            \
    QUESTION(pdh_scale, ANY, "Does DefaultScale change what PdhGetFormattedCounterValue returns?") \
    QUESTION(pdh_average, ANY, "How many bytes of an AVERAGE_TIMER does PDH read?")                \
    QUESTION(powershell_average, ANY, "How many bytes of it does Get-Counter read?")               \
    QUESTION(wmi_average, ANY, "How many bytes of it does WMI read?")                              \
    QUESTION(pdh_statistics, ANY, "What does PdhComputeCounterStatistics make of 10, 20, an invalid value and 60?") \
    QUESTION(pdh_size, ANY, "How large a reply does PDH read?")                                    \
    /* Programs that read */                                                                       \
    QUESTION(host_wmi, ANY, "Which program, account and session calls the provider for WMI?")      \
    QUESTION(host_adapter, ANY, "Which does for the WMI Performance Adapter?")                     \
    QUESTION(host_remote, ANY, "Which does for a reader of a computer by name (Remote Registry)?") \
    QUESTION(host_collector, ANY, "Which does for a data collector set?")                          \
    QUESTION(host_perfhost, ANY, "Which does for a reader of the other bitness (perfhost)?")       \
    QUESTION(host_privilege, ANY, "Which of them hold SeCreateGlobalPrivilege?")                   \
    QUESTION(host_keeps, ANY, "Does WMI keep the DLL loaded a minute after a query?")              \
    /* loadperf and .ini files */                                                                  \
    QUESTION(load, YES, "Does loadperf load the .ini file that our installer writes?")             \
    QUESTION(load_names, YES, "Has it the titles and help texts of our map in every language, quotes included?") \
    QUESTION(load_again, ANY, "What does LoadPerfCounterTextStrings return for titles that are loaded?") \
    QUESTION(load_no_file, ANY, "What does it return if there is no .ini file?")                   \
    QUESTION(load_no_symbols, ANY, "What does it return if there is no symbol file?")              \
    QUESTION(load_quotes, ANY, "What does it return for a path with blanks in quotes?")            \
    QUESTION(load_bare, ANY, "What does it return for a path with blanks without quotes?")         \
    QUESTION(load_utf8, ANY, "Does it load an .ini file in UTF-8?")                                \
    QUESTION(load_utf8_mark, ANY, "Does it load one in UTF-8 with a byte order mark?")             \
    QUESTION(load_hex, ANY, "Does it read offsets in hexadecimal?")                                \
    QUESTION(load_comment, ANY, "Does it drop a comment after a value?")                           \
    QUESTION(load_duplicate, ANY, "What does it return if two symbols have the same offset?")      \
    QUESTION(load_gap, ANY, "Does it load offsets with a gap?")                                    \
    QUESTION(load_values, ANY, "Which types have PerfIniFile, InstallType, Updating and 1008?")    \
    QUESTION(unload_in_use, ANY, "Does unloading titles fail while another process has the provider open?") \
    /* The product and Windows' readers */                                                         \
    QUESTION(installed, YES, "Does the installation of our service succeed, twice?")               \
    QUESTION(typeperf, YES, "Does typeperf read our values?")                                      \
    QUESTION(get_counter, YES, "Does Get-Counter read our values?")                                \
    QUESTION(wmi, YES, "Does WMI read our values, after winmgmt /resyncperf?")                     \
    QUESTION(typeperf_32, ANY, "Does the 32-bit typeperf read our values, of a 64-bit provider?")  \
    QUESTION(x86_provider, ANY, "Does the 64-bit typeperf read the values of a 32-bit provider?")  \
    QUESTION(perfmon, YES, "Does PerfMon show our counters?")                                      \
    QUESTION(prfcheck_ours, YES, "Does prfcheck find no fault in our provider?")                   \
    QUESTION(prfcheck_theirs, ANY, "What does prfcheck say of ten of Windows' own providers?")     \
    QUESTION(formulas, YES, "Do our formulas give PDH's values for twenty of Windows' counters?")  \
    QUESTION(prfread, YES, "Does prfread print what typeperf prints?")                             \
    /* Regions: files and their owners */                                                          \
    QUESTION(second_start, YES, "Has a second publisher a region of its own?")                     \
    QUESTION(share_write, YES, "Is a running publisher's region refused to a second writer?")      \
    QUESTION(share_probe, YES, "Is it refused to a reader that does not share writing?")           \
    QUESTION(share_killed, YES, "Can a killed publisher's region be opened for writing?")          \
    QUESTION(share_view, YES, "Can it while a reader holds a view?")                               \
    QUESTION(take_over, YES, "Does the next publisher take it over?")                              \
    QUESTION(counts_stay, YES, "Are a killed publisher's counts in the total?")                    \
    QUESTION(region_delete, ANY, "Can a region be deleted while a reader holds a view?")           \
    QUESTION(dll_delete, ANY, "Can the registered DLL be deleted while a reader uses it?")         \
    QUESTION(dll_rename, ANY, "Can it be renamed meanwhile?")                                      \
    QUESTION(upgrade, YES, "Does an upgrade lose no count while a reader runs?")                   \
    QUESTION(downgrade, YES, "Does a downgrade?")                                                  \
    QUESTION(reader_follows, YES, "Does the reader that runs see the upgrade?")                    \
    /* Who may do what */                                                                          \
    QUESTION(user_reads, YES, "May an ordinary user read regions of a service that the kit installs?") \
    QUESTION(user_writes, NO, "May that user publish if writers are services?")                    \
    QUESTION(user_meddles, NO, "May that user write, delete or rename a region of another account, or change its access list?") \
    QUESTION(user_publishes, YES, "May that user publish if writers are users?")                   \
    QUESTION(service_publishes, YES, "May LocalService publish?")                                  \
    QUESTION(service_meddles, NO, "May LocalService write, delete or rename a region of another account, or change its access list?") \
    QUESTION(restricted_publishes, YES, "May a write-restricted service publish?")                 \
    QUESTION(restricted_reads, YES, "May a write-restricted service read regions?")                \
    /* The machine */                                                                              \
    QUESTION(boot_stamp, ANY, "What is the time stamp of HKLM\\HARDWARE\\DESCRIPTION, compared with the start of the system?") \
    QUESTION(boot_changes, YES, "Does it have another value after a restart?")                     \
    QUESTION(event_levels, ANY, "Which events did Perflib, PerfHost and LoadPerf write meanwhile?") \
    QUESTION(uninstalled, YES, "Does uninstalling our service leave nothing?")                     \
    QUESTION(nothing_left, YES, "Is everything in the registry and the folders as it was before?") \
    QUESTION(last_counter, ANY, "Are Perflib's Last Counter and Last Help as they were before?")   \
    /* Events, one by one */                                                                       \
    QUESTION(event_others, ANY, "Are some of those events about counters that are not the kit's?") \
    QUESTION(event_ours, ANY, "Which events did our provider write?")                              \
    /* The other entries of the access lists */                                                    \
    QUESTION(system, YES, "May LocalSystem publish, and write, delete and control every region?")  \
    QUESTION(administrator, YES, "May an elevated administrator write, delete and control every region?") \
    QUESTION(service_reads, YES, "May LocalService read regions?")                                 \
    QUESTION(writer_folder, NO, "May LocalService, which may add files to the regions folder, add folders to it, delete in it or control it?") \
    QUESTION(restricted_publishes_again, YES, "May a write-restricted service write to its own region again?") \
    QUESTION(network_reads, NO, "May an ordinary user, who is no longer interactive, read regions over the network?") \
    QUESTION(monitor_reads, YES, "May that user as a member of Performance Monitor Users?")        \
    QUESTION(log_reads, YES, "May a member of Performance Log Users read them in a batch job?")    \
    QUESTION(owner_writes, YES, "May the account that made a region write and delete it, and write to it again later?") \
    QUESTION(owner_controls, NO, "May that account change its access list or its owner?")          \
    QUESTION(user_data_reads, YES, "May an ordinary user read the title files in the data folder?") \
    QUESTION(user_data_writes, NO, "May that user add files there, or write to the service's Performance key?") \
    /* More of loadperf */                                                                         \
    QUESTION(load_ansi, ANY, "Does loadperf load an .ini file in the system's code page?")         \
    QUESTION(load_utf16, ANY, "Does it load one in UTF-16 without a byte order mark?")             \
    QUESTION(load_utf16_mark, YES, "Does it load one in UTF-16 with it, as our installer writes it?") \
    QUESTION(load_title_quotes, ANY, "Does it keep quotes around a title?")                        \
    QUESTION(load_title_inner_quotes, YES, "Does it keep quotes inside a title?")                  \
    QUESTION(load_title_semicolon, YES, "Does it keep a semicolon, a percent sign and an equals sign in a title?") \
    QUESTION(load_title_blanks, ANY, "Does it drop blanks before and after a title?")              \
    QUESTION(load_no_objects, ANY, "What becomes of an .ini file without [objects]?")              \
    QUESTION(load_no_help, ANY, "What becomes of one without help texts?")                         \
    QUESTION(load_lines, ANY, "What becomes of one whose lines end only with LF?")                 \
    QUESTION(load_long_help, ANY, "What becomes of one with a help text of 1,100 characters?")     \
    QUESTION(load_symbol_path, ANY, "What becomes of one whose symbolfile is a full path?")        \
    QUESTION(load_other_language, ANY, "Are titles of a second language, 007, in its list?")       \
    QUESTION(load_only_other_language, ANY, "What is in the English list if a file has only titles of 007?") \
    /* More of Perflib and PDH */                                                                  \
    QUESTION(metadata, ANY, "What does Collect get if a reader asks MetadataGlobal or OLD_MetadataGlobal?") \
    QUESTION(disabled_bits, ANY, "Does Disable Performance Counters keep a provider from being called if it names this bitness?") \
    QUESTION(disabled_other_bits, ANY, "Does it do so if it names the other bitness?")             \
    QUESTION(lodctr_disables, ANY, "Does \"lodctr /D:<service>\" keep a provider from being called, and \"lodctr /E:<service>\" let it be called again?") \
    QUESTION(levels, ANY, "Which invalid replies are used at ExtCounterTestLevel 0, 1, 2, 3 and 4?") \
    QUESTION(pdh_numbered, ANY, "Which instances does PDH list if they have a UniqueID and an empty name, as our provider writes them?") \
    QUESTION(pdh_statistics_wrap, ANY, "What does PdhComputeCounterStatistics make of a DWORD rate that wraps?") \
    QUESTION(types, YES, "Do our formulas give PDH's values for every counter type that occurs here?") \
    QUESTION(perfhost_time, ANY, "How long does a reader of the other bitness take, and how long one of this bitness?") \
    QUESTION(unload_while_read, ANY, "Does unloading titles fail while others read titles?")       \
    QUESTION(titles_left, YES, "Are the kit's titles gone at the end?")                            \
    QUESTION(classes_left, ANY, "Are WMI's classes of the kit's counters gone at the end?")        \
    /* Readers without a command line, or of another computer */                                   \
    QUESTION(sysmon_average, ANY, "How many bytes of an AVERAGE_TIMER does PerfMon's control read?") \
    QUESTION(sysmon, YES, "Does PerfMon's control read our values?")                               \
    QUESTION(host_computer, ANY, "Which program, account and session calls the provider for Get-Counter of a computer by name?") \
    QUESTION(collector, YES, "Does a data collector set read our values?")                         \
    QUESTION(remote, YES, "Does typeperf read our values of a computer by name (Remote Registry)?") \
    QUESTION(holes, YES, "Does typeperf read our values if titles have a hole, and the counters of an object are not adjacent?") \
    QUESTION(privileges, YES, "Has the service that prfread installs SeChangeNotifyPrivilege and no other privilege?") \
    /* The number of a boot */ \
    QUESTION(boot_lasts, YES, "Are the time stamp of HKLM\\HARDWARE\\DESCRIPTION and BootId at the end of the run those at its start?") \
    QUESTION(boot_views, YES, "Do the 32-bit view, the 64-bit view and the kits of other processors show the same time stamp?") \
    QUESTION(boot_service, YES, "Does LocalService see the same time stamp and the same BootId?")  \
    QUESTION(boot_id, ANY, "What is KUSER_SHARED_DATA.BootId, and what was it before the restart?") \
    /* More of the installation */ \
    QUESTION(protect_programs, YES, "Does the installation accept a DLL in a new folder of Program Files?") \
    QUESTION(protect_guarded, YES, "Does it accept one in a guarded folder of ProgramData?")       \
    QUESTION(protect_user, NO, "Does it accept one in a folder of a user?")                        \
    QUESTION(protect_domain, ANY, "Does it accept one in a folder whose access list names Domain Admins?") \
    QUESTION(protect_data, NO, "Does it accept a data folder to which others may add files?")      \
    QUESTION(install_again, YES, "Does a second installation leave every value, title and file as it is?") \
    QUESTION(status_after, YES, "Does -Status find nothing wrong after it?")                       \
    QUESTION(pending, NO, "Does an upgrade while the old DLL is loaded make Windows say that a restart is pending?") \
    QUESTION(languages, ANY, "Which languages have titles, and which have ours?")                  \
    QUESTION(ini_copies, ANY, "What do the values of loadperf and INF hold after loading titles, and INF after unloading them?") \
    QUESTION(killed_files, YES, "Do publishers that are killed one after the other leave one region?") \
    QUESTION(costs, ANY, "How long do Open, a refresh and a Collect take with 1, 100 and 1,000 regions, and with other files in the folder?") \
    /* Files */ \
    QUESTION(scanner, ANY, "How often, and how long, is an open refused after a file was written?") \
    QUESTION(posix_view, ANY, "Does a POSIX deletion remove a file that is mapped?")               \
    QUESTION(posix_dll, ANY, "Does it remove a DLL that is loaded?")                               \
    QUESTION(replace_read_only, ANY, "What does replacing a read-only file by a rename return?")   \
    QUESTION(replace_open, ANY, "What does replacing a file return that is open and shared for deletion?") \
    QUESTION(name_pattern, YES, "Does a listing with 15 question marks and a digit in the pattern return those names and no others?") \
    QUESTION(guard, YES, "Is a fault in a view caught, and does the program continue as before?")  \
    /* The system */ \
    QUESTION(system_state, ANY, "In which state are Fast Startup, Smart App Control and Defender?") \
    QUESTION(runtime, ANY, "Is VCRUNTIME140.dll here, which the kit does not need?")               \
    QUESTION(dll_load, YES, "Does Windows load the unsigned provider?")                            \
    QUESTION(code_integrity, ANY, "Which events 3033 and 3077 of CodeIntegrity name our files?")   \
    QUESTION(manifest_strings, ANY, "Does ReadEventLog give the strings of events that have a manifest?") \
    QUESTION(wmi_quota, ANY, "Which quotas has a provider host of WMI?")                           \
    QUESTION(thread_token, ANY, "Does the thread of Collect carry a token in WMI's host?")         \
    QUESTION(network_event, ANY, "May an account that has logged on over the network write to the Application log?") \
    QUESTION(restricted_meddles, NO, "May a write-restricted service write, delete or control a region of another account?") \
    QUESTION(owner_reads, YES, "May a member of Performance Monitor Users read who owns a region?") \
    /* The readers' programs */ \
    QUESTION(service_runs, YES, "Does the service that prfread installs start, answer, and stop?") \
    QUESTION(prfview, YES, "Does prfview start, answer after 50 tabs, and end with 0 when it is closed?") \
    QUESTION(load_bitness, ANY, "Which readers see titles that the loadperf of the other bitness loads?") \
    QUESTION(region_holder, ANY, "Does the Restart Manager name the process that publishes in a region?") \
    QUESTION(region_denied, YES, "May an administrator delete a region whose owner denies everything?")
/* clang-format on */

typedef enum kit_question_id {
#define KIT_ENUMERATOR(name, expected, text) KIT_Q_##name,
    KIT_QUESTIONS(KIT_ENUMERATOR)
#undef KIT_ENUMERATOR
        KIT_QUESTION_COUNT
} kit_question_id;

#endif
