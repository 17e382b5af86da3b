# SPDX-License-Identifier: MIT
# Builds the portable parts for Linux on ARM64; their tests run under qemu-user.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(PRFDATA_LINUX_TRIPLE aarch64-linux-gnu)
set(CMAKE_C_COMPILER ${PRFDATA_LINUX_TRIPLE}-gcc)
set(CMAKE_CXX_COMPILER ${PRFDATA_LINUX_TRIPLE}-g++)
set(CMAKE_FIND_ROOT_PATH /usr/${PRFDATA_LINUX_TRIPLE})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -L /usr/${PRFDATA_LINUX_TRIPLE})
# wchar_t is signed on x86 and unsigned on ARM64, so code for x86 would cause this warning here.
set(CMAKE_C_FLAGS_INIT -Wno-sign-conversion)
