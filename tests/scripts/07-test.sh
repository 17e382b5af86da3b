#!/bin/bash
# SPDX-License-Identifier: MIT
# ./test runs what its arguments say, ends what it started, however it ends itself, and waits until
# that has cleaned up. Here with builds, tests and scripts of another making, and without Wine.
#
# Tier: all
# Lane: native
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
# shellcheck source=../../scripts/lib.sh
source scripts/lib.sh

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
cp scripts/lib.sh scripts/lane scripts/times "$work/scripts"
program scripts/bootstrap <<'END'
[[ $1 == all ]] || exit 0
while [[ -e $WORK/packages-wait ]]; do sleep 0.05; done
[[ -z ${NO_PACKAGES:-} ]] || { echo "no mirror"; exit 1; }
END
program scripts/wine-prefix <<'END'
mkdir -p "$WINEPREFIX"/{prfdata-pristine/ProgramData,drive_c/users}
touch "$WINEPREFIX"/{prfdata-pristine/system.reg,.update-timestamp}
END
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
program bin/cmake <<'END'
echo "cmake $*${WINEPREFIX:+ uses Wine}" >>"$WORK/commands"
[[ $* != *mingw* ]] || exec "$WORK/waits" build
END
program bin/ctest <<'END'
echo "ctest $*" >>"$WORK/commands"
if [[ $* == *--show-only* ]]; then # one test, `plan`, of a program
    [[ ! plan =~ $4 ]] || tests="{\"command\": [\"$WORK/build/$2/bin/test_plan\"]}"
    echo "{\"tests\": [${tests:-}]}"
    exit
fi
[[ $* != *mingw* || $WAITS != tests ]] || exec "$WORK/waits" tests
echo "1/1 Test #1: plan .......   Passed    0.25 sec"
echo "100% tests passed, 0 tests failed out of 1"
END
# scripted <name> <tier> <lane> <builds> <what it waits as>
scripted() {
    program "tests/scripts/$1.sh" <<<"# Tier: $2
# Lane: $3
${4:+# Builds: $4}

echo $1 >>\"\$WORK/commands\"
exec \"\$WORK/waits\" $5
# Builds: never"
}
scripted 10-waits test scripts mingw script
scripted 20-beside test native linux-asan beside # the other lane
scripted 30-long all native '' long
scripted 40-looks all wine 'mingw linux-asan' looks

# start <what shall wait> [<argument>...]
start() {
    local waits=$1
    shift
    : >"$work/said"
    : >"$work/commands"
    WORK=$work WAITS=$waits PATH=$work/bin:$PATH PRFDATA_CACHE=$work PRFDATA_WINEPREFIX=$work/wine \
        bash -c 'echo $$ >"$WORK/test.pid"; exec "$WORK/test" "$@"' test "$@" >"$work/log" 2>&1 </dev/null &
    run=$!
    [[ $waits == nothing ]] || wait_for "$waits did not start" grep -q started "$work/said"
}

# expect <exit code> <last line>
expect() {
    local exit_code=0
    wait "$run" || exit_code=$?
    run=
    [[ $exit_code -eq $1 && $(tail -n 1 "$work/log") == "$2" ]] || fail "it ended with $exit_code, not $1: $2"
}

# done_are <command>...: these, in any order.
done_are() {
    local expected
    expected=$(printf '%s\n' "$@" | sort)
    [[ $(sort "$work/commands") == "$expected" ]] || fail "it did
$(<"$work/commands")"
}

# building <preset> [<option of the build>]: the commands that configure and build it.
building() {
    printf 'cmake --preset %s%s\n' "$1" "${3:-}"
    printf 'cmake --build --preset %s%s\n' "$1" "${2:-}"
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
expect 0 '4 passed, 0 failed'
printf 'passed: one run after the other\n'

# ---- What it does ----

short=' -DPRFDATA_LONG_TESTS=OFF'
mapfile -t commands < <(building linux-asan '' "$short" && building mingw '' "$short")
start nothing
expect 0 '4 passed, 0 failed'
done_are "${commands[@]}" 'ctest --preset linux-asan' 'ctest --preset mingw' 10-waits 20-beside
WORK=$work "$work/scripts/times" | grep '0.2  linux-asan: plan' >/dev/null || fail "times: $("$work/scripts/times")"

start nothing all
expect 0 '10 passed, 0 failed'
mapfile -t commands < <(for preset in linux-asan linux linux-tsan linux-arm64 mingw windows-msvc; do
    building $preset && echo "ctest --preset $preset"
done)
done_are "${commands[@]}" 'cmake --preset windows-msvc-arm64' \
    'cmake --build --preset windows-msvc-arm64 --target prfdata_programs' \
    10-waits 20-beside 30-long 40-looks

# While the packages of `all` are installed, what needs only those of ./test is built and done.
touch "$work/packages-wait"
start nothing all
wait_for '10-waits waits for packages' grep -qx 10-waits "$work/commands"
wait_for 'a build waits for packages' grep -qx 'cmake --build --preset linux-asan' "$work/commands"
! grep -E 'ctest|msvc|tsan|arm64|30-long|40-looks' "$work/commands" || fail 'it does not wait for its packages'
rm "$work/packages-wait"
expect 0 '10 passed, 0 failed'
NO_PACKAGES=1 start nothing all
expect 1 '5 passed, 1 failed'
grep -q '^no mirror' "$work/log" || fail 'it does not say why'
printf 'passed: packages\n'

# Only what is named is built: the test's program, and for a script what is no test.
start nothing plan
expect 0 '3 passed, 0 failed'
mapfile -t commands < <(for preset in linux-asan linux mingw; do
    echo "cmake --preset $preset" && building $preset ' --target bin/test_plan'
    echo "ctest --preset $preset -R plan" "ctest --preset $preset -R plan --show-only=json-v1" | sed 's/ ctest/\nctest/'
done)
done_are "${commands[@]}"

start nothing 40-l '^none'
expect 0 '1 passed, 0 failed'
mapfile -t commands < <(for preset in linux-asan mingw; do
    building $preset ' --target prfdata_programs'
done; for preset in linux-asan linux mingw; do
    echo "cmake --preset $preset"
    echo "ctest --preset $preset -R 40-l|^none --show-only=json-v1"
done)
done_are "${commands[@]}" 40-looks

# One that needs no build waits for none: what a script contains is not what it says of itself.
start nothing 30-l
expect 0 '1 passed, 0 failed'
start nothing all 30-l # there are no times of tests
expect 0 '1 passed, 0 failed'

start nothing '^no-such-test'
expect 2 'no test and no script matches ^no-such-test'
start nothing -x
expect 2 'for a wrong command line or a name that no test has.'
printf 'passed: what is named\n'

# What fails is counted, and what needs a build that failed does not run.
program bin/cmake <<<'[[ $* != "--build --preset linux-asan" ]]'
start nothing
expect 1 '2 passed, 1 failed'
grep -q '^20-beside: not run' "$work/log" || fail 'a script runs without its build'
! grep -q 20-beside "$work/commands" || fail 'a script runs without its build'
program bin/cmake <<<'[[ $* != *mingw* ]] || exec "$WORK/waits" build'
printf 'passed: a build that fails\n'

# A script whose server ended is no finding; what fails with its server is one.
program tests/scripts/10-waits.sh <<'END'
# Tier: test
# Lane: scripts

echo 10-waits >>"$WORK/commands"
[[ $(grep -c 10-waits "$WORK/commands") -gt ${SERVER_ENDS:-0} ]] && exit "${THEN:-1}"
source scripts/lib.sh
prfdata_wine_environment
"$WINESERVER" -k
exit 1
END
SERVER_ENDS=1 THEN=0 start nothing 10-w
expect 0 '1 passed, 0 failed'
grep -q '^note: 10-waits: Wine had another server' "$work/log" || fail 'it does not say that it ran twice'
SERVER_ENDS=2 start nothing 10-w
expect 1 '0 passed, 1 failed'
start nothing 10-w
expect 1 '0 passed, 1 failed'
[[ $(grep -c 10-waits "$work/commands") -eq 1 ]] || fail 'it ran again beside its server'
scripted 10-waits test scripts mingw script
printf 'passed: a server that ends\n'

# ---- How it ends ----

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
has_no_server() {
    ! grep -qlzFx "WINEPREFIX=$work/build/test/wine" /proc/[0-9]*/environ 2>/dev/null
}
wait_for 'a server of Wine stays' has_no_server
printf 'passed: no server stays\n'
run=
