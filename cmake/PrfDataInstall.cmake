# SPDX-License-Identifier: MIT
# What `cmake --install` puts where, and the package that find_package(PrfData CONFIG) finds.
# A module that is not there is not installed.
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/PrfData")

# In the tree it is prfdata_client, for users prfdata::client.
set(exported)
foreach(library client reader installer provider_core)
    if(TARGET prfdata_${library})
        set_target_properties(prfdata_${library} PROPERTIES EXPORT_NAME ${library})
        list(APPEND exported prfdata_${library})
    endif()
endforeach()
if(NOT exported)
    return()
endif()

install(TARGETS ${exported} EXPORT PrfDataTargets
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}"
    INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT PrfDataTargets NAMESPACE prfdata:: DESTINATION "${package_dir}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/shared/include/prfdata"
    DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h")

foreach(program prfread prfcheck installer)
    if(TARGET ${program})
        install(TARGETS ${program} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
    endif()
endforeach()

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/PrfDataConfig.cmake.in"
    "${PROJECT_BINARY_DIR}/PrfDataConfig.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/PrfDataConfigVersion.cmake"
    COMPATIBILITY SameMajorVersion)
install(FILES "${PROJECT_BINARY_DIR}/PrfDataConfig.cmake"
    "${PROJECT_BINARY_DIR}/PrfDataConfigVersion.cmake" DESTINATION "${package_dir}")
