# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Begins a script of tests/scripts, which sources this file first: goes to the root of the repository,
# makes the folder $work, and removes it at the end. Before the removal it calls clean_up. A script
# may define this function, and use $exit_code in it. Wine ends, too, if the script started it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
# shellcheck source=../../../scripts/lib.sh
source scripts/lib.sh

# shellcheck disable=SC2034 # scripts use them
PRFDATA_BIN=${PRFDATA_BIN:-$PWD/build/mingw/bin} PRFDATA_NATIVE_BIN=${PRFDATA_NATIVE_BIN:-$PWD/build/linux-asan/bin}
LIMIT=300                   # how many seconds a script waits for something before it fails
SKIPPED=77
# ./test keeps Wine's server, because a new server would look like a restart of the computer
in_test=${PRFDATA_RUN_ID:-}
shown='*.err said'          # the files in $work that fail() shows
work=$(mktemp -d "${TMPDIR:-/tmp}/prfdata-$(basename "$0" .sh).XXXXXX")

clean_up() { :; }

finish() {
    local exit_code=$?
    trap - EXIT
    clean_up || true
    if [[ -z $in_test ]]; then
        prfdata_stop_wine
        [[ ! -d $work/prefix ]] || timeout 60 "$WINESERVER" -w >/dev/null 2>&1 || true
    fi
    rm -rf "$work"
    exit "$exit_code"
}
trap finish EXIT
trap end_by_signal INT TERM HUP

fail() {
    printf 'FAILED: %s\n' "$*" >&2 # standard output may be the result of a function
    # shellcheck disable=SC2086 # patterns
    (cd "$work" && show_files $shown) >&2
    exit 1
}

# skip <reason>...: end the script, which ctest then counts as skipped.
skip() {
    printf '%s\n' "$*"
    exit "$SKIPPED"
}

# end_process <process or nothing>...: end each of them and wait for its end.
end_process() {
    local process
    for process in "$@"; do
        [[ -n $process ]] || continue
        kill -9 "$process" 2>/dev/null || true
        wait "$process" 2>/dev/null || true
    done
}

# wait_for <what> <command>...: repeat the command until it succeeds, for at most LIMIT seconds.
wait_for() {
    local what=$1 deadline=$((SECONDS + LIMIT))
    shift
    until "$@"; do
        [[ $SECONDS -lt $deadline ]] || fail "$what"
        sleep 0.05
    done
}

# Start Wine with the DLL of tests/wine/install-workaround. Wine's environment must be set.
begin_wine() {
    [[ -e $PRFDATA_BIN/prfread.exe ]] || fail "build the preset mingw first"
    scripts/wine-prefix
    [[ -n $in_test ]] || prfdata_start_wine
    tests/wine/install-workaround "$PRFDATA_BIN/prfdata-wine-workaround.dll"
}

# From now on use the script's own Wine, with a registry in $work/prefix.
use_own_wine() {
    in_test=
    export PRFDATA_RUN_ID=$$-own # marks the processes in our prefix; see prfdata_stop_wine
    scripts/wine-prefix
    prfdata_use_own_wine "$work/prefix"
}

# done_with <what>: print that a part of the script is done, and how many seconds the part took.
start=$EPOCHREALTIME
done_with() {
    printf 'passed: %s, %s s\n' "$*" "$(seconds_since "$start")"
    start=$EPOCHREALTIME
}
