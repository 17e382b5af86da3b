# SPDX-License-Identifier: MIT
# find_package(PrfData) with the repository in CMAKE_PREFIX_PATH: what a program links is built with it.
# (A package that is installed has another file of this name, made from PrfDataConfig.cmake.in.)
if(NOT TARGET prfdata::client)
    add_subdirectory("${CMAKE_CURRENT_LIST_DIR}/.." PrfData EXCLUDE_FROM_ALL)
endif()
# prfdata_add_provider() and prfdata_add_installer()
include("${CMAKE_CURRENT_LIST_DIR}/PrfDataService.cmake")
