# SPDX-License-Identifier: MIT
# Builds 64-bit Windows programs with clang in MSVC mode; their tests run under Wine.
set(PRFDATA_MSVC_ARCH x64)
set(PRFDATA_MSVC_TRIPLE x86_64-pc-windows-msvc)
set(CMAKE_SYSTEM_PROCESSOR AMD64)
include("${CMAKE_CURRENT_LIST_DIR}/windows-msvc.cmake")
get_filename_component(CMAKE_CROSSCOMPILING_EMULATOR "${CMAKE_CURRENT_LIST_DIR}/../tests/wine/run"
    ABSOLUTE)
