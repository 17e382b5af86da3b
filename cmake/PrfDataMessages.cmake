# SPDX-License-Identifier: MIT
# Compiles tables of messages for the event log.

# prfdata_add_messages(<target> <file.mc> <language>)
#
# Make the target that compiles the table of messages in `file`. The target's property PRFDATA_FILE
# is the path of the result, <language>.bin, which becomes a resource of type 11. `language` is the
# name in the table's LanguageNames.
function(prfdata_add_messages target file language)
    if(MSVC)
        cmake_path(GET CMAKE_RC_COMPILER PARENT_PATH sdk)
        # Search only the SDK's folder, because other programs are also called mc.
        find_program(PRFDATA_MC mc PATHS "${sdk}" NO_DEFAULT_PATH)
        if(NOT PRFDATA_MC)
            set(PRFDATA_MC mc) # Visual Studio finds mc when it builds
        endif()
    else()
        find_program(PRFDATA_MC NAMES "${PRFDATA_MINGW_TRIPLE}-windmc" windmc REQUIRED)
    endif()
    set(messages "${CMAKE_CURRENT_BINARY_DIR}/${language}.bin")
    add_custom_command(OUTPUT "${messages}"
        COMMAND "${PRFDATA_MC}" -U -h . -r . "${CMAKE_CURRENT_SOURCE_DIR}/${file}"
        WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}"
        DEPENDS "${file}")
    add_custom_target(${target} ALL DEPENDS "${messages}")
    set_target_properties(${target} PROPERTIES PRFDATA_FILE "${messages}")
endfunction()
