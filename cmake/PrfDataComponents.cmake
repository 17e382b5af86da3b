# SPDX-License-Identifier: MIT
# Makes find_package(PrfData COMPONENTS ...) fail for a required component, because PrfData has none. Both files called
# PrfDataConfig.cmake include this file: that of the repository and that of an installed package.
foreach(prfdata_component IN LISTS PrfData_FIND_COMPONENTS)
    if(PrfData_FIND_REQUIRED_${prfdata_component})
        set(PrfData_FOUND FALSE)
        set(PrfData_NOT_FOUND_MESSAGE "PrfData has no component ${prfdata_component}, because it is not divided into \
components. Call find_package(PrfData) without COMPONENTS.")
    endif()
endforeach()
