# SPDX-License-Identifier: MIT
# Tests the C++ header with the oldest standard that it promises and with a new one, without
# exceptions. The program is linked as C, to show that it does not need the C++ library. Visual
# Studio's library has <chrono>, but is not available on Linux. So clang's MSVC mode cannot compile
# the header there.
include(CheckLanguage)
check_language(CXX)
find_program(prfdata_cxx "${CMAKE_CXX_COMPILER}" NO_CACHE)
if(NOT prfdata_cxx OR (MSVC AND NOT CMAKE_HOST_WIN32))
    return()
endif()
enable_language(CXX)

# The project's warnings are for C. These are the warnings that users' C++ compilers may give for
# our headers. The flags of the sanitizers are those for C.
if(MSVC)
    set(options /W4 /utf-8)
else()
    separate_arguments(options UNIX_COMMAND "${CMAKE_C_FLAGS}")
    list(APPEND options -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Weffc++ -Werror
        -fno-exceptions -fno-rtti)
endif()
foreach(standard 11 20)
    set(name prfdata_hpp_${standard})
    prfdata_add_test(${name} MAIN test_prfdata_hpp.cpp LIBRARIES prfdata::client)
    set_target_properties(test_${name} PROPERTIES CXX_STANDARD ${standard}
        CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
    set_target_properties(test_${name} PROPERTIES COMPILE_OPTIONS "${options}" LINKER_LANGUAGE C)
endforeach()

add_library(prfdata_hpp_disabled OBJECT prfdata_hpp_disabled.cpp)
target_compile_definitions(prfdata_hpp_disabled PRIVATE PRFDATA_DISABLED)
set_target_properties(prfdata_hpp_disabled PROPERTIES CXX_STANDARD 11 CXX_EXTENSIONS OFF
    COMPILE_OPTIONS "${options}")
target_link_libraries(prfdata_hpp_disabled PRIVATE prfdata::client)
