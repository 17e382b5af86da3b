#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests the imports, exports and headers of programs and DLLs. Every program and DLL that we build
# imports only Windows' own DLLs, so nothing else has to be installed. Every service's provider
# exports exactly its three functions under the names that perflib looks up. The header of a
# provider must not have the flag NO_SEH, because with this flag a 32-bit Windows would not call the
# exception handler of guard_win32.c. All programs and DLLs are for the processor that the preset
# names. Those of the preset mingw import only functions that Windows 7 has. prfread.exe imports no
# DLL that loads user32.dll. prfdata.dll exports the undecorated names that its .def lists.
# imports.py has the checks.
#
# With clang in MSVC mode the script also builds a user's project that uses this mode's default
# runtime, /MD, which is not part of Windows. The project's installer and provider must not need
# this runtime.
#
#   10-imports.sh [<preset>...]     default: the builds that ./test has made
#
# Tier: test
# Builds: mingw windows-msvc windows-msvc-arm64
# Job: scripts
# shellcheck source=../support/scripts/script.sh
source "$(dirname "$0")/../support/scripts/script.sh"
if [[ $# -eq 0 ]]; then
    for preset in mingw mingw-x86 windows-msvc windows-msvc-arm64; do
        [[ " ${PRFDATA_PRESETS:-mingw} " != *" $preset "* ]] || set -- "$@" "$preset"
    done
fi
for preset in "$@"; do
    case $preset in
        windows-msvc) toolchain=windows-msvc-x64 ;;
        windows-msvc-arm64) toolchain=windows-msvc-arm64 ;;
        *) continue ;;
    esac
    quietly cmake --install "build/$preset" --prefix "$work/package-$preset"
    quietly cmake -S tests/packages/runtime -B "$work/$preset" -G Ninja -DCMAKE_BUILD_TYPE=Release \
        "-DCMAKE_PREFIX_PATH=$work/package-$preset" "-DCMAKE_TOOLCHAIN_FILE=$PWD/cmake/toolchain-$toolchain.cmake"
    quietly cmake --build "$work/$preset"
    set -- "$@" "$preset=$work/$preset"
done
/usr/bin/python3 -B tests/scripts/imports.py "$@"
