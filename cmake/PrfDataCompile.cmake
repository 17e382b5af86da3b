# SPDX-License-Identifier: MIT
# Sets the language standard, the warnings, the hardening and precompiled headers, and makes a target
# of all programs. This applies only to this source tree, not to the programs of users.

function(prfdata_compile_strictly)
    set(CMAKE_C_STANDARD 11 PARENT_SCOPE)
    set(CMAKE_C_STANDARD_REQUIRED ON PARENT_SCOPE)
    set(CMAKE_C_EXTENSIONS OFF PARENT_SCOPE)
    # The static libraries are also linked into DLLs.
    set(CMAKE_POSITION_INDEPENDENT_CODE ON PARENT_SCOPE)
    # Make __FILE__ relative to the source tree, so that messages do not depend on where the tree
    # is.
    if(NOT MSVC)
        add_compile_options("-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=")
    endif()

    if(WIN32)
        # Without the parts that nothing here uses, windows.h takes half as long to compile.
        add_compile_definitions(WIN32_LEAN_AND_MEAN NOMINMAX)
    endif()
    if(MSVC)
        # A DLL that runs inside other programs contains its own C runtime.
        set(CMAKE_MSVC_RUNTIME_LIBRARY "MultiThreaded$<$<CONFIG:Debug>:Debug>" PARENT_SCOPE)
        add_compile_definitions(_CRT_SECURE_NO_WARNINGS)
        add_compile_options(/utf-8)
    endif()
    if(NOT PROJECT_IS_TOP_LEVEL)
        prfdata_quiet_compiler()
        set(CMAKE_C_FLAGS "${CMAKE_C_FLAGS}" PARENT_SCOPE)
        return()
    endif()
    if(MSVC)
        # C4127: a constant condition, such as sizeof(void *) == 8.
        add_compile_options(/W4 /wd4127)
        if(CMAKE_C_COMPILER_ID STREQUAL "Clang")
            # Add the warnings that Visual Studio's /W4 includes and clang-cl's does not, such as
            # C4244 and C4456. Switch off two warnings that only clang-cl would give. One is about
            # initializers that leave out fields. The other is about conversions between signed and
            # unsigned. Enumerations would cause it, because they are signed here.
            add_compile_options(-Wshadow -Wconversion -Wno-sign-conversion -Wstrict-prototypes
                -Wmissing-prototypes -Wvla -Wundef -Wno-missing-field-initializers)
        endif()
        if(PRFDATA_WERROR)
            add_compile_options(/WX)
        endif()
        prfdata_harden_msvc()
        return()
    endif()

    add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes
        -Wvla -Wconversion -Wundef -Wwrite-strings)
    if(PRFDATA_WERROR)
        add_compile_options(-Werror)
    endif()
    if(NOT WIN32) # make the loader's table of addresses read-only
        add_link_options(-Wl,-z,relro -Wl,-z,now)
    endif()
endfunction()

# Switch on Control Flow Guard. For x64, also switch on shadow stacks and the metadata about EH continuations.
# PrfDataService.cmake does the same for the targets that users link. Switch off the metadata about volatile
# accesses (/volatileMetadata; on by default before Visual Studio 18.6). Windows on ARM64 emulates x64. If a program
# has this metadata, the emulator keeps the order of x64's loads and stores only for the accesses in the metadata
# (learn.microsoft.com/cpp/build/reference/volatile). But atomic.h relies on this order for all accesses.
macro(prfdata_harden_msvc)
    add_compile_options(/guard:cf)
    add_link_options(/guard:cf)
    if(CMAKE_C_COMPILER_ARCHITECTURE_ID STREQUAL "x64")
        add_link_options(/guard:ehcont /CETCOMPAT)
        if(CMAKE_C_COMPILER_ID STREQUAL "MSVC")
            add_compile_options(/guard:ehcont /volatileMetadata-)
        else() # clang 14 takes only the last /guard
            add_compile_options("SHELL:-Xclang -ehcontguard")
        endif()
    endif()
endmacro()

function(_prfdata_list_targets folder result)
    get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
    get_property(subfolders DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
    foreach(subfolder IN LISTS subfolders)
        _prfdata_list_targets("${subfolder}" more)
        list(APPEND targets ${more})
    endforeach()
    set(${result} "${targets}" PARENT_SCOPE)
endfunction()

# Make the target prfdata_programs: everything that is built by default, except the tests, fuzz targets and
# benchmarks whose names match the pattern.
function(prfdata_add_programs)
    _prfdata_list_targets("${PROJECT_SOURCE_DIR}" targets)
    list(FILTER targets EXCLUDE REGEX "^(test_|fuzz_|prfdata_(helper|fuzz|bench|counted))")
    add_custom_target(prfdata_programs)
    foreach(target IN LISTS targets)
        get_target_property(type ${target} TYPE)
        get_target_property(is_extra ${target} EXCLUDE_FROM_ALL)
        if(NOT type STREQUAL "INTERFACE_LIBRARY" AND NOT is_extra)
            add_dependencies(prfdata_programs ${target})
        endif()
    endforeach()
endfunction()

# Precompile windows.h for every target that has sources in C and none in C++. Reading windows.h
# takes four fifths of the time of compiling a file that includes it. UNICODE changes the content of
# windows.h, so there are two precompiled headers. Call this function when all targets exist.
#
# The function does this only for mingw's gcc. So a missing #include is an error in builds with other
# compilers.
function(prfdata_precompile_windows_h)
    if(NOT MINGW)
        return()
    endif()
    _prfdata_list_targets("${PROJECT_SOURCE_DIR}" targets)
    file(WRITE "${PROJECT_BINARY_DIR}/precompiled.c.in" "typedef int prfdata_no_source;\n")
    configure_file("${PROJECT_BINARY_DIR}/precompiled.c.in" precompiled.c COPYONLY)
    foreach(precompiled prfdata_precompiled prfdata_precompiled_unicode)
        add_library(${precompiled} OBJECT "${PROJECT_BINARY_DIR}/precompiled.c")
        target_precompile_headers(${precompiled} PRIVATE
            <windows.h> <stdint.h> <stdio.h> <stdlib.h> <string.h> <wchar.h>)
    endforeach()
    target_compile_definitions(prfdata_precompiled_unicode PRIVATE UNICODE _UNICODE)
    foreach(target IN LISTS targets)
        get_target_property(type ${target} TYPE)
        get_target_property(sources ${target} SOURCES)
        get_target_property(definitions ${target} COMPILE_DEFINITIONS)
        if(NOT type MATCHES "_LIBRARY$|^EXECUTABLE$" OR type STREQUAL "INTERFACE_LIBRARY" OR
                NOT sources MATCHES "\\.c(;|$)" OR sources MATCHES "\\.cpp(;|$)")
            continue()
        endif()
        set(precompiled prfdata_precompiled)
        if(UNICODE IN_LIST definitions)
            set(precompiled prfdata_precompiled_unicode)
        endif()
        target_precompile_headers(${target} REUSE_FROM ${precompiled})
    endforeach()
endfunction()
