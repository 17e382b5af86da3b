# SPDX-License-Identifier: MIT
# The version of the repository, for PrfDataConfig.cmake: compatible within a major version.
file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/../CMakeLists.txt" PACKAGE_VERSION REGEX "^project\\(PrfData VERSION ")
string(REGEX REPLACE "^.*VERSION ([0-9.]+).*$" "\\1" PACKAGE_VERSION "${PACKAGE_VERSION}")
string(REGEX MATCH "^[0-9]+" prfdata_major "${PACKAGE_VERSION}")
if(PACKAGE_FIND_VERSION_MAJOR EQUAL prfdata_major AND NOT PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION)
    set(PACKAGE_VERSION_COMPATIBLE TRUE)
    if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
        set(PACKAGE_VERSION_EXACT TRUE)
    endif()
endif()
