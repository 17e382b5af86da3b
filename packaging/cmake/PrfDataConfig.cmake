# SPDX-License-Identifier: MIT
# Finds the package with the libraries for the compiler in use.
include("${CMAKE_CURRENT_LIST_DIR}/PrfDataChoose.cmake")
if(PrfData_TREE AND EXISTS "${_prfdata_package}/PrfDataConfig.cmake")
    include("${_prfdata_package}/PrfDataConfig.cmake")
else()
    set(PrfData_FOUND FALSE)
    file(GLOB _prfdata_trees RELATIVE "${CMAKE_CURRENT_LIST_DIR}/../../.."
        "${CMAKE_CURRENT_LIST_DIR}/../../../*/lib/cmake/PrfData")
    list(TRANSFORM _prfdata_trees REPLACE "/.*" "")
    list(JOIN _prfdata_trees ", " _prfdata_trees)
    if(PrfData_TREE)
        set(PrfData_NOT_FOUND_MESSAGE
            "this PrfData has libraries for ${_prfdata_trees}; the compiler needs ${PrfData_TREE}.")
    else()
        set(PrfData_NOT_FOUND_MESSAGE
            "this PrfData is for Windows: it has libraries for ${_prfdata_trees}. With mingw-w64, use \
toolchain-mingw-x86_64.cmake or toolchain-mingw-i686.cmake, which are in lib/cmake/PrfData of these folders.")
    endif()
endif()
