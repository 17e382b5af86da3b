#!/bin/bash
# SPDX-License-Identifier: MIT
# Every program and DLL that we build imports Windows' own DLLs only: nothing to install beside it.
# Every service's provider exports its three functions as perflib looks them up, and nothing else, and
# does not say that it has no exception handlers: Windows would not call the guard's in 32 bits. All are
# for the processor that the preset says. prfdata.dll exports what its .def lists, undecorated.
# 10-imports.sh [<preset>...]: of these builds, otherwise of those that ./test has made. Of the builds by
# clang in MSVC mode the installer and the provider of a user's project are checked, too: its default
# runtime, /MD, is not part of Windows.
#
# Tier: test
# Builds: mingw windows-msvc windows-msvc-arm64
# Job: scripts
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
# shellcheck source=../../scripts/lib.sh
source scripts/lib.sh
if [[ $# -eq 0 ]]; then
    for preset in mingw mingw-x86 windows-msvc windows-msvc-arm64; do
        [[ " ${PRFDATA_PRESETS:-mingw} " != *" $preset "* ]] || set -- "$@" "$preset"
    done
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/prfdata-imports.XXXXXX")
trap 'rm -rf "$work"' EXIT
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
