#!/bin/bash
# SPDX-License-Identifier: MIT
# What of tests/windows/selftest.cmd can run under Wine: its steps, with which it sets the level of
# the event log and puts back what was there. And the source of events that it looks for.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
script=tests/windows/selftest.cmd
perflib='HKLM\SOFTWARE\Microsoft\Windows NT\CurrentVersion\Perflib'

work=$(mktemp -d "${TMPDIR:-/tmp}/prfdata-selftest.XXXXXX")
trap 'rm -rf "$work"' EXIT

fail() {
    printf 'FAILED: %s\n' "$*"
    cat "$work/report.txt" 2>/dev/null || true
    exit 1
}

# Print the lines of the script from one that matches $1 to the next that matches $2.
part() {
    tr -d '\r' <"$script" | sed -n "/$1/,/$2/p"
}

# No pipe: Wine's services would hold it open.
in_wine() {
    tests/wine/run "$@" >"$work/output" 2>&1 </dev/null
}

make_part() {
    printf '@echo off\nsetlocal EnableExtensions DisableDelayedExpansion\n'
    printf 'set "REPORT=Z:%s"\nset "OUTPUTS=Z:%s"\n' "${work//\//\\}\\report.txt" "${work//\//\\}\\out"
    printf 'set /a STEPS=0\nset /a PASSED=0\nset /a FAILED=0\n'
    part '^set "SYSTEM=' '^set "PERFLIB='
    part '^set "LEVEL="' '^call :expect 0 "EventLogLevel is 2"'
    # shellcheck disable=SC2016 # percent signs are cmd's
    printf 'call :note "%%SYSTEM%%\\reg.exe" query "%%PERFLIB%%" /v EventLogLevel\n'
    part '^call :title The level of the event log, as before' '^)$'
    printf 'if %%FAILED%% gtr 0 exit /b 1\nexit /b 0\n'
    part '^rem ---- Steps' 'no such line'
}
make_part | sed 's/$/\r/' >"$work/part.cmd"

# run_part: the script's part must pass, and readers meanwhile have level 2.
run_part() {
    rm -f "$work/report.txt"
    in_wine cmd.exe /c "Z:${work//\//\\}\\part.cmd" || fail "it ends with $?: $(<"$work/output")"
    grep -q 'EventLogLevel *REG_DWORD *0x2' "$work/report.txt" || fail 'the level is not 2'
    [[ $(grep -c '^\[passed\]' "$work/report.txt") -eq 2 ]] || fail 'not two checks'
}

in_wine reg.exe delete "$perflib" /v EventLogLevel /f || true
run_part
grep -q 'EventLogLevel did not exist' "$work/report.txt" || fail 'there was no level'
! in_wine reg.exe query "$perflib" /v EventLogLevel || fail 'there is a level now'
in_wine reg.exe add "$perflib" /v EventLogLevel /t REG_DWORD /d 17 /f
run_part
in_wine reg.exe query "$perflib" /v EventLogLevel || fail 'the level is gone'
grep -q '0x11' "$work/output" || fail "the level is not 17 again: $(<"$work/output")"
in_wine reg.exe delete "$perflib" /v EventLogLevel /f

# The sources that it asks for; ours is "PrfData <service>" (installer/event_source.c).
[[ $(grep -c "@Name='PrfData HWInputMon'" "$script") -eq 2 ]] || fail 'it looks for another source'
! grep -qE "@Name='(PrfData|HWInputMon)'" "$script" || fail 'it looks for a source that is not there'
grep -q 'L"PrfData %ls"' installer/event_source.c || fail 'the source has another name'
echo 'the level is as it was'
