# SPDX-License-Identifier: MIT
# Sets folders of outputs. Each kind has its own folder, and one configuration has different ones.
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/archives of all")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/libraries of all")
set(CMAKE_PDB_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/symbols")
set(CMAKE_COMPILE_PDB_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/symbols")
foreach(config DEBUG RELEASE)
    set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY_${config} "${CMAKE_BINARY_DIR}/archives/${config}")
    set(CMAKE_LIBRARY_OUTPUT_DIRECTORY_${config} "${CMAKE_BINARY_DIR}/libraries/${config}")
    set(CMAKE_PDB_OUTPUT_DIRECTORY_${config} "${CMAKE_BINARY_DIR}/symbols/${config}")
    set(CMAKE_COMPILE_PDB_OUTPUT_DIRECTORY_${config} "${CMAKE_BINARY_DIR}/symbols/${config}")
endforeach()
