# SPDX-License-Identifier: MIT
# Builds 64-bit Windows programs with Debian's mingw-w64; their tests run under Wine.
set(PRFDATA_MINGW_TRIPLE x86_64-w64-mingw32)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
include("${CMAKE_CURRENT_LIST_DIR}/mingw.cmake")
