#!/bin/bash
# SPDX-License-Identifier: MIT
# Every program and DLL that we build imports Windows' own DLLs only: nothing to install beside it.
# Every service's provider exports its three functions as perflib looks them up, and nothing else, and
# does not say that it has no exception handlers: Windows would not call the guard's in 32 bits.
# prfdata.dll exports what its .def lists, undecorated.
# 10-imports.sh [<preset>...]: of these builds, else of the preset mingw.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."

# Present on every Windows since 7, without redistributables. msvcrt belongs to Windows;
# vcruntime, libgcc and winpthread do not.
windows='advapi32|comctl32|comdlg32|dwmapi|gdi32|kernel32|loadperf|msvcrt|ntdll|ole32|oleaut32|pdh|psapi'
windows+='|secur32|shell32|shlwapi|user32|version|winmm|ws2_32'
exports='PrfDataClose PrfDataCollect PrfDataOpen'
objdump=x86_64-w64-mingw32-objdump # reads both bitnesses
exit_code=0

complain() {
    echo "$*"
    exit_code=1
}

check_imports() {
    local dll imports
    imports=$("$objdump" -p "$1" | sed -n 's/^\tDLL Name: //p')
    [[ -n $imports ]] || complain "$1: no imports found"
    while read -r dll; do
        [[ ${dll,,} =~ ^($windows)\.dll$ ]] || complain "$1 imports $dll"
    done <<<"$imports"
}

# check_exports <DLL> <names, in order>
check_exports() {
    local found
    found=$("$objdump" -p "$1" |
        sed -n '/^\[Ordinal\/Name Pointer\] Table/,/^$/s/^\t\[ *[0-9]*\] //p' | sort | paste -sd ' ')
    [[ $found == "$2" ]] || complain "$1 exports $found"
}

# The bit 0x400 of DllCharacteristics, IMAGE_DLLCHARACTERISTICS_NO_SEH.
check_handlers() {
    local bits
    bits=$("$objdump" -p "$1" | sed -n 's/^DllCharacteristics\t//p')
    [[ -n $bits ]] || complain "$1: no DllCharacteristics found"
    ((!(16#${bits:-0} & 16#400))) || complain "$1 says that it has no exception handlers"
}

shopt -s nullglob
[[ $# -gt 0 ]] || set mingw
for preset in "$@"; do
    files=("build/$preset/bin/"*.exe "build/$preset/bin/"*.dll)
    providers=("build/$preset/bin/"*Prf.dll)
    [[ ${#files[@]} -gt 0 ]] || complain "nothing in build/$preset/bin"
    [[ ${#providers[@]} -gt 0 ]] || complain "no provider in build/$preset/bin"
    for file in "${files[@]}"; do
        check_imports "$file"
    done
    for file in "${providers[@]}"; do
        check_exports "$file" "$exports"
        check_handlers "$file"
    done
    check_exports "build/$preset/bin/prfdata.dll" \
        "$(sed -n 's/^ *\(prfdata_\)/\1/p' shared/calls/prfdata.def | sort | paste -sd ' ')"
done
exit "$exit_code"
