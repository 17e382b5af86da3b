# SPDX-License-Identifier: MIT
# Lists the numbers in perf_types.h and error.h, which are copies from winperf.h and winerror.h.
# test_winperf_layout.c compares the list with the originals.
if(WIN32)
    set(pairs "")
    foreach(header perf_types error)
        set(path "${PROJECT_SOURCE_DIR}/shared/include/prfdata/${header}.h")
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${path}")
        file(STRINGS "${path}" lines REGEX "(PERF|ERROR)_[A-Z0-9_]+ ")
        foreach(line IN LISTS lines)
            if(line MATCHES "^(#define|   |enum {) +((PERF|ERROR)_[A-Z0-9_]+)( =)? +([-0-9A-Zx_]+)( };|,)?$")
                string(APPEND pairs "PAIR(${CMAKE_MATCH_2}, ${CMAKE_MATCH_5})\n")
            endif()
        endforeach()
    endforeach()
    file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/winperf_pairs.inc" CONTENT "${pairs}" @ONLY)

    prfdata_add_test(winperf_layout LIBRARIES prfdata::client WINDOWS_ONLY)
    target_include_directories(test_winperf_layout PRIVATE "${CMAKE_CURRENT_BINARY_DIR}")
endif()
