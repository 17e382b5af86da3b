# The libraries are always static. prfdata.dll is installed, too, for other languages.
vcpkg_check_linkage(ONLY_STATIC_LIBRARY)
set(VCPKG_POLICY_DLLS_IN_STATIC_LIBRARY enabled)
# A provider DLL has its own C runtime, so prfdata_provider_dll.lib names the static runtime for all
# triplets. learn.microsoft.com/vcpkg/reference/policies
set(VCPKG_POLICY_SKIP_CRT_LINKAGE_CHECK enabled)

# For a port that is used without a network, the source may be next to this file.
set(archive "${CMAKE_CURRENT_LIST_DIR}/@source@")
if(NOT EXISTS "${archive}")
    vcpkg_download_distfile(archive
        URLS "@url@/@source@"
        FILENAME "@source@"
        SHA512 @sha512@
    )
endif()
vcpkg_extract_source_archive(SOURCE_PATH ARCHIVE "${archive}")

vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS
        -DPRFDATA_BUILD_TESTS=OFF
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME PrfData CONFIG_PATH lib/cmake/PrfData)
vcpkg_fixup_pkgconfig()
vcpkg_copy_pdbs()
vcpkg_copy_tools(TOOL_NAMES prfcheck prfinstall prfread prfview AUTO_CLEAN)
# No program links PrfDataProvider.dll. prfinstall copies it from its own folder.
file(INSTALL "${CURRENT_PACKAGES_DIR}/bin/PrfDataProvider.dll"
    DESTINATION "${CURRENT_PACKAGES_DIR}/tools/${PORT}")
file(REMOVE
    "${CURRENT_PACKAGES_DIR}/bin/PrfDataProvider.dll"
    "${CURRENT_PACKAGES_DIR}/debug/bin/PrfDataProvider.dll"
)

file(REMOVE_RECURSE
    "${CURRENT_PACKAGES_DIR}/debug/include"
    "${CURRENT_PACKAGES_DIR}/debug/share"
)
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
