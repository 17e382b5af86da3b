#!/bin/bash
# SPDX-License-Identifier: MIT
# tests/run-test is the judge of all tests: show that it does not let a bad program pass.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."

good='echo "[  PASSED  ] 3 test(s)."'

expect() {
    local expected=$1 verdict=pass
    tests/run-test bash -c "$2" >/dev/null 2>&1 || verdict=fail
    [[ $verdict == "$expected" ]] || { echo "run-test says $verdict to: $2"; exit 1; }
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
