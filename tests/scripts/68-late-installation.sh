#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests a service and a program, under Wine, that started before their counters were installed. Both
# only count, with a handle from before the installation. Their regions must exist within two
# seconds after -Install, readers must see all earlier counts, and the old handles must continue to
# count. The same must be true for a program that waits while the key Performance is deleted and
# made again. It must also be true, after -Repair, for a program that started while the folder of
# regions was missing.
#
# Tier: all
# Builds: mingw
# Job: scripts
# shellcheck source=../support/scripts/script.sh
source "$(dirname "$0")/../support/scripts/script.sh"
prfdata_wine_environment

APPEARS_WITHIN=2 # seconds after -Install
EARLIER=1000     # the counts of a service or a program before -Install
folder=$WINEPREFIX/drive_c/ProgramData/PrfData/PrfDataLate
program=
shown='said program shown prfread.err'

end_program() {
    end_process "$program"
    program=
}

clean_up() {
    "$WINE" sc stop PrfDataLate >/dev/null 2>&1 </dev/null || true
    end_program
    "$WINE" "$PRFDATA_BIN/prfinstall.exe" -Uninstall -Map "$work/late.prfmap" >/dev/null 2>&1 </dev/null || true
    "$WINE" sc delete PrfDataLate >/dev/null 2>&1 </dev/null || true
}

region_count() {
    find "$folder" -name '*.region' 2>/dev/null | wc -l
}

have_regions() {
    [[ $(region_count) -eq $1 ]]
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

start_program() {
    : >"$work/program"
    "$WINE" "$PRFDATA_BIN/late-program.exe" "$map" >"$work/program" 2>&1 </dev/null &
    program=$!
    wait_for "the program does not count" is_counting
}

run() {
    "$WINE" "$@" >"$work/said" 2>&1 </dev/null || fail "$*"
}

# appear <regions> <command of prfinstall>: run the command, and check that this many regions exist
# within APPEARS_WITHIN seconds, and that readers see all earlier counts, and later ones.
appear() {
    local begun first second
    run "$PRFDATA_BIN/prfinstall.exe" "$2" -Map "$map"
    begun=$EPOCHREALTIME
    LIMIT=$APPEARS_WITHIN wait_for "no $1 regions $APPEARS_WITHIN s after $2" have_regions "$1"
    printf 'passed: %s publish, %s ms after %s has ended\n' \
        "$1" "$((${EPOCHREALTIME/[.,]/} / 1000 - ${begun/[.,]/} / 1000))" "$2"
    first=$(shown) || fail "prfread"
    [[ -n $first && $first -ge $((EARLIER * $1)) ]] ||
        fail "readers see ${first:-nothing} instead of all earlier counts"
    sleep 1
    second=$(shown) || fail "prfread"
    [[ -n $second && $second -gt $first ]] || fail "counts of old handles stay at $first: ${second:-nothing}"
    echo "passed: readers see all earlier counts ($first), and later ones ($second)"
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
map=$("$WINE" winepath -w "$work/late.prfmap" 2>/dev/null </dev/null | tr -d '\r')
start_program
run sc create PrfDataLate binPath= "\"$("$WINE" winepath -w "$PRFDATA_BIN/late-program.exe" </dev/null | tr -d '\r')\" \"$map\""
run sc start PrfDataLate
# Let the service count before -Install. No output shows that it has counted. If it counts later,
# the test still passes, but does not test the service's earlier counts.
sleep 2
have_regions 0 || fail "regions before the installation"
echo "passed: service and program count before the installation"
appear 2 -Install

# ---- A program that waits while its keys come and go ----

"$WINE" sc stop PrfDataLate >/dev/null 2>&1 </dev/null || true # fails: the service ends before it answers
end_program
run "$PRFDATA_BIN/prfinstall.exe" -Uninstall -Map "$map"
performance='HKLM\SYSTEM\CurrentControlSet\Services\PrfDataLate\Performance'
run reg add "$performance" /f
start_program
for verb in delete add delete; do
    run reg $verb "$performance" /f
    sleep 0.3
done
have_regions 0 || fail "regions before the second installation"
appear 1 -Install

# ---- A program that started without the folder ----

end_program
rm -rf "$folder"
start_program
have_regions 0 || fail "a region without a folder"
appear 1 -Repair
