# SPDX-License-Identifier: MIT
# Run the port for vcpkg. The functions here handle files as vcpkg's documentation says, and use an
# existing build. This test shows that everything that the port asks for exists, and that vcpkg
# would accept the port's files. vcpkg is not available here, so the test cannot show that vcpkg
# builds the port.
#
#     cmake -DPORT_FOLDER=<folder> -DBUILD=<build folder> -DWORK=<empty folder> -P vcpkg.cmake
set(PORT prfdata)
set(CURRENT_PACKAGES_DIR "${WORK}/packages")
set(done "")

# The arguments of a function: flags, and keywords with values.
macro(parse flags keywords)
    cmake_parse_arguments(arg "${flags}" "" "${keywords}" ${ARGN})
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "${CMAKE_CURRENT_FUNCTION}: unknown ${arg_UNPARSED_ARGUMENTS}")
    endif()
    list(APPEND done ${CMAKE_CURRENT_FUNCTION})
    set(done "${done}" PARENT_SCOPE)
endmacro()

macro(expect_file path)
    if(NOT EXISTS "${path}")
        message(FATAL_ERROR "there is no ${path}")
    endif()
endmacro()

function(vcpkg_check_linkage)
    parse("ONLY_STATIC_LIBRARY" "" ${ARGN})
endfunction()

function(vcpkg_extract_source_archive out)
    parse("" "ARCHIVE" ${ARGN})
    expect_file("${arg_ARCHIVE}")
    file(ARCHIVE_EXTRACT INPUT "${arg_ARCHIVE}" DESTINATION "${WORK}/source")
    # If the archive has only one folder, vcpkg returns that one.
    file(GLOB folder "${WORK}/source/*")
    set(${out} "${folder}" PARENT_SCOPE)
endfunction()

function(vcpkg_cmake_configure)
    parse("" "SOURCE_PATH;OPTIONS" ${ARGN})
    expect_file("${arg_SOURCE_PATH}/CMakeLists.txt")
    file(READ "${arg_SOURCE_PATH}/CMakeLists.txt" text)
    foreach(option IN LISTS arg_OPTIONS)
        string(REGEX REPLACE "^-D([A-Z_]+)=.*$" "\\1" name "${option}")
        if(NOT text MATCHES "option\\(${name} ")
            message(FATAL_ERROR "CMakeLists.txt has no option ${name}")
        endif()
    endforeach()
endfunction()

function(vcpkg_cmake_install)
    parse("" "" ${ARGN})
    foreach(prefix "${CURRENT_PACKAGES_DIR}" "${CURRENT_PACKAGES_DIR}/debug")
        execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${prefix}"
            OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
    endforeach()
endfunction()

function(vcpkg_cmake_config_fixup)
    parse("" "PACKAGE_NAME;CONFIG_PATH" ${ARGN})
    expect_file("${CURRENT_PACKAGES_DIR}/${arg_CONFIG_PATH}/${arg_PACKAGE_NAME}Config.cmake")
    file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/${arg_CONFIG_PATH}"
        "${CURRENT_PACKAGES_DIR}/lib/cmake" "${CURRENT_PACKAGES_DIR}/debug/lib/cmake")
endfunction()

function(vcpkg_fixup_pkgconfig)
    parse("" "" ${ARGN})
    expect_file("${CURRENT_PACKAGES_DIR}/lib/pkgconfig/prfdata.pc")
endfunction()

function(vcpkg_copy_pdbs)
    parse("" "" ${ARGN})
endfunction()

function(vcpkg_copy_tools)
    parse("AUTO_CLEAN" "TOOL_NAMES" ${ARGN})
    foreach(name IN LISTS arg_TOOL_NAMES)
        expect_file("${CURRENT_PACKAGES_DIR}/bin/${name}.exe")
        file(REMOVE "${CURRENT_PACKAGES_DIR}/bin/${name}.exe"
            "${CURRENT_PACKAGES_DIR}/debug/bin/${name}.exe")
    endforeach()
endfunction()

function(vcpkg_install_copyright)
    parse("" "FILE_LIST" ${ARGN})
    expect_file("${arg_FILE_LIST}")
endfunction()

include("${PORT_FOLDER}/portfile.cmake")

list(LENGTH done count)
if(NOT count EQUAL 9 OR NOT VCPKG_POLICY_DLLS_IN_STATIC_LIBRARY STREQUAL "enabled")
    message(FATAL_ERROR "the port called ${done}")
endif()
# vcpkg refuses a library whose C runtime is not that of the triplet. The triplet x64-windows has
# the DLL runtime, but prfdata_provider_dll.lib names the static runtime. So the port must skip this
# check.
file(GLOB libraries "${CURRENT_PACKAGES_DIR}/lib/*.lib")
foreach(library IN LISTS libraries)
    file(STRINGS "${library}" names REGEX "[Dd][Ee][Ff][Aa][Uu][Ll][Tt][Ll][Ii][Bb]:\"?(libcmt|LIBCMT|msvcrt|MSVCRT)")
    if(names AND NOT VCPKG_POLICY_SKIP_CRT_LINKAGE_CHECK STREQUAL "enabled")
        message(FATAL_ERROR "${library} names a C runtime")
    endif()
endforeach()
if(NOT libraries)
    message(FATAL_ERROR "there are no libraries")
endif()
expect_file("${CURRENT_PACKAGES_DIR}/share/prfdata/usage")
expect_file("${CURRENT_PACKAGES_DIR}/include/prfdata/prfdata.h")
expect_file("${CURRENT_PACKAGES_DIR}/tools/prfdata/PrfDataProvider.dll")
# vcpkg reports these after a build.
file(GLOB_RECURSE left "${CURRENT_PACKAGES_DIR}/*.exe" "${CURRENT_PACKAGES_DIR}/lib/cmake/*"
    "${CURRENT_PACKAGES_DIR}/debug/include/*" "${CURRENT_PACKAGES_DIR}/debug/share/*")
if(left)
    message(FATAL_ERROR "the port leaves ${left}")
endif()
