#!/bin/bash
# SPDX-License-Identifier: MIT
# ./test ends what it started, however it ends itself, and waits until that has cleaned up. Here with
# a build, tests and a script of another making, and without Wine.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."

LIMIT=300
work=$(mktemp -d "${TMPDIR:-/tmp}/prfdata-test-test.XXXXXX")
run=

finish() {
    local exit_code=$? process
    trap - EXIT
    for process in $run $(cat "$work/waits.pid" 2>/dev/null); do
        kill -9 "$process" 2>/dev/null || true
    done
    rm -rf "$work"
    exit "$exit_code"
}
trap finish EXIT
trap end_by_signal INT TERM HUP

fail() {
    printf 'FAILED: %s\n' "$*"
    cat "$work/said" "$work/log" || true
    exit 1
}

# wait_for <what> <command>...
wait_for() {
    local what=$1 deadline=$((SECONDS + LIMIT))
    shift
    until "$@"; do
        [[ $SECONDS -lt $deadline ]] || fail "$what"
        sleep 0.05
    done
}

has_ended() {
    ! kill -0 "$run" 2>/dev/null
}

# program <name>: standard input becomes a program of the other tree.
program() {
    { echo '#!/bin/bash' && cat; } >"$work/$1"
    chmod +x "$work/$1"
}

mkdir -p "$work/scripts" "$work/tests/scripts" "$work/bin"
cp test "$work"
cp scripts/lib.sh scripts/beside "$work/scripts"
for name in scripts/bootstrap scripts/cmocka scripts/wine-prefix; do
    program "$name" </dev/null
done
program waits <<'END'
# Its end takes a moment; then it says who is still there.
clean_up() {
    sleep 0.5
    kill -0 "$(<"$WORK/test.pid")" 2>/dev/null && echo "ended before ./test" >>"$WORK/said"
    echo ended >>"$WORK/said"
    rm "$WORK/waits.pid"
    kill "$waiting" 2>/dev/null
    exit 143
}
trap clean_up TERM
[[ $WAITS == "$1" ]] || exit 0
echo $$ >"$WORK/waits.pid"
sleep 1000 &
waiting=$!
echo started >>"$WORK/said"
wait
END
program bin/cmake <<<'exec "$WORK/waits" build'
program bin/ctest <<<'[[ $WAITS != tests ]] || exec "$WORK/waits" tests; echo "100% tests passed, 0 tests failed out of 1"'
program tests/scripts/10-waits.sh <<<'exec "$WORK/waits" script'
program tests/scripts/40-spin.sh <<<'exec "$WORK/waits" beside' # ./test runs this one beside others

# start <what shall wait>
start() {
    : >"$work/said"
    WORK=$work WAITS=$1 PATH=$work/bin:$PATH PRFDATA_CACHE=$work PRFDATA_WINEPREFIX=$work/wine \
        bash -c 'echo $$ >"$WORK/test.pid"; exec "$WORK/test"' >"$work/log" 2>&1 </dev/null &
    run=$!
    [[ $1 == nothing ]] || wait_for "$1 did not start" grep -q started "$work/said"
}

expect_passed() {
    local exit_code=0
    wait "$run" || exit_code=$?
    [[ $exit_code -eq 0 && $(tail -n 1 "$work/log") == '7 passed, 0 failed' ]] ||
        fail "it ended with $exit_code"
}

# Who waits for another run's prefix is no user of it.
users() (
    # shellcheck source=../../scripts/lib.sh
    source scripts/lib.sh
    PRFDATA_WINEPREFIX=$work/wine
    prfdata_wine_environment
    PRFDATA_RUN_ID='' prfdata_wine_processes foreign
)
exec {lock}>"$work/wine.run.lock"
flock "$lock"
start nothing {lock}>&-
wait_for "it does not wait" grep -q '^waiting for another run' "$work/log"
sleep 0.5 # until it does
[[ -z $(users) ]] || fail "users: $(users)"
kill "$run"
wait_for "it does not end while it waits" has_ended
wait "$run" && fail "it passed although it was ended"
start nothing {lock}>&-
wait_for "it does not wait" grep -q '^waiting for another run' "$work/log"
flock --unlock "$lock"
expect_passed
printf 'passed: one run after the other\n'

for place in build tests script beside; do
    start "$place"
    kill "$run"
    wait_for "$place: ./test did not end" has_ended
    exit_code=0
    wait "$run" || exit_code=$?
    [[ $exit_code -ne 0 ]] || fail "it passed although it was ended"
    wait_for "$place: it did not end" grep -qx ended "$work/said"
    grep -q '^ended before' "$work/said" || fail "$place: ./test did not wait"
    [[ $(tail -n 1 "$work/log") == *' 1 failed' ]] || fail "$place: no verdict"
    printf 'passed: %s: TERM\n' "$place"

    start "$place"
    kill -9 "$run"
    wait "$run" 2>/dev/null || true
    wait_for "$place: it did not end" grep -qx ended "$work/said"
    printf 'passed: %s: KILL\n' "$place"
done
run=
