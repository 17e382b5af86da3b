# SPDX-License-Identifier: MIT
# 64-bit Windows programs by Debian's mingw-w64; tests run under Wine.
set(PRFDATA_MINGW_TRIPLE x86_64-w64-mingw32)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
include("${CMAKE_CURRENT_LIST_DIR}/mingw.cmake")
