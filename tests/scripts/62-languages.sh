#!/bin/bash
# SPDX-License-Identifier: MIT
# The module for Python: its example and that of docs/languages.md count by libprfdata.so.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."

library=$PWD/build/linux-asan/lib/libprfdata.so
work=$(mktemp -d "${TMPDIR:-/tmp}/prfdata-languages.XXXXXX")
trap 'rm -rf "$work"' EXIT

fail() {
    printf 'FAILED: %s\n' "$*"
    exit 1
}

# The library has sanitizers and Python has none.
run_python() {
    (cd "$work/languages" &&
        PRFDATA_LIBRARY=$library PYTHONPATH=$OLDPWD/bindings/python PYTHONDONTWRITEBYTECODE=1 \
            LD_PRELOAD=$(cc -print-file-name=libasan.so) ASAN_OPTIONS=detect_leaks=0 \
            /usr/bin/python3 "$@" 2>&1) || fail "$*"
}

[[ -e $library ]] || fail "build the preset linux-asan first"
/usr/bin/python3 -B tests/scripts/documents.py extract "$work"
cp bindings/queues.prfmap "$work/languages"

[[ $(run_python "$PWD/bindings/python/example.py" </dev/null | tail -n 2 | head -n 1) == 'jobs 10, depth 3' ]] ||
    fail "bindings/python/example.py did not count"
cat >"$work/languages/close.py" <<'END'
import prfdata

first = prfdata.open("queues.prfmap")
first.close()
second = prfdata.open("queues.prfmap")  # may be the same one in C
second.add("QUEUES", "mail").counter("QUEUES_JOBS").increment()
first.close()
print("jobs", second.find("QUEUES", "mail").counter("QUEUES_JOBS").value)
END
[[ $(run_python close.py) == 'jobs 1' ]] || fail "a second close closes what another opened"
[[ $(run_python count.py) == *"of PrfDataQueues where no reader sees them, because they are not installed"* ]] ||
    fail "count.py of docs/languages.md did not say why it is not seen"
echo 'not an object' >"$work/languages/queues.prfmap"
[[ $(run_python count.py) == *"because of its line 1: This is no section"* ]] ||
    fail "a wrong map file is not reported"
echo "passed: Python"
