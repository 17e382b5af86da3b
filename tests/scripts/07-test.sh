#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests ./test with builds, tests and scripts of another tree, without Wine. Most checks are for
# mistakes that ./test once made. It did not count a failed build. `./test NAME` passed although
# nothing was built for NAME, or no test had this name. Programs, servers or locks of an interrupted
# run disturbed the next run.
#
# Tier: all
# Job: native
# shellcheck source=../support/scripts/script.sh
source "$(dirname "$0")/../support/scripts/script.sh"

shown='log commands'
run=
clean_up() {
    end_process "$run" "$(cat "$work/waits.pid" 2>/dev/null)"
}

# program <name>: standard input becomes a program of the other tree.
program() {
    { echo '#!/bin/bash' && cat; } >"$work/$1"
    chmod +x "$work/$1"
}

mkdir -p "$work/scripts" "$work/tests/scripts" "$work/bin"
cp test "$work"
cp scripts/{lib.sh,test-step,times} "$work/scripts"
cp tests/scripts/CMakeLists.txt "$work/tests/scripts"
real_cmake=$(command -v cmake) real_ctest=$(command -v ctest)
program scripts/bootstrap <<<'[[ $1 != all || -z ${NO_PACKAGES:-} ]]'
# The step that $WAITS names waits until it is ended, and its end takes a moment.
program waits <<'END'
[[ ${WAITS:-} == "$1" ]] || exit 0
trap 'sleep 0.5; echo ended >>"$WORK/commands"; rm "$WORK/waits.pid"; kill "$waiting"; exit 143' TERM
echo $$ >"$WORK/waits.pid"
sleep 1000 &
waiting=$!
wait
END
program bin/cmake <<END
[[ \$* == *--preset* ]] || exec "$real_cmake" "\$@"
echo "cmake \${*%% -DPRFDATA_LONG*}" >>"\$WORK/commands"
[[ \$* != "--build --preset \${FAILS:-}" ]] || exit 1
[[ \$* != *--build*linux-asan* ]] || exec "\$WORK/waits" build
END
program bin/ctest <<END
[[ \$* == *--preset* ]] || exec "$real_ctest" "\$@"
if [[ \$* == *--show-only* ]]; then # one test, \`plan\`, of a program
    [[ ! plan =~ \$4 ]] || tests="{\"command\": [\"\$WORK/build/\$2/bin/test_plan\"]}"
    echo "{\"tests\": [\${tests:-}]}"
    exit
fi
echo "ctest \$2" >>"\$WORK/commands"
for junit; do :; done
echo '<testsuite><testcase name="plan" status="run" time="0.2"/></testsuite>' >"\$junit"
END
# scripted <name> <tier> <builds>
scripted() {
    program "tests/scripts/$1.sh" <<<"# Tier: $2
# Job: native
# Builds: $3

echo $1 >>\"\$WORK/commands\"
exec \"\$WORK/waits\" script"
}
scripted 20-short test linux-asan
scripted 30-long all mingw

start() {
    : >"$work/commands"
    PRFDATA_RUN_ID='' WORK=$work PATH=$work/bin:$PATH PRFDATA_CACHE=$work PRFDATA_WINEPREFIX=$work/wine \
        "$work/test" "$@" >"$work/log" 2>&1 </dev/null &
    run=$!
}

# expect <exit code> <last line> [<command>...]: check how the run ends, and which commands it ran
# besides configuring, in any order.
expect() {
    local exit_code=0 last done_is
    wait "$run" || exit_code=$?
    run=
    last=$(tail -n 1 "$work/log")
    [[ $exit_code -eq $1 && $last == "$2" ]] || fail "exit code $exit_code, not $1; $last, not $2"
    shift 2
    done_is=$(grep -v '^cmake --preset' "$work/commands" | sort) || true
    [[ $# -eq 0 || $done_is == "$(printf '%s\n' "$@" | sort)" ]] || fail "it did $done_is"
}

# Leave out the mingw tests, because they would start Wine.
sed -i 's/^set(wine mingw)/set(wine)/; s/append wine/append other/I' "$work/tests/scripts/CMakeLists.txt"

start
expect 0 '2 passed, 0 failed' 'cmake --build --preset linux-asan' 'ctest linux-asan' 20-short
start plan
expect 0 '2 passed, 0 failed' 'cmake --build --preset linux-asan --target bin/test_plan' 'ctest linux-asan' \
    'cmake --build --preset linux --target bin/test_plan' 'ctest linux'
start 30-l
expect 0 '1 passed, 0 failed' 'cmake --build --preset mingw --target prfdata_programs' 30-long
start '^no-such-test'
expect 2 'no test and no script matches ^no-such-test'
start -x
expect 2 'something failed, and 2 for a wrong command line or a name that no test has.'
FAILS=linux-asan start
expect 1 '0 passed, 1 failed, 1 skipped' 'cmake --build --preset linux-asan'
NO_PACKAGES=1 start 30-l
expect 1 '0 passed, 1 failed, 1 skipped'

for place in build script; do
    for signal in TERM KILL; do
        WAITS=$place start
        wait_for "$place did not start" test -s "$work/waits.pid"
        kill -"$signal" "$run"
        exit_code=0
        wait "$run" 2>/dev/null || exit_code=$?
        run=
        [[ $exit_code -ne 0 ]] || fail "$place: $signal: it passed"
        [[ $signal == KILL || $(tail -n 1 "$work/log") == *' 1 failed' ]] || fail "$place: no verdict"
        [[ $signal == KILL ]] || grep -qx ended "$work/commands" || fail "$place: it did not wait"
        wait_for "$place: $signal: it did not end" grep -qx ended "$work/commands"
    done
done
start # the next run is not disturbed
expect 0 '2 passed, 0 failed'
