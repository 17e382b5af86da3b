# SPDX-License-Identifier: MIT
# Builds Windows programs for ARM64 with clang in MSVC mode. Tests examine the programs, but do not
# run them.
set(PRFDATA_MSVC_ARCH arm64)
set(PRFDATA_MSVC_TRIPLE aarch64-pc-windows-msvc)
set(CMAKE_SYSTEM_PROCESSOR ARM64)
include("${CMAKE_CURRENT_LIST_DIR}/windows-msvc.cmake")
