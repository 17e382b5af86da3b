# SPDX-License-Identifier: MIT
prfdata_add_test(events SOURCES test_events.c collecting.c perf_reader.c process.c sample_map.c
    service.c threads.c LIBRARIES prfdata_provider_core)
if(NOT WIN32)
    find_package(Threads REQUIRED)
    target_link_libraries(test_events PRIVATE Threads::Threads)
endif()

# The messages in a service's DLL; as a reader for scripts/55-event-log.sh.
if(WIN32)
    include(PrfDataService)
    prfdata_add_provider(test_event_log_dll SERVICE PrfDataTestEventLog)
    foreach(config DEBUG RELEASE RELWITHDEBINFO MINSIZEREL)
        set_target_properties(test_event_log_dll PROPERTIES
            LIBRARY_OUTPUT_DIRECTORY_${config} "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
    endforeach()
endif()
prfdata_add_test(event_log WINDOWS_ONLY SOURCES test_event_log.c sample_map.c service.c
    LIBRARIES prfdata_provider_core)
if(TARGET test_event_log)
    add_dependencies(test_event_log test_event_log_dll)
endif()
