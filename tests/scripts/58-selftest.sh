#!/bin/bash
# SPDX-License-Identifier: MIT
# What of tests/windows/selftest.cmd can run under Wine: its steps, with which it sets the level of
# the event log and puts back what was there. The source of events that it looks for. And
# prfdata-kit.exe (docs/windows-kit.md): every question has one line, those that Wine can answer have
# Wine's answer, nothing is left, also where it was killed, and nothing is `yes` where nothing works.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
PRFDATA_BIN=${PRFDATA_BIN:-$PWD/build/mingw/bin}
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

# ---- The kit ----

grep -q '"%HERE%\\prfdata-kit.exe"$' <(tr -d '\r' <"$script") || fail 'selftest.cmd does not start the kit'
tests/wine/install-cure "$PRFDATA_BIN/prfdata-wine-cure.dll"
# shellcheck source=../../scripts/lib.sh
source scripts/lib.sh
prfdata_wine_environment
report=$work/kit.txt
kit=$PRFDATA_BIN/prfdata-kit.exe

# machine_state <file>: all that the kit might change, but for what loadperf itself cannot set back.
machine_state() {
    local key
    for key in 'HKLM\System\CurrentControlSet\Services' 'HKLM\Software\PrfData' 'HKLM\Software\PrfDataKit' \
        "$perflib"; do
        in_wine reg.exe query "$key" /s || true
        # The key itself is shown once it has a value.
        tr -d '\r' <"$work/output" | grep -v 'Last Counter\|Last Help\|Perflib$\|^$' || true
    done >"$1"
    (cd "$WINEPREFIX/drive_c/ProgramData" && find . | sort) >>"$1"
}

# same_state <when>: the machine is as it was before.
same_state() {
    machine_state "$work/after"
    diff "$work/before" "$work/after" || fail "$1: something was left"
}

# verdicts <yes|no|...>: the numbers of the questions with this answer. 92, Last Counter, depends on
# what was installed in this prefix before.
verdicts() {
    sed -n "s/^Q0*\([0-9]*\) $1: .*/\1/p" "$report" | sed "/^92$/d" | sort -n | paste -sd ' '
}

expect_verdicts() {
    local found
    found=$(verdicts "$1")
    [[ $found == "$2" ]] || { cat "$report"; fail "$1: $found, expected $2"; }
}

one_line_each() {
    local count
    count=$(sed -n 's/^\([0-9]*\) questions: .*/\1/p' "$report")
    [[ $count -gt 90 && $(sed -n 's/^Q0*\([0-9]*\) [a-z ]*: .*? -- .*/\1/p' "$report" | sort -n) == "$(seq "$count")" ]] ||
        { cat "$report"; fail 'not every question has one line'; }
}

machine_state "$work/before"
in_wine "$kit" -Ask "Z:${report//\//\\}" || { cat "$report"; fail "the kit ends with $?: $(<"$work/output")"; }
one_line_each
expect_verdicts yes '1 2 4 5 6 7 8 9 10 12 14 17 20 55 62 66 67 68 69 70 71 72 73 75 76 77 78 90 91'
expect_verdicts text '3 19 63 87'
expect_verdicts failed ''
# Wine: Disable Performance Counters is ignored, a DLL in use stays, titles are reserved by us.
expect_verdicts no '11 74'
same_state 'after the kit'
echo "the kit: $(tail -n 1 "$report")"

# Killed with publishers, a registered service and a changed registry; then -Undo.
rm -f "$report"
tests/wine/run "$kit" -Ask "Z:${report//\//\\}" >"$work/output" 2>&1 </dev/null &
process=$!
for ((i = 0; i < 1200; i++)); do
    grep -q '^Q68 ' "$report" 2>/dev/null && break
    kill -0 "$process" 2>/dev/null || break
    sleep 0.1
done
grep -q '^Q68 ' "$report" || fail "it did not come far: $(<"$work/output")"
kill -9 "$process"
wait "$process" 2>/dev/null || true
machine_state "$work/after"
! diff -q "$work/before" "$work/after" >/dev/null || fail 'a killed kit leaves something; this one did not'
in_wine "$kit" -Undo || fail "-Undo ends with $?: $(<"$work/output")"
same_state 'after -Undo'
echo 'killed and undone'

# A folder of its name that the kit did not make stays as it is.
foreign=$WINEPREFIX/drive_c/ProgramData/PrfDataKit
mkdir "$foreign"
echo mine >"$foreign/trail.txt"
! in_wine "$kit" -Ask "Z:${report//\//\\}" || fail 'it uses a folder of another'
in_wine "$kit" -Undo || fail "-Undo ends with $?: $(<"$work/output")"
[[ $(<"$foreign/trail.txt") == mine ]] || fail "it changed another's folder"
one_line_each
expect_verdicts yes 91
rm -r "$foreign"
same_state "after another's folder"

# Where nothing can be loaded, nothing is yes but what was seen: of files and of the comparison.
mkdir "$work/broken"
cp "$kit" "$work/broken"
for dll in prfdata-kit-probe.dll PrfDataKitPrf.dll; do
    echo 'no DLL' >"$work/broken/$dll"
done
! in_wine "$work/broken/prfdata-kit.exe" -Ask "Z:${report//\//\\}" || fail 'it passes without providers'
one_line_each
expect_verdicts yes '73 91'
same_state 'after a kit without providers'
echo 'without providers nothing is yes'
