#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests tests/run-test, which decides whether a test program passed. Without this script, a mistake
# there could make every test pass. Also tests that a script that fails says which command failed.
# Refuses scripts with a pipe whose reader may end before the writer, because with pipefail such a
# script sometimes fails.
#
# Tier: all
# Job: native
# shellcheck source=../support/scripts/script.sh
source "$(dirname "$0")/../support/scripts/script.sh"

good='echo "[  PASSED  ] 3 test(s)."'

expect() {
    local expected=$1 verdict=pass
    tests/run-test bash -c "$2" >/dev/null 2>&1 || verdict=fail
    [[ $verdict == "$expected" ]] || die "run-test says $verdict to: $2"
}

expect pass "$good"
expect fail "$good; exit 1"
expect fail 'exit 0'
expect fail 'echo "[  PASSED  ] 0 test(s)."'
expect fail "$good; echo '[  FAILED  ] test_this'"
expect fail "$good; echo 'x.c:1:2: runtime error: signed integer overflow' >&2"
expect fail "$good; echo '==1==ERROR: AddressSanitizer: heap-use-after-free' >&2"
expect fail "$good; echo '==1==ERROR: LeakSanitizer: detected memory leaks' >&2"
expect fail "$good; echo 'WARNING: ThreadSanitizer: data race (pid=1)' >&2"
expect fail "$good; kill -SEGV \$\$"
expect fail 'no-such-program-here'

# The output of a program that hangs is shown, because run-test ends it before ctest ends run-test.
for seconds in 1 10 100; do # a busy machine may need more than a second until it prints something
    said=$(PRFDATA_TEST_SECONDS=$seconds tests/run-test bash -c 'echo begun; exec sleep 1000' 2>&1) &&
        die "run-test passes a program that hangs"
    [[ $said != begun* ]] || break
done
[[ $said == begun$'\n'*": ended: not done in $((seconds - seconds / 10)) s" ]] || die "of a program that hangs: $said"

# If `set -e` ends a script, the script prints which command failed.
said=$(bash -c 'source scripts/lib.sh; set -e; fails() { false; }; fails' 2>&1) && die "a script that fails passes"
[[ $said == ended*'exit code 1 of: false' ]] || die "a script that fails says: $said"

hasty='[^|]\|[[:space:]]*(grep( +-[a-zA-Z-]+)* +-[a-zA-Z]*[qm]|(head)\b|(sed|awk)\b[^|]*[{;[:space:]](q|exit)\b)'
# If a line ends with the sign of a pipe, the reader is on the next line, so both lines are joined.
while IFS= read -r script; do
    ! sed -E ':join; /\|[[:space:]]*$/ { N; b join }; s/\n[[:space:]]*/ /g' "$script" | grep -E "$hasty" ||
        die "$script: a pipe is closed before its end"
done < <(grep -rlIE '^set -.*pipefail|source .*/(lib|script)\.sh' .ci demo test scripts samples tests)
