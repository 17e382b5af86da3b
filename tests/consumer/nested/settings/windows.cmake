# SPDX-License-Identifier: MIT
# Makes windowed programs with additional linker options. Old variables name the folders of
# programs and libraries.
set(EXECUTABLE_OUTPUT_PATH "${CMAKE_BINARY_DIR}/executables")
set(LIBRARY_OUTPUT_PATH "${CMAKE_BINARY_DIR}/libraries")
add_link_options(-mwindows -Wl,--fatal-warnings -Wl,--subsystem,windows)
link_directories("${CMAKE_CURRENT_LIST_DIR}")
string(APPEND CMAKE_EXE_LINKER_FLAGS " -Wl,--gc-sections")
string(APPEND CMAKE_MODULE_LINKER_FLAGS " -Wl,--gc-sections")
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_STANDARD 98)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_STATIC_LIBRARY_SUFFIX .library)
