# SPDX-License-Identifier: MIT
prfdata_add_test(events SOURCES test_events.c collecting.c perf_reader.c process.c sample_map.c
    service.c threads.c LIBRARIES prfdata_provider_core)
if(NOT WIN32)
    find_package(Threads REQUIRED)
    target_link_libraries(test_events PRIVATE Threads::Threads)
endif()
