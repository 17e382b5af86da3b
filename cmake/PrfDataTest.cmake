# SPDX-License-Identifier: MIT
# Builds and runs test programs, and makes sure that they really ran.

set(PRFDATA_TEST_NAMES "" CACHE STRING
    "Build and run only the test programs whose names match this regular expression")
set(PRFDATA_TEST_SUPPORT "" CACHE STRING
    "Build only the test programs that have this helper of tests/support/")
option(PRFDATA_LONG_TESTS "Build and run also the tests that take long" ON)

# Visual Studio configures every folder that it opens, so some people see this message first.
function(prfdata_miss_cmocka)
    message(FATAL_ERROR "The tests need cmocka, which CMake does not find. docs/testing.md, \"Presets\", says "
        "how to install it. To build without tests, add -DPRFDATA_BUILD_TESTS=OFF.")
endfunction()

function(prfdata_find_cmocka)
    if(TARGET prfdata_cmocka)
        return()
    endif()
    add_library(prfdata_cmocka INTERFACE)
    if(CMAKE_CROSSCOMPILING AND NOT CMAKE_HOST_WIN32)
        # The machine's own cmocka is not for the target system. scripts/cmocka builds another
        # cmocka in the user's cache, if it is not there yet, and prints its folder.
        if(NOT PRFDATA_CMOCKA_DIR)
            execute_process(COMMAND "${PROJECT_SOURCE_DIR}/scripts/cmocka"
                "${PRFDATA_MINGW_TRIPLE}${PRFDATA_MSVC_TRIPLE}${PRFDATA_LINUX_TRIPLE}"
                OUTPUT_VARIABLE dir OUTPUT_STRIP_TRAILING_WHITESPACE
                COMMAND_ERROR_IS_FATAL ANY)
            set(PRFDATA_CMOCKA_DIR "${dir}" CACHE PATH "cmocka for what is not this system")
        endif()
        target_include_directories(prfdata_cmocka SYSTEM INTERFACE "${PRFDATA_CMOCKA_DIR}/include")
        target_link_libraries(prfdata_cmocka INTERFACE
            "${PRFDATA_CMOCKA_DIR}/lib/libcmocka-static.a")
    elseif(MSVC)
        find_package(cmocka CONFIG QUIET)
        if(NOT cmocka_FOUND)
            prfdata_miss_cmocka()
        endif()
        target_link_libraries(prfdata_cmocka INTERFACE cmocka::cmocka)
    else()
        find_path(PRFDATA_CMOCKA_INCLUDE cmocka.h)
        find_library(PRFDATA_CMOCKA_LIBRARY cmocka)
        if(NOT PRFDATA_CMOCKA_INCLUDE OR NOT PRFDATA_CMOCKA_LIBRARY)
            prfdata_miss_cmocka()
        endif()
        target_include_directories(prfdata_cmocka SYSTEM INTERFACE "${PRFDATA_CMOCKA_INCLUDE}")
        target_link_libraries(prfdata_cmocka INTERFACE "${PRFDATA_CMOCKA_LIBRARY}")
    endif()
endfunction()

# Set `result` to whether the other arguments (WINDOWS, LINUX) name the system of this build.
function(prfdata_is_long result)
    set(system LINUX)
    if(WIN32)
        set(system WINDOWS)
    endif()
    set(${result} FALSE PARENT_SCOPE)
    if(system IN_LIST ARGN)
        set(${result} TRUE PARENT_SCOPE)
    endif()
endfunction()

# Compile a file of tests/support/, or of a folder there, once for all tests that use it.
function(prfdata_compile_helper name)
    if(TARGET prfdata_helper_${name})
        return()
    endif()
    prfdata_find_cmocka()
    file(GLOB source "${PROJECT_SOURCE_DIR}/tests/support/${name}.c"
        "${PROJECT_SOURCE_DIR}/tests/support/*/${name}.c")
    add_library(prfdata_helper_${name} OBJECT ${source})
    foreach(folder /tests /shared /shared/core /shared/include /provider /installer /reader)
        target_include_directories(prfdata_helper_${name} PRIVATE "${PROJECT_SOURCE_DIR}${folder}")
    endforeach()
    target_link_libraries(prfdata_helper_${name} PRIVATE prfdata_cmocka)
endfunction()

# prfdata_add_test(<name> [MAIN <file>] [SOURCES <file>...] [SUPPORT <helper>...]
#                  [LIBRARIES <target>...] [ARGUMENTS <argument>...] [TIMEOUT <seconds>]
#                  [SERIAL | PERFLIB] [WINDOWS_ONLY | LINUX_ONLY] [LONG WINDOWS|LINUX...])
#
# Build the cmocka program test_<name> from MAIN (default: test_<name>.c) and SOURCES, and register
# it with ctest.
#
# SUPPORT names files of tests/support/ and its folders, without `.c`.
#
# SERIAL: no other test runs at the same time.
#
# PERFLIB: the test registers providers or reads HKEY_PERFORMANCE_DATA. Reading calls every
# registered provider, even one that hangs on purpose, so no other PERFLIB test runs at the same
# time.
#
# LONG: the test takes long on these systems, and PRFDATA_LONG_TESTS=OFF leaves it out.
#
# With WINDOWS_ONLY or LINUX_ONLY the function does nothing on the other system, so use `if(TARGET
# test_<name>)` before adding to the target.
function(prfdata_add_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "WINDOWS_ONLY;LINUX_ONLY;SERIAL;PERFLIB" "MAIN;TIMEOUT"
        "SOURCES;SUPPORT;LIBRARIES;ARGUMENTS;LONG")
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "prfdata_add_test(${name}): unknown ${arg_UNPARSED_ARGUMENTS}")
    endif()
    if((arg_WINDOWS_ONLY AND NOT WIN32) OR (arg_LINUX_ONLY AND WIN32))
        return()
    endif()
    if(NOT arg_MAIN)
        set(arg_MAIN test_${name}.c)
    endif()
    set(support)
    foreach(helper ${arg_SUPPORT})
        prfdata_compile_helper(${helper})
        list(APPEND support "$<TARGET_OBJECTS:prfdata_helper_${helper}>")
    endforeach()
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 600) # only ends tests that hang
    endif()

    prfdata_find_cmocka()
    add_executable(test_${name} ${arg_MAIN} ${arg_SOURCES} ${support})
    target_include_directories(test_${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
    # cmocka must be last, because static libraries are searched in order.
    target_link_libraries(test_${name} PRIVATE ${arg_LIBRARIES} prfdata_cmocka)
    if(NOT WIN32)
        find_package(Threads REQUIRED)
        target_link_libraries(test_${name} PRIVATE Threads::Threads)
    endif()

    if(PRFDATA_TEST_NAMES AND NOT name MATCHES "^(${PRFDATA_TEST_NAMES})$")
        set_target_properties(test_${name} PROPERTIES EXCLUDE_FROM_ALL ON)
        return()
    endif()
    if(PRFDATA_TEST_SUPPORT AND NOT PRFDATA_TEST_SUPPORT IN_LIST arg_SUPPORT)
        set_target_properties(test_${name} PROPERTIES EXCLUDE_FROM_ALL ON)
        return()
    endif()
    prfdata_is_long(long ${arg_LONG})
    if(long AND NOT PRFDATA_LONG_TESTS)
        set_target_properties(test_${name} PROPERTIES EXCLUDE_FROM_ALL ON)
        return()
    endif()
    if(CMAKE_HOST_WIN32)
        add_test(NAME ${name} COMMAND test_${name} ${arg_ARGUMENTS})
    else()
        # run-test demands exit code 0 and cmocka's closing line, so that a program that could not
        # be loaded does not pass. PASS_REGULAR_EXPRESSION would ignore the exit code.
        add_test(NAME ${name} COMMAND "${PROJECT_SOURCE_DIR}/tests/run-test"
            ${CMAKE_CROSSCOMPILING_EMULATOR} "$<TARGET_FILE:test_${name}>" ${arg_ARGUMENTS})
    endif()
    set_tests_properties(${name} PROPERTIES
        TIMEOUT ${arg_TIMEOUT}
        RUN_SERIAL "$<BOOL:${arg_SERIAL}>"
        ENVIRONMENT "PRFDATA_SOURCE_DIR=${PROJECT_SOURCE_DIR};PRFDATA_BIN=${PROJECT_BINARY_DIR}/bin;PRFDATA_TEST_SECONDS=${arg_TIMEOUT}")
    if(PRFDATA_TEST_NAMES)
        set_property(TEST ${name} APPEND PROPERTY LABELS chosen)
    endif()
    if(arg_PERFLIB)
        set_tests_properties(${name} PROPERTIES RESOURCE_LOCK perflib)
    endif()
    if(WIN32 AND NOT CMAKE_HOST_WIN32)
        set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED wine)
    endif()
    if("threads" IN_LIST arg_SUPPORT)
        # The preset linux-tsan runs these tests. It uses clang, because gcc warns about fences.
        # ThreadSanitizer ignores fences. So it assumes less order than there is, and misses no
        # race. It reports no false race either, because every shared word is accessed atomically.
        set_property(TEST ${name} APPEND PROPERTY LABELS threads)
        # Under Wine the test uses all processors (scripts/lib.sh).
        set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT PRFDATA_WINE_PROCESSOR=)
    endif()
endfunction()
