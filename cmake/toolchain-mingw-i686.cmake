# SPDX-License-Identifier: MIT
# Builds 32-bit Windows programs with Debian's mingw-w64.
set(PRFDATA_MINGW_TRIPLE i686-w64-mingw32)
set(CMAKE_SYSTEM_PROCESSOR x86)
include("${CMAKE_CURRENT_LIST_DIR}/mingw.cmake")
