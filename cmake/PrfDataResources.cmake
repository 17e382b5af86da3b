# SPDX-License-Identifier: MIT
# Adds resources to a program or a DLL: the properties that Explorer shows, and the manifest.
# PrfDataService.cmake includes this file, in the source tree and in a package.

# project() and find_package() set PrfData_VERSION in their own scope. The functions below may be
# called in another scope.
if(PrfData_VERSION)
    set_property(GLOBAL PROPERTY PRFDATA_VERSION "${PrfData_VERSION}")
endif()

# prfdata_add_resources(<target> DESCRIPTION <text> [MESSAGES <target>])
#
# Give the program or DLL PrfData's version, and a program the manifest below. A DLL has no
# manifest, because Windows uses its program's manifest. MESSAGES is a target of
# prfdata_add_messages(), whose table of messages becomes a resource. On systems other than Windows
# the function does nothing.
function(prfdata_add_resources target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "DESCRIPTION;MESSAGES" "")
    if(NOT arg_DESCRIPTION OR arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR
            "prfdata_add_resources(<target> DESCRIPTION <text> [MESSAGES <target>])")
    endif()
    if(NOT WIN32)
        return()
    endif()
    get_target_property(type ${target} TYPE)
    get_target_property(name ${target} OUTPUT_NAME)
    if(NOT name)
        set(name ${target})
    endif()
    set(messages "")
    if(arg_MESSAGES)
        get_target_property(messages ${arg_MESSAGES} PRFDATA_FILE)
        add_dependencies(${target} ${arg_MESSAGES})
    endif()
    set(suffix .dll)
    set(manifest "")
    if(type STREQUAL "EXECUTABLE")
        set(suffix .exe)
        _prfdata_write_manifest(manifest ${target})
    endif()
    _prfdata_omit_linker_manifest(${target})
    _prfdata_write_resources(${target} "${name}${suffix}" "${arg_DESCRIPTION}" "${messages}"
        "${manifest}")
    target_sources(${target} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/${target}.rc")
endfunction()

# Visual Studio's linker would add its own manifest, even to DLLs.
function(_prfdata_omit_linker_manifest target)
    if(MSVC)
        target_link_options(${target} PRIVATE /MANIFEST:NO)
    endif()
endfunction()

# Write <target>.rc for the program or DLL `file_name`. `messages` and `manifest` are files, or empty.
function(_prfdata_write_resources target file_name description messages manifest)
    cmake_path(GET file_name STEM LAST_ONLY name)
    set(file_type 1) # VFT_APP
    if(file_name MATCHES "\\.dll$")
        set(file_type 2) # VFT_DLL
    endif()
    get_property(version GLOBAL PROPERTY PRFDATA_VERSION)
    string(REGEX MATCHALL "[0-9]+" numbers "${version}.0.0.0.0")
    list(SUBLIST numbers 0 4 numbers)
    list(JOIN numbers "," numbers)
    set(files "")
    if(messages)
        string(APPEND files "1 11 \"${messages}\"\n")
    endif()
    if(manifest)
        string(APPEND files "1 24 \"${manifest}\"\n")
    endif()
    set(source "${CMAKE_CURRENT_BINARY_DIR}/${target}.rc")
    file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT [[
/* Written by PrfDataResources.cmake. 11: RT_MESSAGETABLE; 24: RT_MANIFEST; 0x40004: Windows NT. */
LANGUAGE 9, 1
@files@
1 VERSIONINFO
FILEVERSION @numbers@
PRODUCTVERSION @numbers@
FILEFLAGSMASK 0x3F
FILEFLAGS 0
FILEOS 0x40004
FILETYPE @file_type@
BEGIN
    BLOCK "StringFileInfo"
    BEGIN
        BLOCK "040904B0"
        BEGIN
            VALUE "FileDescription", "@description@"
            VALUE "FileVersion", "@version@"
            VALUE "InternalName", "@name@"
            VALUE "OriginalFilename", "@file_name@"
            VALUE "ProductName", "PrfData"
            VALUE "ProductVersion", "@version@"
        END
    END
    BLOCK "VarFileInfo"
    BEGIN
        VALUE "Translation", 0x0409, 1200
    END
END
]])
    set_source_files_properties("${source}" PROPERTIES OBJECT_DEPENDS "${messages};${manifest}")
endfunction()

# Write <target>.manifest and set `result` to its path. Without a manifest, Windows treats a 32-bit
# program with "install" in its name as a setup program: it asks for elevation even for -Status,
# redirects files, and applies its rules for old installers.
function(_prfdata_write_manifest result target)
    set(source "${CMAKE_CURRENT_BINARY_DIR}/${target}.manifest")
    file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT [[
<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<assembly xmlns="urn:schemas-microsoft-com:asm.v1" manifestVersion="1.0">
  <trustInfo xmlns="urn:schemas-microsoft-com:asm.v3">
    <security>
      <requestedPrivileges>
        <requestedExecutionLevel level="asInvoker" uiAccess="false"/>
      </requestedPrivileges>
    </security>
  </trustInfo>
  <compatibility xmlns="urn:schemas-microsoft-com:compatibility.v1">
    <application>
      <!-- Windows 10 and 11; 8.1; 8; 7 -->
      <supportedOS Id="{8e0f7a12-bfb3-4fe8-b9a5-48fd50a15a9a}"/>
      <supportedOS Id="{1f676c76-80e1-4239-95bb-83d0f6d0da78}"/>
      <supportedOS Id="{4a2f28e3-53b9-4441-ba9c-d69d4a4a6e38}"/>
      <supportedOS Id="{35138b9a-5d96-4fbd-8e2d-a2440225f93a}"/>
    </application>
  </compatibility>
  <application xmlns="urn:schemas-microsoft-com:asm.v3">
    <windowsSettings>
      <longPathAware xmlns="http://schemas.microsoft.com/SMI/2016/WindowsSettings">true</longPathAware>
    </windowsSettings>
  </application>
</assembly>
]])
    set(${result} "${source}" PARENT_SCOPE)
endfunction()
