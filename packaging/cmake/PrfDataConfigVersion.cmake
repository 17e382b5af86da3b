# SPDX-License-Identifier: MIT
include("${CMAKE_CURRENT_LIST_DIR}/PrfDataChoose.cmake")
if(PrfData_TREE AND EXISTS "${_prfdata_package}/PrfDataConfigVersion.cmake")
    include("${_prfdata_package}/PrfDataConfigVersion.cmake")
else()
    # The package has no libraries for this compiler. Accept every version, so that CMake reads
    # PrfDataConfig.cmake, which reports the missing libraries.
    set(PACKAGE_VERSION "${PACKAGE_FIND_VERSION}")
    set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
