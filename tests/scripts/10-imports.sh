#!/bin/bash
# SPDX-License-Identifier: MIT
# Every program and DLL that we build imports Windows' own DLLs only: nothing to install beside it.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."

# Present on every Windows since 7, without redistributables. msvcrt belongs to Windows;
# vcruntime, libgcc and winpthread do not.
windows='advapi32|comctl32|comdlg32|gdi32|kernel32|loadperf|msvcrt|ntdll|ole32|oleaut32|pdh|psapi'
windows+='|secur32|shell32|shlwapi|user32|version|winmm|ws2_32'

shopt -s nullglob
files=(build/mingw/bin/*.exe build/mingw/bin/*.dll)
[[ ${#files[@]} -gt 0 ]] || { echo "nothing in build/mingw/bin"; exit 1; }

exit_code=0
for file in "${files[@]}"; do
    imports=$(x86_64-w64-mingw32-objdump -p "$file" | sed -n 's/^\tDLL Name: //p')
    [[ -n $imports ]] || { echo "$file: no imports found"; exit_code=1; }
    while read -r dll; do
        if [[ ! ${dll,,} =~ ^($windows)\.dll$ ]]; then
            echo "$file imports $dll"
            exit_code=1
        fi
    done <<<"$imports"
done
exit "$exit_code"
