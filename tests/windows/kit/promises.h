/* SPDX-License-Identifier: MIT */
/* Lists what PrfData promises. Each line has a promise, and the questions that show whether Windows
 * lets PrfData keep it. Every question whose answer PrfData relies on is in a line. The last page
 * of a report has one row for each line. */
#ifndef PRFDATA_KIT_PROMISES_H
#define PRFDATA_KIT_PROMISES_H

#include "questions.h"

#define Q(name) KIT_Q_##name

/* clang-format off */
#define KIT_PROMISES(PROMISE)                                                                      \
    PROMISE("Windows calls the provider as it expects, and takes its replies",                     \
            Q(linkage), Q(query), Q(close), Q(zero_block), Q(dll_load))                            \
    PROMISE("Windows' readers show the values that programs count",                                \
            Q(typeperf), Q(get_counter), Q(wmi), Q(perfmon), Q(sysmon), Q(collector), Q(remote),   \
            Q(holes))                                                                              \
    PROMISE("prfread, prfview and prfcheck run, and show the values that PDH shows",               \
            Q(prfread), Q(formulas), Q(types), Q(prfcheck_ours), Q(service_runs), Q(privileges),   \
            Q(prfview))                                                                            \
    PROMISE("Titles and help texts arrive as they were written",                                   \
            Q(load), Q(load_names), Q(load_utf16_mark), Q(load_title_inner_quotes),                \
            Q(load_title_semicolon))                                                               \
    PROMISE("Counts outlive the program that counted them, and files do not pile up",              \
            Q(second_start), Q(share_write), Q(share_probe), Q(share_killed), Q(share_view),       \
            Q(take_over), Q(counts_stay), Q(killed_files), Q(name_pattern))                        \
    PROMISE("All programs see the same start of Windows, and after a restart another one",         \
            Q(boot_changes), Q(boot_lasts), Q(boot_views), Q(boot_service))                        \
    PROMISE("Upgrades and downgrades lose no count, and need no restart",                          \
            Q(upgrade), Q(downgrade), Q(reader_follows), Q(pending))                               \
    PROMISE("Accounts that may publish or read can do so",                                         \
            Q(user_reads), Q(user_publishes), Q(service_publishes), Q(restricted_publishes),       \
            Q(restricted_reads), Q(system), Q(administrator), Q(service_reads),                    \
            Q(restricted_publishes_again), Q(monitor_reads), Q(log_reads), Q(owner_writes),        \
            Q(user_data_reads), Q(owner_reads))                                                    \
    PROMISE("Nobody else can, and nobody changes the numbers of another account",                  \
            Q(user_writes), Q(user_meddles), Q(service_meddles), Q(writer_folder),                 \
            Q(network_reads), Q(owner_controls), Q(user_data_writes), Q(restricted_meddles))       \
    PROMISE("Only what ordinary users cannot change is installed",                                 \
            Q(protect_programs), Q(protect_guarded), Q(protect_user), Q(protect_data))             \
    PROMISE("Installing twice changes nothing, and uninstalling leaves nothing",                   \
            Q(installed), Q(install_again), Q(status_after), Q(uninstalled), Q(nothing_left),      \
            Q(titles_left), Q(region_denied))                                                                        \
    PROMISE("A file that is cut short ends no reader",                                             \
            Q(guard))
/* clang-format on */

#endif
