# SPDX-License-Identifier: MIT
# find_package(PrfData) with the repository in CMAKE_PREFIX_PATH: what a program links is built with it.
# (A package that is installed has another file of this name, made from PrfDataConfig.cmake.in.)
if(NOT TARGET prfdata::client)
    # PrfData is in C; the targets that link it need the language in this scope, too.
    get_property(prfdata_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
    if(NOT "C" IN_LIST prfdata_languages AND NOT CMAKE_CURRENT_FUNCTION)
        enable_language(C)
    endif()
    add_subdirectory("${CMAKE_CURRENT_LIST_DIR}/.." PrfData EXCLUDE_FROM_ALL)
endif()
# prfdata_add_provider() and prfdata_add_installer()
include("${CMAKE_CURRENT_LIST_DIR}/PrfDataService.cmake")
