#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests a service and a program, under Wine, that started before their counters were installed. Both
# only count, with a handle from before. Their regions must exist within two seconds after -Install,
# readers must see all earlier counts, and the old handles must continue to count.
#
# Tier: all
# Builds: mingw
# Job: scripts
# shellcheck source=../support/scripts/script.sh
source "$(dirname "$0")/../support/scripts/script.sh"
prfdata_wine_environment

APPEARS_WITHIN=2 # seconds after -Install
EARLIER=2000     # the counts of service and program before it
folder=$WINEPREFIX/drive_c/ProgramData/PrfData/PrfDataLate
program=
shown='said program shown prfread.err'

clean_up() {
    "$WINE" sc stop PrfDataLate >/dev/null 2>&1 </dev/null || true
    end_process "$program"
    "$WINE" "$PRFDATA_BIN/prfinstall.exe" -Uninstall -Map "$work/late.prfmap" >/dev/null 2>&1 </dev/null || true
    "$WINE" sc delete PrfDataLate >/dev/null 2>&1 </dev/null || true
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

begin_wine

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
wait_for "the program does not count" is_counting
sleep 2 # the service has no output; if it counts after -Install, the test only shows less
[[ $(region_count) -eq 0 ]] || fail "regions before the installation"
echo "passed: service and program count before the installation"

"$WINE" "$PRFDATA_BIN/prfinstall.exe" -Install -Map "$map" >"$work/said" 2>&1 </dev/null ||
    fail "prfinstall -Install"
begun=$EPOCHREALTIME
LIMIT=$APPEARS_WITHIN wait_for "no regions $APPEARS_WITHIN s after the installation" have_both_regions
printf 'passed: both publish, %s ms after the installer has ended\n' \
    "$((${EPOCHREALTIME/[.,]/} / 1000 - ${begun/[.,]/} / 1000))"

first=$(shown) || fail "prfread"
[[ -n $first && $first -ge $EARLIER ]] || fail "readers see ${first:-nothing} instead of all earlier counts"
sleep 1
second=$(shown) || fail "prfread"
[[ -n $second && $second -gt $first ]] || fail "counts of old handles stay at $first: ${second:-nothing}"
echo "passed: readers see all earlier counts ($first), and later ones ($second)"
