#!/bin/bash
# SPDX-License-Identifier: MIT
# Every program and DLL that we build imports Windows' own DLLs only: nothing to install beside it.
# Every service's provider exports its three functions as perflib looks them up, and nothing else, and
# does not say that it has no exception handlers: Windows would not call the guard's in 32 bits. All are
# for the processor that the preset says. prfdata.dll exports what its .def lists, undecorated.
# 10-imports.sh [<preset>...]: of these builds, else of all 64-bit ones that ./test makes.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
# shellcheck source=../../scripts/lib.sh
source scripts/lib.sh

# Present on every Windows since 7, without redistributables. msvcrt belongs to Windows;
# vcruntime, libgcc and winpthread do not.
windows='advapi32|comctl32|comdlg32|dwmapi|gdi32|kernel32|loadperf|msimg32|ntdll|ole32|oleaut32|pdh|psapi'
windows+='|secur32|shell32|shlwapi|user32|uxtheme|version|winmm|ws2_32'
exports='PrfDataClose PrfDataCollect PrfDataOpen'
exit_code=0

complain() {
    echo "$*"
    exit_code=1
}

# read_files <file>...: set machine_of, handlers_of, imports_of and exports_of, by file. One process reads all
# files: starting one for each would take longer than anything else here.
read_files() {
    local kind file value
    machine_of=() handlers_of=() imports_of=() exports_of=()
    while IFS=$'\t' read -r kind file value; do
        case $kind in
            machine) machine_of[$file]=$value ;;
            handlers) handlers_of[$file]=$value ;;
            import) imports_of[$file]+="$value " ;;
            export) exports_of[$file]+="$value " ;;
        esac
    done < <(llvm-readobj --file-headers --coff-imports --coff-exports "$@" | awk -v OFS='\t' '
        /^File: / { file = substr($0, 7); part = "" }
        /^[A-Z][A-Za-z]* \{$/ { part = $1 }
        part == "ImageFileHeader" && $1 == "Machine:" { print "machine", file, $2 }
        part == "ImageOptionalHeader" && /^  Characteristics \[/ { print "handlers", file, $3 }
        part ~ /Import$/ && /^  Name: / { print "import", file, $2 }
        part == "Export" && /^  Name: ./ { print "export", file, $2 }')
}
declare -A machine_of handlers_of imports_of exports_of

check_imports() {
    local dll
    if [[ -z ${imports_of[$1]:-} ]]; then
        # In clang's MSVC mode a DLL that calls nothing imports nothing, not even a runtime.
        [[ $runtime == ucrtbase ]] || complain "$1: no imports found"
        return 0
    fi
    for dll in ${imports_of[$1]}; do
        [[ ${dll,,} =~ ^($windows|$runtime)\.dll$ ]] || complain "$1 imports $dll"
    done
}

# check_exports <DLL> <names, in order>
check_exports() {
    local found
    # shellcheck disable=SC2086 # words
    found=$(printf '%s\n' ${exports_of[$1]:-} | sort | paste -sd ' ')
    [[ $found == "$2" ]] || complain "$1 exports $found"
}

# The bit 0x400 of DllCharacteristics, IMAGE_DLLCHARACTERISTICS_NO_SEH.
check_handlers() {
    local bits=${handlers_of[$1]:-}
    [[ $bits =~ ^\(0x([0-9A-F]+)\)$ ]] || { complain "$1: no DllCharacteristics found" && return; }
    ((!(16#${BASH_REMATCH[1]} & 16#400))) || complain "$1 says that it has no exception handlers"
}

check_machine() {
    [[ ${machine_of[$1]:-} == "$2" ]] || complain "$1 is not for $2"
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
    read_files "${files[@]}"
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
