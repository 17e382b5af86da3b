# SPDX-License-Identifier: MIT
# Sets a folder for programs in each configuration, and none for libraries.
foreach(config DEBUG RELEASE)
    set(CMAKE_RUNTIME_OUTPUT_DIRECTORY_${config} "${CMAKE_BINARY_DIR}/programs/${config}")
endforeach()
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
