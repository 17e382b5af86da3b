# SPDX-License-Identifier: MIT
# Sets up the compiler for both mingw toolchain files, which set PRFDATA_MINGW_TRIPLE.
set(CMAKE_SYSTEM_NAME Windows)

set(CMAKE_C_COMPILER ${PRFDATA_MINGW_TRIPLE}-gcc)
set(CMAKE_CXX_COMPILER ${PRFDATA_MINGW_TRIPLE}-g++)
set(CMAKE_RC_COMPILER ${PRFDATA_MINGW_TRIPLE}-windres)
set(CMAKE_FIND_ROOT_PATH /usr/${PRFDATA_MINGW_TRIPLE})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)

# The compiler's own libraries are linked statically, so that PrfData's programs import only
# Windows' DLLs. Without a time stamp, the same sources make the same bytes.
foreach(kind EXE SHARED MODULE)
    set(CMAKE_${kind}_LINKER_FLAGS_INIT "-static -static-libgcc -Wl,--no-insert-timestamp")
endforeach()
# Name the library prfdata.dll, not libprfdata.dll.
foreach(language C CXX)
    set(CMAKE_SHARED_LIBRARY_PREFIX_${language} "")
    set(CMAKE_SHARED_MODULE_PREFIX_${language} "")
endforeach()

if(EXISTS "${CMAKE_CURRENT_LIST_DIR}/../tests/wine/run")
    get_filename_component(PRFDATA_WINE_RUN "${CMAKE_CURRENT_LIST_DIR}/../tests/wine/run" ABSOLUTE)
    set(CMAKE_CROSSCOMPILING_EMULATOR "${PRFDATA_WINE_RUN}")
endif()
