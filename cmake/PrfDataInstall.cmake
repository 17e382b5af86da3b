# SPDX-License-Identifier: MIT
# What `cmake --install` puts where, and the package that find_package(PrfData CONFIG) finds: the
# client library, what a service's own provider DLL and installer are made of, and the readers.
# What is not there is not installed.
include(CMakePackageConfigHelpers)

if(NOT TARGET prfdata_client)
    return()
endif()

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/PrfData")

# In the tree it is prfdata_client, for users prfdata::client. (installer/ adds itself.)
foreach(library core client provider provider_dll)
    if(TARGET prfdata_${library})
        set_target_properties(prfdata_${library} PROPERTIES EXPORT_NAME ${library})
        install(TARGETS prfdata_${library} EXPORT PrfDataTargets
            ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
    endif()
endforeach()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/shared/include/prfdata"
    DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h")
install(EXPORT PrfDataTargets NAMESPACE prfdata:: DESTINATION "${package_dir}")

foreach(program prfread prfcheck)
    if(TARGET ${program})
        install(TARGETS ${program} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
    endif()
endforeach()

# What PrfDataService.cmake links a provider DLL with; it looks for it beside itself.
if(EXISTS "${PROJECT_SOURCE_DIR}/provider/provider.def")
    install(FILES "${PROJECT_SOURCE_DIR}/provider/provider.def" DESTINATION "${package_dir}")
endif()
if(TARGET prfdata_messages)
    get_target_property(messages prfdata_messages PRFDATA_FILE)
    install(FILES "${messages}" DESTINATION "${package_dir}")
endif()

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/PrfDataConfig.cmake.in"
    "${PROJECT_BINARY_DIR}/PrfDataConfig.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/PrfDataConfigVersion.cmake"
    COMPATIBILITY SameMajorVersion)
install(FILES "${PROJECT_BINARY_DIR}/PrfDataConfig.cmake"
    "${PROJECT_BINARY_DIR}/PrfDataConfigVersion.cmake" DESTINATION "${package_dir}")
