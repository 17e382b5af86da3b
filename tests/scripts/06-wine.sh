#!/bin/bash
# SPDX-License-Identifier: MIT
# Wine's server may open as many files as the system allows. $WINE keeps none of its caller's files
# open, is the program that it starts, and gives it a heap at a fixed place. One that dies without a word
# is started once more.
#
# Tier: all
# Lane: scripts
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
# shellcheck source=../../scripts/lib.sh
source scripts/lib.sh
prfdata_wine_environment

LIMIT=300
work=$(mktemp -d "${TMPDIR:-/tmp}/prfdata-wine.XXXXXX")
shell=
in_test=${PRFDATA_RUN_ID:-} # ./test keeps Wine's server

finish() {
    local exit_code=$?
    trap - EXIT
    [[ -z $shell ]] || kill -9 "$shell" 2>/dev/null || true
    [[ -n $in_test ]] || prfdata_stop_wine
    rm -rf "$work"
    exit "$exit_code"
}
trap finish EXIT
trap end_by_signal INT TERM HUP

fail() {
    printf 'FAILED: %s\n' "$*"
    exit 1
}

scripts/wine-prefix
ulimit -Sn 256
[[ -n $in_test ]] || prfdata_start_wine

for process in $(prfdata_wine_processes ours); do
    grep -q wineserver "/proc/$process/cmdline" || continue
    awk '/^Max open files/ { exit $4 != $5 }' "/proc/$process/limits" ||
        fail "the server: $(grep '^Max open files' "/proc/$process/limits")"
done

mkfifo "$work/input"
exec 9>"$work/nine" {high}>"$work/high"
"$WINE" cmd.exe /k echo started <"$work/input" >"$work/said" 2>/dev/null &
shell=$!
exec {input}>"$work/input"
deadline=$((SECONDS + LIMIT))
until grep -q '^started' "$work/said"; do
    [[ $SECONDS -lt $deadline ]] || fail "cmd.exe did not start"
    sleep 0.05
done
# readlink, one by one: a file may be closed meanwhile.
for file in "/proc/$shell/fd"/*; do
    readlink "$file" || true
done >"$work/files" 2>/dev/null
grep -qx "$work/input" "$work/files" || fail "process $shell is not cmd.exe: $(<"$work/files")"
! grep -q "^$work/\(nine\|high\)$" "$work/files" || fail "it has our files: $(<"$work/files")"

# Where the system lets it, its heap is where none of Wine's own places are.
if setarch -R true 2>/dev/null; then
    heap=$(sed -n 's/-.* \[heap\]$//p' "/proc/$shell/maps")
    program=$(sed -n '/wine64$/s/-.*//p' "/proc/$shell/maps" | sed -n 1p)
    [[ -z $heap || $((16#$heap - 16#${program:-$heap})) -lt $((16#100000)) ]] ||
        fail "the heap is at $heap, the program at $program"
fi

# So the end of the input is its end.
exec {input}>&-
wait "$shell" || true
shell=
echo "passed: none of our files, a heap at a fixed place"

# ---- run_in_wine ----

# tries <starts> <exit code> <commands>: a program of these commands is started so often and ends so;
# START is the number of the start.
tries() {
    local exit_code=0
    printf '%s\n' '#!/bin/bash' "echo >>'$work/starts'" "START=\$(wc -l <'$work/starts')" "$3" >"$work/program"
    chmod +x "$work/program"
    : >"$work/starts"
    WINE=$work/program run_in_wine "$work/out" "$work/err" program.exe >"$work/notes" || exit_code=$?
    [[ $(wc -l <"$work/starts") -eq $1 && $exit_code -eq $2 && $(grep -c '^note: .*program.exe' "$work/notes") -eq $(($1 - 1)) ]] ||
        fail "$3: $(wc -l <"$work/starts") starts, $exit_code, $(<"$work/notes")"
}
died='echo 00d4:err:virtual:virtual_setup_exception stack overflow >&2; exit 1'
tries 1 0 'exit 0'
tries 2 0 '[[ $START -eq 2 ]]'
tries 2 7 '[[ $START -eq 1 ]] || exit 7; exit 1'
tries 2 1 'exit 1'
tries 2 1 "$died"
grep -q 'note: .*stack overflow' "$work/notes" || fail "the note does not have Wine's words: $(<"$work/notes")"
tries 1 1 'echo a word; exit 1'
tries 1 1 "echo 'Error: a word' >&2; $died"
tries 1 5 'exit 5'
tries 1 139 'kill -SEGV $$'
echo "passed: what dies without a word is started once more"
