#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests the kit for Windows (docs/windows-kit.md) as far as Wine can run it, from a folder with the
# package's files for one processor. selftest.cmd does not begin if a program is missing or the
# prompt is not elevated. It ends programs that take too long, and looks for events of the
# installer's source. In the report of prfdata-kit.exe, every question has one line, and questions
# that Wine can answer have Wine's answer. A part that hangs costs only its own answers. Nothing is
# left, even after the kit was killed or after Ctrl+C. Without providers, no question about
# providers is answered with `yes`.
#
# Tier: all
# Builds: mingw
# Job: wine
# shellcheck source=../support/scripts/script.sh
source "$(dirname "$0")/../support/scripts/script.sh"
source=$PWD
script=tests/windows/selftest.cmd
perflib='HKLM\SOFTWARE\Microsoft\Windows NT\CurrentVersion\Perflib'

# A failure may not occur again, so show all that was seen, and what still runs.
clean_up() {
    local file process
    [[ $exit_code -ne 0 ]] || return 0
    for file in "$work/output" "$work/terminal" "${folder:-}/report.txt" "${report:-}"; do
        [[ -s $file ]] || continue
        printf -- '--- %s:\n' "${file##*/}"
        tr -d '\r' <"$file" | cat -v
    done
    printf -- '--- load %s; in Wine run:\n' "$(</proc/loadavg)"
    for process in $(prfdata_wine_processes ours); do
        printf '%s %s\n' "$process" "$(tr '\0' ' ' 2>/dev/null <"/proc/$process/cmdline")"
    done
}

# Use no pipe, because Wine's services would hold it open.
in_wine() {
    tests/wine/run "$@" >"$work/output" 2>&1 </dev/null
}

# Take the same files as scripts/package, in a folder whose name cmd and C programs could misread.
folder=$work/'the kit (1) & more'
quietly cmake --install "$(dirname "$PRFDATA_BIN")" --prefix "$folder" --component kit --config Release ||
    fail 'cmake --install'
cp "$script" "$folder"

# ---- selftest.cmd ----

# selftest.cmd looks for events of this source. The installer's source is "PrfData <service>"
# (installer/service/event_source.c).
[[ $(grep -c "@Name='PrfData HWInputMon'" "$script") -eq 2 ]] || fail 'it looks for another source'
! grep -qE "@Name='(PrfData|HWInputMon)'" "$script" || fail 'it looks for a source that is not there'
grep -q 'L"PrfData %ls"' installer/service/event_source.c || fail 'the source has another name'

# The report must end with the page for people, so selftest.cmd writes nothing to the report after
# `call :page`. The one line with REPORT tells the user where the report is.
[[ $(sed -n '/^call :page/,/^exit \/b 0/p' "$script" | grep -c REPORT) -eq 1 ]] || fail 'the page is not the end'

# say <name of a .cmd file>: run it, and print its exit code. Its output is in $work/output.
say() {
    local exit_code=0
    (cd "$folder" && exec "$source/tests/wine/run" cmd.exe /c "$1") >"$work/output" 2>&1 </dev/null || exit_code=$?
    echo "$exit_code"
}

# selftest.cmd looks for its programs, and then asks fltmc.exe whether the prompt is elevated. Wine has
# no fltmc.exe, so here the first check passes and the second one fails.
[[ $(say selftest.cmd) -eq 2 ]] || fail "it begins: $(<"$work/output")"
grep -q 'elevated prompt' "$work/output" || fail "it says: $(<"$work/output")"
mv "$folder/prfcheck.exe" "$work"
[[ $(say selftest.cmd) -eq 2 ]] || fail "it begins without prfcheck.exe: $(<"$work/output")"
grep -q 'prfcheck.exe" is not there' "$work/output" || fail "it says: $(<"$work/output")"
mv "$work/prfcheck.exe" "$folder"

kit=$folder/prfdata-kit.exe
# A command under a limit keeps its exit code and output, and gets its arguments unchanged.
printf '@"%%~dp0prfdata-kit.exe" -Limit 30 cmd.exe /d /c "echo "a  b"& exit 7"\r\n' >"$folder/limit.cmd"
exit_code=$(say limit.cmd)
[[ $exit_code -eq 7 && $(tr -d '\r' <"$work/output") == '"a  b"'* ]] || fail "-Limit: $exit_code, $(<"$work/output")"
exit_code=0
in_wine "$kit" -Limit 1 "$kit" -Limit 100 ping -n 100 127.0.0.1 || exit_code=$?
[[ $exit_code -eq $((258 % 256)) ]] || fail "-Limit of something long: $exit_code, $(<"$work/output")"
grep -q 'ended: not done in 1 seconds' "$work/output" || fail "-Limit says: $(<"$work/output")"

# part <first> <last>: print selftest.cmd from the first line that matches the pattern <first> to
# the next line that matches <last>, or to the end.
part() {
    sed -n "s/\r\$//; /$1/,\$ { p; /$2/q }" "$script"
}
make_part() {
    printf '@echo off\nsetlocal EnableExtensions DisableDelayedExpansion\n'
    printf 'set "REPORT=%%~dp0report.txt"\nset "OUTPUTS=%%TEMP%%\\selftest-part"\n'
    printf 'set "KIT=%%~dp0prfdata-kit.exe"\nset /a STEPS=0\nset /a PASSED=0\nset /a FAILED=0\n'
    sed -n 's/\r$//; /^set "PERFLIB=/p; /^set LIMITER=/{p; q}' "$script"
    printf 'set "SYSTEM=%%SystemRoot%%\\System32"\n'
    part '^call :note .*EventLogLevel' '^call :expect 0 "EventLogLevel is 2"'
    # shellcheck disable=SC2016 # percent signs are for cmd
    printf 'call :note "%%SYSTEM%%\\reg.exe" query "%%PERFLIB%%" /v EventLogLevel\n'
    # shellcheck disable=SC2016
    printf 'call :expect 1 "no such key" "%%SYSTEM%%\\reg.exe" query HKLM\\No\n'
    printf 'set "ANSWERS=%%~dp0answers.txt"\ncall :page\n'
    printf 'call :expect 0 "undone" "%%KIT%%" -Undo\nif %%FAILED%% gtr 0 exit /b 1\nexit /b 0\n'
    part '^rem ---- Steps' 'no such line'
}
make_part | sed 's/$/\r/' >"$folder/part.cmd"
# The answers, and the last page after them, have characters that cmd could misread. selftest.cmd
# must copy only the last page to the report, unchanged.
page='What PrfData promises, and what was seen here
kept        "Windows" calls & asks (1) %PATH% !x! <a> | b^
            seen in 1 of 4; this run cannot say: 144 145 148'
printf '%s\r\n' 'Q001 yes: Is "a" & (b) %PATH% here? -- <c> | "d' '' '1 questions: 1 yes' "${page//$'\n'/$'\r\n'}" >"$folder/answers.txt"
level() {
    in_wine reg.exe query "$perflib" /v EventLogLevel || echo none
    sed -n 's/.*EventLogLevel *REG_DWORD *\(0x[0-9a-f]*\).*/\1/p' "$work/output"
}
in_wine reg.exe delete "$perflib" /v EventLogLevel /f || true
[[ $(say part.cmd) -eq 0 ]] || fail 'its steps'
[[ $(grep -c '^\[passed\]' "$folder/report.txt") -eq 3 ]] || fail 'not three checks'
[[ $(tr -d '\r' <"$folder/report.txt") == *"$page"* ]] || fail 'no last page'
! grep -q 'Is "a"' "$folder/report.txt" || fail 'more than the last page'
grep -q 'EventLogLevel *REG_DWORD *0x2' "$folder/report.txt" || fail 'the level is not 2'
[[ $(level) == none ]] || fail 'there is a level now'
in_wine reg.exe add "$perflib" /v EventLogLevel /t REG_DWORD /d 17 /f
[[ $(say part.cmd) -eq 0 ]] || fail 'its steps, again'
[[ $(level) == 0x11 ]] || fail "the level is not 17 again: $(<"$work/output")"
in_wine reg.exe delete "$perflib" /v EventLogLevel /f
done_with 'selftest.cmd: the level is as it was'

# selftest.cmd replaces only its own reports, and no other file.
make_own() {
    printf '@echo off\nsetlocal EnableExtensions DisableDelayedExpansion\nset "REPORT=%%~dp0mine.txt"\n'
    part '^rem A report of this program' '^:unwritten'
    printf 'exit /b 0\n'
}
make_own | sed 's/$/\r/' >"$folder/own.cmd"
[[ $(say own.cmd) -eq 0 ]] || fail "no report: $(<"$work/output")"
: >"$folder/mine.txt"
[[ $(say own.cmd) -eq 0 ]] || fail "an empty report: $(<"$work/output")"
printf 'PrfData self-test\r\ntoday\r\n' >"$folder/mine.txt"
[[ $(say own.cmd) -eq 0 ]] || fail "its own report: $(<"$work/output")"
for line in 'echo "a" & exit 0 !x! %PATH%' 'PrfData self-test of mine' ''; do
    printf '%s\r\n' "$line" >"$folder/mine.txt"
    [[ $(say own.cmd) -eq 2 ]] || fail "it replaces a file of others: $line"
    grep -q 'this program did not write it' "$work/output" || fail "it says: $(<"$work/output")"
done

# ---- The kit ----

tests/wine/install-workaround "$PRFDATA_BIN/prfdata-wine-workaround.dll"
prfdata_wine_environment
report=$work/kit.txt

# machine_state <file>: write everything that the kit might change, except what loadperf itself
# cannot restore.
machine_state() {
    local key
    for key in 'HKLM\System\CurrentControlSet\Services' 'HKLM\Software\PrfData' \
        'HKLM\System\CurrentControlSet\Control\PrfDataKit' \
        "$perflib"; do
        tests/wine/run reg.exe query "$key" /s >"$work/keys" 2>&1 </dev/null || true
        [[ -s $work/keys ]] || fail "reg.exe printed nothing about $key"
        # `reg query` prints the name of Perflib only if this key has a value. Last Counter and Last
        # Help may be its only values, so the name is left out together with these values.
        tr -d '\r' <"$work/keys" | grep -v 'Last Counter\|Last Help\|Perflib$\|^$' || true
    done >"$1"
    (cd "$WINEPREFIX/drive_c/ProgramData" && find . | sort) >>"$1"
}

same_state() {
    machine_state "$work/after"
    diff "$work/before" "$work/after" || fail "$1: something was left"
}

# verdicts <yes|no|...>: print the numbers of the questions with this answer. Question 92 (Last
# Counter) is left out, because its answer depends on earlier installations in this prefix.
verdicts() {
    sed -n "s/^Q0*\([0-9]*\) $1: .*/\1/p" "$report" | sed "/^92$/d" | sort -n | paste -sd ' '
}

expect_verdicts() {
    local found
    found=$(verdicts "$1")
    [[ $found == "$2" ]] || fail "$1: $found, expected $2"
}

one_line_each() {
    local count
    count=$(sed -n 's/^\([0-9]*\) questions: .*/\1/p' "$report")
    [[ $count -gt 90 && $(sed -n 's/^Q0*\([0-9]*\) [a-z ]*: .*? -- .*/\1/p' "$report" | sort -n) == "$(seq "$count")" ]] ||
        fail 'not every question has one line'
}

# On a domain controller the kit would make a user of the whole domain, so it must refuse.
options='HKLM\System\CurrentControlSet\Control\ProductOptions'
in_wine reg.exe query "$options" /v ProductType || true
product=$(sed -n 's/.*ProductType *REG_SZ *\([A-Za-z]*\).*/\1/p' "$work/output")
in_wine reg.exe add "$options" /v ProductType /d LanmanNT /f

printf '#include <stdio.h>\n' >"$work/mine.c"
for option in -Ask -Stamp; do
    in_wine "$kit" "$option" "Z:${work//\//\\}\\mine.c" && fail "$option replaces a file of others"
    grep -q 'the kit did not write it' "$work/output" || fail "$option says: $(<"$work/output")"
done
[[ $(<"$work/mine.c") == '#include <stdio.h>' ]] || fail 'a file of others is another one now'

machine_state "$work/before"
in_wine "$kit" -Ask "Z:${report//\//\\}" || fail "the kit ends with $?: $(<"$work/output")"
in_wine reg.exe add "$options" /v ProductType /d "${product:-WinNT}" /f
grep -q '^Q79 not here: .* -- the kit makes no user in a domain' "$report" || fail 'it would make a user in a domain'
# prfread's service runs and stops, unless Wine is so busy that it cannot start a service in time.
grep -qE '^Q173 not here: .* -- (under Wine: state 4, then 1|it does not start: error 1053)' "$report" ||
    fail "prfread's service does not run"
one_line_each
expect_verdicts yes '1 2 4 5 6 7 8 9 10 12 14 17 20 55 62 66 67 68 69 70 71 72 73 75 76 77 78 90 91 140 141 145 149 150 154 161 162 164 165'
expect_verdicts text '3 19 63 87 121 143 152 153 155 156 159 160 163'
expect_verdicts failed ''
# The answer to these questions is `no` under Wine. Wine ignores Disable Performance Counters (11,
# 122, 123), does not delete a DLL in use (74), and has neither POSIX deletion (157, 158) nor a
# Restart Manager (176). An upgrade asks for no restart (151).
expect_verdicts no '11 74 122 123 151 157 158 176'
grep -q '^kept        Upgrades and downgrades lose no count' "$report" || fail 'the last page lacks a promise'
grep -q '^not seen    Titles and help texts' "$report" || fail 'the last page believes what was not seen'
! grep -q '^NOT KEPT' "$report" || fail 'a promise is broken here'
same_state 'after the kit'
done_with "the kit, $(grep ' questions: ' "$report")"

# A part that hangs is ended together with the programs that it has started. The other parts have
# their answers.
PRFDATA_KIT_HANGS=replies in_wine "$kit" -Ask "Z:${report//\//\\}" -Parts calls,replies && fail 'it passes'
grep -q '^Q12 failed: .* -- nothing asked it; part replies: ended after 2 s without an answer' "$report" ||
    fail 'a part that hangs is not named'
one_line_each
expect_verdicts yes '1 2 4 5 6 7 8 9 10 91'
same_state 'after a part that hung'
done_with 'a part that hangs is ended'

# In a separate terminal, run the kit's part with publishers and a registered service, and press
# Ctrl+C when the report has the answer to question 68. Wait for the kit and not for the end of the
# terminal. If Wine's server ends a program that is just starting, a process may remain that keeps
# the terminal open.
cat >"$work/terminal.py" <<'END'
import os, pty, re, sys, time
report, shown, limit = sys.argv[1:4]
process, terminal = pty.fork()
if process == 0:
    os.execv(sys.argv[4], sys.argv[4:])
os.set_blocking(terminal, False)
pressed, ended = False, 0
deadline = time.monotonic() + float(limit)
with open(shown, 'wb', buffering=0) as output:
    while not ended:
        ended, status = os.waitpid(process, os.WNOHANG)
        try:
            output.write(os.read(terminal, 65536))
        except OSError: # nothing to read
            pass
        if not ended and not pressed and os.path.exists(report) and re.search('^Q68 ', open(report).read(), re.M):
            os.write(terminal, b'\x03')
            pressed = True
        if not ended and time.monotonic() > deadline:
            output.write(f'ended: not done in {limit} seconds\n'.encode())
            os.kill(process, 9)
            ended, status = os.waitpid(process, 0)
        time.sleep(0.1)
sys.exit(os.waitstatus_to_exitcode(status) if pressed else 99)
END
rm -f "$report"
exit_code=0
/usr/bin/python3 -B "$work/terminal.py" "$report" "$work/terminal" "$LIMIT" \
    tests/wine/run "$kit" -Ask "Z:${report//\//\\}" -Parts product || exit_code=$?
[[ $exit_code -eq 1 ]] || fail "after Ctrl+C it ends with $exit_code"
grep -q '^Q78 failed: .*part product: stopped by Ctrl+C' "$report" || fail 'Ctrl+C is not named'
one_line_each
same_state 'after Ctrl+C'
done_with 'Ctrl+C is undone'

# Kill the kit while it has publishers, a registered service and a changed registry. Then run -Undo.
rm -f "$report"
tests/wine/run "$kit" -Ask "Z:${report//\//\\}" -Parts product >"$work/output" 2>&1 </dev/null &
process=$!
for ((i = 0; i < 3000; i++)); do
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
done_with 'killed and undone'

# The kit does not change a folder that has the kit's name but that the kit did not make.
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

# If nothing can be loaded, only questions that need no provider are answered with yes.
mkdir "$work/broken"
cp "$folder"/*.exe "$work/broken"
for dll in prfdata-kit-probe.dll PrfDataKitPrf.dll; do
    echo 'no DLL' >"$work/broken/$dll"
done
! in_wine "$work/broken/prfdata-kit.exe" -Ask "Z:${report//\//\\}" || fail 'it passes without providers'
one_line_each
expect_verdicts yes '73 91 140 141 161 162 164'
same_state 'after a kit without providers'
done_with 'without providers no question about them is yes'
