#!/bin/bash
# SPDX-License-Identifier: MIT
# Every program and DLL that we build imports Windows' own DLLs only: nothing to install beside it.
# Every service's provider exports its three functions as perflib looks them up, and nothing else, and
# does not say that it has no exception handlers: Windows would not call the guard's in 32 bits. All are
# for the processor that the preset says. prfdata.dll exports what its .def lists, undecorated.
# 10-imports.sh [<preset>...]: of these builds, else of those that ./test has made.
#
# Tier: test
# Builds: mingw windows-msvc windows-msvc-arm64
# Lane: scripts
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
# shellcheck source=../../scripts/lib.sh
source scripts/lib.sh
if [[ $# -eq 0 ]]; then
    for preset in mingw windows-msvc windows-msvc-arm64; do
        [[ " ${PRFDATA_PRESETS:-mingw} " != *" $preset "* ]] || set -- "$@" "$preset"
    done
fi
/usr/bin/python3 -B tests/scripts/imports.py "$@"
