# SPDX-License-Identifier: MIT
# Checks an installer's maps. prfdata_add_installer() runs this script after each build. The check
# is made by the installer itself, by the installer in an emulator, or by a program that is compiled
# for this computer.
#
#     cmake -DARGUMENTS=<file> -DPROVIDERS=<services> -P PrfDataCheck.cmake
#
# The file sets TARGET, PROGRAM, IS_FOREIGN, EMULATOR, COMPILER, CHECKER, SOURCES, MAPS, FOLDERS,
# DEFINITIONS, C_STANDARD and CXX_STANDARD. If PROVIDERS is empty, the maps need no provider. An
# invalid map, or a map without its provider, ends the script with messages and fails the build. A
# valid map may have a part that is probably not intended. The note about such a part becomes a
# warning of the build. A map that cannot be checked here, for instance because its file needs
# Windows, does not fail the build. When the installer runs, it reports the mistakes of such a map.
cmake_minimum_required(VERSION 3.21)
include("${ARGUMENTS}")

# Run a command. Its output goes to files, because processes that an emulator leaves behind would
# keep a pipe open.
function(run log)
    execute_process(COMMAND ${ARGN} OUTPUT_FILE "${log}.out" ERROR_FILE "${log}.err"
        RESULT_VARIABLE code)
    set(code "${code}" PARENT_SCOPE)
endfunction()

# Print the notes of a check that found no mistakes, in the form in which Visual Studio lists
# warnings. Leave out the lines that only say that a map is valid.
function(print_notes)
    file(STRINGS "${CHECKER}.out" lines ENCODING UTF-8)
    foreach(line IN LISTS lines)
        if(NOT line MATCHES ": Map: valid \\(")
            message("${TARGET} : warning PRFDATA: ${line}")
        endif()
    endforeach()
endfunction()

# Run the check. Sets `is_checked` to whether the check could run. Ends the script if the check
# reports a mistake.
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

# The names by which compilers first knew these standards. Later compilers know the names, too.
set(draft_C_23 2x)
set(draft_CXX_20 2a)
set(draft_CXX_23 2b)
set(draft_CXX_26 2c)

# Compile a map, and append its object file to `objects`. Sets `code` to 0 if one of the standards
# suits the map. The target's own standard comes first, then the compiler's default. Later standards
# follow, because a compiler option may have chosen the map's standard.
#
# The user is told to read the log of the first attempt, because the log of a later attempt may say
# only that the compiler does not know the standard.
function(compile_map map)
    if(map MATCHES "\\.c$")
        set(language C)
        set(option -std=gnu)
        set(standards default 2x)
    else()
        set(language CXX)
        set(option -std=gnu++)
        set(standards default 2a 2b)
        set(libraries -lstdc++ PARENT_SCOPE) # a C compiler compiles C++, but links no libstdc++
    endif()
    set(own "${${language}_STANDARD}")
    if(DEFINED draft_${language}_${own})
        set(own "${draft_${language}_${own}}")
    endif()
    list(PREPEND standards ${own})

    list(LENGTH objects count)
    set(object "${CHECKER}-map${count}.o")
    set(log "${CHECKER}-compiler")
    foreach(standard IN LISTS standards)
        set(options "${option}${standard}")
        if(standard STREQUAL "default")
            set(options "")
        endif()
        run("${log}" "${COMPILER}" ${options} ${FOLDERS} ${DEFINITIONS} -c -o "${object}" "${map}")
        if(code EQUAL 0)
            break()
        endif()
        set(log "${CHECKER}-compiler-again")
    endforeach()
    set(code "${code}" PARENT_SCOPE)
    set(objects ${objects} "${object}" PARENT_SCOPE)
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
    set(objects "")
    set(libraries "")
    foreach(map IN LISTS MAPS)
        compile_map("${map}")
        if(NOT code EQUAL 0)
            break()
        endif()
    endforeach()
    if(code EQUAL 0)
        run("${CHECKER}-compiler" "${COMPILER}" ${FOLDERS} ${DEFINITIONS} -o "${CHECKER}.program" ${SOURCES}
            ${objects} ${libraries})
    endif()
    if(code EQUAL 0)
        check("${CHECKER}.program" ${PROVIDERS})
    endif()
endif()
if(NOT is_checked)
    message("${TARGET}: the maps were not checked: the installer does not run here, and no compiler "
        "for this computer compiles the files of the maps (${CHECKER}-compiler.err). Set "
        "CMAKE_CROSSCOMPILING_EMULATOR, or run the installer with -Check on Windows.")
endif()
