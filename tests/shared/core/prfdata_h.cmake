# SPDX-License-Identifier: MIT
# Compiles the map of Richter's article (tests/richter) as C and, if there is a C++ compiler, as
# C++.
set(richter_includes "${PROJECT_SOURCE_DIR}/tests/richter")
if(NOT CMAKE_HOST_WIN32)
    list(APPEND richter_includes "${PROJECT_SOURCE_DIR}/tests/richter/windows")
endif()

set(richter "${PROJECT_SOURCE_DIR}/tests/richter")
prfdata_add_test(prfdata_h SOURCES "${richter}/HWInputPrfDataMap.c" SUPPORT encoded_map
    LIBRARIES prfdata::client)
target_include_directories(test_prfdata_h PRIVATE ${richter_includes})

# The project itself is C, so a missing C++ compiler is not an error, even if a toolchain file names
# one.
include(CheckLanguage)
check_language(CXX)
find_program(prfdata_cxx "${CMAKE_CXX_COMPILER}" NO_CACHE)

if(prfdata_cxx)
    enable_language(CXX)
    add_library(prfdata_h_map_cpp OBJECT "${richter}/HWInputPrfDataMap_cpp.cpp" prfdata_h_public.cpp)
    add_library(prfdata_h_disabled_cpp OBJECT prfdata_h_public.cpp) # it is only compiled
    target_compile_definitions(prfdata_h_disabled_cpp PRIVATE PRFDATA_DISABLED)
    # The project's warnings are for C. These are the warnings that users' C++ compilers may give for
    # our headers.
    foreach(target prfdata_h_map_cpp prfdata_h_disabled_cpp)
        if(MSVC)
            set_target_properties(${target} PROPERTIES COMPILE_OPTIONS "/W4;/utf-8")
        else()
            set_target_properties(${target} PROPERTIES COMPILE_OPTIONS
                "-Wall;-Wextra;-Wpedantic;-Wconversion;-Wshadow;-Werror")
        endif()
        set_target_properties(${target} PROPERTIES CXX_STANDARD 17 CXX_EXTENSIONS OFF)
        target_include_directories(${target} PRIVATE ${richter_includes})
        target_link_libraries(${target} PRIVATE prfdata::client)
    endforeach()

    prfdata_add_test(prfdata_h_cpp MAIN test_prfdata_h.c SOURCES "$<TARGET_OBJECTS:prfdata_h_map_cpp>"
        SUPPORT encoded_map LIBRARIES prfdata::client)
    target_compile_definitions(test_prfdata_h_cpp PRIVATE PRFDATA_TEST_CPP)
    # The program has only data and in-line functions, so it needs no C++ runtime. The flags of the
    # sanitizers are those for C.
    set_target_properties(test_prfdata_h_cpp PROPERTIES LINKER_LANGUAGE C)
endif()
