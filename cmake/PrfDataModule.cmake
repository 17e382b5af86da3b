# SPDX-License-Identifier: MIT
# Defines modules. A module is a folder of sources that becomes one static library, except that the
# modules of shared/core are one library together. cmake/modules.txt lists, for each module, the
# modules whose headers it may include. Only the libraries of these modules are linked with it.

set(PRFDATA_MODULES_FILE "${CMAKE_CURRENT_LIST_DIR}/modules.txt")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PRFDATA_MODULES_FILE}")

# prfdata_add_module(<folder> SOURCES <file>... [WINDOWS <file>...] [POSIX <file>...])
#
# Make a library of this folder. Its name is prfdata_<last part of the folder>; `folder` is as in
# modules.txt. WINDOWS and POSIX are sources for only that system.
function(prfdata_add_module folder)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;WINDOWS;POSIX")
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "prfdata_add_module(${folder}): unknown ${arg_UNPARSED_ARGUMENTS}")
    endif()
    file(STRINGS "${PRFDATA_MODULES_FILE}" modules REGEX "^${folder}:")
    if(NOT modules)
        message(FATAL_ERROR "prfdata_add_module(${folder}): cmake/modules.txt has no such module")
    endif()
    string(REGEX REPLACE "^[^:]*:" "" may_include "${modules}")
    string(REGEX MATCHALL "[^ ]+" may_include "${may_include}")
    file(STRINGS "${PRFDATA_MODULES_FILE}" core_modules REGEX "^shared/core/")
    list(TRANSFORM core_modules REPLACE "^shared/core/([a-z]+):.*" "\\1")
    set(libraries "")
    foreach(module IN LISTS may_include)
        if(module IN_LIST core_modules) # the modules of core are one library
            set(module core)
        endif()
        list(APPEND libraries prfdata_${module})
    endforeach()
    list(REMOVE_DUPLICATES libraries)

    cmake_path(GET folder FILENAME name)
    add_library(prfdata_${name} STATIC ${arg_SOURCES})
    if(WIN32)
        target_sources(prfdata_${name} PRIVATE ${arg_WINDOWS})
    else()
        target_sources(prfdata_${name} PRIVATE ${arg_POSIX})
    endif()
    if(MSVC)
        # The libraries name no C runtime, so they go into programs with /MT and with /MD.
        # learn.microsoft.com/cpp/build/reference/zl-omit-default-library-name
        target_compile_options(prfdata_${name} PRIVATE /Zl)
    endif()
    # Files are included by folder and name, "region/region.h".
    cmake_path(GET CMAKE_CURRENT_SOURCE_DIR PARENT_PATH parent)
    target_include_directories(prfdata_${name} PUBLIC "$<BUILD_INTERFACE:${parent}>")
    target_link_libraries(prfdata_${name} PUBLIC ${libraries})
endfunction()
