# SPDX-License-Identifier: MIT
# Programs have a folder of their own in each configuration, and there is none for libraries.
foreach(config DEBUG RELEASE)
    set(CMAKE_RUNTIME_OUTPUT_DIRECTORY_${config} "${CMAKE_BINARY_DIR}/programs/${config}")
endforeach()
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
