# SPDX-License-Identifier: MIT
# Sets up the toolchain of clang's MSVC mode. It has the compiler clang-cl, Wine's headers, LLVM's
# linker, and the C runtime ucrtbase.dll. clang-cl defines _MSC_VER, so it compiles the code for
# Visual Studio. The toolchain is for tests only, not for users.
#
# A toolchain file sets PRFDATA_MSVC_ARCH: x64 or arm64.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_TRY_COMPILE_CONFIGURATION Release)

if(NOT PRFDATA_MSVC_SDK)
    # Import libraries, start-up code and some headers are made once, in the user's cache.
    execute_process(COMMAND "${CMAKE_CURRENT_LIST_DIR}/../scripts/msvc-sdk" "${PRFDATA_MSVC_ARCH}"
        OUTPUT_VARIABLE PRFDATA_MSVC_SDK OUTPUT_STRIP_TRAILING_WHITESPACE
        COMMAND_ERROR_IS_FATAL ANY)
    set(PRFDATA_MSVC_SDK "${PRFDATA_MSVC_SDK}" CACHE INTERNAL "What scripts/msvc-sdk made")
endif()
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES PRFDATA_MSVC_SDK)

find_program(PRFDATA_CLANG_CL NAMES clang-cl clang-cl-14 REQUIRED)
find_program(PRFDATA_WINDMC NAMES x86_64-w64-mingw32-windmc REQUIRED)
find_program(CMAKE_LINKER NAMES lld-link REQUIRED)
find_program(CMAKE_AR NAMES llvm-lib REQUIRED)
find_program(CMAKE_RC_COMPILER NAMES llvm-rc REQUIRED)
find_program(CMAKE_MT NAMES llvm-mt REQUIRED)
set(CMAKE_C_COMPILER "${PRFDATA_CLANG_CL}")
set(CMAKE_CXX_COMPILER "${PRFDATA_CLANG_CL}")
set(PRFDATA_MC "${PRFDATA_WINDMC}" CACHE FILEPATH "Compiles messages")

# `clang` in the SDK is a link to the folder of the compiler's own headers. These headers come before
# Wine's headers, so that the compiler's intrinsics are used. Wine has the rest of the standard
# library. /GS- is needed because there is no __security_cookie.
set(prfdata_msvc_includes
    "${CMAKE_CURRENT_LIST_DIR}/msvc/include"
    "${PRFDATA_MSVC_SDK}/include"
    "${PRFDATA_MSVC_SDK}/clang"
    /usr/include/wine/wine/msvcrt
    /usr/include/wine/wine/windows)
list(TRANSFORM prfdata_msvc_includes PREPEND "-imsvc " OUTPUT_VARIABLE prfdata_msvc_flags)
list(JOIN prfdata_msvc_flags " " prfdata_msvc_flags)
foreach(language C CXX)
    set(CMAKE_${language}_COMPILER_LAUNCHER "") # Debian's ccache misreads clang-cl's command lines
    set(CMAKE_${language}_FLAGS_INIT "--target=${PRFDATA_MSVC_TRIPLE} -fms-compatibility-version=19.29 \
/GS- /X ${prfdata_msvc_flags} -D_UCRT -DUSE_COMPILER_EXCEPTIONS -DWINVER=0x0A00 -D_WIN32_WINNT=0x0A00")
endforeach()
list(TRANSFORM prfdata_msvc_includes PREPEND "-I " OUTPUT_VARIABLE prfdata_msvc_flags)
list(JOIN prfdata_msvc_flags " " CMAKE_RC_FLAGS_INIT)
string(APPEND CMAKE_RC_FLAGS_INIT " -C 65001") # llvm-rc ignores #pragma code_page

# /Brepro: the same sources make the same bytes.
foreach(kind EXE SHARED MODULE)
    set(CMAKE_${kind}_LINKER_FLAGS_INIT
        "/manifest:no /Brepro /libpath:${PRFDATA_MSVC_SDK}/lib")
endforeach()
set(CMAKE_FIND_ROOT_PATH "${PRFDATA_MSVC_SDK}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
