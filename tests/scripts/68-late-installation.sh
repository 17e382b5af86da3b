#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests a service and a program, under Wine, that started before their counters were installed. Both
# only count, with a handle from before. Their regions must exist within two seconds after -Install,
# readers must see all earlier counts, and the old handles must continue to count.
#
# Tier: all
# Builds: mingw
# Job: scripts
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
# shellcheck source=../../scripts/lib.sh
source scripts/lib.sh
PRFDATA_BIN=${PRFDATA_BIN:-$PWD/build/mingw/bin}
prfdata_wine_environment

LIMIT=300        # the longest time, in seconds, except for what is measured
APPEARS_WITHIN=2 # seconds after -Install
EARLIER=2000     # the counts of service and program before it
folder=$WINEPREFIX/drive_c/ProgramData/PrfData/PrfDataLate
in_test=${PRFDATA_RUN_ID:-}
work=$(mktemp -d "${TMPDIR:-/tmp}/prfdata-late.XXXXXX")
program=

fail() {
    printf 'FAILED: %s\n' "$*"
    show_files "$work"/{said,program,shown,prfread.err}
    exit 1
}

finish() {
    local exit_code=$?
    trap - EXIT
    "$WINE" sc stop PrfDataLate >/dev/null 2>&1 </dev/null || true
    if [[ -n $program ]]; then
        kill -9 "$program" 2>/dev/null || true
        wait "$program" 2>/dev/null || true
    fi
    "$WINE" "$PRFDATA_BIN/prfinstall.exe" -Uninstall -Map "$work/late.prfmap" >/dev/null 2>&1 </dev/null || true
    "$WINE" sc delete PrfDataLate >/dev/null 2>&1 </dev/null || true
    rm -rf "$work"
    [[ -n $in_test ]] || prfdata_stop_wine
    exit "$exit_code"
}
trap finish EXIT
trap end_by_signal INT TERM HUP

# wait_for <what> <seconds> <command>...
wait_for() {
    local what=$1 deadline=$((SECONDS + $2))
    shift 2
    until "$@"; do
        [[ $SECONDS -lt $deadline ]] || fail "$what"
        sleep 0.05
    done
}

region_count() {
    find "$folder" -name '*.region' 2>/dev/null | wc -l
}

have_both_regions() {
    [[ $(region_count) -eq 2 ]]
}

# Print the value that a reader sees, or nothing if there is no such counter.
shown() {
    "$WINE" "$PRFDATA_BIN/prfread.exe" '\PrfData Late\Requests' -f JSON -sc 1 >"$work/shown" \
        2>"$work/prfread.err" </dev/null || return 1
    tr -d '\r' <"$work/shown" | sed -n 's/.*"RawValue": *\([0-9][0-9]*\).*/\1/p' | awk 'NR == 1'
}

is_counting() {
    grep -q counting "$work/program"
}

scripts/wine-prefix
[[ -n $in_test ]] || prfdata_start_wine
tests/wine/install-workaround "$PRFDATA_BIN/prfdata-wine-workaround.dll"

cat >"$work/late.prfmap" <<'MAP'
[info]
drivername=PrfDataLate

[object LATE]
id=1
name=PrfData Late
help=A program that started before the installation.

[counter REQUESTS]
id=2
name=Requests
help=Requests since the start.
type=PERF_COUNTER_LARGE_RAWCOUNT
accumulating=yes
MAP
: >"$work/program"
map=$("$WINE" winepath -w "$work/late.prfmap" 2>/dev/null </dev/null | tr -d '\r')
"$WINE" "$PRFDATA_BIN/late-program.exe" "$map" >"$work/program" 2>&1 </dev/null &
program=$!
"$WINE" sc create PrfDataLate binPath= "\"$("$WINE" winepath -w "$PRFDATA_BIN/late-program.exe" </dev/null | tr -d '\r')\" \"$map\"" \
    >"$work/said" 2>&1 </dev/null || fail "sc create"
"$WINE" sc start PrfDataLate >"$work/said" 2>&1 </dev/null || fail "sc start"
wait_for "the program does not count" "$LIMIT" is_counting
sleep 2 # the service has no output; if it counts after -Install, the test only shows less
[[ $(region_count) -eq 0 ]] || fail "regions before the installation"
echo "passed: service and program count before the installation"

"$WINE" "$PRFDATA_BIN/prfinstall.exe" -Install -Map "$map" >"$work/said" 2>&1 </dev/null ||
    fail "prfinstall -Install"
begun=$EPOCHREALTIME
wait_for "no regions $APPEARS_WITHIN s after the installation" "$APPEARS_WITHIN" have_both_regions
printf 'passed: both publish, %s ms after the installer has ended\n' \
    "$((${EPOCHREALTIME/[.,]/} / 1000 - ${begun/[.,]/} / 1000))"

first=$(shown) || fail "prfread"
[[ -n $first && $first -ge $EARLIER ]] || fail "readers see ${first:-nothing} instead of all earlier counts"
sleep 1
second=$(shown) || fail "prfread"
[[ -n $second && $second -gt $first ]] || fail "counts of old handles stay at $first: ${second:-nothing}"
echo "passed: readers see all earlier counts ($first), and later ones ($second)"
