#!/bin/bash
# SPDX-License-Identifier: MIT
# The module for Python: its example and that of docs/languages.md count by libprfdata.so. That for
# PowerShell, which is not to be had here, is parsed.
#
# Tier: all
# Builds: linux-asan
# Lane: native
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
# shellcheck source=../../scripts/lib.sh
source scripts/lib.sh

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

[[ $(run_python "$PWD/bindings/python/example.py" </dev/null | tail -n 2 | sed -n 1p) == 'jobs 10, depth 3' ]] ||
    fail "bindings/python/example.py did not count"
cat >"$work/languages/close.py" <<'END'
import prfdata

first = prfdata.open("queues.prfmap")
first.close()
second = prfdata.open("queues.prfmap")  # may be the same one in C
second.add("QUEUES", "mail").counter("QUEUES_JOBS").increment()
first.close()
mail = second.find("QUEUES", "mail")
print("jobs", mail.counter("QUEUES_JOBS").value, mail.error, mail.counter("QUEUES_JOBS").error)
print("misspelt", second.add("QUEUE", "mail").error, mail.counter("QUEUES_JOSB").error,
      mail.average("QUEUES_JOSB").error, mail.distribution(99).error,
      second.find("QUEUES", "fax").error, second.single.counter("QUEUES_JOBS").error)
END
[[ $(run_python close.py) == $'jobs 1 0 0\nmisspelt 1168 1168 1168 1168 1168 87' ]] ||
    fail "a second close closes what another opened, or a mistake has another code: $(run_python close.py)"
[[ $(run_python count.py) == *"of PrfDataQueues where no reader sees them, because they are not installed"* ]] ||
    fail "count.py of docs/languages.md did not say why it is not seen"
echo 'not an object' >"$work/languages/queues.prfmap"
[[ $(run_python count.py) == *"because of its line 1: This is no section"* ]] ||
    fail "a wrong map file is not reported"
said=$(PRFDATA_LIBRARY=$work/none.so PYTHONPATH=$PWD/bindings/python PYTHONDONTWRITEBYTECODE=1 \
    /usr/bin/python3 -c 'import prfdata' 2>&1 || true)
[[ $said == *"ImportError: prfdata: $work/none.so cannot be loaded"*"Put libprfdata.so, for the bitness of this Python, beside"* ]] ||
    fail "a missing library is not explained: $said"
echo "passed: Python"

# npm_package <name> <version> <sum>: its folder; without npm or network, all ends here.
npm_package() {
    scripts/npm-package "$@" 2>"$work/why" && return
    [[ $? -eq 77 ]] || fail "$(<"$work/why")"
    cat "$work/why"
    return 77
}

parse() {
    node tests/scripts/powershell.cjs "$runtime" "$grammar" "$@" 2>&1
}

command -v node >/dev/null || {
    echo "no node here: PowerShell is not parsed"
    exit 77
}
runtime=$(npm_package web-tree-sitter 0.27.1 \
    7346db659eb870a5284242851ab7aedea41d7397b8c7e95ff8d9ec5b5a80270f) || { echo "$runtime"; exit 77; }
grammar=$(npm_package tree-sitter-powershell 0.26.4 \
    92f0ce6497f1456248eb1a2d74c567cdfb1328cccd573c1a48d1b7c4e76b53e3) || { echo "$grammar"; exit 77; }
parse bindings/powershell/* || fail "this is not PowerShell"
sed 's/^}$//' bindings/powershell/PrfData.psm1 >"$work/wrong.psm1"
! parse "$work/wrong.psm1" >"$work/mistakes" || fail "a file without its braces is PowerShell, too"
echo "passed: PowerShell is parsed"
