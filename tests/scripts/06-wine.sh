#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests how the tests start programs in Wine. A program must not inherit the caller's open files,
# because a test that reads a pipe to its end would then hang. run_in_wine starts a program
# again if it ended with 1 and printed at most Wine's own messages. It must not start the program
# again after any other failure, because that would hide a fault of the product.
#
# Tier: all
# Job: scripts
# shellcheck source=../support/scripts/script.sh
source "$(dirname "$0")/../support/scripts/script.sh"
prfdata_wine_environment

shell=
clean_up() {
    end_process "$shell"
}

scripts/wine-prefix
[[ -n $in_test ]] || prfdata_start_wine

mkfifo "$work/input"
exec 9>"$work/nine" {high}>"$work/high"
"$WINE" cmd.exe /k echo started <"$work/input" >"$work/said" 2>/dev/null &
shell=$!
exec {input}>"$work/input"
wait_for "cmd.exe did not start" grep -q '^started' "$work/said"
# Call readlink separately for each file, because a file may be closed before its turn.
for file in "/proc/$shell/fd"/*; do
    readlink "$file" || true
done >"$work/files" 2>/dev/null
grep -qx "$work/input" "$work/files" || fail "process $shell is not cmd.exe: $(<"$work/files")"
! grep -q "^$work/\(nine\|high\)$" "$work/files" || fail "it has our files: $(<"$work/files")"
exec {input}>&- # so that the input ends when its writer ends
wait "$shell" || true
shell=

# tries <starts> <exit code> <commands>: check that run_in_wine starts a program of these commands
# this often and returns this exit code. The commands see the number of the start in START.
tries() {
    local exit_code=0
    printf '%s\n' '#!/bin/bash' "echo >>'$work/starts'" "START=\$(wc -l <'$work/starts')" "$3" >"$work/program"
    chmod +x "$work/program"
    : >"$work/starts"
    WINE=$work/program run_in_wine "$work/out" "$work/err" program.exe >"$work/notes" || exit_code=$?
    [[ $(wc -l <"$work/starts") -eq $1 && $exit_code -eq $2 && $(grep -c '^note: .*program.exe' "$work/notes") -eq $(($1 - 1)) ]] ||
        fail "$3: $(wc -l <"$work/starts") starts, $exit_code, $(<"$work/notes")"
}
tries 1 0 'exit 0'
tries 2 0 '[[ $START -eq 2 ]]'
tries 2 1 'echo 00d4:err:virtual:virtual_setup_exception stack overflow >&2; exit 1'
tries 1 1 'echo a word; exit 1'
tries 1 1 "echo 'Error: a word' >&2; exit 1"
tries 1 5 'exit 5'
tries 1 139 'kill -SEGV $$'
