# SPDX-License-Identifier: MIT
# Defines the functions with which an application builds the provider DLL and the installer of its
# service.
#
#     find_package(PrfData CONFIG REQUIRED)
#     prfdata_add_provider(my_provider SERVICE MyService)
#     prfdata_add_installer(my_installer MAPS my_map.c)
#
# This makes MyServicePrf.dll and my_installer.exe. With Visual Studio both contain the C runtime,
# so a computer needs no redistributable. Ship both in the same folder and run `my_installer
# -Install` there. Each build checks the maps of the installer, and fails with a message if a map is
# invalid. If the maps cannot be checked, the build says so. A build that makes providers also fails
# if the service of a map has no provider, unless the installer has PROVIDERS_ELSEWHERE. On systems
# other than Windows both targets exist and build nothing, so that the same CMakeLists.txt may name
# them, as in install(TARGETS).
#
# Settings that the project has for all its targets (postfixes, warnings, unity builds ...) do not
# change the provider. The provider has the name and the folder that the installer expects, and links only PrfData.
include("${CMAKE_CURRENT_LIST_DIR}/PrfDataResources.cmake")

# prfdata_add_provider(<target> SERVICE <service>)
#
# Make <service>Prf.dll, the provider for this service. Windows does not tell Collect for which service
# it is called, so every service has its own copy of the DLL.
function(prfdata_add_provider target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "SERVICE" "")
    if(NOT arg_SERVICE OR arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "prfdata_add_provider(<target> SERVICE <service>)")
    endif()
    if(NOT arg_SERVICE MATCHES "^[A-Za-z0-9]([-A-Za-z0-9 ._]*[-A-Za-z0-9_])?$")
        message(FATAL_ERROR "prfdata_add_provider(${target}): the service name \"${arg_SERVICE}\" is not allowed; "
            "use A-Z a-z 0-9 blank . _ -, begin with a letter or digit, and end with neither dot nor blank.")
    endif()
    if(NOT WIN32)
        _prfdata_add_nothing(${target})
        return()
    endif()
    _prfdata_make_service_list()
    set_property(TARGET prfdata_service_list APPEND PROPERTY PRFDATA_SERVICES "${arg_SERVICE}")
    _prfdata_add_provider_dll(${target} "${arg_SERVICE}Prf" "Performance counters of ${arg_SERVICE}")
endfunction()

# Make a target for systems other than Windows. It builds and installs nothing, but takes the calls
# that a project makes for a program or a DLL, such as target_include_directories(). An INTERFACE
# library refuses these calls. An OBJECT library without sources has no objects to install.
function(_prfdata_add_nothing target)
    _prfdata_find_language(language extension)
    add_library(${target} OBJECT "${CMAKE_CURRENT_FUNCTION_LIST_FILE}")
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE ${language})
endfunction()

function(_prfdata_add_provider_dll target name description)
    # In a package, the list of exports and the table of messages are next to this file. In the source tree, the list
    # is in provider/, and a target makes the table.
    set(exports "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/provider.def")
    if(NOT EXISTS "${exports}")
        set(exports "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../provider/provider.def")
    endif()
    set(messages "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/messages_en.bin")
    if(TARGET prfdata_messages)
        get_target_property(messages prfdata_messages PRFDATA_FILE)
    endif()
    _prfdata_write_resources(${target} "${name}.dll" "${description}" "${messages}" "")
    add_library(${target} MODULE "${exports}" "${CMAKE_CURRENT_BINARY_DIR}/${target}.rc")
    if(TARGET prfdata_messages)
        add_dependencies(${target} prfdata_messages)
    endif()
    _prfdata_find_language(language extension)
    set_target_properties(${target} PROPERTIES
        LINKER_LANGUAGE ${language}
        PREFIX ""
        SUFFIX ".dll"
        OUTPUT_NAME "${name}"
        WINDOWS_EXPORT_ALL_SYMBOLS OFF
        INTERPROCEDURAL_OPTIMIZATION OFF)
    # The resource compiler must not get the folder's settings, because they are for sources.
    foreach(property COMPILE_DEFINITIONS COMPILE_OPTIONS INCLUDE_DIRECTORIES LINK_LIBRARIES LINK_DIRECTORIES)
        set_property(TARGET ${target} PROPERTY ${property})
    endforeach()
    # Keep only options that choose the machine, because others, such as -mwindows, are for programs.
    get_target_property(options ${target} LINK_OPTIONS)
    list(FILTER options INCLUDE REGEX "^(-m(32|64|arch=.*)|--?target.*|--?sysroot.*)$")
    set_property(TARGET ${target} PROPERTY LINK_OPTIONS ${options})
    _prfdata_reset_analysis(${target})
    _prfdata_put_beside_programs(${target})
    _prfdata_use_static_runtime(${target})
    _prfdata_harden(${target})
    target_link_libraries(${target} PRIVATE prfdata::provider_dll)
    _prfdata_omit_linker_manifest(${target})
    if(CMAKE_SIZEOF_VOID_P EQUAL 4)
        # The linker does not search a static library for the decorated names that belong to the
        # names in provider.def.
        foreach(symbol _PrfDataOpen@4 _PrfDataCollect@16 _PrfDataClose@0)
            if(MSVC)
                target_link_options(${target} PRIVATE "/INCLUDE:${symbol}")
            else()
                target_link_options(${target} PRIVATE "-Wl,--undefined=${symbol}")
            endif()
        endforeach()
    endif()
    if(MINGW)
        # Export undecorated names, because perflib calls PrfDataOpen, not _PrfDataOpen@4.
        target_link_options(${target} PRIVATE -static -static-libgcc
            -Wl,--enable-stdcall-fixup -Wl,--exclude-all-symbols)
    endif()
endfunction()

# Use Visual Studio's static C runtime. The default, /MD, needs VCRUNTIME140.dll, which is not part
# of Windows (learn.microsoft.com/cpp/windows/determining-which-dlls-to-redistribute).
function(_prfdata_use_static_runtime target)
    if(MSVC)
        set_target_properties(${target} PROPERTIES
            MSVC_RUNTIME_LIBRARY "MultiThreaded$<$<CONFIG:Debug>:Debug>")
    endif()
endfunction()

# Set the language of the targets that are made here, and the extension of their sources. The
# language is C, or C++ if the project does not enable C.
function(_prfdata_find_language language_out extension_out)
    get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
    set(${language_out} C PARENT_SCOPE)
    set(${extension_out} c PARENT_SCOPE)
    if(NOT "C" IN_LIST languages)
        set(${language_out} CXX PARENT_SCOPE)
        set(${extension_out} cpp PARENT_SCOPE)
    endif()
endfunction()

function(_prfdata_list_configs result)
    set(configs ${CMAKE_CONFIGURATION_TYPES} ${CMAKE_BUILD_TYPE} DEBUG RELEASE RELWITHDEBINFO MINSIZEREL)
    list(TRANSFORM configs TOUPPER)
    list(REMOVE_DUPLICATES configs)
    set(${result} "${configs}" PARENT_SCOPE)
endfunction()

# Put the DLL into the folder of this project's programs, because the installer searches for it in
# its own folder. The DLL's name gets no postfix in any configuration.
function(_prfdata_put_beside_programs target)
    set(folder "${CMAKE_CURRENT_BINARY_DIR}")
    if(CMAKE_RUNTIME_OUTPUT_DIRECTORY)
        set(folder "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
    elseif(EXECUTABLE_OUTPUT_PATH) # CMAKE_RUNTIME_OUTPUT_DIRECTORY's name before CMake 2.6; CMake still uses it
        set(folder "${EXECUTABLE_OUTPUT_PATH}")
    endif()
    set_target_properties(${target} PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${folder}")
    _prfdata_list_configs(configs)
    foreach(config IN LISTS configs)
        set_property(TARGET ${target} PROPERTY LIBRARY_OUTPUT_DIRECTORY_${config}
            ${CMAKE_RUNTIME_OUTPUT_DIRECTORY_${config}}) # removes the property if there is no value
        set_property(TARGET ${target} PROPERTY ${config}_POSTFIX "")
    endforeach()
endfunction()

# Switch off what the project may have set for all its targets: analysers, Qt's generators, unity
# builds and LINK_LIBRARIES_ONLY_TARGETS.
function(_prfdata_reset_analysis target)
    foreach(language C CXX)
        foreach(tool CLANG_TIDY CPPCHECK CPPLINT INCLUDE_WHAT_YOU_USE)
            set_property(TARGET ${target} PROPERTY ${language}_${tool} "")
        endforeach()
    endforeach()
    set_target_properties(${target} PROPERTIES
        AUTOMOC OFF AUTORCC OFF AUTOUIC OFF LINK_WHAT_YOU_USE OFF UNITY_BUILD OFF
        LINK_LIBRARIES_ONLY_TARGETS OFF)
endfunction()

# Switch on Control Flow Guard. For x64, also switch on shadow stacks and the metadata about EH continuations
# (learn.microsoft.com/cpp/build/reference). /DEPENDENTLOADFLAG:0x800, which LLVM 14 lacks, lets imports come only
# from the system's folder (LOAD_LIBRARY_SEARCH_SYSTEM32).
function(_prfdata_harden target)
    if(NOT MSVC)
        return()
    endif()
    target_link_options(${target} PRIVATE /guard:cf)
    _prfdata_find_language(language extension)
    if(CMAKE_${language}_COMPILER_ID STREQUAL "MSVC")
        target_link_options(${target} PRIVATE /DEPENDENTLOADFLAG:0x800)
    endif()
    if(CMAKE_${language}_COMPILER_ARCHITECTURE_ID STREQUAL "x64" AND
       (CMAKE_${language}_COMPILER_ID STREQUAL "MSVC" OR CMAKE_${language}_COMPILER_VERSION VERSION_GREATER_EQUAL 13))
        target_link_options(${target} PRIVATE /guard:ehcont /CETCOMPAT)
    endif()
endfunction()

# Make the target whose property lists the services of all providers of this build.
function(_prfdata_make_service_list)
    if(NOT TARGET prfdata_service_list)
        add_library(prfdata_service_list INTERFACE)
    endif()
endfunction()

# prfdata_add_installer(<target> MAPS <map.c>... [SYMBOLS <map object>...] [OUTPUT_NAME <name>]
#                       [PROVIDERS_ELSEWHERE])
#
# Make an installer program for the maps in these files. SYMBOLS are the names of the map objects, if
# PRFDATA_MAP_END_AS gave them; the default is prfdata_default_map, which PRFDATA_MAP_END defines.
#
# Each build ends by checking the maps, as `<target> -Check` does. If this build makes providers,
# the service of each map must have one. If another build makes the providers, switch this rule off
# with PROVIDERS_ELSEWHERE. If the installer cannot run here, the emulator in
# CMAKE_CROSSCOMPILING_EMULATOR runs it. If that fails, or no emulator is set, the check is compiled
# for this computer.
function(prfdata_add_installer target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "PROVIDERS_ELSEWHERE" "OUTPUT_NAME" "MAPS;SYMBOLS")
    if(NOT arg_MAPS OR arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "prfdata_add_installer(<target> MAPS <map.c>... "
            "[SYMBOLS <map object>...] [OUTPUT_NAME <name>] [PROVIDERS_ELSEWHERE])")
    endif()
    if(arg_MAPS MATCHES "([^;]*\\.(prfmap|ini))(;|$)")
        message(FATAL_ERROR "prfdata_add_installer(${target}): MAPS are files in C or C++, and ${CMAKE_MATCH_1} is "
            "not. For a map file, use prfinstall; -Emit C of prfinstall writes its map in C.")
    endif()
    list(REMOVE_DUPLICATES arg_MAPS)
    if(NOT WIN32)
        _prfdata_add_nothing(${target})
        return()
    endif()
    if(NOT arg_SYMBOLS)
        set(arg_SYMBOLS prfdata_default_map)
    endif()

    set(declarations "")
    set(elements "")
    foreach(symbol IN LISTS arg_SYMBOLS)
        string(APPEND declarations "PRFDATA_DECLARE_MAP(${symbol});\n")
        string(APPEND elements "        &${symbol},\n")
    endforeach()
    list(LENGTH arg_SYMBOLS count)
    _prfdata_find_language(language extension)
    set(source "${CMAKE_CURRENT_BINARY_DIR}/${target}_maps.${extension}")
    file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT [[
/* Written by prfdata_add_installer(). */
#include <prfdata/install.h>

@declarations@
#ifdef __cplusplus
extern "C"
#endif
int wmain(int argc, wchar_t **argv);

int wmain(int argc, wchar_t **argv)
{
    static const prfdata_map *const maps[] = {
@elements@    };

    return prfdata_installer_main(maps, @count@, argc, argv);
}
]])

    set(no_warnings -w)
    if(MSVC)
        set(no_warnings /W0)
    endif()
    set_source_files_properties("${source}" PROPERTIES
        COMPILE_OPTIONS "${no_warnings}" SKIP_PRECOMPILE_HEADERS ON SKIP_LINTING ON)
    add_executable(${target} "${source}" ${arg_MAPS})
    set_target_properties(${target} PROPERTIES WIN32_EXECUTABLE OFF)
    _prfdata_reset_analysis(${target})
    foreach(property C_STANDARD CXX_STANDARD)
        get_target_property(standard ${target} ${property})
        if(standard MATCHES "^(90|98|99)$") # map.h needs C11
            set_target_properties(${target} PROPERTIES ${property} 11)
        endif()
    endforeach()
    if(arg_OUTPUT_NAME)
        set_target_properties(${target} PROPERTIES OUTPUT_NAME "${arg_OUTPUT_NAME}")
    endif()
    target_link_libraries(${target} PRIVATE prfdata::installer)
    _prfdata_use_static_runtime(${target})
    _prfdata_harden(${target})
    # The installer prints to a console, even if the folder's programs have windows.
    if(MINGW)
        target_link_options(${target} PRIVATE -municode -Wl,--subsystem,console
            -static -static-libgcc)
    elseif(MSVC)
        target_link_options(${target} PRIVATE /SUBSYSTEM:CONSOLE)
    endif()
    prfdata_add_resources(${target} DESCRIPTION "Installs performance counters")

    _prfdata_make_service_list()
    set(services "$<TARGET_PROPERTY:prfdata_service_list,PRFDATA_SERVICES>")
    if(arg_PROVIDERS_ELSEWHERE)
        set(services "")
    endif()
    _prfdata_add_check(${target} "${services}" "${arg_MAPS}" "${arg_SYMBOLS}")
endfunction()

# Let each build of `target` end with the check of its maps.
function(_prfdata_add_check target services maps symbols)
    _prfdata_find_emulator(is_foreign emulator)
    set(compiler "")
    if(is_foreign)
        find_program(PRFDATA_HOST_CC NAMES cc gcc clang NO_CMAKE_FIND_ROOT_PATH
            DOC "Compiles the check of maps for this computer")
        set(compiler "$<$<BOOL:${PRFDATA_HOST_CC}>:${PRFDATA_HOST_CC}>")
    endif()
    set(work "${CMAKE_CURRENT_BINARY_DIR}/${target}_check")
    _prfdata_find_language(language extension)
    _prfdata_write_check_program("${work}.c" "${symbols}")
    _prfdata_find_check(folders sources)
    set(paths "")
    foreach(map IN LISTS maps)
        if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${map}")
            cmake_path(ABSOLUTE_PATH map BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
        else()
            cmake_path(ABSOLUTE_PATH map BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
        endif()
        list(APPEND paths "${map}")
    endforeach()
    # The lists are in a file, so that they need not pass through a shell. CMake makes a file for
    # each language, because the target's properties may depend on the language.
    file(GENERATE OUTPUT "${work}-$<CONFIG>-$<COMPILE_LANGUAGE>.cmake" CONTENT
"set(TARGET [==[${target}]==])
set(PROGRAM [==[$<TARGET_FILE:${target}>]==])
set(IS_FOREIGN [==[${is_foreign}]==])
set(EMULATOR [==[${emulator}]==])
set(COMPILER [==[${compiler}]==])
set(CHECKER [==[${work}-$<CONFIG>]==])
set(SOURCES [==[${work}.c;${sources}]==])
set(MAPS [==[${paths}]==])
set(FOLDERS [==[${folders};$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>]==])
set(DEFINITIONS [==[$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>]==])
set(C_STANDARD [==[$<TARGET_PROPERTY:${target},C_STANDARD>]==])
set(CXX_STANDARD [==[$<TARGET_PROPERTY:${target},CXX_STANDARD>]==])
" TARGET ${target})
    set(providers "$<$<BOOL:${services}>:$<JOIN:${services},$<COMMA>>>")
    add_custom_command(TARGET ${target} POST_BUILD
        COMMAND "${CMAKE_COMMAND}" "-DARGUMENTS=${work}-$<CONFIG>-${language}.cmake"
            "-DPROVIDERS=${providers}" -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/PrfDataCheck.cmake"
        COMMENT "Checking the maps of ${target}" VERBATIM)
endfunction()

# Set whether the programs of this build are for another computer, and the emulator that runs them.
#
# CMAKE_CROSSCOMPILING is not enough, because Visual Studio makes programs for ARM64 on x64 without
# setting it.
function(_prfdata_find_emulator foreign_out emulator_out)
    set(${foreign_out} FALSE PARENT_SCOPE)
    set(${emulator_out} "" PARENT_SCOPE)
    _prfdata_find_language(language extension)
    if(CMAKE_CROSSCOMPILING OR (CMAKE_${language}_COMPILER_ARCHITECTURE_ID MATCHES "ARM64" AND
            NOT CMAKE_HOST_SYSTEM_PROCESSOR MATCHES "ARM64"))
        set(${foreign_out} TRUE PARENT_SCOPE)
        set(${emulator_out} "${CMAKE_CROSSCOMPILING_EMULATOR}" PARENT_SCOPE)
        if(DEFINED PRFDATA_CHECK_EMULATOR)
            set(${emulator_out} "${PRFDATA_CHECK_EMULATOR}" PARENT_SCOPE)
        endif()
    endif()
endfunction()

# List the sources of the program that checks maps. The paths are relative to the folder check/ of
# the package or, in the source tree, to shared/core or installer.
function(_prfdata_list_check_sources sources_out)
    set(${sources_out}
        base/array.c
        base/hash_table.c
        check/map_advice.c
        check/map_check.c
        check/map_check_counters.c
        check/map_check_names.c
        check/map_check_objects.c
        check/map_check_options.c
        check/map_check_report.c
        check/map_mistake.c
        check/map_mistake_words.c
        counting/distribution.c
        map/counter_types.c
        map/map_bytes_write.c
        map/map_limits.c
        map/map_options.c
        map/map_tree.c
        metric/metric.c
        metric/metric_part.c
        metric/metric_words.c
        names/c_word.c
        names/names.c
        names/names_convert.c
        names/service_name.c
        names/wmi_name.c
        report/check.c
        PARENT_SCOPE)
endfunction()

function(_prfdata_find_check folders_out sources_out)
    set(tree "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/..")
    set(folders "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/check" "${tree}/shared" "${tree}/shared/core" "${tree}/installer")
    _prfdata_list_check_sources(names)
    set(sources "")
    foreach(name IN LISTS names)
        foreach(folder IN LISTS folders)
            if(EXISTS "${folder}/${name}")
                list(APPEND sources "${folder}/${name}")
                break()
            endif()
        endforeach()
    endforeach()
    set(${folders_out} "${folders}" PARENT_SCOPE)
    set(${sources_out} "${sources}" PARENT_SCOPE)
endfunction()

# Write the program that checks the map objects `symbols`. The program takes the list of providers
# as its argument, as -Check of an installer does.
function(_prfdata_write_check_program source symbols)
    set(declarations "")
    set(elements "")
    foreach(symbol IN LISTS symbols)
        string(APPEND declarations "PRFDATA_DECLARE_MAP(${symbol});\n")
        string(APPEND elements "        &${symbol},\n")
    endforeach()
    list(LENGTH symbols count)
    file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT [[
/* Written by prfdata_add_installer(). */
#include <stdio.h>

#include "report/check.h"

@declarations@
static void print_line(void *context, bool is_mistake, const char *line)
{
    (void)context;
    fprintf(is_mistake ? stderr : stdout, "%s\n", line);
}

int main(int argc, char **argv)
{
    static const prfdata_map *const maps[] = {
@elements@    };

    return prfdata_check_maps(maps, @count@, argc > 1 ? argv[1] : NULL, print_line, NULL) > 0;
}
]])
endfunction()
