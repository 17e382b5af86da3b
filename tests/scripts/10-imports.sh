#!/bin/bash
# SPDX-License-Identifier: MIT
# Every program and DLL that we build imports Windows' own DLLs only: nothing to install beside it.
# Every service's provider exports its three functions as perflib looks them up, and nothing else, and
# does not say that it has no exception handlers: Windows would not call the guard's in 32 bits. All are
# for the processor that the preset says. prfdata.dll exports what its .def lists, undecorated.
# 10-imports.sh [<preset>...]: of these builds, else of all 64-bit ones that ./test makes.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."

# Present on every Windows since 7, without redistributables. msvcrt belongs to Windows;
# vcruntime, libgcc and winpthread do not.
windows='advapi32|comctl32|comdlg32|dwmapi|gdi32|kernel32|loadperf|ntdll|ole32|oleaut32|pdh|psapi'
windows+='|secur32|shell32|shlwapi|user32|version|winmm|ws2_32'
exports='PrfDataClose PrfDataCollect PrfDataOpen'
exit_code=0

complain() {
    echo "$*"
    exit_code=1
}

check_imports() {
    local dll imports
    imports=$(llvm-readobj --coff-imports "$1" | sed -n 's/^  Name: //p')
    if [[ -z $imports ]]; then
        # In clang's MSVC mode a DLL that calls nothing imports nothing, not even a runtime.
        [[ $runtime == ucrtbase ]] || complain "$1: no imports found"
        return 0
    fi
    while read -r dll; do
        [[ ${dll,,} =~ ^($windows|$runtime)\.dll$ ]] || complain "$1 imports $dll"
    done <<<"$imports"
}

# check_exports <DLL> <names, in order>
check_exports() {
    local found
    found=$(llvm-readobj --coff-exports "$1" |
        sed -n 's/^  Name: \(..*\)/\1/p' | sort | paste -sd ' ')
    [[ $found == "$2" ]] || complain "$1 exports $found"
}

# The bit 0x400 of DllCharacteristics, IMAGE_DLLCHARACTERISTICS_NO_SEH.
check_handlers() {
    local bits
    bits=$(llvm-readobj --file-headers "$1" |
        sed -n '/^ImageOptionalHeader/,$s/^ *Characteristics \[ (0x\([0-9A-F]*\))$/\1/p')
    [[ -n $bits ]] || complain "$1: no DllCharacteristics found"
    ((!(16#${bits:-0} & 16#400))) || complain "$1 says that it has no exception handlers"
}

check_machine() {
    [[ $(llvm-readobj --file-headers "$1") == *"Machine: $2 "* ]] || complain "$1 is not for $2"
}

shopt -s nullglob
[[ $# -gt 0 ]] || set mingw windows-msvc windows-msvc-arm64
for preset in "$@"; do
    # Windows' since 10; clang's MSVC mode has no runtime to link statically.
    runtime=msvcrt
    machine=IMAGE_FILE_MACHINE_AMD64
    case $preset in
        windows-msvc) runtime=ucrtbase ;;
        windows-msvc-arm64) runtime=ucrtbase machine=IMAGE_FILE_MACHINE_ARM64 ;;
        *-x86) machine=IMAGE_FILE_MACHINE_I386 ;;
    esac
    files=("build/$preset/bin/"*.exe "build/$preset/bin/"*.dll)
    providers=("build/$preset/bin/"*Prf.dll "build/$preset/bin/PrfDataProvider.dll")
    [[ ${#files[@]} -gt 0 ]] || complain "nothing in build/$preset/bin"
    [[ ${#providers[@]} -gt 0 ]] || complain "no provider in build/$preset/bin"
    for file in "${files[@]}"; do
        check_machine "$file" "$machine"
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
