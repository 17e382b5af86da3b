# SPDX-License-Identifier: MIT
# Set PrfData_TREE to this package's folder for the compiler in use, such as mingw-x64 or
# msvc-arm64, and _prfdata_package to its CMake files. The package may lack that folder. If the
# target is not Windows, PrfData_TREE is empty.
set(PrfData_TREE "")
if(CMAKE_SYSTEM_NAME STREQUAL "Windows")
    set(_prfdata_processor "x86")
    if(CMAKE_SIZEOF_VOID_P EQUAL 8)
        set(_prfdata_processor "x64")
        if("${CMAKE_C_COMPILER_ARCHITECTURE_ID}${CMAKE_CXX_COMPILER_ARCHITECTURE_ID}" MATCHES "ARM64")
            set(_prfdata_processor "arm64")
        endif()
    endif()
    set(_prfdata_compiler "msvc")
    if(MINGW)
        set(_prfdata_compiler "mingw")
    endif()
    set(PrfData_TREE "${_prfdata_compiler}-${_prfdata_processor}")
    unset(_prfdata_compiler)
    unset(_prfdata_processor)
endif()
set(_prfdata_package "${CMAKE_CURRENT_LIST_DIR}/../../../${PrfData_TREE}/lib/cmake/PrfData")
