#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests the product in 32 bits, and both bitnesses together: a provider of one bitness reads what a
# program of the other bitness publishes, and a program takes over the region of the other bitness.
# In 32 bits it runs the tests that depend on pointers, sizes, 64-bit words or system calls.
# CMakePresets.json names these tests. With --all it runs all tests. Without a Wine for both
# bitnesses (scripts/wine-both says why) it builds, checks the files, and skips the rest.
#
# Tier: all
# Builds: mingw
# Job: scripts
# shellcheck source=../support/scripts/script.sh
source "$(dirname "$0")/../support/scripts/script.sh"

LARGE=5000000001 # bitness/writer.c counts this

tests=(ctest --preset mingw-x86)
case $* in
    '') ;;
    --all) tests=(ctest --test-dir build/mingw-x86 -j 2 --output-on-failure) ;;
    *) fail "the only argument is --all" ;;
esac

# Two runs in one build folder would disturb each other. No process may inherit file 6, because it
# would hold the lock longer than this script.
mkdir -p build
exec 6>build/bitness.lock
flock 6

writers=()
installer=

stop_writers() {
    end_process "${writers[@]}"
    writers=()
}

clean_up() {
    stop_writers
    [[ -z $installer ]] || "$WINE" "$installer" -Uninstall >/dev/null 2>&1 6>&- 7>&-
}
unset PRFDATA_RUN_ID # it belongs to another Wine
in_test=

# ---- The files ----

# compiled <options> <statements> <type>: print the machine code of a function with these
# statements, in which `word` points to the type.
compiled() {
    printf '#include <prfdata/atomic.h>\nuint64_t use(%s *word);\nuint64_t use(%s *word) { %s; }\n' \
        "$3" "$3" "$2" >"$work/atomic.c"
    # shellcheck disable=SC2086 # several words
    i686-w64-mingw32-gcc -std=c11 $1 -Ishared/include -c "$work/atomic.c" -o "$work/atomic.o" &&
        i686-w64-mingw32-objdump -d --no-show-raw-insn "$work/atomic.o" &&
        i686-w64-mingw32-nm --undefined-only "$work/atomic.o"
}

# Views are read-only, so a 64-bit load must not be a compare-exchange, which writes. On a 32-bit
# processor an addition must be a compare-exchange, so the addition shows that the check finds one.
# U stands for an undefined symbol, such as a function of another library.
check_loads() {
    local options order code
    for options in -O0 -O2 -O3 '-O2 -march=i686' '-O2 -march=pentium4' '-O2 -msse2 -mfpmath=sse'; do
        code=$(compiled "$options" 'prfdata_add64_relaxed(word, 1); return 0' uint64_t)
        [[ $code == *cmpxchg8b* ]] || fail "$options: no compare-exchange in an addition: $code"
        for order in relaxed acquire; do
            code=$(compiled "$options" "return prfdata_load64_$order(word)" 'const uint64_t')
            [[ $code == *'<_use>:'* ]] || fail "$options: no load: $code"
            ! grep -qE 'cmpxchg|lock| U ' <<<"$code" || fail "$options: a load that writes: $code"
        done
    done
}

[[ -e build/mingw/bin/bitness-writer.exe ]] || fail "build the preset mingw first"
build_preset mingw-x86 || fail "the 32-bit build"
if [[ $# -gt 0 ]]; then
    quietly cmake --preset mingw-x86 -DPRFDATA_TEST_NAMES= && quietly cmake --build --preset mingw-x86 ||
        fail "the 32-bit build of all tests"
fi
done_with "the 32-bit build"
bash tests/scripts/10-imports.sh mingw-x86 || fail "imports or exports"
check_loads
done_with "imports, exports and 64-bit loads"

code=0
reason=$(scripts/wine-both 2>&1 >/dev/null) || code=$?
if [[ $code -eq 77 ]]; then
    printf '%s\n' "$reason"
    echo "built and looked at, not run: ${reason##*$'\n'}"
    exit 77
fi
[[ $code -eq 0 ]] || fail "scripts/wine-both: $reason"
# Lock the prefix before it is used. If another run ended the prefix's server, that would look like
# a restart, and regions from before a restart are not taken over.
export PRFDATA_WINE_BOTH=1 PRFDATA_WINEPREFIX=${PRFDATA_WINEPREFIX:-$PRFDATA_CACHE/wine}-bitness
prfdata_wine_environment
prfdata_lock_wine

start_wine() {
    scripts/wine-prefix
    "$WINESERVER" -k >/dev/null 2>&1 || true
    prfdata_reset_wine
    prfdata_start_wine
    tests/wine/install-workaround build/mingw/bin/prfdata-wine-workaround.dll
}
start_wine 6>&- 7>&-
done_with "a Wine for both"

# ---- The tests in 32 bits ----

# On a 64-bit Windows the native provider is the 64-bit one, in the folder x64 next to a 32-bit
# installer.
mkdir -p build/mingw-x86/bin/x64
cp build/mingw/bin/*Prf.dll build/mingw/bin/PrfDataProvider.dll build/mingw-x86/bin/x64/
quietly "${tests[@]}" 6>&- 7>&- || fail "tests in 32 bits; to repeat: ${tests[*]}"
done_with "the tests in 32 bits"

# ---- Both together ----

# Place the files as they would be shipped.
mkdir -p "$work/64/x86" "$work/32/x64"
for file in bitness-writer.exe bitness-installer.exe prfread.exe prfcheck.exe PrfDataBitnessPrf.dll; do
    if [[ -e build/mingw/bin/$file ]]; then
        cp "build/mingw/bin/$file" "$work/64/"
        cp "build/mingw-x86/bin/$file" "$work/32/"
    fi
done
cp "$work/32/PrfDataBitnessPrf.dll" "$work/64/x86/"
cp "$work/64/PrfDataBitnessPrf.dll" "$work/32/x64/"

has_counted() {
    grep -qx $'counted\r*' "$work/writer"
}

# start_writer <bits> <instance>
start_writer() {
    : >"$work/writer" # remove the output of an earlier writer
    "$WINE" "$work/$1/bitness-writer.exe" "$2" >"$work/writer" 2>&1 </dev/null &
    writers+=($!)
    for ((i = 0; i < LIMIT * 20; i++)); do
        ! has_counted || return 0
        kill -0 "$!" 2>/dev/null || break
        sleep 0.05
    done
    fail "the $1-bit writer: $(<"$work/writer")"
}

# expect <bits of the reader> <what> <path> <value>...: check that there are exactly these paths and
# values.
expect() {
    local bits=$1 what=$2 fields found
    shift 2
    "$WINE" "$work/$bits/prfread.exe" '\Bitness\*' '\Bitness Parts(*)\*' -sc 1 -si 0.01 \
        >"$work/out" 2>"$work/err" </dev/null || true
    for fields in 2 3; do
        tr -d '\r' <"$work/out" | sed -n "${fields}s/^\"//; ${fields}s/\"\$//; ${fields}s/\",\"/\n/gp" |
            sed -e 1d -e 's/^\\\\[^\\]*\\//; s/\.000000$//' >"$work/$fields"
    done
    found=$(paste -d ' ' "$work/2" "$work/3" | sort)
    [[ $found == "$(printf '%s\n' "$@" | paste -d ' ' - - | sort)" ]] ||
        fail "$what: expected $(printf '%s ' "$@"), the $bits-bit reader says: $found $(<"$work/err")"
    printf 'passed: %s\n' "$what"
}

count_regions() {
    find "$WINEPREFIX/drive_c/ProgramData/PrfData/PrfDataBitness" -name '*.region' | wc -l
}

# meet <bits of provider and readers> <bits of the installer> [<its option>...]
meet() {
    local own=$1 other=$((96 - $1)) from=$2
    shift 2
    installer=$work/$from/bitness-installer.exe
    quietly "$WINE" "$installer" -Install "$@" || fail "$from-bit installer $*"
    for bits in 32 64; do
        "$WINE" "$work/$bits/bitness-installer.exe" -Status >"$work/out" 2>&1 ||
            fail "the $bits-bit -Status says: $(<"$work/out")"
        grep -q "DLL Architecture: x${own/32/86}: " "$work/out" || fail "$bits-bit: $(<"$work/out")"
    done

    start_writer "$other" one
    expect "$own" "$other-bit writer, $own-bit provider" \
        'Bitness\Large' "$LARGE" 'Bitness\Small' 7 'Bitness\Gauge' 5000000000 'Bitness\% Used' 25 \
        'Bitness Parts(one)\Large' "$LARGE" 'Bitness Parts(one)\Gauge' 3 \
        'Bitness Parts(größer)\Large' "$LARGE" 'Bitness Parts(größer)\Gauge' 3 \
        'Bitness Parts(_Total)\Large' $((2 * LARGE)) 'Bitness Parts(_Total)\Gauge' 6
    ! "$WINE" "$work/$other/prfread.exe" '\Bitness\*' -sc 1 >"$work/out" 2>&1 ||
        fail "a $other-bit reader loads a $own-bit provider: $(<"$work/out")"

    stop_writers
    start_writer "$own" one
    [[ $(count_regions) -eq 1 ]] || fail "there are $(count_regions) regions after a take-over"
    expect "$own" "a $own-bit writer goes on where a $other-bit one was killed" \
        'Bitness\Large' $((2 * LARGE)) 'Bitness\Small' 14 'Bitness\Gauge' 5000000000 \
        'Bitness\% Used' 25 \
        'Bitness Parts(one)\Large' $((2 * LARGE)) 'Bitness Parts(one)\Gauge' 3 \
        'Bitness Parts(größer)\Large' $((2 * LARGE)) 'Bitness Parts(größer)\Gauge' 3 \
        'Bitness Parts(_Total)\Large' $((4 * LARGE)) 'Bitness Parts(_Total)\Gauge' 6

    start_writer "$other" two
    expect "$own" "writers of both bitnesses at once" \
        'Bitness\Large' $((3 * LARGE)) 'Bitness\Small' 21 'Bitness\Gauge' 10000000000 \
        'Bitness\% Used' 25 \
        'Bitness Parts(one)\Large' $((2 * LARGE)) 'Bitness Parts(one)\Gauge' 3 \
        'Bitness Parts(two)\Large' "$LARGE" 'Bitness Parts(two)\Gauge' 3 \
        'Bitness Parts(größer)\Large' $((3 * LARGE)) 'Bitness Parts(größer)\Gauge' 6 \
        'Bitness Parts(_Total)\Large' $((6 * LARGE)) 'Bitness Parts(_Total)\Gauge' 12

    if [[ -e $work/$own/prfcheck.exe ]]; then
        quietly "$WINE" "$work/$own/prfcheck.exe" PrfDataBitness -quick -seconds 1 ||
            fail "$own-bit prfcheck"
        echo "passed: $own-bit prfcheck"
    else
        echo "there is no prfcheck"
    fi

    stop_writers
    quietly "$WINE" "$installer" -Uninstall || fail "-Uninstall"
    installer=
    done_with "$other-bit writers with a $own-bit provider"
}

meet 64 32 6>&- 7>&-
meet 32 64 -Arch x86 6>&- 7>&-
echo "passed: everything"
