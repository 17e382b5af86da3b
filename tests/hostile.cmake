# SPDX-License-Identifier: MIT
# What strangers may put into the regions folder.
set(judge_sources)
foreach(source findings judge rules text)
    list(APPEND judge_sources ../reader/${source}.c)
endforeach()
prfdata_add_test(hostile
    SOURCES test_hostile.c collecting.c hostile_files.c hostile_judge.c perf_reader.c
        process.c sample_map.c service.c threads.c ${judge_sources}
    LIBRARIES prfdata_provider_core)
target_include_directories(test_hostile PRIVATE "${PROJECT_SOURCE_DIR}/reader")
if(NOT WIN32)
    find_package(Threads REQUIRED)
    target_link_libraries(test_hostile PRIVATE Threads::Threads)
endif()
