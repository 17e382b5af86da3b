# SPDX-License-Identifier: MIT
# Fuzz targets: fuzz/README.md. Every build replays their corpora; only PRFDATA_FUZZ, with clang,
# makes fuzzers of them.
option(PRFDATA_FUZZ "Build the fuzz targets with libFuzzer (clang only)" OFF)
if(PRFDATA_FUZZ AND NOT CMAKE_C_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "PRFDATA_FUZZ needs clang: cmake --preset fuzz")
endif()

# A target with what it links, and its corpus as a test.
function(prfdata_add_fuzz name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
    list(TRANSFORM arg_SOURCES PREPEND fuzz/)
    add_executable(fuzz_${name} fuzz/fuzz_${name}.c ${arg_SOURCES})
    target_include_directories(fuzz_${name} PRIVATE fuzz "${PROJECT_SOURCE_DIR}/tests")
    target_link_libraries(fuzz_${name} PRIVATE ${arg_LIBRARIES})
    if(PRFDATA_FUZZ)
        target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
        return()
    endif()

    target_sources(fuzz_${name} PRIVATE fuzz/replay.c)
    file(GLOB inputs CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus/${name}/*")
    list(JOIN inputs "\n" text)
    file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/fuzz_${name}.list" CONTENT "${text}\n" @ONLY)
    set(run "$<TARGET_FILE:fuzz_${name}>")
    if(NOT CMAKE_HOST_WIN32)
        set(run "${PROJECT_SOURCE_DIR}/tests/run-test" ${CMAKE_CROSSCOMPILING_EMULATOR} ${run})
    endif()
    add_test(NAME fuzz_${name}_corpus
        COMMAND ${run} "${CMAKE_CURRENT_BINARY_DIR}/fuzz_${name}.list")
    set_tests_properties(fuzz_${name}_corpus PROPERTIES TIMEOUT 600)
    if(MINGW)
        set_tests_properties(fuzz_${name}_corpus PROPERTIES FIXTURES_REQUIRED wine)
    endif()
endfunction()

prfdata_add_fuzz(query SOURCES fuzz_map.c LIBRARIES prfdata_provider_core)
prfdata_add_fuzz(decode SOURCES ../wire.c ../perf_reader.c LIBRARIES prfdata_reader)
prfdata_add_fuzz(path LIBRARIES prfdata_reader)
prfdata_add_fuzz(saved SOURCES exposition.c ../wire.c LIBRARIES prfdata_reader)
prfdata_add_fuzz(http LIBRARIES prfdata_reader)
prfdata_add_fuzz(map_check SOURCES mapping.c LIBRARIES prfdata_installer)
prfdata_add_fuzz(map_bytes SOURCES mapping.c LIBRARIES prfdata::client)

# Client library and provider over files in memory, with the steps at which a process may die.
get_target_property(sources prfdata_client SOURCES)
list(FILTER sources EXCLUDE REGEX "^os_")
list(TRANSFORM sources PREPEND "${PROJECT_SOURCE_DIR}/shared/")
get_target_property(provider_sources prfdata_provider_core SOURCES)
list(TRANSFORM provider_sources PREPEND "${PROJECT_SOURCE_DIR}/provider/")
add_library(prfdata_fuzz_memory STATIC ${sources} ${provider_sources} fuzz/os_memory.c)
target_compile_definitions(prfdata_fuzz_memory PUBLIC PRFDATA_STEPS)
target_include_directories(prfdata_fuzz_memory PUBLIC "${PROJECT_SOURCE_DIR}/shared/include"
    "${PROJECT_SOURCE_DIR}/shared" "${PROJECT_SOURCE_DIR}/provider" PRIVATE fuzz)

set(judge_sources fuzz_map.c judging.c ../perf_reader.c)
foreach(source findings judge rules text)
    list(APPEND judge_sources ../../reader/${source}.c)
endforeach()
prfdata_add_fuzz(regions SOURCES ${judge_sources} no_steps.c LIBRARIES prfdata_fuzz_memory)
target_include_directories(fuzz_regions PRIVATE "${PROJECT_SOURCE_DIR}/reader")
prfdata_add_fuzz(client SOURCES ${judge_sources} LIBRARIES prfdata_fuzz_memory)
target_include_directories(fuzz_client PRIVATE "${PROJECT_SOURCE_DIR}/reader")
