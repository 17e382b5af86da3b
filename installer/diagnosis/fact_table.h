/* SPDX-License-Identifier: MIT */
/*
 * Lists the facts that -Status shows about a registration, in their order. Those of `lodctr /Q`
 * come first, because users and scripts know them. docs/doctor.md repeats the table, and
 * test_diagnosis.c compares the two. Portable.
 */
#ifndef PRFDATA_FACT_TABLE_H
#define PRFDATA_FACT_TABLE_H

/* X(NAME, name, label): the stable name in JSON, and the beginning of the line in text. */
#define PRFDATA_FACTS(X)                                                                           \
    X(DLL, "dll", L"DLL Name")                                                                     \
    X(OPEN, "open", L"Open Procedure")                                                             \
    X(COLLECT, "collect", L"Collect Procedure")                                                    \
    X(CLOSE, "close", L"Close Procedure")                                                          \
    X(FIRST_COUNTER, "first_counter", L"First Counter ID")                                         \
    X(LAST_COUNTER, "last_counter", L"Last Counter ID")                                            \
    X(FIRST_HELP, "first_help", L"First Help ID")                                                  \
    X(LAST_HELP, "last_help", L"Last Help ID")                                                     \
    X(MAP, "map", L"Map")                                                                          \
    X(EARLIER_MAPS, "earlier_maps", L"Earlier Maps")                                               \
    X(TITLES, "titles", L"Titles")                                                                 \
    X(DLL_ARCHITECTURE, "dll_architecture", L"DLL Architecture")                                   \
    X(DLL_PROTECTION, "dll_protection", L"DLL Protection")                                         \
    X(DLL_LOAD, "dll_load", L"DLL Load")                                                           \
    X(EVENT_SOURCE, "event_source", L"Event Source")                                               \
    X(EVENT_LEVEL, "event_level", L"Event Log Level")                                              \
    X(FOLDER, "folder", L"Regions Folder")                                                         \
    X(REGIONS, "regions", L"Regions")                                                              \
    X(WRITERS, "writers", L"Writers")                                                              \
    X(PUBLISHING, "publishing", L"Publishing")                                                     \
    X(THIS_ACCOUNT, "this_account", L"This Account")                                               \
    X(PERFHOST, "perfhost", L"PerfHost")                                                           \
    X(READER, "reader", L"Reader")

#endif
