#!/bin/bash
# SPDX-License-Identifier: MIT
# Builds samples/queues with the tests of tests/consumer/checked/prfcheck.cmake. Then runs the
# commands of tests/consumer/checked/counters.yml under Wine. The tests and the commands must pass
# before the program starts, and fail for a new warning. They must pass when prfcheck.accept lists
# this warning. The commands must fail for a second warning.
#
# The warnings are fractions above their base. The program shows the first one from its start, and
# the second one after it has read a character.
#
# Tier: all
# Builds: mingw
# Job: scripts
# shellcheck source=../support/scripts/script.sh
source "$(dirname "$0")/../support/scripts/script.sh"
prfdata_wine_environment

source=$PWD
program=
shown='said ctest prfcheck.xml program'

end_program() {
    exec 8>&-
    end_process "$program"
    program=
}

clean_up() {
    local installer
    end_program
    while read -r installer; do
        "$WINE" "$installer" -Uninstall >/dev/null 2>&1 </dev/null || true
    done < <(find "$work" -name 'queues_installer.exe' 2>/dev/null)
}

# ---- The sample, and what makes it run here ----

cp -r samples/queues "$work/queues"
cd "$work/queues"
cat "$source/tests/consumer/checked/prfcheck.cmake" >>CMakeLists.txt
: >prfcheck.accept
sed -i 's/^#endif/PRFDATA_DEFINE_COUNTER(QUEUES_FULL, 103);\nPRFDATA_DEFINE_COUNTER(QUEUES_FULL_BASE, 104);\
PRFDATA_DEFINE_COUNTER(QUEUES_LATE, 105);\nPRFDATA_DEFINE_COUNTER(QUEUES_LATE_BASE, 106);\n&/' queues_map.h
sed -i 's/^PRFDATA_MAP_END/\
    PRFDATA_MAP_CTR(QUEUES_FULL, L"% Full", L"Full.", PERF_DETAIL_NOVICE, 0, PERF_RAW_FRACTION)\
    PRFDATA_MAP_CTR(QUEUES_FULL_BASE, L"% Full base", L"Base.", PERF_DETAIL_NOVICE, 0, PERF_RAW_BASE)\
    PRFDATA_MAP_CTR(QUEUES_LATE, L"% Late", L"Late.", PERF_DETAIL_NOVICE, 0, PERF_RAW_FRACTION)\
    PRFDATA_MAP_CTR(QUEUES_LATE_BASE, L"% Late base", L"Base.", PERF_DETAIL_NOVICE, 0, PERF_RAW_BASE)\
&/' queues_map.c
sed -i -e 's/prfdata_handle jobs, rate;/prfdata_handle jobs, rate, full, size, late, all;/' \
    -e 's/^    while (getchar/    prfdata_resolve(publisher, QUEUES_FULL, \&mail, \&full);\
    prfdata_resolve(publisher, QUEUES_FULL_BASE, \&mail, \&size);\
    prfdata_resolve(publisher, QUEUES_LATE, \&mail, \&late);\
    prfdata_resolve(publisher, QUEUES_LATE_BASE, \&mail, \&all);\
    prfdata_set(full, 5);\n    prfdata_set(size, 4);\n    prfdata_set(late, 1);\n    prfdata_set(all, 4);\
    puts("counting");\n    fflush(stdout);\n&/' \
    -e 's/^        prfdata_increment(jobs);/&\n        prfdata_set(late, 5);\n        puts("late");\
        fflush(stdout);/' queues.c

# Use a generator with configurations, as Visual Studio's generator is, so that paths are those of
# the example.
cat >"$work/toolchain.cmake" <<END
include("$source/cmake/toolchain-mingw-x86_64.cmake")
set(CMAKE_CROSSCOMPILING_EMULATOR "$source/tests/wine/run")
END
export CMAKE_GENERATOR='Ninja Multi-Config' CMAKE_TOOLCHAIN_FILE=$work/toolchain.cmake
export CMAKE_PREFIX_PATH=$source CMAKE_BUILD_PARALLEL_LEVEL=2

# ---- The commands of the example ----

mapfile -t steps < <(sed -n 's/^ *- run: //p' "$source/tests/consumer/checked/counters.yml")
[[ ${#steps[@]} -eq 5 ]] || fail "counters.yml has ${#steps[@]} commands"

# step <number>: run the command of this step as GitHub's runner does. Programs of Windows run under
# Wine.
step() {
    local command=${steps[$1]}
    [[ $command != build/* ]] || command="'$source/tests/wine/run' ${command/ /.exe }"
    bash -euc "$command" >"$work/said" 2>&1 </dev/null
}

# Run the step of counters.yml that checks. prfcheck.xml says why it fails.
check() {
    local exit_code=0
    rm -rf prfcheck.xml replies
    step 4 || exit_code=$?
    cp prfcheck.xml "$work/prfcheck.xml"
    return "$exit_code"
}

# check_by_ctest [<ctest's argument>...]: check with ctest, which installs and uninstalls. Then step
# 3 of the example installs again. While the program runs, uninstalling would fail, so the arguments
# leave uninstalling out.
check_by_ctest() {
    local exit_code=0
    ctest --test-dir build -C Release --output-on-failure "$@" >"$work/ctest" 2>&1 </dev/null || exit_code=$?
    step 3 || fail "${steps[3]}"
    return "$exit_code"
}

# expect_warning <counter>: check that the last check failed only because of this counter.
expect_warning() {
    grep -q "<failure type=\"fraction-above\".*counter [0-9]* &quot;$1&quot;" prfcheck.xml ||
        fail "$1 is not named"
    [[ $(grep -c '<failure' prfcheck.xml) -eq 1 ]] || fail "more than $1"
}

wait_for_program() {
    local deadline=$((SECONDS + LIMIT))
    until grep -q "$1" "$work/program"; do
        [[ $SECONDS -lt $deadline ]] || fail "the program does not say $1"
        sleep 0.1
    done
}

for number in 0 1 2 3; do
    step "$number" || fail "${steps[number]}"
done
check || fail "a sample without a mistake"
grep -q '<testcase .*name="samples ' prfcheck.xml || fail 'no case of a scenario'
check_by_ctest || fail 'ctest of a sample without a mistake'

mkfifo "$work/input"
"$source/tests/wine/run" build/Release/queues.exe <"$work/input" >"$work/program" 2>&1 &
program=$!
exec 8>"$work/input"
wait_for_program counting

! check || fail 'a new warning passes'
expect_warning '% Full'
! check_by_ctest -R '^prfcheck$' -FC counters || fail 'a new warning passes ctest'
grep -q 'warning fraction-above, .* "% Full"' "$work/ctest" || fail 'ctest does not name % Full'

echo 'fraction-above:+6 # % Full, which our reader expects' >prfcheck.accept
check || fail 'an accepted warning fails'
grep -q 'accepted warning fraction-above' prfcheck.xml || fail 'the accepted warning is not shown'
check_by_ctest -R '^prfcheck$' -FC counters || fail 'an accepted warning fails ctest'

echo >&8
wait_for_program late
! check || fail 'a second warning passes because the first is accepted'
expect_warning '% Late'
