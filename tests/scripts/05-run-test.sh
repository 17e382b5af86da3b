#!/bin/bash
# SPDX-License-Identifier: MIT
# Shows that tests/run-test, which decides whether a test passed, does not let a bad program pass, and that a script
# that does not reach its end says where it ended.
#
# Tier: all
# Lane: native
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
# shellcheck source=../../scripts/lib.sh
source scripts/lib.sh

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

# What hangs is ended before ctest ends run-test, and what it has said is shown. A busy machine may need
# more than a second until it says something.
for seconds in 1 10 100; do
    said=$(PRFDATA_TEST_SECONDS=$seconds tests/run-test bash -c 'echo begun; exec sleep 1000' 2>&1) && {
        echo "run-test passes what hangs"
        exit 1
    }
    [[ $said != begun* ]] || break
done
[[ $said == begun$'\n'*": ended: not done in $((seconds - seconds / 10)) s" ]] ||
    { echo "of what hangs run-test says $said"; exit 1; }

# ---- Scripts that end before their end ----

work=$(mktemp -d "${TMPDIR:-/tmp}/prfdata-run-test.XXXXXX")
trap 'rm -rf "$work"' EXIT

# ends <exit code> <what it says> <commands>: a script of these commands; line 8 is their first.
ends() {
    local exit_code=0
    printf '%s\n' '#!/bin/bash' 'set -euo pipefail' "cd '$PWD'" 'source scripts/lib.sh' \
        'trap end_by_signal INT TERM HUP' 'wrong() { [[ one == other ]]; }' \
        'calls() { wrong; }' "$3" 'echo reached' >"$work/script"
    bash "$work/script" >"$work/said" 2>&1 || exit_code=$?
    [[ $exit_code -eq $1 && $(<"$work/said") == "$2" ]] ||
        { echo "a script of $3 ends with $exit_code and says: $(<"$work/said")"; exit 1; }
}

ends 1 'ended, script line 8: exit code 1 of: false' 'false'
ends 1 'ended, script line 6, script line 7, script line 8: exit code 1 of: [[ one == other ]]' 'calls'
ends 3 'ended, script line 8: exit code 3 of: found=$(exit 3)' 'found=$(exit 3)'
ends 1 'ended, script line 8: exit code 1 of: tr a b' 'false | tr a b'
ends 1 'ended, script line 8: exit code 1 of: ( cd / && wrong )' '(cd / && wrong)'
ends 2 'ended, script line 8: exit code 2 of: wait "$!"' 'bash -c "exit 2" & wait "$!"'
ends 143 'script: ended by a signal' 'kill $$'
ends 0 'reached' 'wrong || calls || true; ! wrong; [[ -n $(wrong; echo x) ]]; if calls; then :; fi'
ends 0 'reached' 'while read -r _; do :; done < <(wrong)'
for script in tests/scripts/*.sh; do
    grep -qE '^(source scripts/lib\.sh|exec .*)$' "$script" || { echo "$script does not source lib.sh"; exit 1; }
done

# Who reads a pipe reads it to its end: with pipefail, the writer of a pipe that was closed early
# ends the script with 141, when it happens to be the slower of the two.
hasty='[^|]\|[[:space:]]*(grep( +-[a-zA-Z-]+)* +-[a-zA-Z]*[qm]|(head)\b|(sed|awk)\b[^|]*[{;[:space:]](q|exit)\b)'
printf 'a \174 %s\n' 'grep -q b' 'grep -i -Fq b' 'head -n 1' "sed -n '/x/{p; q}'" \
    "awk '{ print; exit }'" >"$work/script"
[[ $(grep -cE "$hasty" "$work/script") -eq 5 ]] || { echo 'a pipe that is closed early is not seen'; exit 1; }
# A line that begins with the reader belongs to the pipe at the end of the line before.
while IFS= read -r script; do
    ! sed -E ':join; /\|[[:space:]]*$/ { N; b join }; s/\n[[:space:]]*/ /g' "$script" | grep -E "$hasty" ||
        { echo "$script: a pipe is closed before its end"; exit 1; }
done < <(grep -rlIE '^set -.*pipefail|source (.*/)?lib\.sh' .ci demo test scripts samples tests)
