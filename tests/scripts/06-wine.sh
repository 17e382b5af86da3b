#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests how the tests start programs in Wine. A program that inherits the caller's open files keeps
# them open forever, so a test that reads a pipe to its end hangs. run_in_wine starts a program
# again that ended with 1 and printed nothing. It must not do so after any other failure, because it
# would hide a fault of the product.
#
# Tier: all
# Job: scripts
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

scripts/wine-prefix
[[ -n $in_test ]] || prfdata_start_wine

mkfifo "$work/input"
exec 9>"$work/nine" {high}>"$work/high"
"$WINE" cmd.exe /k echo started <"$work/input" >"$work/said" 2>/dev/null &
shell=$!
exec {input}>"$work/input"
deadline=$((SECONDS + LIMIT))
until grep -q '^started' "$work/said"; do
    [[ $SECONDS -lt $deadline ]] || die "cmd.exe did not start"
    sleep 0.05
done
# Call readlink for each file, because a file may be closed meanwhile.
for file in "/proc/$shell/fd"/*; do
    readlink "$file" || true
done >"$work/files" 2>/dev/null
grep -qx "$work/input" "$work/files" || die "process $shell is not cmd.exe: $(<"$work/files")"
! grep -q "^$work/\(nine\|high\)$" "$work/files" || die "it has our files: $(<"$work/files")"
exec {input}>&- # so that the input ends when its writer ends
wait "$shell" || true
shell=

# tries <starts> <exit code> <commands>: run a program of these commands, which must be started this
# often and return this exit code at last. START is the number of the start.
tries() {
    local exit_code=0
    printf '%s\n' '#!/bin/bash' "echo >>'$work/starts'" "START=\$(wc -l <'$work/starts')" "$3" >"$work/program"
    chmod +x "$work/program"
    : >"$work/starts"
    WINE=$work/program run_in_wine "$work/out" "$work/err" program.exe >"$work/notes" || exit_code=$?
    [[ $(wc -l <"$work/starts") -eq $1 && $exit_code -eq $2 && $(grep -c '^note: .*program.exe' "$work/notes") -eq $(($1 - 1)) ]] ||
        die "$3: $(wc -l <"$work/starts") starts, $exit_code, $(<"$work/notes")"
}
tries 1 0 'exit 0'
tries 2 0 '[[ $START -eq 2 ]]'
tries 2 1 'echo 00d4:err:virtual:virtual_setup_exception stack overflow >&2; exit 1'
tries 1 1 'echo a word; exit 1'
tries 1 1 "echo 'Error: a word' >&2; exit 1"
tries 1 5 'exit 5'
tries 1 139 'kill -SEGV $$'
