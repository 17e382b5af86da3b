# SPDX-License-Identifier: MIT
# Checks an installer's maps. prfdata_add_installer() runs this script after each build. The check
# is made by the installer itself, by the installer in an emulator, or by a program that is compiled
# for this computer.
#
#     cmake -DARGUMENTS=<file> -DPROVIDERS=<services> -P PrfDataCheck.cmake
#
# The file sets TARGET, PROGRAM, IS_FOREIGN, EMULATOR, COMPILER, CHECKER, SOURCES, FOLDERS and
# DEFINITIONS. If PROVIDERS is empty, the maps need no provider. An invalid map, or one without its
# provider, ends the script with its messages and fails the build. A note about a
# valid map that is probably not intended becomes a warning of the build. A map that cannot be
# checked here, for instance because its file needs Windows, does not fail the build. The installer
# reports the mistakes of such a map when it runs.
cmake_minimum_required(VERSION 3.21)
include("${ARGUMENTS}")

# Run a command. Its output goes to files, because processes that an emulator leaves behind would
# keep a pipe open.
function(run log)
    execute_process(COMMAND ${ARGN} OUTPUT_FILE "${log}.out" ERROR_FILE "${log}.err"
        RESULT_VARIABLE code)
    set(code "${code}" PARENT_SCOPE)
endfunction()

# Print the lines of a check without mistakes, except those that say that a map is valid. Visual
# Studio lists lines of this form as warnings.
function(print_notes)
    file(STRINGS "${CHECKER}.out" lines ENCODING UTF-8)
    foreach(line IN LISTS lines)
        if(NOT line MATCHES ": Map: valid \\(")
            message("${TARGET} : warning PRFDATA: ${line}")
        endif()
    endforeach()
endfunction()

# Run the check. Sets `is_checked` to whether it could run. Ends the script if a map is invalid.
function(check)
    run("${CHECKER}" ${ARGN})
    set(is_checked TRUE PARENT_SCOPE)
    if(code EQUAL 0)
        print_notes()
        return()
    endif()
    file(READ "${CHECKER}.err" sentences)
    if(NOT sentences MATCHES ": (Map|Service): ")
        set(is_checked FALSE PARENT_SCOPE)
        return()
    endif()
    string(REPLACE "\r" "" sentences "${sentences}")
    message("${sentences}")
    message(FATAL_ERROR "${TARGET}: a map is wrong, see above.")
endfunction()

set(is_checked FALSE)
if(EMULATOR OR NOT IS_FOREIGN)
    set(providers "")
    if(PROVIDERS)
        set(providers -Providers "${PROVIDERS}")
    endif()
    check(${EMULATOR} "${PROGRAM}" -Check ${providers})
endif()
if(NOT is_checked AND COMPILER)
    list(TRANSFORM FOLDERS PREPEND "-I")
    list(FILTER FOLDERS EXCLUDE REGEX "^-I$")
    list(TRANSFORM DEFINITIONS PREPEND "-D")
    list(FILTER DEFINITIONS EXCLUDE REGEX "^-D$")
    # A map may need a later standard than the one that the compiler has without an option.
    set(standards "" -std=gnu2x)
    set(libraries "")
    if(SOURCES MATCHES "\\.(cpp|cc|cxx|C|c\\+\\+)(;|$)")
        set(standards "" -std=gnu++20 -std=gnu++23)
        set(libraries -lstdc++) # the compiler of C compiles C++ by the file's name
    endif()
    foreach(standard IN LISTS standards)
        run("${CHECKER}-compiler" "${COMPILER}" ${standard} ${FOLDERS} ${DEFINITIONS} -o "${CHECKER}.program"
            ${SOURCES} ${libraries})
        if(code EQUAL 0)
            check("${CHECKER}.program" ${PROVIDERS})
            break()
        endif()
    endforeach()
endif()
if(NOT is_checked)
    message("${TARGET}: the maps were not checked: the installer does not run here, and no compiler "
        "for this computer compiles the files of the maps (${CHECKER}-compiler.err). Set "
        "CMAKE_CROSSCOMPILING_EMULATOR, or run the installer with -Check on Windows.")
endif()
