# SPDX-License-Identifier: MIT
include("${CMAKE_CURRENT_LIST_DIR}/PrfDataChoose.cmake")
if(PrfData_TREE AND EXISTS "${_prfdata_package}/PrfDataConfigVersion.cmake")
    include("${_prfdata_package}/PrfDataConfigVersion.cmake")
else()
    # Accepts every version, because PrfDataConfig.cmake says what is missing.
    set(PACKAGE_VERSION "${PACKAGE_FIND_VERSION}")
    set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
