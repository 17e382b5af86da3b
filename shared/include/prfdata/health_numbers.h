/* SPDX-License-Identifier: MIT */
/*
 * Defines the numbers of a service's health as one table. This table is the source of the
 * constants and PRFDATA_MAP_HEALTH (map.h), the words of map files, the alerts that the installer
 * writes, and the lists in docs/. Programs include map.h, not this file.
 */
#ifndef PRFDATA_HEALTH_NUMBERS_H
#define PRFDATA_HEALTH_NUMBERS_H

/*
 * Calls X for each number:
 *
 * id, symbol, metric  The arguments of PRFDATA_HEALTH_NUMBERS, unchanged.
 * name       The constant is PRFDATA_HEALTH_name.
 * number     The value of the constant, from 1 and without a gap. It never changes, because maps
 *            contain it. A new number comes last and is at most PRFDATA_HEALTH_RESERVED.
 * word       The name in lower case, for map files.
 * title      The name of the counter.
 * ending     The end of the metric's name.
 * unit       The unit of the metric.
 * kind       GROWS: a count that only grows; the code that counts must make sure of that. VARIES: a
 *            present value.
 * whose      READER: each reading process has its own number, and the help text says "this reading
 *            process". SERVICE: all readers that may read all files have the same number. DROPPED
 *            is an exception: each reading process keeps the highest sum that it has found.
 * help       What the number means and what to do.
 * alert      The name of the alert, its limit, the time until it fires, what it says, and what it
 *            advises. The limit is for a present value, or for the growth of a count in 15 minutes,
 *            in the unit that Prometheus shows.
 */
#define PRFDATA_HEALTH_NUMBERS(X, id, symbol, metric)                                              \
    X(id, symbol, metric, PUBLISHERS, 1, "publishers", L"Publishers", "publishers", "", VARIES,    \
      SERVICE,                                                                                     \
      L"Programs that publish these counters now. If programs are missing, start them. -Status "   \
      L"of the installer lists the programs that publish, and the last events of those that "      \
      L"could not.",                                                                               \
      "PrfDataNoPublisher", "== 0", "10m", "no program publishes",                                 \
      "Start a program that publishes, or run -Status of the installer on that computer.")         \
    X(id, symbol, metric, ENDED, 2, "ended", L"Ended Publishers", "ended_publishers", "", VARIES,  \
      SERVICE,                                                                                     \
      L"Region files of programs that have ended. They keep the counts until a program of the "    \
      L"same account and version reuses them. A reader reads at most 1,024 files, running "        \
      L"programs included. If the number grows without end, programs start under ever new "        \
      L"accounts or in ever new versions, or another program keeps the files open.",               \
      "PrfDataManyRegions", "> 900", "10m",                                                        \
      "{{ $value }} ended programs left region files; 1,024 are read",                             \
      "Start programs under the same accounts and in the same version. Beyond 1,024 files, "       \
      "-Status there names the account that has most of them.")                                    \
    X(id, symbol, metric, UNREADABLE, 3, "unreadable", L"Unreadable Regions",                      \
      "unreadable_regions", "", VARIES, READER,                                                    \
      L"Region files that this reading process cannot read, plus 1 if there are more than 1,024 "  \
      L"files, or 1 if it cannot read the folder. What the programs of these files count is "      \
      L"missing. Add the reader's account to Performance Monitor Users, and look for a program "   \
      L"that locks the files and for disk errors.",                                                \
      "PrfDataUnreadable", "> 0", "10m", "{{ $value }} region files cannot be read",               \
      "Check the reader's account, and what locks the files.")                                     \
    X(id, symbol, metric, UNSHOWN, 4, "unshown", L"Programs Not Shown", "programs_not_shown", "",  \
      VARIES, SERVICE,                                                                             \
      L"Programs that run and whose counters are not shown: their version of the counters is "     \
      L"not installed, or their region is damaged. Install their version, or restart them with "   \
      L"the installed one.",                                                                       \
      "PrfDataNotShown", "> 0", "10m", "{{ $value }} programs run and are not shown",              \
      "Install their version of the counters, or restart them.")                                   \
    X(id, symbol, metric, DROPPED, 5, "dropped", L"Dropped Instances", "dropped_instances", "",    \
      GROWS, SERVICE,                                                                              \
      L"Instances that programs could not add since the region files were made, because there "    \
      L"was no room for the instance or for its name. If the number grows, raise the maximum "     \
      L"of instances, or of characters in their names, in the map, or the number that the "        \
      L"program passes to prfdata_open_with. Then install the counters again and restart the "     \
      L"program.",                                                                                 \
      "PrfDataDropped", "> 0", "1m", "instances were dropped",                                     \
      "Raise the maximum of instances, or of characters in their names, in the map, or the "       \
      "number that the program passes to prfdata_open_with.")                                      \
    X(id, symbol, metric, TORN, 6, "torn", L"Torn Samples", "torn_samples", "", GROWS, READER,     \
      L"How often this reading process has shown values while a program was changing them "        \
      L"together, so that they may not fit together. If the number grows with every sample, a "    \
      L"program hangs between the beginning and the end of a change: restart it.",                 \
      "PrfDataTorn", "> 0", "30m", "samples are torn again and again",                             \
      "A program hangs inside a change of several counters: restart it.")                          \
    X(id, symbol, metric, COLLECT_US, 7, "collect_us", L"Collect Microseconds", "collect",         \
      "microseconds", VARIES, READER,                                                              \
      L"How long it took this reading process to collect this service's counters the last time, "  \
      L"in microseconds. If it takes longer than the reader waits, ask for fewer objects, or let " \
      L"fewer programs publish.",                                                                  \
      "PrfDataSlow", "> 1", "10m", "collecting takes {{ $value }} seconds",                        \
      "Ask for fewer objects, or let fewer programs publish.")                                     \
    X(id, symbol, metric, NO_MEMORY, 8, "no_memory", L"Collects Without Memory",                   \
      "collects_without_memory", "", GROWS, READER,                                                \
      L"How often this reading process has shown nothing of this service, because its memory was " \
      L"exhausted. If the number grows, give the process more memory, or restart it.",             \
      "PrfDataNoMemory", "> 0", "1m", "a reader had no memory for the counters",                   \
      "Give the process that reads them more memory, or restart it.")                              \
    X(id, symbol, metric, SHORT_BUFFER, 9, "short_buffer", L"Buffers Too Small", "short_buffers",  \
      "", GROWS, READER,                                                                           \
      L"How often this reading process has asked 32 times in a row with a buffer that was too "    \
      L"small for the reply, and so has shown nothing. If the number grows, ask for fewer "        \
      L"objects, or correct the reader: it has to enlarge its buffer until the reply fits.",       \
      "PrfDataShortBuffer", "> 0", "1m", "a reader asks again and again with too small a buffer",  \
      "Ask for fewer objects, or correct the reader.")

#endif
