# SPDX-License-Identifier: MIT
# Finds PrfData for find_package(PrfData) if the repository is in CMAKE_PREFIX_PATH. The libraries
# are then built together with the program. (An installed package has another file of this name,
# made from PrfDataConfig.cmake.in.)

# If a required component is missing, stop before any target exists. The project may then add
# PrfData in another way.
include("${CMAKE_CURRENT_LIST_DIR}/PrfDataComponents.cmake")
if(DEFINED PrfData_FOUND AND NOT PrfData_FOUND)
    return()
endif()

# PrfData is in C. The targets that link it need C in this scope, even if another folder of the
# project has enabled C. CMake enables no language in a function.
if(NOT CMAKE_C_COMPILER_LOADED)
    if(CMAKE_CURRENT_FUNCTION)
        message(FATAL_ERROR "PrfData is written in C, which ${PROJECT_NAME} does not enable. "
            "Write project(${PROJECT_NAME} LANGUAGES C CXX), or call find_package(PrfData) outside of functions.")
    endif()
    enable_language(C)
endif()
if(NOT TARGET prfdata::client)
    add_subdirectory("${CMAKE_CURRENT_LIST_DIR}/.." PrfData EXCLUDE_FROM_ALL)
endif()
include("${CMAKE_CURRENT_LIST_DIR}/PrfDataService.cmake")
