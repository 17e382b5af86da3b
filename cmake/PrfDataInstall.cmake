# SPDX-License-Identifier: MIT
# Installs PrfData: prfdata.pc, the programs, prfdata.dll, pages, samples, bindings, and the package that
# find_package(PrfData CONFIG) finds. The package has the client library, and the parts of a service's own provider
# DLL and installer. Leaves out the targets that this build does not have.
include(CMakePackageConfigHelpers)

if(NOT TARGET prfdata_client)
    return()
endif()

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/PrfData")

# For users, the target prfdata_client is called prfdata::client, and so on.
foreach(library core mapfile client provider provider_dll installer)
    if(TARGET prfdata_${library})
        set_target_properties(prfdata_${library} PROPERTIES EXPORT_NAME ${library})
        install(TARGETS prfdata_${library} EXPORT PrfDataTargets
            ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
    endif()
endforeach()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/shared/include/prfdata"
    DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
# Maps that were written for Richter's article include PrfData.h.
install(FILES "${PROJECT_SOURCE_DIR}/shared/include/PrfData.h"
    DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT PrfDataTargets NAMESPACE prfdata:: DESTINATION "${package_dir}")

foreach(program prfread prfcheck prfview prfinstall)
    if(TARGET ${program})
        install(TARGETS ${program} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
    endif()
endforeach()

# prfdata.dll is for other languages. Its import library is called prfdata.
if(TARGET prfdata_library)
    install(TARGETS prfdata_library
        RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}"
        LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
endif()

# Write prfdata.pc for builds without CMake.
set(pkgconfig_dir "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX
    BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}/${pkgconfig_dir}" OUTPUT_VARIABLE prefix_from_here)
set(system_libraries "")
if(WIN32)
    set(system_libraries " -ladvapi32 -lntdll")
endif()
configure_file("${PROJECT_SOURCE_DIR}/cmake/prfdata.pc.in" "${PROJECT_BINARY_DIR}/prfdata.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/prfdata.pc" DESTINATION "${pkgconfig_dir}")

if(TARGET prfdata_ready_provider) # prfinstall searches for this DLL in its own folder
    install(TARGETS prfdata_ready_provider LIBRARY DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()

install(FILES "${PROJECT_SOURCE_DIR}/cmake/PrfDataComponents.cmake"
    "${PROJECT_SOURCE_DIR}/cmake/PrfDataService.cmake"
    "${PROJECT_SOURCE_DIR}/cmake/PrfDataResources.cmake" DESTINATION "${package_dir}")

# PrfDataService.cmake links a provider DLL with these files, which it finds next to itself.
if(EXISTS "${PROJECT_SOURCE_DIR}/provider/provider.def")
    install(FILES "${PROJECT_SOURCE_DIR}/provider/provider.def" DESTINATION "${package_dir}")
endif()
if(TARGET prfdata_messages)
    get_target_property(messages prfdata_messages PRFDATA_FILE)
    install(FILES "${messages}" DESTINATION "${package_dir}")
endif()

# Install the script that checks maps, and the sources of the program that it compiles if the
# installer cannot run.
if(WIN32)
    install(FILES "${PROJECT_SOURCE_DIR}/cmake/PrfDataCheck.cmake" DESTINATION "${package_dir}")
    _prfdata_find_check(check_folders check_sources)
    foreach(source IN LISTS check_sources)
        cmake_path(GET source PARENT_PATH folder)
        cmake_path(GET folder FILENAME folder)
        install(FILES "${source}" DESTINATION "${package_dir}/check/${folder}")
    endforeach()
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/shared/core/" DESTINATION "${package_dir}/check"
        FILES_MATCHING PATTERN "*.h")
    install(FILES "${PROJECT_SOURCE_DIR}/installer/report/check.h"
        DESTINATION "${package_dir}/check/report")
endif()

# Install the toolchain files, and PrfDataConfig.cmake with the advice that find_package() prints if
# the compiler is for another system.
install(FILES "${PROJECT_SOURCE_DIR}/cmake/mingw.cmake"
    "${PROJECT_SOURCE_DIR}/cmake/toolchain-mingw-i686.cmake"
    "${PROJECT_SOURCE_DIR}/cmake/toolchain-mingw-x86_64.cmake" DESTINATION "${package_dir}")
set(PRFDATA_PACKAGE_PROCESSOR x86_64)
if(CMAKE_SIZEOF_VOID_P EQUAL 4)
    set(PRFDATA_PACKAGE_PROCESSOR i686)
endif()
if(MINGW)
    set(PRFDATA_PACKAGE_ADVICE "Cross-compile: use the toolchain file, in an empty build folder: \
-DCMAKE_TOOLCHAIN_FILE=\${CMAKE_CURRENT_LIST_DIR}/toolchain-mingw-${PRFDATA_PACKAGE_PROCESSOR}.cmake")
elseif(WIN32)
    set(PRFDATA_PACKAGE_ADVICE "Its libraries were made by Visual Studio; use that compiler.")
else()
    set(PRFDATA_PACKAGE_ADVICE "Put a PrfData for \${CMAKE_SYSTEM_NAME} into CMAKE_PREFIX_PATH; to \
cross-compile one, use a toolchain file of \${CMAKE_CURRENT_LIST_DIR}.")
endif()
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/PrfDataConfig.cmake.in"
    "${PROJECT_BINARY_DIR}/PrfDataConfig.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/PrfDataConfigVersion.cmake"
    COMPATIBILITY SameMajorVersion)
# CMake refuses a package of another bitness without a message. If the system differs, too, accept
# the package here, because PrfDataConfig.cmake then says what to do.
file(APPEND "${PROJECT_BINARY_DIR}/PrfDataConfigVersion.cmake"
    "\nif(NOT CMAKE_SYSTEM_NAME STREQUAL \"${CMAKE_SYSTEM_NAME}\")\n"
    "    set(PACKAGE_VERSION_UNSUITABLE FALSE)\nendif()\n")
install(FILES "${PROJECT_BINARY_DIR}/PrfDataConfig.cmake"
    "${PROJECT_BINARY_DIR}/PrfDataConfigVersion.cmake" DESTINATION "${package_dir}")

# Install pages and samples for reading and copying. The samples can be built in the place where they are
# installed.
install(FILES "${PROJECT_SOURCE_DIR}/CHANGELOG.md" "${PROJECT_SOURCE_DIR}/LICENSE"
    "${PROJECT_SOURCE_DIR}/README.md" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/samples" DESTINATION "${CMAKE_INSTALL_DATADIR}/PrfData"
    REGEX "/(demo\\.sh|screen\\.sh|xwd-to-png)$" EXCLUDE) # they need the whole tree
# docs/debugging.md describes these files for debuggers.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/packaging/debugging"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/PrfData")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/bindings" DESTINATION "${CMAKE_INSTALL_DATADIR}/PrfData"
    REGEX "/(__pycache__|node_modules|target|bin|obj)$" EXCLUDE)
