# SPDX-License-Identifier: MIT
# Finds PrfData for find_package(PrfData) if the repository is in CMAKE_PREFIX_PATH. The libraries
# are then built together with the program. (An installed package has another file of this name,
# made from PrfDataConfig.cmake.in.)
if(NOT TARGET prfdata::client)
    # PrfData is in C. The targets that link it also need the language in this scope.
    get_property(prfdata_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
    if(NOT "C" IN_LIST prfdata_languages AND NOT CMAKE_CURRENT_FUNCTION)
        enable_language(C)
    endif()
    add_subdirectory("${CMAKE_CURRENT_LIST_DIR}/.." PrfData EXCLUDE_FROM_ALL)
endif()
# prfdata_add_provider() and prfdata_add_installer()
include("${CMAKE_CURRENT_LIST_DIR}/PrfDataService.cmake")
