# SPDX-License-Identifier: MIT
# Tells find_package() which version the repository has. The version suits a project that asks for
# the same major number and not for a later version.
include("${CMAKE_CURRENT_LIST_DIR}/PrfDataVersion.cmake")
prfdata_read_version(PACKAGE_VERSION)
string(REGEX MATCH "^[0-9]+" prfdata_major "${PACKAGE_VERSION}")
if(PACKAGE_FIND_VERSION_MAJOR EQUAL prfdata_major AND NOT PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION)
    set(PACKAGE_VERSION_COMPATIBLE TRUE)
    if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
        set(PACKAGE_VERSION_EXACT TRUE)
    endif()
endif()
