# SPDX-License-Identifier: MIT
# What tests/scripts/50-end-to-end.sh reads the sample's window with.
if(WIN32)
    add_executable(list-text list_text.c)
    target_compile_definitions(list-text PRIVATE UNICODE _UNICODE)
    target_link_libraries(list-text PRIVATE user32)
    if(MINGW)
        target_link_options(list-text PRIVATE -municode)
    endif()
endif()
